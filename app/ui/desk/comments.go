package desk

import (
	"context"
	"maps"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/schema"
)

// talk is the comments on the form: the canvas counts them, and the worker draws them.
type talk struct {
	*workspace.Workspace

	read  *schema.Object // what the server answered, nil until then
	calls int
	open  int // how many threads are open

	unsent   map[string]string // what the person has written and not sent, by key
	texts    *draft.Texts      // keeps it; nil until it is restored, and if the browser stores nothing
	restored bool              // what an earlier visit left is in unsent
	told     *worker.Worker    // that knows what is in unsent
	here     []string          // who has the form open, as the worker knows
}

// Restore shows what an earlier visit left unsent, and keeps from now on what is written. open must not run on the page's goroutine.
func (p *Panel) Restore(ctx app.Context, open func(context.Context) *draft.Texts) {
	p.Async(ctx, func(c context.Context) func(app.Context) {
		texts := open(c)
		return func(ctx app.Context) {
			p.talk.restore(texts)
			if p.page == message.Comments && p.worker != nil {
				var o message.Order
				p.bring(&o)
				p.post(o)
			}
			if p.Unsent() > 0 {
				p.Redraw(ctx)
			}
		}
	})
}

// restore takes what is kept. What was written meanwhile stays.
func (t *talk) restore(texts *draft.Texts) {
	if t.restored, t.texts = true, texts; texts != nil {
		unsent := texts.Kept()
		maps.Copy(unsent, t.unsent)
		t.unsent = unsent
		texts.Keep(unsent)
	}
}

// tell returns what a worker is to show as unsent, nil if it knows.
func (t *talk) tell(w *worker.Worker) *schema.Object {
	if !t.restored || t.told == w {
		return nil
	}
	t.told = w
	var members []schema.Member
	for _, key := range slices.Sorted(maps.Keys(t.unsent)) {
		members = append(members, schema.Member{Key: key, Value: t.unsent[key]})
	}
	return schema.NewObject(members...)
}

// wrote keeps what a worker reports as unsent. A worker that was not told yet knows only a part. It reports whether the number of texts changed.
func (t *talk) wrote(w *worker.Worker, o *schema.Object) bool {
	was := len(t.unsent)
	if t.told == w || t.unsent == nil {
		t.unsent = map[string]string{}
	}
	for _, m := range o.Members() {
		t.unsent[m.Key], _ = m.Value.(string)
	}
	if t.texts != nil {
		t.texts.Keep(t.unsent)
	}
	return len(t.unsent) != was
}

// Unsent returns how many comments the person has written and not sent.
func (p *Panel) Unsent() int { return len(p.talk.unsent) }

// Forget stops keeping what the person writes, who discards everything.
func (p *Panel) Forget() {
	if p.talk.texts != nil {
		p.talk.texts.Stop()
	}
}

// Heard handles an event about the form. It reports whether the event is only about comments.
func (p *Panel) Heard(ctx app.Context, e client.FormEvent) bool {
	about := e.Kind == client.Comment
	if about && e.Tab != p.Client.Tab || e.Kind == client.Hello {
		p.ask(ctx, message.Comments, nil)
	}
	return about
}

// ask makes a call of the worker, if it is not nil, and then reads what the server keeps for a page, such as the comments.
func (p *Panel) ask(ctx app.Context, page string, call *schema.Object) {
	p.talk.calls++
	n := p.talk.calls
	p.Async(ctx, func(c context.Context) func(app.Context) {
		read, err := formapi.Kept(c, p.Client, p.ID, page, call)
		return func(ctx app.Context) {
			var o message.Order
			o.Answer, _ = call.Int("number")
			if err != nil {
				o.Wrong = kit.Sentence(err)
			} else if o.Kept = read; page == message.Comments && n == p.talk.calls {
				p.talk.read = read
				p.talk.count()
			}
			switch {
			case p.page == page:
				p.post(o)
			case call != nil && p.worker != nil:
				o.To = page
				p.post(o)
			}
			p.Redraw(ctx)
		}
	})
}

// OpenThreads returns how many threads of comments are open.
func (p *Panel) OpenThreads() int { return p.talk.open }

// count counts the open threads, and marks them on the canvas.
func (t *talk) count() {
	t.open = 0
	n := canvas.Threads{Nodes: map[string]int{}, Parts: map[string]int{}}
	for _, v := range t.read.List("comments") {
		if o, _ := v.(*schema.Object); o.Text("thread") == o.Text("id") && !o.Has("resolved_at") {
			t.open++
			n.Nodes[o.Text("node")]++
			n.Parts[o.Text("component")]++
		}
	}
	t.Mark(func(m *canvas.Marks) { m.Threads = n })
}

// Unread returns how many unread comments mention the person.
func (p *Panel) Unread() int {
	n, _ := p.talk.read.Int("unread")
	return n
}

// Comment opens the comments, with a field for a new one about what is selected.
func (p *Panel) Comment(ctx app.Context) {
	if p.page != message.Comments {
		p.Toggle(ctx, message.Comments)
	}
	s := p.State().Selection
	p.post(message.Order{At: schema.NewObject(schema.Member{Key: "node", Value: s.Only()}, schema.Member{Key: "component", Value: s.Component})})
}

// Toggle opens or closes a page beside the canvas that shows what the server keeps: the comments or the links.
func (p *Panel) Toggle(ctx app.Context, page string) {
	if p.page == page {
		p.Close(ctx)
		return
	}
	p.Show(ctx, page)
	if !workspace.Wide() {
		p.Panels.Close()
	}
	p.ask(ctx, page, nil)
}
