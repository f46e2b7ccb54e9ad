package admin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// entries reads, changes and closes the open entry.
type entries struct {
	*desk
	dialogs *dialogs
}

// load reads the list of a section if it has not been read yet, or in any case if again is set.
func (p *entries) load(ctx app.Context, s *section, again bool) {
	l := p.list(s)
	if again || !l.Begun() || l.Err != nil {
		l.Load(ctx, p.calls())
	}
	if s.watched == "" || p.watched[s.name] != nil && !again {
		return
	}
	p.async(ctx, func(c context.Context) func(app.Context) {
		entry, err := p.client.Object(c, s.address(s.watched)+s.suffix())
		if err != nil {
			return nil // the list shows the error
		}
		return func(app.Context) { p.watched[s.name] = entry }
	})
}

// openForm starts the form of the open place: a blank one, or that of an entry, which is read together with its
// sets.
func (p *entries) openForm(ctx app.Context, s *section) {
	at := p.at
	if at.entry == fresh {
		e := newEditing(s)
		p.forms[at.fragment()] = e
		p.offer(ctx, s, e)
		return
	}
	e := &editing{was: draft{}, now: draft{}}
	p.forms[at.fragment()] = e
	p.readForm(ctx, s, e, at.entry)
}

func (p *entries) readForm(ctx app.Context, s *section, e *editing, id string) {
	e.loading, e.err = true, nil
	p.async(ctx, func(c context.Context) func(app.Context) {
		entry, err := p.client.Object(c, s.address(id)+s.suffix())
		var sets map[string][]*schema.Object
		if err == nil {
			sets, err = p.readSets(c, s, id)
		}
		var things []*schema.Object
		if err == nil {
			things, err = p.readOwned(c, s, id)
		}
		return func(ctx app.Context) {
			e.loading, e.err = false, err
			if err != nil {
				p.explain(err)
				return
			}
			e.loaded(s, entry, sets)
			e.owned = things
			p.put(s, id, entry, false)
			p.offer(ctx, s, e)
		}
	})
}

// readSets reads the sets of an entry except the long ones. It must not run on the page's goroutine.
func (p *entries) readSets(ctx context.Context, s *section, id string) (map[string][]*schema.Object, error) {
	sets := map[string][]*schema.Object{}
	for i := range s.fields {
		f := &s.fields[i]
		if f.set == nil || f.set.long {
			continue
		}
		var err error
		if sets[f.path], err = p.client.Objects(ctx, s.address(id)+"/"+f.path); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// settleNew shows values that the tenant gives a new entry by default, such as default roles. Values that cannot be
// read are shown when the entry is next opened.
func (p *entries) settleNew(ctx app.Context, s *section, e *editing, id string) {
	p.async(ctx, func(c context.Context) func(app.Context) {
		sets, err := p.readSets(c, s, id)
		return func(ctx app.Context) {
			if err != nil {
				kit.LogError(err.Error())
				return
			}
			e.loaded(s, e.entry, sets)
			p.offer(ctx, s, e)
		}
	})
}

// save sends the changes of the open form, one request after the other. Input made in the meantime is kept.
func (p *entries) save(ctx app.Context) {
	s, e, at := p.section(), p.form(), p.at
	if s == nil || e == nil || e.busy || e.loading || at.entry != fresh && !e.dirty(s) {
		return
	}
	id := at.entry
	if id == fresh {
		id = ""
	}
	e.busy, e.failed, e.problems = true, "", nil
	sent := maps.Clone(e.now)
	p.send(ctx, saving{s: s, e: e, at: at, id: id, made: id == "", sent: sent, left: s.plan(id, e.was, sent)})
}

// saving is a plan in progress.
type saving struct {
	s    *section
	e    *editing
	at   place  // of the form when the save began
	id   string // of the entry, "" until it is created
	made bool
	sent draft
	left []request
}

// send sends the next request of a plan, and then the rest.
func (p *entries) send(ctx app.Context, v saving) {
	if len(v.left) == 0 {
		p.saved(ctx, v)
		return
	}
	r := v.left[0]
	p.async(ctx, func(c context.Context) func(app.Context) {
		answer, err := p.client.Send(c, r.method, root+strings.ReplaceAll(r.path, ownID, v.id), r.body)
		if err == nil && v.id == "" {
			v.id = answer.Text(v.s.id)
		}
		if err == nil && r.whole && v.s.query != "" { // the answer lacks the members that the query adds
			if read, err := p.client.Object(c, v.s.address(v.id)+v.s.suffix()); err == nil {
				answer = read
			}
		}
		return func(ctx app.Context) {
			if err != nil {
				p.refused(ctx, v, r, err)
				return
			}
			p.accepted(ctx, v, r, answer)
			v.left = v.left[1:]
			p.send(ctx, v)
		}
	})
}

// saved runs after all requests of a plan.
func (p *entries) saved(ctx app.Context, v saving) {
	s, e := v.s, v.e
	e.busy = false
	// The tenant may have normalized the input, even in the focused control.
	kit.Drawn(ctx, func(app.Context) { kit.SyncControls("") })
	text := "%s was saved."
	if v.made {
		text = "%s was created."
		p.settleNew(ctx, s, e, v.id)
	}
	p.toast.Say(ctx, fmt.Sprintf(text, kit.Quote(s.called(p.facts(e.entry, e.now)))))
	for i := range s.actions {
		if a := &s.actions[i]; v.made && a.follows && p.user.Can(a.scope) {
			p.act(ctx, s, e, a)
		}
	}
}

// accepted records the result of one request of a plan.
func (p *entries) accepted(ctx app.Context, v saving, r request, answer *schema.Object) {
	s, e := v.s, v.e
	e.accept(s, r, v.sent, answer)
	if !r.whole {
		return
	}
	p.put(s, v.id, e.entry, v.made)
	if v.at.entry == fresh && p.forms[v.at.fragment()] == e {
		delete(p.forms, v.at.fragment())
		to := place{s.name, v.id}
		p.forms[to.fragment()] = e
		if p.at == v.at {
			p.replace(to)
		}
	}
	if secret := answer.Text("client_secret"); secret != "" {
		p.dialogs.showOnce(ctx, "client_secret", s.called(p.facts(e.entry, e.now)), secret)
	}
}

// replace replaces the current place in the address.
func (p *desk) replace(to place) {
	p.at = to
	app.Window().Get("history").Call("replaceState", nil, "", to.fragment())
	// go-app learns of it as it does of a step back: it compares the next address with this one.
	app.Window().Call("dispatchEvent", app.Window().Get("PopStateEvent").New("popstate"))
}

// refused shows why a request was refused, at the controls that the server names.
func (p *entries) refused(ctx app.Context, v saving, r request, err error) {
	e := v.e
	e.busy = false
	e.problems = nil
	if v.made && v.id != "" {
		p.settleNew(ctx, v.s, e, v.id)
	}
	if c, ok := errors.AsType[*client.Error](err); ok && len(c.Problems) > 0 {
		e.problems = v.s.placed(r, v.sent, c.Problems)
	}
	if why := e.problems[""]; why != "" || len(e.problems) == 0 {
		if e.failed = p.explain(err); !p.ended {
			e.failed = fmt.Sprintf("Not saved. %s Your changes are still here.", e.failed)
		}
		kit.FocusSoon(ctx, ".entry .failed", 0)
		return
	}
	e.failed = "Not saved: some fields need your attention."
	ctx.Defer(func(app.Context) { kit.Focus(`.entry [aria-invalid="true"]`) })
}

// act carries out an action on the entry of a form.
func (p *entries) act(ctx app.Context, s *section, e *editing, a *action) {
	id, name := e.entry.Text(s.id), s.called(p.facts(e.entry, e.now))
	path := s.address(id)
	if a.word != "" {
		path += "/" + a.word
	}
	e.busy = true
	p.async(ctx, func(c context.Context) func(app.Context) {
		answer, err := p.client.Send(c, a.method, path, a.body)
		return func(ctx app.Context) {
			e.busy = false
			if err != nil {
				p.actFailed(ctx, e, err)
				return
			}
			p.dialogs.close(ctx)
			p.toast.Say(ctx, fmt.Sprintf(a.done, kit.Quote(name)))
			switch {
			case a.ends():
				p.leave(ctx, s, id)
			case a.word == "" || answer.Has(s.id):
				e.accept(s, request{leaves: draft{}, whole: true}, maps.Clone(e.now), answer)
				p.put(s, id, e.entry, false)
			}
			if a.once != "" && answer.Text(a.once) != "" {
				p.dialogs.showOnce(ctx, a.once, name, answer.Text(a.once))
			}
		}
	})
}

// actFailed shows why an action was refused: in the open question if there is one, else in the form.
func (p *entries) actFailed(ctx app.Context, e *editing, err error) {
	if p.dialogs.current != nil {
		p.dialogs.current.failed = p.explain(err)
		return
	}
	e.failed = p.explain(err)
	kit.FocusSoon(ctx, ".entry .failed", 0)
}

// leave closes a deleted entry. Data of other sections may refer to it and is read again when they are next opened.
func (p *entries) leave(ctx app.Context, s *section, id string) {
	at := place{s.name, id}
	delete(p.forms, at.fragment())
	p.put(s, id, nil, false)
	maps.DeleteFunc(p.lists, func(name string, _ *kit.List) bool { return name != s.name })
	if p.at == at {
		p.show(ctx, place{section: s.name})
		kit.FocusSoon(ctx, "#list-title", 0)
	}
}
