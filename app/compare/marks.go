package compare

import (
	"slices"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Marks are what is different on the canvas.
type Marks struct {
	Cards []Card
	// Gone are the trees of the removed nodes, at their places.
	Gone []any
	// Edges are the paths of the edges that are no longer there, as in SVG.
	Edges []string
	// Was are the places that cards have left.
	Was []graph.Rect
}

// Card is what is different on a card.
type Card struct {
	Key  string
	Kind merge.ChangeKind
	Tag  string // in words, without the sign
	Rows []Row
	Gone []string // the names of the components and rules that are no longer there
}

// Row is a component or rule that is different.
type Row struct {
	ID   string
	Kind merge.ChangeKind
}

// MarksOf returns the marks of items. layout reports whether places are compared.
func MarksOf(base, now *model.Form, items []Item, layout bool) Marks {
	var m Marks
	scene := graph.New(base)
	for i := range items {
		it := &items[i]
		moved := layout && it.Moved && it.Kind != merge.Added && it.Kind != merge.Removed
		switch {
		case it.Key == "" || it.Layout() && !moved:
			continue
		case it.Kind == merge.Removed && it.IsNode():
			m.Gone = append(m.Gone, base.Nodes[it.Was].Tree())
			continue
		}
		if moved {
			if c := scene.Card(it.Key); c != nil && !c.Auto {
				m.Was = append(m.Was, c.Rect)
			}
		}
		m.Cards = append(m.Cards, it.card(moved))
	}
	m.Edges = lost(base, now)
	return m
}

// Reverse turns marks around, for a canvas that shows the form before the changes.
func (m *Marks) Reverse() {
	for i := range m.Cards {
		c := &m.Cards[i]
		switch c.Kind = reverse(c.Kind); c.Kind {
		case merge.Added:
			c.Tag = Words[c.Kind]
		case merge.Removed:
			c.Tag = OnlyHere
		case merge.Changed, merge.Moved:
		}
		for j := range c.Rows {
			c.Rows[j].Kind = reverse(c.Rows[j].Kind)
		}
	}
}

func reverse(k merge.ChangeKind) merge.ChangeKind {
	switch k {
	case merge.Added:
		return merge.Removed
	case merge.Removed:
		return merge.Added
	case merge.Changed, merge.Moved:
	}
	return k
}

// card returns what is different on the card of an item.
func (i *Item) card(moved bool) Card {
	c := Card{Key: i.Key, Kind: i.Kind, Tag: Words[i.Kind]}
	marked := map[string]bool{} // rows
	for j := range i.Lines {
		l := &i.Lines[j]
		switch {
		case l.Row == "":
		case l.Kind == merge.Removed && l.Property == "":
			c.Gone = append(c.Gone, l.Name)
		case !marked[l.Row]:
			marked[l.Row] = true
			kind := merge.Changed
			if l.Property == "" {
				kind = l.Kind
			}
			c.Rows = append(c.Rows, Row{l.Row, kind})
		}
	}
	if i.Kind == merge.Changed && moved {
		c.Tag += ", moved"
	}
	return c
}

// lost returns the paths of the edges of base that now lacks. They begin and end at the cards as they are, as far as these still exist.
func lost(base, now *model.Form) []string {
	type way struct {
		from string
		port model.Port
		to   model.Pointer
	}
	there := map[way]bool{}
	for _, e := range now.Edges() {
		there[way{e.From, e.Port, e.To}] = true
	}
	scene := graph.New(placed(base, now))
	var paths []string
	scene.Edges(func(e *graph.Edge) {
		if e.Target() != nil && !there[way{e.Source().ID, e.Port, e.To}] {
			paths = append(paths, string(e.Curve.AppendPath(nil, e.Gaps())))
		}
	})
	return paths
}

// placed returns base with the nodes that are also in now at their places there.
func placed(base, now *model.Form) *model.Form {
	places := make(map[string]any, len(now.Nodes))
	for _, n := range slices.Backward(now.Nodes) { // of several with one id, the first counts
		places[n.ID], _ = n.Tree().Get("coordinates")
	}
	list := slices.Clone(base.Tree().List("nodes"))
	for i := range list {
		o, _ := list[i].(*schema.Object)
		if at := places[o.Text("id")]; at != nil {
			list[i] = o.With("coordinates", at)
		}
	}
	tree := base.Tree().With("nodes", list)
	for _, end := range []string{"start", "ending"} {
		if o, is := tree.Object(end), now.Tree().Object(end); o != nil && is.Has("coordinates") {
			at, _ := is.Get("coordinates")
			tree = tree.With(end, o.With("coordinates", at))
		}
	}
	return base.Derive(tree)
}
