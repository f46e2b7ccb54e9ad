package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/rules"
	"github.com/formgraph/formgraph/model/schema"
)

// fields is a step with fields of several kinds.
const fields = `{"id":"s","type":"STEP","config":{"next_node":"r","components":[
	{"id":"age","category":"FIELD","type":"NUMBER","config":{"min_value":0,"max_value":120}},
	{"id":"n","category":"FIELD","type":"NUMBER","config":{}},
	{"id":"plan","category":"FIELD","type":"DROPDOWN","config":{"options":[{"value":"free","label":"F"},{"value":"team","label":"T"}]}},
	{"id":"color","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"red","label":"R"}],"allow_other":{"enabled":true}}},
	{"id":"tags","category":"FIELD","type":"CARDS","config":{"multiple":true,"options":[{"value":"a","label":"A"},{"value":"b","label":"B"}]}},
	{"id":"ok","category":"FIELD","type":"BOOLEAN","config":{}},
	{"id":"code","category":"FIELD","type":"TEXT","config":{"min_length":2,"max_length":4}},
	{"id":"name","category":"FIELD","type":"TEXT","config":{}},
	{"id":"email","category":"FIELD","type":"EMAIL","config":{}},
	{"id":"site","category":"FIELD","type":"URL","config":{}},
	{"id":"day","category":"FIELD","type":"DATE","config":{}},
	{"id":"hid","category":"FIELD","type":"NUMBER","config":{"max_value":5}},
	{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"n"}}]}}`

// form returns a form with a step and a router with rules.
func form(tb testing.TB, step string, conditions ...string) *model.Form {
	tb.Helper()
	list := make([]string, len(conditions))
	for i, c := range conditions {
		list[i] = fmt.Sprintf(`{"id":"r%d","condition":%s,"next_node":"$ending"}`, i, c)
	}
	return formtest.Parse(tb, `{"start":{"next_node":"s","hidden_fields":[{"key":"hid"}]},"nodes":[`+step+
		`,{"id":"r","type":"ROUTER","config":{"rules":[`+strings.Join(list, ",")+`]}}]}`)
}

// is returns a comparison of a field or, if the name has a point or parenthesis, of another variable or expression.
func is(operator, variable string, literals ...string) string {
	if !strings.ContainsAny(variable, ".(") {
		variable = "fields." + variable
	}
	return fmt.Sprintf(`{"operator":%q,"operands":[%s]}`, operator, strings.Join(append([]string{`"{{` + variable + `}}"`}, literals...), ","))
}

func all(of ...string) string { return `{"operator":"AND","operands":[` + strings.Join(of, ",") + `]}` }

func either(of ...string) string {
	return `{"operator":"OR","operands":[` + strings.Join(of, ",") + `]}`
}

func of(conditions ...string) []string { return conditions }

// show returns a finding in a line: kind, path below the rules, the earlier rules, the example, and the fixes.
func show(f *rules.Finding) string {
	path := strings.TrimPrefix(f.Path.String(), "nodes[1].config.rules")
	s := string(f.Kind) + " " + strings.ReplaceAll(path, "condition.operands", "")
	if f.Earlier != nil {
		s += fmt.Sprint(" by ", f.Earlier)
	}
	if f.Example != nil {
		for _, v := range f.Example.Values {
			value := "undefined"
			if v.Defined {
				value = string(schema.Encode(v.Value))
			}
			s += fmt.Sprintf(" %s.%s=%s", v.Variable.Namespace, v.Variable.Path, value)
		}
		s += fmt.Sprint(" decides ", f.Example.Decides)
	}
	for _, fix := range f.Fixes {
		if s += " " + string(fix.Change); fix.Change == rules.Move {
			s += fmt.Sprint(" before ", fix.Before)
		}
	}
	return s
}

func TestRouter(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rules []string
		want  []string
	}{
		{
			"narrower", of(is("LT", "age", "18"), is("LT", "age", "16")),
			[]string{"shadowed [1] by [0] fields.age=1 decides 0 move before 0 remove"},
		},
		{"wider", of(is("LT", "age", "16"), is("LT", "age", "18")), nil},
		{
			"one more comparison", of(is("CONTAINS", "name", `"x"`), all(is("CONTAINS", "name", `"x"`), is("EQ", "ok", "true"))),
			[]string{`shadowed [1] by [0] fields.name="Some text" fields.ok=true decides 0 move before 0 remove`},
		},
		{"one comparison less", of(all(is("CONTAINS", "name", `"x"`), is("EQ", "ok", "true")), is("CONTAINS", "name", `"x"`)), nil},
		{
			"several together", of(is("LT", "age", "18"), is("EQ", "ok", "true"), is("GTE", "age", "18"), is("EXISTS", "age")),
			[]string{"shadowed [3] by [0 2] fields.age=1 decides 0 remove"},
		},
		{"not quite together", of(is("LT", "age", "18"), is("GT", "age", "18"), is("EXISTS", "age")), nil},
		{
			"all options", of(is("EQ", "plan", `"free"`), is("EQ", "plan", `"team"`), is("EXISTS", "plan")),
			[]string{`shadowed [2] by [0 1] fields.plan="free" decides 0 remove`},
		},
		{"options and another", of(is("EQ", "color", `"red"`), is("EXISTS", "color")), nil},
		{
			"after everything", of(either(is("EXISTS", "n"), is("NOT_EXISTS", "n")), is("EQ", "plan", `"free"`)),
			[]string{`shadowed [1] by [0] fields.plan="free" decides 0 move before 0 remove`},
		},
		{
			"in a group",
			of(either(is("EQ", "vars.v", `"a"`), is("EQ", "vars.v", `"b"`), is("EQ", "vars.v", `"c"`)), is("IN", "vars.v", `["a","c"]`)),
			[]string{`shadowed [1] by [0] vars.v="a" decides 0 move before 0 remove`},
		},
		{"letter case", of(is("EQ", "vars.v", `"a"`), is("EQ", "vars.v", `"A"`)), nil},
		{
			"an address at a domain", of(is("ENDS_WITH", "email", `"@example.com"`), is("EQ", "email", `"ann@example.com"`)),
			[]string{`shadowed [1] by [0] fields.email="ann@example.com" decides 0 move before 0 remove`},
		},
		{
			"a subdomain", of(is("ENDS_WITH", "email", `".com"`), is("ENDS_WITH", "email", `"@example.com"`)),
			[]string{`shadowed [1] by [0] fields.email="ann@example.com" decides 0 remove`},
		},
		{"a longer ending first", of(is("ENDS_WITH", "email", `"@example.com"`), is("ENDS_WITH", "email", `".com"`)), nil},
		{"an ending does not contain all", of(is("CONTAINS", "email", `"@example.com."`), is("ENDS_WITH", "email", `"@example.com"`)), nil},
		{
			"dates", of(is("LT", "day", `"2020-01-01"`), is("LT", "day", `"2019-01-01"`)),
			[]string{`shadowed [1] by [0] fields.day="2000-01-31" decides 0 move before 0 remove`},
		},
		{
			"a number and its text", of(is("EQ", "vars.v", `5`), is("EQ", "vars.v", `"5"`)),
			[]string{`shadowed [1] by [0] vars.v=5 decides 0 move before 0 remove`},
		},
		{"a text and its number", of(is("EQ", "vars.v", `"5"`), is("EQ", "vars.v", `5`)), nil},
		{"two texts of a number", of(all(is("EQ", "vars.v", `"5"`), is("EQ", "vars.v", `"5.0"`))), nil},
		{"two texts of a number, a text", of(all(is("EQ", "name", `"5"`), is("EQ", "name", `"5.0"`))), []string{"contradictory [0] remove"}},
		{
			"the move would starve a rule", of(is("LT", "age", "18"), is("LT", "age", "18.5"), all(is("GT", "age", "17"), is("LT", "age", "18.5"))),
			[]string{"shadowed [2] by [1] fields.age=18 decides 1 remove"},
		},
		{
			"both sides of a move", of(is("LT", "n", "5"), is("GT", "n", "9"), either(is("LT", "n", "3"), is("GT", "n", "10"))),
			[]string{"shadowed [2] by [0 1] fields.n=1 decides 0 move before 0 remove"},
		},
		{
			"several variables", of(either(is("EQ", "n", `"{{fields.age}}"`), is("EQ", "ok", "true")), is("EQ", "n", `"{{fields.age}}"`)),
			[]string{"shadowed [1] by [0] remove"},
		},

		{
			"two ranges", of(all(is("LT", "age", "18"), is("GT", "age", "65"))),
			[]string{"contradictory [0] remove"},
		},
		{"a narrow range", of(all(is("LT", "age", "18"), is("GT", "age", "17"))), nil},
		{
			"two options", of(all(is("EQ", "plan", `"free"`), is("EQ", "plan", `"team"`))),
			[]string{"contradictory [0] remove"},
		},
		{"two choices of several", of(all(is("INCLUDES", "tags", `"a"`), is("INCLUDES", "tags", `"b"`))), nil},
		{
			"two texts", of(all(is("STARTS_WITH", "name", `"a"`), is("STARTS_WITH", "name", `"b"`))),
			[]string{"contradictory [0] remove"},
		},
		{"two ends of a text", of(all(is("STARTS_WITH", "name", `"a"`), is("ENDS_WITH", "name", `"b"`))), nil},
		{
			"empty and equal", of(all(is("IS_EMPTY", "vars.v"), is("EQ", "vars.v", `"a"`))),
			[]string{"contradictory [0] remove"},
		},
		{"empty and existing", of(all(is("IS_EMPTY", "vars.v"), is("EXISTS", "vars.v"), is("NEQ", "vars.v", `""`),
			is("NEQ", "vars.v", "null"))), nil},
		{
			"an unanswered field", of(all(is("IS_EMPTY", "name"), is("EXISTS", "name"))),
			[]string{"contradictory [0] remove"},
		},
		{
			"not and", of(all(is("MATCHES", "vars.v", `"a+"`), is("NOT_MATCHES", "vars.v", `"a+"`))),
			[]string{"contradictory [0] remove"},
		},
		{
			"never beside an unknown operator", of(all(is("ODD", "vars.v"), is("LT", "age", "1"), is("GT", "age", "2"))),
			[]string{"contradictory [0] remove"},
		},
		{"numbers that a float64 cannot tell apart", of(all(is("GT", "n", "9007199254740992"), is("LT", "n", "9007199254740994"),
			is("NEQ", "n", "9007199254740993"), is("NEQ", "n", "9007199254740992.5"))), nil},

		{"another spelling of a number", of(all(is("EQ", "vars.v", "5"), is("STARTS_WITH", "vars.v", `"5.0"`))), nil},
		{"another text of a number", of(all(is("BETWEEN", "vars.v", "5", "5"), is("NOT_IN", "vars.v", `["5","5.0"]`))), nil},
		{
			"no text of a number", of(all(is("BETWEEN", "vars.v", "5", "5"), is("NEQ", "vars.v", "5"))),
			[]string{"contradictory [0] remove"},
		},
		{"a text between two", of(all(is("GT", "name", `"b"`), is("LT", "name", `"ba"`))), nil},
		{"a list is no text", of(all(is("INCLUDES", "vars.v", `"ab"`), is("NOT_INCLUDES", "vars.v", `"a"`))), nil},
		{"a text is no list", of(all(is("INCLUDES", "name", `"ab"`), is("NOT_INCLUDES", "name", `"a"`))), []string{"contradictory [0] remove"}},
		{"several in a list", of(all(`{"operator":"IN","operands":["a","{{vars.v}}"]}`, `{"operator":"IN","operands":["b","{{vars.v}}"]}`)), nil},
		{"null is no beginning", of(is("STARTS_WITH", "vars.v", "null")), []string{"contradictory [0] remove"}},
		{"an element that is a list", of(is("INCLUDES", "vars.v", `["a"]`)), nil},
		{"a text with itself", of(is("STARTS_WITH", "vars.v", `"{{vars.v}}"`)), nil},
		{"a longer beginning", of(all(is("STARTS_WITH", "name", `"x"`), is("STARTS_WITH", "name", `"xy"`), is("NOT_STARTS_WITH", "name", `"xya"`),
			is("NOT_STARTS_WITH", "name", `"xy1"`), is("NEQ", "name", `"xy"`))), nil},
		{"one end and not the other", of(all(is("STARTS_WITH", "name", `"x"`), is("NOT_ENDS_WITH", "name", `"a"`),
			is("NOT_ENDS_WITH", "name", `"1"`), is("NEQ", "name", `"x"`))), nil},
		{"a pattern that may be wrong", of(all(`{"operator":"MATCHES","operands":["a","{{vars.v}}"]}`,
			`{"operator":"NOT_MATCHES","operands":["a","{{vars.v}}"]}`)), nil},
		{
			"a variable and its member", of(is("EXISTS", "vars.o.p"), all(is("EXISTS", "vars.o.p"), is("EQ", "vars.o", `"a"`))),
			[]string{"shadowed [1] by [0] remove"},
		},

		{
			"the same", of(is("EQ", "vars.v", `1`), is("EQ", " vars.v ", `1`)),
			[]string{"duplicate [1] by [0] vars.v=1 decides 0 remove"},
		},
		{
			"the same in another order", of(all(is("EQ", "vars.v", `1`), either(is("EQ", "vars.w", `2`), is("EXISTS", "vars.x"))),
				all(either(is("EXISTS", "vars.x"), is("EQ", "vars.w", `2`)), all(is("EQ", "vars.v", `1`)))),
			[]string{`duplicate [1] by [0] vars.v=1 vars.w=undefined vars.x="other" decides 0 remove`},
		},
		{"the opposite", of(is("EQ", "vars.v", `1`), is("NEQ", "vars.v", `1`)), nil},
		{
			"equivalent", of(is("IN", "vars.v", `["a"]`), is("EQ", "vars.v", `"a"`)),
			[]string{`duplicate [1] by [0] vars.v="a" decides 0 remove`},
		},
		{
			"equivalent in the range", of(is("GTE", "age", `119`), is("BETWEEN", "age", `119`, `500`)),
			[]string{"duplicate [1] by [0] fields.age=120 decides 0 remove"},
		},
		{
			"equivalent to a rule that is itself shadowed", of(is("GT", "n", "1"), is("IN", "n", "[5]"), is("EQ", "n", "5")),
			[]string{"shadowed [1] by [0] fields.n=5 decides 0 move before 0 remove", "duplicate [2] by [1] fields.n=5 decides 0 remove"},
		},
		{"the same unknown operator", of(is("ODD", "vars.v", `1`), is("ODD", "vars.v", `1`)), nil},
		{"the same function", of(is("GT", "functions.random(0, 1, true)", `0.5`), is("GT", "functions.random(0, 1, true)", `0.5`)), nil},
		{"the same wrong pattern", of(is("MATCHES", "vars.v", `"("`), is("MATCHES", "vars.v", `"("`)), nil},
		{"the same of unknown shape", of(`{"if":1}`, `{"if":1}`), nil},
		{"no condition", of(`null`, `null`), nil},
		{
			"the same of several variables", of(is("EQ", "vars.v", `"{{vars.w}}"`), is("EQ", "vars.v", `"{{vars.w}}"`)),
			[]string{"duplicate [1] by [0] remove"},
		},

		{
			"no option", of(is("EQ", "plan", `"gold"`)),
			[]string{"impossible [0].condition remove"},
		},
		{"one of several options", of(is("IN", "plan", `["gold","free"]`)), nil},
		{"another option", of(is("EQ", "color", `"gold"`)), nil},
		{
			"no option of several", of(is("INCLUDES", "tags", `"c"`)),
			[]string{"impossible [0].condition remove"},
		},
		{
			"not an option that there is not", of(is("NEQ", "plan", `"gold"`)),
			[]string{"impossible [0].condition"},
		},
		{"not an option", of(is("NEQ", "plan", `"free"`)), nil},
		{
			"beyond the range", of(is("EQ", "age", `150`)),
			[]string{"impossible [0].condition remove"},
		},
		{
			"greater than the greatest", of(is("GT", "age", `120`)),
			[]string{"impossible [0].condition remove"},
		},
		{"the greatest", of(is("GTE", "age", `120`)), nil},
		{"a number without a range", of(is("EQ", "n", `150`)), nil},
		{
			"a text for a number", of(is("EQ", "n", `"a"`)),
			[]string{"impossible [0].condition remove"},
		},
		{"a number as text", of(is("EQ", "n", `"5"`)), nil},
		{"a number as text, written otherwise", of(is("EQ", "n", `"5.0"`)), nil},
		{"a boolean as text", of(is("EQ", "ok", `"true"`)), nil},
		{"a boolean in a list of texts", of(is("IN", "ok", `["yes","false"]`)), nil},
		{
			"a boolean as text, written otherwise", of(is("EQ", "ok", `"True"`)),
			[]string{"impossible [0].condition remove"},
		},
		{"compared with a number as text", of(is("GT", "n", `"5"`)), nil},
		{
			"a text for a boolean", of(is("EQ", "ok", `"yes"`)),
			[]string{"impossible [0].condition remove"},
		},
		{"a boolean", of(is("EQ", "ok", `false`)), nil},
		{
			"too long", of(is("EQ", "code", `"abcde"`)),
			[]string{"impossible [0].condition remove"},
		},
		{
			"too short", of(is("EQ", "code", `"a"`)),
			[]string{"impossible [0].condition remove"},
		},
		{
			"too long a beginning", of(is("STARTS_WITH", "code", `"abcde"`)),
			[]string{"impossible [0].condition remove"},
		},
		{"a short beginning", of(is("STARTS_WITH", "code", `"a"`)), nil},
		{"fits", of(is("EQ", "code", `"ab"`)), nil},
		{
			"no address", of(is("EQ", "email", `"ann"`)),
			[]string{"impossible [0].condition remove"},
		},
		{
			"a web address without scheme", of(is("EQ", "site", `"example.com"`)),
			[]string{"impossible [0].condition remove"},
		},
		{
			"no date", of(is("EQ", "day", `"today"`)),
			[]string{"impossible [0].condition remove"},
		},
		{
			"in a nested group", of(all(is("EXISTS", "vars.v"), either(is("EXISTS", "vars.w"), is("EQ", "plan", `"gold"`)))),
			[]string{"impossible [0].[1].operands[1]"},
		},
		{"a field that does not exist", of(is("EQ", "none", `"a"`)), nil},
		{"a hidden field with the same name", of(is("GT", "hid", `8`)), nil},
		{"a member of a field", of(is("EQ", "fields.plan.x", `"gold"`)), nil},
		{
			"the other way around", of(`{"operator":"LT","operands":[200,"{{fields.age}}"]}`),
			[]string{"impossible [0].condition remove"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range rules.Form(form(t, fields, tt.rules...)) {
				got = append(got, show(&f))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBounds checks that nothing is said where there is too much to judge, and that findings about other rules stay.
func TestBounds(t *testing.T) {
	for n, want := range map[int]int{6: 1, 7: 0} { // maxFree
		var starts []string
		for i := range n {
			starts = append(starts, is("CONTAINS", "name", fmt.Sprintf(`"%c"`, 'a'+i)))
		}
		if got := rules.Form(form(t, fields, all(append(starts, is("NOT_CONTAINS", "name", `"a"`))...))); len(got) != want {
			t.Errorf("%d parts of a text: %v, want %d findings", n, got, want)
		}
	}
	var many []string
	for i := range 200 {
		many = append(many, is("GT", "vars.v", fmt.Sprint(i)))
	}
	var texts []string
	for i := range 100 {
		texts = append(texts, is("EQ", "name", fmt.Sprintf(`"%d"`, i)))
	}
	if found := rules.Form(form(t, fields, either(texts...), is("NOT_EXISTS", "name"))); len(found) > 0 {
		t.Errorf("many texts: %+v", found)
	}
	for name, conditions := range map[string][]string{
		"numbers":      {either(many...), is("GT", "vars.v", "500")},
		"combinations": {pigeons(7)},
	} {
		dead := all(is("LT", "age", "1"), is("GT", "age", "2"))
		found := rules.Form(form(t, fields, append(conditions, dead)...))
		if len(found) != 1 || model.PlaceOf(found[0].Path).Rule != len(conditions) || found[0].Kind != rules.Contradictory {
			t.Errorf("%s: %+v", name, found)
		}
	}
	if found := rules.Form(form(t, fields, pigeons(2))); len(found) != 1 {
		t.Errorf("a few combinations: %+v", found)
	}
}

// pigeons returns a condition that no values satisfy, which only many combinations show: each of n pigeons is in a hole, of which there is
// one less, and no two are in the same.
func pigeons(n int) string {
	var conditions []string
	name := func(pigeon, hole int) string { return fmt.Sprintf("vars.p%d_%d", pigeon, hole) }
	for i := range n {
		var somewhere []string
		for hole := range n - 1 {
			somewhere = append(somewhere, is("EXISTS", name(i, hole)))
			for j := range i {
				conditions = append(conditions, either(is("NOT_EXISTS", name(i, hole)), is("NOT_EXISTS", name(j, hole))))
			}
		}
		conditions = append(conditions, either(somewhere...))
	}
	return all(conditions...)
}
