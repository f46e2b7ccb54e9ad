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

// seen is the property of a control with the value that the page knows: the last one that it set, or that an input event reported.
const seen = "formgraphSeen"

// Seen records that the page is handling the input that a control has now.
func Seen(el app.Value) { el.Set(seen, el.Get("value").String()) }

// setValue sets the value of a control unless it has that value. It does not change a focused control in which somebody has typed since the
// last input event that the page has handled: that event is on its way, and would find the typed text gone. If the control has the focus and its whole text is selected, the new text
// is selected too: setting the value drops the selection, so that the next key would append to the text instead of replacing it.
func setValue(el app.Value, value string, focused bool) {
	old := el.Get("value").String()
	if old == value {
		return
	}
	if known := el.Get(seen); focused && known.Type() == app.TypeString && known.String() != old {
		return
	}
	selected := focused && allSelected(el, old)
	el.Set("value", value)
	el.Set(seen, value)
	if selected {
		el.Call("select")
	}
}

// allSelected reports whether a control's whole text, which may be empty, is selected. A control without a selection, such as a select or
// a number input, has no positions.
func allSelected(el app.Value, text string) bool {
	start, end := el.Get("selectionStart"), el.Get("selectionEnd")
	return start.Type() == app.TypeNumber && end.Type() == app.TypeNumber && start.Int() == 0 && end.Int() == UTF16Len(text)
}

// UTF16Len returns the length of a text in UTF-16 units, in which the browser counts.
func UTF16Len(text string) int { return len(utf16.Encode([]rune(text))) }
