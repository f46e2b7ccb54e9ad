package inspect

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
)

// Components that are chosen together have one panel, until the selection changes. Nothing in it deletes their step.
func TestComponentsAreChosenTogether(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		drawn := func() string { return app.HTMLString(p.Draw()) }
		if !strings.Contains(drawn(), "Select several") || !p.canDelete() {
			t.Fatal("components cannot be chosen")
		}
		p.Act(ctx, "choose-parts", "")
		p.Act(ctx, "choose-part", "mail")
		if s := drawn(); !strings.Contains(s, "Select at least two") || !strings.Contains(s, `role="checkbox"`) || p.canDelete() || p.canTry() {
			t.Errorf("with one chosen: %s", s)
		}
		p.Act(ctx, "choose-part", "next")
		if s := drawn(); !strings.Contains(s, "<h2>2 components") || !strings.Contains(s, "no property in common") {
			t.Errorf("with two chosen: %s", s)
		}
		p.Act(ctx, "choose-part", "next")
		if s := drawn(); strings.Contains(s, "<h2>2 components") {
			t.Errorf("with one chosen again: %s", s)
		}
		p.Editor.Select(editor.SelectNodes("which"))
		p.Selected()
		p.Editor.Select(editor.SelectNodes("ask"))
		p.Selected()
		if strings.Contains(drawn(), `role="checkbox"`) {
			t.Error("the choice stays")
		}
	})
}

// What is selected together, on the canvas for example, is shown together, with the buttons for all of it.
func TestSelectedComponentsAreShownTogether(t *testing.T) {
	onPanel(t, editor.Selection{Nodes: []string{"ask"}, Component: "mail"}, func(_ app.Context, p *Panel) {
		p.Editor.Select(p.State().Selection.TogglePart("next"))
		p.Selected()
		s := app.HTMLString(p.Draw())
		for _, want := range []string{"<h2>2 components", `role="checkbox"`, `data-act="copy"`, `data-act="cut"`, `data-act="duplicate"`, `data-act="move-up"`, `data-act="move-down"`, `data-act="delete"`} {
			if !strings.Contains(s, want) {
				t.Errorf("two selected: no %s in %s", want, s)
			}
		}
		p.Editor.Select(p.State().Selection.TogglePart("next"))
		p.Selected()
		if s := app.HTMLString(p.Draw()); strings.Contains(s, "<h2>2 components") || !strings.Contains(s, `role="checkbox"`) {
			t.Errorf("one taken away: %s", s)
		}
	})
}

// Another kind is chosen before it is used, and only for a component.
func TestKindIsChosen(t *testing.T) {
	onPanel(t, editor.Selection{Nodes: []string{"ask"}, Component: "mail"}, func(ctx app.Context, p *Panel) {
		kind := func() string { return p.Editor.State().Form.Nodes[0].Component(0).Type }
		p.kinds.open = true
		if s := app.HTMLString(p.Draw()); !strings.Contains(s, "The id, the place and the translations stay.") {
			t.Errorf("before a choice: %s", s)
		}
		p.Act(ctx, "kind-use", "")
		if kind() != "EMAIL" {
			t.Errorf("without a choice it is %s", kind())
		}
		p.kinds.open = true
		if !p.Type(KindID, "TEXT") || !strings.Contains(app.HTMLString(p.Draw()), "“Label” carries over.") {
			t.Errorf("after a choice: %s", app.HTMLString(p.Draw()))
		}
		p.Act(ctx, "kind-cancel", "")
		if kind() != "EMAIL" || p.kinds.open {
			t.Errorf("after Cancel it is %s", kind())
		}
		p.kinds.open = true
		p.Act(ctx, "kind-use", "")
		if kind() != "TEXT" || p.kinds.open {
			t.Errorf("it is %s", kind())
		}
		p.kinds.open = true
		p.Editor.Select(editor.SelectNodes("ask"))
		if strings.Contains(app.HTMLString(p.Draw()), KindID) {
			t.Error("a step has a kind to change")
		}
	})
}
