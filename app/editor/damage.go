package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// Damage counts what a change breaks in the rest of a form. The zero value is none.
type Damage struct {
	Unreachable int // nodes that no journey reaches any more
	DeadEnds    int // ways that lead nowhere now
	References  int // templates that read a field that is gone
}

// Damage returns what a command would break now. A refused command breaks nothing.
func (e *Editor) Damage(c Command) (d Damage) {
	next, err := c.Do(e.state)
	if err != nil {
		return d
	}
	was, now := e.state.Form, next.Form
	lost, ended := proved(was, e.Found().Warnings())
	left, ends := proved(now, flow.Warnings(now))
	for key := range left {
		if !lost[key] {
			d.Unreachable++
		}
	}
	d.DeadEnds = max(0, ends-ended)
	gone := componentIDs(was)
	for id := range componentIDs(now) {
		delete(gone, id)
	}
	if len(gone) > 0 {
		for _, r := range flow.References(now) {
			if gone[r.ID] {
				d.References++
			}
		}
	}
	return d
}

// proved returns the keys of the nodes that no journey reaches and the number of ways on which a journey leads nowhere, by the warnings about a
// form.
func proved(f *model.Form, warnings schema.Problems) (unreachable map[string]bool, deadEnds int) {
	keys := f.Keys()
	unreachable = map[string]bool{}
	for _, w := range warnings {
		switch w.Code { //nolint:exhaustive // the others say nothing about ways
		case schema.CodeUnreachable:
			unreachable[keys[model.PlaceOf(w.Path).Node]] = true
		case schema.CodeDeadEnd:
			deadEnds++
		}
	}
	return unreachable, deadEnds
}
