package workspace

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// Origin remembers whether a dialog or menu was opened from the outline or from the canvas.
type Origin struct {
	// InOutline reports whether the focus is in the outline.
	InOutline func() bool
	// ToOutline moves the focus to the outline, and returns false if the outline is not visible.
	ToOutline func() bool

	outline bool
}

// Keep remembers the place of the focus before something opens. A dialog opened from the outline
// may open another one.
func (o *Origin) Keep() { o.outline = o.outline || o.InOutline != nil && o.InOutline() }

// Forget clears the place that Keep remembered.
func (o *Origin) Forget() { o.outline = false }

// Outline reports whether the place is the outline.
func (o *Origin) Outline() bool { return o.outline }

// Back returns the focus.
func (o *Origin) Back() {
	outline := o.outline
	o.outline = false
	if !outline || !o.ToOutline() {
		kit.Focus("#canvas")
	}
}

// Dialog is the open modal dialog.
type Dialog struct {
	Origin Origin
	name   string
}

// Name returns the name of the open dialog, "" for none.
func (d *Dialog) Name() string { return d.name }

// Open shows a dialog by its name, with the focus in its first field or on its main button.
func (d *Dialog) Open(ctx app.Context, name string) {
	d.name = name
	d.Origin.Keep()
	ctx.Dispatch(func(ctx app.Context) {
		kit.Drawn(ctx, func(app.Context) {
			kit.SyncControls(kit.Focused) // a dialog may be drawn without the page, whose drawing would do it
			kit.SelectDialog()
			kit.Focus("dialog input, dialog .primary")
			if el := kit.Element("dialog"); el.Truthy() {
				el.Set("scrollTop", 0) // a button at the end may have the focus
			}
		})
	})
}

// Close closes the dialog at once, so that the focus can go elsewhere.
func (d *Dialog) Close() {
	d.name = ""
	kit.CloseDialog()
}

// CloseBack closes the dialog and returns the focus.
func (d *Dialog) CloseBack() {
	d.Close()
	d.Origin.Back()
}

// Frame draws the open dialog around a body. The name of the dialog determines its style.
func (d *Dialog) Frame(title string, body ...app.UI) app.UI {
	return kit.El("dialog aria-labelledby=dialog-title class=%", d.name).
		Body(append([]app.UI{kit.El("h2 id=dialog-title").Text(title)}, body...)...)
}

// Buttons is the row of buttons at the end of a dialog.
func Buttons(buttons ...app.UI) app.UI { return kit.El("div.buttons").Body(buttons...) }
