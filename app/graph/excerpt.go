package graph

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// maxExcerpt is how many characters of a text a row can need: more than a card
// is wide, so that the style sheet cuts it and not we.
const maxExcerpt = 80

// entities are the character references that editors of rich text write. Others
// stay as they are: an excerpt is no HTML parser.
var entities = strings.NewReplacer(
	"&nbsp;", " ", "&amp;", "&", "&lt;", "<", "&gt;", ">",
	"&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&apos;", "'",
	"&ndash;", "–", "&mdash;", "—", "&hellip;", "…",
)

// longestCharacter is how many bytes of an excerpt can become one character: those
// of "&hellip;".
const longestCharacter = 8

// Excerpt returns the text of an HTML fragment in one line: without tags, spaces
// joined, at most maxExcerpt characters. It is shown as text, never as HTML.
func Excerpt(html string) string {
	if !strings.ContainsAny(html, "<&\t\n\v\f\r") && !strings.Contains(html, "  ") && isASCII(html) {
		return cut(strings.TrimSpace(html)) // as most labels are
	}
	var b strings.Builder
	space := false
	for i := 0; i < len(html) && b.Len() <= longestCharacter*maxExcerpt; {
		r, n := utf8.DecodeRuneInString(html[i:])
		if r == '<' {
			if end := tagEnd(html[i:]); end > 0 {
				i += end
				space = true
				continue
			}
		}
		i += n
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return cut(strings.TrimSpace(entities.Replace(b.String())))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// tagEnd returns the length of the tag or comment that s begins with, or 0: a
// lone "<" as in "a < b" is text.
func tagEnd(s string) int {
	if len(s) < 2 || !isTagStart(s[1]) {
		return 0
	}
	if strings.HasPrefix(s, "<!--") {
		if i := strings.Index(s, "-->"); i >= 0 {
			return i + 3
		}
		return len(s)
	}
	if i := strings.IndexByte(s, '>'); i >= 0 {
		return i + 1
	}
	return 0
}

func isTagStart(c byte) bool {
	return c == '/' || c == '!' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func cut(s string) string { return schema.Shorten(s, maxExcerpt) }
