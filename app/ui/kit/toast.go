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
	text     string
	undoable bool
	count    int // number of messages so far
}

// Say shows a message, which replaces the previous one.
func (t *Toast) Say(ctx app.Context, text string) { t.show(ctx, text, false) }

// SayUndo is like Say, with a button whose act is "undo-toast".
func (t *Toast) SayUndo(ctx app.Context, text string) { t.show(ctx, text, true) }

func (t *Toast) show(ctx app.Context, text string, undoable bool) {
	t.text, t.undoable = text, undoable
	t.count++
	count := t.count
	ctx.After(toastTime, func(app.Context) {
		if t.count == count {
			t.text = ""
		}
	})
}

// Clear removes the message.
func (t *Toast) Clear() { t.text = "" }

// Text returns the current message, "" for none.
func (t *Toast) Text() string { return t.text }

// Box draws the message. A page always contains the box, because screen readers announce
// changes inside it.
func (t *Toast) Box() app.UI {
	box := El("div.toasts role=status aria-live=polite")
	if t.text == "" {
		return box
	}
	undo := El("span hidden=true")
	if t.undoable {
		undo = El("button.link type=button data-act=undo-toast").Text("Undo")
	}
	return box.Body(El("div.toast").Body(El("span").Text(t.text), undo))
}
