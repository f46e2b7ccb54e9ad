package find

import (
	"strings"
	"unicode/utf8"
)

// entities are the character references that editors of rich text write. Others
// stay as they are: this is no HTML parser, and what it gives is shown as text.
var entities = []struct{ name, text string }{
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

// clean returns a text as it is shown and searched: in one line, spaces joined,
// in valid UTF-8 and, of markup, without tags. Tags end words.
func clean(s string, markup bool) string {
	if isClean(s, markup) {
		return s
	}
	b := make([]byte, 0, len(s))
	space := false
	tags := tagReader{open: markup}
	for i := 0; i < len(s); {
		if s[i] <= ' ' || s[i] == 0x7f {
			space = true
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		text := ""
		switch {
		case r == '<':
			if end := tags.end(s, i); end > 0 {
				space = true
				i = end
				continue
			}
		case r == '&' && markup:
			text, n = entity(s[i:])
		}
		i += n
		if text == " " {
			space = true
			continue
		}
		if space && len(b) > 0 {
			b = append(b, ' ')
		}
		space = false
		if text != "" {
			b = append(b, text...)
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// isClean tells whether clean has nothing to do, as for most texts.
func isClean(s string, markup bool) bool {
	last := byte(' ')
	ascii := true
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c == 0x7f || c == ' ' && last == ' ' || markup && (c == '<' || c == '&') {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
		last = c
	}
	return (last != ' ' || s == "") && (ascii || utf8.ValidString(s))
}

// tagReader finds the ends of tags. It remembers that there is no further end:
// a text of nothing but "<a" would else be read to its end for each.
type tagReader struct {
	open bool // there may be an end
}

// end returns where the tag or comment that begins at i ends, or 0: a lone "<"
// as in "a < b" is text, and so is a tag that never ends.
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

// entity returns the text of the character reference that s begins with, and its
// length; "&" and 1 for any other.
func entity(s string) (text string, n int) {
	for _, e := range entities {
		if strings.HasPrefix(s, e.name) {
			return e.text, len(e.name)
		}
	}
	return "&", 1
}

// maxShown is how many characters of a name are shown; the same as on a card.
const maxShown = 80
