// Package comments is the page of the desk where people talk about the form, in threads of comments on its nodes and components. The
// editor's program reads the comments and makes the calls that the page asks for.
package comments

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/model/schema"
)

// maxText is the maximum length of a comment in characters, as the server has it.
const maxText = 4000

// Page is the page. Use New.
type Page struct {
	now      func() time.Time
	where    where
	read     bool // the comments were read
	wrong    string
	crowd    crowd
	threads  []*thread
	resolved bool // the resolved threads are shown
	current  string
	fresh    bool   // the page was opened: the focus comes once there is something to see
	place    *place // of the new comment that is being written
	drafts   drafts
	deleting string // the comment whose deletion is to be confirmed
	pick     *pick
	calls    calls
}

// calls are the calls under way.
type calls struct {
	last int
	of   map[int]call
}

// call is a call under way: what it does, and the key of its draft, if it has one.
type call struct{ does, draft, thread, text string }

// New returns the page. now is the clock.
func New(now func() time.Time) *Page {
	return &Page{now: now, drafts: drafts{of: map[string]*draft{}, sent: map[string]sent{}}, calls: calls{of: map[int]call{}}}
}

// Form implements desk.Page.
func (p *Page) Form(of desk.Form) { p.where.follow(of.Form) }

// Told implements desk.Talker.
func (p *Page) Told(t *desk.Turn, o *message.Order) {
	if o.Page != "" {
		p.fresh = true
	}
	if o.Kept != nil {
		p.set(o.Kept)
	}
	if o.Unsent != nil {
		p.restore(o.Unsent)
	}
	if o.Here != nil {
		p.crowd.here = o.Here
	}
	if o.Kept != nil || o.Here != nil {
		p.crowd.color(p.threads)
	}
	if o.At != nil {
		at := place{o.At.Text("node"), o.At.Text("component")}
		p.place, p.resolved = &at, false
		p.fresh = false
		t.Focus("#cm-new")
	}
	switch {
	case o.Answer > 0:
		p.answered(t, o.Answer, o.Wrong)
	case o.Wrong != "" && o.Choice == nil && !p.read:
		p.wrong = o.Wrong
	}
	if p.fresh && p.read {
		p.fresh = false
		p.begin(t)
	}
}

// set takes the comments as the server has them.
func (p *Page) set(o *schema.Object) {
	p.read, p.wrong, p.crowd.me, p.crowd.people = true, "", personOf(o.Object("me")), nil
	moderator, _ := o.Get("moderator")
	p.crowd.moderator = moderator == true
	for _, v := range o.List("people") {
		v, _ := v.(*schema.Object)
		if who := personOf(v); who.sub != p.crowd.me.sub {
			p.crowd.people = append(p.crowd.people, who)
		}
	}
	p.threads = threadsOf(o.List("comments"))
	if p.thread(p.current) == nil {
		p.current = ""
	}
	p.prune()
}

// begin shows the first thread that is for the person, and moves the focus into the page.
func (p *Page) begin(t *desk.Turn) {
	for _, th := range p.threads {
		if th.unread() {
			p.resolved = !th.open()
			p.choose(t, th)
			t.Focus(control("go", th.id()))
			return
		}
	}
	t.Focus("#cm-open")
}

// control returns the selector of a control with an argument.
func control(does, arg string) string {
	return `#desk [data-do="` + does + `"][data-arg=` + strconv.Quote(arg) + `]`
}

// field returns the selector of the field of a draft.
func field(key string) string {
	if strings.HasPrefix(key, newKey) {
		return "#cm-new"
	}
	return `#desk textarea[data-arg=` + strconv.Quote(key) + `]`
}

func (p *Page) thread(id string) *thread {
	for _, t := range p.threads {
		if t.id() == id {
			return t
		}
	}
	return nil
}

// remark returns a comment with its thread.
func (p *Page) remark(id string) (*thread, *remark) {
	for _, t := range p.threads {
		for i := range t.remarks {
			if t.remarks[i].id == id {
				return t, &t.remarks[i]
			}
		}
	}
	return nil, nil
}

// choose makes a thread the current one; what it has for the person is then read.
func (p *Page) choose(t *desk.Turn, th *thread) {
	p.current = th.id()
	if th.unread() {
		p.call(t, call{does: "read"}, "PATCH", th.id(), schema.NewObject(schema.Member{Key: "read", Value: true}))
	}
}

func (p *Page) call(t *desk.Turn, c call, method, id string, body *schema.Object) {
	p.calls.last++
	p.calls.of[p.calls.last] = c
	members := []schema.Member{
		{Key: "number", Value: schema.IntNumber(p.calls.last)}, {Key: "method", Value: method}, {Key: "id", Value: id},
	}
	if body != nil {
		members = append(members, schema.Member{Key: "body", Value: body})
	}
	t.Call(schema.NewObject(members...))
}

// Event implements desk.Page.
func (p *Page) Event(t *desk.Turn, e message.Event) {
	switch e.On {
	case "input":
		p.typed(e)
	case "key":
		p.key(t, e)
	case "press":
		p.press(t, e)
	}
}

// typed takes what somebody types. The field may still show a text that has been sent meanwhile.
func (p *Page) typed(e message.Event) {
	if last := p.drafts.sent[e.Arg]; e.Do != strconv.Itoa(last.times) {
		e.Text = last.call.after(e.Text)
		e.Caret = len(e.Text)
	}
	d := p.draft(e.Arg)
	d.text, d.wrong, d.caret = e.Text, "", -1
	if p.pick = pickAt(e.Arg, e.Text, e.Caret, p.crowd.people); d.text == "" && strings.HasPrefix(e.Arg, replyKey) {
		delete(p.drafts.of, e.Arg)
	}
}

// key handles a key in the field of a draft.
func (p *Page) key(t *desk.Turn, e message.Event) {
	if k := p.pick; k != nil && k.draft == e.Arg {
		switch e.Text {
		case "ArrowDown", "ArrowUp":
			by := 1
			if e.Text == "ArrowUp" {
				by = len(k.offers) - 1
			}
			k.chosen = (k.chosen + by) % len(k.offers)
			return
		case "Enter", "Tab":
			p.mention()
			return
		case "Escape":
			p.pick = nil
			return
		}
	}
	switch e.Text {
	case "Ctrl+Enter":
		p.send(t, e.Arg)
	case "Escape":
		p.leave(t, e.Arg)
	}
}

// mention writes the chosen name.
func (p *Page) mention() {
	d := p.draft(p.pick.draft)
	d.text, d.caret = p.pick.take(d.text)
	p.pick = nil
}

// leave closes a field. The text of a new comment stays for the next time.
func (p *Page) leave(t *desk.Turn, key string) {
	p.pick = nil
	switch {
	case strings.HasPrefix(key, editKey):
		delete(p.drafts.of, key)
		t.Focus(control("edit", strings.TrimPrefix(key, editKey)))
	case strings.HasPrefix(key, newKey):
		if d := p.drafts.of[key]; d != nil && strings.TrimSpace(d.text) == "" {
			delete(p.drafts.of, key)
		}
		p.place = nil
		t.Focus("#cm-open")
	default:
		t.Focus(control("go", strings.TrimPrefix(key, replyKey)))
	}
}

func (p *Page) press(t *desk.Turn, e message.Event) {
	switch e.Do {
	case "leave":
		t.Leave()
	case "show":
		p.resolved = e.Arg == "resolved"
	case "again":
		p.call(t, call{does: "again"}, "", "", nil)
	case "form":
		p.place = &place{}
		t.Focus("#cm-new")
	case "send":
		p.send(t, e.Arg)
	case "resume":
		at := placeOf(e.Arg)
		p.place = &at
		t.Focus("#cm-new")
	case "cancel":
		if d := p.drafts.of[e.Arg]; d != nil && !d.sending {
			delete(p.drafts.of, e.Arg)
		}
		p.leave(t, e.Arg)
	case "pick":
		if i, err := strconv.Atoi(e.Arg); err == nil && p.pick != nil && i < len(p.pick.offers) {
			p.pick.chosen = i
			key := p.pick.draft
			p.mention()
			t.Focus(field(key))
		}
	default:
		p.act(t, e)
	}
}

// act handles the controls of a thread and of a comment.
func (p *Page) act(t *desk.Turn, e message.Event) {
	th, r := p.remark(e.Arg)
	if th == nil {
		return
	}
	switch e.Do {
	case "go":
		p.choose(t, th)
		if at, there := p.where.find(th.place); there && at.node != "" {
			t.SelectPart(at.node, at.component)
		}
	case "resolve", "reopen":
		p.call(t, call{does: e.Do, thread: th.id()}, "PATCH", th.id(), schema.NewObject(schema.Member{Key: "resolved", Value: e.Do == "resolve"}))
	case "edit":
		p.draft(editKey + r.id)
		t.Focus(field(editKey + r.id))
	case "delete":
		p.deleting = r.id
		t.Focus(control("delete-it", r.id))
	case "keep":
		p.deleting = ""
		t.Focus(control("delete", r.id))
	case "delete-it":
		p.deleting = ""
		p.call(t, call{does: "delete", thread: th.id()}, "DELETE", r.id, nil)
	}
}

// send sends a draft.
func (p *Page) send(t *desk.Turn, key string) {
	d := p.draft(key)
	text := strings.TrimSpace(d.text)
	switch n := utf8.RuneCountInString(text); {
	case d.sending:
		return
	case n == 0:
		d.wrong = "Write something first."
	case n > maxText:
		d.wrong = "A comment may have up to 4,000 characters. This one has " + strconv.Itoa(n) + "."
	default:
		d.wrong, d.sending, p.pick = "", true, nil
		p.post(t, key, text)
		return
	}
	t.Focus(field(key))
}

// post asks for the call that sends a text.
func (p *Page) post(t *desk.Turn, key, text string) {
	members := []schema.Member{{Key: "text", Value: text}}
	known := slices.Clone(p.crowd.people)
	_, r := p.remark(strings.TrimPrefix(key, editKey))
	if r != nil {
		known = append(known, r.mentions...)
	}
	if people := mentioned(text, known); len(people) > 0 {
		list := make([]any, len(people))
		for i, who := range people {
			list[i] = who.tree()
		}
		members = append(members, schema.Member{Key: "mentions", Value: list})
	}
	method, id, c := "POST", "", call{does: "send", draft: key, text: text}
	switch {
	case strings.HasPrefix(key, editKey):
		method, id = "PATCH", strings.TrimPrefix(key, editKey)
	case strings.HasPrefix(key, replyKey):
		c.thread = strings.TrimPrefix(key, replyKey)
		members = append(members, schema.Member{Key: "thread", Value: c.thread})
	case p.place != nil && p.place.node != "":
		members = append(members, schema.Member{Key: "node", Value: p.place.node})
		if p.place.component != "" {
			members = append(members, schema.Member{Key: "component", Value: p.place.component})
		}
	}
	p.call(t, c, method, id, schema.NewObject(members...))
}

// answered handles the answer to a call. What was sent is in the comments by now.
func (p *Page) answered(t *desk.Turn, number int, wrong string) {
	c, ok := p.calls.of[number]
	if delete(p.calls.of, number); !ok {
		return
	}
	if d := p.drafts.of[c.draft]; d != nil {
		if d.sending = false; wrong != "" {
			d.wrong = wrong
			t.Focus(field(c.draft))
			return
		}
		p.drafts.sent[c.draft] = sent{p.drafts.sent[c.draft].times + 1, c}
		if d.text = c.after(d.text); d.text == "" {
			delete(p.drafts.of, c.draft)
			p.sent(t, c)
		}
		return
	}
	switch {
	case c.does == "read":
	case wrong != "":
		t.Say(wrong)
	case c.does == "resolve":
		t.Say("The thread is resolved. It is listed under Resolved.")
		t.Focus("#cm-open")
	case c.does == "reopen":
		t.Say("The thread is open again.")
		t.Focus("#cm-resolved")
	case c.does == "delete":
		t.Say("Comment deleted.")
		t.Focus("#cm-open")
	}
}

// sent moves the focus on after a draft was sent.
func (p *Page) sent(t *desk.Turn, c call) {
	switch {
	case strings.HasPrefix(c.draft, editKey):
		t.Focus(control("edit", strings.TrimPrefix(c.draft, editKey)))
	case strings.HasPrefix(c.draft, replyKey):
		p.current = c.thread
		t.Focus(field(c.draft))
	default:
		p.place = nil
		if len(p.threads) > 0 { // the latest is the first
			p.current = p.threads[0].id()
			t.Focus(control("go", p.current))
		}
	}
}
