package together

import (
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// tabs connects the pages of a form in one browser with each other while the server is away. One of them, which holds a lock of the browser, keeps
// their shared form.
type tabs struct {
	panel   *Panel
	room    together.Room
	channel app.Value
	heard   app.Func
	here    map[string]bool   // the other pages, by name
	keeper  *together.Local   // nil while another page keeps the form
	release app.Value         // ends the lock, or the wait for it
	asked   *together.Request // without an answer
	serial  int               // of the last request
	stopped func()
}

// Kinds of messages between the pages of a browser.
const (
	tabHere   = "here"   // a page is there
	tabLeft   = "left"   // it leaves
	tabAsk    = "ask"    // a request to the page that keeps the form
	tabAnswer = "answer" // its answer
	tabEdit   = "edit"   // an event about the form
)

// askPatience is how long a page waits for an answer: the page that keeps the form may have been closed.
const askPatience = time.Second

// startTabs looks for the other pages of the form in this browser. It returns nil if the browser cannot connect them.
func startTabs(ctx app.Context, p *Panel) *tabs {
	channels, locks := app.Window().Get("BroadcastChannel"), app.Window().Get("navigator").Get("locks")
	if !channels.Truthy() || !locks.Truthy() {
		return nil
	}
	name := "formgraph-form-" + p.ID
	t := &tabs{panel: p, room: together.Room{Page: p.Client.Tab, Own: p.diff.own}, here: map[string]bool{}, channel: channels.New(name)}
	t.heard = app.FuncOf(func(_ app.Value, args []app.Value) any {
		text := args[0].Get("data").String()
		ctx.Dispatch(func(ctx app.Context) {
			if v, ps := schema.DecodeGrown([]byte(text)); len(ps) == 0 && p.tabs == t {
				o, _ := v.(*schema.Object)
				defer p.Rescue(ctx)
				t.take(ctx, o)
			}
		})
		return nil
	})
	t.channel.Set("onmessage", t.heard)
	stop := app.Window().Get("AbortController").New()
	t.release = stop
	var held, then app.Func
	held = app.FuncOf(func(app.Value, []app.Value) any {
		ctx.Dispatch(func(ctx app.Context) {
			if p.tabs == t {
				t.keeper = &together.Local{Page: p.Client.Tab}
				t.post(tabHere, nil)
				p.Redraw(ctx)
			}
		})
		wait := app.FuncOf(func(_ app.Value, args []app.Value) any { t.release = args[0]; return nil })
		promise := app.Window().Get("Promise").New(wait)
		wait.Release()
		return promise
	})
	then = app.FuncOf(func(app.Value, []app.Value) any { held.Release(); then.Release(); return nil })
	options := map[string]any{"signal": stop.Get("signal")}
	locks.Call("request", name, options, held).Call("then", then, then)
	t.stopped = kit.Listen("pagehide", func(app.Value) { t.post(tabLeft, nil) })
	t.post(tabHere, nil)
	t.room.Hello(false, nil)
	return t
}

// stop leaves the other pages: the server is back.
func (t *tabs) stop() {
	if t == nil {
		return
	}
	t.post(tabLeft, nil)
	t.channel.Call("close")
	t.heard.Release()
	t.stopped()
	if t.keeper != nil {
		t.release.Invoke()
	} else {
		t.release.Call("abort")
	}
}

// post sends a message to the other pages.
func (t *tabs) post(kind string, data *schema.Object) {
	o := schema.NewObject(schema.Member{Key: "kind", Value: kind}, schema.Member{Key: "page", Value: t.panel.Client.Tab})
	if data != nil {
		o = o.With("data", data)
	}
	t.channel.Call("postMessage", string(schema.Encode(o)))
}

// take handles a message of another page.
func (t *tabs) take(ctx app.Context, o *schema.Object) {
	page, data := o.Text("page"), o.Object("data")
	switch o.Text("kind") {
	case tabHere:
		if !t.here[page] {
			t.here[page] = true
			t.post(tabHere, nil) // it may have come after this page
		}
		if t.keeper != nil {
			t.tell(ctx, nil)
		}
	case tabLeft:
		delete(t.here, page)
	case tabAsk:
		if t.keeper != nil {
			t.answer(ctx, page, data)
		}
		return
	case tabAnswer:
		if data.Text("to") == t.panel.Client.Tab && data.Text("serial") == strconv.Itoa(t.serial) {
			t.done(ctx, data.Object("part"))
		}
	case tabEdit:
		t.room.Edit(data)
	}
	t.room.Others(len(t.here) > 0)
	t.panel.Redraw(ctx)
}

// tell sends all pages an event, or the present number if the event is nil.
func (t *tabs) tell(ctx app.Context, event *schema.Object) {
	if event == nil {
		room, number := t.keeper.Head()
		if room == "" {
			return
		}
		event = schema.NewObject(schema.Member{Key: "room", Value: room}, schema.Member{Key: "number", Value: schema.IntNumber(number)})
	}
	t.post(tabEdit, event)
	t.room.Edit(event)
	t.panel.Redraw(ctx)
}

// answer answers the request of a page.
func (t *tabs) answer(ctx app.Context, page string, data *schema.Object) {
	q, err := together.ReadRequest(data.Object("request"))
	if err != nil {
		return
	}
	part, event, ok := t.keeper.Answer(q)
	if event != nil {
		t.tell(ctx, event)
	}
	reply := schema.NewObject(schema.Member{Key: "to", Value: page}, schema.Member{Key: "serial", Value: data.Text("serial")})
	if ok {
		reply = reply.With("part", part.Tree())
	}
	if page == t.panel.Client.Tab {
		t.done(ctx, reply.Object("part"))
		return
	}
	t.post(tabAnswer, reply)
}

// follow takes what the other pages did and tells them what this one did. It returns after which time to call it again, 0 for never.
func (t *tabs) follow(ctx app.Context) time.Duration {
	if t == nil {
		return 0
	}
	t.room.Edits = t.panel.Room.Edits
	t.panel.takeAll(ctx, &t.room)
	q, wait := t.room.Next(t.panel.state())
	if q.Want != together.Nothing {
		t.ask(ctx, q)
	}
	return wait
}

// ask makes a request.
func (t *tabs) ask(ctx app.Context, q together.Request) {
	t.serial++
	t.asked = &q
	n := t.serial
	data := schema.NewObject(schema.Member{Key: "serial", Value: strconv.Itoa(n)}, schema.Member{Key: "request", Value: q.Tree()})
	if t.keeper != nil {
		t.answer(ctx, t.panel.Client.Tab, data)
		return
	}
	t.post(tabAsk, data)
	ctx.After(askPatience, func(ctx app.Context) {
		if t.panel.tabs == t && t.asked != nil && t.serial == n {
			t.asked = nil
			t.room.Failed(time.Now(), false)
			t.panel.Redraw(ctx)
		}
	})
}

// done takes the answer to the request, nil for a refusal.
func (t *tabs) done(ctx app.Context, answer *schema.Object) {
	if t.asked == nil {
		return
	}
	q := *t.asked
	t.asked = nil
	part, err := together.ReadPart(answer)
	if answer == nil || err != nil {
		t.room.Failed(time.Now(), true)
	} else if step, ok := t.room.Done(q, part, t.panel.state()); ok {
		t.panel.take(ctx, step)
	}
	t.panel.Redraw(ctx)
}
