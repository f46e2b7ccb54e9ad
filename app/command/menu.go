package command

import (
	"strings"

	"github.com/formgraph/formgraph/model"
)

// Here is the argument of a command of a menu that acts at the place where the menu was opened.
const Here = "here"

// MenuOf returns the lines of the menu of the selection, in groups. Commands that do not apply are left out.
func MenuOf(c Context) [][]Line { return c.lines(c.selected()) }

// Submenus are the names of the menus to which a line of the menu of the selection leads, by the argument of that line. Its command has no row
// in Table.
var Submenus = map[string]string{"arrange": "Arrange", "select": "Select and show", "style": "Kind and style"}

// SubmenuOf is MenuOf for a submenu.
func SubmenuOf(c Context, name string) [][]Line { return c.lines(name) }

func (c Context) lines(menu string) [][]Line {
	var groups [][]Line
	for ids := range strings.SplitSeq(menus[menu], "|") {
		var group []Line
		for name := range strings.FieldsSeq(ids) {
			id := ID(name)
			if title := Submenus[name]; title != "" {
				if inner := c.lines(name); len(inner) > 0 {
					group = append(group, Line{Command: &Command{}, Arg: name, Name: title, Icon: inner[0][0].Icon})
				}
				continue
			}
			cmd := Of(id)
			if _, ok := cmd.Needs.Missing(c); !ok || id == Connect && !c.leadsOn() {
				continue
			}
			l := Line{Command: cmd, Name: cmd.Title, Icon: cmd.Icon}
			if here, ok := hereNames[id]; ok && c.State.Selection.Empty() {
				l.Name, l.Arg = here, Here
			}
			group = append(group, l)
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// hereNames name the commands that act at the place of the menu.
var hereNames = map[ID]string{AddStep: "Add step here", AddFlow: "Add flow here", AddRouter: "Add router here", AddNote: "Add note here", Paste: "Paste here"}

// menus are the commands of the menus, by what is selected. A bar begins a group.
var menus = map[string]string{
	"edge":      "menu connect-to | delete",
	"component": "edit edit-label style comment | connect-to duplicate copy cut | move-up move-down move-to | delete",
	"parts":     "duplicate copy cut paste-style | move-up move-down | delete",
	"rule":      "edit edit-label | connect-to duplicate copy cut | move-up move-down | delete",
	"start":     "preview-here comment | menu connect-to | select-downstream fit-selection",
	"ending":    "comment | select-upstream fit-selection",
	"node":      "edit preview-here comment | menu add-rule add-rules connect-to | duplicate copy cut paste | select | delete delete-alone",
	"nodes":     "duplicate copy cut | arrange fit-selection | delete delete-alone",
	"style":     "change-kind | copy-style paste-style",
	"select":    "select-upstream select-downstream fit-selection",
	"arrange":   "tidy-selection | align-left align-centers align-right | align-top align-middles align-bottom | distribute-across distribute-down",
	"":          "add-step add-router add-flow add-note | paste select-all | tidy fit zoom-reset",
}

// selected names what is selected in menus.
func (c Context) selected() string {
	s := c.State.Selection
	switch key := s.Only(); {
	case s.Edge != nil:
		return "edge"
	case len(s.Parts) > 0:
		return "parts"
	case s.Component != "":
		return "component"
	case s.Rule != "":
		return "rule"
	case key == model.StartID:
		return "start"
	case key == model.EndingID:
		return "ending"
	case key != "":
		return "node"
	case len(s.Nodes) > 1:
		return "nodes"
	}
	return ""
}

// leadsOn reports whether the selection has a way out of its own. Of the components, only jump buttons have one.
func (c Context) leadsOn() bool {
	s := c.State.Selection
	_, ok := c.State.Form.OutOf(s.Only(), model.JumpPort(s.Component))
	return s.Component == "" || ok
}
