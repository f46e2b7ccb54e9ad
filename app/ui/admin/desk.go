package admin

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// Number of rows per request of a list, and of the options of a field.
const (
	rowCount    = 50
	optionCount = 20
)

// desk is the state shared by the parts of the page: the person, the open place, and the data read from the tenant.
type desk struct {
	life     kit.Life
	client   *client.Client // nil until the page is opened
	toast    kit.Toast
	header   kit.Header
	user     client.User
	sections []section // those that the person may see
	at       place
	lists    map[string]*kit.List      // by section
	watched  map[string]*schema.Object // watched entries, by section
	forms    map[string]*editing       // by the fragment of the address
	logType  string                    // the selected type, "" for all
	// ended is set when the session ends while the page is in use. The person's input stays.
	ended bool
	// show navigates to a place by its address, so that the browser's back button works.
	show func(ctx app.Context, to place)
}

func newDesk() *desk {
	d := &desk{life: kit.NewLife(), header: kit.Header{Here: "Administration", Keys: pageKeys[:]}, show: func(ctx app.Context, to place) { ctx.Navigate("/admin" + to.fragment()) }}
	d.forget()
	return d
}

// forget drops all data and all input.
func (p *desk) forget() {
	p.lists, p.watched, p.forms = map[string]*kit.List{}, map[string]*schema.Object{}, map[string]*editing{}
}

// later runs f on the page's goroutine and synchronizes the controls.
func (p *desk) later(ctx app.Context, f func(app.Context)) {
	ctx.Dispatch(func(ctx app.Context) {
		f(ctx)
		p.sync(ctx)
	})
}

// async makes calls in the background, and then runs the function that they return on the page's goroutine.
func (p *desk) async(ctx app.Context, calls func(context.Context) func(app.Context)) {
	p.life.Async(ctx, func(c context.Context) func(app.Context) {
		then := calls(c)
		if then == nil {
			return nil
		}
		return func(ctx app.Context) {
			then(ctx)
			p.sync(ctx)
		}
	})
}

// calls connects the page's lists to the server.
func (p *desk) calls() kit.Calls {
	return kit.Calls{Life: p.life, Client: p.client, Done: func(ctx app.Context, err error) {
		p.explain(err)
		p.sync(ctx)
	}}
}

func (p *desk) sync(ctx app.Context) {
	kit.Drawn(ctx, func(app.Context) { kit.SyncControls(kit.Focused) })
}

// section returns the open section. It is nil before the page is opened and at an unknown address.
func (p *desk) section() *section { return p.named(p.at.section) }

// named returns the section with the given name, nil if there is none that the person may see.
func (p *desk) named(name string) *section {
	for i := range p.sections {
		if p.sections[i].name == name {
			return &p.sections[i]
		}
	}
	return nil
}

// list returns the list of a section.
func (p *desk) list(s *section) *kit.List {
	l := p.lists[s.name]
	if l == nil {
		l = &kit.List{ID: s.id, Size: rowCount}
		p.lists[s.name] = l
	}
	l.Path = s.address("") + s.suffix()
	if s.log() && p.logType != "" {
		l.Path += "?type=" + p.logType
	}
	return l
}

// address is the path at which an entry of a section is read and changed; with the id "", the path of the list.
func (s *section) address(id string) string {
	if id == "" {
		return root + s.path
	}
	return root + s.path + "/" + id
}

// suffix is the query string of requests that read entries.
func (s *section) suffix() string {
	if s.query == "" {
		return ""
	}
	return "?" + s.query
}

// form returns the open form, nil for none.
func (p *desk) form() *editing {
	if p.at.entry == "" {
		return nil
	}
	return p.forms[p.at.fragment()]
}

// facts returns the facts about an entry of the page.
func (p *desk) facts(entry *schema.Object, d draft) facts {
	return facts{entry: entry, draft: d, me: p.user.Sub}
}

// unsaved returns the names of the sections with unsaved changes in a form.
func (p *desk) unsaved() map[string]bool {
	names := map[string]bool{}
	for key, e := range p.forms {
		if s := p.named(placeOf(key[1:]).section); s != nil && e.dirty(s) {
			names[s.name] = true
		}
	}
	return names
}

// barred returns the reason why the person cannot change an entry, or create one if the facts have none; "" if there is
// none.
func (p *desk) barred(s *section, x facts) string {
	verb := "update"
	if x.entry == nil {
		verb = "create"
	} else if r := reason(s.locked, x); r != "" {
		return r
	}
	return p.mayNot(verb + ":" + s.scope)
}

// mayNot returns a message that the person lacks a scope, "" if they have it.
func (p *desk) mayNot(scope string) string {
	if p.user.Can(scope) {
		return ""
	}
	return "Your account can see this but not change it: it lacks " + scope + "."
}

// put updates an entry in its list. added reports that it is new; a nil entry removes it.
func (p *desk) put(s *section, id string, entry *schema.Object, added bool) {
	if id == s.watched {
		p.watched[s.name] = entry
	}
	l := p.list(s)
	switch {
	case s.log():
	case entry == nil:
		l.Remove(id)
	case added && l.Begun():
		l.Add(entry)
	default:
		l.Put(entry)
	}
}

// explain returns an error as a sentence, "" for nil, and records the end of the session if that is the cause.
func (p *desk) explain(err error) string {
	switch {
	case err == nil:
		return ""
	case kit.StatusOf(err) == 401:
		p.ended = true
		return sessionEnded
	}
	return kit.Sentence(err)
}

const sessionEnded = "Your session has ended. Sign in again; what you typed stays here."
