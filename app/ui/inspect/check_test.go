package inspect

import (
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// The rules are to be checked once the form is opened, while a check waits, and after an edit of a condition, but not of a name.
func TestChecking(t *testing.T) {
	onPanel(t, editor.Selection{}, func(_ app.Context, p *Panel) {
		want := func(when string, want bool) {
			t.Helper()
			if got := p.Checking(); got != want {
				t.Errorf("%s, a check is to come: %v", when, got)
			}
		}
		want("opened", true)
		p.check.form = p.Editor.State().Form
		want("checked", false)
		p.check.due = true
		want("due", true)
		p.check.due = false
		set := func(path schema.Path) {
			t.Helper()
			if err := p.Editor.Run(editor.Set{Path: path, Value: "x"}); err != nil {
				t.Fatal(err)
			}
		}
		set(model.NodePath(1).Key("alias"))
		want("named", false)
		set(model.RulePath(1, 0).Key("condition"))
		want("with another condition", true)
	})
}
