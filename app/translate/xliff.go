package translate

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/run/template/scan"
)

// XLIFF 2.1, https://docs.oasis-open.org/xliff/xliff-core/v2.1/xliff-core-v2.1.html. Its namespace is that of version 2.0.
const xliffSpace = "urn:oasis:names:tc:xliff:document:2.0"

// XLIFF returns the translations into one language as a file for translators' programs: a unit for each text. The programs show a template
// as a placeholder, which translators can move and not change. name names the form. The error says that the file would be longer than
// MaxBytes.
func (t *Table) XLIFF(column int, name string) ([]byte, error) {
	var w xliffWriter
	w.raw(xml.Header)
	w.tag("xliff", "xmlns", xliffSpace, "version", "2.1", "srcLang", bcp47(t.Source), "trgLang", bcp47(t.Languages[column]))
	w.tag("file", "id", "f1", "original", name, "xml:space", "preserve")
	units := 0
	t.each(func(r *Row, context string) {
		units++
		w.unit(units, r, context, r.Cells[column])
	})
	w.raw("</file></xliff>\n")
	return sized(w.b, MaxBytes)
}

type xliffWriter struct{ b []byte }

// raw writes markup.
func (w *xliffWriter) raw(markup string) { w.b = append(w.b, markup...) }

// Write appends bytes. It returns no error.
func (w *xliffWriter) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

// tag writes a start tag with attributes.
func (w *xliffWriter) tag(name string, attributes ...string) {
	w.raw("<" + name)
	for pair := range slices.Chunk(attributes, 2) {
		w.raw(" " + pair[0] + `="`)
		w.text(pair[1])
		w.raw(`"`)
	}
	w.raw(">")
}

// text writes escaped text. A character that XML does not have is replaced.
func (w *xliffWriter) text(s string) {
	_ = xml.EscapeText(w, []byte(s)) // the writer returns no error
}

func (w *xliffWriter) unit(number int, r *Row, context string, c Cell) {
	w.raw("\n")
	w.tag("unit", "id", "u"+strconv.Itoa(number), "name", xliffName(r.Key))
	w.raw(`<notes><note category="context">`)
	w.text(context)
	w.raw("</note></notes>")
	codes := codesOf(r.Text, nil)
	targets := codesOf(c.Text, codes)
	if len(codes)+len(targets) > 0 {
		w.raw("<originalData>")
		written := map[string]bool{}
		for _, code := range append(codes, targets...) {
			if !written[code.id] {
				written[code.id] = true
				w.tag("data", "id", "d"+code.id)
				w.content(code.text, nil)
				w.raw("</data>")
			}
		}
		w.raw("</originalData>")
	}
	state := "initial"
	if c.State.Done() {
		state = "translated"
	}
	w.tag("segment", "state", state)
	w.raw("<source>")
	w.content(r.Text, codes)
	w.raw("</source>")
	if c.Text != "" {
		w.raw("<target>")
		w.content(c.Text, targets)
		w.raw("</target>")
	}
	w.raw("</segment></unit>")
}

// code is a template in a text. Codes of a source and its target with one id are the same template.
type code struct {
	id       string
	text     string
	from, to int
}

// codesOf returns the templates of a text, each with the id of the first unused one of the source with the same text, or a new id.
func codesOf(text string, source []code) []code {
	var list []code
	free := map[string][]string{} // ids by text
	for _, c := range source {
		free[c.text] = append(free[c.text], c.id)
	}
	next := len(source)
	scan.Frames(text, func(from, to int) {
		if to < 0 {
			return
		}
		c := code{text: text[from-2 : to+2], from: from - 2, to: to + 2}
		if ids := free[c.text]; len(ids) > 0 {
			c.id, free[c.text] = ids[0], ids[1:]
		} else {
			next++
			c.id = strconv.Itoa(next)
		}
		list = append(list, c)
	})
	return list
}

// content writes a text with placeholders for its templates.
func (w *xliffWriter) content(text string, codes []code) {
	at := 0
	for _, c := range codes {
		w.characters(text[at:c.from])
		w.tag("ph", "id", c.id, "dataRef", "d"+c.id, "canCopy", "no", "canDelete", "no")
		w.raw("</ph>")
		at = c.to
	}
	w.characters(text[at:])
}

// characters writes a text. Characters that XML does not have are elements.
func (w *xliffWriter) characters(text string) {
	from := 0
	for i, r := range text {
		if inXML(r) {
			continue
		}
		w.text(text[from:i])
		w.tag("cp", "hex", fmt.Sprintf("%04X", r))
		w.raw("</cp>")
		from = i + len(string(r))
	}
	w.text(text[from:])
}

// inXML reports whether XML 1.0 has a character.
func inXML(r rune) bool {
	return r >= ' ' && r != 0xfffe && r != 0xffff || r == '\t' || r == '\n' || r == '\r'
}

// xliffName returns a key for an attribute. Characters that XML does not have are escaped as in JSON: a key that has them is quoted.
func xliffName(key string) string {
	return strings.NewReplacer("\ufffe", `\ufffe`, "\uffff", `\uffff`).Replace(key)
}
