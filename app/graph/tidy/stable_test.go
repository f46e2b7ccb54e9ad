package tidy_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/app/graph/tidy"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/sizetest"
)

// edit is a sort of edit as a person makes it in the editor. make returns nil if a form has nothing to edit so.
type edit struct {
	name string
	make func(e *editor.Editor, s *graph.Scene, rnd *rand.Rand) editor.Command
}

var edits = []edit{
	{"rename a node", func(e *editor.Editor, _ *graph.Scene, rnd *rand.Rand) editor.Command {
		if len(e.State().Form.Nodes) == 0 {
			return nil
		}
		return editor.RenameNode{Index: rnd.IntN(len(e.State().Form.Nodes)), ID: "renamed"}
	}},
	{"add a component", func(e *editor.Editor, s *graph.Scene, rnd *rand.Rand) editor.Command {
		if c := pick(rnd, s.Cards(), func(c *graph.Card) bool { return c.Kind == graph.StepKind }); c != nil {
			return e.Make().Component(model.KindOf("EMAIL"), c.Key, -1)
		}
		return nil
	}},
	{"remove a component", func(_ *editor.Editor, s *graph.Scene, rnd *rand.Rand) editor.Command {
		if c := pick(rnd, s.Cards(), func(c *graph.Card) bool { return c.Kind == graph.StepKind && c.Items > 0 }); c != nil {
			return editor.RemoveComponents{Node: c.Key, IDs: []string{c.Rows[0].ID}}
		}
		return nil
	}},
	{"add a rule", func(e *editor.Editor, s *graph.Scene, rnd *rand.Rand) editor.Command {
		if c := pick(rnd, s.Cards(), func(c *graph.Card) bool { return c.Kind == graph.RouterKind }); c != nil {
			return e.Make().Rule(c.Key)
		}
		return nil
	}},
	{"insert a step", func(e *editor.Editor, s *graph.Scene, rnd *rand.Rand) editor.Command {
		if d := pick(rnd, edgesOf(s), func(*graph.Edge) bool { return true }); d != nil {
			return e.Make().NodeIn(model.StepNode, editor.SpotOn(refOf(d), s))
		}
		return nil
	}},
	{"delete and reconnect", func(e *editor.Editor, s *graph.Scene, rnd *rand.Rand) editor.Command {
		if len(e.State().Form.Nodes) == 0 {
			return nil
		}
		return editor.RemoveNodes{IDs: []string{s.Cards()[2+rnd.IntN(len(s.Cards())-2)].Key}, Join: true}
	}},
	{"retarget an edge", func(e *editor.Editor, s *graph.Scene, rnd *rand.Rand) editor.Command {
		d := pick(rnd, edgesOf(s), func(*graph.Edge) bool { return true })
		if d == nil {
			return nil
		}
		to := pick(rnd, s.Cards(), func(c *graph.Card) bool {
			return c.Kind != graph.StartKind && c != d.Source() && c != d.Target() && (c.Kind != graph.EndingKind || d.Source().Kind != graph.StartKind)
		})
		if to == nil {
			return nil
		}
		return editor.Reconnect{Edge: refOf(d), Target: model.Pointer(to.ID)}
	}},
	{"add a jump back", func(e *editor.Editor, s *graph.Scene, rnd *rand.Rand) editor.Command {
		for range 100 {
			to := pick(rnd, s.Cards(), func(c *graph.Card) bool { return c.Place >= 0 })
			if to == nil {
				return nil
			}
			reach := map[*graph.Card]bool{}
			var walk func(c *graph.Card)
			walk = func(c *graph.Card) {
				for _, d := range c.Edges() {
					if d != nil && d.Target() != nil && !reach[d.Target()] {
						reach[d.Target()] = true
						walk(d.Target())
					}
				}
			}
			walk(to)
			from := pick(rnd, s.Cards(), func(c *graph.Card) bool { return reach[c] && c != to && c.Kind == graph.StepKind })
			if from == nil {
				continue
			}
			button := e.Make().Component(model.KindOf("JUMP_BUTTON"), from.Key, -1)
			return editor.Sequence{Commands: []editor.Command{
				button, editor.Connect{From: from.Key, Port: model.JumpPort(button.Component.Text("id")), To: model.Pointer(to.ID)},
			}}
		}
		return nil
	}},
}

func pick[T any](rnd *rand.Rand, list []*T, fits func(*T) bool) *T {
	var fit []*T
	for _, v := range list {
		if fits(v) {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return fit[rnd.IntN(len(fit))]
}

func edgesOf(s *graph.Scene) (list []*graph.Edge) {
	s.Edges(func(e *graph.Edge) {
		if e.Target() != nil {
			list = append(list, e)
		}
	})
	return list
}

func refOf(d *graph.Edge) editor.EdgeRef { return editor.EdgeRef{From: d.Source().Key, Port: d.Port} }

// placed returns a form with the places of a scene.
func placed(tb testing.TB, s *graph.Scene) *model.Form {
	tb.Helper()
	at := map[string]model.Point{}
	for _, c := range s.Cards() {
		at[c.Key] = c.Rect.Origin().Point()
	}
	return graphtest.WithPlaces(tb, s.Form(), at)
}

// movement is how many cards a layout moves by more than the grid, in parts of all of them: all, and those whose place beside their neighbours
// changes, which are the ones that most of the cards joined with them by edges do not move along with. A tail that makes room counts only
// among all.
type movement struct{ all, apart float64 }

func movementOf(before, after *graph.Scene) (m movement) {
	step := map[*graph.Card]graph.Vec{}
	for _, c := range after.Cards() {
		if o := before.Card(c.Key); o != nil {
			if d := c.Rect.Origin().Sub(o.Rect.Origin()); max(math.Abs(d.X), math.Abs(d.Y)) > graph.Grid {
				step[c] = d
			}
		}
	}
	for c, d := range step {
		m.all++
		with, against := 0, 0
		count := func(o *graph.Card) {
			switch {
			case o == nil || o == c:
			case step[o] == d:
				with++
			default:
				against++
			}
		}
		for _, e := range c.Edges() {
			if e != nil {
				count(e.Target())
			}
		}
		for _, e := range c.Ins() {
			count(e.Source())
		}
		if against > with || with == 0 {
			m.apart++
		}
	}
	n := float64(len(after.Cards()))
	return movement{m.all / n, m.apart / n}
}

func (m *movement) add(o movement) { m.all, m.apart = m.all+o.all, m.apart+o.apart }

// stability is what re-runs of Tidy up after edits of one sort do.
type stability struct {
	runs       int
	kept, anew movement // with the present places, and without
	a, b       score    // of the drawings of smaller forms
}

func (s *stability) String() string {
	n := float64(s.runs)
	return fmt.Sprintf("%3d runs  moved %4.1f %% (anew %4.1f %%)  apart %4.1f %% (%4.1f %%)  crossings %d (%d)  bends %d (%d)  length %.2f", s.runs,
		100*s.kept.all/n, 100*s.anew.all/n, 100*s.kept.apart/n, 100*s.anew.apart/n, s.a.crossings, s.b.crossings, s.a.bends, s.b.bends,
		s.a.length/s.b.length)
}

// run edits a tidy form, tidies it up again, and checks the laws of the result.
func (s *stability) run(t *testing.T, f *model.Form, ed edit, rnd *rand.Rand) {
	t.Helper()
	e := editor.New(f, editor.Config{Rand: rnd.IntN})
	c := ed.make(e, graph.New(f), rnd)
	if c == nil || e.Run(c) != nil {
		return
	}
	before := graph.New(e.State().Form)
	after, anew := tidied(t, placed(t, before), nil), graph.New(graphtest.WithPlaces(t, placed(t, before), tidy.Anew(before)))
	s.runs++
	s.kept.add(movementOf(before, after))
	s.anew.add(movementOf(before, anew))
	for _, c := range after.Cards() {
		for _, o := range after.CardsIn(c.Rect.Grown(39), nil) {
			if o != c {
				t.Errorf("%s: %s at %v is close to %s at %v", ed.name, c.ID, c.Rect, o.ID, o.Rect)
			}
		}
	}
	cards, back := reached(after)
	for c := range cards {
		for _, e := range c.Edges() {
			if e != nil && !e.Dangling() && !back[e] && e.Target().Rect.X < c.Rect.Right()+80 && e.Target().Rect.Y < c.Rect.Bottom()+80 {
				t.Errorf("%s: edge %s of %s at %v leads back to %v", ed.name, e.Port, c.ID, c.Rect, e.Target().Rect)
			}
		}
	}
	if again := tidy.Layout(after, nil); len(again) > 0 {
		t.Errorf("%s: a third run moves %v", ed.name, again)
	}
	if len(f.Nodes) > 20 {
		return // it takes long
	}
	a, _ := drawnAndBare(after)
	b, _ := drawnAndBare(anew)
	s.a.add(a)
	s.b.add(b)
}

// A re-run of Tidy up after one edit moves few cards, and its picture is as good as that of a new layout. Of all cards that move most are in a
// tail that makes room or closes a gap.
func TestStable(t *testing.T) {
	var forms []*model.Form
	shown := examples(t)
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		forms = append(forms, shown[name])
	}
	rnd := rand.New(rand.NewPCG(51, 52))
	for _, n := range []int{8, 12, 16, 20, 30, 40, 60, 80, 100, 120, 160, 200} {
		forms = append(forms, graphtest.Random(t, rnd, n, 0))
	}
	for i, f := range forms {
		forms[i] = placed(t, tidied(t, f, nil))
	}
	for _, ed := range edits {
		var s stability
		for _, f := range forms {
			for range 2 {
				s.run(t, f, ed, rnd)
			}
		}
		t.Logf("%-22s %v", ed.name, &s)
		if s.kept.apart > .1*float64(s.runs) || s.a.over > 0 || float64(s.a.crossings) > 1.1*float64(s.b.crossings)+2 {
			t.Errorf("%s: %v; %d lines over cards", ed.name, &s, s.a.over)
		}
	}
}

// A tidy form so large that no new layout is made for a comparison stays as it is, too.
func TestLargeTidyFormStays(t *testing.T) {
	for i := range sizetest.Of(1, 3, 20) {
		s := tidied(t, graphtest.Random(t, rand.New(rand.NewPCG(77, uint64(i))), 1000+500*i, 3*i), nil)
		if again := tidy.Layout(s, nil); len(again) > 0 {
			t.Errorf("%d of %d cards move", len(again), len(s.Cards()))
		}
	}
}

// Places that are not those of a layout, such as drawn by hand, do not matter.
func TestUntidyFormIsLaidOutAnew(t *testing.T) {
	rnd := rand.New(rand.NewPCG(53, 54))
	for i := range sizetest.Of(0, 60, 500) {
		f := graphtest.Random(t, rnd, 3+i%28, 0)
		if i%2 == 0 {
			at := map[string]model.Point{}
			for _, c := range tidied(t, f, nil).Cards() {
				at[c.Key] = c.Rect.Origin().Add(graph.Vec{X: float64(rnd.IntN(60)), Y: float64(rnd.IntN(60))}).Point()
			}
			f = graphtest.WithPlaces(t, f, at)
		}
		s := graph.New(f)
		if got, want := tidy.Layout(s, nil), tidy.Anew(s); !maps.Equal(got, want) {
			t.Errorf("%d nodes: got %v, want %v", len(f.Nodes), got, want)
		}
	}
}
