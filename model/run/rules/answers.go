package rules

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/template"
)

// answers knows the fields that can only have accepted answers at a router.
type answers struct {
	fields map[string]asked    // by their id
	into   map[string][]string // the nodes from which pointers lead to each node
	out    map[string][]string
}

// asked is what asks for a field.
type asked struct {
	component *model.Component
	step      *exits
	several   bool // components, or a hidden field too
}

// exits are the buttons of a step that do not check answers.
type exits struct {
	id    string   // of the step
	jumps []string // the nodes to which they lead
	back  bool     // one leads to a step before
}

func newAnswers(f *model.Form) *answers {
	a := &answers{fields: map[string]asked{}, into: map[string][]string{}, out: map[string][]string{}}
	for _, e := range f.Edges() {
		a.out[e.From] = append(a.out[e.From], string(e.To))
		a.into[string(e.To)] = append(a.into[string(e.To)], e.From)
	}
	for _, n := range f.Nodes {
		step, ok := n.Config.(*model.Step)
		if !ok {
			continue
		}
		out := &exits{id: n.ID}
		for _, c := range step.Components {
			out.add(c)
			if c.ID != "" && answertype.Of(c) != answertype.None {
				_, known := a.fields[c.ID]
				a.fields[c.ID] = asked{c, out, known}
			}
		}
	}
	for _, h := range f.Start.Hidden {
		a.fields[h.Key] = asked{several: true}
	}
	return a
}

// of returns the component of a field that has an answer that the component accepts, or none, whenever a run is at the router. It returns
// nil for any other variable, and if nothing is known about the answers of the component.
func (a *answers) of(v template.Variable, router string, w *work) *model.Component {
	if v.Namespace != "fields" || len(v.Path) != 1 {
		return nil
	}
	by, ok := a.fields[v.Path[0].Key]
	if !ok || by.several {
		return nil
	}
	unchecked := by.step.jumps
	if by.step.back {
		unchecked = slices.Clone(unchecked)
		for n := range reached([]string{by.step.id}, a.into, "", w) {
			unchecked = append(unchecked, n)
		}
	}
	// Without work, the list is not complete.
	if at := reached(unchecked, a.out, by.step.id, w); w.over() || at[router] {
		return nil
	}
	switch answertype.Of(by.component) {
	case answertype.Boolean, answertype.Number, answertype.Text, answertype.Date, answertype.Time, answertype.Option, answertype.Options:
		return by.component
	default:
		return nil
	}
}

// add adds what a component does.
func (x *exits) add(c *model.Component) {
	switch run.PressOf(c) {
	case run.PressJump:
		leads, _ := c.Config().Get(c.Kind.Leads())
		target, _ := leads.(string)
		x.jumps = append(x.jumps, target)
	case run.PressPrevious:
		x.back = true
	case run.NoPress, run.PressNext, run.PressResend:
	}
}

// reached returns the nodes that can be reached, the first ones included. It does not go on from stop.
func reached(from []string, next map[string][]string, stop string, w *work) map[string]bool {
	seen := map[string]bool{}
	var list []string
	add := func(nodes []string) {
		for _, n := range nodes {
			if !seen[n] {
				seen[n] = true
				list = append(list, n)
			}
		}
	}
	if w.spend(len(from)) {
		add(from)
	}
	for i := 0; i < len(list) && w.spend(20+len(next[list[i]])); i++ {
		if list[i] != stop || stop == "" {
			add(next[list[i]])
		}
	}
	return seen
}
