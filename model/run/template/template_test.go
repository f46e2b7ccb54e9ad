package template_test

import (
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

func TestExpressions(t *testing.T) {
	env := testEnv(t)
	tests := []struct{ expression, want string }{
		{"fields.name", `"Ann"`},
		{" \t\nfields.age\r", "17"},
		{"fields.yes", "true"},
		{"fields.nothing", "null"},
		{"fields.list", `["a","b",3]`},
		{"fields.phone", `{"number":"+41"}`},
		{"fields.phone.number", `"+41"`},
		{"fields['phone'][ \"number\" ]", `"+41"`},
		{"fields.list[0]", `"a"`},
		{"fields.list[ 2 ]", "3"},
		{"fields.list.1", `"b"`},
		{"fields.list.01", undefined},
		{"fields.list[3]", undefined},
		{"fields.deep.list[0].k", "1"},
		{"fields.deep.list[0][0]", undefined},
		{"fields.name.length", undefined},
		{"fields.nothing.x", undefined},
		{"fields.gone", undefined},
		{"fields.gone.x[1]", undefined},
		{"Fields.name", undefined},
		{"vars.fields.x", `"inner"`},
		{"actions.a.b", undefined},
		{"remaining_seconds", "9"},
		{"minLength", undefined},

		{"'a'", `"a"`},
		{`"it's"`, `"it's"`},
		{`'it\'s \"\n\té\u00e9\\ \q'`, `"it's \"\n\téé\\ q"`},
		{`'}}'`, `"}}"`},
		{"12", "12"},
		{"-1.50e+3", "-1.50e+3"},
		{"true", "true"},
		{"false", "false"},
		{"null", "null"},
		{"undefined", undefined},
		{"[]", "[]"},
		{"[1, 'a', [fields.age], fields.gone, null]", `[1,"a",[17],null,null]`},
		{"['a','b'][1]", `"b"`},
		{"(fields.age)", "17"},
		{"functions.split('a-b', '-')[1]", `"b"`},
		{"functions.toUpperCase(functions.slice(fields.name, 0, 1))", `"A"`},

		{"fields.gone ?? fields.name", `"Ann"`},
		{"fields.nothing??fields.name", `"Ann"`},
		{"fields.empty ?? fields.name", `""`},
		{"fields.zero ?? 1", "0"},
		{"fields.gone ?? fields.nothing ?? 'x'", `"x"`},
		{"fields.gone ?? fields.nothing", "null"},
		{"fields.nothing ?? fields.gone", undefined},
		{"fields.gone ?? (fields.gone ?? 1)", "1"},
		{"functions.length(fields.gone ?? 'ab')", "2"},

		{"t('hello')", `"message hello"`},
		{`t("hello")`, `"message hello"`},
		{"t(fields.name)", `"message Ann"`},
		{"t('gone')", undefined},
		{"t(1)", undefined},
		{"t('gone') ?? 'none'", `"none"`},
		{"t", undefined},
	}
	for _, tt := range tests {
		if got := evaluated(t, env, tt.expression); got != tt.want {
			t.Errorf("{{%s}}: got %s, want %s", tt.expression, got, tt.want)
		}
	}
}

func TestTexts(t *testing.T) {
	env := testEnv(t)
	tests := []struct{ text, want string }{
		{"", ""},
		{"no template } } {", "no template } } {"},
		{"Hello {{ fields.name }}, {{fields.age}}!", "Hello Ann, 17!"},
		{"{{fields.name}}{{fields.age}}", "Ann17"},
		{"{{fields.name}} ", "Ann "},
		{"[{{fields.gone}}][{{fields.nothing}}][{{fields.empty}}]", "[][][]"},
		{"{{fields.yes}} {{fields.list}} {{fields.phone}}", `true a,b,3 {"number":"+41"}`},
		{"{{{fields.name}}}", "{Ann}"},
		{"{{ open {{fields.name}}", "{{ open Ann"},
		{"{{fields.name}} {{ open", "Ann {{ open"},
		{"{{1 + 1}} {{fields.name}}", "{{1 + 1}} Ann"},
		{"<b>{{fields.name}}</b>", "<b>Ann</b>"},
	}
	for _, tt := range tests {
		parsed, _ := template.Parse(tt.text)
		if got := parsed.Text(env); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
		if parsed.String() != tt.text || parsed.Static() != (tt.want == tt.text) {
			t.Errorf("%q: String %q, Static %v", tt.text, parsed, parsed.Static())
		}
	}
}

// In HTML, values are data wherever the author's markup has them.
func TestHTML(t *testing.T) {
	for _, tt := range []struct{ html, value, want string }{
		{"<p>{{vars.v}}</p>", "Ada <ada@example.test>", "<p>Ada &lt;ada@example.test&gt;</p>"},
		{"{{vars.v}}", "<b>&amp;</b>", "&lt;b&gt;&amp;amp;&lt;/b&gt;"},
		{"<p>no value</p>", "x", "<p>no value</p>"},
		{`<a href="{{vars.v}}">a</a>`, `"><b x='y'`, `<a href="&#34;&gt;&lt;b x=&#39;y&#39;">a</a>`},
		{`<a title='{{vars.v}} "' href=x>{{vars.v}}</a>`, "' b", `<a title='&#39; b "' href=x>&#39; b</a>`},
		{"<a href={{vars.v}}>{{vars.v}}</a>", "x onclick=y", "<a href=x&#32;onclick&#61;y>x onclick=y</a>"},
		{"<a {{vars.v}} title=a>", "b/c d", "<a b&#47;c&#32;d title=a>"},
		{"<{{vars.v}}>", "b c", "<b c>"},
		{"a < b {{vars.v}} <3 {{vars.v}}", "c d", "a < b c d <3 c d"},
		{"<p title = \"{{vars.v}}\">{{vars.v}}", "c d", "<p title = \"c d\">c d"},
		{"<p title=a\"{{vars.v}}>{{vars.v}}", "c d", "<p title=a\"c&#32;d>c d"},
		{"<STYLE media=all>p{font:{{vars.v}}}</Style><p>{{vars.v}}</p>", "a b", "<STYLE media=all>p{font:a b}</Style><p>a b</p>"},
		{"<style>p > b{color:{{vars.v}}}", "#fff;}</style>", `<style>p > b{color:#fff\3b \7d \3c /style>}`},
		{"<style>p{}</style>{{vars.v}}<style/>{{vars.v}}", "a;", "<style>p{}</style>a;<style/>a\\3b "},
		{"<styles>{{vars.v}}", "a;", "<styles>a;"},
	} {
		env := &template.Env{Lookup: func(string, schema.Path) (any, bool) { return tt.value, true }}
		parsed, _ := template.Parse(tt.html)
		if got := parsed.HTML(env); got != tt.want {
			t.Errorf("%s with %s: got %s, want %s", tt.html, tt.value, got, tt.want)
		}
	}
	env := testEnv(t)
	env.Undefined = func(expression string) string { return "[" + expression + "]" }
	parsed, _ := template.Parse("{{fields.phone}} {{fields.list}} {{fields.age}} {{fields.yes}} {{fields.gone ?? vars['<b>']}}")
	if got, want := parsed.HTML(env), "{&#34;number&#34;:&#34;+41&#34;} a,b,3 17 true [fields.gone ?? vars[&#39;&lt;b&gt;&#39;]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A template that is exactly one expression has the type of its value, any other is a text.
func TestValueHasItsType(t *testing.T) {
	env := testEnv(t)
	for text, want := range map[string]any{
		"{{fields.age}}": schema.Number("17"), "{{ fields.yes }}": true, "{{fields.nothing}}": nil,
		" {{fields.age}}": " 17", "{{fields.age}}{{fields.gone}}": "17", "x": "x", "": "", "{{1 +}}": "{{1 +}}",
	} {
		parsed, _ := template.Parse(text)
		if got, ok := parsed.Value(env); got != want || !ok {
			t.Errorf("%q: got %#v, %v, want %#v", text, got, ok, want)
		}
	}
}

// A mistake is reported where it is, and the expression stays text.
func TestMistakes(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a {{fields.x", "must close {{ with }} at byte 2"},
		{"{{}}", "must have a value before the end of the expression at byte 2"},
		{"{{ functions.foo(1) }}", `must be a known function, is "foo" at byte 13`},
		{"{{functions.NOW()}}", `must be a known function, is "NOW" at byte 12`},
		{"{{functions.now}}", "must have ( after the name of a function before the end of the expression at byte 15"},
		{"{{functions}}", "must have the name of a function, as in functions.now() before the end of the expression at byte 11"},
		{"{{functions.length()}}", "must be called as length(value), has 0 arguments at byte 12"},
		{"{{functions.split('a','b',1,2)}}", "must be called as split(value, separator, limit?), has 4 arguments at byte 12"},
		{"{{now()}}", `must call t or functions.NAME, calls "now" at byte 2`},
		{"{{t()}}", "must be called as t(key), has 0 arguments at byte 2"},
		{"{{fields.a + 1}}", "must have ?? or }} here, has '+' at byte 11"},
		{"{{fields.a ? 1 : 2}}", "must have ?? or }} here, has '?' at byte 11"},
		{"{{fields .a}}", "must have ?? or }} here, has '.' at byte 9"},
		{"{{fields.}}", "must have the name of a property before the end of the expression at byte 9"},
		{"{{fields..a}}", "must have the name of a property here, has '.' at byte 9"},
		{"{{fields[a]}}", "must have an index or a name in quotes here, has 'a' at byte 9"},
		{"{{fields['a'}}", "must have ] before the end of the expression at byte 12"},
		{"{{fields[99999999999999999999]}}", "must be an index that exists, is 99999999999999999999 at byte 9"},
		{"{{fields.a ??}}", "must have a value before the end of the expression at byte 13"},
		{"{{?? fields.a}}", "must have a value here, has '?' at byte 2"},
		{"{{'a}}", "must close the quote ' at byte 2"},
		{"{{'\\u00g1'}}", `must have four hexadecimal digits after \u at byte 4`},
		{"{{'\\u00'}}", `must have four hexadecimal digits after \u at byte 4`},
		{"{{1.}}", "must be a number such as 12.5, is 1. at byte 2"},
		{"{{007}}", "must be a number such as 12.5, is 007 at byte 2"},
		{"{{1_000}}", "must be a number such as 12.5, is 1_000 at byte 2"},
		{"{{-fields.a}}", "must be a number such as 12.5, is -fields.a at byte 2"},
		{"{{[1 2]}}", "must have , or ] here, has '2' at byte 5"},
		{"{{[1,]}}", "must have a value here, has ']' at byte 5"},
		{"{{(1}}", "must have ) before the end of the expression at byte 4"},
		{"{{fields.a}} {{+}} {{-}}", "must have a value here, has '+' at byte 15; must be a number such as 12.5, is - at byte 21"},
		{"{{" + strings.Repeat("(", 40) + strings.Repeat(")", 40) + "}}", "must nest at most 32 deep at byte 34"},
	}
	for _, tt := range tests {
		parsed, errs := template.Parse(tt.text)
		var got []string
		for _, err := range errs {
			got = append(got, err.Error())
		}
		if got := strings.Join(got, "; "); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
		if text := parsed.Text(&template.Env{}); len(errs) == 1 && text != tt.text {
			t.Errorf("%q: got the text %q", tt.text, text)
		}
	}
}

// Nested calls cannot make a long text of a short one.
func TestTextsAreBounded(t *testing.T) {
	env := testEnv(t)
	expression := "fields.big"
	for range 15 {
		expression = "functions.toString(functions.split(" + expression + ", ''))"
	}
	if got := evaluated(t, env, expression); len(got) > 1<<18+2 {
		t.Errorf("got %d bytes", len(got))
	}
}

// A text that would be too long is not built first: here 256 MiB.
func TestLongReplacementIsNotBuilt(t *testing.T) {
	x := strings.Repeat("a", 1<<14)
	env := &template.Env{Lookup: func(string, schema.Path) (any, bool) { return x, true }}
	parsed, errs := template.Parse("{{functions.replaceAll(x, 'a', x)}}")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if v, ok := parsed.Value(env); ok {
		t.Errorf("got a text of %d bytes", len(v.(string)))
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<20 {
		t.Errorf("%d bytes were allocated", allocated)
	}
}

func FuzzTemplate(f *testing.F) {
	for _, tt := range functionTests {
		f.Add("{{" + tt.expression + "}}")
	}
	for _, s := range []string{"{{fields.a ?? t('x')}} and {{ 'it\\'s' }}", "{{{{'}}", "{{[[[", "{{fields['a'][0].b}}", "{{\"\\u12\"}}"} {
		f.Add(s)
	}
	env := testEnv(f)
	f.Fuzz(func(t *testing.T, s string) {
		parsed, errs := template.Parse(s)
		last := 0
		for _, err := range errs {
			if err.Offset < last || err.Offset > len(s) {
				t.Errorf("%q: %v after byte %d", s, err, last)
			}
			last = err.Offset
		}
		if parsed.Static() && parsed.Text(env) != s {
			t.Errorf("%q: the text is %q", s, parsed.Text(env))
		}
		v, ok := parsed.Value(env)
		if !ok {
			return
		}
		if text := schema.Encode(v); utf8.ValidString(s) && !utf8.Valid(text) {
			t.Errorf("%q: %q is not a text", s, text)
		}
	})
}

// A long text of any shape is parsed and evaluated at once; with quadratic time it would take hours.
func TestLongTexts(t *testing.T) {
	env := testEnv(t)
	for _, unit := range []string{
		"{{", "{{'", "{{fields.a}}", "{{ ' \" ", "{{'\\", "{{a ?? ", "{{[", "a}}", "{{functions.length('", "{{a.b[0]", "{", "}", "'", "\\",
		"{{fields.name}}", "a ?? ", "[0]", "('a',", ".a",
	} {
		for _, s := range []string{strings.Repeat(unit, 1<<16), "{{" + strings.Repeat(unit, 1<<16) + "}}", "{{a" + strings.Repeat(unit, 1<<16) + "}}"} {
			parsed, _ := template.Parse(s)
			parsed.Text(env)
		}
	}
}

func BenchmarkTemplate(b *testing.B) {
	env := testEnv(b)
	for name, n := range map[string]int{"1": 1, "10": 10, "100": 100, "1000": 1000} {
		s := strings.Repeat("Hello {{ fields.name ?? 'you' }}, {{functions.length(fields.list)}}. ", n)
		b.Run("parse/"+name, func(b *testing.B) {
			for range b.N {
				template.Parse(s)
			}
		})
		parsed, _ := template.Parse(s)
		b.Run("evaluate/"+name, func(b *testing.B) {
			for range b.N {
				parsed.Text(env)
			}
		})
	}
}

func TestVariables(t *testing.T) {
	tests := []struct{ text, want string }{
		{"{{a}} {{b.c[0]}}", "a b.c[0]"},
		{"{{a ?? 'x'}}", "a?"},
		{"{{a ?? b}}", "a? b"},
		{"{{a ?? b ?? null}}", "a? b?"},
		{"{{(a ?? b) ?? c}}", "a? b? c"},
		{"{{a ?? (b ?? c)}}", "a? b? c"},
		{"{{functions.length(a) ?? functions.length(b)}}", "a? b"},
		{"{{t(a) ?? (b)[0]}}", "a? b[0]"},
		{"{{[a] ?? 'x'}}", "a"},
		{"{{[a ?? b] ?? 'x'}}", "a? b"},
		{"{{a ?? 'x'}}{{a}}", "a? a"},
	}
	for _, tt := range tests {
		parsed, _ := template.Parse(tt.text)
		var got []string
		for _, v := range parsed.Variables() {
			text := schema.Path{schema.Key(v.Namespace)}.Join(v.Path).String()
			if v.Fallback {
				text += "?"
			}
			got = append(got, text)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s reads %s, want %s", tt.text, got, tt.want)
		}
	}
}
