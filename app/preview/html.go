package preview

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// element is an element or, without a tag, a text.
type element struct {
	tag   string
	attrs []attribute
	kids  []*element
	text  string
}

// attribute is a name of ours and any value.
type attribute struct{ name, value string }

// el returns an element with a class, "" for none.
func el(tag, class string, kids ...*element) *element {
	e := &element{tag: tag}
	if class != "" {
		e.set("class", class)
	}
	return e.add(kids...)
}

// text returns a text.
func text(s string) *element { return &element{text: s} }

// span returns a text in an element.
func span(class, s string) *element { return el("span", class, text(s)) }

// hidden returns a text for assistive technology only.
func hidden(s string) *element { return span("fg-hidden", s) }

// set sets an attribute.
func (e *element) set(name, value string) *element {
	if i := slices.IndexFunc(e.attrs, func(a attribute) bool { return a.name == name }); i >= 0 {
		e.attrs[i].value = value
		return e
	}
	e.attrs = append(e.attrs, attribute{name, value})
	return e
}

// some sets an attribute unless its value is empty.
func (e *element) some(name, value string) *element {
	if value == "" {
		return e
	}
	return e.set(name, value)
}

// when sets a boolean attribute if a condition holds.
func (e *element) when(holds bool, name string) *element {
	if holds {
		e.set(name, "")
	}
	return e
}

// add appends children; nil is nothing.
func (e *element) add(kids ...*element) *element {
	for _, k := range kids {
		if k != nil {
			e.kids = append(e.kids, k)
		}
	}
	return e
}

// void reports whether an element of HTML has no content and no end tag.
func void(tag string) bool { return tag == "input" || tag == "img" || tag == "hr" }

// write appends the markup of an element.
func (e *element) write(b *strings.Builder) {
	if e.tag == "" {
		escape(b, e.text)
		return
	}
	b.WriteString("<" + e.tag)
	for _, a := range e.attrs {
		b.WriteString(" " + a.name + `="`)
		escape(b, a.value)
		b.WriteByte('"')
	}
	b.WriteByte('>')
	if void(e.tag) {
		return
	}
	if e.tag == "textarea" {
		b.WriteByte('\n') // a parser drops the first line break
	}
	for _, k := range e.kids {
		k.write(b)
	}
	b.WriteString("</" + e.tag + ">")
}

// escape appends a text as it may stand in an element or a quoted attribute. It is the only way for a text into the markup. Parsers
// replace NUL and change carriage returns; NUL and invalid UTF-8 become U+FFFD here.
func escape(b *strings.Builder, s string) {
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
			b.WriteString(s[last:i])
			b.WriteString(safe)
			last = i + size
		}
		i += size
	}
	b.WriteString(s[last:])
}
