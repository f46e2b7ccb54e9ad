package command

import (
	"cmp"
	"strings"
)

// Mods are the modifiers held with a key.
type Mods uint8

// The modifiers. Control also stands for Command on a Mac.
const (
	Control Mods = 1 << iota
	Shift
	Alt
)

// Place is a part of the page that has the focus when a key is pressed.
type Place uint8

// The places. A key may work in several of them.
const (
	OnText    Place = 1 << iota // where people enter text
	OnCanvas                    // the canvas, and elements that forward their keys to it
	OnOutline                   // the tree
	InMenu                      // the menu of AddNode
	ByEvent                     // the browser turns the key into an editing event, which the page handles
)

// Key is a key of a command.
type Key struct {
	Name string // as in KeyboardEvent.key, with letters in lower case; for Shift with a digit it is the digit
	Mods Mods
	In   Place
}

func anywhere(name string, m Mods) []Key { return []Key{{name, m, OnText | OnCanvas | OnOutline}} }

func outside(name string, m Mods) []Key { return []Key{{name, m, OnCanvas | OnOutline}} }

func inMenu(name string) []Key { return []Key{{name, 0, InMenu}} }

func event(name string) []Key { return []Key{{name, Control, ByEvent}} }

// For returns the command of a key that is pressed in a place, or None. For a character without Control, Shift counts only if a command
// requires it, since "?" and "+" need Shift on many keyboards.
func For(name string, m Mods, in Place) ID {
	if len(name) == 1 {
		name = strings.ToLower(name)
	}
	found := None
	for i := range Table {
		for _, k := range Table[i].Keys {
			switch {
			case k.Name != name || k.In&in == 0:
			case k.Mods == m:
				return Table[i].ID
			case len(name) == 1 && m&Control == 0 && k.Mods == m&^Shift:
				found = Table[i].ID
			}
		}
	}
	return found
}

// String formats the key for people, as in "Ctrl Shift Z".
func (k Key) String() string {
	name, ok := map[string]string{"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", "-": "−"}[k.Name]
	if !ok {
		name = k.Name
	}
	if len(name) == 1 {
		name = strings.ToUpper(name)
	}
	parts := make([]string, 0, 3)
	for _, m := range []struct {
		mod  Mods
		name string
	}{{Control, "Ctrl"}, {Alt, "Alt"}, {Shift, "Shift"}} {
		if k.Mods&m.mod != 0 {
			parts = append(parts, m.name)
		}
	}
	return strings.Join(append(parts, name), " ")
}

// Shortcut formats the first key of a command for people, "" if it has none. For a key in the menu, the key that opens the menu comes
// first.
func (c *Command) Shortcut() string {
	if len(c.Keys) == 0 {
		return ""
	}
	if c.Keys[0].In == InMenu {
		return Of(AddNode).Shortcut() + " " + c.Keys[0].String()
	}
	return c.Keys[0].String()
}

// Group is a part of the help dialog.
type Group struct {
	Heading string
	Rows    [][2]string // what is pressed, and what that does
}

// Gestures are the groups of the help dialog that are not commands: the effects of the pointer and of the arrow keys.
var Gestures = []Group{
	{"On the canvas", [][2]string{
		{"Arrows", "Follow the edges to the next node; up and down also through components and rules"},
		{"Ctrl Arrows", "Move the selection by one grid step; with Shift, by five"},
		{"Escape", "Cancel, go back to the node, or clear the selection"},
		{"Wheel", "Pan; with Ctrl, zoom; with Shift, pan sideways"},
		{"Space drag", "Pan (or drag with the middle button)"},
		{"Drag a handle", "Connect; drop on empty canvas to add a node in between"},
		{"Ctrl drag", "Move without the grid"},
	}},
	{"On a note", [][2]string{
		{"Enter", "Edit the text (or double-click)"},
		{"Arrows", "Move by one grid step; with Shift, by five"},
		{"Delete", "Delete the note"},
		{"Escape", "Go back to the canvas"},
	}},
	{"In the outline", [][2]string{
		{"↑ ↓", "Move; with Shift, extend the selection"},
		{"← →", "Collapse and expand"},
		{"Enter", "Show the node"},
		{"A letter", "Jump to a name (Shift for N, C and E)"},
		{"Alt ↑ ↓", "Reorder a component or rule"},
		{"Ctrl Space", "Add to the selection"},
	}},
}

// Shortcuts returns the groups of the help dialog: the commands that have keys, then Gestures.
func Shortcuts() []Group {
	var groups []Group
	for i := range Table {
		c := &Table[i]
		if c.Heading != "" {
			groups = append(groups, Group{Heading: c.Heading})
		}
		if len(c.Keys) == 0 || c.Keys[0].In == InMenu {
			continue
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, [2]string{c.Shortcut(), cmp.Or(c.Note, c.Title)})
	}
	return append(groups, Gestures...)
}
