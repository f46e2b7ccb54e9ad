package search

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

// What is found letter by letter is replaced one after the other, or all in one step; the dialog says what it did, and what it could not do.
func TestReplacing(t *testing.T) {
	onDialog(t, Find, "", func(ctx app.Context, p *Dialog, _ *uitest.Canvas, _ *[]command.ID) {
		shows := func(when string, parts ...string) {
			t.Helper()
			html := app.HTMLString(p.Draw())
			for _, part := range parts {
				if part, not := strings.CutPrefix(part, "!"); strings.Contains(html, part) == not {
					t.Errorf("%s: %q is shown: %t, in %s", when, part, !not, html)
				}
			}
		}
		shows("found only", `data-act="replacing"`, `aria-expanded="false"`, "!"+replaceField)
		p.Act(ctx, replacingAct, "")
		shows("nothing to find", replaceField, "Searches all texts and names", `disabled`)
		p.Type("a")
		p.With("A")
		shows("found", "6 places in 5 texts", "<mark>a</mark>", "Ask")
		p.Act(ctx, caseAct, "")
		shows("with case", "5 places in 4 texts")
		p.Act(ctx, replaceAct, "")
		shows("one", "Replaced 1 place.", "4 places in 3 texts")
		if name := p.Editor.State().Form.Name; name != "ContAct" {
			t.Errorf("the form is called %q", name)
		}
		p.Act(ctx, replaceAll, "")
		shows("all", "Replaced 4 places.", "No text contains that.")
		if p.Toast.Text() != "Replaced 4 places." || len(p.Editor.Steps()) != 3 {
			t.Errorf("says %q after %d steps", p.Toast.Text(), len(p.Editor.Steps())-1)
		}
		p.Type("BAdge")
		p.With("")
		p.Act(ctx, replaceAll, "")
		shows("refused", "Not replaced: Ask › BAdge · Label would be empty.", `class="failed"`, "1 place in 1 text")
		p.Open(ctx, Find)
		shows("again", "!"+replaceField)
	})
}

// Who may not change the form cannot replace anything in it.
func TestReplacingNeedsTheRight(t *testing.T) {
	onDialog(t, Find, "", func(ctx app.Context, p *Dialog, _ *uitest.Canvas, _ *[]command.ID) {
		if p.OpenReplace(ctx); !p.Replaces() {
			t.Error("the command does not open what replaces")
		}
		if p.Open(ctx, Commands); p.Replaces() {
			t.Error("the list of commands replaces")
		}
		p.OpenReplace(ctx)
		p.Editor = readOnly(p.Editor)
		if html := app.HTMLString(p.Draw()); p.Replaces() || strings.Contains(html, replaceField) {
			t.Errorf("a reader is offered to replace: %s", html)
		}
		p.Type("a")
		if p.Act(ctx, replaceAll, ""); p.Editor.Unsaved() {
			t.Error("a reader replaces")
		}
	})
}

// readOnly returns an editor of the same form for somebody who may not change it.
func readOnly(e *editor.Editor) *editor.Editor {
	return editor.New(e.State().Form, editor.Config{ReadOnly: true})
}
