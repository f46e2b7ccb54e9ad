package run

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
)

// Edited returns the run on another version of its form: at the same node with the same answers if the form still has that node with
// its type, and otherwise at the last moment for which this holds, or at the beginning. The second result reports whether the run is
// still where it was. Earlier moments belong to the version in which they happened.
func (r *Run) Edited(p *Program) (*Run, bool) {
	for m := r; m != nil; m = m.past.before {
		if next := m.moved(p); next != nil {
			return next, m == r
		}
	}
	return p.Begin(*r.input), false
}

// moved returns the moment on another version of the form, nil if it cannot be there.
func (r *Run) moved(p *Program) *Run {
	next := turn{new(*r)}
	next.program = p
	next.texts = answer.In(p.form, append([]string{r.texts.Language()}, r.input.Languages...)...)
	if r.at.state == Ended {
		return next.Run
	}
	before, now := r.program.Node(r.at.node), p.Node(r.at.node)
	if r.at.state == Stopped || before == nil || now == nil || before.Type != now.Type {
		return nil
	}
	switch config := now.Config.(type) {
	case *model.Step:
		if r.at.resend != "" {
			if component(config, r.at.resend) == nil {
				return nil
			}
			break
		}
		next.ask(config)
		next.at.refusals = next.judgedAgain()
	case *model.Flow:
	case *model.Router:
		// The last hop is the judgement, and the one before it leads here. The router judges again.
		hops, here := r.past.hops[:len(r.past.hops)-2], r.past.hops[len(r.past.hops)-2]
		next.past.hops = slices.Clone(hops)
		next.past.ways -= 2
		next.follow(here)
	}
	return next.Run
}

// Replay begins a run and repeats events. It returns the moment before the first event that does not apply, and that event's error.
func (p *Program) Replay(in Input, events []Event) (*Run, error) {
	r := p.Begin(in)
	for _, e := range events {
		var err error
		if r, err = r.Do(e); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Events returns the events of the run up to r, in order.
func (r *Run) Events() []Event {
	var events []Event
	for _, m := range r.Moments()[1:] {
		events = append(events, m.past.event)
	}
	return events
}
