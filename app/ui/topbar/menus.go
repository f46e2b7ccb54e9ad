package topbar

import (
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/saver"
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

// moreGroups are the commands of the menu More. In a narrow window it has narrowGroups, with what the bar and the panels have no room for and
// without what is in sight there; the kinds of files are a menu of their own.
var (
	moreGroups = [][]command.ID{
		{command.Import, command.Export, command.ExportFlows},
		{command.Compare, command.ShowHistory, command.ShowComments, command.Atlas},
		{command.Share, command.CopyLink},
		{command.TidyUp, command.Settings},
		{command.Help},
	}
	exports = []command.ID{command.Export, command.ExportFlows, command.ExportPicture, command.ExportBitmap, command.ExportDocument, command.Atlas}

	narrowGroups = [][]command.ID{
		{command.Undo, command.Redo},
		{command.Commands, command.Compare, command.ShowHistory, command.ShowComments},
		{command.Settings, command.Help},
		{command.Share, command.Import},
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
		return "Export", p.lines(nil, exports)
	}
	if workspace.Low() {
		items = p.Pages()
	}
	groups, wide := moreGroups, workspace.Wide()
	if !wide {
		groups = narrowGroups
	}
	for i, group := range groups {
		if i == len(groups)-1 && p.Editor != nil && !p.ReadOnly() {
			items = append(items, kit.Item{})
			for _, c := range savings {
				items = append(items, kit.Item{Row: "Saving", Act: saver.SavingAct, Arg: c[0], Name: c[1], Icon: c[2], Chosen: p.Saver.Setting.Choice() == c[0]})
			}
		}
		if len(items) > 0 {
			items = append(items, kit.Item{})
		}
		items = p.lines(items, group)
	}
	if !wide {
		items = append(items, kit.Item{Act: kit.OpenMenu, Arg: Export, Name: "Export as…", Icon: "download"}, kit.Item{},
			kit.Item{Act: "right", Name: "Inspector", Icon: "panel-right"}, kit.Item{Act: kit.OpenMenu, Arg: Account, Name: "Account, theme, sign out", Icon: "user"})
	}
	return "More", items
}

// lines appends the lines of the commands that are offered.
func (p *Bar) lines(items []kit.Item, group []command.ID) []kit.Item {
	for _, id := range group {
		if p.offers(id) {
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

// savings are the ways to save the form: the argument of the act, and the name and icon of the line.
var savings = [...][3]string{{saver.ByHand, "By hand", "check"}, {saver.AsYouGo, "As you go", "auto"}}

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
