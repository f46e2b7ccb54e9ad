// Package markup writes HTML whose texts cannot become markup. It is pure: programs of the browser and the server use it.
package markup

import (
	"strings"
	"unicode/utf8"
)

// Append appends a text as it may stand in an element or in a quoted attribute. It is the only way for a text into markup, since policies of
// trusted types do not check what they are given. Parsers replace NUL and change carriage returns; NUL and invalid UTF-8 become U+FFFD here.
func Append(b []byte, s string) []byte {
	last := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		var safe string
		switch {
		case r == '&':
			safe = "&amp;"
		case r == '<':
			safe = "&lt;"
		case r == '>':
			safe = "&gt;"
		case r == '"':
			safe = "&#34;"
		case r == '\'':
			safe = "&#39;"
		case r == '`':
			safe = "&#96;"
		case r == '\r':
			safe = "&#13;"
		case r == 0, r == utf8.RuneError && size == 1:
			safe = "\ufffd"
		}
		if safe != "" {
			b = append(append(b, s[last:i]...), safe...)
			last = i + size
		}
		i += size
	}
	return append(b, s[last:]...)
}

// Escape is Append for a builder.
func Escape(b *strings.Builder, s string) {
	var short [64]byte
	b.Write(Append(short[:0], s))
}

// Void reports whether an element of HTML has no content and no end tag.
func Void(tag string) bool {
	switch tag {
	case "br", "hr", "img", "input", "use":
		return true
	}
	return false
}

// Writer writes elements one after another. The zero value is ready. It is not safe for concurrent use.
type Writer struct {
	b    strings.Builder
	open []string // tags
}

// Open begins an element, which lasts until Close; an element without content needs none. The spec consists of its tag, its classes after
// dots, and its attributes: "button.quiet type=button data-arg=%". Each % is replaced with the next of the values, which may contain any
// text; values in the spec itself cannot contain spaces. An attribute whose value is empty is left out, unless it is "data-value".
func (w *Writer) Open(spec string, values ...string) *Writer {
	head, rest, _ := strings.Cut(spec, " ")
	tag, classes, _ := strings.Cut(head, ".")
	w.b.WriteByte('<')
	w.b.WriteString(tag)
	if classes != "" {
		w.attribute("class", strings.ReplaceAll(classes, ".", " "))
	}
	for rest != "" {
		var attr string
		attr, rest, _ = strings.Cut(rest, " ")
		name, value, _ := strings.Cut(attr, "=")
		if value == "%" {
			value, values = values[0], values[1:]
		}
		if value != "" || name == HeldValue {
			w.attribute(name, value)
		}
	}
	w.b.WriteByte('>')
	if !Void(tag) {
		w.open = append(w.open, tag)
	}
	return w
}

// HeldValue is the attribute with the value of a control, which may be empty.
const HeldValue = "data-value"

func (w *Writer) attribute(name, value string) {
	w.b.WriteByte(' ')
	w.b.WriteString(name)
	w.b.WriteString(`="`)
	Escape(&w.b, value)
	w.b.WriteByte('"')
}

// Text writes a text.
func (w *Writer) Text(s string) *Writer {
	Escape(&w.b, s)
	return w
}

// Close ends the element that was begun last.
func (w *Writer) Close() *Writer {
	last := len(w.open) - 1
	w.b.WriteString("</" + w.open[last] + ">")
	w.open = w.open[:last]
	return w
}

// Leaf writes an element with a text in it.
func (w *Writer) Leaf(spec, text string, values ...string) *Writer {
	return w.Open(spec, values...).Text(text).Close()
}

// Icon writes a symbol of the icon set.
func (w *Writer) Icon(name string) *Writer {
	return w.Open("svg.i aria-hidden=true").Open("use href=%", "#i-"+name).Close()
}

// String returns what was written. All elements must be closed.
func (w *Writer) String() string { return w.b.String() }

// Yes returns the value of an attribute that is true or false.
func Yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// Only returns a value if a condition holds, else "", for which Open leaves the attribute out.
func Only(holds bool, value string) string {
	if holds {
		return value
	}
	return ""
}
