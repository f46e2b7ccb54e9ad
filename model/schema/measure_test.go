package schema_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

// What a tree shares with another one takes nothing beside it, wherever in a list it is.
func TestSizeBeside(t *testing.T) {
	list := make([]any, 100)
	for i := range list {
		list[i] = schema.NewObject(schema.Member{Key: "text", Value: fmt.Sprintf("%1000d", i)})
	}
	tree := func(list []any) *schema.Object { return schema.NewObject(schema.Member{Key: "list", Value: list}) }
	base := tree(list)
	added := append([]any{list[99]}, list...)
	changed := append([]any{}, list...)
	changed[7] = list[7].(*schema.Object).With("more", schema.Number("1"))
	for _, tt := range []struct {
		name     string
		tree     any
		other    any
		min, max int
	}{
		{"alone", base, nil, 100_000, 120_000},
		{"the same", base, base, 0, 0},
		{"around the same list", tree(list), base, 50, 200},
		{"moved by one", tree(added), base, 1600, 2000},
		{"without the first one", tree(list[1:]), base, 1500, 2000},
		{"with a changed one", tree(changed), base, 1600, 2000},
		{"a text", "abc", nil, 3, 3},
		{"the same text", "abc", "abc", 0, 0},
		{"a value", true, nil, 0, 0},
		{"a list beside a text", []any{"abc"}, "abc", 10, 30},
	} {
		if n := schema.SizeBeside(tt.tree, tt.other); n < tt.min || n > tt.max {
			t.Errorf("%s: %d bytes", tt.name, n)
		}
	}
}
