package schema_test

import (
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

func TestShorten(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 1, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"ab", 1, "…"}, {"a\xffb\xff", 3, "a\xff…"},
	} {
		if got := schema.Shorten(tt.in, tt.n); got != tt.want {
			t.Errorf("%q to %d: got %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

// A rule with a secret at any depth is recognized.
func TestHoldsSecret(t *testing.T) {
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
		if !schema.HoldsSecret(w(secret)) {
			t.Errorf("%s: a secret is not found", name)
		}
		if schema.HoldsSecret(w(open)) {
			t.Errorf("%s: a secret is found where there is none", name)
		}
	}
	for _, s := range []schema.Spec{schema.Any{}, schema.Bool{}, schema.True{}, schema.Enum{"a"}, schema.Numeric{}} {
		if schema.HoldsSecret(s) {
			t.Errorf("%T: a secret is found where there is none", s)
		}
	}
}
