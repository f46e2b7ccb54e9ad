package editor_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// marked returns a tree in which every object has a property that our tables do not list.
func marked(v any) any {
	switch v := v.(type) {
	case *schema.Object:
		out := schema.NewObject()
		for _, m := range v.Members() {
			out = out.With(m.Key, marked(m.Value))
		}
		return out.With("x_vendor", true)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = marked(v[i])
		}
		return out
	}
	return v
}

// unmarked returns the path of the first object that lacks the property, "" if all have it.
func unmarked(v any, at schema.Path) string {
	switch v := v.(type) {
	case *schema.Object:
		if !v.Has("x_vendor") {
			return "at " + at.String()
		}
		for _, m := range v.Members() {
			if p := unmarked(m.Value, at.Key(m.Key)); p != "" {
				return p
			}
		}
	case []any:
		for i := range v {
			if p := unmarked(v[i], at.Index(i)); p != "" {
				return p
			}
		}
	}
	return ""
}

// remoteEditor returns the editor of a form of a tenant that is not ours.
func remoteEditor(t *testing.T, f *model.Form) *editor.Editor {
	t.Helper()
	c := &clock{time.Unix(0, 0)}
	return editor.New(f, editor.Config{Now: c.now, Rand: rand.New(rand.NewPCG(1, 2)).IntN, Remote: true})
}

// edit runs a command.
func edit(t *testing.T, e *editor.Editor, c editor.Command) {
	t.Helper()
	if err := e.Run(c); err != nil {
		t.Fatal(err)
	}
}

func markedForm(t *testing.T) *model.Form {
	t.Helper()
	placed := strings.Replace(spoken, `"type":"ROUTER",`, `"type":"ROUTER","coordinates":{"x":400,"y":0},`, 1)
	tree, _ := marked(formtest.Parse(t, placed).Tree()).(*schema.Object)
	return model.FromTree(tree)
}

func TestEveryCommandKeepsForeignProperties(t *testing.T) {
	at := func(text string) schema.Path {
		p, err := schema.ParsePath(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	paste := func(sel editor.Selection, cut bool) func(e *editor.Editor) error {
		return func(e *editor.Editor) error {
			e.Select(sel)
			text, err := editor.Copy(e.State())
			if err == nil && cut {
				err = e.Run(editor.Cut{})
			}
			if err != nil {
				return err
			}
			p, err := editor.ParsePaste(text)
			if err != nil {
				return err
			}
			return e.Run(e.Make().Paste(p, nil))
		}
	}
	run := func(c editor.Command) func(e *editor.Editor) error {
		return func(e *editor.Editor) error { return e.Run(c) }
	}
	duplicate := func(sel editor.Selection) func(e *editor.Editor) error {
		return func(e *editor.Editor) error {
			e.Select(sel)
			return e.Run(e.Make().Duplicate())
		}
	}
	for name, act := range map[string]func(e *editor.Editor) error{
		"move":             run(editor.MoveNodes{IDs: []string{"a", model.EndingID}, By: model.Point{X: 8, Y: 8}}),
		"tidy up":          run(editor.PlaceNodes{Places: map[string]model.Point{"a": {X: 80}, "$ending": {Y: 80}}}),
		"rename a node":    run(editor.RenameNode{ID: "b"}),
		"rename a part":    run(editor.RenamePart{Path: at("nodes[0].config.components[0].id"), ID: "post"}),
		"edit":             run(editor.Set{Path: at("nodes[0].config.components[0].label"), Value: "New"}),
		"clear":            run(editor.Clear{Path: at("nodes[0].config.components[0].label")}),
		"reorder":          run(editor.MoveItem{List: at("nodes[0].config.components"), From: 0, To: 1, Name: "component"}),
		"remove":           run(editor.RemoveNodes{IDs: []string{"r"}, Join: true}),
		"connect":          run(editor.Connect{From: "r", Port: "fallback", To: "a"}),
		"duplicate nodes":  duplicate(editor.SelectNodes("a", "r")),
		"duplicate a part": duplicate(editor.Selection{Nodes: []string{"a"}, Component: "mail"}),
		"duplicate a rule": duplicate(editor.Selection{Nodes: []string{"r"}, Rule: "r1"}),
		"paste nodes":      paste(editor.SelectNodes("a", "r"), false),
		"paste a part":     paste(editor.Selection{Nodes: []string{"a"}, Component: "mail"}, false),
		"move by cutting":  paste(editor.SelectNodes("a"), true),
		"merge": func(e *editor.Editor) error {
			theirs, err := e.Base().Set(at("nodes[1].alias"), "Theirs")
			if err == nil {
				err = e.Run(editor.Set{Path: at("nodes[0].alias"), Value: "Mine"})
			}
			if err == nil {
				_, err = e.Merge(theirs)
			}
			return err
		},
	} {
		form := markedForm(t)
		e := remoteEditor(t, form)
		if err := act(e); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e.State().Form == form {
			t.Errorf("%s changed nothing", name)
		}
		if p := unmarked(e.State().Form.Tree(), nil); p != "" {
			t.Errorf("%s: a foreign property is lost %s", name, p)
		}
		if n := e.Found().Own(); len(n) > 0 {
			t.Errorf("%s: %v", name, n)
		}
		for len(e.Steps()) > 1 && e.UndoLabel() != "" {
			e.Undo()
		}
		if !model.Diff(form, e.State().Form).Empty() {
			t.Errorf("%s: undo does not lead back", name)
		}
	}
}

// A form that a newer tenant made can be opened, edited and saved: what only its tables know is a warning.
func TestForeignTypesAndPropertiesAreWarnings(t *testing.T) {
	f := formtest.Parse(t, `{"name":"f","social_connections":[],"nodes":[
		{"id":"ai","type":"AGENT","alias":"Helper","coordinates":{"x":0,"y":0},"config":{"model":"m"}},
		{"id":"a","type":"STEP","config":{"components":[
			{"id":"x","category":"FIELD","type":"HOLOGRAM","config":{}},{"id":"y","category":"MAGIC","type":"WAND"},
			{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","visible":true,"config":{"text":"On"}}],"next_node":"ai"}}],
		"start":{"next_node":"a"}}`)
	e := remoteEditor(t, f)
	want := []string{
		`social_connections: is not known to this editor and stays as it is [unknown]`,
		`nodes[0].type: is "AGENT", which this editor does not know; it stays as it is [enum]`,
		`nodes[1].config.components[0].type: is "HOLOGRAM", which this editor does not know; it stays as it is [enum]`,
		`nodes[1].config.components[1].category: is "MAGIC", which this editor does not know; it stays as it is [enum]`,
		`nodes[1].config.components[2].visible: is not known to this editor and stays as it is [unknown]`,
	}
	texts := func(ps schema.Problems) (out []string) {
		for _, p := range ps {
			out = append(out, p.Error()+" ["+string(p.Code)+"]")
		}
		return out
	}
	if got := texts(e.Found().Foreign()); !slices.Equal(got, want) || len(e.Found().Problems()) > 0 {
		t.Errorf("problems %v, foreign\n%s", e.Found().Problems(), strings.Join(got, "\n"))
	}
	for _, p := range e.Found().Foreign() {
		if len(e.Found().Warnings().At(p.Path)) == 0 {
			t.Errorf("%s is not a warning", p.Path)
		}
	}
	edit(t, e, editor.MoveNodes{IDs: []string{"ai"}, By: model.Point{X: 8}})
	edit(t, e, editor.Set{Path: schema.Path{schema.Key("name")}, Value: "g"})
	if len(e.Found().Own()) > 0 || e.State().Form.Nodes[0].At.X != 8 {
		t.Errorf("after edits the problems are %v, the node is at %v", e.Found().Own(), e.State().Form.Nodes[0].At)
	}
	ours := editor.New(f, editor.Config{})
	if n := len(ours.Found().Problems()); n != len(want) || len(ours.Found().Own()) != n || len(ours.Found().Foreign()) > 0 {
		t.Errorf("at the embedded tenant there are %d problems, foreign %v", n, ours.Found().Foreign())
	}
}

const inheriting = `{"name":"f","nodes":[
	{"id":"a","type":"STEP","alias":"","config":{"components":[
		{"id":"d","category":"FIELD","type":"DROPDOWN","config":{"options":[{"label":"A","value":"1"},{"label":"","value":"2"}]}},
		{"id":"n","category":"BLOCK","type":"NEXT_BUTTON","config":{}}]}},
	{"id":"b","type":"STEP","config":{"components":[]}},
	{"id":"r","type":"ROUTER","config":{"rules":[{"id":"r1","next_node":"a"},{"id":"r2","condition":true}]}}],
	"start":{"next_node":"gone"}}`

func TestProblemsOfTheSavedFormAreInherited(t *testing.T) {
	at := func(text string) schema.Path {
		p, err := schema.ParsePath(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	set := func(path string, v any) func(e *editor.Editor) {
		return func(e *editor.Editor) { edit(t, e, editor.Set{Path: at(path), Value: v}) }
	}
	const components = "nodes[0].config.components"
	all := 5 // alias, label of an option, text of the button, condition of a rule, target of the start
	for name, test := range map[string]struct {
		do  func(e *editor.Editor)
		own string // path of the person's own problem
		old int
	}{
		"nothing": {func(*editor.Editor) {}, "", all},
		"another node before": {
			func(e *editor.Editor) {
				edit(t, e, editor.InsertItem{Path: at("nodes[0]"), Value: formtest.Parse(t, `{"nodes":[{"id":"new","type":"STEP"}]}`).Nodes[0].Tree()})
			}, "", all,
		},
		"the node goes last":  {func(e *editor.Editor) { edit(t, e, editor.MoveItem{List: at("nodes"), From: 0, To: 2}) }, "", all},
		"the node is renamed": {func(e *editor.Editor) { edit(t, e, editor.RenameNode{ID: "z"}) }, "", all},
		"the component is renamed": {
			func(e *editor.Editor) { edit(t, e, editor.RenamePart{Path: at(components + "[1].id"), ID: "go"}) }, "", all,
		},
		"the component goes first": {func(e *editor.Editor) { edit(t, e, editor.MoveItem{List: at(components), From: 1, To: 0}) }, "", all},
		"the component goes to another step": {
			func(e *editor.Editor) {
				v, _ := schema.Lookup(e.State().Form.Tree(), at(components+"[1]"))
				edit(t, e, editor.RemoveItem{Path: at(components + "[1]")})
				edit(t, e, editor.InsertItem{Path: at("nodes[1].config.components[0]"), Value: v})
			}, "", all,
		},
		"an option before it goes": {
			func(e *editor.Editor) { edit(t, e, editor.RemoveItem{Path: at(components + "[0].config.options[0]")}) }, "", all,
		},
		"it is edited and stays wrong": {set("start.next_node", "lost"), "", all},
		"one is fixed":                 {set("nodes[0].alias", "Ask"), "", all - 1},
		"the person empties the name":  {set("name", ""), "name", all},
		"another option is emptied":    {set(components+"[0].config.options[0].label", ""), components + "[0].config.options[0].label", all},
		"another code at the place":    {set("nodes[0].alias", true), "nodes[0].alias", all - 1},
		"another node has the problem": {set("nodes[1].alias", ""), "nodes[1].alias", all},
		"a text that is not JSON": {
			func(e *editor.Editor) { edit(t, e, editor.SetPending{Path: at("nodes[0].alias"), Text: "{"}) }, "nodes[0].alias", all,
		},
	} {
		e := remoteEditor(t, formtest.Parse(t, inheriting))
		test.do(e)
		own := ""
		for _, p := range e.Found().Own() {
			own += p.Path.String()
		}
		if own != test.own || len(e.Found().Inherited()) != test.old {
			t.Errorf("%s: own %v, inherited %v", name, e.Found().Own(), e.Found().Inherited())
		}
	}
}

// After a save or a merge, the new saved form tells which problems are the person's own.
func TestSavedFormMovesOn(t *testing.T) {
	e := remoteEditor(t, formtest.Parse(t, inheriting))
	edit(t, e, editor.Set{Path: schema.Path{schema.Key("name")}, Value: ""})
	if e.Undo(); len(e.Found().Own()) != 0 {
		t.Errorf("after undo: own %v", e.Found().Own())
	}
	e.Redo()
	if len(e.Found().Own()) != 1 {
		t.Fatalf("own: %v", e.Found().Own())
	}
	e.Saved(e.State().Form)
	if len(e.Found().Own()) != 0 || len(e.Found().Inherited()) != 6 {
		t.Errorf("after the save: own %v, inherited %v", e.Found().Own(), e.Found().Inherited())
	}
	e.Seal()
	edit(t, e, editor.Set{Path: schema.Path{schema.Key("name")}, Value: "g"})
	e.Saved(e.State().Form)
	e.Undo()
	if len(e.Found().Own()) != 1 {
		t.Errorf("undo to before the save: own %v", e.Found().Own())
	}
}

// A tenant may add a property to every component. That is one warning, which tells how often.
func TestForeignPropertyIsOneWarning(t *testing.T) {
	f := formtest.Parse(t, `{"name":"f","nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"x","category":"BLOCK","type":"DIVIDER","visible":true,"other":1},{"id":"y","category":"BLOCK","type":"DIVIDER","visible":true},
		{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","visible":true,"config":{"text":"On"}}],"next_node":"$ending"}}],
		"start":{"next_node":"a"}}`)
	e := remoteEditor(t, f)
	var got []string
	for _, w := range e.Found().Warnings() {
		got = append(got, w.Error())
	}
	const known = " is not known to this editor and stays as it is"
	want := []string{
		"nodes[0].config.components[0].visible:" + known + ", here and in 2 other places", "nodes[0].config.components[0].other:" + known,
	}
	if !slices.Equal(got, want) || len(e.Found().Foreign()) != 4 {
		t.Errorf("warnings %q, want %q; foreign %v", got, want, e.Found().Foreign())
	}
}
