package explore

import (
	"math/bits"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/schema"
)

// free is the need of a variable that may have any value.
const free = ^set(0)

// values are the candidates that a journey needs, by variable, at the start or at a step of the journey.
type values map[int]int

// chosen chooses the values with which a journey is taken: those to start with, and those of each step that sets variables.
func (w *world) chosen(journey []step) (start values, at []values) {
	needs := make([]set, len(w.vars.list))
	for i := range needs {
		needs[i] = free
	}
	at = make([]values, len(journey))
	for i := len(journey) - 1; i >= 0; i-- {
		of := journey[i]
		switch place := &w.places[of.at]; {
		case of.kind == judge || place.router != nil:
			for j, v := range of.box.vars {
				needs[v] &= of.box.sets[j]
			}
		case place.flow || of.kind == resend:
			at[i] = w.result(needs)
		default:
			at[i] = values{}
			for j, v := range of.box.vars {
				at[i][v] = one(of.box.sets[j] & needs[v])
				needs[v] = free
			}
		}
	}
	start = values{}
	for v, need := range needs {
		if of := w.vars.list[v]; need != free && (of.namespace != fields || of.hidden != nil) {
			start[v] = one(need & of.all())
		}
	}
	return start, at
}

// result chooses what a flow returns: the variables that must have a value. One that must not have any is left as it was.
func (w *world) result(needs []set) values {
	chosen := values{}
	for i, v := range w.vars.list {
		if v.namespace != vars || needs[i] == free {
			continue
		}
		if can := needs[i] & v.defined(); can != 0 {
			chosen[i], needs[i] = one(can), free
		}
	}
	return chosen
}

// one returns the first candidate of a set.
func one(s set) int { return bits.TrailingZeros64(uint64(s)) }

// realize returns a run that takes a journey, as far as it can be taken, and what it started with.
func (w *world) realize(journey []step) (run.Input, *run.Run) {
	start, at := w.chosen(journey)
	in := run.Input{Context: w.object(context, start), Vars: w.object(vars, start), Hidden: w.object(fields, start)}
	r := w.program.Begin(in)
	for i, of := range journey {
		for _, e := range w.events(r, of, at[i]) {
			next, err := r.Do(e)
			if err != nil || len(next.Refusals()) > 0 {
				return in, r
			}
			r = next
		}
	}
	return in, r
}

// events returns what happens at a step of a journey.
func (w *world) events(r *run.Run, of step, chosen values) []run.Event {
	place := &w.places[of.at]
	switch {
	case of.kind == judge:
		return nil // nothing happens in this form
	case of.kind == resend:
		return []run.Event{run.Wait{}, run.Press{Button: place.resend.ID}, run.Result{Values: w.object(vars, chosen)}}
	case place.flow:
		return []run.Event{run.Result{Values: w.object(vars, chosen)}}
	case place.router != nil && of.box.asks:
		return []run.Event{run.Choose{Port: place.ways[of.way].port}}
	case place.router != nil:
		return nil
	}
	way := place.ways[of.way]
	answers := map[string]any{}
	if way.checked {
		config, _ := place.node.Config.(*model.Step)
		answers, _ = filled(r, config)
	}
	for v, i := range chosen {
		of := w.vars.list[v]
		if !place.sets(v) {
			continue // only the other form asks for it here
		}
		if given := of.domain[i].given; schema.Equal(r.Given(of.key), given) {
			delete(answers, of.key)
		} else {
			answers[of.key] = given
		}
	}
	return []run.Event{run.Press{Button: way.button.ID, Answers: answers}}
}

// object returns the chosen values of a namespace that are defined, nil for none.
func (w *world) object(namespace string, chosen values) *schema.Object {
	var members []schema.Member
	for i, v := range w.vars.list {
		if c, ok := chosen[i]; ok && v.namespace == namespace && v.domain[c].defined {
			members = append(members, schema.Member{Key: v.key, Value: v.domain[c].given})
		}
	}
	if members == nil {
		return nil
	}
	return schema.NewObject(members...)
}
