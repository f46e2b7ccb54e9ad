package ui

import (
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/versions"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// contextMenuName tells the menus of a thing from those of the bar.
const contextMenuName = "context"

// contextMenu is the menu of the selection.
type contextMenu struct {
	*workspace.Workspace
	menu *kit.Menu
	at   model.Point // where the menu was opened, in the form

	blame *versions.Blame
}

// openAt opens the menu at a point of the window.
func (m *contextMenu) openAt(ctx app.Context, at graph.Vec) {
	if m.Canvas == nil {
		return
	}
	m.at = m.Canvas.PointIn(at)
	m.Dialog.Origin.Keep()
	items := contextItems(m.Situation(), m.damage)
	m.menu.Open(ctx, contextMenuName, "Actions", withBlame(items, m.blame.Item(time.Now())), at.X, at.Y, m.Dialog.Origin.Back)
}

// withBlame adds the line about who changed the selection last, which has no name if there is none. What deletes stays last.
func withBlame(items []kit.Item, it kit.Item) []kit.Item {
	if it.Name == "" {
		return items
	}
	at := slices.IndexFunc(items, func(it kit.Item) bool { return it.Danger })
	if at < 1 {
		return append(items, kit.Item{}, it)
	}
	return slices.Insert(items, at-1, kit.Item{}, it) // before the line that divides
}

// open opens the menu beside the selection: at the focused row of the outline, or on the canvas.
func (m *contextMenu) open(ctx app.Context) {
	if m.Canvas == nil {
		return
	}
	at := m.Canvas.Anchor()
	if o := m.Dialog.Origin; o.InOutline != nil && o.InOutline() {
		r := app.Window().Get("document").Get("activeElement").Call("getBoundingClientRect")
		at = graph.Vec{X: r.Get("left").Float(), Y: r.Get("bottom").Float()}
	}
	m.openAt(ctx, at)
}

// placeFor returns the place for a command of the menu that acts there, nil for other commands.
func (m *contextMenu) placeFor(arg string) *model.Point {
	if arg != command.Here {
		return nil
	}
	return &m.at
}

// damage says what a command of the menu would break, "" for nothing. It is asked when the menu opens.
func (m *contextMenu) damage(id command.ID) string {
	if id != command.Delete && id != command.DeleteAlone {
		return ""
	}
	return describe.Damage(m.Editor.Damage(editor.RemoveSelection{Join: id == command.Delete}))
}

// openSubmenu replaces the menu with one to which it leads. It reports whether there is one of that name.
func (m *contextMenu) openSubmenu(ctx app.Context, name string) bool {
	title := command.Submenus[name]
	if title != "" {
		m.menu.Replace(ctx, contextMenuName, title, lineItems(command.SubmenuOf(m.Situation(), name), m.damage))
	}
	return title != ""
}

// contextItems are the items of the menu of the selection. hint returns the second line of a command, "" for none.
func contextItems(c command.Context, hint func(command.ID) string) []kit.Item {
	return lineItems(command.MenuOf(c), hint)
}

func lineItems(groups [][]command.Line, hint func(command.ID) string) (items []kit.Item) {
	for i, lines := range groups {
		if i > 0 {
			items = append(items, kit.Item{})
		}
		for _, l := range lines {
			it := kit.Item{Act: string(l.ID), Arg: l.Arg, Name: l.Name, Icon: l.Icon, Danger: l.ID == command.Delete || l.ID == command.DeleteAlone, Hint: hint(l.ID)}
			switch {
			case l.ID == command.None:
				it.Act, it.Note = kit.OpenMenu, "›"
			case l.Arg == "":
				it.Note = l.Shortcut()
			}
			items = append(items, it)
		}
	}
	return items
}
