package kit

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// toastTime is how long a message stays: enough to read two lines.
const toastTime = 6 * time.Second

// Toast is the latest message of a page. It is shown for a while and announced by screen
// readers.
type Toast struct {
	text   string
	button []app.UI
	count  int // number of messages so far
}

// Say shows a message, which replaces the previous one.
func (t *Toast) Say(ctx app.Context, text string) {
	t.show(text)
	count := t.count
	ctx.After(toastTime, func(app.Context) {
		if t.count == count {
			t.Clear()
		}
	})
}

// SayUndo is like Say, with a button whose act is "undo-toast".
func (t *Toast) SayUndo(ctx app.Context, text string) {
	t.Say(ctx, text)
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
	t.text, t.button = text, nil
	t.count++
}

// Clear removes the message.
func (t *Toast) Clear() { t.text, t.button = "", nil }

// Text returns the current message, "" for none.
func (t *Toast) Text() string { return t.text }

// Box draws the message. A page always contains the box, because screen readers announce
// changes inside it.
func (t *Toast) Box() app.UI {
	box := El("div.toasts role=status aria-live=polite")
	if t.text == "" {
		return box
	}
	return box.Body(El("div.toast").Body(append([]app.UI{El("span").Text(t.text)}, t.button...)...))
}
