package desk

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/schema"
)

// talk is the comments on the form: the canvas counts them, and the worker draws them.
type talk struct {
	read  *schema.Object // what the server answered, nil until then
	calls int
}

// Heard handles an event about the form. It reports whether the event is only about comments.
func (p *Panel) Heard(ctx app.Context, e client.FormEvent) bool {
	about := e.Kind == client.Comment
	if about && e.Tab != p.Client.Tab || e.Kind == client.Hello {
		p.say(ctx, nil)
	}
	return about
}

// say makes the call about a comment that the worker asks for, if there is one, and reads the comments.
func (p *Panel) say(ctx app.Context, call *schema.Object) {
	p.talk.calls++
	n := p.talk.calls
	p.Async(ctx, func(c context.Context) func(app.Context) {
		read, err := formapi.Comment(c, p.Client, p.ID, call)
		return func(ctx app.Context) {
			var o message.Order
			o.Answer, _ = call.Int("number")
			if err != nil {
				o.Wrong = kit.Sentence(err)
			} else if o.Comments = read; n == p.talk.calls {
				p.talk.read = read
				p.count()
			}
			if p.page == message.Comments {
				p.post(o)
			}
			p.Redraw(ctx)
		}
	})
}

// count marks on the canvas how many open threads there are.
func (p *Panel) count() {
	counts := map[string]int{}
	for _, v := range p.talk.read.List("comments") {
		if o, _ := v.(*schema.Object); o.Text("thread") == o.Text("id") && !o.Has("resolved_at") {
			counts[o.Text("node")]++
			counts[canvas.PartKey(o.Text("component"))]++
		}
	}
	p.Mark(func(m *canvas.Marks) { m.Comments = counts })
}

// Unread returns how many comments are for the person, who has not read them.
func (p *Panel) Unread() int {
	n, _ := p.talk.read.Int("unread")
	return n
}

// Talk opens the comments, with a field for one about what is selected if about is set.
func (p *Panel) Talk(ctx app.Context, about bool) {
	if p.page != message.Comments {
		p.Show(ctx, message.Comments)
		if !workspace.Wide() {
			p.Panels.Close()
		}
		p.post(message.Order{Comments: p.talk.read})
		p.say(ctx, nil)
	} else if !about {
		p.Close(ctx)
	}
	if about {
		s := p.State().Selection
		p.post(message.Order{At: schema.NewObject(schema.Member{Key: "node", Value: s.Only()}, schema.Member{Key: "component", Value: s.Component})})
	}
}
