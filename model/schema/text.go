package schema

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shorten returns s shortened to at most n characters, the last of which is an
// ellipsis if s is longer. n must be at least 1. It does not read the rest of s.
// It divides nothing that people see as one, see Cut, and ends the directions that
// marks in what remains begin.
func Shorten(s string, n int) string {
	if len(Cut(s, n)) == len(s) {
		return s
	}
	head := Cut(s, n-1)
	if ends := unended(head); ends != "" {
		head = Cut(s, max(0, n-1-utf8.RuneCountInString(ends)))
	}
	return head + "…" + unended(head)
}

// Cut returns the first n characters of s, or fewer: it divides no letter from its
// accents, no emoji that consists of several characters, and no flag.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end, count, flags := 0, 0, 0 // flags counts the halves of flags up to here
	before := rune(0)
	for i, r := range s {
		if !joins(before, r, flags) {
			end = i
		}
		if count++; count > n {
			return s[:end]
		}
		if flags++; !halfFlag(r) {
			flags = 0
		}
		before = r
	}
	return s
}

// joins reports whether a character and the next one are seen as one, by the main
// rules of https://unicode.org/reports/tr29. flags is the number of halves of flags
// before the next one.
func joins(before, next rune, flags int) bool {
	const joiner = 0x200d
	switch {
	case next < 0x300:
		return false
	case next == joiner, before == joiner, // as in a family
		next >= 0x1f3fb && next <= 0x1f3ff, // the color of a skin
		next >= 0xe0020 && next <= 0xe007f, // the flag of a part of a country
		next >= 0x1160 && next <= 0x11ff:   // part of a Korean syllable
		return true
	case halfFlag(next):
		return flags%2 == 1
	}
	return unicode.In(next, unicode.Mn, unicode.Me, unicode.Mc)
}

func halfFlag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// unended returns the marks that end the directions that marks in a text begin.
// https://unicode.org/reports/tr9/#Directional_Formatting_Characters
func unended(s string) string {
	const endEmbedding, endIsolate = '\u202c', '\u2069'
	if !strings.ContainsAny(s, "\u202a\u202b\u202d\u202e\u2066\u2067\u2068") {
		return ""
	}
	var ends []rune // the innermost first
	for _, r := range s {
		switch {
		case r == '\u202a', r == '\u202b', r == '\u202d', r == '\u202e':
			ends = append([]rune{endEmbedding}, ends...)
		case r >= '\u2066' && r <= '\u2068':
			ends = append([]rune{endIsolate}, ends...)
		case r == endEmbedding && len(ends) > 0 && ends[0] == r:
			ends = ends[1:]
		case r == endIsolate && slices.Contains(ends, r): // it ends what is inside, too
			ends = ends[slices.Index(ends, r)+1:]
		}
	}
	return string(ends)
}

// Quote puts a name that an author chose in quotation marks, for a sentence in
// English. A name of a script that is written from right to left, or with marks of
// direction, does not change the order of the words around it.
func Quote(name string) string { return "“" + Isolate(name) + "”" }

// Isolate is Quote without the quotation marks, for names that have none in a
// sentence, such as those of people.
func Isolate(name string) string {
	if strings.ContainsFunc(name, leftward) {
		return "\u2068" + name + unended(name) + "\u2069"
	}
	return name
}

// leftward reports whether a character may begin a direction from right to left.
func leftward(r rune) bool {
	switch {
	case r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // marks
		return true
	case r >= 0x590 && r < 0x900, r >= 0xfb1d && r < 0xfe00, r >= 0xfe70 && r < 0xff00, r >= 0x10800 && r < 0x11000, r >= 0x1e800 && r < 0x1f000:
		return true
	}
	return false
}

// HoldsSecret reports whether a value under the rule may hold a secret.
func HoldsSecret(s Spec) bool {
	row := func(r Row) bool { return HoldsSecret(r.Spec) }
	switch s := s.(type) {
	case String:
		return s.Secret
	case Table:
		return slices.ContainsFunc(s, row)
	case Open:
		return slices.ContainsFunc(s.Rows, row)
	case Map:
		return HoldsSecret(s.Value)
	case List:
		return HoldsSecret(s.Item)
	case Nullable:
		return HoldsSecret(s.Spec)
	case Either:
		return slices.ContainsFunc(s.Of, HoldsSecret)
	case Union:
		return slices.ContainsFunc(s.Arms, func(a Arm) bool { return HoldsSecret(a.Spec) })
	case Choice:
		return slices.ContainsFunc(s.Options, func(o Option) bool { return row(o.Row) })
	default:
		return false
	}
}
