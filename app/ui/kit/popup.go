package kit

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Item is a line of a Menu. The zero Item is a line between two groups, and one without an act and an address is a heading.
type Item struct {
	Act, Arg   string // the act of the line, and its argument
	Name, Icon string
	Says       string // accessible name, "" for Name
	Note       string // at the end of the line: a key, or a state
	Hint       string // a second line, "" for none
	Address    string // of a link, instead of an act
	Face, Hue  string // the initials and the color of a person, instead of an icon
	Disabled   bool
	Danger     bool
	// Row is the name of the choice that the line belongs to, "" for none. The lines of one choice are side by side.
	Row    string
	Chosen bool // among the lines of a Row

	_ [0]func() // items are not compared
}

// Menu is a menu that a page opens at one of its buttons, or at a point of the window: of several menus, one is open at a time. The page draws
// it last, passes it the keys, and calls CloseBack for a press within it. The zero Menu is closed. Like all state of a page, it is used only on
// the page's goroutine.
type Menu struct {
	of    string // which menu it is, "" while none is open
	title string
	items []Item
	style string
	back  func() // returns the focus
}

// OpenMenu is the act of a button that opens a menu; its argument says which.
const OpenMenu = "open-menu"

// menuID is the id of the menu's element. The widths are in pixels: the menu of a point is wider, since its lines have keys and second lines.
// menuGap is the distance to its button, and menuMargin the least one to the edge of the window.
const (
	menuID      = "popup"
	buttonWidth = 248
	pointWidth  = 340
	menuGap     = 8
	menuMargin  = 8
)

// MenuButton is a button that opens a menu.
func MenuButton(class, menu, name string, open bool, content ...app.UI) app.HTMLElem {
	return El("button type=button class=% data-act=% data-arg=% aria-haspopup=menu aria-expanded=% aria-label=% title=%",
		class, OpenMenu, menu, Yes(open), name, name).Body(content...)
}

// Of returns which menu is open, "" for none.
func (m *Menu) Of() string { return m.of }

// OpenAt opens a menu below a button. It moves the focus into the menu, which returns it to the button.
func (m *Menu) OpenAt(ctx app.Context, of, title string, items []Item, button app.Value) {
	box := button.Call("getBoundingClientRect")
	m.open(ctx, of, title, items, menuStyle(box.Get("right").Float()-buttonWidth, box.Get("bottom").Float()+menuGap, buttonWidth), BackTo(button))
}

// Open opens a menu with its upper left corner at a point of the window, or where it fits. It moves the focus into the menu; back returns it.
// Without items, no menu opens.
func (m *Menu) Open(ctx app.Context, of, title string, items []Item, x, y float64, back func()) {
	if len(items) > 0 {
		m.open(ctx, of, title, items, menuStyle(x, y, pointWidth), back)
	}
}

// Replace shows other items in the place of the open menu.
func (m *Menu) Replace(ctx app.Context, of, title string, items []Item) {
	m.open(ctx, of, title, items, m.style, m.back)
}

func (m *Menu) open(ctx app.Context, of, title string, items []Item, style string, back func()) {
	*m = Menu{of: of, title: title, items: items, back: back, style: style}
	ctx.Dispatch(func(ctx app.Context) {
		ctx.Defer(func(app.Context) {
			raise(Element("#" + menuID))
			Focus(menuItems)
		})
	})
}

// raise moves a menu up that would end below the window.
func raise(menu app.Value) {
	if !menu.Truthy() {
		return
	}
	_, height := app.Window().Size()
	if box := menu.Call("getBoundingClientRect"); box.Get("bottom").Float() > float64(height-menuMargin) {
		top := max(menuMargin, height-menuMargin-int(math.Ceil(box.Get("height").Float())))
		menu.Get("style").Set("top", strconv.Itoa(top)+"px")
	}
}

// BackTo returns a function that moves the focus to an element if it is still on the page.
func BackTo(el app.Value) func() {
	return func() {
		if el.Truthy() && el.Get("isConnected").Truthy() {
			el.Call("focus")
		}
	}
}

// menuStyle is the place of a menu whose upper left corner is at a point, unless the window is too narrow.
func menuStyle(x, y float64, width int) string {
	return fmt.Sprintf("--x:%dpx;--y:%dpx;--w:%dpx", int(x), int(y), width)
}

func (it *Item) heading() bool { return it.Act == "" && it.Address == "" }

// Close closes the menu without moving the focus.
func (m *Menu) Close() { *m = Menu{} }

// CloseBack closes the menu and returns the focus.
func (m *Menu) CloseBack() {
	back := m.back
	m.Close()
	if back != nil {
		back()
	}
}

// Listen closes the menu on a press outside of it, except on the button that opened it, and when the window changes its size.
func (m *Menu) Listen(ctx app.Context) (stop func()) {
	leave := func(e app.Value) {
		if m.of == "" {
			return
		}
		if !Near(e, "#"+menuID+",[data-act="+OpenMenu+"][aria-expanded=true]").Truthy() {
			ctx.Dispatch(func(app.Context) { m.Close() })
		}
	}
	press, size := Listen("pointerdown", leave), Listen("resize", leave)
	return func() { press(); size() }
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
		j := (at + 1 + i) % n
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
		case it.heading():
			body = append(body, Tree("div.menu-head role=presentation { b { % } small { % } }", []string{it.Name, it.Note}))
		default:
			body = append(body, it.draw("menuitem"))
		}
	}
	return El("div.menu.popup role=menu id=% aria-label=% style=%", menuID, m.title, m.style).Body(body...)
}

func (it *Item) draw(role string) app.HTMLElem {
	const content = " aria-label=% aria-description=% { * span { % small { % } } span.note-of aria-hidden=true data-note=% }" // the style sheet draws the note
	texts := []string{cmp.Or(it.Says, it.Name), it.Hint, it.Name, it.Hint, it.Note}
	sign := Icon(it.Icon)
	if it.Face != "" {
		sign = El("span.avatar.person aria-hidden=true data-initials=% data-hue=%", it.Face, it.Hue)
	}
	if it.Address != "" {
		return Tree("a.menu-item tabindex=-1 role=% href=%"+content, append([]string{role, it.Address}, texts...), sign)
	}
	class := ""
	if it.Danger {
		class = "danger-item"
	}
	if it.Hint != "" {
		class += " two"
	}
	return Tree("button.menu-item type=button tabindex=-1 role=% class=% data-act=% data-arg=% disabled=%"+content,
		append([]string{role, class, it.Act, it.Arg, Yes(it.Disabled)}, texts...), sign)
}
