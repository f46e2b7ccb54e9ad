package versions

import (
	"context"
	"errors"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/store"
)

// Change is the version that changed an element last.
type Change struct {
	Number int
	Saved  time.Time
	By     Author
	Name   string // of the version, "" for none
	Kept   bool   // the version can be opened: it was not removed because of its age
}

// Blame tells who changed the elements of a form last. An element that is not in it was changed before the first version that is known.
//
// A node has changed if anything in it differs, except its position; a component, if its content differs or it is in another step; a rule, if
// it differs. The order of nodes and translations do not count, and neither does another id: references to it may change with it.
type Blame struct {
	Newest            int // the number of the version whose elements these are
	Nodes, Components map[string]*Change
	Rules             map[string]map[string]*Change // by router
	// Complete is false if there was no time for older versions; the next call goes on.
	Complete bool
}

// Limits of blame.
const (
	// blameTime bounds how long versions are compared that were recorded without what they changed.
	blameTime = 2 * time.Second
	// maxBlames is how many forms are remembered.
	maxBlames = 32
)

// blameKey identifies the versions of a form: whatever is added, removed or credited to an author changes it.
type blameKey struct {
	newest, total int
	by            Author
}

type knownBlame struct {
	key blameKey
	*Blame
}

// Blame tells who changed the elements of a form last. It returns store.ErrNotFound if the form has no versions. The caller must not change
// what it returns.
func (h *History) Blame(ctx context.Context, form string) (*Blame, error) {
	page, total, err := h.Stored.List(ctx, form, 0, 1)
	if err != nil {
		return nil, err
	}
	if len(page) == 0 {
		return nil, store.ErrNotFound
	}
	key := blameKey{page[0].Number, total, Author{page[0].Author, page[0].AuthorID}}
	h.blamed.Lock()
	known, ok := h.blames.Get(form)
	h.blamed.Unlock()
	if ok && known.key == key {
		return known.Blame, nil
	}
	b, err := h.blame(ctx, form)
	if err == nil && b.Complete {
		h.blamed.Lock()
		h.blames.Put(form, knownBlame{key, b})
		h.blamed.Unlock()
	}
	return b, err
}

func newBlames() *recent.Map[string, knownBlame] {
	return recent.New[string, knownBlame](maxBlames)
}

func (h *History) blame(ctx context.Context, form string) (*Blame, error) {
	all, err := h.Stored.Changes(ctx, form)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, store.ErrNotFound
	}
	_, tree, err := h.Open(ctx, form, all[0].Number)
	if err != nil {
		return nil, err
	}
	w := &walk{h: h, all: all, until: time.Now().Add(blameTime), found: map[element]*Change{}, here: newNames()}
	w.open = elementsOf(model.FromTree(tree))
	if err := w.run(ctx); err != nil {
		return nil, err
	}
	b := &Blame{
		Newest: all[0].Number, Nodes: map[string]*Change{}, Components: map[string]*Change{}, Rules: map[string]map[string]*Change{},
		Complete: w.complete,
	}
	for _, e := range w.open.order {
		c := w.found[e]
		switch {
		case c == nil:
		case e.kind() == 'n':
			b.Nodes[e.id()] = c
		case e.kind() == 'c':
			b.Components[e.id()] = c
		default:
			router, id := e.rule()
			if b.Rules[router] == nil {
				b.Rules[router] = map[string]*Change{}
			}
			b.Rules[router][id] = c
		}
	}
	return b, nil
}

// walk goes from the newest version back until every element is found.
type walk struct {
	h        *History
	all      []store.Version // newest first
	until    time.Time
	open     *elements // of the newest version
	found    map[element]*Change
	here     *names // from those of the present version to those of the newest
	complete bool
}

func (w *walk) run(ctx context.Context) error {
	for i := range w.all {
		if err := ctx.Err(); err != nil {
			return err
		}
		v := &w.all[i]
		m, ok, err := w.h.marksOf(ctx, w.all, i, w.until)
		if err != nil || !ok {
			return err
		}
		own := &Change{v.Number, v.Saved, Author{v.Author, v.AuthorID}, v.Name, true}
		w.take(m.Own, own)
		for _, old := range m.Earlier {
			c := &Change{old.Number, old.Saved, Author{old.Author, old.AuthorID}, "", false}
			if w.take(old.Of, c); old.All {
				w.rest(c)
			}
		}
		if m.All {
			w.rest(own)
		}
		if m.Unknown || len(w.found) == len(w.open.order) {
			break
		}
		w.here.back(m.Renamed)
	}
	w.complete = true
	return nil
}

// take takes a change of elements for which there is no later one.
func (w *walk) take(of []element, c *Change) {
	for _, e := range of {
		now := w.here.of(e)
		if _, exists := w.open.parts[now]; exists && w.found[now] == nil {
			w.found[now] = c
		}
	}
}

// rest takes a change of all elements that are left.
func (w *walk) rest(c *Change) {
	for _, e := range w.open.order {
		if w.found[e] == nil {
			w.found[e] = c
		}
	}
}

// marksOf returns what a version changed. It compares and stores that if it was not stored, unless it is too late, when ok is false. The list
// is that of all versions, newest first.
func (h *History) marksOf(ctx context.Context, all []store.Version, i int, until time.Time) (m marks, ok bool, err error) {
	v := &all[i]
	if len(v.Changed) > 0 {
		m, err = readMarks(v)
		return m, err == nil, err
	}
	if time.Now().After(until) {
		return m, false, nil
	}
	now, err := h.formOf(ctx, v)
	var before *model.Form
	if err == nil && i+1 < len(all) {
		if before, err = h.formOf(ctx, &all[i+1]); err == nil {
			now = before.Share(now)
		}
	}
	if m = (marks{Unknown: true}); err == nil {
		m = marksOf(before, now)
	} else if !errors.Is(err, ErrDamaged) {
		return m, false, err
	}
	v.Changed = m.encode()
	_, err = h.Stored.Describe(ctx, v.Form, v.Number, func(stored *store.Version) error {
		stored.Changed = v.Changed
		return nil
	})
	return m, err == nil, err
}

// formOf opens a version.
func (h *History) formOf(ctx context.Context, v *store.Version) (*model.Form, error) {
	_, tree, err := h.Open(ctx, v.Form, v.Number)
	if err != nil {
		return nil, err
	}
	return model.FromTree(tree), nil
}

// bequeath adds the marks of versions that are about to be removed to those of the next versions that stay. Repeating it changes nothing.
func (h *History) bequeath(ctx context.Context, form string, gone map[int]bool) error {
	all, err := h.Stored.Changes(ctx, form)
	if err != nil {
		return err
	}
	var left *marks // of the removed ones before this version
	for i := len(all) - 1; i >= 0; i-- {
		if !gone[all[i].Number] && left == nil {
			continue
		}
		m, ok, err := h.marksOf(ctx, all, i, time.Now().Add(time.Hour))
		if err != nil || !ok {
			return err
		}
		if left != nil {
			var now *elements
			if !gone[all[i].Number] {
				f, err := h.formOf(ctx, &all[i])
				if err != nil && !errors.Is(err, ErrDamaged) {
					return err
				}
				if err == nil {
					now = elementsOf(f)
				}
			}
			m.inherit(&all[i+1], *left, now)
		}
		if left = nil; gone[all[i].Number] {
			left = &m
			continue
		}
		if _, err := h.Stored.Describe(ctx, form, all[i].Number, func(v *store.Version) error { v.Changed = m.encode(); return nil }); err != nil {
			return err
		}
	}
	return nil
}
