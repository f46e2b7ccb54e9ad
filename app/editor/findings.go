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

// Found returns what is wrong with the form under edit.
func (e *Editor) Found() Found { return Found{&e.findings, e.saved.form} }

// Found is what is wrong with a form, until it is edited.
type Found struct {
	findings *findings
	saved    *model.Form
}

// Problems returns every problem of the form, in document order: the person's Own and the Inherited ones. The caller
// must not change it.
func (f Found) Problems() schema.Problems { return f.findings.problems }

// Own returns the problems that block a save: those that the person made. A problem is Inherited if the saved form has one with the same
// code at the same place; nodes, rules and components are the same if they have the same id, wherever they are, or if they were renamed in
// place. Each save and each merge makes the new saved form the one that counts.
//
// Only a Remote editor inherits problems. The embedded tenant checks forms by our tables, so it would refuse the save anyway, and every
// problem is the person's own. The problems are in document order. The caller must not change them.
func (f Found) Own() schema.Problems { return f.findings.parted(f.saved).own }

// Inherited returns the problems that the saved form has already, which only the tenant can judge. See Own.
func (f Found) Inherited() schema.Problems { return f.findings.parted(f.saved).inherited }

// Warnings returns what an author should know about the form but need not change, in document order: unreachable nodes, journeys that stop
// early or loop forever, flow ids of an unusual shape, and what only the tenant's tables know, a property once for each name. They are
// computed on demand, once for each form. The caller must not change them.
func (f Found) Warnings() schema.Problems { return f.findings.warned() }

// Marked returns the warnings that nodes are marked with: Warnings, and one without words for each other flow that the tenant lacks. flows has the
// names of its flows by id, nil until they are known.
func (f Found) Marked(flows map[string]string) schema.Problems {
	marked, form := slices.Clip(f.Warnings()), f.findings.form
	for _, ref := range form.Lacking(flows) {
		if !form.Odd(ref) {
			marked = append(marked, schema.Problem{Path: ref.Path})
		}
	}
	return marked
}

// Foreign returns the properties, types and kinds in the form that only the tenant knows. Warnings has them too, grouped. There are none unless
// the editor is Remote. The caller must not change them.
func (f Found) Foreign() schema.Problems { return f.findings.foreign }

// Graph returns the findings about the form's graph, in document order. The caller must not change them.
func (f Found) Graph() []flow.Finding { return f.findings.prover.Prove(f.findings.form) }

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
