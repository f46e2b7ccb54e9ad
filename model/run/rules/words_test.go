package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/rules"
)

// TestDetails compares the sentences.
func TestDetails(t *testing.T) {
	long := strings.Repeat("a", 200)
	for _, tt := range []struct {
		rules []string
		want  []string
	}{
		{of(is("LT", "age", "18"), is("LT", "age", "16")), []string{
			"Never decides: rule 1, Minors, already applies whenever fields.age is less than 16.",
		}},
		{of(is("LT", "age", "18"), all(is("LT", "age", "16"), is("NEQ", "name", `"`+long+`"`))), []string{
			"Never decides: rule 1, Minors, already applies whenever this one does.",
		}},
		{of(is("LT", "age", "18"), is("GTE", "age", "18"), is("EXISTS", "age")), []string{
			"Never decides: one of rules 1, Minors, and 2 already applies whenever fields.age exists.",
		}},
		{of(either(is("EXISTS", "n"), is("NOT_EXISTS", "n")), `{"if":1}`), []string{
			"Never decides: rule 1, Minors, already applies whenever this one does.",
		}},
		{of(is("EXISTS", "age"), is("EXISTS", "age")), []string{"Never decides: rule 1, Minors, has the same condition."}},
		{of(is("EQ", "n", "5"), is("BETWEEN", "n", "5", "5"), is("IN", "n", "[5]")), []string{
			"Never decides: rule 1, Minors, applies exactly when this one does.",
			"Never decides: rule 1, Minors, applies exactly when this one does.",
		}},
		{of(all(is("EQ", "n", "5"), is("EQ", "n", "6"))), []string{"Never applies: no values satisfy fields.n equals 5 and fields.n equals 6."}},
		{of(either(is("EQ", "n", "5"), is("EQ", "plan", `"gold"`), is("NEQ", "age", "150"), is("EQ", "code", `"a"`), is("EQ", "ok", `"yes"`),
			is("EQ", "site", `"example.com"`), is("EQ", "day", `"today"`), is("EQ", "plan", `""`), `{"operator":"LT","operands":[200,"{{fields.age}}"]}`)), []string{
			`Never holds: no accepted answer of fields.plan equals "gold"; there is no such option.`,
			"Always holds: no accepted answer of fields.age equals 150; it is a number at least 0 and at most 120.",
			`Never holds: no accepted answer of fields.code equals "a"; its length is at least 2 and at most 4.`,
			`Never holds: no accepted answer of fields.ok equals "yes"; it is true or false.`,
			`Never holds: no accepted answer of fields.site equals "example.com".`,
			`Never holds: no accepted answer of fields.day equals "today"; it is a date such as 2026-01-31.`,
			"Never holds: no accepted answer of fields.plan equals an empty text; there is no such option.",
			"Never holds: no accepted answer satisfies 200 is less than fields.age; it is a number at least 0 and at most 120.",
		}},
	} {
		f := form(t, fields, tt.rules...)
		f, err := f.Set(model.RulePath(1, 0).Key("alias"), "Minors")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range rules.Form(f) {
			got = append(got, f.Detail)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Error(diff)
		}
	}
}
