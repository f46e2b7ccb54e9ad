package kit

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// CaretSoon is FocusSoon that puts the caret where at says of the text, and selects nothing. A control without a
// caret, as that of a number, is focused only.
func CaretSoon(ctx app.Context, selector string, at func(value string) int, tries int) {
	el := app.Window().Get("document").Call("querySelector", selector)
	if !el.Truthy() {
		if tries < focusTries {
			ctx.After(focusPause, func(ctx app.Context) { CaretSoon(ctx, selector, at, tries+1) })
		}
		return
	}
	el.Call("focus")
	if el.Get("selectionStart").Type() == app.TypeNumber {
		i := at(el.Get("value").String())
		el.Call("setSelectionRange", i, i)
	}
}

// How often, and how long apart, a control is looked for that the next frames draw.
const (
	focusTries = 12
	focusPause = 25 * time.Millisecond
)
