// Package formtest makes forms and paths for tests.
package formtest

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Parse returns the form of a JSON text, whether or not it is valid.
func Parse(tb testing.TB, text string) *model.Form {
	tb.Helper()
	tree, problems := schema.Decode([]byte(text))
	o, ok := tree.(*schema.Object)
	if !ok {
		tb.Fatalf("the text is not a form: %v", problems)
	}
	return model.FromTree(o)
}

// Path returns the path of a text such as nodes[0].config.rules[1].next_node.
func Path(tb testing.TB, text string) schema.Path {
	tb.Helper()
	p, err := schema.ParsePath(text)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// Large returns the tree of a form of n steps with ten components each, connected in a row.
func Large(n int) *schema.Object {
	kinds := []string{"TEXT", "EMAIL", "CHOICE", "RICH_TEXT", "BOOLEAN", "TEL", "DROPDOWN", "LEGAL", "DATE", "NEXT_BUTTON"}
	nodes := make([]any, n)
	for i := range nodes {
		comps := make([]any, len(kinds))
		for j, k := range kinds {
			comps[j] = model.NewComponent(model.KindOf(k), model.SpecDialect, fmt.Sprintf("c%d_%d", i, j))
		}
		next := model.EndingID
		if i+1 < n {
			next = fmt.Sprintf("n%d", i+1)
		}
		config := schema.NewObject(schema.Member{Key: "components", Value: comps}, schema.Member{Key: "next_node", Value: next})
		nodes[i] = model.NewNode(model.StepNode, fmt.Sprintf("n%d", i), model.Point{X: i % 30 * 360, Y: i / 30 * 400}).With("config", config)
	}
	return schema.NewObject(schema.Member{Key: "name", Value: "large"}, schema.Member{Key: "nodes", Value: nodes})
}
