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
	// apply changes next, a copy of the run, or returns an error.
	apply(next *Run) error
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
	next := *r
	next.past = past{before: r, event: e, events: r.past.events + 1, ways: r.past.ways}
	next.now = r.input.now()
	if err := e.apply(&next); err != nil {
		return r, err
	}
	return &next, nil
}

func (e Fill) apply(r *Run) error {
	if r.at.state != Asking {
		return fmt.Errorf("fill in: %w", ErrState)
	}
	return r.fill(e.Answers)
}

// fill changes the content of controls. Only those that change lose their refusal.
func (r *Run) fill(answers map[string]any) error {
	if len(answers) == 0 {
		return nil
	}
	step := r.program.step(r.at.node)
	given := r.data.given
	changed := map[string]bool{}
	for id, v := range answers {
		if component(step, id) == nil {
			return fmt.Errorf("component %q of step %q: %w", id, r.at.node, ErrComponent)
		}
		changed[id] = !schema.Equal(given[id], v)
	}
	r.data.given = maps.Clone(given)
	maps.Copy(r.data.given, answers)
	var refusals []answer.Refusal
	for _, refusal := range r.at.refusals {
		if !changed[refusal.Component] {
			refusals = append(refusals, refusal)
		}
	}
	r.at.refusals = refusals
	return nil
}

func (e Press) apply(r *Run) error {
	if r.at.state != Asking {
		return fmt.Errorf("press %q: %w", e.Button, ErrState)
	}
	step := r.program.step(r.at.node)
	c := component(step, e.Button)
	if c == nil {
		return fmt.Errorf("button %q of step %q: %w", e.Button, r.at.node, ErrComponent)
	}
	if err := r.fill(e.Answers); err != nil {
		return err
	}
	switch PressOf(c) {
	case PressNext:
		r.next(step)
	case PressJump:
		r.jump(c)
	case PressPrevious:
		return r.previous()
	case PressResend:
		return r.resend(c)
	case NoPress:
		return fmt.Errorf("component %q of step %q: %w", e.Button, r.at.node, ErrButton)
	}
	return nil
}

func (e Result) apply(r *Run) error {
	if r.at.state != Flowing {
		return fmt.Errorf("result of a flow: %w", ErrState)
	}
	vars := r.data.vars
	for _, m := range e.Values.Members() {
		vars = vars.With(m.Key, m.Value)
	}
	r.data.vars = vars
	if r.at.resend != "" {
		r.at.resend, r.at.state = "", Asking
		return nil
	}
	flow, _ := r.program.Node(r.at.node).Config.(*model.Flow)
	r.follow(Hop{From: r.at.node, Port: model.NextPort, To: string(flow.Next)})
	return nil
}

func (e Failure) apply(r *Run) error {
	if r.at.state != Flowing {
		return fmt.Errorf("failure of a flow: %w", ErrState)
	}
	detail := "the flow failed"
	if e.Detail != "" {
		detail += ": " + e.Detail
	}
	r.halt(r.at.node, detail)
	return nil
}

func (e Choose) apply(r *Run) error {
	if r.at.state != Routing {
		return fmt.Errorf("choose %s: %w", e.Port, ErrState)
	}
	if !slices.Contains(r.at.choices, e.Port) {
		return fmt.Errorf("choose %s at router %q: %w", e.Port, r.at.node, ErrChoice)
	}
	router, _ := r.program.Node(r.at.node).Config.(*model.Router)
	r.follow(Hop{From: r.at.node, Port: e.Port, To: string(targetOf(router, e.Port))})
	return nil
}

func (Wait) apply(r *Run) error { //nolint:unparam // an Event
	resends := map[string]resend{}
	for id, of := range r.resends {
		of.waiting = false
		resends[id] = of
	}
	r.resends = resends
	return nil
}

func (e Speak) apply(r *Run) error { //nolint:unparam // an Event
	r.texts = answer.In(r.program.form, e.Language)
	r.at.refusals = r.judgedAgain()
	return nil
}
