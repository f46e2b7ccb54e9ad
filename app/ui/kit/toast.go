package kit

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// How long a message stays: enough to read two lines, and with a button enough to reach it.
const (
	toastTime  = 6 * time.Second
	buttonTime = 10 * time.Second
)

// Toast is the latest message of a page. It is shown for a while, as long as the mouse or the focus is on it, and announced by screen
// readers. A modal dialog hides it until the dialog closes.
type Toast struct {
	// While reports whether the message or its button still applies; a message that does not is cleared. nil means that it does.
	While func() bool

	text   string
	button []app.UI
	count  int    // number of messages so far
	hidden bool   // a dialog was over the message at the end of its time
	x, y   int    // where the mouse has moved last
	stop   func() // stops following the mouse
}

// Say shows a message, which replaces the previous one.
func (t *Toast) Say(ctx app.Context, text string) {
	t.show(text)
	t.end(ctx, toastTime)
}

// end clears the message after a while.
func (t *Toast) end(ctx app.Context, after time.Duration) {
	count := t.count
	ctx.After(after, func(ctx app.Context) {
		if t.count != count || t.text == "" {
			return
		}
		if more := t.more(Element("dialog[open]").Truthy(), t.held()); more > 0 {
			t.end(ctx, more)
			return
		}
		t.Clear()
	})
}

// more returns how much longer to show a message whose time is up, or 0 to end it. covered reports whether a dialog hides it.
func (t *Toast) more(covered, held bool) time.Duration {
	switch {
	case covered:
		t.hidden = true
		return time.Second
	case t.hidden:
		t.hidden = false
		return toastTime
	case held:
		return time.Second
	}
	return 0
}

// held reports whether the focus or the mouse is on the message. Presses go through it to what is below, so no event tells.
func (t *Toast) held() bool {
	el := Element(".toast")
	if !el.Truthy() {
		return false
	}
	r := el.Call("getBoundingClientRect")
	return el.Call("matches", ":focus-within").Bool() || t.x >= r.Get("left").Int() && t.x < r.Get("right").Int() &&
		t.y >= r.Get("top").Int() && t.y < r.Get("bottom").Int()
}

// SayUndo is like Say, with a button whose act is "undo-toast".
func (t *Toast) SayUndo(ctx app.Context, text string) {
	t.show(text)
	t.end(ctx, buttonTime)
	t.button = []app.UI{toastButton("undo-toast", "Undo")}
}

// SayMore shows a message with a button that shows more. It stays until the person closes it or the next message replaces it: nothing else
// on the page leads there. The act that closes it is CloseToast.
func (t *Toast) SayMore(text, act, name string) {
	t.show(text)
	t.button = []app.UI{toastButton(act, name), toastButton(CloseToast, "Close")}
}

// CloseToast is the act that closes a message of SayMore.
const CloseToast = "close-toast"

func toastButton(act, name string) app.UI {
	return El("button.link type=button data-act=%", act).Text(name)
}

func (t *Toast) show(text string) {
	t.Clear()
	t.text = text
	t.count++
	if app.IsClient {
		t.stop = Listen("pointermove", func(e app.Value) {
			if e.Get("pointerType").String() == "mouse" {
				t.x, t.y = e.Get("clientX").Int(), e.Get("clientY").Int()
			}
		})
	}
}

// Clear removes the message.
func (t *Toast) Clear() {
	if t.text, t.button, t.While, t.hidden = "", nil, nil, false; t.stop != nil {
		t.stop()
		t.stop, t.x, t.y = nil, -1, -1
	}
}

// Text returns the current message, "" for none.
func (t *Toast) Text() string { return t.text }

// Box draws the message. A page always contains the box, because screen readers announce
// changes inside it.
func (t *Toast) Box() app.UI {
	if t.While != nil && !t.While() {
		t.Clear()
	}
	box := El("div.toasts role=status aria-live=polite")
	if t.text == "" {
		return box
	}
	return box.Body(El("div.toast").Body(append([]app.UI{El("span").Text(t.text)}, t.button...)...))
}
