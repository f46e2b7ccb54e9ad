package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
)

func TestDecodeRefuses(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	many := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("0,", n-1), ",") + "]" }
	tests := []struct {
		name, src string
		code      schema.Code
		offset    int
	}{
		{"nothing", "", schema.CodeSyntax, 0},
		{"byte order mark", "\ufeff{}", schema.CodeSyntax, 0},
		{"two values", "{} {}", schema.CodeSyntax, 3},
		{"trailing byte", "1x", schema.CodeSyntax, 1},
		{"word", "nul", schema.CodeSyntax, 0},
		{"NaN", "NaN", schema.CodeSyntax, 0},
		{"bad UTF-8 in a string", "\"a\xff\"", schema.CodeSyntax, 2},
		{"bad UTF-8 outside", "\xff", schema.CodeSyntax, 0},
		{"lone high surrogate", `"\ud800"`, schema.CodeSyntax, 1},
		{"lone low surrogate", `"\udc00"`, schema.CodeSyntax, 1},
		{"two high surrogates", `"\ud800\ud800"`, schema.CodeSyntax, 1},
		{"bad escape", `"\x"`, schema.CodeSyntax, 1},
		{"short \\u", `"\u12"`, schema.CodeSyntax, 1},
		{"control character", "\"a\nb\"", schema.CodeSyntax, 2},
		{"open string", `"a`, schema.CodeSyntax, 2},
		{"leading zero", "01", schema.CodeSyntax, 1},
		{"plus", "+1", schema.CodeSyntax, 0},
		{"bare point", "1.", schema.CodeSyntax, 2},
		{"bare exponent", "1e", schema.CodeSyntax, 2},
		{"minus", "-", schema.CodeSyntax, 1},
		{"trailing comma", "[1,]", schema.CodeSyntax, 3},
		{"comma in object", `{"a":1,}`, schema.CodeSyntax, 7},
		{"no colon", `{"a" 1}`, schema.CodeSyntax, 5},
		{"key no string", `{a:1}`, schema.CodeSyntax, 1},
		{"too deep", deep(schema.MaxDepth + 1), schema.CodeLimit, schema.MaxDepth},
		{"too many values", many(schema.MaxValues + 1), schema.CodeLimit, 2*schema.MaxValues - 1},
		{"too large", strings.Repeat(" ", schema.MaxBytes+1), schema.CodeLimit, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, ps := schema.Decode([]byte(tt.src))
			if len(ps) != 1 || ps[0].Code != tt.code || v != nil {
				t.Fatalf("got %v and %v, want one %s and no tree", ps, v, tt.code)
			}
			if ps[0].Offset != tt.offset {
				t.Errorf("offset %d, want %d", ps[0].Offset, tt.offset)
			}
		})
	}
	for name, src := range map[string]string{"as deep as may be": deep(schema.MaxDepth), "as many as may be": many(schema.MaxValues)} {
		if _, ps := schema.Decode([]byte(src)); len(ps) > 0 {
			t.Errorf("%s: %v", name, ps)
		}
	}
}

func TestDuplicateKeys(t *testing.T) {
	src := []byte(`{"a":{"x":1,"x":2},"na\u006de":1,"name":2}`)
	v, ps := schema.Decode(src)
	want := []struct {
		path   string
		offset int
	}{{"a.x", 12}, {"name", 33}}
	if len(ps) != len(want) {
		t.Fatalf("problems %v", ps)
	}
	for i, w := range want {
		if ps[i].Path.String() != w.path || ps[i].Code != schema.CodeDuplicateKey || ps[i].Offset != w.offset {
			t.Errorf("problem %d: %v at %d, want %s at %d", i, ps[i], ps[i].Offset, w.path, w.offset)
		}
	}
	if got := string(schema.Encode(v)); got != `{"a":{"x":2},"name":2}` {
		t.Errorf("tree %s, want the last values", got)
	}
}

func TestPathText(t *testing.T) {
	for _, s := range []string{
		"", "a", "nodes[3].config.components[2].config.text", `translations["pt-BR"].x`, `["a b"]`, `[""].b`,
		`a["\"]"][0]`, "_a1",
	} {
		p, err := schema.ParsePath(s)
		if err != nil || p.String() != s {
			t.Errorf("%q reads as %q, %v", s, p, err)
		}
	}
	for _, s := range []string{"a.", ".a", "a..b", "a[", "a[01]", "a[-1]", "a b", `a["x]`, "[0]x"} {
		if p, err := schema.ParsePath(s); err == nil {
			t.Errorf("%q reads as %v, want an error", s, p)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"1", "1.0", 0},
		{"1e2", "100", 0},
		{"-0", "0", 0},
		{"0e9", "0.00", 0},
		{"10e-1", "1", 0},
		{"0.0099999999999999999999", "0.01", -1},
		{"1e400", "1e399", 1},
		{"-1e400", "1", -1},
		{"-2", "-1", -1},
		{"0.1", "0.09", 1},
		{"1e99999999999999999999", "9", 1},
		{"1e-99999999999999999999", "0.1", -1},
		{"123456789012345678901", "123456789012345678900", 1},
	} {
		if got := schema.Number(tt.a).Compare(schema.Number(tt.b)); got != tt.want {
			t.Errorf("%s against %s: %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := schema.Number(tt.b).Compare(schema.Number(tt.a)); got != -tt.want {
			t.Errorf("%s against %s: %d, want %d", tt.b, tt.a, got, -tt.want)
		}
	}
	for s, want := range map[string]bool{
		"1": true, "1.0": true, "1.5": false, "15e-1": false, "150e-1": true, "1e400": true, "0.0": true,
		"1e-400": false,
	} {
		if got := schema.Number(s).Integer(); got != want {
			t.Errorf("%s is an integer: %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]int{"-12": -12, "1.2e3": 1200, "-0.0": 0, "10e-1": 1} {
		if got, ok := schema.Number(s).Int(); !ok || got != want {
			t.Errorf("%s as an int: %d %v, want %d", s, got, ok, want)
		}
	}
	for _, s := range []string{"1.5", "1e30", "99999999999999999999"} {
		if got, ok := schema.Number(s).Int(); ok {
			t.Errorf("%s as an int: %d, want none", s, got)
		}
	}
}

func TestEdits(t *testing.T) {
	doc := func(s string) any {
		v, ps := schema.Decode([]byte(s))
		if len(ps) > 0 {
			t.Fatal(ps)
		}
		return v
	}
	base := doc(`{"a":[1,2,3],"b":{"c":true}}`)
	frozen := string(schema.Encode(base))
	for _, tt := range []struct{ op, path, want string }{
		{"set", "a[1]", `{"a":[1,"v",3],"b":{"c":true}}`},
		{"set", "a[3]", `{"a":[1,2,3,"v"],"b":{"c":true}}`},
		{"set", "x.y.z", `{"a":[1,2,3],"b":{"c":true},"x":{"y":{"z":"v"}}}`},
		{"set", "a[5]", ""},
		{"set", "a.x", ""},
		{"set", "b.c.d", ""},
		{"clear", "a[0]", `{"a":[2,3],"b":{"c":true}}`},
		{"clear", "b", `{"a":[1,2,3]}`},
		{"clear", "x.y", frozen},
		{"clear", "", ""},
		{"insert", "a[0]", `{"a":["v",1,2,3],"b":{"c":true}}`},
		{"insert", "n[0]", `{"a":[1,2,3],"b":{"c":true},"n":["v"]}`},
		{"insert", "b", ""},
		{"insert", "a[9]", ""},
	} {
		p, err := schema.ParsePath(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		switch tt.op {
		case "set":
			got, err = schema.Set(base, p, "v")
		case "clear":
			got, err = schema.Clear(base, p)
		default:
			got, err = schema.Insert(base, p, "v")
		}
		switch {
		case tt.want == "" && err == nil:
			t.Errorf("%s %s: %s, want an error", tt.op, tt.path, schema.Encode(got))
		case tt.want != "" && (err != nil || string(schema.Encode(got)) != tt.want):
			t.Errorf("%s %s: %v, %v, want %s", tt.op, tt.path, got, err, tt.want)
		}
		if string(schema.Encode(base)) != frozen {
			t.Fatalf("%s %s wrote to the tree it was given", tt.op, tt.path)
		}
	}
}

func TestLocate(t *testing.T) {
	src := []byte("{\n  \"a\": {\"é\": 1, \"x\": [10, 20]},\n  \"b\": 2\n}")
	at := func(path string, c schema.Code) string {
		p, err := schema.ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		ps := schema.Problems{{Path: p, Code: c, Offset: -1}}
		schema.Locate(src, ps)
		line, column := schema.Position(src, ps[0].Offset)
		return string(rune('0'+line)) + ":" + strings.Repeat("|", column)
	}
	for _, tt := range []struct {
		path   string
		code   schema.Code
		line   int
		column int
	}{
		{"a.x[1]", schema.CodeType, 2, 27},
		{"b", schema.CodeType, 3, 8},
		{"b", schema.CodeUnknown, 3, 3},
		{"a.gone", schema.CodeRequired, 2, 8},
		{"gone", schema.CodeRequired, 1, 1},
		{"", schema.CodeType, 1, 1},
	} {
		if got, want := at(tt.path, tt.code), string(rune('0'+tt.line))+":"+strings.Repeat("|", tt.column); got != want {
			t.Errorf("%s %s is at %s, want %d:%d", tt.path, tt.code, got, tt.line, tt.column)
		}
	}
}

// Decode must agree with encoding/json about what is JSON, except where one of its own
// rules is stricter, and about the value.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00\n",null,true]}`, `[[[]]]`, `{"a":1,"a":2}`, `"\ud800"`, "\ufeff1",
		`1e400`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, ps := schema.Decode(src)
		if len(ps) > 0 && ps[0].Code != schema.CodeDuplicateKey {
			if v != nil || len(ps) != 1 {
				t.Fatalf("a fatal problem with a tree or with others: %v", ps)
			}
			return
		}
		if !json.Valid(src) {
			t.Fatalf("%q is not valid JSON", src)
		}
		again, ps2 := schema.Decode(schema.Encode(v))
		if len(ps2) > 0 || !schema.Equal(v, again) {
			t.Fatalf("%q changes its value when it is written: %v", src, ps2)
		}
		if again, ps2 = schema.Decode(schema.EncodeIndent(v)); len(ps2) > 0 || !schema.Equal(v, again) {
			t.Fatalf("%q changes its value when it is written indented: %v", src, ps2)
		}
		schema.Locate(src, ps)
	})
}
