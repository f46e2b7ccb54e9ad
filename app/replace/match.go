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

// parts calls do with the parts of a text outside of {{ }}. A {{ that is not closed goes to the end of the text.
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

// at returns the end of the occurrence that begins at byte i, or 0 for none. None ends between a letter and its combining marks.
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

// whole reports whether a part of a text may be an occurrence: if the query asks for whole words, it must not be a part of a longer word.
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

// replacement returns what takes the place of an occurrence in a text, which may be markup.
func (q *Query) replacement(markup bool) string {
	if !markup {
		return q.With
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(q.With)
}
