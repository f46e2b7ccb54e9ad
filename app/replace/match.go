package replace

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/model/run/template/scan"
)

// ranges returns where the query occurs in a text, in order and without overlaps.
func (q *Query) ranges(text string, markup bool) (list []find.Range) {
	if q.Text == "" || !markup && len(text) < len(q.Text) && q.Case {
		return nil
	}
	look := func(at, to int) {
		for at < to {
			if end := q.at(text[:to], at, markup); end > at && q.whole(text, at, end) {
				list = append(list, find.Range{From: at, To: end})
				at = end
				continue
			}
			_, n := character(text[at:], markup)
			at += n
		}
	}
	parts(text, func(from, to int) {
		if !markup {
			look(from, to)
			return
		}
		caption.Texts(text[from:to], func(a, b int) { look(from+a, from+b) })
	})
	return list
}

// parts calls do with the parts of a text between its templates. One that is not closed goes to the end.
func parts(text string, do func(from, to int)) {
	at := 0
	scan.Frames(text, func(from, to int) {
		if from-2 >= at {
			do(at, from-2)
		}
		if at = to + 2; to < 0 {
			at = len(text)
		}
	})
	if at < len(text) {
		do(at, len(text))
	}
}

// at returns where an occurrence that begins at a byte ends, or 0. It does not end within a letter with marks.
func (q *Query) at(text string, i int, markup bool) int {
	for _, want := range q.Text {
		if i >= len(text) {
			return 0
		}
		r, n := character(text[i:], markup)
		if r != want && (q.Case || unicode.ToLower(r) != unicode.ToLower(want)) {
			return 0
		}
		i += n
	}
	if r, _ := utf8.DecodeRuneInString(text[i:]); unicode.Is(unicode.Mn, r) {
		return 0
	}
	return i
}

// whole reports whether a part of a text has no letter or digit beside it that goes on with it, if the query asks for that.
func (q *Query) whole(text string, from, to int) bool {
	if !q.Words {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	first, _ := utf8.DecodeRuneInString(text[from:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	behind, _ := utf8.DecodeRuneInString(text[to:])
	return (!letter(before) || !letter(first)) && (!letter(last) || !letter(behind))
}

func letter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// character returns the first character of a text, and its length in bytes.
func character(s string, markup bool) (rune, int) {
	if markup {
		return caption.Character(s)
	}
	return utf8.DecodeRuneInString(s)
}

// markupOf returns the markup that shows a text.
func markupOf(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;")
}
