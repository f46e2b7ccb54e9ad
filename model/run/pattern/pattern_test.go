package pattern_test

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/run/pattern"
)

func TestMatch(t *testing.T) {
	type texts []string
	tests := []struct {
		pattern string
		yes, no texts
	}{
		{"", texts{"", "a"}, nil},
		{"^$", texts{""}, texts{"a"}},
		{"b", texts{"b", "abc"}, texts{"", "a", "B"}},
		{"^a.c$", texts{"abc", "aéc", "a😀c"}, texts{"ac", "abbc", "xabc", "a\nc"}},
		{"^(a|bc)+$", texts{"a", "abc", "bcbc"}, texts{"", "b", "ab"}},
		{"^[a-c_]{2,3}$", texts{"ab", "abc", "a_"}, texts{"a", "abcc", "ad"}},
		{"^[^a-c]$", texts{"d", "é"}, texts{"a", ""}},
		{`^\d{4}-\d\d$`, texts{"2021-04"}, texts{"221-04", "2021-4", "2021-044"}},
		{`^\w+@\w+\.ch$`, texts{"a_1@b.ch"}, texts{"a@bxch", "@b.ch"}},
		{`\bcat\b`, texts{"cat", "a cat."}, texts{"cats", ""}},
		{"^x{2,}$", texts{"xx", "xxx"}, texts{"x"}},
		{"^x{,2}$", texts{"x{,2}"}, texts{"x", "xx"}},
		{`^[\w.-]+$`, texts{"a.b-c"}, texts{"a+b"}},
		{`^[^\D]$`, texts{"1"}, texts{"a"}},
		{"^(?:ab)?c*?$", texts{"", "ab", "abcc"}, texts{"a"}},
	}
	for _, tt := range tests {
		p, err := pattern.Compile(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		for want, texts := range map[bool]texts{true: tt.yes, false: tt.no} {
			for _, text := range texts {
				if got := p.Match(text); got != want {
					t.Errorf("%s in %q: got %v", tt.pattern, text, got)
				}
			}
		}
	}
}

func TestMistakes(t *testing.T) {
	for s, want := range map[string]string{
		"(a":                           "must close the group at byte 2",
		"a)":                           "must not close a group that is not open at byte 1",
		"[a":                           "must close the class at byte 2",
		"[]":                           "must have a character in the class at byte 1",
		"[[:alpha:]]":                  `must write [ as \[ in a class at byte 1`,
		"[b-a]":                        "must have a range from a lesser character to a greater one at byte 4",
		`[a-\d]`:                       "must have a range from a lesser character to a greater one at byte 5",
		"*a":                           "must have something to repeat before * at byte 1",
		"a**":                          "must not repeat a quantifier at byte 3",
		"a{2,1}":                       "must repeat between n and m times, at most 1000 at byte 1",
		"a{1001}":                      "must repeat between n and m times, at most 1000 at byte 1",
		"(a{100}){100}":                "must repeat less",
		`a\`:                           `must have a character after \ at byte 2`,
		`(a)\1`:                        `must not use \1 at byte 4`,
		`\pL`:                          `must not use \p at byte 1`,
		"(?=a)":                        "must not use (? but as (?: at byte 1",
		"(((){1000}){1000}){1000}":     "must repeat less",
		strings.Repeat("(", 101) + "a": "must nest at most 100 deep at byte 100",
	} {
		if _, err := pattern.Compile(s); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", s, err, want)
		}
	}
}

// same compares a match with that of package regexp, if it knows the pattern.
func same(t *testing.T, s, text string) {
	t.Helper()
	p, err := pattern.Compile(s)
	if err != nil {
		return
	}
	oracle, err := regexp.Compile(s)
	var limit *syntax.Error
	if errors.As(err, &limit) && limit.Code == syntax.ErrInvalidRepeatSize {
		return // it allows fewer repetitions
	}
	if err != nil {
		t.Fatalf("%q: accepted, but %v", s, err)
	}
	if got, want := p.Match(text), oracle.MatchString(text); got != want {
		t.Fatalf("%q in %q: got %v, want %v", s, text, got, want)
	}
}

// Random patterns match what package regexp matches.
func TestSameAsRegexp(t *testing.T) {
	parts := strings.Fields(`a b é . \d \w \s \b \B \W \D \S ^ $ ( ) (?: | * + ? {2} {1,} {0,2} { } ` +
		`[ab] [^a] [a-c-] [\w-] [^\W] [\D] - \. 1 , ] \n`)
	r := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aabbcé1 -.\n_")
	for range 50_000 {
		var s, text strings.Builder
		for range 1 + r.IntN(8) {
			s.WriteString(parts[r.IntN(len(parts))])
		}
		for range r.IntN(6) {
			text.WriteRune(letters[r.IntN(len(letters))])
		}
		same(t, s.String(), text.String())
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("^[a-c]{2,3}(x|y)*$", "abcx")
	f.Add(`\bé\W{1,2}[^\d]`, "é--a")
	f.Fuzz(func(t *testing.T, s, text string) {
		if utf8.ValidString(s) && utf8.ValidString(text) {
			same(t, s, text)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	p, err := pattern.Compile("^(a|a)*(a?){30}b$") // which takes exponential time with backtracking
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("a", 1000)
	for range b.N {
		p.Match(text)
	}
}
