// Package together connects the open form to the people who edit it at the same time. It sends and takes their changes, and draws who is
// here and what differs. What to do is decided by package app/together.
package together

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Saved is the saved form as the page knows it.
type Saved interface {
	ETag() string
	// Refresh reads the saved form again.
	Refresh(app.Context)
	// Took records that the form has changed, but not by an edit of this page.
	Took()
}

// Panel is what a page has of the people who have its form open. Like all state of a page, it is used only on the page's goroutine.
type Panel struct {
	*workspace.Workspace
	Saved Saved // nil until the form is loaded
	// Redrawn draws what others did. It may take several frames.
	Redrawn func(app.Context)
	// Renamed is called when the page has another name: its stream must be opened again.
	Renamed func(app.Context)

	Room    together.Room
	tabs    *tabs // the pages of this browser while the server is away, else nil
	people  crowd
	diff    differences
	told    string // what the page shows to others
	toldAt  time.Time
	asks    bool
	draws   bool // whether the people are drawn soon
	taking  bool // see Taking
	timer   int  // the number of the latest timer: only that one counts
	pointed bool // the place of the mouse is told soon
}

// New returns the panel of a workspace, whose page it gives a name if it has none.
func New(w *workspace.Workspace) *Panel {
	if w.Client.Tab == "" {
		w.Client.Tab = newName()
	}
	p := &Panel{Workspace: w, Room: together.Room{Page: w.Client.Tab}}
	p.people.Workspace = w
	p.diff = differences{Workspace: w, room: p.room}
	p.Room.Own = p.diff.own
	return p
}

// newName returns a name that no other page has. It is no secret: all who have the form open are told of it.
func newName() string { return strconv.FormatUint(rand.Uint64(), 36) } //nolint:gosec // no secret

// Rename gives the page another name, since its own belongs to another session: the page has slept, or its person has signed in again. Nobody
// loses anything by that.
func (p *Panel) Rename(ctx app.Context) {
	connected := p.tabs != nil
	p.closeTabs()
	p.Client.Tab, p.told = newName(), ""
	p.Room.Rename(p.Client.Tab)
	if connected {
		p.tabs = startTabs(ctx, p)
	}
	p.Renamed(ctx)
}

// refused takes another name if a request was refused because of the name that the page had.
func (p *Panel) refused(ctx app.Context, name string, err error) {
	if client.CodeOf(err) == client.CodePageTaken && name == p.Client.Tab {
		p.Rename(ctx)
	}
}

// showPause is the pause between two messages about what a page shows.
const showPause = 250 * time.Millisecond

// Heard handles an event about the form, and reports whether it is about people or their changes.
func (p *Panel) Heard(ctx app.Context, e client.FormEvent) bool {
	switch e.Kind {
	case client.Hello:
		p.closeTabs()
		before := p.people.List()
		p.people.Hello(p.User.Sub, e.Data.List("people"))
		p.people.showMice()
		p.people.mark()
		p.Room.Hello(len(p.people.List()) > 0, e.Data)
		p.told = ""
		p.people.tellOfAsking(ctx, before)
		p.Redraw(ctx)
	case client.Presence:
		if e.Data.Text("page") == p.Client.Tab {
			return true
		}
		before := p.people.List()
		p.people.Presence(p.User.Sub, e.Data)
		p.Room.Others(len(p.people.List()) > 0)
		p.people.tellOfAsking(ctx, before)
		p.people.showMice()
		if !together.SamePlaces(before, p.people.List()) {
			p.people.mark()
		}
		ctx.PreventUpdate()
		if !together.LookAlike(before, p.people.List(), p.State().Selection.Only()) {
			p.drawSoon(ctx)
		}
		return true
	case client.Edit:
		p.Room.Edit(e.Data)
		p.takeHeard(ctx)
		ctx.PreventUpdate()
		p.Redrawn(ctx)
		return true
	}
	return false
}

// takeHeard takes what others did while Taking reports it.
func (p *Panel) takeHeard(ctx app.Context) {
	if p.Saved == nil {
		return
	}
	p.taking = true
	defer func() { p.taking = false }()
	p.takeAll(ctx, &p.Room)
}

// Taking reports whether the panel is applying an edit of somebody else. It then draws the change itself.
func (p *Panel) Taking() bool { return p.taking }

// drawPause is the pause before people who have moved on are drawn, so that the moves of many people cost one drawing of the page.
const drawPause = 200 * time.Millisecond

// drawSoon draws the people after a pause.
func (p *Panel) drawSoon(ctx app.Context) {
	if p.draws {
		return
	}
	p.draws = true
	ctx.After(drawPause, func(ctx app.Context) {
		p.draws = false
		ctx.PreventUpdate()
		p.Redrawn(ctx)
	})
}

// Lost records that the stream of events has ended: nobody knows who is here. The pages of this browser follow each other without the server.
func (p *Panel) Lost(ctx app.Context) {
	p.Room.Unlinked()
	if p.tabs == nil {
		p.tabs = startTabs(ctx, p)
	}
	p.people.Hello(p.User.Sub, nil)
	p.people.showMice()
	p.people.mark()
	p.Redraw(ctx)
}

// Close leaves the other pages of this browser.
func (p *Panel) Close() { p.closeTabs() }

// Outside makes a change of the form that does not come from this page. who made it is the subject of a sentence, "" for the tenant.
func (p *Panel) Outside(who string, change func()) { p.diff.outside(who, change) }

func (p *Panel) closeTabs() {
	p.tabs.stop()
	p.tabs = nil
}

// state returns the page as Room sees it.
func (p *Panel) state() together.State {
	return together.State{
		Saved: p.Editor.Base(), Local: p.Editor.State().Form, ETag: p.Saved.ETag(), Unsaved: p.Editor.Unsaved(), Now: time.Now(),
	}
}

// Follow takes what others did, tells them what the page did, and shows them what its person looks at. Call it after every change.
func (p *Panel) Follow(ctx app.Context) {
	if p.Editor == nil || p.Saved == nil || p.Over() {
		return
	}
	p.Room.Edits = !p.Editor.ReadOnly()
	p.takeAll(ctx, &p.Room)
	waits := []time.Duration{0, p.tabs.follow(ctx)}
	pause.Now()
	p.diff.follow()
	pause.Now()
	if f := p.Editor.State().Form; p.Editor.ReadOnly() && p.Room.ID() == "" && f != p.Editor.Base() {
		p.Editor.TakeOthers(f, p.Editor.Base(), p.Editor.Base(), nil) // what others did not save, and took along
	}
	var q together.Request
	if q, waits[0] = p.Room.Next(p.state()); q.Want != together.Nothing {
		p.ask(ctx, q)
	}
	if p.Room.Wanted() {
		p.Saved.Refresh(ctx)
	}
	p.later(ctx, append(waits, p.show(ctx)))
}

// later calls Follow after the shortest of some times. A time of 0 means never.
func (p *Panel) later(ctx app.Context, waits []time.Duration) {
	wait := time.Duration(0)
	for _, w := range waits {
		if w > 0 && (wait == 0 || w < wait) {
			wait = w
		}
	}
	p.timer++
	if n := p.timer; wait > 0 {
		ctx.After(wait, func(ctx app.Context) {
			ctx.PreventUpdate()
			if forks := p.diff.forks; n == p.timer {
				if p.Follow(ctx); !slices.EqualFunc(forks, p.diff.forks, merge.Conflict.Same) {
					p.Redraw(ctx)
				}
			}
		})
	}
}

// ask makes a request.
func (p *Panel) ask(ctx app.Context, q together.Request) {
	name := p.Client.Tab
	p.Async(ctx, func(c context.Context) func(app.Context) {
		part, err := formapi.Share(c, p.Client, p.ID, q)
		return func(ctx app.Context) {
			status := kit.StatusOf(err)
			if status == 412 { // the form was saved meanwhile
				p.Saved.Refresh(ctx)
			}
			if err != nil {
				p.refused(ctx, name, err)
				p.Room.Failed(time.Now(), status == 400 || status == 413)
			} else if step, ok := p.Room.Done(q, part, p.state()); ok {
				p.take(ctx, step)
			}
			p.Follow(ctx)
		}
	})
}

// room returns the room that counts now: that of the server, or of this browser while the server is away.
func (p *Panel) room() *together.Room {
	if p.tabs != nil && p.tabs.room.ID() != "" {
		return &p.tabs.room
	}
	return &p.Room
}

// takeAll takes the entries of others that are here, unless the person is in the middle of a gesture.
func (p *Panel) takeAll(ctx app.Context, r *together.Room) {
	for p.Canvas == nil || !p.Canvas.Busy() {
		step, ok := r.TakeNext(p.state())
		if !ok {
			break
		}
		p.take(ctx, step)
	}
}

// take makes a step of others visible. What the person types stays in its control unless somebody else has changed just that.
func (p *Panel) take(ctx app.Context, step live.Step) {
	same := schema.Equal(step.Before.Tree(), step.After.Tree()) && schema.Equal(step.Local.Tree(), p.Editor.State().Form.Tree())
	if step.Own || same {
		return
	}
	pause.Now()
	p.diff.sync()
	was, _ := p.typed()
	pause.Now()
	p.Editor.TakeOthers(step.Before, step.After, step.Local, step.Forks)
	pause.Now()
	p.Saved.Took()
	if is, ok := p.typed(); ok && !schema.Equal(was, is) {
		p.Typing = ""
	}
	p.diff.take(ctx, step)
}

// typed returns the value that the person is editing.
func (p *Panel) typed() (any, bool) {
	if p.Typing == "" {
		return nil, false
	}
	path, err := schema.ParsePath(p.Typing)
	if err != nil {
		return nil, false
	}
	v, _ := schema.Lookup(p.Editor.State().Form.Tree(), path)
	return v, true
}

// show tells others what the person looks at, if it is something else than before. It returns after which time to call it again.
func (p *Panel) show(ctx app.Context) time.Duration {
	if len(p.people.List()) == 0 {
		return 0
	}
	s := p.Editor.State()
	shows := together.Shows{Node: s.Selection.Only(), Component: s.Selection.Component, Asks: p.asks, Forks: p.diff.forks}
	if p.Canvas != nil {
		if at, ok := p.Canvas.PointerAt(); ok {
			shows.At = &at
		}
	}
	if path, err := schema.ParsePath(p.Typing); err == nil && p.Typing != "" {
		shows.Field = together.FieldKey(s.Form, path)
	}
	tree := shows.Tree(s.Form)
	text := string(schema.Encode(tree))
	now := time.Now()
	switch rest := p.toldAt.Add(showPause).Sub(now); {
	case text == p.told:
		return 0
	case rest > 0:
		return rest
	}
	p.told, p.toldAt = text, now
	name := p.Client.Tab
	p.Async(ctx, func(c context.Context) func(app.Context) {
		err := formapi.Show(c, p.Client, p.ID, tree)
		return func(ctx app.Context) {
			ctx.PreventUpdate()
			if err != nil && p.told == text {
				p.told = "" // it is sent again with the next change
			}
			p.refused(ctx, name, err)
		}
	})
	return 0
}

// Act handles a control, and reports whether it is one.
func (p *Panel) Act(ctx app.Context, name, arg string) bool {
	switch name {
	case GoAct:
		p.people.Go(arg)
	case AskAct:
		p.asks = true
		p.Say(ctx, "Request sent. Everybody here who may edit sees it.")
	default:
		return p.diff.Act(ctx, name, arg)
	}
	return true
}

// Pointed tells others where the mouse is, soon.
func (p *Panel) Pointed(ctx app.Context) {
	if p.pointed || len(p.people.List()) == 0 || p.Saved == nil {
		return
	}
	p.pointed = true
	ctx.After(showPause, func(ctx app.Context) {
		ctx.PreventUpdate()
		p.pointed = false
		if rest := p.show(ctx); rest > 0 {
			p.Pointed(ctx)
		}
	})
}
