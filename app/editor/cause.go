package editor

import (
	"slices"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Limits of the search for a cause: how many steps it looks back, and how many nodes the forms that it examines may have in all.
const (
	maxCauseSteps = 20
	maxCauseNodes = 10_000
)

// causes keeps the findings about the graph of recent forms, in which Cause looks for the step that led to a finding.
type causes struct {
	prover flow.Prover
	found  map[*model.Form]map[string]bool // the keys are those of ofElement
}

// of returns the findings about a form. It forgets what it keeps once that is too much.
func (c *causes) of(f *model.Form) map[string]bool {
	if found, ok := c.found[f]; ok {
		return found
	}
	if len(c.found) > 2*maxCauseSteps {
		c.found = nil
	}
	if c.found == nil {
		c.found = map[*model.Form]map[string]bool{}
	}
	found := map[string]bool{}
	for _, p := range c.prover.Prove(f) {
		found[ofElement(f, p.Problem)] = true
	}
	c.found[f] = found
	return found
}

// Cause returns the last step that led to a finding about the graph. It returns false if that step is not among the last 20, fewer in a large
// form, or if it added the node that the finding is about, which explains nothing. Steps that were undone do not count.
func (e *Editor) Cause(f flow.Finding) (Step, bool) {
	s := e.state
	at, inGraph := s.Form.At(f.Problem.Path)
	id := ofElement(s.Form, f.Problem)
	steps := min(maxCauseSteps, maxCauseNodes/max(1, len(s.Form.Nodes)))
	for i := e.history.done - 1; i >= max(0, e.history.done-steps); i-- {
		before := e.history.steps[i].before.Form
		if e.causes.of(before)[id] {
			continue
		}
		if inGraph && at.Node >= 0 {
			if n, _ := before.Node(s.Form.Keys()[at.Node]); n == nil {
				return Step{}, false
			}
		}
		return e.history.step(i), true
	}
	return Step{}, false
}

// Reverting returns a command that reverses a step and keeps what later steps did. For the last step, Undo is exact. It returns false if a later
// step changed the same values, if the result has a finding about the graph that the form does not have, or if the form is read-only.
func (e *Editor) Reverting(s Step) (Command, bool) {
	i := slices.IndexFunc(e.history.steps[:e.history.done], func(ent entry) bool { return ent.serial == s.Serial })
	if i < 0 || e.config.ReadOnly {
		return nil, false
	}
	before, after := e.others.carry(e.history.steps[i].before), e.others.carry(e.history.steps[i].after)
	merged, conflicts := merge.Forms(after.Form, e.state.Form, before.Form)
	if len(conflicts) > 0 || model.Diff(e.state.Form, merged).Empty() {
		return nil, false
	}
	c := replace{name: verb.Restore.With("what was before: " + s.Label.Past()), form: merged, typed: true}
	return c, !e.Make().adds(c)
}

// adds reports whether a command fails or leads to a finding about the graph that the form does not have.
func (m Maker) adds(c Command) bool {
	next, err := c.Do(m.state)
	if err != nil {
		return true
	}
	_, more := compare(m.state.Form, m.warnings(), next.Form)
	return more
}

// compare returns the findings about the graph of a form after a change, by the keys of ofElement, and whether the change added any. A dead end
// that was hidden, because no journey reached its node, is not new: the change only reveals it.
func compare(before *model.Form, warnings schema.Problems, after *model.Form) (left map[string]bool, more bool) {
	had := make(map[string]bool, len(warnings))
	for _, p := range warnings {
		had[ofElement(before, p)] = true
	}
	hidden, _ := proved(before, warnings)
	left = map[string]bool{}
	keys := after.Keys()
	for _, f := range flow.Prove(after) {
		id, code := ofElement(after, f.Problem), f.Problem.Code
		left[id] = true
		at := model.PlaceOf(f.Problem.Path).Node
		shown := (code == schema.CodeDeadEnd || code == schema.CodeNoButton) && at >= 0 && hidden[keys[at]]
		more = more || !had[id] && !shown
	}
	return left, more
}

// maxTrialNodes limits the fixes that are tried on a form, by how many nodes the forms that they lead to may have in all. In a form of ordinary
// size, that is hundreds of fixes.
const maxTrialNodes = 100_000

// trials keeps the results of the fixes that were tried on a form.
type trials struct {
	form  *model.Form
	cures map[string]bool // by warning and name of the fix
	spent int             // see maxTrialNodes
}

// cures reports whether a fix removes a warning about the graph and leads to no other. It reports false if the fix cannot be tried.
func (m Maker) cures(fix Fix, p schema.Problem) bool {
	t, form := m.trials, m.state.Form
	if t == nil {
		return false // fixAll makes no fix about the graph
	}
	if t.form != form {
		*t = trials{form: form, cures: map[string]bool{}}
	}
	id := ofElement(form, p)
	key := id + " " + fix.Name
	ok, tried := t.cures[key]
	if tried || t.spent >= maxTrialNodes {
		return ok
	}
	t.spent += len(form.Nodes)
	if next, err := fix.Command.Do(m.state); err == nil {
		left, more := compare(form, m.warnings(), next.Form)
		ok = !more && !left[id]
	}
	t.cures[key] = ok
	return ok
}
