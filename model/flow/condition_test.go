package flow_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

func cmp(op, operands string) string {
	return `{"operator":"` + op + `","operands":[` + operands + `]}`
}

func group(op string, of ...string) string { return cmp(op, strings.Join(of, ",")) }

func value(t *testing.T, src string) any {
	t.Helper()
	v, problems := schema.Decode([]byte(src))
	if len(problems) > 0 {
		t.Fatalf("%v in %s", problems, src)
	}
	return v
}

func marked(words []flow.Word) string {
	var out []string
	for _, w := range words {
		if w.Value {
			w.Text = "[" + w.Text + "]"
		}
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

var conditionTests = []struct{ name, condition, words, text string }{
	{"equals", group("AND", cmp("EQ", `"{{fields.code}}","123"`)), "[fields.code] equals [123]", "fields.code equals 123"},
	{
		"spaces in the braces",
		cmp("NEQ", `"{{ vars.a }}","{{ vars.b }}"`),
		"[vars.a] is different from [vars.b]",
		"vars.a is different from vars.b",
	},
	{
		"two",
		group("AND", cmp("GT", `"{{vars.tries}}",3`), cmp("EXISTS", `"{{context.user}}"`)),
		"[vars.tries] is greater than [3] and [context.user] exists",
		"vars.tries is greater than 3 and context.user exists",
	},
	{
		"nested", group("OR", cmp("EQ", `"a",true`), group("AND", cmp("LT", `"b",1`), cmp("LTE", `"c",2.50`))),
		"[a] equals [true] or ( [b] is less than [1] and [c] is at most [2.50] )", "a equals true or (b is less than 1 and c is at most 2.50)",
	},
	{"nested single", group("AND", group("OR", cmp("GTE", `"b",1`))), "[b] is at least [1]", "b is at least 1"},
	{"between", cmp("BETWEEN", `"n",1,5`), "[n] is between [1] and [5]", "n is between 1 and 5"},
	{"starts", cmp("STARTS_WITH", `"n",""`), "[n] starts with [an empty text]", "n starts with an empty text"},
	{"blank", cmp("EQ", `"n","  "`), `[n] equals ["  "]`, `n equals "  "`},
	{"ends", cmp("ENDS_WITH", `"n","x"`), `[n] ends with [x]`, `n ends with x`},
	{"includes", cmp("INCLUDES", `["a","b"],null`), `[["a","b"]] includes [null]`, `["a","b"] includes null`},
	{"unknown operator", cmp("SOUNDS_LIKE", `"{{a}}","b"`), "[a] sounds like [b]", "a sounds like b"},
	{"unknown operator with three operands", cmp("Xor", `1,2,3`), "[1] xor [2] and [3]", "1 xor 2 and 3"},
	{"two variables in a text", cmp("EQ", `"{{a}} {{b}}","b"`), "[{{a}} {{b}}] equals [b]", "{{a}} {{b}} equals b"},
	{"empty braces", cmp("EQ", `"{{ }}","b"`), "[{{ }}] equals [b]", "{{ }} equals b"},
	{
		"values that are brackets",
		group("AND", cmp("EQ", `"(",")"`), cmp("EQ", `"(",")"`)),
		"[(] equals [)] and [(] equals [)]",
		"( equals ) and ( equals )",
	},
	{"spaces around", cmp("EQ", `"  {{a}} ","\t b c\n"`), "[a] equals [b c]", "a equals b c"},
	{"null", "null", "No condition", ""},
	{"a bool", "true", "Custom condition", ""},
	{"wrong number of operands", cmp("EQ", `"a"`), "Custom condition", ""},
	{"no operands", cmp("SOUNDS_LIKE", ``), "Custom condition", ""},
	{"empty group", group("AND"), "Custom condition", ""},
	{"custom inside", group("AND", cmp("EQ", `"a","b"`), `{"x":1}`), "Custom condition", ""},
	{"operands no list", `{"operator":"EQ","operands":"a"}`, "Custom condition", ""},
	{"operator no text", `{"operator":1,"operands":[1,2]}`, "Custom condition", ""},
	{"lower-case operator is unknown", cmp("eq", `"a","b"`), "[a] eq [b]", "a eq b"},
	{"another member", `{"operator":"EQ","operands":["a","b"],"not":true}`, "[a] equals [b]", ""},
	{"another member inside", group("AND", `{"operator":"EQ","operands":["a","b"],"not":true}`), "[a] equals [b]", ""},
	{"members in another order", `{"operands":["a","b"],"operator":"EQ"}`, "[a] equals [b]", "a equals b"},
}

func TestWords(t *testing.T) {
	for _, tt := range conditionTests {
		t.Run(tt.name, func(t *testing.T) {
			if got := marked(flow.Words(nil, value(t, tt.condition))); got != tt.words {
				t.Errorf("got %q, want %q", got, tt.words)
			}
		})
	}
}

// A parsed condition has the tree that it was parsed from, and other shapes are not parsed.
func TestParseCondition(t *testing.T) {
	for _, tt := range conditionTests {
		t.Run(tt.name, func(t *testing.T) {
			v := value(t, tt.condition)
			c, ok := flow.ParseCondition(v)
			if !ok {
				if tt.text != "" || c != nil {
					t.Errorf("is not parsed (%v), want %q", c, tt.text)
				}
				return
			}
			if got := c.String(); got != tt.text {
				t.Errorf("got %q, want %q", got, tt.text)
			}
			if got := c.Tree(); !schema.Equal(got, v) {
				t.Errorf("written as %s, was %s", schema.Encode(got), tt.condition)
			}
		})
	}
}

func TestConditionParts(t *testing.T) {
	c, _ := flow.ParseCondition(value(t, group("OR", cmp("EQ", `"{{a}}",1.0`), group("AND", cmp("EXISTS", `"b"`)))))
	g, ok := c.(*flow.Group)
	if !ok || g.Operator != flow.Or || len(g.Of) != 2 {
		t.Fatalf("got %#v", c)
	}
	eq, ok := g.Of[0].(*flow.Comparison)
	if !ok || eq.Operator != "EQ" || len(eq.Operands) != 2 || eq.Operands[0] != "{{a}}" || eq.Operands[1] != schema.Number("1.0") {
		t.Errorf("got %#v", g.Of[0])
	}
	if in, ok := g.Of[1].(*flow.Group); !ok || in.Operator != flow.And || len(in.Of) != 1 {
		t.Errorf("got %#v", g.Of[1])
	}
	if got := (&flow.Group{Operator: flow.And}).String(); got != "Custom condition" {
		t.Errorf("an empty group says %q", got)
	}
}

func TestLongConditionEnds(t *testing.T) {
	list := make([]any, 1000)
	for i := range list {
		list[i] = object("operator", "EQ", "operands", []any{"a", strings.Repeat("é", 100)})
	}
	long := object("operator", "OR", "operands", list)
	words := flow.Words(nil, long)
	// Six comparisons with their conjunctions are within the bound of 24 words; the
	// seventh exceeds it.
	if n := len(words); n != 29 || words[n-1] != (flow.Word{Text: "…"}) {
		t.Errorf("got %d words, the last %q", n, words[n-1].Text)
	}
	if got := words[2].Text; utf8.RuneCountInString(got) != 80 || !strings.HasSuffix(got, "é…") {
		t.Errorf("a long value is %q", got)
	}
	if got := flow.Words(nil, object("operator", "EQ", "operands", []any{"a", strings.Repeat("é", 80)}))[2].Text; got != strings.Repeat("é", 80) {
		t.Errorf("a value of the longest length is %q", got)
	}
	for name, v := range map[string]any{
		"text": strings.Repeat("é", 81), "variable": "{{ " + strings.Repeat("é", 81) + " }}", "list": []any{strings.Repeat("é", 90)},
	} {
		if got := flow.Words(nil, object("operator", "EXISTS", "operands", []any{v}))[0].Text; utf8.RuneCountInString(got) != 80 ||
			!strings.HasSuffix(got, "é…") {
			t.Errorf("a long %s is %q", name, got)
		}
	}
	c, ok := flow.ParseCondition(long)
	if !ok {
		t.Fatal("is not parsed")
	}
	if got, want := c.String(), strings.Repeat(" or a equals "+strings.Repeat("é", 100), 1000)[4:]; got != want {
		t.Errorf("the whole text has %d bytes, want %d", len(got), len(want))
	}
}

// The names are part of the format of forms, so changing one changes the format.
const operatorRows = `EQ 2 equals
NEQ 2 is different from
GT 2 is greater than
GTE 2 is at least
LT 2 is less than
LTE 2 is at most
BETWEEN 3 is between
NOT_BETWEEN 3 is not between
INCLUDES 2 includes
NOT_INCLUDES 2 does not include
CONTAINS 2 contains
NOT_CONTAINS 2 does not contain
IN 2 is one of
NOT_IN 2 is not one of
STARTS_WITH 2 starts with
NOT_STARTS_WITH 2 does not start with
ENDS_WITH 2 ends with
NOT_ENDS_WITH 2 does not end with
MATCHES 2 matches
NOT_MATCHES 2 does not match
EXISTS 1 exists
NOT_EXISTS 1 does not exist
IS_EMPTY 1 is empty
IS_NOT_EMPTY 1 is not empty
`

func TestOperators(t *testing.T) {
	var rows strings.Builder
	for _, o := range flow.Operators {
		fmt.Fprintln(&rows, o.Name, o.Operands, o.Words)
	}
	if rows.String() != operatorRows {
		t.Errorf("the table:\n%s\nwant:\n%s", rows.String(), operatorRows)
	}
	seen := map[string]bool{"AND": true, "OR": true}
	for _, o := range flow.Operators {
		if seen[o.Name] || seen[o.Words] || o.Words == "" || o.Operands < 1 {
			t.Errorf("bad row %+v", o)
		}
		seen[o.Name], seen[o.Words] = true, true
		if got, ok := flow.OperatorOf(o.Name); !ok || got != o {
			t.Errorf("OperatorOf(%q) = %+v, %v", o.Name, got, ok)
		}
		operands := strings.Repeat(`,"x"`, o.Operands)[1:]
		if _, ok := flow.ParseCondition(value(t, cmp(o.Name, operands))); !ok {
			t.Errorf("%s with %d operands is not parsed", o.Name, o.Operands)
		}
		if _, ok := flow.ParseCondition(value(t, cmp(o.Name, operands+`,"x"`))); ok {
			t.Errorf("%s with %d operands is parsed", o.Name, o.Operands+1)
		}
	}
	for _, o := range flow.Operators {
		if of, ok := flow.OperatorOf(o.Negates); o.Negates != "" && (!ok || of.Negates != "" || of.Operands != o.Operands) {
			t.Errorf("%s negates %+v", o.Name, of)
		}
		if negative := strings.Contains(o.Name, "NOT_") || o.Name == "NEQ"; negative != (o.Negates != "") {
			t.Errorf("%s negates %q", o.Name, o.Negates)
		}
	}
	if o, ok := flow.OperatorOf("eq"); ok {
		t.Errorf("OperatorOf(eq) = %+v", o)
	}
}

// randomCondition returns a condition of the known shape.
func randomCondition(r *rand.Rand, depth int) any {
	if depth > 0 && r.IntN(2) == 0 {
		list := make([]any, 1+r.IntN(3))
		for i := range list {
			list[i] = randomCondition(r, depth-1)
		}
		return object("operator", []string{"AND", "OR"}[r.IntN(2)], "operands", list)
	}
	o := flow.Operators[r.IntN(len(flow.Operators))]
	if r.IntN(8) == 0 {
		o = flow.Operator{Name: "MY_OWN", Operands: 1 + r.IntN(4)}
	}
	values := []any{"{{fields.a}}", "", "x", true, nil, schema.Number("1e2"), []any{"y"}, object("operator", "z")}
	list := make([]any, o.Operands)
	for i := range list {
		list[i] = values[r.IntN(len(values))]
	}
	return object("operator", o.Name, "operands", list)
}

func TestConditionRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range sizetest.Of(0, 500, 20_000) {
		v := randomCondition(r, 4)
		c, ok := flow.ParseCondition(v)
		if !ok {
			t.Fatalf("is not parsed: %s", schema.Encode(v))
		}
		checkCondition(t, v, c)
	}
}

// checkCondition checks the laws of a parsed condition.
func checkCondition(t *testing.T, v any, c flow.Condition) {
	t.Helper()
	if !schema.Equal(c.Tree(), v) {
		t.Fatalf("written as %s, was %s", schema.Encode(c.Tree()), schema.Encode(v))
	}
	again, ok := flow.ParseCondition(c.Tree())
	if !ok || again.String() != c.String() {
		t.Fatalf("parsed again: %v, want %v", again, c)
	}
	// Both texts begin with the same words.
	words := flow.Words(nil, v)
	text := strings.ReplaceAll(c.String(), " ", "")
	for _, w := range words {
		if !w.Value && w.Text == "…" || w.Value && strings.HasSuffix(w.Text, "…") {
			return
		}
		rest, ok := strings.CutPrefix(text, strings.ReplaceAll(w.Text, " ", ""))
		if !ok {
			t.Fatalf("the words %q are not those of %q", marked(words), c)
		}
		text = rest
	}
	if text != "" {
		t.Fatalf("the words %q end before %q", marked(words), c)
	}
}

func FuzzCondition(f *testing.F) {
	for _, tt := range conditionTests {
		f.Add([]byte(tt.condition))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, ps := schema.Decode(src)
		if len(ps) > 0 {
			return
		}
		words := flow.Words(nil, v)
		if len(words) == 0 {
			t.Fatal("no words")
		}
		c, ok := flow.ParseCondition(v)
		if ok {
			checkCondition(t, v, c)
		}
		if custom := len(words) == 1; custom && ok {
			t.Fatalf("%v is parsed and has the words %q", c, marked(words))
		}
	})
}
