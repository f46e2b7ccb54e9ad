package editor

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// findings are the problems and warnings of the form under edit.
type findings struct {
	remote   bool // see Config
	checker  model.Checker
	problems schema.Problems
	foreign  schema.Problems // what only the tenant's tables know
	prover   flow.Prover
	warned   *model.Form // the form that warnings are about
	warnings schema.Problems
	heritage heritage
}

// check finds the problems of a state.
func (f *findings) check(s State) {
	f.heritage.parted = false
	if f.remote {
		f.problems, f.foreign = f.checker.CheckForeign(s.Form)
	} else {
		f.problems = f.checker.Check(s.Form)
	}
	if len(s.Pending) > 0 {
		f.problems = append(slices.Clip(f.problems), s.pendingProblems()...)
		schema.Sort(s.Form.Tree(), f.problems)
	}
}

func (f *findings) warningsOf(form *model.Form) schema.Problems {
	if form != f.warned {
		f.warned, f.warnings = form, f.prover.Warnings(form)
		if len(f.foreign) > 0 {
			f.warnings = slices.Concat(f.warnings, f.foreign)
			schema.Sort(form.Tree(), f.warnings)
		}
	}
	return f.warnings
}
