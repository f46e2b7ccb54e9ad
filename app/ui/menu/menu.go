// Package menu is a menu at a point of the window, such as the one of a right click. Its items are data: whoever opens it says what they
// are called and which control of the page they stand for.
package menu

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// Item is a line of a menu. A press on it acts like a press on a control with these attributes.
type Item struct {
	Act, Arg string // data-act and data-arg
	Name     string
	Icon     string // in icons.svg
	Key      string // a shortcut, as people read it
	Danger   bool   // it deletes something
	Hint     string // a second line, "" for none
}

// Menu is the menu of a page. The page calls Close for every press on a control, and Key for every key while the menu is open.
type Menu struct {
	name   string // accessible name
	groups [][]Item
	x, y   float64 // in the window
	back   func()  // returns the focus
}

// Open opens the menu with its upper left corner at a point of the window, or where it fits. The focus goes to the first item. back returns
// the focus when the menu closes. Without items, no menu opens.
func (m *Menu) Open(ctx app.Context, name string, groups [][]Item, x, y float64, back func()) {
	if len(groups) == 0 {
		return
	}
	m.name, m.groups, m.x, m.y, m.back = name, groups, x, y, back
	ctx.Dispatch(func(ctx app.Context) { ctx.Defer(func(app.Context) { kit.Focus(items) }) })
}

// items is the selector of the items of the open menu.
const items = ".menu.at [role=menuitem]"

// IsOpen reports whether the menu is open.
func (m *Menu) IsOpen() bool { return m.groups != nil }

// Close closes the menu and returns the focus.
func (m *Menu) Close() {
	if m.IsOpen() {
		m.groups = nil
		m.back()
	}
}

// Listen closes the menu on a press outside it, and when the window changes.
func (m *Menu) Listen(ctx app.Context) (stop func()) {
	leave := func(e app.Value) {
		if t := e.Get("target"); m.IsOpen() && (t.Get("closest").Type() != app.TypeFunction || !t.Call("closest", ".menu.at").Truthy()) {
			ctx.Dispatch(func(app.Context) { m.groups = nil })
		}
	}
	press, size := kit.Listen("pointerdown", leave), kit.Listen("resize", leave)
	return func() { press(); size() }
}

// Draw returns the menu, a hidden element while it is closed.
func (m *Menu) Draw() app.UI {
	if !m.IsOpen() {
		return kit.El("div hidden=true")
	}
	var body []app.UI
	for i, group := range m.groups {
		if i > 0 {
			body = append(body, kit.El("hr role=separator"))
		}
		for _, it := range group {
			b := kit.El("button.menu-item type=button role=menuitem tabindex=-1 aria-label=% data-act=%", it.Name, it.Act)
			if it.Arg != "" {
				b.DataSet("arg", it.Arg)
			}
			if it.Danger {
				b.Class("danger")
			}
			text := kit.El("span").Text(it.Name)
			if it.Hint != "" {
				text = kit.El("span").Body(kit.El("span").Text(it.Name), kit.El("small").Text(it.Hint))
				b.Class("two").Aria("description", it.Hint)
			}
			line := []app.UI{kit.Icon(it.Icon), text}
			if it.Key != "" {
				line = append(line, kit.El("span.key aria-hidden=true data-key=%", it.Key))
			}
			body = append(body, b.Body(line...))
		}
	}
	return kit.El("div.menu.row-menu.at role=menu aria-label=% style=%", m.name, m.place()).Body(body...)
}

// place returns the style that keeps the menu inside the window. The style sheet has the height of a line, which depends on the pointer.
func (m *Menu) place() string {
	lines := 0.0
	for _, g := range m.groups {
		for _, it := range g {
			if lines++; it.Hint != "" {
				lines += 0.75
			}
		}
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', 0, 64) }
	return "--x:" + number(m.x) + "px;--y:" + number(m.y) + "px;--lines:" + strconv.FormatFloat(lines, 'f', -1, 64) + ";--gaps:" + strconv.Itoa(len(m.groups)-1)
}

// Key handles a key while the menu is open.
func (m *Menu) Key(e app.Event, key string) {
	list := app.Window().Get("document").Call("querySelectorAll", items)
	focused, at := app.Window().Get("document").Get("activeElement"), -1
	for i := range list.Length() {
		if list.Index(i).Equal(focused) {
			at = i
		}
	}
	switch key {
	case "Enter", " ":
		return // the button takes it
	case "Escape", "Tab":
		m.Close()
	default:
		if at = m.next(at, key); at >= 0 {
			list.Index(at).Call("focus")
		}
	}
	e.PreventDefault()
}

// next returns the index of the item to which a key leads from the one at an index, which is -1 for none: the neighbour, the first, the
// last, or the next that begins with a letter. It is -1 if the key leads nowhere.
func (m *Menu) next(at int, key string) int {
	var names []string
	for _, g := range m.groups {
		for _, it := range g {
			names = append(names, it.Name)
		}
	}
	n := len(names)
	switch key {
	case "ArrowDown":
		return (at + 1) % n
	case "ArrowUp":
		return (max(at, 0) + n - 1) % n
	case "Home":
		return 0
	case "End":
		return n - 1
	}
	for i := range n {
		j := (at + 1 + i) % n
		if len(key) > 0 && len(names[j]) >= len(key) && strings.EqualFold(names[j][:len(key)], key) {
			return j
		}
	}
	return -1
}
