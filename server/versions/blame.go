package versions

import (
	"context"
	"errors"
	"math"
	"slices"
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
	// maxBlames is how many forms are remembered, and blameLife for how long: other processes also name versions and credit authors.
	maxBlames = 32
	blameLife = time.Minute
)

// knownBlame is an earlier result.
type knownBlame struct {
	*Blame

	by    Author // of the newest version
	total int    // how many versions there were
	found time.Time
}

// Blame tells who changed the elements of a form last. It returns store.ErrNotFound if the form has no versions. The caller must not change
// what it returns.
func (h *History) Blame(ctx context.Context, form string) (*Blame, error) {
	page, total, err := h.Stored.List(ctx, form, 0, lookBack+1)
	if err != nil {
		return nil, err
	}
	if len(page) == 0 {
		return nil, store.ErrNotFound
	}
	h.blamed.Lock()
	known, ok := h.blames.Get(form)
	h.blamed.Unlock()
	news := -1
	if ok && time.Since(known.found) < blameLife {
		news = known.newsIn(page, total)
	}
	var b *Blame
	switch {
	case news == 0:
		return known.Blame, nil
	case news > 0:
		b, err = h.blame(ctx, form, news, known.Blame)
	}
	if b == nil && err == nil {
		known.found = time.Now()
		b, err = h.blame(ctx, form, math.MaxInt32, nil)
	}
	if err == nil && b.Complete {
		h.blamed.Lock()
		h.blames.Put(form, knownBlame{b, Author{page[0].Author, page[0].AuthorID}, total, known.found})
		h.blamed.Unlock()
	}
	return b, err
}

// newsIn returns how many versions are newer than the known ones, given the newest versions of the form and their total. It returns -1 if anything
// else has changed, or if more are newer than the list has.
func (k knownBlame) newsIn(page []store.Version, total int) int {
	at := slices.IndexFunc(page, func(v store.Version) bool { return v.Number == k.Newest && Author{v.Author, v.AuthorID} == k.by })
	if at != total-k.total {
		return -1
	}
	return at
}

func newBlames() *recent.Map[string, knownBlame] {
	return recent.New[string, knownBlame](maxBlames)
}

// blame finds the changes in up to limit of the newest versions, and takes those of the versions before them from known, which may be nil. It
// returns nil if the version before them is not the newest that is known.
func (h *History) blame(ctx context.Context, form string, limit int, known *Blame) (*Blame, error) {
	if known != nil {
		limit++ // the newest that is known, with which the next is compared
	}
	all, err := h.Stored.Changes(ctx, form, limit)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, store.ErrNotFound
	}
	w := &walk{h: h, all: all, news: len(all), until: time.Now().Add(blameTime), found: map[element]*Change{}, here: newNames()}
	if known != nil {
		if w.news--; all[w.news].Number != known.Newest {
			return nil, nil //nolint:nilnil // see above
		}
	}
	_, tree, err := h.Open(ctx, form, all[0].Number)
	if err != nil {
		return nil, err
	}
	w.open = elementsOf(model.FromTree(tree))
	if err := w.run(ctx, known); err != nil {
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
	news     int             // how many of them are looked at
	until    time.Time
	open     *elements // of the newest version
	found    map[element]*Change
	here     *names // from those of the present version to those of the newest
	complete bool
}

// run goes through the new versions, and then takes the known changes of those before them.
func (w *walk) run(ctx context.Context, known *Blame) error {
	for i := range w.news {
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
			w.complete = true
			return nil
		}
		w.here.back(m.Renamed)
	}
	if w.complete = true; known != nil {
		w.takeKnown(known)
	}
	return nil
}

// takeKnown takes the changes of the elements of an older version.
func (w *walk) takeKnown(b *Blame) {
	for id, c := range b.Nodes {
		w.take([]element{nodeOf(id)}, c)
	}
	for id, c := range b.Components {
		w.take([]element{componentOf(id)}, c)
	}
	for router, rules := range b.Rules {
		for id, c := range rules {
			w.take([]element{ruleOf(router, id)}, c)
		}
	}
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
	all, err := h.Stored.Changes(ctx, form, math.MaxInt32)
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
