package help_test

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/help"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// The shortcuts are in groups, and filtered by what is pressed, what that does, and the heading. The next time all of them are shown.
func TestShortcutsAreSearched(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		var w workspace.Dialog
		d := help.Dialog{Dialog: &w}
		has := func(part string) bool { return strings.Contains(app.HTMLString(d.Draw()), part) }
		if d.Draw() != nil {
			t.Error("a closed dialog is drawn")
		}
		if w.Open(ctx, help.Name); !has("Duplicate") || !has("In the outline") || !has(help.Filter) {
			t.Error("not all shortcuts are shown")
		}
		for query, want := range map[string]string{"dupl": "Duplicate", "ctrl d": "Duplicate", "OUTLINE collapse": "Collapse and expand"} {
			if d.Type(query); !has(want) || has("Zoom in") || has("View") {
				t.Errorf("%q does not find %s alone", query, want)
			}
		}
		if d.Type("xyz"); !has("No shortcut is called that.") || has("<table") {
			t.Error("finds something for nothing")
		}
		w.Close()
		d.Draw()
		if w.Open(ctx, help.Name); !has("Zoom in") {
			t.Error("the last search is still there")
		}
	})
}
