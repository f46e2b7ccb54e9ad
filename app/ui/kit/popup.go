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
}

// Menu is a menu that a page opens at one of its buttons or at the pointer: of several menus, one is open at a time. The page draws it last, and
// passes it the keys. The zero Menu is closed. Like all state of a page, it is used only on the page's goroutine.
type Menu struct {
	of    string // which menu it is, "" while none is open
	title string
	items []Item
	style string
	back  app.Value // has the focus after the menu closes
	typed string    // the letters of a name
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
	return El("button type=button class=% data-act=% data-arg=% aria-haspopup=menu aria-expanded=% aria-label=% title=%", class, OpenMenu, menu, Yes(open),
		name, name).Body(content)
}

// Of returns which menu is open, "" for none.
func (m *Menu) Of() string { return m.of }

// OpenAt opens a menu below a button, and OpenFor at a point of the window. Both move the focus into it, and return it to the button or to the
// element that has it now.
func (m *Menu) OpenAt(ctx app.Context, of, title string, items []Item, button app.Value) {
	box := button.Call("getBoundingClientRect")
	m.open(ctx, of, title, items, button, box.Get("right").Float()-menuWidth, box.Get("bottom").Float()+4)
}

// OpenFor opens a menu at a point of the window, in pixels. See OpenAt.
func (m *Menu) OpenFor(ctx app.Context, of, title string, items []Item, x, y float64) {
	m.open(ctx, of, title, items, app.Window().Get("document").Get("activeElement"), x, y)
}

func (m *Menu) open(ctx app.Context, of, title string, items []Item, back app.Value, x, y float64) {
	*m = Menu{of: of, title: title, items: items, back: back, style: menuStyle(items, x, y)}
	ctx.Dispatch(func(ctx app.Context) { ctx.Defer(func(app.Context) { Focus(menuItems) }) })
}

// menuStyle is the place of a menu whose corner would be at a point: it stays in the window.
func menuStyle(items []Item, x, y float64) string {
	height, row := 10, ""
	for i := range items {
		switch it := &items[i]; {
		case it.Name == "":
			height += lineHeight
		case it.Row == "":
			height += itemHeight
		case it.Row != row:
			height += rowHeight
		}
		row = items[i].Row
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
	switch to := m.step(names, at, key); {
	case key == "Escape", key == "Tab":
		e.PreventDefault()
		m.CloseBack()
	case to >= 0:
		e.PreventDefault()
		list.Index(to).Call("focus")
	}
}

// step returns the line to which a key leads from another one, -1 for none. Letters that follow each other spell a name, and one letter
// again and again goes through the names that begin with it.
func (m *Menu) step(names []string, at int, key string) int {
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
	key = strings.ToLower(key)
	m.typed += key
	for _, typed := range []string{m.typed, key} {
		for i := range n {
			j := (max(at, 0) + i) % n
			if (len(typed) > 1 || j != at) && strings.HasPrefix(strings.ToLower(names[j]), typed) {
				m.typed = typed
				return j
			}
		}
	}
	m.typed = ""
	return -1
}

// Draw draws the menu.
func (m *Menu) Draw() app.UI {
	if m.of == "" {
		return El("div hidden=true")
	}
	var body []app.UI
	for i := 0; i < len(m.items); i++ {
		it := m.items[i]
		switch {
		case it.Name == "":
			body = append(body, El("hr"))
		case it.Row != "":
			var row []app.UI
			for ; i < len(m.items) && m.items[i].Row == it.Row; i++ {
				row = append(row, m.items[i].draw("menuitemradio").Aria("checked", Yes(m.items[i].Chosen)))
			}
			i--
			body = append(body, El("div.menu-row role=group aria-label=%", it.Row).Body(El("span aria-hidden=true").Text(it.Row), El("div.seg").Body(row...)))
		case it.Act == "" && it.Address == "":
			body = append(body, El("div.menu-head role=presentation").Body(El("b").Text(it.Name), El("small").Text(it.Note)))
		default:
			body = append(body, it.draw("menuitem"))
		}
	}
	return El("div.menu.popup role=menu id=% aria-label=% style=%", menuID, m.title, m.style).Body(body...)
}

func (it Item) draw(role string) app.HTMLElem {
	class := ""
	if it.Danger {
		class = "danger-item"
	}
	body := []app.UI{El("span").Text(it.Name)}
	if it.Icon != "" {
		body = append([]app.UI{Icon(it.Icon)}, body...)
	}
	if it.Note != "" {
		// The style sheet draws it, so that it is not part of the name.
		body = append(body, El("span.note-of aria-hidden=true data-note=%", it.Note))
	}
	if it.Address != "" {
		return El("a.menu-item tabindex=-1 role=% href=%", role, it.Address).Body(body...)
	}
	return El("button.menu-item type=button tabindex=-1 role=% class=% data-act=% data-arg=% disabled=%", role, class, it.Act, it.Arg, Yes(it.Disabled)).
		Body(body...)
}
