package editor_test

import (
	"errors"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// namesakes has two of each element with one id, and references to them.
const namesakes = `{"nodes":[
 {"id":"a","type":"STEP","config":{"components":[{"id":"c","type":"TEXT"},{"id":"c","type":"EMAIL","label":"{{fields.c}} {{fields.h}}"},
{"id":"e","type":"TEXT","label":"{{fields.e}}"}],"next_node":"a2"}},
 {"id":"a","type":"STEP","config":{"components":[{"id":"c","type":"TEXT"},{"type":"TEXT"}]}},
 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","next_node":"a"},{"id":"x"}]}},
 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"x"}],"fallback":"a"}}],
 "start":{"next_node":"a","hidden_fields":[{"key":"h"}]}}`

// changed returns namesakes with values at some places, by pairs.
func changed(t *testing.T, f *model.Form, places ...string) string {
	t.Helper()
	for i := 0; i < len(places); i += 2 {
		var err error
		if f, err = f.Set(partAt(t, places[i]), places[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return string(schema.Encode(f.Tree()))
}

func partAt(t *testing.T, text string) schema.Path {
	t.Helper()
	p, err := schema.ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// References mean the first of two elements with one id. Renaming the other changes no
// reference.
func TestRenameParts(t *testing.T) {
	const rules = "].config.rules["
	for _, tt := range []struct {
		name, path, id string
		want           []string
	}{
		{"a component", "nodes[0].config.components[2].id", "n", []string{
			"nodes[0].config.components[2].id", "n",
			"nodes[0].config.components[2].label", "{{fields.n}}",
		}},
		{"the second of a step", "nodes[0].config.components[1].id", "n", []string{"nodes[0].config.components[1].id", "n"}},
		{"the one of another step", "nodes[1].config.components[0].id", "n", []string{"nodes[1].config.components[0].id", "n"}},
		{"one that has no id", "nodes[1].config.components[1].id", "n", []string{"nodes[1].config.components[1].id", "n"}},
		{"a rule", "nodes[2" + rules + "0].id", "n", []string{"nodes[2" + rules + "0].id", "n"}},
		{"the second rule", "nodes[2" + rules + "1].id", "n", []string{"nodes[2" + rules + "1].id", "n"}},
		{"a rule of the second router", "nodes[3" + rules + "0].id", "n", []string{"nodes[3" + rules + "0].id", "n"}},
		{"a hidden field", "start.hidden_fields[0].key", "n", []string{
			"start.hidden_fields[0].key", "n",
			"nodes[0].config.components[1].label", "{{fields.c}} {{fields.n}}",
		}},
		{"a hidden field to one that is taken", "start.hidden_fields[0].key", "c", []string{"start.hidden_fields[0].key", "c"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, namesakes)
			c := editor.RenamePart{Path: partAt(t, tt.path), ID: tt.id}
			if err := e.Run(c); err != nil {
				t.Fatal(err)
			}
			if got, want := string(schema.Encode(e.State().Form.Tree())), changed(t, e.Base(), tt.want...); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			e.Undo()
			v, _ := schema.Lookup(e.State().Form.Tree(), c.Path)
			if id, _ := v.(string); id != "" {
				if err := e.Run(editor.RenamePart{Path: c.Path, ID: id}); err != nil || e.State().Form != e.Base() {
					t.Errorf("renaming to the same id is an edit: %v", err)
				}
			}
		})
	}
}

func TestTakenOrMalformedIDIsRefused(t *testing.T) {
	const rules = "].config.rules["
	for _, tt := range []struct {
		name string
		c    editor.Command
		want error
	}{
		{"component, taken in its step", editor.RenamePart{Path: partAt(t, "nodes[0].config.components[2].id"), ID: "c"}, flow.ErrTaken},
		{"component, taken in another step", editor.RenamePart{Path: partAt(t, "nodes[1].config.components[0].id"), ID: "e"}, flow.ErrTaken},
		{"component, malformed", editor.RenamePart{Path: partAt(t, "nodes[0].config.components[2].id"), ID: "a b"}, flow.ErrMalformed},
		{"component, empty", editor.RenamePart{Path: partAt(t, "nodes[0].config.components[2].id")}, flow.ErrMalformed},
		{"rule, taken", editor.RenamePart{Path: partAt(t, "nodes[4"+rules+"0].id"), ID: "z"}, flow.ErrTaken},
		{"rule, malformed", editor.RenamePart{Path: partAt(t, "nodes[4"+rules+"0].id"), ID: "é"}, flow.ErrMalformed},
		{"node, taken", editor.RenameNode{Index: 4, ID: "a"}, flow.ErrTaken},
		{"one of two nodes with one id, taken", editor.RenameNode{Index: 1, ID: "r"}, flow.ErrTaken},
		{"node, the ending's id", editor.RenameNode{Index: 4, ID: "$ending"}, flow.ErrMalformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, namesakes)
			v, _ := schema.Decode([]byte(`{"id":"q","type":"ROUTER","config":{"rules":[{"id":"y"},{"id":"z"}]}}`))
			run(t, e, editor.AddNode{Node: v.(*schema.Object)})
			before := e.State()
			if err := e.Run(tt.c); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if e.State().Form != before.Form || !e.State().Selection.Equal(before.Selection) {
				t.Error("something changed")
			}
		})
	}
}

// A renamed element stays selected, and nothing else becomes selected.
func TestRenameKeepsTheSelection(t *testing.T) {
	part := func(node, component, rule string) editor.Selection {
		s := editor.SelectNodes(node)
		s.Component, s.Rule = component, rule
		return s
	}
	for _, tt := range []struct {
		name      string
		sel, want editor.Selection
		c         editor.Command
	}{
		{"component", part("a", "e", ""), part("a", "n", ""), editor.RenamePart{Path: partAt(t, "nodes[0].config.components[2].id"), ID: "n"}},
		{"rule", part("r", "", "x"), part("r", "", "n"), editor.RenamePart{Path: partAt(t, "nodes[2].config.rules[0].id"), ID: "n"}},
		{"only rule", part("q", "", "y"), part("q", "", "n"), editor.RenamePart{Path: partAt(t, "nodes[4].config.rules[0].id"), ID: "n"}},
		{"another component", part("a", "c", ""), part("a", "c", ""), editor.RenamePart{
			Path: partAt(t, "nodes[0].config.components[2].id"),
			ID:   "n",
		}},
		{"one without an id", part("s", "", ""), part("s", "", ""), editor.RenamePart{
			Path: partAt(t, "nodes[5].config.components[0].id"),
			ID:   "n",
		}},
		{"node", editor.SelectNodes("r", "q", "a"), editor.SelectNodes("r", "n", "a"), editor.RenameNode{Index: 4, ID: "n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, namesakes)
			for _, n := range []string{`{"id":"q","type":"ROUTER","config":{"rules":[
{"id":"y"}]}}`, `{"id":"s","type":"STEP","config":{"components":[{"type":"TEXT"}]}}`} {
				v, _ := schema.Decode([]byte(n))
				run(t, e, editor.AddNode{Node: v.(*schema.Object)})
			}
			e.Select(tt.sel)
			if err := e.Run(tt.c); err != nil {
				t.Fatal(err)
			}
			if got := e.State().Selection; !got.Equal(tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestRenameNodePlaces(t *testing.T) {
	e, _ := newEditor(t, namesakes)
	for _, i := range []int{-1, len(e.State().Form.Nodes)} {
		if err := e.Can(editor.RenameNode{Index: i, ID: "n"}); !errors.Is(err, editor.ErrNoNode) {
			t.Errorf("node %d: %v", i, err)
		}
	}
	run(t, e, editor.RenameNode{Index: 1, ID: "n"})
	if got, want := string(schema.Encode(e.State().Form.Tree())), changed(t, e.Base(), "nodes[1].id", "n"); got != want {
		t.Errorf("the second of two:\n got %s\nwant %s", got, want)
	}
	e, _ = newEditor(t, namesakes)
	for _, i := range []int{0, 1} {
		if err := e.Run(editor.RenameNode{Index: i, ID: "a"}); err != nil || e.State().Form != e.Base() {
			t.Errorf("to its own id is an edit: %v", err)
		}
	}
	run(t, e, editor.RenameNode{Index: 0, ID: "a2"})
	if got, want := string(schema.Encode(e.State().Form.Tree())), changed(t, e.Base(), "nodes[0].id", "a2",
		"nodes[2].config.rules[0].next_node", "a2", "nodes[3].config.fallback", "a2", "start.next_node", "a2"); got != want {
		t.Errorf("the first of two:\n got %s\nwant %s", got, want)
	}
}

func TestLabelsOfEdits(t *testing.T) {
	for want, c := range map[string]editor.Command{
		"Change id":                          editor.RenamePart{Path: partAt(t, "nodes[0].config.components[0].id")},
		"Change key":                         editor.RenamePart{Path: partAt(t, "start.hidden_fields[0].key")},
		"Change node id":                     editor.RenameNode{},
		"Reconnect":                          editor.Reconnect{},
		"Insert on edge":                     editor.InsertOnEdge{},
		"Take the saved version of 0 places": editor.TakeTheirs{},
		"All of it":                          editor.Sequence{Name: verb.Parse("All of it"), Commands: []editor.Command{editor.Reconnect{}}},
		"":                                   editor.Sequence{},
	} {
		if got := c.Label().String(); got != want {
			t.Errorf("%T: got %q, want %q", c, got, want)
		}
	}
}
