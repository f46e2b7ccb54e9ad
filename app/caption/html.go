package caption

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// FromHTML returns the text of an HTML fragment on one line: without tags and comments, which end words, with white space collapsed, in
// valid UTF-8. It is not an HTML parser: character references that editors of rich text do not write stay unchanged.
func FromHTML(html string) string { return oneLine(html, true, math.MaxInt-utf8.UTFMax) }

// Excerpt is FromHTML, cut to a number of characters. It does not read what follows them.
func Excerpt(html string, characters int) string {
	return schema.Shorten(oneLine(html, true, utf8.UTFMax*characters), characters)
}

// Line returns a text that is not HTML on one line: with white space collapsed, in valid UTF-8.
func Line(text string) string { return oneLine(text, false, math.MaxInt-utf8.UTFMax) }

var references = []struct{ name, text string }{
	{"&nbsp;", " "},
	{"&amp;", "&"},
	{"&lt;", "<"},
	{"&gt;", ">"},
	{"&quot;", `"`},
	{"&#34;", `"`},
	{"&#39;", "'"},
	{"&apos;", "'"},
	{"&ndash;", "–"},
	{"&mdash;", "—"},
	{"&hellip;", "…"},
	{"&shy;", "\u00ad"},
}

// oneLine stops once it has more than enough bytes.
func oneLine(s string, markup bool, enough int) string {
	if isOneLine(s, markup) {
		return s
	}
	b := make([]byte, 0, min(len(s), enough+utf8.UTFMax))
	space := false
	tags := tagReader{open: markup}
	for i := 0; i < len(s) && len(b) <= enough; {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '<':
			if end := tags.end(s, i); end > 0 {
				r, n = ' ', end-i
			}
		case r == '&' && markup:
			r, n = Character(s[i:])
		}
		i += n
		if r <= ' ' || r == 0x7f || unicode.IsSpace(r) {
			space = true
			continue
		}
		if space && len(b) > 0 {
			b = append(b, ' ')
		}
		space = false
		b = utf8.AppendRune(b, r)
	}
	return string(b)
}

// Texts calls do with the bounds, in bytes, of each text of an HTML fragment. Tags, comments, scripts and styles are not texts.
func Texts(html string, do func(from, to int)) {
	tags := tagReader{open: true}
	from := 0
	for i := 0; i < len(html); {
		end := 0
		if html[i] == '<' {
			end = tags.end(html, i)
		}
		if end == 0 {
			i++
			continue
		}
		if from < i {
			do(from, i)
		}
		if name := strings.ToLower(html[i+1 : min(i+7, end)]); strings.HasPrefix(name, "style") || name == "script" {
			if n := strings.Index(html[end:], "</"); n >= 0 {
				end += n
			} else {
				end = len(html)
			}
		}
		i, from = end, end
	}
	if from < len(html) {
		do(from, len(html))
	}
}

// Character returns the first character of a text that is HTML, and its length in bytes. The text must not be empty.
func Character(s string) (rune, int) {
	if s[0] == '&' {
		for _, e := range references {
			if strings.HasPrefix(s, e.name) {
				r, _ := utf8.DecodeRuneInString(e.text)
				return r, len(e.name)
			}
		}
	}
	return utf8.DecodeRuneInString(s)
}

// isOneLine reports whether nothing needs to change, as for most texts.
func isOneLine(s string, markup bool) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && last == ' ' || markup && (c == '<' || c == '&') {
			return false
		}
		last = c
	}
	return last != ' ' || s == ""
}

// tagReader finds the ends of tags. It remembers when there is no further end, so that a text of nothing but "<a" is not read to
// its end for each of them.
type tagReader struct {
	open bool // there may be an end
}

// end returns where the tag or comment that begins at i ends, or 0: a lone "<" as in "a < b" is text, and so is a tag that never ends.
func (t *tagReader) end(s string, i int) int {
	if !t.open || i+1 >= len(s) || !isTagStart(s[i+1]) {
		return 0
	}
	if strings.HasPrefix(s[i:], "<!--") {
		if n := strings.Index(s[i:], "-->"); n >= 0 {
			return i + n + len("-->")
		}
		return len(s)
	}
	n := strings.IndexByte(s[i:], '>')
	if n < 0 {
		t.open = false
		return 0
	}
	return i + n + 1
}

func isTagStart(c byte) bool {
	return c == '/' || c == '!' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
