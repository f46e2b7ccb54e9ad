package explore

import (
	"math/bits"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// free is the need of a variable that may have any value.
const free = ^set(0)

// values are the candidates that a journey needs, by variable, at the start or at a step of the journey.
type values map[int]int

// chosen chooses the values with which a journey is taken: those to start with, and those of each step that sets variables.
func (s *search) chosen(journey []step) (start values, at []values) {
	needs := make([]set, len(s.w.vars.list))
	for i := range needs {
		needs[i] = free
	}
	at = make([]values, len(journey))
	for i := len(journey) - 1; i >= 0; i-- {
		of, m := s.states[journey[i].from], journey[i].move
		place := &s.w.places[of.at]
		switch {
		case place.router != nil:
			for j, v := range place.router.reads {
				needs[v] &= m.box.sets[j]
			}
		case place.flow || m.kind == resend:
			at[i] = s.result(needs)
		default:
			at[i] = values{}
			for _, v := range place.asks {
				allowed := s.w.vars.list[v].all()
				if place.ways[m.way].checked {
					allowed = s.w.vars.list[v].values(accepted)
				}
				at[i][v] = one(allowed & needs[v])
				needs[v] = free
			}
		}
	}
	start = values{}
	for v, need := range needs {
		if of := s.w.vars.list[v]; need != free && (of.namespace != fields || of.hidden != nil) {
			start[v] = one(need & of.all())
		}
	}
	return start, at
}

// result chooses what a flow returns: the variables that must have a value. One that must not have any is left as it was.
func (s *search) result(needs []set) values {
	chosen := values{}
	for i, v := range s.w.vars.list {
		if v.namespace != vars || needs[i] == free {
			continue
		}
		if can := needs[i] & v.values(defined); can != 0 {
			chosen[i], needs[i] = one(can), free
		}
	}
	return chosen
}

// one returns the first candidate of a set.
func one(s set) int { return bits.TrailingZeros64(uint64(s)) }

// realize returns a scenario that takes a journey, and the edges that it really takes.
func (s *search) realize(journey []step) (scenario.Scenario, *run.Run) {
	start, at := s.chosen(journey)
	in := run.Input{Context: s.object(context, start), Vars: s.object(vars, start), Hidden: s.object(fields, start)}
	r := s.w.program.Begin(in)
	for i, of := range journey {
		for _, e := range s.events(r, of, at[i]) {
			next, err := r.Do(e)
			if err != nil || len(next.Refusals()) > 0 {
				return scenario.Record("", in, r), r
			}
			r = next
		}
	}
	return scenario.Record("", in, r), r
}

// events returns what happens at a step of a journey.
func (s *search) events(r *run.Run, of step, chosen values) []run.Event {
	place := &s.w.places[s.states[of.from].at]
	switch {
	case of.move.kind == resend:
		return []run.Event{run.Wait{}, run.Press{Button: place.resend.ID}, run.Result{Values: s.object(vars, chosen)}}
	case place.flow:
		return []run.Event{run.Result{Values: s.object(vars, chosen)}}
	case place.router != nil && of.move.box.asks:
		return []run.Event{run.Choose{Port: place.ways[of.move.way].port}}
	case place.router != nil:
		return nil
	}
	way := place.ways[of.move.way]
	answers := map[string]any{}
	if way.checked {
		config, _ := place.node.Config.(*model.Step)
		answers, _ = filled(r, config)
	}
	for v, i := range chosen {
		of := s.w.vars.list[v]
		c := of.domain[i]
		if !c.defined {
			c.given = nil
		}
		if schema.Equal(r.Given(of.key), c.given) {
			delete(answers, of.key)
			continue
		}
		answers[of.key] = c.given
	}
	return []run.Event{run.Press{Button: way.button.ID, Answers: answers}}
}

// object returns the chosen values of a namespace that are defined, nil for none.
func (s *search) object(namespace string, chosen values) *schema.Object {
	var members []schema.Member
	for i, v := range s.w.vars.list {
		if c, ok := chosen[i]; ok && v.namespace == namespace && v.domain[c].defined {
			members = append(members, schema.Member{Key: v.key, Value: v.domain[c].value})
		}
	}
	if members == nil {
		return nil
	}
	return schema.NewObject(members...)
}
