package find

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTablesHaveTheirSize(t *testing.T) {
	if got, want := len(ascii), utf8.RuneSelf; got != want {
		t.Errorf("ascii has %d characters, want %d", got, want)
	}
	if got, want := len(latin), 0x0250-firstLatin; got != want {
		t.Errorf("latin has %d letters, want %d", got, want)
	}
	if got, want := len(vietnamese), 0x1F00-firstVietnamese; got != want {
		t.Errorf("vietnamese has %d letters, want %d", got, want)
	}
}

func TestFold(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"ASCII", "AZaz09@[`{|}~", "azaz09@[` | ~"},
		{"control characters", "a\x00b\tc\x7fd", "a b c d"},
		{"German", "ÄÖÜäöüßẞ", "aouaoussss"},
		{"French", "Œuvre façade ÉÈÊË", "oeuvre facade eeee"},
		{"Danish", "Ærø Åse", "aero ase"},
		{"Polish", "ŁÓDŹ łódź", "lodz lodz"},
		{"Turkish", "İstanbul ığ", "istanbul ig"},
		{"Croatian", "Đorđe", "dorde"},
		{"Romanian", "ȘșȚț", "sstt"},
		{"Vietnamese", "Tiếng Việt Ơơ Ưư", "tieng viet oo uu"},
		{"Icelandic", "Þór ð", "thor d"},
		{"Pinyin", "ǎǐǚ", "aiu"},
		{"marks of their own", "e\u0301a\u0308", "ea"},
		{"not seen", "so\u00adft\u200b", "soft"},
		{"spaces", "a\u00a0b\u2003c", "a b c"},
		{"signs", "don’t “x” – —", `don't "x" - -`},
		{"Greek by case", "ΟΔΟΣ οδος", "οδοσ οδοσ"},
		{"Cyrillic by case", "Привет", "привет"},
		{"not in the tables", "×÷日本", "×÷日本"},
		{"no UTF-8", "a\xffb", "a\ufffdb"},
	} {
		if got := string(appendFold(nil, tt.in)); got != tt.want {
			t.Errorf("%s: %q folds to %q, want %q", tt.name, tt.in, got, tt.want)
		}
		if got := string(appendFold(nil, tt.want)); got != tt.want {
			t.Errorf("%s: %q is folded, and folds to %q", tt.name, tt.want, got)
		}
	}
}

func TestWordStarts(t *testing.T) {
	for _, tt := range []struct {
		text string
		at   int
		want bool
	}{
		{"mail", 0, true},
		{"mail", 1, false},
		{"e-mail", 2, true},
		{"e_mail", 2, true},
		{"e-mail", 1, true},
		{"a1", 1, false},
		{"$ending", 1, true},
		{"яmail", len("я"), false},
		{"日mail", len("日"), false},
		{"…mail", len("…"), true},
		{"aя", 1, false},
		{"a…", 1, true},
	} {
		if got := startsWord(tt.text, tt.at); got != tt.want {
			t.Errorf("a word begins at %d in %q: %t", tt.at, tt.text, got)
		}
	}
	for _, tt := range []struct{ name, want string }{
		{"emailAddress2", "e....a......2"},
		{"URL of step_12", "u.. o. s..._1."},
		{"Äß éÉ", "a.. ee"},
	} {
		n := name{foldMap(tt.name), tt.name}
		got := ""
		for i, r := range n.text {
			if !n.begins(i) {
				r = '.'
			}
			got += string(r)
		}
		if got != tt.want {
			t.Errorf("words begin in %q as %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Each part of a folded text leads back to the part of the original that folds to it, or to a
// larger part where one character gave several bytes.
func TestFoldMapsBackToTheSource(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("aZß ÆĳÉe\u0301\u00ad日ς{")
	for range 3000 {
		var s []rune
		for range r.IntN(12) {
			s = append(s, alphabet[r.IntN(len(alphabet))])
		}
		text := string(s)
		m := foldMap(text)
		if want := string(appendFold(nil, text)); m.text != want {
			t.Fatalf("%q: the map has %q, want %q", text, m.text, want)
		}
		for i := range m.text {
			for j := i + 1; j <= len(m.text); j++ {
				if j < len(m.text) && !utf8.RuneStart(m.text[j]) {
					continue
				}
				at := m.source(i, j)
				if at.From >= at.To || at.To > len(text) || !utf8.RuneStart(text[at.From]) || at.To < len(text) && !utf8.RuneStart(text[at.To]) {
					t.Fatalf("%q: %d to %d comes from %v", text, i, j, at)
				}
				part := string(appendFold(nil, text[at.From:at.To]))
				if !strings.Contains(part, m.text[i:j]) {
					t.Fatalf("%q: %q comes from %q", text, m.text[i:j], text[at.From:at.To])
				}
				if len(part) > j-i+2 {
					t.Fatalf("%q: %q comes from %q, which is too much", text, m.text[i:j], text[at.From:at.To])
				}
			}
		}
	}
}

// Separate letters match in every name that has them in order, at the right places.
func TestLettersApartAreThoseOfTheWord(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		text, word := "", ""
		for range r.IntN(11) {
			text += string([]rune("abABß -")[r.IntN(7)])
		}
		for range 1 + r.IntN(4) {
			word += string([]rune("abs-")[r.IntN(4)])
		}
		n := name{foldMap(text), text}
		rest := word
		for _, c := range n.text {
			if strings.HasPrefix(rest, string(c)) {
				rest = rest[1:]
			}
		}
		in, cost := n.apart(word)
		if (in != nil) != (rest == "") || cost < 0 {
			t.Fatalf("%q in %q: %v at %d", word, text, in, cost)
		}
		marked := ""
		for _, p := range join(in) {
			marked += string(appendFold(nil, text[p.From:p.To]))
		}
		if left := word; in != nil {
			for _, c := range marked {
				if strings.HasPrefix(left, string(c)) {
					left = left[1:]
				}
			}
			if left != "" || len(in) != len(word) {
				t.Fatalf("%q in %q: the ranges are %v", word, text, in)
			}
		}
	}
}
