package condition_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// valuesEnv looks up values by the text of their paths, such as fields.age.
func valuesEnv(tb testing.TB, values map[string]string) *template.Env {
	tb.Helper()
	trees := map[string]any{}
	for path, text := range values {
		trees[path] = decoded(tb, text)
	}
	return &template.Env{Lookup: func(namespace string, path schema.Path) (any, bool) {
		if len(path) == 0 {
			return nil, false
		}
		v, ok := trees[namespace+"."+path[0].Key]
		return v, ok
	}}
}

func compare(operator, operands string) string {
	return `{"operator":"` + operator + `","operands":[` + operands + `]}`
}

func group(operator string, of ...string) string { return compare(operator, strings.Join(of, ",")) }

// explained returns the verdict and the explanation.
func explained(tb testing.TB, text string, env *template.Env) string {
	tb.Helper()
	j := condition.Compile(decoded(tb, text)).Judge(env)
	if (j.Verdict == condition.Unknown) != (j.Reason != "") {
		tb.Errorf("%s: %v with the reason %q", text, j.Verdict, j.Reason)
	}
	return j.Verdict.String() + ": " + j.String()
}

func TestJudge(t *testing.T) {
	env := valuesEnv(t, map[string]string{
		"fields.age": "17", "fields.name": `"Ann"`, "fields.born": `"2008-02-29"`, "fields.big": "1e400", "vars.codes": `["a","b","17"]`,
		"vars.pattern": `"^A.n$"`,
	})
	const (
		yes    = `{"operator":"EQ","operands":[1,1]}`
		no     = `{"operator":"EQ","operands":[1,2]}`
		puzzle = `{"operator":"PUZZLE","operands":[1]}`
	)
	tests := []struct{ name, condition, want string }{
		{"less", compare("LT", `"{{fields.age}}",18`), "true: fields.age, 17, is less than 18"},
		{"not less", compare("LT", `"{{fields.age}}",17`), "false: fields.age, 17, is not less than 17"},
		{"not at least", compare("GTE", `"{{fields.age}}",18`), "false: fields.age, 17, is not at least 18"},
		{"not empty", compare("IS_EMPTY", `"{{fields.age}}"`), "false: fields.age, 17, is not empty"},
		{"empty", compare("IS_NOT_EMPTY", `"{{fields.x}}"`), "false: fields.x, undefined, is empty"},
		{"text of a number", compare("EQ", `"{{fields.age}} years","17 years"`), `true: {{fields.age}} years, "17 years", equals "17 years"`},
		{"case", compare("EQ", `"{{fields.name}}","ann"`), `false: fields.name, "Ann", is different from "ann"`},
		{"undefined", compare("EQ", `"{{fields.x}}","{{fields.y}}"`), "false: fields.x, undefined, is different from fields.y, undefined"},
		{"undefined differs", compare("NEQ", `"{{fields.x}}",1`), "true: fields.x, undefined, is different from 1"},
		{"otherwise", compare("EQ", `"{{fields.x ?? fields.name}}","Ann"`), `true: fields.x ?? fields.name, "Ann", equals "Ann"`},
		{"literals", compare("EQ", `"1",1`), `true: "1" equals 1`},
		{"texts of a number", compare("EQ", `"007","7"`), `false: "007" is different from "7"`},
		{"a number and a text that is no number", compare("EQ", `7,"7 "`), `false: 7 is different from "7 "`},
		{"a boolean in upper case", compare("EQ", `true,"TRUE"`), `false: true is different from "TRUE"`},
		{"a number by another spelling", compare("EQ", `"{{fields.age}}","17.0"`), `true: fields.age, 17, equals "17.0"`},
		{"values of numbers", compare("EQ", `"{{fields.age}}",17.0`), "true: fields.age, 17, equals 17.0"},
		{"large numbers", compare("GT", `"{{fields.big}}",1e399`), "true: fields.big, 1e400, is greater than 1e399"},
		{"dates", compare("LT", `"{{fields.born}}","2008-03-01"`), `true: fields.born, "2008-02-29", is less than "2008-03-01"`},
		{"between", compare("BETWEEN", `"{{fields.age}}",17,"17"`), `true: fields.age, 17, is between 17 and "17"`},
		{"outside", compare("NOT_BETWEEN", `"{{fields.age}}",18,20`), "true: fields.age, 17, is not between 18 and 20"},
		{
			"a list of variables", compare("INCLUDES", `"{{vars.codes}}","{{fields.age}}"`),
			`true: vars.codes, ["a","b","17"], includes fields.age, 17`,
		},
		{
			"templates in a list", compare("IN", `"Ann",["x","{{fields.name}}","{{fields.x}}"]`),
			`true: "Ann" is one of ["x","{{fields.name}}","{{fields.x}}"], ["x","Ann",null]`,
		},
		{
			"templates in an object", compare("EQ", `{"a":"Ann"},{"a":"{{fields.name}}","b":"{{fields.x}}"}`),
			`true: {"a":"Ann"} equals {"a":"{{fields.name}}","b":"{{fields.x}}"}, {"a":"Ann"}`,
		},
		{"pattern", compare("MATCHES", `"{{fields.name}}","{{vars.pattern}}"`), `true: fields.name, "Ann", matches vars.pattern, "^A.n$"`},
		{"exists", compare("EXISTS", `"{{fields.age}}"`), "true: fields.age, 17, exists"},

		{"unknown operator", puzzle, "unknown: the operator PUZZLE is unknown"},
		{
			"bad template", compare("EQ", `"{{fields.}}",1`),
			"unknown: the template fields. must have the name of a property before the end of the expression at byte 9",
		},
		{"bad template in a list", compare("IN", `1,[1,["{{"]]`), `unknown: the template [1,["{{"]] must close {{ with }} at byte 0`},
		{"bad pattern", compare("NOT_MATCHES", `"a","(?=a)"`), "unknown: the pattern (?=a) is not valid: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"},
		{"no condition", "null", "unknown: there is no condition"},
		{"no group", "true", "unknown: the condition is not a group of comparisons"},
		{"no operands", group("AND"), "unknown: the condition is not a group of comparisons"},
		{"too few operands", compare("BETWEEN", "1,2"), "unknown: the condition is not a group of comparisons"},

		{"and", group("AND", yes, yes), "true: 1 equals 1 and 1 equals 1"},
		{"and, false", group("AND", yes, no, puzzle), "false: 1 is different from 2"},
		{"and, unknown", group("AND", yes, puzzle, yes), "unknown: the operator PUZZLE is unknown"},
		{"and, unknown before false", group("AND", puzzle, no), "false: 1 is different from 2"},
		{"and, two unknown", group("AND", puzzle, puzzle), "unknown: the operator PUZZLE is unknown and the operator PUZZLE is unknown"},
		{"or", group("OR", no, yes, puzzle), "true: 1 equals 1"},
		{"or, false", group("OR", no, no), "false: 1 is different from 2 and 1 is different from 2"},
		{"or, unknown", group("OR", no, puzzle, no), "unknown: the operator PUZZLE is unknown"},
		{"or, unknown before true", group("OR", puzzle, yes), "true: 1 equals 1"},
		{"nested", group("AND", yes, group("OR", no, group("AND", yes))), "true: 1 equals 1 and 1 equals 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := explained(t, tt.condition, env); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A fact has the values of its operands, for readers that do not show its text.
func TestFacts(t *testing.T) {
	env := valuesEnv(t, map[string]string{"fields.age": "17"})
	j := condition.Compile(decoded(t, compare("LT", `"{{ fields.age }}",18`))).Judge(env)
	if len(j.Facts) != 1 || len(j.Facts[0].Operands) != 2 || j.Facts[0].Operator.Name != "LT" || j.Facts[0].Verdict != condition.True {
		t.Fatalf("got %+v", j)
	}
	want := [2]condition.Operand{
		{Text: "fields.age", Value: schema.Number("17"), Defined: true, Template: true},
		{Text: "18", Value: schema.Number("18"), Defined: true},
	}
	if got := [2]condition.Operand(j.Facts[0].Operands); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func FuzzCondition(f *testing.F) {
	for _, s := range []string{
		compare("EQ", `"{{a.b}}",["{{c.d}}",{"e":"{{f.g}}"}]`),
		group("OR", compare("MATCHES", `"a","[a-"`), compare("IN", `null,[null]`)), "[]", "null",
	} {
		f.Add(s)
	}
	env := valuesEnv(f, map[string]string{"a.b": "1", "c.d": `"x"`})
	f.Fuzz(func(t *testing.T, s string) {
		v, problems := schema.Decode([]byte(s))
		if len(problems) > 0 {
			return
		}
		j := condition.Compile(v).Judge(env)
		if (j.Verdict == condition.Unknown) != (j.Reason != "") || j.String() == "" {
			t.Errorf("%s: %+v", s, j)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	env := valuesEnv(b, map[string]string{"fields.age": "17", "fields.country": `"CH"`})
	for name, text := range map[string]string{
		"one": compare("EQ", `"{{fields.age}}",17`),
		"two": group("AND", compare("LT", `"{{fields.age}}",18`), compare("EQ", `"{{fields.country}}","CH"`)),
	} {
		c := condition.Compile(decoded(b, text))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				c.Judge(env)
			}
		})
	}
}
