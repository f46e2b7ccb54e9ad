package scenario

import (
	"context"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answertype"
)

// Outcome is the result of a replay.
type Outcome struct {
	Run *run.Run // at the moment where the replay ended
	// Missing names what the scenario uses and the form does not have, as in `there is no node "a"`. "" for nothing.
	Missing string
	// Reason says why the replay ended before the ending.
	Reason string
}

// Path returns the nodes that were visited.
func (o Outcome) Path() []string { return o.Run.Path() }

// Same reports whether the scenario took the expected path, and the form has everything that it names.
func (o Outcome) Same(s *Scenario) bool { return o.Missing == "" && slices.Equal(o.Path(), s.Expect) }

// Replay runs a scenario. It ends at the ending, where the run stops, where an answer is refused, at a step for another node, and after
// the last step. The clock stands still at run.Epoch, and the random numbers are always the same.
func Replay(p *run.Program, s *Scenario) Outcome {
	o, _ := ReplayUntil(context.Background(), p, s)
	return o
}

// ReplayUntil is Replay, but ends between two steps once the context is done. An error is that of the context.
func ReplayUntil(ctx context.Context, p *run.Program, s *Scenario) (Outcome, error) {
	o := Outcome{Run: p.Begin(s.input())}
	o.Missing = missing(p.Form(), s)
	for i := range s.Steps {
		if err := ctx.Err(); err != nil {
			return o, err
		}
		if !o.step(i, &s.Steps[i]) {
			return o, nil
		}
	}
	switch state := o.Run.State(); state {
	case run.Ended:
	case run.Stopped:
		o.Reason = o.Run.Reason()
	default:
		o.Reason = fmt.Sprintf("there is no further step, and the run is at %q", o.Run.Node())
	}
	return o, nil
}

// input returns what a run of the scenario begins with.
func (s *Scenario) input() run.Input {
	in := run.Input{Context: s.Context, Hidden: s.Hidden, Vars: s.Vars}
	if s.Language != "" {
		in.Languages = []string{s.Language}
	}
	return in
}

// step makes the i-th step, and reports whether another may follow. If the run has ended before, it does nothing.
func (o *Outcome) step(i int, step *Step) (more bool) {
	if o.Reason = o.Run.Reason(); o.Reason != "" {
		return false
	}
	if o.Run.State() == run.Ended {
		return false
	}
	if at := o.Run.Node(); step.Node != at {
		o.Reason = fmt.Sprintf("steps[%d] is for %q, but the run is at %q", i, step.Node, at)
		return false
	}
	for _, e := range step.events(o.Run.State() == run.Asking) {
		var err error
		if o.Run, err = o.Run.Do(e); err != nil {
			o.Reason = fmt.Sprintf("steps[%d]: %v", i, err)
			return false
		}
	}
	if refused := o.Run.Refusals(); len(refused) > 0 {
		o.Reason = fmt.Sprintf("steps[%d]: the answer of %q is refused: %s", i, refused[0].Component, refused[0].Text)
		return false
	}
	return true
}

// events returns what a step does. Before a press at a step, the time passes that a resend button may ask for.
func (s Step) events(asking bool) []run.Event {
	switch {
	case s.Result != nil:
		return []run.Event{run.Result{Values: s.Result}}
	case s.Error != nil:
		return []run.Event{run.Failure{Detail: *s.Error}}
	case s.Choose != "":
		return []run.Event{run.Choose{Port: model.Port(s.Choose)}}
	}
	answers := make(map[string]any, s.Answers.Len())
	for _, m := range s.Answers.Members() {
		answers[m.Key] = m.Value
	}
	switch {
	case s.Press == "":
		return []run.Event{run.Fill{Answers: answers}}
	case asking:
		return []run.Event{run.Wait{}, run.Press{Button: s.Press, Answers: answers}}
	}
	return []run.Event{run.Press{Button: s.Press, Answers: answers}}
}

// missing names the first thing that a scenario uses and the form does not have, even if the run does not get there.
func missing(f *model.Form, s *Scenario) string {
	for _, m := range s.Hidden.Members() {
		c, _, _ := f.Component(m.Key)
		hidden := slices.ContainsFunc(f.Start.Hidden, func(h model.HiddenField) bool { return h.Key == m.Key })
		if !hidden && (c == nil || answertype.Of(c) == answertype.None) {
			return fmt.Sprintf("hidden_fields: there is no field %q", m.Key)
		}
	}
	for i, step := range s.Steps {
		n, _ := f.Node(step.Node)
		if n == nil || n.ID != step.Node {
			return fmt.Sprintf("steps[%d]: there is no node %q", i, step.Node)
		}
		of, _ := n.Config.(*model.Step)
		component := func(id string) *model.Component {
			if of != nil {
				for _, c := range of.Components {
					if c.ID == id {
						return c
					}
				}
			}
			return nil
		}
		if c := component(step.Press); step.Press != "" && (c == nil || run.PressOf(c) == run.NoPress) {
			return fmt.Sprintf("steps[%d]: node %q has no button %q", i, step.Node, step.Press)
		}
		for _, m := range step.Answers.Members() {
			if c := component(m.Key); c == nil || answertype.Of(c) == answertype.None {
				return fmt.Sprintf("steps[%d]: node %q has no field %q", i, step.Node, m.Key)
			}
		}
		if _, ok := f.OutOf(step.Node, model.Port(step.Choose)); step.Choose != "" && !ok {
			return fmt.Sprintf("steps[%d]: node %q has no way %q", i, step.Node, step.Choose)
		}
	}
	for i, id := range s.Expect {
		if n, _ := f.Node(id); id != model.EndingID && (n == nil || n.ID != id) {
			return fmt.Sprintf("expect[%d]: there is no node %q", i, id)
		}
	}
	return ""
}

// Edge names a way out of a node.
type Edge struct {
	From string
	Port model.Port
}

// String returns the name of the edge, as in $start:next and in the attribute data-edge.
func (e Edge) String() string { return e.From + ":" + string(e.Port) }

// Edges returns the ways that a run took, in order and without repetitions.
func Edges(r *run.Run) []Edge {
	var edges []Edge
	seen := map[Edge]bool{}
	for _, m := range r.Moments() {
		for _, h := range m.Hops() {
			e := Edge{h.From, h.Port}
			if h.To != "" && h.Port != "" && !seen[e] {
				seen[e] = true
				edges = append(edges, e)
			}
		}
	}
	return edges
}
