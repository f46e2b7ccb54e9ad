package editor

import (
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// findings are the problems and warnings of the form under edit.
type findings struct {
	remote   bool        // see Config
	form     *model.Form // that was checked last
	checker  model.Checker
	problems schema.Problems
	foreign  schema.Problems // what only the tenant's tables know
	prover   flow.Prover
	about    *model.Form // the form that warnings are about
	warnings schema.Problems
	heritage heritage
}

// check finds the problems of a state.
func (f *findings) check(s State) {
	f.form, f.heritage.parted = s.Form, false
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

// warned returns the warnings about the form.
func (f *findings) warned() schema.Problems {
	if f.about != f.form {
		f.about, f.warnings = f.form, f.prover.Warnings(f.form)
		if len(f.foreign) > 0 {
			f.warnings = slices.Concat(f.warnings, oncePerName(f.foreign))
			schema.Sort(f.form.Tree(), f.warnings)
		}
	}
	return f.warnings
}

// Findings returns the findings about the form's graph, in document order. The caller must not change them.
func (e *Editor) Findings() []flow.Finding { return e.findings.prover.Prove(e.findings.form) }

// oncePerName returns the problems with a single one, which states the count, for all unknown properties of the same name. A
// tenant may add a property to every component, and its problems would hide all others.
func oncePerName(all schema.Problems) schema.Problems {
	var out schema.Problems
	first, more := map[string]int{}, map[int]int{}
	for _, p := range all {
		if name := p.Path[len(p.Path)-1].Key; p.Code == schema.CodeUnknown && name != "" {
			if i, ok := first[name]; ok {
				more[i]++
				continue
			}
			first[name] = len(out)
		}
		out = append(out, p)
	}
	for i, n := range more {
		places := " other places"
		if n == 1 {
			places = " other place"
		}
		out[i].Detail += ", here and in " + strconv.Itoa(n) + places
	}
	return out
}
