package preview

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/markup"
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

// write appends the markup of an element.
func (e *element) write(b *strings.Builder) {
	if e.tag == "" {
		markup.Escape(b, e.text)
		return
	}
	b.WriteString("<" + e.tag)
	for _, a := range e.attrs {
		b.WriteString(" " + a.name + `="`)
		markup.Escape(b, a.value)
		b.WriteByte('"')
	}
	b.WriteByte('>')
	if markup.Void(e.tag) {
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
