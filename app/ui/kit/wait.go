package kit

import (
	"errors"
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
)

// maxWait is the longest pause by which Wait goes beyond what is asked for.
const maxWait = time.Minute

// Wait is the pause that the tenant, or the server of the editor, asks for when it gets too many requests. The page shows the seconds that are
// left and then continues by itself. The zero Wait is ready to use. Like all state of a page, it is used only on the page's goroutine.
type Wait struct {
	until time.Time
	last  time.Duration // the pause before, if it was not enough
	turn  int           // number of the latest pause
}

// Begin starts a pause if err asks for one, and calls then at its end. Each pause is at least twice as long as the one before, up to a
// minute, or as long as they ask for if that is longer. Any other err, including nil, begins a new series of pauses, and Begin returns false.
func (w *Wait) Begin(ctx app.Context, err error, then func(app.Context)) bool {
	e, ok := errors.AsType[*client.Error](err)
	if !ok || e.Code != client.CodeRateLimited && e.Status != statusTooMany {
		w.Stop()
		return false
	}
	w.turn++
	w.last = max(e.RetryAfter, time.Second, min(2*w.last, maxWait))
	w.until = time.Now().Add(w.last)
	w.tick(ctx, w.turn, then)
	return true
}

const statusTooMany = 429

// tick redraws the page each second: go-app does so after every function that it runs.
func (w *Wait) tick(ctx app.Context, turn int, then func(app.Context)) {
	ctx.After(min(time.Second, max(0, time.Until(w.until))), func(ctx app.Context) {
		switch {
		case w.turn != turn:
		case w.Waiting():
			w.tick(ctx, turn, then)
		default:
			w.until = time.Time{}
			then(ctx)
		}
	})
}

// Stop ends the pause. The call that it delays is not made.
func (w *Wait) Stop() { *w = Wait{turn: w.turn + 1} }

// Waiting reports whether a pause is under way.
func (w *Wait) Waiting() bool { return time.Until(w.until) > 0 }

// Text says what happens after the pause, such as saving, and when.
func (w *Wait) Text(what string) string {
	return fmt.Sprintf("The server asks to wait: %s in %d s", what, (time.Until(w.until)+time.Second-1)/time.Second)
}

// Spoken returns elements with Text. Screen readers announce once that the page waits, not each second.
func (w *Wait) Spoken(what string) []app.UI {
	return []app.UI{
		El("span.unseen role=status aria-live=polite").Text("The server asks to wait. The page then continues by itself."),
		El("span aria-hidden=true").Text(w.Text(what)),
	}
}

// Page draws the pause in place of a page's content.
func (w *Wait) Page(what string) app.UI {
	return El("div.notice").Body(El("span.busy aria-hidden=true"), El("p").Body(w.Spoken(what)...))
}
