package model

import (
	"strconv"

	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Checker checks the forms of one editing session. After an edit it checks only what has changed: each node keeps its problems, and ids and
// pointers are counted instead of collected.
// The zero Checker is ready to use. It is not safe for concurrent use.
type Checker struct {
	form       *Form
	counts     counts
	collisions int // owners of an id beyond the first, including rules of one router
	dangling   int // ids to which pointers lead and that no node owns
}

// counts holds how many elements own an id and how many pointers lead to it.
type counts struct {
	nodes, components, targets map[string]int
}

// Check checks the whole content of a form: tables, ids and pointers. It returns
// every problem in document order. It ignores properties that only a response has.
func (c *Checker) Check(f *Form) schema.Problems {
	c.follow(f)
	var ps schema.Problems
	for _, m := range f.tree.Members() {
		r, ok := contentTable.Row(m.Key)
		switch {
		case m.Key == "nodes":
			if _, ok := m.Value.([]any); !ok {
				ps = append(ps, schema.Check(r.Spec, m.Value).Under(schema.Path{schema.Key("nodes")})...)
				continue
			}
			for i, n := range f.Nodes {
				pause.Now()
				if own := n.check(f, i); len(own) > 0 {
					ps = append(ps, own.Under(schema.Path{schema.Key("nodes"), schema.Index(i)})...)
				}
			}
		case ok:
			if own := schema.Check(r.Spec, m.Value); len(own) > 0 {
				ps = append(ps, own.Under(schema.Path{schema.Key(m.Key)})...)
			}
		default:
			if _, ok := responseTable.Row(m.Key); !ok {
				at := schema.Path{schema.Key(m.Key)}
				ps = append(ps, schema.Problem{
					Path: at, Code: schema.CodeUnknown, Detail: "is not a property of this object", Offset: -1, Foreign: true,
				})
			}
		}
	}
	if !f.tree.Has("name") {
		ps = append(ps, schema.Problem{Path: schema.Path{schema.Key("name")}, Code: schema.CodeRequired, Detail: "is required", Offset: -1})
	}
	if c.collisions > 0 || c.dangling > 0 {
		ps = append(ps, checkGraph(f)...)
	}
	schema.Sort(f.tree, ps)
	return ps
}

// CheckForeign is Check for a form of a tenant that is not ours and may have newer tables. It returns separately, as warnings,
// what such a tenant may allow: properties that our tables do not list, and objects of a type or kind that they do not know.
func (c *Checker) CheckForeign(f *Form) (problems, foreign schema.Problems) {
	problems, foreign = c.Check(f).Split()
	for i, p := range foreign {
		foreign[i].Detail = "is not known to this editor and stays as it is"
		if v, ok := schema.Lookup(f.tree, p.Path); ok && p.Code == schema.CodeEnum {
			name, _ := v.(string)
			shown := strconv.Quote(schema.Shorten(name, maxForeign))
			foreign[i].Detail = "is " + shown + ", which this editor does not know; it stays as it is"
		}
	}
	return problems, foreign
}

// maxForeign is how many characters of an unknown type or kind a warning shows.
const maxForeign = 60

// check returns the node's own problems, with paths from the node.
func (n *Node) check(f *Form, i int) schema.Problems {
	if memo := n.problems.Load(); memo != nil {
		return *memo
	}
	var v any = n.tree
	if n.tree == nil {
		v = f.tree.List("nodes")[i]
	}
	ps := schema.Check(nodeSpec, v)
	n.problems.Store(&ps)
	return ps
}

// follow updates the counts from the last form to f. Nodes that both forms share at the front and at the back keep their counts; those in
// between are removed and added.
func (c *Checker) follow(f *Form) {
	if c.form == nil {
		c.form = &Form{}
		c.counts = counts{map[string]int{}, map[string]int{}, map[string]int{}}
	}
	old, now := c.form.Nodes, f.Nodes
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		old, now = old[1:], now[1:]
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	for _, n := range old {
		c.count(n, -1)
	}
	for _, n := range now {
		c.count(n, 1)
	}
	c.add(c.counts.targets, string(c.form.Start.Next), -1)
	c.add(c.counts.targets, string(f.Start.Next), 1)
	c.form = f
}

func (c *Checker) count(n *Node, by int) {
	c.own(c.counts.nodes, n.ID, by)
	switch config := n.Config.(type) {
	case *Step:
		for _, comp := range config.Components {
			c.own(c.counts.components, comp.ID, by)
		}
	case *Router:
		rules := make(map[string]bool, len(config.Rules))
		for _, r := range config.Rules {
			if rules[r.ID] {
				c.collisions += by
			}
			rules[r.ID] = true
		}
	case *Flow, nil:
	}
	n.Pointers(func(r Ref) { c.add(c.counts.targets, r.ID, by) })
}

// own counts an owner of an id and updates the number of collisions.
func (c *Checker) own(m map[string]int, id string, by int) {
	before := max(0, m[id]-1)
	c.add(m, id, by)
	c.collisions += max(0, m[id]-1) - before
}

// add updates a count and the number of dangling ids.
func (c *Checker) add(m map[string]int, id string, by int) {
	if id == "" {
		return
	}
	before := c.unresolved(id)
	if m[id] += by; m[id] == 0 {
		delete(m, id)
	}
	c.dangling += c.unresolved(id) - before
}

func (c *Checker) unresolved(id string) int {
	if c.counts.targets[id] > 0 && c.counts.nodes[id] == 0 && id != EndingID {
		return 1
	}
	return 0
}
