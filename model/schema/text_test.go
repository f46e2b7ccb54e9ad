package schema_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

func TestShorten(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 1, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"ab", 1, "…"}, {"a\xffb\xff", 3, "a\xff…"},
	} {
		if got := schema.Shorten(tt.in, tt.n); got != tt.want {
			t.Errorf("%q to %d: got %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

// A rule with a secret at any depth is recognized.
func TestHoldsSecret(t *testing.T) {
	secret, open := schema.String{Secret: true}, schema.String{}
	row := func(s schema.Spec) schema.Table { return schema.Table{{Name: "a", Spec: open}, {Name: "b", Spec: s}} }
	wrap := map[string]func(s schema.Spec) schema.Spec{
		"itself":   func(s schema.Spec) schema.Spec { return s },
		"table":    func(s schema.Spec) schema.Spec { return row(s) },
		"open":     func(s schema.Spec) schema.Spec { return schema.Open{Rows: row(s)} },
		"map":      func(s schema.Spec) schema.Spec { return schema.Map{Value: s} },
		"list":     func(s schema.Spec) schema.Spec { return schema.List{Item: s} },
		"nullable": func(s schema.Spec) schema.Spec { return schema.Nullable{Spec: s} },
		"either":   func(s schema.Spec) schema.Spec { return schema.Either{Of: []schema.Spec{open, s}} },
		"union":    func(s schema.Spec) schema.Spec { return schema.Union{Arms: []schema.Arm{{Spec: open}, {Spec: s}}} },
		"choice": func(s schema.Spec) schema.Spec {
			return schema.Choice{Options: []schema.Option{{Row: schema.Row{Spec: open}}, {Row: schema.Row{Spec: s}}}}
		},
	}
	for name, w := range wrap {
		if !schema.HoldsSecret(w(secret)) {
			t.Errorf("%s: a secret is not found", name)
		}
		if schema.HoldsSecret(w(open)) {
			t.Errorf("%s: a secret is found where there is none", name)
		}
	}
	for _, s := range []schema.Spec{schema.Any{}, schema.Bool{}, schema.True{}, schema.Enum{"a"}, schema.Numeric{}} {
		if schema.HoldsSecret(s) {
			t.Errorf("%T: a secret is found where there is none", s)
		}
	}
}

// What people see as one character is shown whole or not at all, and in as much of the room as there is.
func TestCutDividesNoCharacter(t *testing.T) {
	characters := []string{
		"a", " ", "é", "e\u0301", "o\u0308\u0323", "ש\u05bc\u05c1", "नि", "日", "か\u3099", "ᄒ\u1161\u11ab", "😀", "👍\U0001f3fd", "👩\u200d👩\u200d👧\u200d👦", "❤\ufe0f", "🏳\ufe0f\u200d🌈",

		"1\ufe0f\u20e3", "🇪🇸", "🇩🇪", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var parts []string
		for range 1 + r.IntN(6) {
			parts = append(parts, characters[r.IntN(len(characters))])
		}
		text := strings.Join(parts, "")
		for n := range utf8.RuneCountInString(text) + 2 {
			want := ""
			for _, c := range parts {
				if utf8.RuneCountInString(want+c) > n {
					break
				}
				want += c
			}
			if got := schema.Cut(text, n); got != want {
				t.Fatalf("%q cut at %d is %q, want %q", text, n, got, want)
			}
			if want != text && n > 0 {
				if got, head := schema.Shorten(text, n), schema.Cut(text, n-1); got != head+"…" {
					t.Fatalf("%q shortened to %d is %q, want %q", text, n, got, head+"…")
				}
			}
		}
	}
}

// A mark of direction does not change what is shown after a text that was shortened.
func TestShortenEndsDirections(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"\u202eabcdef", 6, "\u202eabc…\u202c"},
		{"\u2067abc\u2069def", 7, "\u2067abc\u2069d…"},
		{"\u2067\u202babcdef", 7, "\u2067\u202bab…\u202c\u2069"},
		{"\u2067\u202ba\u2069bcdefgh", 7, "\u2067\u202ba\u2069bc…"},
		{"\u202c\u2069abcdef", 4, "\u202c\u2069a…"},
		{"\u202e\u202e\u202eabc", 3, "…"},
		{"\u202eab\u202c", 4, "\u202eab\u202c"},
	} {
		if got := schema.Shorten(tt.in, tt.n); got != tt.want {
			t.Errorf("%+q in %d is %+q, want %+q", tt.in, tt.n, got, tt.want)
		}
	}
}

// A name keeps its own direction, and the sentence around it keeps that of English.
func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"": "“”", "Age": "“Age”", "日本 é 😀": "“日本 é 😀”", "שם": "“\u2068שם\u2069”", "العمر 2": "“\u2068العمر 2\u2069”", "a\u202eb": "“\u2068a\u202eb\u202c\u2069”",
		"\u2066a\u2069": "“\u2068\u2066a\u2069\u2069”", "a — b’s • c": "“a — b’s • c”", "\U0001e900": "“\u2068\U0001e900\u2069”", "𝓐": "“𝓐”", "ａ": "“ａ”", "🏽": "“🏽”",
	} {
		if got := schema.Quote(name); got != want {
			t.Errorf("%+q is quoted as %+q, want %+q", name, got, want)
		}
		if got := "“" + schema.Isolate(name) + "”"; got != want {
			t.Errorf("%+q without quotation marks is in them as %+q, want %+q", name, got, want)
		}
	}
}
