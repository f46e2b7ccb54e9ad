package rules_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/rules"
)

func TestRouter(t *testing.T) {
	is := func(operator, literal string) string {
		return fmt.Sprintf(`{"operator":%q,"operands":["{{vars.v}}",%s]}`, operator, literal)
	}
	all := func(a, b string) string { return `{"operator":"AND","operands":[` + a + `,` + b + `]}` }
	for _, tt := range []struct{ first, second, want string }{
		{is("LT", "18"), is("LT", "16"), "shadowed"},
		{is("LT", "16"), is("LT", "18"), ""},
		{is("EXISTS_NOT", "1"), all(is("LT", "16"), is("GT", "18")), "contradictory"},
		{is("EQ", "5"), is("EQ", `"5"`), "shadowed"},
		{is("EQ", `"5"`), is("EQ", "5"), ""},
		{all(is("GT", "1"), is("LT", "9")), all(is("LT", "9"), is("GT", "1")), "duplicate"},
		{is("IN", "[5]"), is("EQ", "5"), "duplicate"},
		{is("ODD", "5"), is("ODD", "5"), ""},
	} {
		f := formtest.Parse(t, `{"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"a","condition":`+tt.first+
			`},{"id":"b","condition":`+tt.second+`}]}}]}`)
		got := ""
		for _, f := range rules.Form(f) {
			if got += string(f.Kind); f.Path.String() != "nodes[0].config.rules[1]" {
				t.Errorf("%s: %s", f.Path, f.Detail)
			}
		}
		if got != tt.want {
			t.Errorf("%s and %s: %q, want %q", tt.first, tt.second, got, tt.want)
		}
	}
}
