// Package live keeps the stream of events about the form of a page.
//
// A stream that is refused makes the page ask who is signed in and what they may do, since the browser does not say why. Without a session the
// page asks people to sign in; otherwise it would wait for a server that is there.
//
// A proxy may keep a stream back. If one tells nothing at all, the page asks for short ones, which arrive whole, and is not present to others.
package live

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Listener hears what others do to the form. Like all state of a page, it is used only on the page's goroutine.
type Listener struct {
	*workspace.Workspace
	// Heard is called for each event of the form.
	Heard func(app.Context, client.FormEvent)
	// Lost is called when the stream has ended; it may be opened again.
	Lost func(app.Context)
	// Room returns the room that the page is in, "" for none.
	Room func() string
	// Ended is called when the session has ended. Back is called with the person who is signed in when there is a session again.
	Ended func(app.Context)
	Back  func(app.Context, client.User)
	// Barred is called when the person may not read the form any more.
	Barred func(app.Context)
	// Taken is called when the server has refused the stream because the name of the page belongs to another session.
	Taken func(app.Context)

	link   client.Link
	stream *stream   // nil for none
	heard  bool      // the stream has had an event: the server accepted it
	once   string    // see client.Stream: "1" once a stream was kept back
	stops  []func()  // nil until Start
	after  string    // the id of the last event
	failed time.Time // when the stream ended by itself; zero once there is an event again
	timer  int       // the number of the latest timer: only that one counts
}

// Start opens the stream of the form, whose first version the page has. Later calls have no effect.
func (l *Listener) Start(ctx app.Context) {
	if l.stops != nil {
		return
	}
	look := func(app.Value) { ctx.Dispatch(l.look) }
	// A browser may keep the page for its Back button, with its streams, but opens only six connections to a server. Only what runs
	// within the event runs before the page is put away.
	leave := func(app.Value) {
		l.stream.close()
		l.stream = nil
	}
	l.stops = []func(){
		kit.Listen("online", look), kit.Listen("offline", look), kit.Listen("visibilitychange", look), kit.Listen("pageshow", look),
		kit.Listen("pagehide", leave),
	}
	l.look(ctx)
}

// SignedIn opens the stream again after a sign-in.
func (l *Listener) SignedIn(ctx app.Context) {
	l.link.Again()
	l.follow(ctx)
}

// Reopen opens the stream again at once, where it was: the page has another name.
func (l *Listener) Reopen(ctx app.Context) {
	l.stream.close()
	l.stream = nil
	l.SignedIn(ctx)
}

// Close closes the stream.
func (l *Listener) Close() {
	for _, stop := range l.stops {
		stop()
	}
	l.stops = nil
	l.stream.close()
	l.stream = nil
}

// look looks at the state of the page.
func (l *Listener) look(ctx app.Context) {
	l.link.See(kit.Visible(), kit.Online(), time.Now())
	if l.link.Ended() && kit.Visible() && kit.Online() {
		l.ask(ctx) // the person may have signed in on another page, or got a right back
	}
	l.follow(ctx)
}

// ask asks whether there is a session, whether its person may read the form, and whether the page may have its name: the browser does not say why
// a stream was refused.
func (l *Listener) ask(ctx app.Context) {
	name := l.Client.Tab
	l.Async(ctx, func(c context.Context) func(app.Context) {
		user, err := l.Client.User(c)
		shown := err
		if err == nil {
			shown = formapi.Show(c, l.Client, l.ID, schema.NewObject())
		}
		return func(ctx app.Context) {
			switch reason := client.EndOf(shown); {
			case l.stops == nil:
			case l.link.Ended() && err == nil:
				l.Back(ctx, user)
			case !l.link.Ended() && reason != "":
				l.over(ctx, reason)
			case client.CodeOf(shown) == client.CodePageTaken && name == l.Client.Tab:
				l.Taken(ctx)
			}
		}
	})
}

// over records that the server has ended the stream. The server is there, so Away is false.
func (l *Listener) over(ctx app.Context, reason string) {
	l.link.End()
	l.failed = time.Time{}
	l.follow(ctx)
	switch reason {
	case client.EndDeleted:
		l.Heard(ctx, client.FormEvent{Kind: client.Deleted})
	case client.EndRights:
		l.Barred(ctx)
	default:
		l.Ended(ctx)
	}
}

// awayTime is how long the stream may be down before people are told: after the restart of a server or the end of a replica, it is back sooner.
const awayTime = 4 * time.Second

// Away reports whether the server cannot be reached.
func (l *Listener) Away() bool {
	return l.stops != nil && (!kit.Online() || !l.failed.IsZero() && time.Since(l.failed) > awayTime)
}

// follow opens or closes the stream as the link decides.
func (l *Listener) follow(ctx app.Context) {
	if l.stops == nil || l.Over() {
		return
	}
	want, wait := l.link.Next(l.stream != nil, time.Now())
	switch {
	case want && l.stream == nil:
		l.open(ctx)
	case !want && l.stream != nil:
		l.lose(ctx)
	}
	l.timer++
	if n := l.timer; wait > 0 {
		ctx.After(wait, func(ctx app.Context) {
			if n == l.timer {
				l.follow(ctx)
			}
		})
	}
}

// open opens the stream.
func (l *Listener) open(ctx app.Context) {
	l.link.Opened(time.Now())
	l.heard = false
	var s *stream
	to := client.Stream{Form: l.ID, After: l.after, Once: l.once}
	if l.once == "" {
		to.Page, to.Room = l.Client.Tab, l.Room()
	}
	s = openStream(to.Address(), func(kind, id, data string) {
		ctx.Dispatch(func(ctx app.Context) {
			if l.stream == s && s != nil {
				defer l.Rescue(ctx)
				pause.Within(func() { l.take(ctx, kind, id, data) })
			}
		})
	})
	l.stream = s
}

// lose closes the stream.
func (l *Listener) lose(ctx app.Context) {
	l.stream.close()
	l.stream = nil
	l.Lost(ctx)
}

// take handles an event of the stream; kind "" means that it has ended, or with data that it is silent.
func (l *Listener) take(ctx app.Context, kind, id, data string) {
	e, ok := client.ReadEvent(kind, data)
	switch {
	case kind == client.Ended:
		l.lose(ctx)
		l.over(ctx, e.Reason)
	case kind == "":
		switch {
		case data != "" && !l.heard:
			l.once = "1"
		case data != "": // the computer has slept, or the network has changed
		case l.once != "" && l.heard: // it is whole
			l.link.Again()
		case l.failed.IsZero():
			l.failed = time.Now()
			ctx.After(awayTime+time.Second/10, l.Redraw)
		}
		l.lose(ctx)
		l.link.Failed(time.Now(), rand.Float64)
		if !l.heard {
			l.ask(ctx)
		}
		l.follow(ctx)
	case ok:
		l.after, l.failed, l.heard = id, time.Time{}, true
		l.Heard(ctx, e)
	}
}

// stream is an EventSource of the browser.
type stream struct {
	source app.Value
	heard  app.Func
}

// kinds are the events of a stream that a page hears.
const kinds = client.Hello + " " + client.Saved + " " + client.Deleted + " " + client.Settings + " " + client.Notes + " " + client.Comment + " " +
	client.Ended + " " + client.Edit + " " + client.Presence

// openStream opens a stream and calls heard with its events, and with an empty kind at its end, with data if it has told nothing for too long.
func openStream(address string, heard func(kind, id, data string)) *stream {
	f := app.FuncOf(func(_ app.Value, args []app.Value) any {
		heard(args[0].String(), args[1].String(), args[2].String())
		return nil
	})
	return &stream{app.Window().Call("formgraphEvents", address, kinds, f), f}
}

// close closes the stream. It may be nil.
func (s *stream) close() {
	if s != nil {
		s.source.Call("close")
		s.heard.Release()
	}
}
