package admin

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// entries reads, changes and leaves the entry in sight.
type entries struct {
	*desk
	dialogs *dialogs
}

// openForm begins the form of the place in sight: a blank one, or that of an entry, which is read with its
// sets. The list's row is shown until then.
func (p *entries) openForm(ctx app.Context, s *section) {
	at := p.at
	if at.entry == fresh {
		p.forms[at.fragment()] = newEditing(s)
		return
	}
	e := &editing{was: draft{}, now: draft{}, loading: true}
	p.forms[at.fragment()] = e
	p.readForm(ctx, s, e, at.entry)
}

func (p *entries) readForm(ctx app.Context, s *section, e *editing, id string) {
	e.loading, e.err = true, nil
	ctx.Async(func() {
		entry, err := p.client.Object(p.life.Context(), root+s.path+"/"+id)
		var sets map[string][]*schema.Object
		if err == nil {
			sets, err = p.readSets(s, id)
		}
		var things []*schema.Object
		if err == nil {
			things, err = p.readOwned(s, id)
		}
		p.later(ctx, func(app.Context) {
			e.loading, e.err = false, err
			if err != nil {
				p.told(err)
				return
			}
			e.loaded(s, entry, sets)
			e.owned = things
			if !s.log {
				p.put(s, id, entry)
			}
		})
	})
}

// readSets reads the sets of an entry. It must not run on the page's goroutine.
func (p *entries) readSets(s *section, id string) (map[string][]*schema.Object, error) {
	sets := map[string][]*schema.Object{}
	for i := range s.fields {
		f := &s.fields[i]
		if f.set == nil {
			continue
		}
		var err error
		if sets[f.path], err = p.client.Objects(p.life.Context(), root+s.path+"/"+id+"/"+f.path); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// settleNew shows what the tenant gave a new entry by itself, such as the roles that everybody gets. It must not
// run on the page's goroutine. What cannot be read is shown when the entry is opened again.
func (p *entries) settleNew(ctx app.Context, s *section, e *editing, id string) {
	sets, err := p.readSets(s, id)
	if err != nil {
		kit.LogError(err.Error())
		return
	}
	p.later(ctx, func(app.Context) {
		if e.entry != nil {
			e.loaded(s, e.entry, sets)
		}
	})
}

// save sends what the form in sight changes, one request after the other. What is typed meanwhile is kept.
func (p *entries) save(ctx app.Context) {
	s, e, at := p.section(), p.form(), p.at
	if s == nil || e == nil || e.busy || e.loading {
		return
	}
	id := at.entry
	if id == fresh {
		id = ""
	} else if !e.dirty(s) {
		return
	}
	made := id == ""
	sent := maps.Clone(e.now)
	plan := s.plan(id, e.was, sent)
	e.busy, e.failed, e.problems = true, "", nil
	ctx.Async(func() {
		for _, r := range plan {
			answer, err := p.client.Send(p.life.Context(), r.method, root+strings.ReplaceAll(r.path, ownID, id), r.body)
			if err == nil && id == "" {
				id = answer.Text(s.id)
			}
			now := id
			p.later(ctx, func(ctx app.Context) {
				if err != nil {
					p.refused(ctx, s, e, r, sent, err)
					return
				}
				p.accepted(ctx, s, e, at, now, r, sent, answer)
			})
			if err != nil {
				if made && id != "" {
					p.settleNew(ctx, s, e, id)
				}
				return
			}
		}
		if made {
			p.settleNew(ctx, s, e, id)
		}
		p.later(ctx, func(ctx app.Context) {
			e.busy = false
			// The tenant may hold another text than was typed, also where the focus is.
			ctx.Defer(func(app.Context) { kit.SyncControls("") })
			name := s.title(p.facts(e.entry, e.now))
			text := "%s is saved."
			if made {
				text = "%s is made."
			}
			p.toast.Say(ctx, fmt.Sprintf(text, quoted(name)))
			if a := s.action(s.then); made && a != nil && p.user.Can(a.scope) {
				p.act(ctx, s, e, a)
			}
		})
	})
}

// accepted records the result of one request of a plan.
func (p *entries) accepted(ctx app.Context, s *section, e *editing, at place, id string, r request, sent draft, answer *schema.Object) {
	e.accept(s, r, sent, answer)
	if !r.whole {
		return
	}
	p.put(s, id, e.entry)
	if at.entry == fresh && p.forms[at.fragment()] == e {
		delete(p.forms, at.fragment())
		to := place{at.section, id}
		p.forms[to.fragment()] = e
		if p.at == at {
			p.replace(to)
		}
	}
	if secret := answer.Text("client_secret"); secret != "" {
		p.dialogs.showOnce(ctx, "client_secret", s.title(p.facts(e.entry, e.now)), secret)
	}
}

// refused tells why a request was, at the controls it is about where the server says so.
func (p *entries) refused(ctx app.Context, s *section, e *editing, r request, sent draft, err error) {
	e.busy = false
	e.problems = nil
	if c, ok := errors.AsType[*client.Error](err); ok && len(c.Problems) > 0 {
		e.problems = s.placed(r, sent, c.Problems)
	}
	if why := e.problems[""]; why != "" || len(e.problems) == 0 {
		if e.failed = p.told(err); !p.ended {
			e.failed = fmt.Sprintf("Not saved. %s Your changes are still here.", e.failed)
		}
		kit.FocusSoon(ctx, ".entry .failed", 0)
		return
	}
	e.failed = "Not saved: some fields need your attention."
	ctx.Defer(func(app.Context) { kit.Focus(`.entry [aria-invalid="true"]`) })
}

// act does an action with the entry of a form.
func (p *entries) act(ctx app.Context, s *section, e *editing, a *action) {
	id, name := e.entry.Text(s.id), s.title(p.facts(e.entry, e.now))
	path := root + s.path + "/" + id
	if a.word != "" {
		path += "/" + a.word
	}
	e.busy = true
	ctx.Async(func() {
		answer, err := p.client.Send(p.life.Context(), a.method, path, a.body)
		p.later(ctx, func(ctx app.Context) {
			e.busy = false
			if err != nil {
				p.actFailed(ctx, e, err)
				return
			}
			p.dialogs.closeDialog(ctx)
			p.toast.Say(ctx, fmt.Sprintf(a.text.Done, quoted(name)))
			switch {
			case a.ends:
				p.leave(ctx, s, id)
			case a.word == "" || answer.Has(s.id):
				e.accept(s, request{leaves: draft{}, whole: true}, maps.Clone(e.now), answer)
				p.put(s, id, e.entry)
			}
			if a.once != "" && answer.Text(a.once) != "" {
				p.dialogs.showOnce(ctx, a.once, name, answer.Text(a.once))
			}
		})
	})
}

// actFailed tells why an action was refused: in the question that is open, else in the form.
func (p *entries) actFailed(ctx app.Context, e *editing, err error) {
	if p.dialogs.current != nil {
		p.dialogs.current.failed = p.told(err)
		return
	}
	e.failed = p.told(err)
	kit.FocusSoon(ctx, ".entry .failed", 0)
}

// leave leaves an entry that is gone, and reloads the lists that refer to it.
func (p *entries) leave(ctx app.Context, s *section, id string) {
	at := place{s.name, id}
	delete(p.forms, at.fragment())
	p.put(s, id, nil)
	for i := range p.sections {
		other := &p.sections[i]
		if other.name != s.name && p.lists[other.name] != nil && !other.log {
			p.load(ctx, other, true)
		}
	}
	if p.at == at {
		p.show(ctx, place{section: s.name})
		kit.FocusSoon(ctx, "#list-title", 0)
	}
}
