package model

import (
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

// A value that may hold a secret anywhere is not shown, whatever table comes next.
func TestHasSecret(t *testing.T) {
	secret, open := schema.String{Secret: true}, schema.String{}
	row := func(s schema.Spec) schema.Table { return schema.Table{{Name: "a", Spec: open}, {Name: "b", Spec: s}} }
	wrap := map[string]func(s schema.Spec) schema.Spec{
		"itself":   func(s schema.Spec) schema.Spec { return s },
		"table":    func(s schema.Spec) schema.Spec { return row(s) },
		"open":     func(s schema.Spec) schema.Spec { return schema.Open{Rows: row(s)} },
		"map":      func(s schema.Spec) schema.Spec { return schema.Map{Value: s} },
		"list":     func(s schema.Spec) schema.Spec { return schema.List{Item: s} },
		"nullable": func(s schema.Spec) schema.Spec { return schema.Nullable{Spec: s} },
		"either":   func(s schema.Spec) schema.Spec { return schema.Either{Of: []schema.Spec{open, s}} },
		"union":    func(s schema.Spec) schema.Spec { return schema.Union{Arms: []schema.Arm{{Spec: open}, {Spec: s}}} },
		"choice": func(s schema.Spec) schema.Spec {
			return schema.Choice{Options: []schema.Option{{Row: schema.Row{Spec: open}}, {Row: schema.Row{Spec: s}}}}
		},
	}
	for name, w := range wrap {
		if !hasSecret(w(secret)) {
			t.Errorf("%s: a secret is not seen", name)
		}
		if hasSecret(w(open)) {
			t.Errorf("%s: a secret is seen where there is none", name)
		}
	}
	for _, s := range []schema.Spec{schema.Any{}, schema.Bool{}, schema.True{}, schema.Enum{"a"}, schema.Numeric{}} {
		if hasSecret(s) {
			t.Errorf("%T: a secret is seen where there is none", s)
		}
	}
}
