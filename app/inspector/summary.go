package inspector

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model"
)

// Facts is what the page knows about a form that is not in the form.
type Facts struct {
	Problems, Warnings int
	Scenarios, Failing int // Failing of the Scenarios do not take their path
	Comments           int // threads that are open
	SavedBy, SavedWhen string
	Tried              bool // somebody has previewed the form
}

// Fact is a line of the summary of a form. The caller links it to the panel that says more.
type Fact struct {
	About string // one of the constants
	Note  string // for people
	Wrong bool   // something is to be done about it
}

// The values of About.
const (
	Nodes     = "Steps"
	Tests     = "Tests"
	Problems  = "Problems"
	Comments  = "Open comments"
	LastSaved = "Last saved"
)

// Summary sums up a form.
func Summary(f *model.Form, known Facts) []Fact {
	count := map[model.NodeType]int{}
	for _, n := range f.Nodes {
		count[n.Type]++
	}
	nodes := []string{plural(count[model.StepNode], "step")}
	for _, of := range [...]model.NodeType{model.RouterNode, model.FlowNode} {
		if n := count[of]; n > 0 {
			nodes = append(nodes, plural(n, strings.ToLower(string(of))))
		}
	}
	tests := "None yet"
	if known.Scenarios > 0 {
		tests = fmt.Sprintf("%d of %d pass", known.Scenarios-known.Failing, known.Scenarios)
	}
	problems := "None"
	switch {
	case known.Problems > 0:
		problems = plural(known.Problems, "problem")
	case known.Warnings > 0:
		problems = plural(known.Warnings, "warning")
	}
	comments := "None"
	if known.Comments > 0 {
		comments = fmt.Sprint(known.Comments)
	}
	facts := []Fact{
		{Nodes, strings.Join(nodes, ", "), false}, {Tests, tests, known.Failing > 0}, {Problems, problems, known.Problems+known.Warnings > 0}, {Comments, comments, false},
	}
	if known.SavedWhen != "" {
		when := known.SavedWhen
		if known.SavedBy != "" {
			when += " by " + known.SavedBy
		}
		facts = append(facts, Fact{LastSaved, when, false})
	}
	return facts
}

// fewNodes is the maximum number of nodes of a form that counts as new.
const fewNodes = 2

// FirstHints returns what is left to do first in a new form, at most three hints. It returns nil for a form that is not new.
func FirstHints(f *model.Form, known Facts) (hints []string) {
	if len(f.Nodes) > fewNodes {
		return nil
	}
	asks := false
	for _, n := range f.Nodes {
		step, ok := n.Config.(*model.Step)
		if !ok {
			continue
		}
		for _, c := range step.Components {
			asks = asks || c.Category == model.Field
		}
	}
	for _, h := range [...]struct {
		done bool
		text string
	}{
		{asks, "Press a component on the left to ask for something."},
		{len(f.Nodes) > 1, "Press + on an edge to add the next step."},
		{known.Tried, "Press Preview to try the form."},
	} {
		if !h.done {
			hints = append(hints, h.text)
		}
	}
	return hints
}
