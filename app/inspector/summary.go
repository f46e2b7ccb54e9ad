package inspector

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model"
)

// Facts is what is known about a form beside the form.
type Facts struct {
	Problems, Warnings int
	Scenarios, Failing int // of them, those that do not take their path
	Comments           int // open threads
	SavedBy, SavedWhen string
	Tried              bool // the form was previewed
}

// Fact is a line of the summary of a form. The caller leads from it to the panel that says more.
type Fact struct {
	About string // one of the constants
	Note  string // for people
	Wrong bool   // something is to be done about it
}

// What the facts are about.
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

// fewNodes is the number of nodes up to which a form is new.
const fewNodes = 2

// FirstHints tells what to do first in a new form, at most three things, each until it is done. It is nil for a form that is not new.
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
		{asks, "Press a component at the left to ask for something."},
		{len(f.Nodes) > 1, "Press + on a line to add the next step."},
		{known.Tried, "Press Preview to try the form."},
	} {
		if !h.done {
			hints = append(hints, h.text)
		}
	}
	return hints
}
