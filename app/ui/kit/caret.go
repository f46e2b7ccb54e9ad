package kit

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// CaretSoon is like FocusSoon, but places the caret where at returns for the text, and selects nothing. A
// control without a caret, such as a number input, is only focused.
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

// Number of attempts, and the delay between them, to find a control that one of the next frames draws.
const (
	focusTries = 12
	focusPause = 25 * time.Millisecond
)
