package httpx_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
)

// texts are bodies with what StrictJSON must say of each.
var texts = []struct {
	name, text string
	want       bool
}{
	{"object", `{"name":"x","nodes":[1,-2.5e+3,true,false,null,"",{},[]]}`, true},
	{"space everywhere", " \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } } \n", true},
	{"any value alone", `"x"`, true},
	{"number alone", `0`, true},
	{"letters beyond ASCII", `{"prénom":"日本"}`, true},
	{"escapes in a value", `{"a":"\"\\\/\b\f\n\r\t\u00e9\uD7FF\ue000"}`, true},
	{"the same name in two objects", `{"a":{"a":1},"b":{"a":2}}`, true},
	{"the same name in an array", `[{"a":1},{"a":2}]`, true},
	{"name of an inner object used again", `{"o":{"k":1},"k":2}`, true},
	{"many names", manyKeys(300, ""), true},
	{"as many values as may be", "[" + strings.Repeat("0,", schema.MaxValues-2) + "0]", true},
	{"as deep as may be", strings.Repeat("[", schema.MaxDepth) + strings.Repeat("]", schema.MaxDepth), true},
	{"objects as deep as may be", deepObjects(schema.MaxDepth), true},
	{"as long as may be", `"` + strings.Repeat("x", schema.MaxBytes-2) + `"`, true},

	{"objects one too deep", deepObjects(schema.MaxDepth + 1), false},
	{"one value too many", "[" + strings.Repeat("0,", schema.MaxValues-1) + "0]", false},
	{"one too deep", strings.Repeat("[", schema.MaxDepth+1) + strings.Repeat("]", schema.MaxDepth+1), false},
	{"one byte too long", `"` + strings.Repeat("x", schema.MaxBytes-1) + `"`, false},
	{"nothing", "", false},
	{"space alone", " ", false},
	{"byte order mark", "\ufeff{}", false},
	{"two values", "{}{}", false},
	{"trailing bytes", "{}x", false},
	{"name twice", `{"a":1,"a":2}`, false},
	{"name twice, inside", `{"n":[{"a":1,"b":{"a":0},"a":2}]}`, false},
	{"name twice among many", manyKeys(300, `,"k7":0`), false},
	{"name twice among the later of many", manyKeys(300, `,"k250":0`), false},
	{"name twice, once escaped", `{"na\u006de":1,"name":2}`, false},
	{"exponent", `[1e5,-2.5E+3,1e-400]`, true},
	{"number as long as may be", strings.Repeat("1", 100), true},
	{"escaped quote", `"\""`, true},
	{"brackets in a text", `["\"` + strings.Repeat("[", schema.MaxDepth) + `"]`, true},
	{"surrogate pair", `"\ud83d\ude00"`, true},
	{"name with an escape", `{"na\u006de":1}`, true},

	{"number one too long", strings.Repeat("1", 101), false},
	{"one too deep between escaped quotes", `["\"",` + deepObjects(schema.MaxDepth) + `,"\""]`, false},
	{"number that does not fit 64 bits", `1e400`, false},
	{"lone surrogate", `"\ud800"`, false},
	{"low surrogate", `"\uDFFF"`, false},
	{"half an escape", `"\u12`, false},
	{"escape without digits", `"\u12g4"`, false},
	{"unknown escape", `"\x"`, false},
	{"escape at the end", `"\`, false},
	{"control character", "\"\x01\"", false},
	{"broken UTF-8", "\"\xff\"", false},
	{"open string", `"x`, false},
	{"NaN", `NaN`, false},
	{"leading zero", `01`, false},
	{"plus", `+1`, false},
	{"minus alone", `-`, false},
	{"no digit behind the dot", `1.`, false},
	{"no digit in the exponent", `1e+`, false},
	{"cut word", `tru`, false},
	{"word with more", `nullx`, false},
	{"comma at the end", `[1,]`, false},
	{"comma at the end of an object", `{"a":1,}`, false},
	{"no colon", `{"a" 1}`, false},
	{"no comma", `[1 2]`, false},
	{"open array", `[1`, false},
	{"open object", `{"a":1`, false},
	{"name that is not a string", `{a:1}`, false},
}

func deepObjects(n int) string { return strings.Repeat(`{"k":`, n-1) + "{}" + strings.Repeat("}", n-1) }

func manyKeys(n int, more string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"k` + strconv.Itoa(i) + `":0`)
	}
	return "{" + b.String()[1:] + more + "}"
}

func TestStrictJSON(t *testing.T) {
	for _, x := range texts {
		t.Run(x.name, func(t *testing.T) {
			p := httpx.StrictJSON([]byte(x.text))
			if (p == nil) != x.want {
				t.Fatalf("got %+v, want accepted: %v", p, x.want)
			}
			if p == nil {
				return
			}
			ps, ok := p.Problems.(schema.Problems)
			if p.Status != 400 || p.Code != httpx.CodeInvalidBody || !ok || len(ps) == 0 || ps[0].Detail == "" {
				t.Errorf("the refusal has no place: %+v", p)
			}
		})
	}
}

// checkStrict checks that StrictJSON accepts nothing that the decoder of forms refuses.
func checkStrict(t *testing.T, text string) {
	t.Helper()
	if _, problems := schema.Decode([]byte(text)); len(problems) > 0 && httpx.StrictJSON([]byte(text)) == nil {
		t.Errorf("%q is accepted, but the decoder says %v", text, problems)
	}
}

// Every text of the table, cut off, with a byte changed or with one more, is checked as strictly as by the decoder.
func TestStrictJSONAroundTexts(t *testing.T) {
	for _, x := range texts {
		if len(x.text) > 100 {
			continue
		}
		for i := range x.text {
			changed := []string{x.text[:i], x.text[i:], x.text[:i] + x.text[i+1:]}
			for _, c := range "\"\\{}[]:,0-.eu \x00\x7f\x80ſ" {
				changed = append(changed, x.text[:i]+string(c)+x.text[i:], x.text[:i]+string(c)+x.text[i+1:])
			}
			for _, text := range changed {
				checkStrict(t, text)
			}
		}
	}
}

// An object with very many names takes time in proportion to them; compared one by one they would take minutes.
func TestStrictJSONManyNames(t *testing.T) {
	if p := httpx.StrictJSON([]byte(manyKeys(schema.MaxValues-1, ""))); p != nil {
		t.Errorf("got %+v", p)
	}
}

func FuzzStrictJSON(f *testing.F) {
	for _, x := range texts {
		if len(x.text) < 1000 {
			f.Add(x.text)
		}
	}
	f.Fuzz(checkStrict)
}
