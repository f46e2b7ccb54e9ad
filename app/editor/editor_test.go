package editor_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// clock is a clock that only the test advances.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func newEditor(tb testing.TB, src string) (*editor.Editor, *clock) {
	tb.Helper()
	tree, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		tb.Fatal(ps)
	}
	c := &clock{time.Unix(0, 0)}
	rng := rand.New(rand.NewPCG(1, 2))
	return editor.New(model.FromTree(tree.(*schema.Object)), editor.Config{Now: c.now, Rand: rng.IntN}), c
}

const twoSteps = `{"name":"f","nodes":[
 {"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[
   {"id":"n","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}},
   {"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"r"}}],"next_node":"r"}},
 {"id":"r","type":"ROUTER","coordinates":{"x":400,"y":0},"config":{"rules":[
   {"id":"r1","condition":true,"next_node":"a"},{"id":"r2","condition":true}],"fallback":"$ending"}},
 {"id":"w","type":"FLOW","coordinates":{"x":800,"y":0},"config":{"flow_id":"af_1"}}],
 "start":{"next_node":"a"},"ending":{"resume_flow":true}}`

func dump(s editor.State) string {
	b := schema.Encode(s.Form.Tree())
	for _, id := range s.Selection.Nodes {
		b = append(append(b, ' '), id...)
	}
	b = append(append(append(append(b, '/'), s.Selection.Component...), '/'), s.Selection.Rule...)
	if e := s.Selection.Edge; e != nil {
		b = append(append(append(append(b, ' '), e.From...), ':'), e.Port...)
	}
	return string(b)
}

// uniqueIDs reports whether all ids of a form are well formed and unique.
// Elements that are not objects have no id.
func uniqueIDs(f *model.Form) bool {
	seen := make(map[string]bool, 32)
	once := func(space, id string) bool {
		again := seen[space+id] || !model.ValidIdentifier(id)
		seen[space+id] = true
		return !again
	}
	for _, n := range f.Nodes {
		ok := n.Tree() == nil || once("", n.ID)
		switch c := n.Config.(type) {
		case *model.Step:
			for _, comp := range c.Components {
				ok = (comp.Tree() == nil || once("/", comp.ID)) && ok
			}
		case *model.Router:
			for _, r := range c.Rules {
				ok = (r.Tree() == nil || once(n.ID+"/", r.ID)) && ok
			}
		case *model.Flow, nil:
		}
		if !ok {
			return false
		}
	}
	return true
}

// keyMark is the zero byte of a key of model.Form.Keys, as written in JSON.
const keyMark = `\u0000`

// keyless checks that texts for people contain no key of a node.
func keyless(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.ContainsRune(text, 0) || strings.Contains(text, keyMark) {
			t.Fatalf("%q holds the key of a node", text)
		}
	}
}

// run applies a command and checks the laws of all commands: it has the same effect each time, does not change its argument, undo and redo
// restore both states, unique ids stay unique, the patch leads from the saved form to the new one, and the problems are those of a new
// checker.
func run(t *testing.T, e *editor.Editor, c editor.Command) {
	t.Helper()
	before := e.State()
	frozen := dump(before)
	once, err := c.Do(before)
	if can := e.Run(c); can != nil {
		if err == nil || dump(e.State()) != frozen {
			t.Fatalf("%s failed and changed the state, or failed only the second time: %v", c.Label(), can)
		}
		keyless(t, c.Label().String(), can.Error())
		return
	}
	keyless(t, c.Label().String(), e.Found().Problems().Error(), e.Found().Warnings().Error())
	if !strings.Contains(frozen, keyMark) {
		keyless(t, string(schema.Encode(e.State().Form.Tree())))
	}
	if got := dump(before); got != frozen {
		t.Fatalf("%s wrote to the state it was given:\n got %s\nwant %s", c.Label(), got, frozen)
	}
	after := e.State()
	changed := dump(after)
	if !schema.Equal(once.Form.Tree(), after.Form.Tree()) {
		t.Fatalf("%s had two results:\n got %s\nand %s", c.Label(), changed, dump(once))
	}
	if after.Form == before.Form {
		return
	}
	if applied := e.Changes().Apply(e.Base()); !schema.Equal(applied.Tree(), after.Form.Tree()) {
		t.Fatalf("%s: the patch gives\n     %s\nwant %s", c.Label(), schema.Encode(applied.Tree()), schema.Encode(after.Form.Tree()))
	}
	if got, want := e.Found().Problems().Error(), new(model.Checker).Check(model.FromTree(after.Form.Tree())).Error(); got != want {
		t.Fatalf("%s: problems\n got %s\nwant %s", c.Label(), got, want)
	}
	// Only typed values may repeat an id, or leave a node without one.
	typed := false
	switch c.(type) {
	case editor.RenameNode, editor.Set:
		typed = true
	}
	if !typed && uniqueIDs(before.Form) && !uniqueIDs(after.Form) {
		t.Fatalf("%s repeated an id:\n got %s\nfrom %s", c.Label(), changed, frozen)
	}
	undone, ok := e.Undo()
	if !ok || undone.Label.String() == "" {
		t.Fatalf("%s cannot be undone", c.Label())
	}
	if got := dump(e.State()); got != frozen {
		t.Fatalf("undo of %s gave\n     %s\nwant %s", c.Label(), got, frozen)
	}
	if _, ok := e.Redo(); !ok || dump(e.State()) != changed {
		t.Fatalf("redo of %s gave\n     %s\nwant %s", c.Label(), dump(e.State()), changed)
	}
}

func TestTypingIsOneStep(t *testing.T) {
	e, c := newEditor(t, twoSteps)
	alias := schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("alias")}
	for i := range 5 {
		run(t, e, editor.Set{Path: alias, Value: "Hello"[:i+1]})
		c.t = c.t.Add(100 * time.Millisecond)
	}
	// run undoes and redoes each step, which ends joining, so do not use it here.
	e, c = newEditor(t, twoSteps)
	for i := range 5 {
		if err := e.Run(editor.Set{Path: alias, Value: "Hello"[:i+1]}); err != nil {
			t.Fatal(err)
		}
		c.t = c.t.Add(100 * time.Millisecond)
	}
	c.t = c.t.Add(time.Second)
	if err := e.Run(editor.Set{Path: alias, Value: "Hello!"}); err != nil {
		t.Fatal(err)
	}
	e.Undo()
	if got := e.State().Form.Nodes[0].Alias; got != "Hello" {
		t.Errorf("after one undo %q, want the text before the pause", got)
	}
	e.Undo()
	if got := e.State().Form.Nodes[0].Alias; got != "" {
		t.Errorf("after two undos %q, want none", got)
	}
}

func TestRemoveNodeClearsPointers(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	run(t, e, editor.RemoveNodes{IDs: []string{"r"}})
	for _, edge := range e.State().Form.Edges() {
		if edge.To == "r" {
			t.Errorf("%s:%s still leads to the node", edge.From, edge.Port)
		}
	}
	e.Undo()
	if len(e.State().Form.Edges()) != 5 {
		t.Errorf("one undo restored %d edges, want 5", len(e.State().Form.Edges()))
	}
}

func TestRenameChangesPointers(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	e.Select(editor.SelectNodes("r"))
	run(t, e, editor.RenameNode{Index: 1, ID: "choose"})
	for _, edge := range e.State().Form.Edges() {
		if edge.To == "r" {
			t.Errorf("%s:%s still leads to the old id", edge.From, edge.Port)
		}
	}
	if !e.State().Selection.Has("choose") {
		t.Errorf("selection is %v, want the renamed node", e.State().Selection.Nodes)
	}
}

func TestAddNodeOnAnEdge(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	run(t, e, e.Make().Node(model.StepNode, model.Point{X: 100}, &editor.EdgeRef{From: "a", Port: model.NextPort}))
	id := e.State().Selection.Only()
	in, _ := e.State().Form.OutOf("a", model.NextPort)
	out, _ := e.State().Form.OutOf(id, model.NextPort)
	if string(in.To) != id || out.To != "r" {
		t.Errorf("a leads to %s and the new node to %s, want %s and r", in.To, out.To, id)
	}
}

func TestSelectionIsNoStep(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	run(t, e, editor.MoveNodes{IDs: []string{"a"}, By: model.Point{X: 20}})
	e.Undo()
	e.Select(editor.SelectNodes("r"))
	if e.RedoLabel() == "" {
		t.Error("selecting cleared redo")
	}
	e.Select(editor.SelectNodes("gone"))
	if !e.State().Selection.Empty() {
		t.Error("a node that does not exist was selected")
	}
}

func TestNewStepClearsRedo(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	for _, by := range []int{20, 40} {
		if err := e.Run(editor.MoveNodes{IDs: []string{"a"}, By: model.Point{X: by}}); err != nil {
			t.Fatal(err)
		}
	}
	e.Undo()
	if err := e.Run(editor.MoveNodes{IDs: []string{"w"}, By: model.Point{X: 20}}); err != nil {
		t.Fatal(err)
	}
	if s, ok := e.Redo(); ok {
		t.Errorf("%q was redone over a newer step", s.Label)
	}
}

// Components that are selected together are dropped when they go, with their step or without it.
func TestSelectionDropsRemovedComponents(t *testing.T) {
	parts := editor.Selection{Nodes: []string{"one"}, Parts: []string{"a", "b"}}
	for _, tt := range []struct {
		name   string
		remove editor.Command
		want   editor.Selection
	}{
		{"one of them", editor.RemoveComponents{Node: "one", IDs: []string{"a"}}, editor.Selection{Nodes: []string{"one"}, Parts: []string{"b"}}},
		{"their step", editor.RemoveNodes{IDs: []string{"one"}}, editor.Selection{}},
		{"another", editor.RemoveComponents{Node: "one", IDs: []string{"c"}}, parts},
	} {
		const form = `{"id":"ap_test","name":"f","nodes":[{"id":"one","type":"STEP","config":{"components":[
			{"id":"a","category":"FIELD","type":"TEXT","label":"A"},{"id":"b","category":"FIELD","type":"TEXT","label":"B"},{"id":"c","category":"FIELD","type":"TEXT","label":"C"}]}},
			{"id":"two","type":"STEP","config":{"components":[]}}]}`
		e, _ := newEditor(t, form)
		e.Select(parts)
		after, _ := newEditor(t, form)
		run(t, after, tt.remove)
		if _, err := e.Merge(after.State().Form); err != nil { // somebody else removes it
			t.Fatal(err)
		}
		if got := e.State().Selection; !got.Equal(tt.want) {
			t.Errorf("%s: %+v is selected, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestSelectionDropsARemovedEdge(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	edge := editor.EdgeRef{From: "a", Port: model.NextPort}
	e.Select(editor.Selection{Edge: &edge})
	if e.State().Selection.Edge == nil {
		t.Fatal("the edge cannot be selected")
	}
	if err := e.Run(editor.Clear{Path: schema.Path{
		schema.Key("nodes"), schema.Index(0), schema.Key("config"),
		schema.Key("next_node"),
	}}); err != nil {
		t.Fatal(err)
	}
	if !e.State().Selection.Empty() {
		t.Error("a removed edge is still selected")
	}
	e.Undo()
	if e.State().Selection.Edge == nil {
		t.Error("undo did not restore the selection")
	}
	run(t, e, editor.RemoveSelection{})
	if out, _ := e.State().Form.OutOf("a", model.NextPort); out.To != "" {
		t.Errorf("the selected edge still leads to %s", out.To)
	}
}

func TestSavedKeepsLaterEdits(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	run(t, e, editor.Set{Path: schema.Path{schema.Key("name")}, Value: "sent"})
	sent := e.State().Form
	run(t, e, editor.MoveNodes{IDs: []string{model.StartID}, By: model.Point{X: 20}})
	e.Saved(sent)
	if got := string(schema.Encode(e.Changes().Tree())); got != `{"start":{"next_node":"a","coordinates":{"x":20,"y":0}}}` {
		t.Errorf("to save: %s", got)
	}
}

func TestReadOnly(t *testing.T) {
	e := editor.New(model.New("f"), editor.Config{Now: time.Now, ReadOnly: true})
	if err := e.Run(editor.Set{Path: schema.Path{schema.Key("name")}, Value: "g"}); !errors.Is(err, editor.ErrReadOnly) {
		t.Errorf("err = %v, want ErrReadOnly", err)
	}
}

func TestConnectExplainsRefusal(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	for _, tt := range []struct {
		c  editor.Connect
		ok bool
	}{
		{editor.Connect{From: "w", Port: model.NextPort, To: "a"}, true},
		{editor.Connect{From: "w", Port: model.NextPort, To: model.EndingID}, true},
		{editor.Connect{From: "w", Port: model.NextPort, To: "w"}, false},
		{editor.Connect{From: "w", Port: model.NextPort, To: model.StartID}, false},
		{editor.Connect{From: "w", Port: model.NextPort, To: "gone"}, false},
		{editor.Connect{From: "w", Port: model.FallbackPort, To: "a"}, false},
		{editor.Connect{From: "r", Port: "rule:r2", To: "w"}, true},
		{editor.Connect{From: "a", Port: "jump:j", To: "w"}, true},
	} {
		if err := e.Can(tt.c); (err == nil) != tt.ok {
			t.Errorf("%+v: err = %v, want ok %v", tt.c, err, tt.ok)
		}
		run(t, e, tt.c)
	}
}

func BenchmarkEditOneOf1000Nodes(b *testing.B) {
	nodes := make([]any, 1000)
	for i := range nodes {
		n := model.NewNode(model.StepNode, fmt.Sprintf("n%d", i), model.Point{X: i * 10})
		comps := make([]any, 10)
		for j := range comps {
			comps[j] = model.NewComponent(model.KindOf("TEXT"), model.SpecDialect, fmt.Sprintf("c%d_%d", i, j))
		}
		t, err := schema.Set(n, schema.Path{schema.Key("config"), schema.Key("components")}, comps)
		if err != nil {
			b.Fatal(err)
		}
		nodes[i] = t
	}
	f := model.FromTree(schema.NewObject(schema.Member{Key: "name", Value: "f"}, schema.Member{Key: "nodes", Value: nodes}))
	e := editor.New(f, editor.Config{Now: time.Now, Rand: rand.IntN})
	b.ReportAllocs()
	for b.Loop() {
		if err := e.Run(editor.MoveNodes{IDs: []string{"n500"}, By: model.Point{X: 1}}); err != nil {
			b.Fatal(err)
		}
		e.Undo()
	}
}

// Without a given place a component goes before the buttons at the end of a step,
// and a new step can be left.
func TestPlacesOfNewComponents(t *testing.T) {
	e, _ := newEditor(t, `{"name":"n"}`)
	run(t, e, e.Make().Node(model.StepNode, model.Point{}, nil))
	step := e.State().Form.Nodes[0].ID
	for _, typ := range []string{"TEXT", "JUMP_BUTTON", "EMAIL", "RICH_TEXT"} {
		run(t, e, e.Make().Component(model.KindOf(typ), step, -1))
	}
	run(t, e, e.Make().Component(model.KindOf("DIVIDER"), step, 1))
	var got []string
	for _, c := range e.State().Form.Nodes[0].Config.(*model.Step).Components {
		got = append(got, c.Type)
	}
	if want := []string{"TEXT", "DIVIDER", "EMAIL", "RICH_TEXT", "NEXT_BUTTON", "JUMP_BUTTON"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Nodes are marked with the warnings and with each flow that the tenant lacks, once. Before the flows are known, the tenant lacks none.
func TestMarked(t *testing.T) {
	e, _ := newEditor(t, `{"name":"f","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"FLOW","config":{"flow_id":"af_1","next_node":"b"}},{"id":"b","type":"FLOW","config":{"flow_id":"af_2","next_node":"c"}},
		{"id":"c","type":"FLOW","config":{"flow_id":"odd","next_node":"$ending"}},{"id":"d","type":"FLOW","config":{"flow_id":""}}]}`)
	warnings := len(e.Found().Warnings())
	if n := len(e.Found().Marked(nil)); n != warnings {
		t.Errorf("%d are marked before the flows are known, want %d", n, warnings)
	}
	marked := e.Found().Marked(map[string]string{"af_1": ""})
	if len(marked) != warnings+1 || marked[warnings].Path.String() != "nodes[1].config.flow_id" || len(e.Found().Warnings()) != warnings {
		t.Errorf("marked are %v", marked)
	}
}
