package editor_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

var newcomers = flag.Int("newcomers", 0, "how many first sessions TestFirstSessions plays; 0 means the default")

// firstForm is a new form, as it opens.
const firstForm = `{"name":"f","start":{"next_node":"step_1","coordinates":{"x":0,"y":0}},"ending":{"coordinates":{"x":640,"y":0}},"nodes":[
{"id":"step_1","type":"STEP","alias":"Step 1","coordinates":{"x":240,"y":0},"config":{"next_node":"$ending","components":[
{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}]}`

// faults counts the warnings about ways of a form, except loops of routers: a loop that asked something is one when its step is deleted.
func faults(f *model.Form) map[schema.Code]int {
	n := map[schema.Code]int{}
	for _, w := range flow.Warnings(f) {
		switch w.Code { //nolint:exhaustive // the others say nothing about ways
		case schema.CodeUnreachable, schema.CodeDeadEnd, schema.CodeTrap, schema.CodeNoEnding, schema.CodeNoButton:
			n[w.Code]++
		}
	}
	return n
}

// newcomer does what people try first in a new form, with anything or nothing selected.
type newcomer struct {
	*editor.Editor
	r *rand.Rand
}

// done returns the number of steps that can be undone.
func (n newcomer) done() int {
	return slices.IndexFunc(n.Steps(), func(s editor.Step) bool { return s.Current })
}

// any selects something, or nothing.
func (n newcomer) any() {
	f := n.State().Form
	keys := append(f.Keys(), model.StartID, model.EndingID)
	sel := editor.SelectNodes(keys[n.r.IntN(len(keys))])
	switch n.r.IntN(6) {
	case 0:
		sel = editor.Selection{}
	case 1:
		if edges := f.Edges(); len(edges) > 0 {
			e := edges[n.r.IntN(len(edges))]
			sel = editor.Selection{Edge: &editor.EdgeRef{From: e.From, Port: e.Port}}
		}
	case 2:
		sel.Nodes = append(sel.Nodes, keys[n.r.IntN(len(keys))])
	case 3: // as it is after the last command
		return
	}
	n.Select(sel)
}

// kind is that of a random tile that needs no target.
func (n newcomer) kind() *model.Kind {
	for {
		if k := &model.Kinds[n.r.IntN(len(model.Kinds))]; k.Type != "JUMP_BUTTON" && k.Type != "RESEND_BUTTON" {
			return k
		}
	}
}

// spot is where something is dropped: on an edge, or on empty canvas.
func (n newcomer) spot(scene *graph.Scene) editor.Spot {
	at := graph.Vec{X: float64(n.r.IntN(2000) - 300), Y: float64(n.r.IntN(1200) - 400)}
	var edges []*graph.Edge
	scene.Edges(func(e *graph.Edge) {
		if !e.Dangling() {
			edges = append(edges, e)
		}
	})
	if len(edges) > 0 && n.r.IntN(2) == 0 {
		return editor.SpotInto(edges[n.r.IntN(len(edges))], at, scene)
	}
	return editor.SpotAt(at, editor.WayToAdd(n.State()), scene)
}

// press returns what a newcomer does next.
func (n newcomer) press() editor.Command {
	s := n.State()
	scene := graph.New(s.Form)
	typ := []model.NodeType{model.StepNode, model.StepNode, model.RouterNode, model.FlowNode}[n.r.IntN(4)]
	switch n.r.IntN(8) {
	case 0, 1:
		return n.Make().NodeIn(typ, editor.SpotOn(editor.WayToAdd(s), scene))
	case 2:
		return n.Make().NodeIn(typ, n.spot(scene))
	case 3:
		return n.Make().StepWith(n.kind(), n.spot(scene))
	case 4, 5:
		return n.Make().Fill(n.kind(), scene)
	case 6: // a rule that leads somewhere, so that the form has branches
		for i, node := range s.Form.Nodes {
			if node.Type != model.RouterNode {
				continue
			}
			add, keys := n.Make().Rule(s.Form.Keys()[i]), append(s.Form.Keys(), model.EndingID)
			c := editor.Connect{From: node.ID, Port: model.RulePort(add.Rule.Text("id")), To: model.Pointer(keys[n.r.IntN(len(keys))])}
			if string(c.To) != node.ID {
				return editor.Sequence{Commands: []editor.Command{add, c}}
			}
		}
		return nil
	}
	if s.Selection.Within() || s.Selection.Edge != nil || len(s.Selection.Nodes) == 0 || s.Selection.Only() == model.StartID ||
		s.Selection.Only() == model.EndingID || len(s.Selection.Nodes) == 2 && s.Selection.Has(model.StartID) {
		return nil // it disconnects on purpose, takes a button away, or is refused with a reason
	}
	return editor.RemoveSelection{Join: true}
}

// In a first session nothing that adds or deletes is refused, leaves a node that no journey reaches, or makes a way that leads nowhere. Each
// is one undo step.
func TestFirstSessions(t *testing.T) {
	for seed := range sizetest.Of(*newcomers, 60, 1000) {
		r := rand.New(rand.NewPCG(uint64(seed), 41))
		form, _ := newEditor(t, firstForm)
		n := newcomer{editor.New(form.State().Form, editor.Config{Rand: r.IntN}), r}
		n.Select(editor.Opening(n.State().Form))
		for i := range 30 {
			n.any()
			before, steps, c := n.State().Form, n.done(), n.press()
			if c == nil {
				continue
			}
			where := fmt.Sprintf("session %d, press %d, %T %s", seed, i, c, c.Label())
			if err := n.Run(c); err != nil {
				if _, ends := c.(editor.RemoveSelection); !ends {
					t.Fatalf("%s is refused: %v", where, err)
				}
				continue
			}
			if n.done() != steps+1 {
				t.Fatalf("%s: %d undo steps", where, n.done()-steps)
			}
			now, torn := n.State().Form, ""
			for code, count := range faults(now) {
				if was := faults(before)[code]; count > was {
					torn = fmt.Sprintf("%d of %s, before %d", count, code, was)
				}
			}
			_, deletes := c.(editor.RemoveSelection)
			switch _, adds := c.(editor.Sequence); {
			case torn == "", adds && c.Label() == (editor.Connect{To: "x"}).Label(): // the newcomer leads a rule astray
			case deletes && split(before, now): // the message says what becomes unreachable, and offers to undo it
				n.Undo()
				continue
			default:
				t.Fatalf("%s: %s\n%s\n%s", where, torn, schema.Encode(before.Tree()), schema.Encode(now.Tree()))
			}
			if r.IntN(5) == 0 {
				n.Undo()
				if !schema.Equal(n.State().Form.Tree(), before.Tree()) {
					t.Fatalf("%s: one undo does not revert it", where)
				}
			}
		}
	}
}

// split reports whether a node was deleted behind which ways lead apart: no single way can lead to all that followed it, or the form has no
// node left, or all that followed leads back.
func split(before, after *model.Form) bool {
	if len(after.Nodes) == 0 {
		return true
	}
	for i, key := range before.Keys() {
		if n, _ := after.Node(key); n != nil {
			continue
		}
		to := map[model.Pointer]bool{}
		for _, o := range before.Outs(i) {
			to[o.To] = true
		}
		if len(to) > 1 {
			return true
		}
	}
	return false
}
