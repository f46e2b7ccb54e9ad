package translate_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/translate"
)

func TestPseudo(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"Next", 0, "[Ñéẋţ ļ]"},
		{"Hi {{ fields.name }}, go", 0, "[Ĥî {{ fields.name }}, ĝö ļ]"},
		{`<a title="a > b">Go &amp; R&D</a><!-- x -->`, 0, `[<a title="a > b">Ĝö &amp; Ŕ&Ð</a><!-- x --> ļ]`},
		{"a < b <c", 0, "[å < ƀ <ç ]"},
		{`<a href="{{x ? '>' : y}}">z</a>`, 0, `[<a href="{{x ? '>' : y}}">ž</a> ]`},
		{"{{t('<b>')}}<b>x</b>{{", 0, "[{{t('<b>')}}<b>ẋ</b>{{ ]"},
		{"12", 0, "[12]"},
		{"Next", 8, "[Ñéẋţ ļ]"},
		{"Next", 7, "[Ñéẋţ]"},
		{"Next", 5, "Ñéẋţ"},
	} {
		if got := translate.Pseudo(tt.text, tt.most); got != tt.want {
			t.Errorf("%q within %d: %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
	long := translate.Pseudo(strings.Repeat("word ", 100), 0)
	if n := utf8.RuneCountInString(long); n < 600 || n > 660 {
		t.Errorf("500 characters became %d", n)
	}
	// A text of tags that never end is read once.
	if got := translate.Pseudo(strings.Repeat("<a", 1<<20), 0); !strings.HasPrefix(got, "[<å<å") {
		t.Errorf("%.20q", got)
	}
}

// In every form a pseudo language is complete: it keeps the templates and stays within the limits.
func TestPseudolocalize(t *testing.T) {
	for seed := range 10 {
		r := rand.New(rand.NewPCG(uint64(seed), 6))
		say := func() string { return nastyText(r) + strings.Repeat("x", r.IntN(600)) }
		e := newEditor(randomForm(3, say))
		run(t, e, tableOf(e.State().Form, nil).Pseudolocalize("en-XA"))
		for _, row := range tableOf(e.State().Form, nil).Rows {
			long := row.Max > 0 && utf8.RuneCountInString(row.Text) > row.Max
			if s := row.Cells[0].State; !s.Done() && (s != translate.TooLong || !long) {
				t.Fatalf("%q is %s: %q", row.Text, s, row.Cells[0].Text)
			}
		}
	}
}
