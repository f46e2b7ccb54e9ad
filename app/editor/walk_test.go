package editor_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// walkLength is the number of random commands in the walk.
var walkLength = flag.Int("walk", 0, "number of random commands")

// spoken is a form whose parts refer to each other.
const spoken = `{"name":"f","nodes":[
 {"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[
   {"id":"mail","category":"FIELD","type":"EMAIL","label":"{{fields.mail}}"},
   {"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"to {{ fields.mail }}","next_node":"r"}}],"next_node":"r"}},
 {"id":"r","type":"ROUTER","config":{"rules":[
   {"id":"r1","condition":{"operator":"EQ","operands":["{{fields.mail}} {{fields.h}}","x"]},"next_node":"a"}],"fallback":"$ending"}}],
 "start":{"next_node":"a","hidden_fields":[{"key":"h"}]},
 "translations":{"de":{"components":{"mail":{"label":"Post {{fields.mail}}"}}}},"ending":{"coordinates":{"x":40,"y":40}}}`

// walker runs random commands on a form. It has a clipboard.
type walker struct {
	t    *testing.T
	r    *rand.Rand
	e    *editor.Editor
	clip string
	did  map[string]int // how often a command of a type changed the form
}

func newWalker(t *testing.T, src string, seed uint64) *walker {
	t.Helper()
	e, _ := newEditor(t, src)
	return &walker{
		t:    t,
		r:    rand.New(rand.NewPCG(seed, 4)),
		e:    e,
		clip: `{"nodes":[{"id":"a","type":"FLOW","config":{"flow_id":"af_1","next_node":"r"}}]}`,
		did:  map[string]int{},
	}
}

// large is the maximum number of nodes in a form of the walk. Small forms suffice to break laws, and large ones are slow to compare.
const large = 5

func (w *walker) step() {
	f := w.e.State().Form
	parts := 0
	for _, n := range f.Nodes {
		if s, ok := n.Config.(*model.Step); ok {
			parts += len(s.Components)
		}
		if r, ok := n.Config.(*model.Router); ok {
			parts += len(r.Rules)
		}
	}
	if len(f.Nodes) > large || parts > 3*large {
		for range 3 {
			if f := w.e.State().Form; len(f.Nodes) > 0 {
				run(w.t, w.e, editor.RemoveNodes{IDs: []string{f.Nodes[w.r.IntN(len(f.Nodes))].ID}, Join: w.r.IntN(2) == 0})
			}
		}
	}
	if w.r.IntN(2) == 0 {
		w.e.Select(w.selection())
	}
	c, was := w.command(), w.e.State().Form
	run(w.t, w.e, c)
	if w.e.State().Form != was {
		w.did[fmt.Sprintf("%T", c)]++
	}
	switch w.r.IntN(40) {
	case 0:
		w.e.Undo()
	case 1:
		w.jump()
	}
}

func TestRandomWalkKeepsLaws(t *testing.T) {
	w := newWalker(t, twoSteps, 3)
	did := w.did
	length := sizetest.Of(*walkLength, 3_000, 100_000) // small: a walk from each of the three forms
	for i := range length {
		if i%1000 == 0 {
			w = newWalker(t, []string{twoSteps, spoken, twins}[i/1000%3], uint64(i))
			w.did = did
		}
		w.step()
	}
	for _, name := range []string{"Paste", "Duplicate", "Cut", "RemoveNodes", "RemoveSelection", "InsertOnEdge", "Reconnect", "PlaceNodes"} {
		if n := did["editor."+name]; n < length/500 {
			t.Errorf("the walk ran %s only %d times", name, n)
		}
	}
	// The history is bounded, so only a short walk leads back to its start.
	w = newWalker(t, spoken, 5)
	start := w.e.State().Form.Tree()
	for range 100 {
		w.step()
	}
	for w.e.UndoLabel() != "" {
		w.e.Undo()
	}
	if got := w.e.State().Form.Tree(); !schema.Equal(got, start) || !w.e.Changes().Empty() {
		t.Errorf("after undoing everything:\n got %s\nwant %s", schema.Encode(got), schema.Encode(start))
	}
}

// jump jumps to a random step of the history and back, which must have the same effect as undo and redo.
func (w *walker) jump() {
	w.t.Helper()
	steps := w.e.Steps()
	here := 0
	for i, s := range steps {
		if s.Current {
			here = i
		}
	}
	there := max(0, min(len(steps)-1, here+w.r.IntN(9)-4))
	was := dump(w.e.State())
	if !w.e.JumpTo(there) {
		w.t.Fatalf("no step %d of %d", there, len(steps))
	}
	got := dump(w.e.State())
	for range there - here {
		w.e.Undo()
	}
	for range here - there {
		w.e.Redo()
	}
	for range there - here {
		w.e.Redo()
	}
	for range here - there {
		w.e.Undo()
	}
	if walked := dump(w.e.State()); there != here && walked != got {
		w.t.Fatalf("a jump from %d to %d gave\n     %s\nand a walk\n     %s", here, there, got, walked)
	}
	if there == here && got != was {
		w.t.Fatal("a jump to the current step changed the state")
	}
}

func (w *walker) ids() []string {
	ids := []string{model.StartID, model.EndingID}
	return append(ids, w.e.State().Form.Keys()...)
}

func (w *walker) id() string {
	ids := w.ids()
	return ids[w.r.IntN(len(ids))]
}

func (w *walker) edge() editor.EdgeRef {
	edges := w.e.State().Form.Edges()
	if len(edges) == 0 || w.r.IntN(9) == 0 {
		return editor.EdgeRef{From: w.id(), Port: model.NextPort}
	}
	e := edges[w.r.IntN(len(edges))]
	return editor.EdgeRef{From: e.From, Port: e.Port}
}

func (w *walker) point() model.Point {
	return model.Point{X: 10 * w.r.IntN(9), Y: 10 * w.r.IntN(9)}
}

func (w *walker) selection() editor.Selection {
	s := w.e.State()
	switch w.r.IntN(6) {
	case 0:
		return editor.SelectNodes(w.id(), w.id())
	case 1:
		return editor.Upstream(s, []string{w.id()})
	case 2:
		return editor.Downstream(s, []string{w.id()})
	case 3:
		e := w.edge()
		return editor.Selection{Edge: &e}
	}
	if len(s.Form.Nodes) == 0 {
		return editor.Selection{}
	}
	i := w.r.IntN(len(s.Form.Nodes))
	n, sel := s.Form.Nodes[i], editor.SelectNodes(s.Form.Keys()[i])
	switch c := n.Config.(type) {
	case *model.Step:
		if len(c.Components) > 0 {
			sel.Component = c.Components[w.r.IntN(len(c.Components))].ID
		}
	case *model.Router:
		if len(c.Rules) > 0 {
			sel.Rule = c.Rules[w.r.IntN(len(c.Rules))].ID
		}
	case *model.Flow, nil:
	}
	return sel
}

func (w *walker) command() editor.Command {
	e, rng := w.e, w.r
	f := e.State().Form
	id, to := w.id(), w.id()
	_, i := f.Node(id)
	nodes := schema.Path{schema.Key("nodes")}
	switch rng.IntN(24) {
	case 0:
		return editor.MoveNodes{IDs: []string{id}, By: model.Point{X: rng.IntN(99) - 50, Y: rng.IntN(9)}}
	case 1:
		return e.Make().Node([]model.NodeType{model.StepNode, model.FlowNode, model.RouterNode}[rng.IntN(3)], w.point(), nil)
	case 2:
		return editor.RemoveNodes{IDs: []string{id}}
	case 3:
		return e.Make().Component(&model.Kinds[rng.IntN(len(model.Kinds))], id, -1)
	case 4:
		return e.Make().Rule(id)
	case 5, 6:
		ports := []model.Port{model.NextPort, model.FallbackPort, "rule:r1", "jump:j"}
		return editor.Connect{From: id, Port: ports[rng.IntN(len(ports))], To: model.Pointer(to)}
	case 7:
		return editor.RenameNode{Index: i, ID: []string{"a", "b", "with space", ""}[rng.IntN(4)]}
	case 8:
		return editor.Set{Path: nodes.Index(max(i, 0)).Key("alias"), Value: []any{"x", "", schema.Number("3"), "{{fields.mail}}"}[rng.IntN(4)]}
	case 9:
		return editor.Clear{Path: nodes.Index(max(i, 0)).Key([]string{"config", "coordinates"}[rng.IntN(2)])}
	case 10:
		return e.Make().Node(model.StepNode, model.Point{}, &editor.EdgeRef{From: id, Port: model.NextPort})
	case 11:
		return editor.RemoveSelection{Join: rng.IntN(2) == 0}
	case 12:
		return editor.RemoveNodes{IDs: []string{id, to}, Join: true}
	case 13:
		return editor.Cut{}
	case 14, 15:
		return e.Make().Duplicate()
	case 16:
		return editor.InsertOnEdge{Edge: w.edge(), Node: id}
	case 17, 18:
		source := w.edge()
		c := editor.Reconnect{Edge: w.edge(), Source: &source, Target: model.Pointer(to)}
		switch rng.IntN(3) {
		case 0:
			c.Source = nil
		case 1:
			c.Target = ""
		}
		return c
	case 19:
		return editor.PlaceNodes{Places: map[string]model.Point{id: w.point(), to: w.point()}, Name: verb.Tidy.With("up")}
	case 20:
		e.Select(editor.SelectAll(e.State()))
		return e.Make().Duplicate()
	}
	if text, err := editor.Copy(e.State()); err == nil && rng.IntN(2) == 0 {
		w.clip = text
		keyless(w.t, text)
	}
	p, err := editor.ParsePaste(w.clip)
	if err != nil {
		w.t.Fatalf("what was copied cannot be pasted: %v\n%s", err, w.clip)
	}
	at := w.point()
	if rng.IntN(2) == 0 {
		return e.Make().Paste(p, nil)
	}
	return e.Make().Paste(p, &at)
}
