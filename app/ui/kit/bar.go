package kit

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/face"
)

// Header is the bar above pages other than the editor, and what opens from it: the menu of the account, and the list of the page's keys. Like all
// state of a page, it is used only on the page's goroutine.
type Header struct {
	// Here is the name of the page, "" for the list of forms, to which the others lead.
	Here string
	// Keys are the keys of the page, beside those of every page.
	Keys [][2]string
	// Menu is the menu that is open: that of the account, or another one of the page.
	Menu Menu

	keys bool // the list of keys is open
}

// The acts of the header, beside ThemeAct.
const (
	themeAct     = "theme"
	keysAct      = "keys"
	closeKeysAct = "close-keys"
)

// everywhere are the keys of every page.
var everywhere = [...][2]string{{"Escape", "Close what is open"}, {"?", "Show this list"}}

// Draw draws the bar. The page draws Below last.
func (h *Header) Draw(u client.User) app.UI {
	var end app.UI = IconButton(themeAct, "Switch between light and dark", "theme", true) // nobody is signed in
	if u.Sub != "" {
		end = AccountButton(u, face.Hue(u.Sub), h.Menu.Of() == AccountMenu)
	}
	return Tree("header.bar { * "+
		"span.crumb hidden=% { a.crumb-up href=/forms { % } span.crumb-slash aria-hidden=true { % } span.crumb-here { % } } span.push * }",
		[]string{Yes(h.Here == ""), "Forms", "/", h.Here}, Home(), end)
}

// Home draws the name of the product at the start of the bar of a page. It leads to the list of forms.
func Home() app.UI {
	return Tree("a.home href=/forms title=% { * span.brand { % } }", []string{"All forms", "Formgraph"}, Mark())
}

// Below draws what is open.
func (h *Header) Below() app.UI {
	list := El("div hidden=true")
	if h.keys {
		groups, _ := KeyList([]KeyGroup{{"", append(append([][2]string(nil), h.Keys...), everywhere[:]...)}}, "")
		list = Tree("dialog.keys-here aria-labelledby=dialog-title { h2 id=dialog-title { % } * div.buttons { * } }", []string{"Keyboard shortcuts"},
			groups, TextButton(closeKeysAct, "Close", "primary"))
	}
	return El("div").Body(h.Menu.Draw(), list)
}

// Press handles a press on a control of the page. ok reports whether an act is left for the page. A press on a line of the menu closes the menu.
func (h *Header) Press(ctx app.Context, e app.Event, u client.User) (name, arg string, ok bool) {
	name, arg, ok = Act(e)
	switch {
	case !ok:
	case name == OpenMenu && h.Menu.Of() == arg:
		h.Menu.CloseBack()
		return "", "", false
	case name == OpenMenu && arg == AccountMenu:
		h.Menu.OpenAt(ctx, arg, "Account", h.items(u), Near(e, "[data-act]"))
		return "", "", false
	case name != OpenMenu:
		h.Menu.CloseBack()
		ok = !h.Do(ctx, name, arg)
	}
	return name, arg, ok
}

// items returns the lines of the menu of the account.
func (h *Header) items(u client.User) []Item {
	return AccountItems(u, Remote(), Item{}, Item{Act: keysAct, Name: "Keyboard shortcuts", Icon: "help", Note: "?"})
}

// Commands returns the lines that all pages have in the list of commands.
func (h *Header) Commands(u client.User) []Item {
	items := []Item{
		{Act: themeAct, Name: "Switch between light and dark", Icon: "theme"},
		{Act: keysAct, Name: "Keyboard shortcuts", Icon: "help", Note: "?"},
	}
	return append(items, destinations(u, Remote())...)
}

// Do carries out an act that is the same on all pages, and reports whether it is one.
func (h *Header) Do(ctx app.Context, name, arg string) bool {
	switch name {
	case themeAct:
		SwitchTheme()
	case ThemeAct:
		SetTheme(arg)
	case keysAct:
		h.keys = true
		ctx.Dispatch(func(ctx app.Context) { ctx.Defer(func(app.Context) { SelectDialog() }) })
	case closeKeysAct:
		h.keys = false
		CloseDialog() // the browser returns the focus
	default:
		return false
	}
	return true
}

// Key handles a key while something is open, and reports whether something is.
func (h *Header) Key(e app.Event, key string) bool {
	switch {
	case h.Menu.Of() != "":
		h.Menu.Key(e, key)
	case h.keys && key == "Escape":
		e.PreventDefault()
		h.keys = false
		CloseDialog()
	case !h.keys:
		return false
	}
	return true
}

// Listed reports whether the list of keys is open.
func (h *Header) Listed() bool { return h.keys }

// Listen closes the menu on a press outside of it, and opens the list of keys with its key. busy reports whether the page shows a dialog.
func (h *Header) Listen(ctx app.Context, busy func() bool) (stop func()) {
	leave := h.Menu.Listen(ctx)
	keys := Listen("keydown", func(e app.Value) {
		control := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool()
		if !h.OpensKeys(e.Get("key").String(), control, Typing(Target(e)) || busy()) {
			return
		}
		e.Call("preventDefault")
		ctx.Dispatch(func(ctx app.Context) {
			h.Menu.Close()
			h.Do(ctx, keysAct, "")
		})
	})
	return func() { leave(); keys() }
}

// OpensKeys reports whether a key opens the list of keys. control reports whether Control, Command or Alt is held, and busy whether the key is
// for something else.
func (h *Header) OpensKeys(key string, control, busy bool) bool {
	return key == "?" && !control && !busy && !h.keys
}

// FaceOf draws the initials of a person with a subject in the color that the person has everywhere.
func FaceOf(sub, name string) app.HTMLElem {
	return faceIn(face.Hue(sub), name)
}

func faceIn(hue int, name string) app.HTMLElem {
	return El("span.avatar.person aria-hidden=true data-initials=% data-hue=%", face.Initials(name), strconv.Itoa(hue))
}
