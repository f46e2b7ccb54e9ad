package admin

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// readOwned reads the things of an entry, where the person may see them.
func (p *entries) readOwned(s *section, id string) ([]*schema.Object, error) {
	if s.owned == nil || !p.user.Can("read:"+s.owned.scope) {
		return nil, nil
	}
	return p.client.Objects(p.life.Context(), root+s.ownedPath(id, ""))
}

// drawOwned draws them, each with a button that takes it.
func (p *drawing) drawOwned(s *section, e *editing) app.UI {
	o := s.owned
	if o == nil || e.entry == nil || !p.user.Can("read:"+o.scope) {
		return nil
	}
	why := ""
	if scope := "delete:" + o.scope; !p.user.Can(scope) {
		why = fmt.Sprintf(mayNotChange, scope)
	}
	now := time.Now()
	var rows []app.UI
	for _, thing := range e.owned {
		icon, kind, _ := o.one(thing)
		title := o.title(thing)
		name := fmt.Sprintf("Remove %s", title)
		rows = append(rows, box("li",
			box("span.k", kit.Icon(icon)),
			box("div.grow", say("strong", title), say("small", story(thing, kind, title, now))),
			kit.El("button.icon type=button data-act=take data-arg=% aria-label=% title=% disabled=%", thing.Text("id"), name, name,
				kit.Yes(why != "" || e.busy)).Body(kit.Icon("trash")),
		))
	}
	return box("div.owned",
		box("div.owned-head", say("h3 id=owned-title tabindex=-1", o.text.Name),
			when(len(rows) > 1, say("button.link.dangerous type=button data-act=take-all disabled=%", o.takeAll.Name,
				kit.Yes(why != "" || e.busy)))),
		say("p.quiet-text", o.text.Text),
		when(len(rows) > 0, box("ul", rows...)), when(len(rows) == 0, say("p.quiet-text.none", o.none)),
		when(why != "", lockedNote(why)),
	)
}

// story says what a thing is, and when it was made and used.
func story(o *schema.Object, kind, title string, now time.Time) string {
	at := func(member string) time.Time {
		v, _ := time.Parse(time.RFC3339, o.Text(member))
		return v
	}
	var out []string
	if title != kind {
		out = append(out, kind)
	}
	out = append(out, fmt.Sprintf("Added %s", kit.Ago(at("created_at"), now)))
	if used := at("last_auth_at"); used.IsZero() {
		out = append(out, "never used")
	} else {
		out = append(out, fmt.Sprintf("last used %s", kit.Ago(used, now)))
	}
	return strings.Join(out, " · ")
}

// askTake asks before a thing is taken from an entry, or all when id is "".
func (p *entries) askTake(ctx app.Context, s *section, e *editing, id string) {
	whose := quoted(s.title(p.facts(e.entry, e.now)))
	text, what := s.owned.takeAll, whose
	if id != "" {
		i := slices.IndexFunc(e.owned, func(o *schema.Object) bool { return o.Text("id") == id })
		if i < 0 {
			return
		}
		text, what = s.owned.take, quoted(s.owned.title(e.owned[i]))
	}
	p.dialogs.open(ctx, &dialog{
		title: fmt.Sprintf(text.Title, what), text: text.Text, yes: text.Name, danger: true,
		do: func(ctx app.Context) {
			e.busy = true
			path := root + s.ownedPath(e.entry.Text(s.id), id)
			ctx.Async(func() {
				_, err := p.client.Send(p.life.Context(), "DELETE", path, nil)
				p.later(ctx, func(ctx app.Context) {
					e.busy = false
					if err != nil && kit.StatusOf(err) != 404 { // somebody else may have taken it
						p.actFailed(ctx, e, err)
						return
					}
					e.taken(id)
					p.dialogs.opener = "#owned-title" // what was pressed is gone
					p.dialogs.closeDialog(ctx)
					p.toast.Say(ctx, fmt.Sprintf(text.Done, what))
				})
			})
		},
	})
}
