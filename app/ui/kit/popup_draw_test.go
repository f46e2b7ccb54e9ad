package kit_test

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

// A menu has its lines, with their second lines and keys, at its place, and returns the focus once.
func TestMenuIsDrawnAtItsPoint(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		m, back := &kit.Menu{}, 0
		open := func(items ...kit.Item) {
			m.Open(ctx, "context", "Actions", items, 10.4, 20, func() { back++ })
		}
		if open(); m.Of() != "" {
			t.Error("a menu without items opens")
		}
		open(kit.Item{Act: "edit", Name: "Edit", Note: "E"}, kit.Item{}, kit.Item{Act: "delete", Name: "Delete", Danger: true, Hint: "1 way leads nowhere", Says: "Delete it"})
		html := app.HTMLString(m.Draw())
		for _, want := range []string{
			"--x:10px;--y:20px;--w:340px", `role="menuitem"`, "<hr>", `data-act="delete"`, "danger-item two", `data-note="E"`,
			`aria-label="Delete it"`, `aria-description="1 way leads nowhere"`, "<small>1 way leads nowhere</small>",
		} {
			if !strings.Contains(html, want) {
				t.Errorf("%s is not in %s", want, html)
			}
		}
		m.CloseBack()
		m.CloseBack()
		if m.Of() != "" || back != 1 || strings.Contains(app.HTMLString(m.Draw()), "menuitem") {
			t.Errorf("closed, the menu returned the focus %d times", back)
		}
	})
}
