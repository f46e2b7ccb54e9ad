package kit

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Item is a line of a Menu. The zero Item is a line between two groups, and one without an act and an address is a heading.
type Item struct {
	Act, Arg   string // the act of the line, and its argument
	Name, Icon string
	Note       string // at the end of the line: a key, or a state
	Address    string // of a link, instead of an act
	Disabled   bool
	Danger     bool
	// Row is the name of the choice that the line belongs to, "" for none. The lines of one choice are side by side.
	Row    string
	Chosen bool // among the lines of a Row

	_ [0]func() // items are not compared
}

// Menu is a menu that a page opens at one of its buttons: of several menus, one is open at a time. The page draws it last, and
// passes it the keys. The zero Menu is closed. Like all state of a page, it is used only on the page's goroutine.
type Menu struct {
	of    string // which menu it is, "" while none is open
	title string
	items []Item
	style string
	back  app.Value // has the focus after the menu closes
}

// OpenMenu is the act of a button that opens a menu; its argument says which.
const OpenMenu = "open-menu"

// menuID is the id of the menu's element, and menuWidth its width in pixels. itemHeight, lineHeight and rowHeight are the heights of its lines
// in the style sheet.
const (
	menuID     = "popup"
	menuWidth  = 248
	itemHeight = 32
	lineHeight = 9
	rowHeight  = 60
)

// MenuButton is a button that opens a menu.
func MenuButton(class, menu, name string, open bool, content app.UI) app.HTMLElem {
	return Tree("button type=button class=% data-act=% data-arg=% aria-haspopup=menu aria-expanded=% aria-label=% title=% { * }",
		[]string{class, OpenMenu, menu, Yes(open), name, name}, content)
}

// Of returns which menu is open, "" for none.
func (m *Menu) Of() string { return m.of }

// OpenAt opens a menu below a button. It moves the focus into the menu, which returns it to the button.
func (m *Menu) OpenAt(ctx app.Context, of, title string, items []Item, button app.Value) {
	box := button.Call("getBoundingClientRect")
	style := menuStyle(items, box.Get("right").Float()-menuWidth, box.Get("bottom").Float()+4)
	*m = Menu{of: of, title: title, items: items, back: button, style: style}
	ctx.Dispatch(func(ctx app.Context) { ctx.Defer(func(app.Context) { Focus(menuItems) }) })
}

// menuStyle is the place of a menu whose corner would be at a point: it stays in the window.
func menuStyle(items []Item, x, y float64) string {
	height, row := 10, ""
	for i := range items {
		it := &items[i]
		switch {
		case it.Name == "":
			height += lineHeight
		case it.Row == "":
			height += itemHeight
		case it.Row != row:
			height += rowHeight
		}
		row = it.Row
	}
	return fmt.Sprintf("left:max(8px,min(%.0fpx,100vw - %dpx));top:max(8px,min(%.0fpx,100vh - %dpx))", x, menuWidth+8, y, height+8)
}

// Close closes the menu without moving the focus.
func (m *Menu) Close() { *m = Menu{} }

// CloseBack closes the menu and returns the focus.
func (m *Menu) CloseBack() {
	back := m.back
	m.Close()
	if back != nil && back.Truthy() && back.Get("isConnected").Truthy() {
		back.Call("focus")
	}
}

// Outside reports whether a press is meant to close the menu: it is outside of it, and not on the button that opened it.
func (m *Menu) Outside(target app.Value) bool {
	return m.of != "" && !target.Call("closest", "#"+menuID+",[data-act="+OpenMenu+"][aria-expanded=true]").Truthy()
}

// Within reports whether an element is in a menu.
func (m *Menu) Within(target app.Value) bool { return target.Call("closest", "#"+menuID).Truthy() }

// menuItems selects the lines that can be chosen.
const menuItems = "#" + menuID + " .menu-item:not(:disabled)"

// Key handles a key while the menu is open.
func (m *Menu) Key(e app.Event, key string) {
	list := app.Window().Get("document").Call("querySelectorAll", menuItems)
	names := make([]string, list.Length())
	at := -1
	active := app.Window().Get("document").Get("activeElement")
	for i := range names {
		names[i] = list.Index(i).Get("textContent").String()
		if list.Index(i).Equal(active) {
			at = i
		}
	}
	switch to := step(names, at, key); {
	case key == "Escape", key == "Tab":
		e.PreventDefault()
		m.CloseBack()
	case to >= 0:
		e.PreventDefault()
		list.Index(to).Call("focus")
	}
}

// step returns the line to which a key leads from another one, -1 for none. A letter again and again goes through the names that begin with it.
func step(names []string, at int, key string) int {
	n := len(names)
	if n == 0 {
		return -1
	}
	switch key {
	case "ArrowDown", "ArrowRight":
		return (at + 1) % n
	case "ArrowUp", "ArrowLeft":
		return (max(at, 0) + n - 1) % n
	case "Home":
		return 0
	case "End":
		return n - 1
	}
	if len([]rune(key)) != 1 || key == " " {
		return -1
	}
	for i := range n {
		j := (max(at, 0) + 1 + i) % n
		if strings.HasPrefix(strings.ToLower(names[j]), strings.ToLower(key)) {
			return j
		}
	}
	return -1
}

// Draw draws the menu.
func (m *Menu) Draw() app.UI {
	if m.of == "" {
		return El("div hidden=true")
	}
	var body []app.UI
	for i := 0; i < len(m.items); i++ {
		it := &m.items[i]
		switch {
		case it.Row != "":
			var row []app.UI
			first := i
			for ; i < len(m.items) && m.items[i].Row == it.Row; i++ {
				row = append(row, m.items[i].draw("menuitemradio").Aria("checked", Yes(m.items[i].Chosen)))
			}
			i--
			of := m.items[first].Row
			body = append(body, Tree("div.menu-row role=group aria-label=% { span aria-hidden=true { % } * }", []string{of, of}, El("div.seg").Body(row...)))
		case it.Name == "":
			body = append(body, El("hr"))
		case it.Act == "" && it.Address == "":
			body = append(body, Tree("div.menu-head role=presentation { b { % } small { % } }", []string{it.Name, it.Note}))
		default:
			body = append(body, it.draw("menuitem"))
		}
	}
	return El("div.menu.popup role=menu id=% aria-label=% style=%", menuID, m.title, m.style).Body(body...)
}

func (it *Item) draw(role string) app.HTMLElem {
	const content = " { @% span { % } span.note-of aria-hidden=true data-note=% }" // the style sheet draws the note, which is not part of the name
	if it.Address != "" {
		return Tree("a.menu-item tabindex=-1 role=% href=%"+content, []string{role, it.Address, it.Icon, it.Name, it.Note})
	}
	class := ""
	if it.Danger {
		class = "danger-item"
	}
	return Tree("button.menu-item type=button tabindex=-1 role=% class=% data-act=% data-arg=% disabled=%"+content,
		[]string{role, class, it.Act, it.Arg, Yes(it.Disabled), it.Icon, it.Name, it.Note})
}
