package rules

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Kind is what is wrong with a rule.
type Kind string

// The kinds of findings.
const (
	// Shadowed is a rule that never decides, because earlier ones apply whenever it does.
	Shadowed Kind = "shadowed"
	// Contradictory is a rule that no values satisfy.
	Contradictory Kind = "contradictory"
	// Duplicate is a rule that applies exactly when an earlier one does.
	Duplicate Kind = "duplicate"
)

// Finding is something wrong with a rule.
type Finding struct {
	Path   schema.Path // of the rule
	Kind   Kind
	Detail string // a sentence
	// Earlier are the indexes of the rules that together apply whenever this one does; there is one for a Duplicate, and none for a
	// Contradictory rule. Without any of them, the others are not enough, as far as the check can tell.
	Earlier []int
}

// Form checks all routers of a form. The findings are in the order of the form. The result depends on the form alone.
func Form(f *model.Form) []Finding {
	var found []Finding
	for i := range f.Nodes {
		found = append(found, Router(f, i)...)
	}
	return found
}

// Router checks the rules of the node at an index. There is nothing to find for a node of another type.
func Router(f *model.Form, node int) []Finding {
	config, ok := f.Nodes[node].Config.(*model.Router)
	if !ok || len(config.Rules) == 0 {
		return nil
	}
	r := newRouter(f, config)
	var found []Finding
	for i := range config.Rules {
		if finding, ok := r.check(i); ok {
			finding.Path = model.RulePath(node, i)
			found = append(found, finding)
		}
	}
	return found
}
