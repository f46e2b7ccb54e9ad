package kit

import (
	"time"
	"unicode/utf16"

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

// Seen records that the page is handling the input that a control has now; see boot.js.
func Seen(el app.Value) { el.Set("formgraphSeen", el.Get("value").String()) }

// UTF16Len returns the length of a text in UTF-16 units, in which the browser counts.
func UTF16Len(text string) int { return len(utf16.Encode([]rune(text))) }
