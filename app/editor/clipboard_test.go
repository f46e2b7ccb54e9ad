package editor_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// copied returns the copied text of a selection.
func copied(t *testing.T, e *editor.Editor, sel editor.Selection) string {
	t.Helper()
	e.Select(sel)
	text, err := editor.Copy(e.State())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// pasted parses a text that must be valid.
func pasted(t *testing.T, text string) editor.Pasted {
	t.Helper()
	p, err := editor.ParsePaste(text)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return p
}

func TestCopy(t *testing.T) {
	e, _ := newEditor(t, `{"name":"f","nodes":[
 {"id":"a","type":"STEP","coordinates":{"x":1.0e1,"y":-3},"x-more":[1e400,null],"config":{"components":[{"id":"c","category":`+
		`"BLOCK","type":"DIVIDER"}],"next_node":"r"}},
 {"id":"r","type":"ROUTER","coordinates":{"x":1,"y":2},"config":{"rules":[{"id":"q","condition":true,"next_node":"a"}]}},
 {"id":"a","type":"FLOW"}]}`)
	const a = `{"id":"a","type":"STEP","coordinates":{"x":1.0e1,"y":-3},"x-more":[1e400,null],"config":{"components":[{"id":"c",` +
		`"category":"BLOCK","type":"DIVIDER"}],"next_node":"r"}}`
	const r = `{"id":"r","type":"ROUTER","coordinates":{"x":1,"y":2},"config":{"rules":[{"id":"q","condition":true,"next_node":"a"}]}}`
	for _, tt := range []struct {
		name string
		sel  editor.Selection
		want string
	}{
		{"a node", editor.SelectNodes("a"), `{"formgraph":1,"nodes":[` + a + `]}`},
		{"nodes in the order of the form", editor.SelectNodes("r", model.EndingID, "a"), `{"formgraph":1,"nodes":[` + a + `,` + r + `]}`},
		{"a component", editor.Selection{Nodes: []string{"a"}, Component: "c"}, `{"formgraph":1,"components":[{"id":"c","category":` +
			`"BLOCK","type":"DIVIDER"}]}`},
		{"a rule", editor.Selection{Nodes: []string{"r"}, Rule: "q"}, `{"formgraph":1,"rules":[{"id":"q","condition":true,"next_node":"a"}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := copied(t, e, tt.sel)
			tree, ps := schema.Decode([]byte(text))
			if got := string(schema.Encode(tree)); got != tt.want || len(ps) > 0 {
				t.Errorf("got %s %v\nwant %s", got, ps, tt.want)
			}
			if !strings.Contains(text, "\n  \"") {
				t.Errorf("%s is not indented", text)
			}
		})
	}
}

func TestCopyExplainsRefusal(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	for _, tt := range []struct {
		sel  editor.Selection
		want string
	}{
		{editor.Selection{}, "nothing is selected"},
		{editor.SelectNodes(model.StartID, model.EndingID), "start and ending cannot be copied"},
		{editor.Selection{Edge: &editor.EdgeRef{From: "a", Port: model.NextPort}}, "an edge cannot be copied: select the nodes it joins"},
	} {
		e.Select(tt.sel)
		if text, err := editor.Copy(e.State()); err == nil || err.Error() != tt.want || text != "" {
			t.Errorf("%v: got %q, %v, want %q", tt.sel, text, err, tt.want)
		}
		if err := e.Can(editor.Cut{}); err == nil || err.Error() != tt.want {
			t.Errorf("%v: cut says %v, want %q", tt.sel, err, tt.want)
		}
	}
}

// A selection that is too large for ParsePaste is refused. One that is too large only
// because of its line breaks is copied without them.
func TestCopyLarge(t *testing.T) {
	form := func(n int) editor.State {
		list := make([]any, n)
		for i := range list {
			list[i] = schema.Number("1")
		}
		node := model.NewNode(model.StepNode, "a", model.Point{}).With("more", append(list, strings.Repeat("x", 3<<20)))
		return editor.State{
			Form:      model.FromTree(schema.NewObject(schema.Member{Key: "nodes", Value: []any{node}})),
			Selection: editor.SelectNodes("a"),
		}
	}
	text, err := editor.Copy(form(150_000))
	if err != nil || strings.Contains(text, "\n") {
		t.Errorf("a text that fits without line breaks: %d bytes, %v", len(text), err)
	}
	pasted(t, text)
	if _, err := editor.Copy(form(600_000)); err == nil || !strings.Contains(err.Error(), "too large to copy") {
		t.Errorf("a text that does not fit: %v", err)
	}
}

// Nodes without coordinates are copied with the places at which they are drawn, so that a group keeps its shape.
func TestCopyUnplaced(t *testing.T) {
	e, _ := newEditor(t, `{"nodes":[{"id":"a","type":"FLOW"},{"id":"b","type":"FLOW"}]}`)
	p := pasted(t, copied(t, e, editor.SelectNodes("a", "b")))
	a, b := p.Nodes[0].Object("coordinates"), p.Nodes[1].Object("coordinates")
	if a.Len() != 2 || b.Len() != 2 || schema.Equal(a, b) {
		t.Errorf("places %s and %s", schema.Encode(a), schema.Encode(b))
	}
}

// Pasting a cut selection restores it with the same ids, in one step of the history.
func TestCutAndPaste(t *testing.T) {
	e, _ := newEditor(t, spoken)
	before := e.State().Form
	sel := editor.Selection{Nodes: []string{"a"}, Component: "mail"}
	p := pasted(t, copied(t, e, sel))
	run(t, e, editor.Cut{})
	if e.UndoLabel() != "Cut" || before == e.State().Form {
		t.Fatalf("last step is %q", e.UndoLabel())
	}
	if c, _, _ := e.State().Form.Component("mail"); c != nil {
		t.Error("the component is still there")
	}
	run(t, e, e.Make().Paste(p, nil))
	if c, node, at := e.State().Form.Component("mail"); c == nil || node != 0 || at != 0 {
		t.Errorf("pasted to %d, %d", node, at)
	}
	if !schema.Equal(e.State().Form.Tree(), before.Tree()) {
		t.Errorf("got %s\nwant %s", schema.Encode(e.State().Form.Tree()), schema.Encode(before.Tree()))
	}
	e.Select(editor.SelectNodes("r", model.StartID))
	run(t, e, editor.Cut{})
	if n, _ := e.State().Form.Node("r"); n != nil || len(e.State().Form.Nodes) != 1 {
		t.Error("the node is still there")
	}
}

func TestParsePaste(t *testing.T) {
	const node = `{"id":"a","type":"STEP"}`
	const comp = `{"id":"c","category":"BLOCK","type":"DIVIDER"}`
	const rule = `{"id":"r","condition":null}`
	for _, tt := range []struct{ name, src, want string }{
		{"fragment", `{"formgraph":1,"nodes":[` + node + `,` + node + `]}`, "2 nodes"},
		{"later fragment", `{"formgraph":{"v":9},"nodes":[` + node + `]}`, "node"},
		{"components", `{"components":[` + comp + `]}`, "component"},
		{"rules", `{"rules":[` + rule + `,` + rule + `]}`, "2 rules"},
		{"flat form", `{"name":"f","nodes":[` + node + `],"start":{"next_node":"a"}}`, "node"},
		{"response", `{"id":"ap_1","name":"f","nodes":[` + node + `],"created_at":"2026-01-01T00:00:00Z"}`, "node"},
		{"patch", `{"nodes":[` + node + `],"ending":null}`, "node"},
		{"export", `{"version":"4.0.0","form":{"name":"f","nodes":[` + node + `]},"flows":{},"connections":{}}`, "node"},
		{"bare node", node, "node"},
		{"bare flow", `{"id":"f","type":"FLOW","config":{"flow_id":"#FLOW-1#"}}`, "node"},
		{"bare nodes", `[` + node + `,` + node + `,` + node + `]`, "3 nodes"},
		{"bare component", comp, "component"},
		{"bare component without category", `{"type":"GMAPS_ADDRESS"}`, "component"},
		{"bare component of a type of ours to come", `{"category":"FIELD","type":"STEP"}`, "component"},
		{"bare components", `[` + comp + `,` + comp + `]`, "2 components"},
		{"bare rule", rule, "rule"},
		{"bare rules", `[` + rule + `]`, "rule"},
		{"space and a mark around", "\ufeff \n" + node + "\n", "node"},
		{"values that are not elements", `{"nodes":[1,null,` + node + `,"x",[]]}`, "node"},
		{"a node of an unknown type", `{"nodes":[{"id":"a","type":"LOOP"}]}`, "node"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := pasted(t, tt.src).Phrase(verb.Paste).String(); got != "Paste "+tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestParsePasteExplainsRefusal(t *testing.T) {
	const nothing = "there are no nodes, components or rules in the text"
	for _, tt := range []struct{ name, src, want string }{
		{"text", "Hello", "the text is not valid JSON: it must have a value here, has 'H', line 1, column 1"},
		{"empty", " ", "the text is not valid JSON: it must not end here: a value is missing, line 1, column 1"},
		{"half", "{\n \"nodes\":[", "the text is not valid JSON: it must not end here: a value is missing, line 2, column 11"},
		{"twice", `{"nodes":[{"id":"a","id":"b"}]}`, "the text has a property twice: nodes[0].id"},
		{"number", "3", nothing},
		{"empty list", "[]", nothing},
		{"empty object", "{}", nothing},
		{"form without nodes", `{"name":"f","nodes":[]}`, nothing},
		{"nodes that are not a list", `{"nodes":{"a":1}}`, nothing},
		{"export without nodes", `{"form":{"name":"f"},"nodes":[{"type":"STEP"}]}`, nothing},
		{"unknown type", `{"type":"LOOP"}`, nothing},
		{"strange elements", `[{"type":"STEP"},1]`, nothing},
		{"mixed", `[{"type":"STEP"},{"category":"BLOCK"}]`, "the text mixes nodes, components and rules: paste one kind at a time"},
		{"deep", strings.Repeat("[", 65), "the text is too large to paste: it must nest at most 64 deep"},
		{"long", strings.Repeat("1", schema.MaxBytes+1), "the text is too large to paste: 4194305 bytes, at most 4194304"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := editor.ParsePaste(tt.src)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
			if got := p.Phrase(verb.Paste); err != nil && !got.Bare() {
				t.Errorf("with the error comes %s", got)
			}
		})
	}
}
