package run

import (
	"fmt"
	"maps"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/answertype"
)

// Pressing says what a press on a component does.
type Pressing int

// What a press can do.
const (
	NoPress       Pressing = iota // the component cannot be pressed
	PressNext                     // continues, if the answers are accepted
	PressJump                     // goes where the component points
	PressPrevious                 // goes back to the previous step
	PressResend                   // runs a flow
)

// PressOf returns what a press on a component does. A component that may continue without being pressed continues when it is, and so
// does one of an unknown type, as flow.Prove assumes.
func PressOf(c *model.Component) Pressing {
	switch {
	case c.Kind == nil:
		return PressNext
	case c.Kind.Leads() != "":
		return PressJump
	case c.Kind.Exit != model.NoExit:
		return PressNext
	case c.GoesBack():
		return PressPrevious
	case c.Kind.Type == "RESEND_BUTTON":
		return PressResend
	}
	return NoPress
}

// next leaves a step if its answers are accepted.
func (t turn) next(step *model.Step) {
	fields := maps.Clone(t.data.fields)
	var refusals []answer.Refusal
	for _, c := range step.Components {
		if answertype.Of(c) == answertype.None {
			continue
		}
		v, refusal := answer.Judge(c, t.data.given[c.ID], t.texts)
		switch {
		case refusal != nil:
			refusals = append(refusals, *refusal)
		case v == nil:
			delete(fields, c.ID)
		default:
			fields[c.ID] = v
		}
	}
	t.at.refusals = refusals
	if len(refusals) > 0 {
		return
	}
	t.data.fields = fields
	t.leave(model.NextPort, step.Next)
}

// jump leaves a step by a component's own pointer, without checking the answers.
func (t turn) jump(c *model.Component) {
	to, _ := c.Config().Get(c.Kind.Leads())
	id, _ := to.(string)
	t.keep()
	t.leave(model.JumpPort(c.ID), model.Pointer(id))
}

func (t turn) leave(port model.Port, to model.Pointer) {
	t.at.back = &stop{t.at.node, t.at.back}
	t.follow(Hop{From: t.at.node, Port: port, To: string(to)})
}

// previous goes back to the step before. The answers are kept without being checked.
func (t turn) previous() error {
	back := t.at.back
	for back != nil && t.program.step(back.node) == nil { // the form was edited during the run
		back = back.under
	}
	if back == nil {
		return fmt.Errorf("step %q: %w", t.at.node, ErrNoStep)
	}
	t.keep()
	from := t.at.node
	t.at.back = back.under
	t.follow(Hop{From: from, To: back.node})
	return nil
}

// keep makes the content of the step's controls answers: judged ones where they are accepted, and others as they were given.
func (t turn) keep() {
	fields := maps.Clone(t.data.fields)
	for _, c := range t.program.step(t.at.node).Components {
		if answertype.Of(c) == answertype.None {
			continue
		}
		given := t.data.given[c.ID]
		v, refusal := answer.Judge(c, given, nil)
		if refusal != nil {
			v = given
		}
		if v == nil || v == "" {
			delete(fields, c.ID)
			continue
		}
		fields[c.ID] = v
	}
	t.data.fields = fields
}

// waitingTime is the property of a resend button with the seconds between two attempts.
const waitingTime = "waiting_time"

// resend runs the flow of a resend button. The step stays on the screen.
func (t turn) resend(c *model.Component) error {
	waiting, spent := t.resending(c)
	switch {
	case waiting:
		return fmt.Errorf("button %q: %w", c.ID, ErrWaiting)
	case spent:
		return fmt.Errorf("button %q: %w", c.ID, ErrAttempts)
	}
	t.resends = with(t.resends, c.ID, resend{t.resends[c.ID].attempts + 1, c.Config().Has(waitingTime)})
	t.at.state, t.at.resend = Flowing, c.ID
	return nil
}

// resending reports whether a resend button has to wait, and whether it has no attempts left. Both are false for other components.
func (r *Run) resending(c *model.Component) (waiting, spent bool) {
	of := r.resends[c.ID]
	most, limited := c.Config().Int("max_attempts")
	return of.waiting, limited && of.attempts >= most
}

// judgedAgain returns the refusals in the language of the run.
func (r *Run) judgedAgain() []answer.Refusal {
	step := r.program.step(r.at.node)
	if step == nil || len(r.at.refusals) == 0 {
		return nil
	}
	components := make(map[string]*model.Component, len(step.Components))
	for _, c := range slices.Backward(step.Components) { // of several with one id, the first counts
		components[c.ID] = c
	}
	var refusals []answer.Refusal
	for _, old := range r.at.refusals {
		c := components[old.Component]
		if c == nil {
			continue
		}
		if _, refusal := answer.Judge(c, r.data.given[c.ID], r.texts); refusal != nil {
			refusals = append(refusals, *refusal)
		}
	}
	return refusals
}

// with returns a copy of a map with a value for a key.
func with[V any](m map[string]V, key string, v V) map[string]V {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]V{}
	}
	m[key] = v
	return m
}
