package gesture_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// spoken is a form whose parts refer to each other, in two languages. All its nodes
// have coordinates.
const spoken = `{"name":"f","languages":{"primary":"en"},"nodes":[
 {"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[
   {"id":"mail","category":"FIELD","type":"EMAIL","label":"{{fields.mail}} {{fields.h}}"},
   {"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"to {{ fields.mail }}","next_node":"r"}}],"next_node":"r"}},
 {"id":"r","type":"ROUTER","coordinates":{"x":400,"y":0},"config":{"rules":[
   {"id":"r1","condition":{"operator":"EQ","operands":["{{fields.mail}}","{{fields.tel}}"]},"next_node":"a"},
   {"id":"r2","condition":{"operator":"EQ","operands":["{{fields.h}}","x"]}}],"fallback":"$ending"}},
 {"id":"b","type":"STEP","coordinates":{"x":813,"y":47},"config":{"components":[
   {"id":"tel","category":"FIELD","type":"TEL","label":"not {{fields.mail}}"}],"next_node":"w"}},
 {"id":"w","type":"FLOW","coordinates":{"x":820,"y":300},"config":{"flow_id":"af_1"}}],
 "start":{"next_node":"a","coordinates":{"x":-200,"y":0},"hidden_fields":[{"key":"h"}]},
 "translations":{"de":{"components":{"mail":{"label":"Post {{fields.mail}} {{fields.tel}}"},"tel":{"label":"{{fields.mail}}"}}}},
 "ending":{"coordinates":{"x":1200,"y":40}}}`

// soak does random things to a canvas, and the same to its mirror.
type soak struct {
	*canvas
	n    *naive
	r    *rand.Rand
	clip []map[string]any // what is on the clipboard, as the mirror copied it
	text string           // and as the editor did
	did  map[string]int
}

func newSoak(t *testing.T, seed uint64) *soak {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 11))
	c := newCanvas(t, spoken, func(c *editor.Config, _ *gesture.Options) { c.Rand = r.IntN })
	return &soak{canvas: c, n: &naive{t: t, form: parsed(t, spoken)}, r: r, did: map[string]int{}}
}

// drag drags a card by its header, with random modifiers, and sometimes cancels.
func (s *soak) drag() {
	s.t.Helper()
	card := s.scene.Cards()[s.r.IntN(len(s.scene.Cards()))]
	press := card.Rect.Origin().Add(graph.Vec{X: min(100, card.Rect.W/2), Y: 10})
	zoom := []float64{1, 1, 1, .25, .5, 2}[s.r.IntN(6)]
	s.chart.SetViewport(graph.Viewport{X: 1000 - press.X*zoom, Y: 500 - press.Y*zoom, Zoom: zoom})
	hit := s.scene.Hit(press, zoom, s.chart.Shown().Selection().Has)
	if hit.Card == nil || hit.Out >= 0 || hit.Spot == graph.GripSpot {
		return // a handle or the row of a card above lies there
	}
	id := hit.Card.ID
	m := gesture.Mods{Control: s.r.IntN(2) == 0, Shift: s.r.IntN(5) == 0, Alt: s.r.IntN(9) == 0}
	way := graph.Vec{X: float64(s.r.IntN(1800) - 900), Y: float64(s.r.IntN(800) - 400)}
	if edges := s.form().Edges(); len(edges) > 0 && s.r.IntN(2) == 0 {
		// To an edge, where an unconnected card is inserted.
		e := edges[s.r.IntN(len(edges))]
		if e := s.scene.Edge(e.From, e.Port); e != nil {
			way = e.Curve.At(.5).Sub(press).Scale(zoom)
			way = graph.Vec{X: max(-900, min(900, way.X)), Y: max(-400, min(400, way.Y))}
		}
	}
	if way.Len() < 8 {
		return
	}
	s.with(m).down(press.X, press.Y)
	for range s.r.IntN(4) {
		s.move(press.X+float64(s.r.IntN(900)-450)/zoom, press.Y+float64(s.r.IntN(400)-200)/zoom)
	}
	s.move(press.X+way.X/zoom, press.Y+way.Y/zoom)
	ids := []string{id}
	switch was := s.n.selection; {
	case slices.Contains(was, id):
		ids = was
	case m.Shift:
		ids = append(slices.Clone(was), id)
	}
	if s.r.IntN(8) == 0 {
		s.key("Escape").up().with(gesture.Mods{})
		s.did["cancel"]++
		return
	}
	_, got := s.chart.Shown().Dragged()
	by := s.offset(id, way.Scale(1/zoom), got, m.Control)
	insert := s.chart.Shown().InsertEdge()
	before, covered := len(s.form().Nodes), s.covered()
	s.up().with(gesture.Mods{})
	s.n.selection = ids
	switch {
	case m.Alt:
		copies := s.n.copied(ids)
		if len(copies) == 0 {
			return // the two ends cannot be copied
		}
		s.did["copy"]++
		s.n.change(func() []string {
			return s.n.insert(copies, s.fresh(before), func(lo model.Point) model.Point { return lo.Add(by) }, true)
		})
	case insert != nil:
		s.did["insert"]++
		s.n.change(func() []string {
			s.n.move(ids, by)
			s.n.insertOnEdge(insert.Source().ID, string(insert.Port), id)
			s.makeRoom(id, covered)
			return ids
		})
	case by != model.Point{}:
		s.did["drag"]++
		s.n.change(func() []string {
			s.n.move(ids, by)
			return ids
		})
	}
}

// covered returns the pairs of cards that overlap.
func (s *soak) covered() map[[2]string]bool {
	pairs := map[[2]string]bool{}
	for _, c := range s.scene.Cards() {
		for _, o := range s.scene.CardsIn(graph.Rect{X: c.Rect.X + 1, Y: c.Rect.Y + 1, W: c.Rect.W - 2, H: c.Rect.H - 2}, nil) {
			if o != c {
				pairs[[2]string{c.Key, o.Key}] = true
			}
		}
	}
	return pairs
}

// makeRoom copies where cards went to make room for one. It checks that all others went to the right by one
// distance, and that none covers a card that it did not cover before. The tests of the scene check where they go.
func (s *soak) makeRoom(id string, covered map[[2]string]bool) {
	s.t.Helper()
	for pair := range s.covered() {
		if !covered[pair] {
			s.t.Fatalf("%s covers %s", pair[0], pair[1])
		}
	}
	shift := 0
	for _, c := range s.scene.Cards() {
		at, was := s.place(c.ID), s.n.place(c.ID)
		by := at.X - was.X
		if c.ID != id && shift == 0 {
			shift = by
		}
		if at.Y != was.Y || by < 0 || c.ID != id && by != 0 && by != shift {
			s.t.Fatalf("%s went from %v to %v to make room, others by %d", c.ID, was, at, shift)
		}
		putAt(s.n.element(c.ID), at)
	}
}

// offset returns how far a card must move when the pointer does. Without
// the grid that is the distance, rounded. Otherwise it checks that the chart's offset is
// near and brings the card onto the grid, or onto a line.
func (s *soak) offset(id string, way, got graph.Vec, free bool) model.Point {
	s.t.Helper()
	if free {
		return model.Point{X: int(math.Round(way.X)), Y: int(math.Round(way.Y))}
	}
	at, near := s.n.place(id), 10+8/s.chart.Viewport().Zoom
	for _, a := range [][3]float64{{got.X, way.X, float64(at.X)}, {got.Y, way.Y, float64(at.Y)}} {
		by, want, from := a[0], a[1], a[2]
		onGrid := math.Mod(from+by, graph.Grid) == 0
		if by != math.Trunc(by) || math.Abs(by-want) > near || !onGrid && len(s.chart.Shown().Guides()) == 0 {
			s.t.Fatalf("%s at %v is dragged by %v for %v", id, at, got, way)
		}
	}
	return model.Point{X: int(got.X), Y: int(got.Y)}
}

func (s *soak) form() *model.Form { return s.ed.State().Form }

// fresh returns the nodes that the editor appended.
func (s *soak) fresh(from int) []map[string]any {
	s.t.Helper()
	var list []map[string]any
	for _, n := range s.form().Nodes[from:] {
		list = append(list, parsed(s.t, string(schema.Encode(n.Tree()))))
	}
	return list
}

// paste pastes what was copied, sometimes after copying something else.
func (s *soak) paste() {
	s.t.Helper()
	if s.text == "" || s.r.IntN(3) > 0 {
		var ids []string
		for _, i := range s.r.Perm(len(s.form().Nodes))[:1+s.r.IntN(3)] {
			ids = append(ids, s.form().Nodes[i].ID)
		}
		s.ed.Select(editor.SelectNodes(ids...))
		text, err := editor.Copy(s.ed.State())
		if err != nil {
			s.t.Fatal(err)
		}
		s.text, s.clip, s.n.selection = text, s.n.copied(ids), ids
	}
	p, err := editor.ParsePaste(s.text)
	if err != nil {
		s.t.Fatal(err)
	}
	var at *model.Point
	corner := func(lo model.Point) model.Point { return model.Point{X: lo.X + 40, Y: lo.Y + 40} }
	if s.r.IntN(2) == 0 {
		at = &model.Point{X: s.r.IntN(2000) - 500, Y: s.r.IntN(1000) - 500}
		corner = func(model.Point) model.Point {
			round := func(v int) int { return int(math.Round(float64(v)/20)) * 20 }
			return model.Point{X: round(at.X), Y: round(at.Y)}
		}
	}
	before := len(s.form().Nodes)
	if err := s.ed.Run(s.ed.Make().Paste(p, at)); err != nil {
		s.t.Fatal(err)
	}
	s.did["paste"]++
	s.n.change(func() []string { return s.n.insert(s.clip, s.fresh(before), corner, false) })
}

// remove deletes a node, most often a pasted one, so that what was copied may lead to
// no node.
func (s *soak) remove() {
	s.t.Helper()
	nodes := s.form().Nodes
	i := s.r.IntN(len(nodes))
	if i < 4 && s.r.IntN(4) > 0 || len(nodes) < 3 {
		return
	}
	id := nodes[i].ID
	if err := s.ed.Run(editor.RemoveNodes{IDs: []string{id}}); err != nil {
		s.t.Fatal(err)
	}
	s.did["remove"]++
	s.n.change(func() []string {
		s.n.remove(id)
		return nil
	})
}

// compare checks that the editor and the mirror hold the same.
func (s *soak) compare(i int) {
	s.t.Helper()
	got := parsed(s.t, string(schema.Encode(s.form().Tree())))
	if !reflect.DeepEqual(got, s.n.form) {
		s.t.Fatalf("after %d actions:\n got %s\nwant %s", i, written(s.t, got), written(s.t, s.n.form))
	}
	if sel := s.ed.State().Selection; !slices.Equal(sel.Nodes, s.n.selection) {
		s.t.Fatalf("after %d actions: got %v selected, want %v", i, sel.Nodes, s.n.selection)
	}
	// Steps compares every form of the history, so it is not called each time.
	if i%50 == 0 && len(s.ed.Steps())-1 != len(s.n.done)+len(s.n.gone) {
		s.t.Fatalf("after %d actions: got %d steps, want %d", i, len(s.ed.Steps())-1, len(s.n.done)+len(s.n.gone))
	}
	if (s.ed.UndoLabel() == "") != (len(s.n.done) == 0) || (s.ed.RedoLabel() == "") != (len(s.n.gone) == 0) {
		s.t.Fatalf(
			"after %d actions: undo %q, redo %q; want %d and %d steps",
			i,
			s.ed.UndoLabel(),
			s.ed.RedoLabel(),
			len(s.n.done),
			len(s.n.gone),
		)
	}
}

// Hundreds of drags, pastes, removals and undos leave the same form as a computation on plain maps
// that knows nothing of the editor, and the patch to save makes that form too.
func TestSoak(t *testing.T) {
	did := map[string]int{}
	for seed := range uint64(sizetest.Of(0, 1, 20)) {
		s := newSoak(t, seed)
		s.did = did
		for i := range 300 {
			// In a large form the first nodes would rarely be chosen.
			for range len(s.form().Nodes) - 10 {
				s.remove()
			}
			switch s.r.IntN(11) {
			case 10:
				s.remove()
			case 0, 1, 2, 3, 4, 5:
				s.drag()
			case 6, 7:
				s.paste()
			case 8:
				for range 1 + s.r.IntN(6) {
					s.ed.Undo()
					s.n.undo()
				}
				did["undo"]++
			case 9:
				for range 1 + s.r.IntN(4) {
					s.ed.Redo()
					s.n.redo()
				}
				did["redo"]++
			}
			s.compare(i + 1)
			s.wantRest("between two actions")
		}
		saved := s.ed.Changes().Apply(s.ed.Base())
		if got := parsed(t, string(schema.Encode(saved.Tree()))); !reflect.DeepEqual(got, s.n.form) {
			t.Errorf("seed %d: the patch to save makes\n     %s\nwant %s", seed, written(t, got), written(t, s.n.form))
		}
		for range len(s.n.done) {
			s.ed.Undo()
			s.n.undo()
		}
		s.compare(-1)
		if !s.ed.Changes().Empty() {
			t.Errorf("seed %d: after undoing everything there is something to save", seed)
		}
	}
	for _, what := range []string{"drag", "copy", "cancel", "insert", "paste", "remove", "undo", "redo"} {
		if did[what] < 4 {
			t.Errorf("%s was done only %d times", what, did[what])
		}
	}
}
