// Package formtest reads forms for tests.
package formtest

import (
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
