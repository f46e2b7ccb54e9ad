package topbar

import (
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// The menus of the bar.
const (
	More    = "more"
	Account = kit.AccountMenu
	Export  = "export"
)

// WheelAct is the act of the lines of the account menu that choose what the wheel does.
const WheelAct = "choose-wheel"

// Lines of the menu More that are not those of commands.
const (
	exportLine    command.ID = "export-as"
	inspectorLine command.ID = "inspector"
	accountLine   command.ID = "account"
)

// moreGroups are the commands of the menu More. In a narrow window it has narrowGroups: first what the bar has no room for, as in the bar, and then
// the same as in a wide one, in the same order, without what is in sight there. The kinds of files are a menu of their own.
var (
	moreGroups = [][]command.ID{
		{command.Import, exportLine},
		{command.Compare, command.Atlas},
		{command.Share, command.DuplicateForm, command.Settings},
		{command.Help},
	}
	exports = []command.ID{command.Export, command.ExportFlows, command.ExportPicture, command.ExportBitmap, command.ExportDocument, command.Atlas}

	narrowGroups = [][]command.ID{
		{command.Undo, command.Redo, command.Commands, inspectorLine},
		{command.Import, exportLine},
		{command.ShowScenarios, command.ShowHistory, command.ShowComments}, // the history has the comparison
		{command.Share, command.Settings},
		{command.Help, accountLine},
	}
)

// Menu returns the name and the lines of a menu of the bar.
func (p *Bar) Menu(of string) (title string, items []kit.Item) {
	if of == Account {
		return "Account", p.accountItems()
	}
	if title, items = p.PeopleItems(of); items != nil {
		return title, items
	}
	if of == Export {
		return "Export", p.lines(exports)
	}
	if workspace.Low() {
		items = append(p.Pages(), kit.Item{})
	}
	return "More", append(items, p.more(workspace.Wide())...)
}

// more returns the lines of the menu More, in groups.
func (p *Bar) more(wide bool) (items []kit.Item) {
	groups := narrowGroups
	if wide {
		groups = moreGroups
	}
	for _, group := range groups {
		lines := p.lines(group)
		if len(items) > 0 && len(lines) > 0 {
			items = append(items, kit.Item{})
		}
		items = append(items, lines...)
	}
	return items
}

// lines returns the lines of a group: those of the commands that are offered, and others.
func (p *Bar) lines(group []command.ID) (items []kit.Item) {
	for _, id := range group {
		switch {
		case id == exportLine:
			items = append(items, kit.Item{Act: kit.OpenMenu, Arg: Export, Name: "Export as…", Icon: "download"})
		case id == inspectorLine:
			items = append(items, kit.Item{Act: "right", Name: "Inspector", Icon: "panel-right"})
		case id == accountLine:
			items = append(items, kit.Item{Act: kit.OpenMenu, Arg: Account, Name: "Account, theme, sign out", Icon: "user"})
		case p.offers(id):
			items = append(items, CommandItem(p.Workspace, id))
		}
	}
	return items
}

// CommandItem is the line of a command in a menu.
func CommandItem(w *workspace.Workspace, id command.ID) kit.Item {
	c := command.Of(id)
	return kit.Item{Act: string(id), Name: c.Title, Icon: c.Icon, Note: c.Shortcut(), Disabled: !w.Applies(id)}
}

// wheels are what the mouse wheel may do: the argument of the act, and the name and icon of the line.
var wheels = [...][3]string{{wheelPans, "Pans", "select"}, {wheelZooms, "Zooms", "search"}}

func (p *Bar) accountItems() []kit.Item {
	var choices []kit.Item
	for _, w := range wheels {
		choices = append(choices, kit.Item{Row: "Mouse wheel", Act: WheelAct, Arg: w[0], Name: w[1], Icon: w[2], Chosen: (w[0] == wheelZooms) == WheelZooms()})
	}
	return kit.AccountItems(p.User, p.Remote, choices...)
}

// What the mouse wheel does without a modifier key.
const (
	wheelPans  = "pans"
	wheelZooms = "zooms"
)

// WheelZooms reports whether the mouse wheel zooms without a modifier key, and pans with one.
func WheelZooms() bool { return kit.Recall("wheel") == wheelZooms }

// ChooseWheel sets what the mouse wheel does, and remembers it in this browser.
func (p *Bar) ChooseWheel(what string) {
	kit.Remember("wheel", what)
	if p.Canvas != nil {
		p.Canvas.SetWheelZooms(what == wheelZooms)
	}
}
