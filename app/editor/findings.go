package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// findings are the problems and warnings of the form under edit.
type findings struct {
	checker  model.Checker
	problems schema.Problems
	prover   flow.Prover
	warned   *model.Form // the form that warnings are about
	warnings schema.Problems
}

// check finds the problems of a state.
func (f *findings) check(s State) {
	f.problems = f.checker.Check(s.Form)
	if len(s.Pending) > 0 {
		f.problems = append(f.problems, s.pendingProblems()...)
		schema.Sort(s.Form.Tree(), f.problems)
	}
}

func (f *findings) warningsOf(form *model.Form) schema.Problems {
	if form != f.warned {
		f.warned, f.warnings = form, f.prover.Warnings(form)
	}
	return f.warnings
}
