package scan_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/run/template/scan"
)

func TestFrames(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"a {b} c":                "",
		"{{a}} {{ b }}":          "[a][ b ]",
		"{{}}":                   "[]",
		"{{{a}}}":                "[a]",
		"{{{{a}}}}":              "[a]",
		"{{a {{b}}":              "open [b]",
		"{{a}} {{":               "[a]open ",
		"{{ '}}' }}":             "[ '}}' ]",
		`{{ '\'}}' }}`:           `[ '\'}}' ]`,
		"{{ ' }} and {{ ' }}":    "[ ' ][ ' ]",
		`{{ "it's" }} it's`:      `[ "it's" ]`,
		"{{ 'a{{b' }}":           "open [b' ]",
		"}} {{a}":                "open ",
		"{{a}}}} {{b}} {{c\n}}é": "[a][b][c\n]",
	} {
		var got strings.Builder
		scan.Frames(text, func(from, to int) {
			if to < 0 {
				got.WriteString("open ")
			} else {
				got.WriteString("[" + text[from:to] + "]")
			}
		})
		if got.String() != want {
			t.Errorf("%q: got %q, want %q", text, got.String(), want)
		}
	}
}

func TestFields(t *testing.T) {
	for text, want := range map[string]string{
		"{{fields.a ?? fields['b-1'].c}}":  "a b-1",
		"{{fields.a + - }} {{fields.b":     "a",
		"{{vars.fields.a}}{{xfields.b}}":   "",
		"{{'fields.a'}}{{fields.-fields.b": "",
		"{{fields.-fields.b}}":             "-fields",
		"{{fields.fields.b}}":              "fields",
	} {
		var got []string
		for _, id := range scan.Fields(text) {
			got = append(got, text[id.From:id.To])
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
