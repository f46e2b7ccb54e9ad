package template

import (
	"strconv"
	"strings"
)

// HTML returns the text of a template that is HTML. What is between the expressions is the author's markup. The texts of the values are
// data: a browser shows them as they are, or reads them as the value of one attribute or the value of one property of a style sheet.
func (t *Template) HTML(env *Env) string {
	var m markup
	return t.fill(env, m.read, m.escape)
}

// markup reads the author's markup and knows what is written where it ends.
type markup struct {
	tag   string // the name of the tag that is open, "" outside of tags
	quote byte   // the quotation mark of the attribute that is open, 0 outside
	value bool   // whether an equals sign came last in the tag
	style bool   // whether a style element is open
}

// read reads more of the markup and returns it.
func (m *markup) read(s string) string {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case m.quote != 0:
			if c == m.quote {
				m.quote = 0
			}
		case m.tag == "":
			m.open(s[i:])
		case c == '>':
			m.style, m.tag = strings.EqualFold(m.tag, "<style"), ""
		case m.value && (c == '"' || c == '\''):
			m.quote, m.value = c, false
		case c == '=':
			m.value = true
		case c > ' ':
			m.value = false
		}
	}
	return s
}

// open opens a tag if the markup begins with one. In a style element only its end tag is one.
func (m *markup) open(s string) {
	const endTag = "</style"
	name := strings.TrimPrefix(s, "<")
	if len(name) == len(s) || m.style && !strings.EqualFold(s[:min(len(s), len(endTag))], endTag) {
		return
	}
	name = strings.TrimPrefix(name, "/")
	if name == "" || name[0]|0x20 < 'a' || name[0]|0x20 > 'z' {
		return // a browser shows it
	}
	if end := strings.IndexAny(s, " \t\n\f\r>"); end > 0 {
		s = s[:end]
	}
	m.tag, m.value = strings.TrimSuffix(s, "/"), false
}

// The characters that are escaped, one by one.
const (
	inText  = `&<>"'`
	inTag   = inText + " \t\n\f\r/=`" // where an attribute has no quotation marks
	inSheet = "<{};@\\\"'*\n\f\r"     // in a style sheet, where a browser reads no references
)

// EscapeHTML returns the HTML that shows a text.
func EscapeHTML(s string) string { return escape(s, inText) }

// escape returns a text with the characters of a list escaped.
func escape(s, list string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case strings.IndexByte(list, c) < 0:
			b.WriteByte(c)
		case list == inSheet:
			b.WriteString(`\` + strconv.FormatInt(int64(c), 16) + " ")
		case c == '&':
			b.WriteString("&amp;")
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		default:
			b.WriteString("&#" + strconv.Itoa(int(c)) + ";")
		}
	}
	return b.String()
}

// escape returns the text of a value as it is written here.
func (m *markup) escape(s string) string {
	m.value = false
	switch {
	case m.tag != "" && m.quote == 0:
		return escape(s, inTag)
	case m.tag == "" && m.style:
		return escape(s, inSheet)
	}
	return EscapeHTML(s)
}
