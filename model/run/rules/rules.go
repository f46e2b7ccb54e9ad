package rules

import (
	"context"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// Kind is what is wrong with a rule or a comparison.
type Kind string

// The kinds of findings.
const (
	// Shadowed is a rule that never decides, because earlier ones apply whenever it does.
	Shadowed Kind = "shadowed"
	// Contradictory is a rule that no values satisfy. If the cause is a comparison that never holds, the Impossible comparison is reported instead:
	// its Detail says that the rule never applies, and it has the fixes.
	Contradictory Kind = "contradictory"
	// Duplicate is a rule that applies exactly when an earlier one does.
	Duplicate Kind = "duplicate"
	// Impossible is a comparison with a value that its field cannot have: it never holds or, if its operator negates another, never fails,
	// neither for an answer that the component accepts nor for none.
	Impossible Kind = "impossible"
)

// Finding is something wrong with a rule or a comparison.
type Finding struct {
	Path   schema.Path // of the rule or, if it is Impossible, of the comparison
	Kind   Kind
	Detail string // one or more sentences
	// Earlier are the indexes of the rules that together apply whenever this one does; there is one for a Duplicate, and none for a
	// Contradictory rule. As far as the check can tell, all of them are needed.
	Earlier []int
	// Example shows what takes a Shadowed or Duplicate rule, nil if none was found.
	Example *Example
	// Fixes are changes that help and harm no other rule, the best first.
	Fixes []Fix
}

// Example is an assignment for which a rule applies, but an earlier one decides.
type Example struct {
	Values  []Value // in the order in which the rules read them; all other variables are undefined
	Decides int     // the index of the rule that decides
}

// Value is a variable with a value, or that it has none.
type Value struct {
	Variable template.Variable
	Value    any // a tree, which must not be changed
	Defined  bool
}

// Change is what a Fix does to a rule.
type Change string

// The changes.
const (
	// Move moves the rule directly before another. Then it decides something, and so does every rule that did before.
	Move Change = "move"
	// Remove removes the rule, which changes nothing else: it never decides.
	Remove Change = "remove"
)

// Fix is a change that makes a finding disappear.
type Fix struct {
	Change Change
	Before int // the index of the rule before which a Move puts this one, 0 for other changes
}

// Form checks all routers of a form. The findings are in the order of the form, those of a rule before those of its comparisons. The result
// depends on the form alone.
func Form(f *model.Form) []Finding {
	found, _ := FormUntil(context.Background(), f)
	return found
}

// FormUntil is Form, but ends once the context is done. all reports whether it checked every rule: it did not if it ended, or if there is more to
// compare than the package documentation says. What it found is certain all the same.
func FormUntil(ctx context.Context, f *model.Form) (found []Finding, all bool) {
	var c *checker // made for the first router
	all = true
	for i, n := range f.Nodes {
		config, ok := n.Config.(*model.Router)
		if !ok || len(config.Rules) == 0 {
			continue
		}
		if c == nil {
			c = newChecker(f, func() bool { return ctx.Err() != nil })
		}
		if !c.work.spend(1) {
			return found, false
		}
		more, whole := c.router(i, config)
		found, all = append(found, more...), all && whole
	}
	return found, all
}

// checker checks the routers of a form.
type checker struct {
	form    *model.Form
	trier   *explore.Trier
	answers *answers
	work    *work
}

func newChecker(f *model.Form, ended func() bool) *checker {
	return &checker{f, explore.NewTrier(f), newAnswers(f), &work{left: maxWork, ended: ended}}
}

// router checks the rules of a router. all reports whether it checked them all.
func (c *checker) router(node int, config *model.Router) (found []Finding, all bool) {
	r := c.compile(node, config)
	for i, rule := range config.Rules {
		if !r.work.spend(1) {
			break
		}
		at := model.RulePath(node, i)
		impossible := r.impossible(rule.Condition, at.Key("condition"))
		if finding, ok := r.check(i); ok && (finding.Kind != Contradictory || !explain(impossible)) {
			finding.Path = at
			found = append(found, finding)
		}
		found = append(found, impossible...)
	}
	c.work.done(r.work)
	return found, !r.work.over()
}

// explain finds the first comparison that never holds in a rule that never applies. It adds to the finding that the rule never applies, and the fix
// for that. It returns false if there is no such comparison.
func explain(impossible []Finding) bool {
	for i := range impossible {
		if f := &impossible[i]; strings.HasPrefix(f.Detail, neverHolds) {
			f.Detail += " So the rule never applies."
			f.Fixes = []Fix{{Change: Remove}}
			return true
		}
	}
	return false
}

// Problem returns the finding as a warning.
func (f Finding) Problem() schema.Problem {
	code := schema.CodeNeverDecides
	if f.Kind == Impossible {
		code = schema.CodeImpossible
	}
	detail := strings.TrimSuffix(f.Detail, ".")
	return schema.Problem{Path: f.Path, Code: code, Detail: strings.ToLower(detail[:1]) + detail[1:], Offset: -1}
}
