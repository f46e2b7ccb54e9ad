// Package face chooses the color and the initials that stand for a person. They are the same wherever the person appears, except that people who
// are in one place have different colors there. It does not depend on a screen.
package face

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hues is the number of colors for people in the style sheets.
const hues = 6

// Hue returns the number of the color of the person with a subject, 0 to 5. It depends only on the subject, so it is the same on all pages and in all
// lists.
func Hue(sub string) int {
	n := uint32(2166136261) // FNV-1a
	for i := range len(sub) {
		n = (n ^ uint32(sub[i])) * 16777619
	}
	return int(n % hues)
}

// Hues returns the colors of people who are in one place, by their subjects. Each has the color of Hue, except where several have the same: then the
// first by subject keeps it, and the others get colors that the fewest have. It depends only on who is there, so it is the same on all pages. Those
// of later groups, such as people who were there before, take what the earlier ones leave.
func Hues(groups ...[]string) map[string]int {
	of, used := map[string]int{}, [hues]int{}
	for _, subs := range groups {
		choose(of, &used, slices.Sorted(slices.Values(subs)))
	}
	return of
}

// choose gives a color to each of the people who has none.
func choose(of map[string]int, used *[hues]int, subs []string) {
	for _, sub := range subs {
		if h := Hue(sub); used[h] == 0 {
			of[sub], used[h] = h, 1
		}
	}
	for _, sub := range subs {
		if _, ok := of[sub]; ok {
			continue
		}
		best := Hue(sub)
		for i := 1; i < hues; i++ {
			if h := (Hue(sub) + i) % hues; used[h] < used[best] {
				best = h
			}
		}
		of[sub] = best
		used[best]++
	}
}

// Initials returns the first characters of the first two words of a name, in upper case. Of an e-mail address, only the part before the @ counts. It
// returns "" for a name without letters and digits.
func Initials(name string) string {
	name, _, _ = strings.Cut(name, "@")
	var b strings.Builder
	for i, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		if i == 2 {
			break
		}
		_, n := utf8.DecodeRuneInString(word)
		accents := strings.IndexFunc(word[n:], func(r rune) bool { return !unicode.IsMark(r) })
		if accents < 0 {
			accents = len(word) - n
		}
		b.WriteString(strings.ToUpper(word[:n+accents]))
	}
	return b.String()
}
