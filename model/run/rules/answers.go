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
	form   *model.Form
	router string
	into   map[string][]string // the nodes from which pointers lead to each node
	out    map[string][]string
}

func newAnswers(f *model.Form, node int) *answers {
	a := &answers{form: f, router: f.Nodes[node].ID, into: map[string][]string{}, out: map[string][]string{}}
	for _, e := range f.Edges() {
		a.out[e.From] = append(a.out[e.From], string(e.To))
		a.into[string(e.To)] = append(a.into[string(e.To)], e.From)
	}
	return a
}

// of returns the component of a field that has an answer that the component accepts, or none, whenever a run is at the router. It returns
// nil for any other variable, and if nothing is known about the answers of the component.
func (a *answers) of(v template.Variable) *model.Component {
	if v.Namespace != "fields" || len(v.Path) != 1 {
		return nil
	}
	id := v.Path[0].Key
	if id == "" || slices.ContainsFunc(a.form.Start.Hidden, func(h model.HiddenField) bool { return h.Key == id }) {
		return nil
	}
	var found *model.Component
	asks := map[string]bool{} // the steps
	var unchecked []string
	for _, n := range a.form.Nodes {
		step, ok := n.Config.(*model.Step)
		if !ok {
			continue
		}
		for _, c := range step.Components {
			if c.ID != id || answertype.Of(c) == answertype.None {
				continue
			}
			if found != nil {
				return nil
			}
			found, asks[n.ID] = c, true
			unchecked = a.unchecked(n.ID, step)
		}
	}
	if found == nil || a.reaches(unchecked, asks) {
		return nil
	}
	switch answertype.Of(found) {
	case answertype.Boolean, answertype.Number, answertype.Text, answertype.Date, answertype.Time, answertype.Option, answertype.Options:
		return found
	default:
		return nil
	}
}

// unchecked returns the nodes to which the buttons of a step lead that do not check answers. A previous button leads to a step before.
func (a *answers) unchecked(id string, step *model.Step) []string {
	var to []string
	for _, c := range step.Components {
		switch run.PressOf(c) {
		case run.PressJump:
			leads, _ := c.Config().Get(c.Kind.Leads())
			target, _ := leads.(string)
			to = append(to, target)
		case run.PressPrevious:
			to = append(to, reached([]string{id}, a.into, nil)...)
		case run.NoPress, run.PressNext, run.PressResend:
		}
	}
	return to
}

// reaches reports whether ways lead to the router that do not leave a step which asks for the field again.
func (a *answers) reaches(from []string, asks map[string]bool) bool {
	return slices.Contains(reached(from, a.out, asks), a.router)
}

// reached returns the nodes that can be reached, the first ones included. It does not go on from some.
func reached(from []string, next map[string][]string, stop map[string]bool) []string {
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
	add(from)
	for i := 0; i < len(list); i++ {
		if !stop[list[i]] {
			add(next[list[i]])
		}
	}
	return list
}
