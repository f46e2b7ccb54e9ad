package condition_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// kinds are the values of the tables below, by the letter that stands for each: a row is the operand on the left, from a template, a column
// the operand on the right, written in the condition (but u, which only a template can be).
var kinds = []struct {
	letter, json string // "" for undefined
}{
	{"u", ""},
	{"n", "null"},
	{"s", `"Ann"`},
	{"e", `""`},
	{"N", `"17"`},
	{"T", `"true"`},
	{"d", "17"},
	{"t", "true"},
	{"a", `["Ann",17]`},
	{"o", `{"Ann":17}`},
}

func decoded(tb testing.TB, text string) any {
	tb.Helper()
	v, problems := schema.Decode([]byte(text))
	if len(problems) > 0 {
		tb.Fatalf("%s: %v", text, problems)
	}
	return v
}

// kindsEnv has every kind as vars.LETTER.
func kindsEnv(tb testing.TB) *template.Env {
	tb.Helper()
	vars := map[string]any{}
	for _, k := range kinds {
		if k.json != "" {
			vars[k.letter] = decoded(tb, k.json)
		}
	}
	return &template.Env{Lookup: func(namespace string, path schema.Path) (any, bool) {
		if namespace != "vars" || len(path) == 0 {
			return nil, false
		}
		v, ok := vars[path[0].Key]
		if !ok {
			return nil, false
		}
		return template.At(v, path[1:])
	}}
}

// table returns which operands satisfy an operator, for each kind on the left the kinds on the right, "!" behind those that cannot be
// judged.
func table(t *testing.T, o flow.Operator) string {
	t.Helper()
	env := kindsEnv(t)
	judge := func(operands ...string) string {
		c := condition.Compile(decoded(t, fmt.Sprintf(`{"operator":%q,"operands":[%s]}`, o.Name, strings.Join(operands, ","))))
		return map[condition.Verdict]string{condition.True: "1", condition.Unknown: "!"}[c.Judge(env).Verdict]
	}
	var rows []string
	for _, left := range kinds {
		row := left.letter + ":"
		variable := `"{{vars.` + left.letter + `}}"`
		if o.Operands == 1 {
			row += judge(variable)
		}
		for _, right := range kinds {
			literal := right.json
			if literal == "" {
				literal = `"{{vars.u}}"`
			}
			var holds string
			switch o.Operands {
			case 2:
				holds = judge(variable, literal)
			case 3:
				holds = judge(variable, literal, literal)
			}
			switch holds {
			case "1":
				row += right.letter
			case "!":
				row += right.letter + "!"
			}
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, " ")
}

// The rules: undefined and null satisfy nothing but EQ null, EXISTS and IS_EMPTY; only equal types are equal, except a text and
// the number or boolean that it spells; only numbers and texts have an order, and texts that spell a number are numbers; arrays include elements, texts
// include texts; numbers and booleans are texts where a text is needed.
var tables = map[string]string{
	"EQ":          "u: n:n s:s e:e N:Nd T:Tt d:Nd t:Tt a:a o:o",
	"GT":          "u: n: s:e e: N: T:se d: t: a: o:",
	"GTE":         "u: n: s:se e:e N:Nd T:seT d:Nd t: a: o:",
	"LT":          "u: n: s:T e:sT N: T: d: t: a: o:",
	"LTE":         "u: n: s:sT e:seT N:Nd T:T d:Nd t: a: o:",
	"BETWEEN":     "u: n: s:s e:e N:Nd T:T d:Nd t: a: o:",
	"INCLUDES":    "u: n: s:se e:e N:eNd T:eTt d:eNd t:eTt a:sNd o:",
	"CONTAINS":    "u: n: s:se e:e N:eNd T:eTt d:eNd t:eTt a:sNd o:",
	"IN":          "u: n:n s:sa e:e N:Nda T:Tt d:Nda t:Tt a: o:o",
	"STARTS_WITH": "u: n: s:se e:e N:eNd T:eTt d:eNd t:eTt a: o:",
	"ENDS_WITH":   "u: n: s:se e:e N:eNd T:eTt d:eNd t:eTt a: o:",
	"MATCHES":     "u: n: s:se e:e N:eNd T:eTt d:eNd t:eTt a: o:",
	"EXISTS":      "u: n:1 s:1 e:1 N:1 T:1 d:1 t:1 a:1 o:1",
	"IS_EMPTY":    "u:1 n:1 s: e:1 N: T: d: t: a: o:",
}

func TestOperatorsOnEveryType(t *testing.T) {
	for _, o := range flow.Operators {
		want, ok := tables[o.Name]
		if o.Negates != "" {
			want, ok = complement(tables[o.Negates], o.Operands), tables[o.Negates] != ""
		}
		if !ok {
			t.Errorf("%s has no table", o.Name)
		}
		if got := table(t, o); got != want {
			t.Errorf("%s:\n got %s\nwant %s", o.Name, got, want)
		}
	}
}

// complement returns the table of the operator that negates another.
func complement(table string, operands int) string {
	rows := strings.Split(table, " ")
	for i, row := range rows {
		left, right, _ := strings.Cut(row, ":")
		rows[i] = left + ":"
		if operands == 1 {
			rows[i] += strings.Repeat("1", 1-len(right))
			continue
		}
		for _, k := range kinds {
			if !strings.Contains(right, k.letter) {
				rows[i] += k.letter
			}
		}
	}
	return strings.Join(rows, " ")
}
