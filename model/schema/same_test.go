package schema_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// A table is the same as itself, and no two specs that allow other values are the same.
func TestSame(t *testing.T) {
	for i := range model.Kinds {
		if k := &model.Kinds[i]; !schema.Same(k.Table(), k.Table()) {
			t.Errorf("%s differs from itself", k.Type)
		}
	}
	text := schema.String{Min: 1}
	row := func(s schema.Spec, required bool) schema.Table {
		return schema.Table{{Name: "a", Spec: s, Required: required}}
	}
	choice := func(s schema.Spec) schema.Choice {
		return schema.Choice{Tag: "t", Options: []schema.Option{{Tag: "x", Row: schema.Row{Name: "a", Spec: s}}}}
	}
	specs := []schema.Spec{
		text,
		schema.String{},
		schema.String{Min: 1, Secret: true},
		schema.Numeric{},
		schema.Numeric{Max: "3"},
		schema.Numeric{Integer: true},
		schema.Enum{"A"},
		schema.Enum{"A", "B"},
		schema.Bool{},
		schema.True{},
		schema.Any{},
		schema.Any{Options: "options"},
		schema.List{Item: text},
		schema.List{Item: text, Min: 1},
		schema.List{Item: schema.Bool{}},
		schema.Nullable{Spec: text},
		schema.Map{Value: text},
		schema.Map{Value: schema.Bool{}},
		row(text, false), row(text, true), row(schema.Bool{}, false),
		schema.Open{},
		schema.Open{Rows: row(text, false)},
		schema.Either{Of: []schema.Spec{text}},
		schema.Either{Of: []schema.Spec{schema.Bool{}}},
		choice(text), choice(schema.Bool{}),
		schema.Union{Tag: "t", Arms: []schema.Arm{{Tag: "x", Spec: text}}},
		schema.Union{Tag: "t", Arms: []schema.Arm{{Tag: "y", Spec: text}}},
		nil,
	}
	for i, a := range specs {
		for j, b := range specs {
			if got := schema.Same(a, b); got != (i == j) {
				t.Errorf("Same(%#v, %#v) is %v", a, b, got)
			}
		}
	}
}
