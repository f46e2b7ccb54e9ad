package scope_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

// A plan describes a form for the oracle, which does not read the form that is built from it. Places are the indexes of the nodes, then the
// ending. nowhere is a missing target.
type plan struct {
	start  int
	hidden []string
	nodes  []planned
	ending []planRef // in its redirection
}

type planned struct {
	typ      string
	asks     []string
	next     bool // the step has a next button
	previous bool
	jumps    []int
	to       int   // the next node, or the fallback
	rules    []int // without a condition, unless refs has one for each of the first
	refs     []planRef
}

// planRef is a reference in a text of a step, or in the condition of a rule.
type planRef struct {
	name     string
	optional bool
}

const nowhere = -1

// planNames are the names that references use. The last two are no fields: a button, and an id that nothing has.
var planNames = []string{"f0", "f1", "f2", "f3", "h", "button", "nothing"}

func randomPlan(r *rand.Rand) plan {
	n := 1 + r.IntN(8)
	made := 0 // nodes
	place := func() int {
		switch d := r.IntN(24); {
		case d == 0:
			return nowhere
		case d < 3:
			return n
		case d < 12:
			return made
		}
		return r.IntN(n)
	}
	refs := func(most int) (refs []planRef) {
		for range r.IntN(most + 1) {
			refs = append(refs, planRef{planNames[r.IntN(4+r.IntN(4))], r.IntN(4) == 0})
		}
		return refs
	}
	p := plan{start: place(), ending: refs(1)}
	if r.IntN(2) == 0 {
		p.hidden = append(p.hidden, "h")
	}
	if r.IntN(8) == 0 {
		p.hidden = append(p.hidden, "f0")
	}
	backs, steps := r.IntN(2) == 0, 0
	for range n {
		made++
		at := planned{typ: []string{"STEP", "STEP", "STEP", "ROUTER", "ROUTER", "FLOW"}[r.IntN(6)], to: place()}
		switch at.typ {
		case "STEP":
			for i := range 4 {
				if r.IntN(3) == 0 {
					at.asks = append(at.asks, fmt.Sprintf("f%d", i))
				}
			}
			at.next = r.IntN(6) > 0
			at.previous = backs && steps < 4 && r.IntN(2) == 0
			for range r.IntN(5) / 3 {
				at.jumps = append(at.jumps, place())
			}
			at.refs = refs(2)
			steps++
		case "ROUTER":
			for range r.IntN(3) {
				at.rules = append(at.rules, place())
			}
			at.refs = refs(len(at.rules))
		}
		p.nodes = append(p.nodes, at)
	}
	return p
}

func (r planRef) text() string {
	if r.optional {
		return "{{fields." + r.name + " ?? 'x'}}"
	}
	return "{{fields." + r.name + "}}"
}

// condition returns a rule's condition, which asks for a value if a missing field is no mistake.
func (r planRef) condition() string {
	operator, more := "EQ", `,"x"`
	if r.optional {
		operator, more = "EXISTS", ""
	}
	return fmt.Sprintf(`,"condition":{"operator":"AND","operands":[{"operator":%q,"operands":["{{fields.%s}}"%s]}]}`, operator, r.name, more)
}

func (p plan) id(place int) string {
	switch place {
	case nowhere:
		return "gone"
	case len(p.nodes):
		return model.EndingID
	}
	return fmt.Sprintf("n%d", place)
}

// form builds the form, with or without its references. Without them, conditions cannot be judged, so a run can take every way.
func (p plan) form(tb testing.TB, references bool) *model.Form {
	tb.Helper()
	var nodes, hidden []string
	for i, n := range p.nodes {
		var parts []string
		add := func(category, typ, id, config string) {
			parts = append(parts, fmt.Sprintf(`{"id":%q,"category":%q,"type":%q,"config":%s}`, id, category, typ, config))
		}
		config := fmt.Sprintf(`"next_node":%q`, p.id(n.to))
		switch n.typ {
		case "STEP":
			for _, id := range n.asks {
				add("FIELD", "TEXT", id, "{}")
			}
			for j, ref := range n.refs {
				if references {
					add("BLOCK", "RICH_TEXT", fmt.Sprintf("text%d_%d", i, j), fmt.Sprintf(`{"content":"Hello %s"}`, ref.text()))
				}
			}
			for j, to := range n.jumps {
				add("BLOCK", "JUMP_BUTTON", fmt.Sprintf("jump%d_%d", i, j), fmt.Sprintf(`{"text":"Jump","next_node":%q}`, p.id(to)))
			}
			if n.previous {
				add("BLOCK", "PREVIOUS_BUTTON", fmt.Sprintf("back%d", i), `{"text":"Back"}`)
			}
			if n.next {
				add("BLOCK", "NEXT_BUTTON", fmt.Sprintf("next%d", i), `{"text":"Next"}`)
			}
			config += `,"components":[` + strings.Join(parts, ",") + `]`
		case "ROUTER":
			for j, to := range n.rules {
				condition := ""
				if references && j < len(n.refs) {
					condition = n.refs[j].condition()
				}
				parts = append(parts, fmt.Sprintf(`{"id":"r%d","next_node":%q%s}`, j, p.id(to), condition))
			}
			config = fmt.Sprintf(`"fallback":%q,"rules":[%s]`, p.id(n.to), strings.Join(parts, ","))
		}
		nodes = append(nodes, fmt.Sprintf(`{"id":%q,"type":%q,"config":{%s}}`, p.id(i), n.typ, config))
	}
	for _, key := range p.hidden {
		hidden = append(hidden, fmt.Sprintf(`{"key":%q}`, key))
	}
	// A step that nothing leads to has the button, so that no place collects it.
	nodes = append(nodes, `{"id":"aside","type":"STEP","config":{"components":[{"id":"button","category":"BLOCK","type":"NEXT_BUTTON"}]}}`)
	target := "https://example.com/"
	for _, ref := range p.ending {
		if references {
			target += ref.text()
		}
	}
	const text = `{"name":"plan","start":{"next_node":%q,"hidden_fields":[%s]},"nodes":[%s],"ending":{"redirection":{"target":%q}}}`
	return formtest.Parse(tb, fmt.Sprintf(text, p.id(p.start), strings.Join(hidden, ","), strings.Join(nodes, ","), target))
}

// place is the path of a reference, and where it is.
type planPlace struct {
	path  string
	place int
	planRef
}

// references lists all references in document order.
func (p plan) references() (refs []planPlace) {
	for i, n := range p.nodes {
		for j, ref := range n.refs {
			path := fmt.Sprintf("nodes[%d].config.components[%d].config.content", i, len(n.asks)+j)
			if n.typ == "ROUTER" {
				path = fmt.Sprintf("nodes[%d].config.rules[%d].condition.operands[0].operands[0]", i, j)
			}
			refs = append(refs, planPlace{path, i, ref})
		}
	}
	for _, ref := range p.ending {
		refs = append(refs, planPlace{"ending.redirection.target", len(p.nodes), ref})
	}
	return refs
}

// walk is a path that the oracle follows: where it is, the steps to which previous buttons lead back, and what it has collected.
type walk struct {
	place     int // -1 for the start
	back      string
	sure, may uint16 // by planNames
}

// seen is what the oracle's paths show about each place.
type seen struct {
	whole     bool // whether all paths were followed
	distance  []map[string]int
	miss, may []uint16
}

// explore enumerates the paths, the shortest first: it follows every way and every previous button, and forgets a path only if another one
// has come to the same place with the same steps behind it and the same fields. It gives up after so many.
func (p plan) explore(most int) seen {
	n := len(p.nodes)
	s := seen{whole: true, distance: make([]map[string]int, n+1), miss: make([]uint16, n+1), may: make([]uint16, n+1)}
	for i := range s.distance {
		s.distance[i] = map[string]int{}
	}
	bits := func(names []string) (set uint16) {
		for _, name := range names {
			set |= 1 << slices.Index(planNames, name)
		}
		return set
	}
	steps := 0
	backs := false
	for _, at := range p.nodes {
		if at.typ == "STEP" {
			steps++
		}
		backs = backs || at.previous
	}
	hidden := bits(p.hidden)
	done := map[walk]bool{}
	level := []walk{{place: p.start, sure: hidden, may: hidden}}
	for length := 2; len(level) > 0; length++ {
		var next []walk
		for _, w := range level {
			if w.place == nowhere || done[w] {
				continue
			}
			if done[w] = true; len(done) > most {
				s.whole = false
				return s
			}
			s.miss[w.place] |= ^w.sure
			s.may[w.place] |= w.may
			for i, name := range planNames {
				if _, known := s.distance[w.place][name]; !known && w.sure>>i&1 == 0 {
					s.distance[w.place][name] = length
				}
			}
			if w.place == n {
				continue
			}
			at := p.nodes[w.place]
			leave := func(to int, back string, sure, may uint16) { next = append(next, walk{to, back, sure, may}) }
			if at.typ != "STEP" {
				for _, to := range append([]int{at.to}, at.rules...) {
					leave(to, w.back, w.sure, w.may)
				}
				continue
			}
			own := bits(at.asks)
			behind := w.back
			if backs && len(behind) <= 3*steps { // more steps behind lead to nothing new
				behind += string(rune('0' + w.place))
			} else if backs {
				continue
			}
			if at.next {
				leave(at.to, behind, w.sure|own, w.may|own)
			}
			for _, to := range at.jumps {
				leave(to, behind, w.sure, w.may|own)
			}
			if last := len(w.back) - 1; at.previous && last >= 0 {
				leave(int(w.back[last]-'0'), w.back[:last], w.sure, w.may|own)
			}
		}
		level = next
	}
	return s
}

// demonstrates reports why a journey does not show that a field is missing at a place, "" if it does.
func (p plan) demonstrates(journey []string, name string, place int) string {
	if len(journey) < 2 || journey[0] != model.StartID || journey[1] != p.id(p.start) {
		return "it does not begin at the start"
	}
	at := p.start
	for _, id := range journey[2:] {
		n := p.nodes[at]
		var ways []int
		switch {
		case n.typ != "STEP":
			ways = append(ways, n.to)
		case n.next && !slices.Contains(n.asks, name):
			ways = append(ways, n.to)
		}
		ways = append(append(ways, n.rules...), n.jumps...)
		i := slices.IndexFunc(ways, func(to int) bool { return to != nowhere && p.id(to) == id })
		if i < 0 {
			return "no way leads from " + p.id(at) + " to " + id + " without " + name
		}
		at = ways[i]
		if at == len(p.nodes) && journey[len(journey)-1] != id {
			return "it continues after the ending"
		}
	}
	if at != place {
		return "it ends at " + p.id(at)
	}
	if slices.Contains(p.hidden, name) {
		return name + " is a hidden field"
	}
	return ""
}
