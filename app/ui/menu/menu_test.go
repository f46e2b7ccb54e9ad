package menu

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/uitest"
)

func of(names ...string) [][]Item {
	groups := [][]Item{nil}
	for _, n := range names {
		if n == "-" {
			groups = append(groups, nil)
			continue
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], Item{Act: "act-" + n, Name: n, Icon: "copy"})
	}
	return groups
}

func TestKeysWalkTheMenu(t *testing.T) {
	m := &Menu{groups: of("Edit", "Copy", "-", "Cut", "Delete")}
	for _, tt := range []struct {
		at   int
		key  string
		want int
	}{
		{0, "ArrowDown", 1},
		{3, "ArrowDown", 0},
		{0, "ArrowUp", 3},
		{-1, "ArrowUp", 3},
		{-1, "ArrowDown", 0},
		{2, "Home", 0},
		{0, "End", 3},
		{0, "c", 1},
		{1, "C", 2},
		{2, "c", 1},
		{0, "d", 3},
		{0, "x", -1},
		{1, "Shift", -1},
	} {
		if got := m.next(tt.at, tt.key); got != tt.want {
			t.Errorf("%s from %d leads to %d, want %d", tt.key, tt.at, got, tt.want)
		}
	}
}

func TestMenuIsDrawnAtItsPoint(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		m, back := &Menu{}, 0
		m.Open(ctx, "Step", nil, 1, 2, func() { back++ })
		if m.IsOpen() {
			t.Error("a menu without items opens")
		}
		m.Open(ctx, "Step", of("Edit", "-", "Delete"), 10.4, 20, func() { back++ })
		html := app.HTMLString(m.Draw())
		for _, want := range []string{"--x:10px;--y:20px;--lines:2;--gaps:1", `role="menuitem"`, `role="separator"`, `data-act="act-Delete"`} {
			if !strings.Contains(html, want) {
				t.Errorf("%s is not in %s", want, html)
			}
		}
		m.Close()
		m.Close()
		if m.IsOpen() || back != 1 || strings.Contains(app.HTMLString(m.Draw()), "menuitem") {
			t.Errorf("closed, the menu returned the focus %d times", back)
		}
	})
}
