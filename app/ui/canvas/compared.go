package canvas

import (
	"strings"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/model"
)

// Compared is what the canvas shows of a comparison with another form.
type Compared struct {
	Cards map[string]*Difference // by the keys of the cards
	Gone  *model.Form            // has the nodes that are only in the other form; nil for none
	Edges []string               // the paths of edges that are only in the other form, as in SVG
	Was   []string               // places that cards have left, as styles
	// Arrives is whether the other form is the later one, so that what only it has is added.
	Arrives bool
}

// Difference is what differs on a card.
type Difference struct {
	Kind string   // for the attribute data-compare
	Tag  string   // a sign, a space, and words
	Rows []string // the ids of components and rules that differ, each followed by its sign
	Gone string   // the names of those that are only in the other form, "" for none
	// Arrives is that of Compared.
	Arrives bool
}

// words returns what screen readers say of a card, "" if nothing differs.
func (d *Difference) words() string {
	if d == nil {
		return ""
	}
	_, words, _ := strings.Cut(d.Tag, " ")
	return ", " + words
}

// appendDifference appends the attributes of a card that differs.
func appendDifference(b []byte, d *Difference) []byte {
	if d == nil {
		return b
	}
	b = append(b, ` data-compare="`...)
	b = markup.Append(b, d.Kind)
	b = append(b, `" data-tag="`...)
	b = markup.Append(b, d.Tag)
	return append(b, '"')
}

// signOf returns the sign of a row, "" if it does not differ.
func (d *Difference) signOf(r *graph.Row) string {
	if d != nil {
		for i := 1; i < len(d.Rows); i += 2 {
			if d.Rows[i-1] == r.ID {
				return d.Rows[i]
			}
		}
	}
	return ""
}

// ghosts returns the scene of the nodes that are only in the other form, and the markup of all that is no longer there. Nothing of it is in
// the scene of the form, so that gestures do not find it.
func (c *Compared) ghosts() (scene *graph.Scene, html string) {
	if c == nil {
		return nil, ""
	}
	class, was, other := "cv-gone", "was here", &Difference{Kind: "removed", Tag: "− Removed"}
	if c.Arrives {
		class, was, other = "cv-gone cv-new", "goes here", &Difference{Kind: "added", Tag: "+ Added"}
	}
	b := []byte(`<svg class="cv-edges">`)
	for _, d := range c.Edges {
		b = append(b, `<path class="cv-edge `+class+`" d="`...)
		b = markup.Append(b, d)
		b = append(b, `"/>`...)
	}
	b = append(b, `</svg>`...)
	for _, style := range c.Was {
		b = append(b, `<div class="cv-was" style="`...)
		b = markup.Append(b, style)
		b = append(b, `"><span>`+was+`</span></div>`...)
	}
	if c.Gone == nil {
		return nil, string(b)
	}
	scene = graph.New(c.Gone)
	for _, card := range scene.Cards() {
		if !drawn(card) {
			continue
		}
		content := *card.Content
		content.Outs, content.HasIn = nil, false // nothing can be connected
		ghost := *card
		ghost.Content = &content
		b = appendCard(b, &ghost, look{content: &content, id: card.ID, row: -1, differs: other}, false)
	}
	return scene, string(b)
}

// drawn reports whether a card of the scene of the ghosts is drawn: it is that of a node with a place.
func drawn(c *graph.Card) bool { return c.Place >= 0 && !c.Auto }

// withGhosts returns the rectangle around a form and what only the other one has, of which the scene may be nil.
func withGhosts(form graph.Rect, ghosts *graph.Scene) graph.Rect {
	if ghosts != nil {
		for _, c := range ghosts.Cards() {
			if drawn(c) {
				form = form.Union(c.Rect)
			}
		}
	}
	return form
}
