package translate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model/run/template/scan"
)

// The letters of pseudo texts, and those that they replace.
const (
	plainLetters    = "ABCDEFGHIJKLMNOPRSTUVWXYZabcdefghijklmnoprstuvwxyz"
	accentedLetters = "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþŕšţûṽŵẋýž"
)

var accents = func() map[rune]rune {
	m := map[rune]rune{}
	accented := []rune(accentedLetters)
	for i, r := range plainLetters {
		m[r] = accented[i]
	}
	return m
}()

// filler makes a text longer. It has spaces, so that it is broken as words are.
const filler = " ļöŕéɱ îþšûɱ ðöļöŕ"

// Pseudo returns a text as a translation into no language, with which an author sees what is not translated, what does not fit, and which
// characters are lost: with accents, about 30 % longer, in brackets. Templates, HTML tags, comments and character references stay as they
// are. If most is not 0 and the result would have more characters, it is not longer than the text, and perhaps without brackets.
func Pseudo(text string, most int) string {
	var b strings.Builder
	letters, at := 0, 0
	for _, kept := range append(keptIn(text), scan.Span{From: len(text), To: len(text)}) {
		for _, r := range text[at:kept.From] {
			if unicode.IsLetter(r) {
				letters++
			}
			if a, ok := accents[r]; ok {
				r = a
			}
			b.WriteRune(r)
		}
		b.WriteString(text[kept.From:kept.To])
		at = kept.To
	}
	out := b.String()
	room := most - utf8.RuneCountInString(text)
	switch longer := (3*letters + 9) / 10; {
	case most == 0 || room >= longer+2:
		return "[" + out + fill(longer) + "]"
	case room >= 2:
		return "[" + out + "]"
	}
	return out
}

// keptIn returns the parts of a text that a translation keeps, in order: templates, tags and comments of HTML, and character references.
func keptIn(text string) []scan.Span {
	var templates, kept []scan.Span
	scan.Frames(text, func(from, to int) {
		if to >= 0 {
			templates = append(templates, scan.Span{From: from - 2, To: to + 2})
		}
	})
	open := false // a tag has begun that does not end
	for at := 0; at < len(text); {
		for len(templates) > 0 && templates[0].From < at { // inside a tag
			templates = templates[1:]
		}
		end := 0
		switch {
		case len(templates) > 0 && templates[0].From == at:
			end = templates[0].To
		case text[at] == '<' && !open:
			end = tagEnd(text, at)
			open = end < 0
		case text[at] == '&':
			end = referenceEnd(text, at)
		}
		if end <= at {
			at++
			continue
		}
		kept = append(kept, scan.Span{From: at, To: end})
		at = end
	}
	return kept
}

// tagEnd returns the end of the tag or comment that begins at a sign, 0 if none begins there, and -1 if it does not end. A tag does not end
// inside a quoted value.
func tagEnd(s string, at int) int {
	if strings.HasPrefix(s[at:], "<!--") {
		if n := strings.Index(s[at:], "-->"); n >= 0 {
			return at + n + len("-->")
		}
		return -1
	}
	if at+1 == len(s) || s[at+1] != '/' && s[at+1] != '!' && (s[at+1]|0x20 < 'a' || s[at+1]|0x20 > 'z') {
		return 0
	}
	quote := byte(0)
	for i := at + 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return -1
}

// referenceEnd returns the end of the character reference that begins at a sign, 0 if none does.
func referenceEnd(s string, at int) int {
	for i := at + 1; i < len(s); i++ {
		c := s[i]
		switch alphanumeric := '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'; {
		case c == ';' && i > at+1:
			return i + 1
		case !alphanumeric && (c != '#' || i > at+1):
			return 0
		}
	}
	return 0
}

// Pseudolocalize returns the command that sets every text of a language to its Pseudo. The form gets the language if it lacks it.
func (t *Table) Pseudolocalize(language string) Write {
	w := Write{Name: verb.Fill.With("in pseudo translations")}
	for _, r := range t.Rows {
		w.Changes = append(w.Changes, Change{Row: r, Language: language, Text: Pseudo(r.Text, r.Max), Source: r.Text})
	}
	return w
}

// fill returns so many characters of filler.
func fill(n int) string {
	pattern := []rune(filler)
	out := make([]rune, n)
	for i := range out {
		out[i] = pattern[i%len(pattern)]
	}
	return string(out)
}
