package run

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// Event is something that happens to a run: Fill, Press, Result, Failure, Choose, Wait or Speak.
type Event interface {
	// apply makes the next moment, or returns an error.
	apply(next turn) error
}

// Fill changes what the controls of the step contain, by the id of the component. nil empties a control.
type Fill struct{ Answers map[string]any }

// Press presses a button of the step after its controls are filled: a next, previous, jump or resend button, or a component that
// continues by itself. A next button is refused if an answer is not accepted; see Run.Refusals.
type Press struct {
	Button  string
	Answers map[string]any
}

// Result is the success of the flow that runs. The values become variables.
type Result struct{ Values *schema.Object }

// Failure is the failure of the flow that runs. The run stops.
type Failure struct{ Detail string }

// Choose takes one of the ways from a router with a condition that cannot be judged.
type Choose struct{ Port model.Port }

// Wait lets the time pass that resend buttons of the step ask for.
type Wait struct{}

// Speak changes the language of the run.
type Speak struct{ Language string }

// Reasons why an event does not apply.
var (
	ErrState     = errors.New("the run does not wait for this")
	ErrComponent = errors.New("the step has no such component")
	ErrButton    = errors.New("this is not a button")
	ErrNoStep    = errors.New("there is no step to go back to")
	ErrWaiting   = errors.New("the button cannot be pressed yet")
	ErrAttempts  = errors.New("the button cannot be pressed more often")
	ErrChoice    = errors.New("the router cannot take this way")
)

// Do returns the moment after an event. If the event does not apply, it returns r and an error that wraps one of the above. The run
// keeps the event and what it contains, which must not be changed later. The time and memory of an event depend on the form and on
// the answers, not on the events before.
func (r *Run) Do(e Event) (*Run, error) {
	next := turn{new(*r)}
	next.past = past{before: r, event: e, events: r.past.events + 1, ways: r.past.ways}
	next.now = r.input.now()
	if err := e.apply(next); err != nil {
		return r, err
	}
	return next.Run, nil
}

func (e Fill) apply(t turn) error {
	if t.at.state != Asking {
		return fmt.Errorf("fill in: %w", ErrState)
	}
	return t.fill(e.Answers)
}

// fill changes the content of controls. Only those that change lose their refusal.
func (t turn) fill(answers map[string]any) error {
	if len(answers) == 0 {
		return nil
	}
	given := t.data.given
	changed := make(map[string]bool, len(answers))
	if step := t.program.step(t.at.node); step != nil {
		for _, c := range step.Components {
			if v, ok := answers[c.ID]; ok && c.ID != "" {
				changed[c.ID] = !schema.Equal(given[c.ID], v)
			}
		}
	}
	for id := range answers {
		if _, known := changed[id]; !known {
			return fmt.Errorf("component %q of step %q: %w", id, t.at.node, ErrComponent)
		}
	}
	t.data.given = maps.Clone(given)
	maps.Copy(t.data.given, answers)
	var refusals []answer.Refusal
	for _, refusal := range t.at.refusals {
		if !changed[refusal.Component] {
			refusals = append(refusals, refusal)
		}
	}
	t.at.refusals = refusals
	return nil
}

func (e Press) apply(t turn) error {
	if t.at.state != Asking {
		return fmt.Errorf("press %q: %w", e.Button, ErrState)
	}
	step := t.program.step(t.at.node)
	c := component(step, e.Button)
	if c == nil {
		return fmt.Errorf("button %q of step %q: %w", e.Button, t.at.node, ErrComponent)
	}
	if err := t.fill(e.Answers); err != nil {
		return err
	}
	switch PressOf(c) {
	case PressNext:
		t.next(step)
	case PressJump:
		t.jump(c)
	case PressPrevious:
		return t.previous()
	case PressResend:
		return t.resend(c)
	case NoPress:
		return fmt.Errorf("component %q of step %q: %w", e.Button, t.at.node, ErrButton)
	}
	return nil
}

func (e Result) apply(t turn) error {
	if t.at.state != Flowing {
		return fmt.Errorf("result of a flow: %w", ErrState)
	}
	vars := t.data.vars
	for _, m := range e.Values.Members() {
		vars = vars.With(m.Key, m.Value)
	}
	t.data.vars = vars
	if t.at.resend != "" {
		t.at.resend, t.at.state = "", Asking
		return nil
	}
	flow, _ := t.program.Node(t.at.node).Config.(*model.Flow)
	t.follow(Hop{From: t.at.node, Port: model.NextPort, To: string(flow.Next)})
	return nil
}

func (e Failure) apply(t turn) error {
	if t.at.state != Flowing {
		return fmt.Errorf("failure of a flow: %w", ErrState)
	}
	detail := "the flow failed"
	if e.Detail != "" {
		detail += ": " + e.Detail
	}
	t.halt(t.at.node, detail)
	return nil
}

func (e Choose) apply(t turn) error {
	if t.at.state != Routing {
		return fmt.Errorf("choose %s: %w", e.Port, ErrState)
	}
	if !slices.Contains(t.at.choices, e.Port) {
		return fmt.Errorf("choose %s at router %q: %w", e.Port, t.at.node, ErrChoice)
	}
	router, _ := t.program.Node(t.at.node).Config.(*model.Router)
	t.follow(Hop{From: t.at.node, Port: e.Port, To: string(targetOf(router, e.Port))})
	return nil
}

func (Wait) apply(t turn) error { //nolint:unparam // an Event
	resends := map[string]resend{}
	for id, of := range t.resends {
		of.waiting = false
		resends[id] = of
	}
	t.resends = resends
	return nil
}

func (e Speak) apply(t turn) error { //nolint:unparam // an Event
	t.texts = answer.In(t.program.form, e.Language)
	t.at.refusals = t.judgedAgain()
	return nil
}
