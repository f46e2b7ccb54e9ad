// Package links is the page of the desk with the links by which people without an account look at the form. There they are made, copied and
// revoked. The editor's program reads the links and makes the calls that the page asks for.
package links

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/model/schema"
)

// maxLabel is the maximum length of a label in characters, as the server has it.
const maxLabel = 120

// Page is the page. Use New.
type Page struct {
	now   func() time.Time
	read  bool   // the links were read
	wrong string // why they could not be
	links []link
	most  int  // how many there may be
	fresh bool // the page was opened: the focus comes once there is something to see

	life   string // how long a new link lasts: a number of days, or "date"
	date   string // the last day, of life "date"
	fixed  bool   // it shows the version of now
	label  string
	fault  string // what is wrong with the new link
	made   string // the link that was made last
	copied string // the link that was copied last
	sure   string // the link whose revocation is to be confirmed

	calls map[int]string // what the calls under way do
	last  int
}

// link is a link to the form.
type link struct {
	id, url, label, by       string
	version, times           int
	created, expires, opened time.Time
	expired                  bool
}

// New returns the page. now is the clock.
func New(now func() time.Time) *Page {
	return &Page{now: now, life: "7", calls: map[int]string{}}
}

// Form implements desk.Page. Links show what is saved, so the form under edit does not matter.
func (p *Page) Form(desk.Form) {}

// Told implements desk.Talker.
func (p *Page) Told(t *desk.Turn, o *message.Order) {
	if o.Page != "" {
		p.fresh, p.made, p.copied, p.sure = true, "", "", ""
	}
	before := p.links
	if o.Kept != nil {
		p.set(o.Kept)
	}
	does, asked := p.calls[o.Answer]
	delete(p.calls, o.Answer)
	switch {
	case asked && o.Wrong != "" && does == "make":
		p.fault = o.Wrong
		t.Focus("#lk-make")
	case asked && o.Wrong != "":
		t.Say(o.Wrong)
	case asked && does == "make":
		p.label, p.made = "", newest(before, p.links)
		t.Focus(control("copy", p.made))
	case asked && does == "revoke":
		t.Say("Revoked. The link no longer works.")
		t.Focus("#lk-life")
	case o.Wrong != "" && !p.read:
		p.wrong = o.Wrong
	}
	if p.fresh && p.read {
		p.fresh = false
		t.Focus("#lk-life")
	}
}

// newest returns the link that was not there before.
func newest(before, now []link) string {
	known := map[string]bool{}
	for _, l := range before {
		known[l.id] = true
	}
	for _, l := range now {
		if !known[l.id] {
			return l.id
		}
	}
	return ""
}

func (p *Page) set(o *schema.Object) {
	p.read, p.wrong, p.links = true, "", nil
	p.most, _ = o.Int("most")
	for _, v := range o.List("links") {
		v, _ := v.(*schema.Object)
		instant := func(key string) time.Time {
			at, _ := time.Parse(time.RFC3339, v.Text(key))
			return at
		}
		l := link{
			id: v.Text("id"), url: v.Text("url"), label: v.Text("label"), by: v.Object("created_by").Text("name"),
			created: instant("created_at"), expires: instant("expires_at"), opened: instant("opened_at"), expired: v.Has("expired"),
		}
		l.version, _ = v.Int("version")
		l.times, _ = v.Int("times")
		p.links = append(p.links, l)
	}
}

// control returns the selector of a control with an argument.
func control(does, arg string) string {
	return `#desk [data-do="` + does + `"][data-arg=` + strconv.Quote(arg) + `]`
}

// Event implements desk.Page.
func (p *Page) Event(t *desk.Turn, e message.Event) {
	switch {
	case e.On == "input" || e.On == "change":
		p.choose(e)
	case e.On == "copied":
		p.copied = e.Arg
		t.Say("Copied the link.")
	case e.On == "key" && e.Text == "Enter":
		p.create(t)
	case e.On == "press":
		p.press(t, e)
	}
}

// choose takes an option of the new link.
func (p *Page) choose(e message.Event) {
	p.fault = ""
	switch e.Do {
	case "life":
		if p.life = e.Text; p.life == "date" && p.date == "" {
			p.date = p.now().AddDate(0, 3, 0).Format(time.DateOnly)
		}
	case "date":
		p.date = e.Text
	case "shows":
		p.fixed = e.Text == "fixed"
	case "label":
		p.label = e.Text
	}
}

func (p *Page) press(t *desk.Turn, e message.Event) {
	switch e.Do {
	case "leave":
		t.Leave()
	case "again":
		p.call(t, "again", "", "", nil)
	case "make":
		p.create(t)
	case "revoke":
		p.sure = e.Arg
		t.Focus(control("revoke-it", e.Arg))
	case "keep":
		p.sure = ""
		t.Focus(control("revoke", e.Arg))
	case "revoke-it":
		p.sure = ""
		p.call(t, "revoke", "DELETE", e.Arg, nil)
	}
}

// create asks for a new link.
func (p *Page) create(t *desk.Turn) {
	until, fault := p.until()
	label := strings.TrimSpace(p.label)
	if n := utf8.RuneCountInString(label); n > maxLabel {
		fault = "The label may have up to " + strconv.Itoa(maxLabel) + " characters. This one has " + strconv.Itoa(n) + "."
	}
	if p.fault = fault; fault != "" {
		t.Focus("#lk-make")
		return
	}
	members := []schema.Member{{Key: "expires_at", Value: until.UTC().Format(time.RFC3339)}}
	if label != "" {
		members = append(members, schema.Member{Key: "label", Value: label})
	}
	if p.fixed {
		members = append(members, schema.Member{Key: "fixed", Value: true})
	}
	p.call(t, "make", "POST", "", schema.NewObject(members...))
}

// until returns when the new link expires, or what is wrong with that. A last day counts to its end.
func (p *Page) until() (time.Time, string) {
	now := p.now()
	if days, err := strconv.Atoi(p.life); err == nil {
		return now.AddDate(0, 0, days), ""
	}
	day, err := time.ParseInLocation(time.DateOnly, p.date, now.Location())
	end := day.AddDate(0, 0, 1)
	if err != nil || !end.After(now) || day.After(now.AddDate(1, 0, 0)) {
		return end, "Choose a day from today to a year from now."
	}
	return end, ""
}

// busy reports whether a call of a kind is under way.
func (p *Page) busy(does string) bool {
	for _, d := range p.calls {
		if d == does {
			return true
		}
	}
	return false
}

func (p *Page) call(t *desk.Turn, does, method, id string, body *schema.Object) {
	if p.busy(does) {
		return
	}
	p.last++
	p.calls[p.last] = does
	members := []schema.Member{{Key: "number", Value: schema.IntNumber(p.last)}, {Key: "method", Value: method}, {Key: "id", Value: id}}
	if body != nil {
		members = append(members, schema.Member{Key: "body", Value: body})
	}
	t.Call(schema.NewObject(members...))
}
