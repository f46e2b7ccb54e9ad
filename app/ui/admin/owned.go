package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// owned describes the things that belong to an entry and can only be removed here: ways to sign in, which the person
// adds.
type owned struct {
	word          string // follows the entry's id in the address
	scope         string // behind the verb of its scopes
	label, help   string
	none          string // text when there are none
	take, takeAll action
}

// ownedPath is the path of the things of an entry, or of a single one by id. The bar is the only character in an id
// that needs escaping.
func (s *section) ownedPath(entry, id string) string {
	path := s.path + "/" + entry + "/" + s.owned.word
	if id != "" {
		path += "/" + strings.ReplaceAll(id, "|", "%7C")
	}
	return path
}

// wayOf reads a way to sign in.
func wayOf(o *schema.Object) kit.Way {
	at := func(member string) time.Time {
		v, _ := time.Parse(time.RFC3339, o.Text(member))
		return v
	}
	return kit.Way{Kind: o.Text("type"), Name: o.Text("name"), Added: at("created_at"), Used: at("last_auth_at")}
}

// taken forgets the thing with the given id, or all if it is "".
func (e *editing) taken(id string) {
	var left []*schema.Object
	for _, o := range e.owned {
		if id != "" && o.Text("id") != id {
			left = append(left, o)
		}
	}
	e.owned = left
}

// readOwned reads the things of an entry, if the person may see them.
func (p *entries) readOwned(ctx context.Context, s *section, id string) ([]*schema.Object, error) {
	if s.owned == nil || !p.user.Can("read:"+s.owned.scope) {
		return nil, nil
	}
	return p.client.Objects(ctx, root+s.ownedPath(id, ""))
}

// drawOwned draws the things of an entry, each with a button that removes it.
func (p *drawing) drawOwned(s *section, e *editing) app.UI {
	o := s.owned
	if o == nil || e.entry == nil || !p.user.Can("read:"+o.scope) {
		return nil
	}
	why := p.mayNot("delete:" + o.scope)
	idle := kit.Yes(why != "" || e.busy)
	var rows []app.UI
	for _, thing := range e.owned {
		way := wayOf(thing)
		name, story := o.take.label+" "+way.Title(), way.Story(time.Now())
		if way.Name != "" {
			story = way.KindName() + " · " + story
		}
		rows = append(rows, box("li",
			box("span.k", kit.Icon(way.Icon())),
			box("div.grow", say("strong", way.Title()), say("small", story)),
			kit.El("button.icon type=button data-act=take data-arg=% aria-label=% title=% disabled=%", thing.Text("id"), name, name, idle).
				Body(kit.Icon("trash")),
		))
	}
	return box("div.owned",
		box("div.owned-head", say("h3 id=owned-title tabindex=-1", o.label),
			when(len(rows) > 1, say("button.link.dangerous type=button data-act=take-all disabled=%", o.takeAll.label, idle))),
		say("p.quiet-text", o.help),
		when(len(rows) > 0, box("ul", rows...)), when(len(rows) == 0, say("p.quiet-text.none", o.none)),
		when(why != "", lockedNote(why)),
	)
}

// askTake asks for confirmation before removing a thing from an entry, or all if id is "".
func (p *entries) askTake(ctx app.Context, s *section, e *editing, id string) {
	a, name := s.owned.takeAll, kit.Quote(s.called(p.facts(e.entry, e.now)))
	if id != "" {
		i := slices.IndexFunc(e.owned, func(o *schema.Object) bool { return o.Text("id") == id })
		if i < 0 {
			return
		}
		a, name = s.owned.take, kit.Quote(wayOf(e.owned[i]).Title())
	}
	a.danger = true
	p.question(ctx, &a, name, func(ctx app.Context) {
		e.busy = true
		p.async(ctx, func(c context.Context) func(app.Context) {
			_, err := p.client.Send(c, "DELETE", root+s.ownedPath(e.entry.Text(s.id), id), nil)
			return func(ctx app.Context) {
				e.busy = false
				if err != nil && kit.StatusOf(err) != 404 { // somebody else may have removed it
					p.actFailed(ctx, e, err)
					return
				}
				e.taken(id)
				p.dialogs.modal.Back = "#owned-title" // the pressed button no longer exists
				p.dialogs.close(ctx)
				p.toast.Say(ctx, fmt.Sprintf(a.done, name))
			}
		})
	})
}
