package languages

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/model/schema"
)

// mostLeft is how many left-over translations are listed, and the text of each is cut to shownLeft characters.
const mostLeft, shownLeft = 100, 200

// leftDialog lists the left-over translations.
func (m menus) leftDialog(w *markup.Writer) {
	dialog(w, "Left-over translations", func() {
		w.Leaf("p", "They are for something that is not in the form, or are not text. Files for translators leave them out.")
		w.Open("div.dk-sample.dk-left").Open("table")
		for _, o := range m.orphans[:min(mostLeft, len(m.orphans))] {
			v, _ := schema.Lookup(m.form.Tree(), o.Path)
			path := o.Path.String()
			w.Open("tr").Leaf("th scope=row title=%", o.Path[2:].String(), o.Detail).Leaf("td", m.names(o.Path[1].Key))
			w.Leaf("td", schema.Shorten(textsIn(v), shownLeft)).Open("td")
			w.Leaf("button.quiet type=button data-do=drop data-arg=% aria-label=% hidden=%", "Remove", path, "Remove "+path,
				markup.Only(m.form.ReadOnly, "hidden"))
			w.Close().Close()
		}
		w.Close()
		if n := len(m.orphans) - mostLeft; n > 0 {
			w.Leaf("p.dim", fmt.Sprintf("and %d more", n))
		}
		w.Close()
	}, func() {
		w.Leaf("button.primary type=button data-do=drop hidden=%", "Remove all", markup.Only(m.form.ReadOnly, "hidden"))
	})
}

// textsIn returns the texts in a value, and other values as JSON.
func textsIn(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case *schema.Object:
		var texts []string
		for _, m := range v.Members() {
			texts = append(texts, textsIn(m.Value))
		}
		return strings.Join(texts, ", ")
	}
	return string(schema.Encode(v))
}

// leftAt returns the path of the left-over translation at a path as text, or nil.
func leftAt(orphans schema.Problems, path string) schema.Path {
	for _, o := range orphans {
		if o.Path.String() == path {
			return o.Path
		}
	}
	return nil
}

// drop removes the left-over translation at a path, or all of them for "".
func (p *Page) drop(t *desk.Turn, path string) {
	c := translate.RemoveOrphans{}
	for _, o := range p.orphans {
		if path == "" || path == o.Path.String() {
			c.Paths = append(c.Paths, o.Path)
		}
	}
	t.Run(c)
	if len(c.Paths) == len(p.orphans) {
		p.close(t)
		return
	}
	t.Focus(".dk-dialog .primary")
}
