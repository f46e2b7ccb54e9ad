package graph_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/schema"
)

func TestConditionWords(t *testing.T) {
	cmp := func(op, operands string) string { return `{"operator":"` + op + `","operands":[` + operands + `]}` }
	group := func(op string, of ...string) string { return cmp(op, strings.Join(of, ",")) }
	tests := []struct{ name, condition, want string }{
		{"equals", group("AND", cmp("EQ", `"{{fields.code}}","123"`)), "[fields.code] equals [123]"},
		{"spaces in the braces", cmp("NEQ", `"{{ vars.a }}","{{ vars.b }}"`), "[vars.a] is different from [vars.b]"},
		{"two", group("AND", cmp("GT", `"{{vars.tries}}",3`), cmp("EXISTS", `"{{context.user}}"`)), "[vars.tries] is greater than [3] and [context.user] exists"},
		{"nested", group("OR", cmp("EQ", `"a",true`), group("AND", cmp("LT", `"b",1`), cmp("LTE", `"c",2.50`))), "[a] equals [true] or ( [b] is less than [1] and [c] is at most [2.50] )"},
		{"nested single", group("AND", group("OR", cmp("GTE", `"b",1`))), "[b] is at least [1]"},
		{"between", cmp("BETWEEN", `"n",1,5`), "[n] is between [1] and [5]"},
		{"starts", cmp("STARTS_WITH", `"n",""`), `[n] starts with [""]`},
		{"ends", cmp("ENDS_WITH", `"n","x"`), `[n] ends with [x]`},
		{"includes", cmp("INCLUDES", `["a","b"],null`), `[["a","b"]] includes [null]`},
		{"unknown operator", cmp("SOUNDS_LIKE", `"{{a}}","b"`), "[a] sounds like [b]"},
		{"two variables in a text", cmp("EQ", `"{{a}} {{b}}","b"`), "[{{a}} {{b}}] equals [b]"},
		{"empty braces", cmp("EQ", `"{{ }}","b"`), "[{{ }}] equals [b]"},
		{"null", "null", "No condition"},
		{"a bool", "true", "Custom condition"},
		{"wrong number of operands", cmp("EQ", `"a"`), "Custom condition"},
		{"empty group", group("AND"), "Custom condition"},
		{"custom inside", group("AND", cmp("EQ", `"a","b"`), `{"x":1}`), "Custom condition"},
		{"operands no list", `{"operator":"EQ","operands":"a"}`, "Custom condition"},
		{"lower-case operator is unknown", cmp("eq", `"a","b"`), "[a] eq [b]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, problems := schema.Decode([]byte(tt.condition))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			var got []string
			for _, w := range graph.ConditionWords(v) {
				if w.Value {
					w.Text = "[" + w.Text + "]"
				}
				got = append(got, w.Text)
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLongConditionEnds(t *testing.T) {
	v := schema.NewObject(schema.Member{Key: "operator", Value: "EQ"}, schema.Member{Key: "operands", Value: []any{"a", "b"}})
	list := make([]any, 1000)
	for i := range list {
		list[i] = v
	}
	words := graph.ConditionWords(schema.NewObject(schema.Member{Key: "operator", Value: "OR"}, schema.Member{Key: "operands", Value: list}))
	if n := len(words); n > 40 || words[n-1].Text != "…" {
		t.Errorf("got %d words, the last %q", n, words[n-1].Text)
	}
}

func TestExcerpt(t *testing.T) {
	tests := []struct{ name, html, want string }{
		{"empty", "", ""},
		{"text", "plain", "plain"},
		{"tags", "<h1>One</h1><p>two\n  three</p>", "One two three"},
		{"entities once", "a &amp;lt; b&nbsp;c", "a &lt; b c"},
		{"no tag", "1 < 2 > 0", "1 < 2 > 0"},
		{"open tag at the end", "text <a href='x", "text <a href='x"},
		{"comment", "a<!-- <b>no</b> -->b", "a b"},
		{"only tags", "<p></p>", ""},
		{"cut", strings.Repeat("ä", 200), strings.Repeat("ä", 79) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := graph.Excerpt(tt.html); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzExcerpt(f *testing.F) {
	for _, s := range []string{"<p>a</p>", "<!--", "&amp;", "\xff<", "<a b='>'>c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := graph.Excerpt(s)
		if utf8.RuneCountInString(got) > 80 || strings.ContainsAny(got, "\n\t") {
			t.Errorf("got %q", got)
		}
	})
}
