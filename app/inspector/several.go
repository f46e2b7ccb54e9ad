package inspector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/schema"
)

// Shared is what a row has that stands for several elements. Its path is that of the first.
type Shared struct {
	Count int  // the number of elements, 0 for a row of one
	Mixed bool // whether their values differ; then the row has none
	Ons   int  // how many are on, for a Switch
	noun  string
	each  []Row
}

// maxSeveral is the number of elements up to which they are edited together.
const maxSeveral = 50

// Components returns the panel of the components that are selected together: the properties that all of them have.
func Components(e *editor.Editor, a *scope.Analysis) Panel {
	rd := newReader(e, a)
	n, i := rd.form.Node(rd.state.Selection.Only())
	chosen := rd.state.Selection.Components(n)
	var all []Panel
	var roots []schema.Path
	for _, j := range chosen {
		c := n.Component(j)
		p := Panel{Subtitle: c.Type}
		if c.Kind != nil {
			p.Subtitle = c.Kind.Label
		}
		if len(chosen) <= maxSeveral {
			at := model.ComponentPath(i, j)
			roots, p = append(roots, at), rd.within(at).component(n, c, at)
		}
		all = append(all, p)
	}
	return several("component", roots, all)
}

// nodes returns the panel of several nodes. The two ends among them are only counted.
func (rd reader) nodes() Panel {
	var all []Panel
	var roots []schema.Path
	for _, id := range rd.state.Selection.Nodes {
		p := Panel{Subtitle: strings.TrimPrefix(id, "$")} // of one of the two ends
		if n, i := rd.form.Node(id); n != nil {
			if len(rd.state.Selection.Nodes) <= maxSeveral {
				p = rd.within(model.NodePath(i)).node(n, i, -1)
				if p.Otherwise != nil {
					p.Sections = append(p.Sections, Section{Rows: []Row{*p.Otherwise}})
				}
				roots = append(roots, model.NodePath(i))
			}
			p.Subtitle = strings.ToLower(string(n.Type))
		}
		all = append(all, p)
	}
	return several("node", roots, all)
}

// several returns the panel of several elements: how many there are of each kind, and the rows that all of those with a root have.
func several(noun string, roots []schema.Path, all []Panel) Panel {
	p := Panel{Icon: "select", Title: plural(len(all), noun)}
	var kinds []string
	count := map[string]int{}
	for _, of := range all {
		if count[of.Subtitle]++; count[of.Subtitle] == 1 {
			kinds = append(kinds, of.Subtitle)
		}
	}
	for i, k := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", count[k], k)
		if end := "$" + k; end == model.StartID || end == model.EndingID {
			kinds[i] = k // there is only one
		} else if noun == "node" {
			kinds[i] = plural(count[k], k)
		}
	}
	p.Subtitle = strings.Join(kinds, ", ")
	switch {
	case len(roots) < 2 && len(all) > maxSeveral:
		p.Note = fmt.Sprintf("At most %s are edited together.", plural(maxSeveral, noun))
		return p
	case len(roots) < 2:
		return p
	case len(roots) < len(all):
		p.Note = fmt.Sprintf("An edit below changes %s, not Start or Ending. “Mixed” marks what differs.", plural(len(roots), noun))
	case len(roots) == 2:
		p.Note = fmt.Sprintf("An edit below changes both %ss. “Mixed” marks what differs.", noun)
	default:
		p.Note = fmt.Sprintf("An edit below changes all %s. “Mixed” marks what differs.", plural(len(roots), noun))
	}
	var rows [][]Row
	for _, of := range all {
		if of.Sections == nil {
			continue // one of the two ends
		}
		var own []Row
		for _, s := range of.Sections {
			own = append(own, s.Rows...)
		}
		rows = append(rows, own)
	}
	own := shared(noun, roots, rows)
	if len(own) == 0 {
		p.Note = fmt.Sprintf("These %ss have no property in common.", noun)
	}
	p.Sections = sections(own)
	return p
}

// shared returns the rows that each of several elements has: the same property with the same rule. It leaves out ids, which must differ, names,
// which should, and lists and JSON, whose elements cannot be matched.
func shared(noun string, roots []schema.Path, all [][]Row) []Row {
	var out []Row
	for _, r := range all[0] {
		if r.OnLeave() || r.Path[len(r.Path)-1].Key == "alias" || r.Input == JSON || r.Input == Items || r.Input == Entries {
			continue
		}
		each := []Row{r}
		for k := 1; k < len(all); k++ {
			rest := r.Path[len(roots[0]):]
			j := slices.IndexFunc(all[k], func(q Row) bool {
				return q.Path[len(roots[k]):].Equal(rest) && q.Input == r.Input && schema.Same(q.spec, r.spec)
			})
			if j < 0 {
				break
			}
			each = append(each, all[k][j])
		}
		if len(each) < len(all) {
			continue
		}
		r.Shared = Shared{Count: len(each), noun: noun, each: each}
		if r.Input == Group {
			inner := make([][]Row, len(each))
			for k := range each {
				inner[k] = each[k].Rows
			}
			if r.Rows = shared(noun, roots, inner); len(r.Rows) == 0 {
				continue
			}
		}
		out = append(out, r.merged())
	}
	return out
}

// merged returns the row with what the rows of all its elements have in common.
func (r Row) merged() Row {
	r.Options = slices.Clone(r.Options)
	offered := make(map[string]bool, len(r.Options))
	for _, o := range r.Options {
		offered[o.Value] = true
	}
	for _, of := range r.each {
		r.Mixed = r.Mixed || of.Present != r.each[0].Present || !schema.Equal(of.Value, r.each[0].Value)
		r.Present = r.Present || of.Present
		r.Required = r.Required && of.Required
		r.Warnings = nil // those of each are different
		if of.On() {
			r.Ons++
		}
		if len(r.Problems) == 0 {
			for _, p := range of.Problems {
				p.Path = append(slices.Clip(r.Path), p.Path[len(of.Path):]...)
				r.Problems = append(r.Problems, p)
			}
		}
		for _, o := range of.Options {
			if !offered[o.Value] {
				offered[o.Value] = true
				r.Options = append(r.Options, o)
			}
		}
	}
	if r.Mixed && r.Input != Group {
		r.Value, r.pending = nil, nil
	}
	return r
}

// together returns the command that do makes of the row, for each of the elements, as one step.
func (r Row) together(do func(Row) editor.Command) editor.Command {
	if r.Count == 0 {
		return do(r)
	}
	s := editor.Sequence{Key: "several"}
	does := verb.Clear
	for _, of := range r.each {
		c := do(of)
		if _, clears := c.(editor.Clear); !clears {
			does = verb.Set
		}
		s.Key += " " + of.Path.String()
		s.Commands = append(s.Commands, c)
	}
	s.Name = verb.Phrase{Verb: does, Noun: schema.Words(r.Path[len(r.Path)-1].Key), Rest: "of " + plural(r.Count, r.noun)}
	return s
}
