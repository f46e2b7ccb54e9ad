package label

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"id":"ap_test","name":"x","nodes":[
	{"id":"s","type":"STEP","alias":"Ask","coordinates":{"x":0,"y":0},"config":{"components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},
		{"id":"rich","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p>Hello</p>"}},
		{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On to {{fields.mail}}"}},
		{"id":"line","category":"BLOCK","type":"DIVIDER","config":{}}]}}],"ending":{"coordinates":{"x":900,"y":0}}}`

func TestWhatIsEditedInPlace(t *testing.T) {
	for _, tt := range []struct {
		sel        editor.Selection
		text, name string
		y          float64
		ok         bool
	}{
		{editor.SelectNodes("s"), "Ask", "Name", 4, true},
		{editor.Selection{Nodes: []string{"s"}, Component: "mail"}, "E-mail", "Label", 45, true},
		{editor.Selection{Nodes: []string{"s"}, Component: "rich"}, "", "", 0, false},
		{editor.Selection{Nodes: []string{"s"}, Component: "next"}, "", "", 0, false},
		{editor.SelectNodes("$ending"), "", "", 0, false},
		{editor.Selection{}, "", "", 0, false},
	} {
		uitest.Run(t, func(ctx app.Context) {
			w, c := uitest.Workspace(t, form)
			w.Editor.Select(tt.sel)
			p := &Editor{w}
			if ok := p.Start(ctx); ok != tt.ok || (c.Field != nil) != tt.ok {
				t.Errorf("%v: edited in place: %t", tt.sel, ok)
			} else if ok {
				if at, shown := c.Field.Place(); c.Field.Text != tt.text || c.Field.Name != tt.name || at.Y != tt.y || !shown {
					t.Errorf("%v: %+v at %v", tt.sel, *c.Field, at)
				}
			}
		})
	}
}

// The text is set when the field closes, once; Tab goes on to the next row; an emptied text is removed.
func TestFieldSetsTheText(t *testing.T) {
	var w *workspace.Workspace
	var c *uitest.Canvas
	var first canvas.Field
	uitest.Play(t, func(ctx app.Context) {
		w, c = uitest.Workspace(t, form)
		w.Editor.Select(editor.SelectNodes("s"))
		(&Editor{w}).Start(ctx)
		first = *c.Field
		first.Done("Ask again", true)
	}, func(app.Context) {
		if n, _ := w.Editor.State().Form.Node("s"); n.Name() != "Ask again" || c.Field.Text != "E-mail" {
			t.Errorf("the node is %s, the field has %q", n.Name(), c.Field.Text)
		}
		c.Field.Done("", false)
	}, func(ctx app.Context) {
		n, _ := w.Editor.State().Form.Node("s")
		if n.Component(0).Tree().Has("label") || len(w.Editor.Steps()) != 3 {
			t.Errorf("an emptied label stays, or the history has %d steps", len(w.Editor.Steps()))
		}
		(&Editor{w}).Start(ctx)
		c.Field.Done("", false)
	}, func(app.Context) {
		if len(w.Editor.Steps()) != 3 {
			t.Error("an unchanged text is a step of the history")
		}
	})
}

// The field follows its text when the form changes under it, and its text goes where the element is then. If that is gone, the person is told.
func TestFieldFollowsItsText(t *testing.T) {
	var w *workspace.Workspace
	var c *uitest.Canvas
	list, _ := schema.ParsePath("nodes[0].config.components")
	uitest.Play(t, func(ctx app.Context) {
		w, c = uitest.Workspace(t, form)
		w.Editor.Select(editor.Selection{Nodes: []string{"s"}, Component: "mail"})
		(&Editor{w}).Start(ctx)
		if err := w.Editor.Run(editor.MoveItem{List: list, From: 0, To: 2, Name: "component"}); err != nil {
			t.Fatal(err)
		}
		w.Editor.Select(editor.Selection{})
		if at, ok := c.Field.Place(); !ok || at.Y != 45+2*graph.RowHeight {
			t.Errorf("the field is at %v, %t", at, ok)
		}
		c.Field.Done("Your e-mail", false)
	}, func(ctx app.Context) {
		n, _ := w.Editor.State().Form.Node("s")
		if n.Component(2).Tree().Text("label") != "Your e-mail" {
			t.Errorf("the text is not set: %v", n.Component(2).Tree())
		}
		w.Editor.Select(editor.Selection{Nodes: []string{"s"}, Component: "mail"})
		(&Editor{w}).Start(ctx)
		if err := w.Editor.Run(editor.RemoveSelection{}); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.Field.Place(); ok {
			t.Error("what is gone has a place")
		}
		(&Editor{w}).keep(ctx, editor.Selection{Nodes: []string{"s"}, Component: "mail"}, "E-mail address")
		if said := w.Toast.Text(); !strings.Contains(said, "“E-mail address” was not kept") {
			t.Errorf("it says %q", said)
		}
	})
}
