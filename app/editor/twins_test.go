package editor_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// twins is a form with repeated and missing ids.
const twins = `{"name":"f","nodes":[
 {"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[{"id":"c","category":"BLOCK","type":"DIVIDER"}],
"next_node":"r"}},
 {"id":"a","type":"STEP","coordinates":{"x":0,"y":300},"config":{"components":[{"id":"c","category":"BLOCK","type":"DIVIDER"}],
"next_node":"r"}},
 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"r1","condition":1,"next_node":"a"}],"fallback":"$ending"}},
 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"r1","condition":1,"next_node":"a"}],"fallback":"$ending"}},
 {"type":"FLOW","config":{"flow_id":"x"}},{"type":"FLOW","config":{"flow_id":"x"}}],"start":{"next_node":"a"}}`

// A command on one of several nodes with one id changes only that one, and it stays selected.
func TestTwinsAreEditedApart(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range *walkLength * 3 / 20 { // 3,000 by default, fewer as WebAssembly
		e, _ := newEditor(t, twins)
		for range 3 {
			f := e.State().Form
			if len(f.Nodes) == 0 {
				break
			}
			i := r.IntN(len(f.Nodes))
			checkApart(t, r, e, i)
			if r.IntN(4) == 0 {
				e.Undo()
			}
		}
	}
}

// Components and rules go into the selected one of two nodes with one id, and are selected there.
func TestPasteIntoATwinStaysThere(t *testing.T) {
	for text, key := range map[string]string{
		`{"components":[{"id":"n","category":"BLOCK","type":"DIVIDER"}]}`: "a\x002",
		`{"rules":[{"id":"n","condition":1}]}`:                            "r\x002",
	} {
		e, _ := newEditor(t, twins)
		e.Select(editor.SelectNodes(key))
		_, at := e.State().Form.Node(key)
		p, err := editor.ParsePaste(text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			run(t, e, e.Make().Paste(p, nil))
			if got := e.State().Selection; got.Only() != key || got.Component+got.Rule == "" {
				t.Fatalf("%s: %d selected %+v, want a part of %q", text, i, got, key)
			}
		}
		if got := len(parts(e.State().Form.Nodes[at])); got != 3 {
			t.Errorf("%s: the node has %d parts, want 3", text, got)
		}
	}
}

func parts(n *model.Node) []any {
	if n.Type == model.RouterNode {
		return n.Tree().Object("config").List("rules")
	}
	return n.Tree().Object("config").List("components")
}

// An error names a node by its id, not its key.
func TestMessagesNameATwinByItsID(t *testing.T) {
	e, _ := newEditor(t, twins)
	for _, c := range []editor.Command{
		editor.MoveNodes{IDs: []string{"a\x009"}, By: model.Point{X: 1}},
		editor.PlaceNodes{Places: map[string]model.Point{"a\x009": {}}},
		editor.RemoveNodes{IDs: []string{"a\x009"}},
		editor.Connect{From: "a\x009", Port: model.NextPort, To: model.EndingID},
		editor.Connect{From: "r", Port: model.FallbackPort, To: "a\x009"},
		editor.Connect{From: "r", Port: model.FallbackPort, To: "a\x002"},
		editor.Connect{From: "r", Port: model.FallbackPort, To: "\x001"},
		editor.InsertOnEdge{Edge: editor.EdgeRef{From: "a", Port: model.NextPort}, Node: "a\x009"},
		editor.InsertOnEdge{Edge: editor.EdgeRef{From: "a", Port: model.NextPort}, Node: "\x001"},
		editor.Reconnect{Edge: editor.EdgeRef{From: "a", Port: model.NextPort}, Source: &editor.EdgeRef{From: "a\x009", Port: model.NextPort}},
		editor.Reconnect{Edge: editor.EdgeRef{From: "a", Port: model.NextPort}, Source: &editor.EdgeRef{From: "r\x002", Port: model.NextPort}},
	} {
		err := e.Run(c)
		if err == nil {
			t.Fatalf("%#v was not refused", c)
		}
		keyless(t, c.Label().String(), err.Error())
	}
}

func checkApart(t *testing.T, r *rand.Rand, e *editor.Editor, i int) {
	t.Helper()
	f := e.State().Form
	key, id := f.Keys()[i], f.Nodes[i].ID
	e.Select(editor.SelectNodes(key))
	if got := e.State().Selection.Only(); got != key {
		t.Fatalf("selected %q, want %q", got, key)
	}
	c := commandOn(r, e, key, i)
	_ = e.Run(c) // a refused command must not change anything either
	now := e.State().Form
	// In another node with the id only a pointer to the id may change.
	var was, is []string
	for j, n := range f.Nodes {
		if j != i && n.ID == id {
			was = append(was, withoutPointers(n))
		}
	}
	kept := len(now.Nodes) == len(f.Nodes)
	for j, n := range now.Nodes {
		if n.ID == id && (!kept || j != i) {
			is = append(is, withoutPointers(n))
		}
	}
	if !slices.Equal(was, is) {
		t.Fatalf("%#v of %q (%d): the others of its id were\n%s\nand are\n%s", c, key, i, was, is)
	}
	if kept {
		if _, at := now.Node(e.State().Selection.Only()); at != i {
			t.Fatalf("%#v of %q: the selection went from node %d to %d", c, key, i, at)
		}
	}
}

func withoutPointers(n *model.Node) string {
	return regexp.MustCompile(`"(next_node|fallback)":"[^"]*",?`).ReplaceAllString(string(schema.Encode(n.Tree())), "")
}

// commandOn returns a command on one node.
func commandOn(r *rand.Rand, e *editor.Editor, key string, i int) editor.Command {
	path := schema.Path{schema.Key("nodes"), schema.Index(i)}
	switch r.IntN(10) {
	case 0:
		return editor.MoveNodes{IDs: []string{key}, By: model.Point{X: 20}}
	case 1:
		return editor.PlaceNodes{Places: map[string]model.Point{key: {X: 777}}}
	case 2:
		return editor.RemoveNodes{IDs: []string{key}}
	case 3:
		return e.Make().Component(model.KindOf("TEXT"), key, -1)
	case 4:
		return e.Make().Rule(key)
	case 5:
		return editor.Connect{From: key, Port: model.NextPort, To: model.EndingID}
	case 6:
		return editor.RenameNode{Index: i, ID: []string{"a", "r", "z", ""}[r.IntN(4)]}
	case 7:
		return editor.Set{Path: path.Key("alias"), Value: "x"}
	case 8:
		return editor.RemoveSelection{}
	}
	return editor.Clear{Path: path.Key("id")}
}
