package kit

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Modal opens and closes the modal dialog of a page, and restores the focus.
type Modal struct {
	// Back is a selector for the element that receives the focus when the dialog closes, "" for none in particular.
	Back string
}

// Open opens the dialog that the next frame draws. focus is a selector for the element that receives the focus, "" for
// the default of the dialog.
func (m *Modal) Open(ctx app.Context, focus string) {
	ctx.Defer(func(app.Context) {
		SelectDialog()
		if focus != "" {
			Focus(focus)
		}
	})
}

// Close closes the dialog at once and returns the focus to Back, or to the fallback if Back no longer exists.
func (m *Modal) Close(ctx app.Context, fallback string) {
	CloseDialog()
	back := m.Back
	ctx.Defer(func(ctx app.Context) {
		if fallback != "" && (back == "" || !Element(back).Truthy()) {
			back = fallback
		}
		FocusSoon(ctx, back, 0)
	})
}

// Control returns a selector for a control by its act and argument, "" for none.
func Control(act, arg string) string {
	if arg == "" {
		return `[data-act="` + act + `"]`
	}
	return `[data-act="` + act + `"][data-arg="` + arg + `"]`
}

// FocusedControl returns a selector for the focused control, "" if it has no act.
func FocusedControl() string {
	el := app.Window().Get("document").Get("activeElement")
	if !el.Truthy() || !el.Get("dataset").Truthy() {
		return ""
	}
	set := el.Get("dataset")
	if set.Get("act").Type() != app.TypeString {
		return ""
	}
	arg := ""
	if v := set.Get("arg"); v.Type() == app.TypeString {
		arg = v.String()
	}
	return Control(set.Get("act").String(), arg)
}

// Copy copies a text to the clipboard. The browser may refuse. It must not run on the page's goroutine.
func Copy(text string) (err error) {
	defer func() {
		if thrown := Thrown(recover()); thrown != nil {
			err = thrown
		}
	}()
	_, err = Await(app.Window().Get("navigator").Get("clipboard").Call("writeText", text))
	return err
}
