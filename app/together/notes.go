package together

import (
	"maps"
	"slices"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Notes tell a person what became of values that they and others have changed: which values of the person others replaced, and which the person
// has typed over before they could see them. The zero Notes has none.
type Notes struct {
	form     *model.Form        // as the page had it last
	wrote    map[string]written // what the person wrote since the page was opened or did not save, by the key of its place
	list     []Note
	arrivals []arrival // of the last seconds
}

// written is a value that the person wrote. had is the one that it replaced.
type written struct {
	place
	is, had merge.Value
	secret  bool
}

// Note is about the value at a place.
type Note struct {
	Who          string // whose value it is, or was
	Mine, Theirs merge.Value
	Over         bool        // the person has typed over Theirs, which they have probably not seen
	Secret       bool        // no value is shown
	Before       *model.Form // with what somebody has removed; nil if there is something
	of           place
}

// Key names the note.
func (n Note) Key() string {
	if n.Over {
		return overKey(n.of.key())
	}
	return n.of.key()
}

// overKey is the key of the note about what the person has typed over at a place.
func overKey(place string) string { return "over " + place }

// Path returns the path of the note in a form, or in Before.
func (n Note) Path(f *model.Form) schema.Path {
	if n.Before != nil {
		f = n.Before
	}
	return n.of.path(f)
}

// arrival is a change of the shared form by somebody else, a moment ago.
type arrival struct {
	before, after *model.Form
	who           string
	at            time.Time
}

// unseenTime is how soon after it came a value counts as not seen.
const unseenTime = 2 * time.Second

// Begin forgets all, and begins with a form that is opened. The person has made the local form of the saved one before.
func (n *Notes) Begin(saved, local *model.Form) {
	*n = Notes{form: saved, wrote: map[string]written{}}
	if saved == local {
		return
	}
	was, is := merge.Differing(saved, local)
	for _, c := range merge.Changes(was, is) {
		if c.Kind == merge.Added {
			n.added(is, c.Path, c.After.Tree, c.Secret())
		}
	}
	n.Wrote(local)
}

// added records the texts of an element that the person has added.
func (n *Notes) added(f *model.Form, at schema.Path, tree any, secret bool) {
	switch v := tree.(type) {
	case *schema.Object:
		for _, m := range v.Members() {
			n.added(f, at.Key(m.Key), m.Value, secret)
		}
	case []any:
		if of := placeOf(f, at); len(of.rest) == 2 && of.node != "" && of.component+of.rule == "" { // the components or the rules of a node
			for i, e := range v {
				n.added(f, at.Index(i), e, secret)
			}
		}
	case string:
		of := placeOf(f, at)
		n.wrote[of.key()] = written{place: of, is: merge.Value{Tree: v, Present: true}, secret: secret}
	}
}

// Wrote records that the person has changed the form. A note about a value that the person writes again goes.
func (n *Notes) Wrote(f *model.Form) {
	if n.form == f || n.form == nil {
		return
	}
	was, is := merge.Differing(n.form, f)
	n.rename(was, is)
	n.form = f
	n.back(is)
	for _, c := range merge.Changes(was, is) {
		of := placeOf(is, c.Path)
		if c.Kind == merge.Moved || c.Layout() || len(of.rest) == 0 {
			continue
		}
		key := of.key()
		w, ok := n.wrote[key]
		if !ok {
			w.had = c.Before
		}
		w.place, w.is, w.secret = of, c.After, c.Secret()
		n.Dismiss(key)
		if n.wrote[key] = w; same(w.is, w.had) {
			delete(n.wrote, key)
		}
	}
}

// Took records that others have made the form of the one before. who made it is "" if it is not a person; then there are no notes.
func (n *Notes) Took(f *model.Form, who string) {
	if n.form == f || n.form == nil {
		return
	}
	before := n.form
	was, is := merge.Differing(before, f)
	n.rename(was, is)
	n.form = f
	n.back(is)
	had, has := newFinder(was), newFinder(is)
	for _, key := range slices.Sorted(maps.Keys(n.wrote)) {
		w := n.wrote[key]
		at := had.path(w.place)
		if at == nil {
			continue
		}
		v := valueAt(was, at)
		to := has.path(w.place)
		if to == nil {
			if same(v, w.is) && who != "" {
				n.add(Note{Who: who, Before: before, of: gone(was, at, is)})
			}
			continue
		}
		now := valueAt(is, to)
		i := n.index(key)
		switch {
		case same(v, now):
		case same(now, w.is):
			n.Dismiss(key)
		case same(v, w.is) && who != "":
			w.had = now
			n.wrote[key] = w
			n.add(Note{Who: who, Mine: w.is, Theirs: now, Secret: w.secret, of: w.place})
		case i >= 0:
			n.list[i].Theirs = now
			if who != "" {
				n.list[i].Who = who
			}
		}
	}
}

// Own returns the paths, in before, of the values that the person wrote and that are different in after. It leaves out values that the saved
// form has, since a note tells the person who changes those, and also lists and objects.
func (n *Notes) Own(saved, before, after *model.Form) (paths []schema.Path) {
	if len(n.wrote) == 0 {
		return nil
	}
	had, has, kept := newFinder(before), newFinder(after), newFinder(saved)
	for _, key := range slices.Sorted(maps.Keys(n.wrote)) {
		w := n.wrote[key]
		at, to := had.path(w.place), has.path(w.place)
		if at == nil || to == nil || !plain(w.is) || !same(valueAt(before, at), w.is) {
			continue
		}
		if now := valueAt(after, to); same(now, w.is) || !plain(now) {
			continue
		}
		if in := kept.path(w.place); in == nil || !same(valueAt(saved, in), w.is) {
			paths = append(paths, at)
		}
	}
	return paths
}

// plain reports whether a value is absent, or is a text, a number or a boolean.
func plain(v merge.Value) bool {
	switch v.Tree.(type) {
	case *schema.Object, []any:
		return false
	}
	return !v.Present || v.Tree != nil
}

// gone returns the largest element around a path of a form that another form lacks.
func gone(was *model.Form, at schema.Path, is *model.Form) place {
	of := placeOf(was, at).element()
	if node := (place{node: of.node}); of.node != "" && node.path(is) == nil {
		return node
	}
	return of
}

// mostFollowed is how many nodes of which one form may differ from another so that renamed elements are followed: a page must not stand still.
const mostFollowed = 2000

// rename follows elements that were renamed.
func (n *Notes) rename(was, is *model.Form) {
	if len(is.Nodes) > mostFollowed || !n.lacks(is) {
		return
	}
	r := flow.RenamesOf(was, is)
	if r.Empty() {
		return
	}
	wrote := map[string]written{}
	for _, w := range n.wrote {
		w.place = w.renamed(r)
		wrote[w.key()] = w
	}
	n.wrote = wrote
	for i := range n.list {
		if t := &n.list[i]; t.Before == nil {
			t.of = t.of.renamed(r)
		}
	}
}

// lacks reports whether a form lacks an element that a note or something that the person wrote is about.
func (n *Notes) lacks(f *model.Form) bool {
	find := newFinder(f)
	for _, w := range n.wrote {
		if find.path(w.place) == nil {
			return true
		}
	}
	return slices.ContainsFunc(n.list, func(t Note) bool { return t.Before == nil && find.path(t.of) == nil })
}

// Settled records that the person has taken the value of somebody else at a path of a form: it is not their own.
func (n *Notes) Settled(f *model.Form, path schema.Path) {
	n.Wrote(f)
	delete(n.wrote, FieldKey(f, path))
}

// Arrived records a change of the shared form by somebody else. What they only renamed has its new id before, too.
func (n *Notes) Arrived(before, after *model.Form, who string, at time.Time) {
	if r := flow.SureRenamesOf(before, after); !r.Empty() {
		before = r.Apply(before)
	}
	n.arrivals = append(n.recent(at), arrival{before, after, who, at})
}

// recent returns the arrivals that the person has probably not seen, in the memory of all.
func (n *Notes) recent(now time.Time) []arrival {
	return slices.DeleteFunc(n.arrivals, func(a arrival) bool { return now.Sub(a.at) > unseenTime })
}

// TypedOver notes that a form has another text at a path than somebody else put there a moment before now.
func (n *Notes) TypedOver(f *model.Form, path schema.Path, now time.Time) {
	n.arrivals = n.recent(now)
	v, of := valueAt(f, path), placeOf(f, path)
	for _, a := range n.arrivals {
		was, is := valueAt(a.before, of.path(a.before)), valueAt(a.after, of.path(a.after))
		if text, ok := is.Tree.(string); ok && !same(is, was) && text != "" && !same(is, v) {
			n.add(Note{Who: a.who, Theirs: is, Over: true, of: of})
		}
	}
}

// back removes the notes about what a form has again.
func (n *Notes) back(f *model.Form) {
	find := newFinder(f)
	n.remove(func(t Note) bool {
		path := find.path(t.of)
		return path != nil && (t.Before != nil || t.Over && same(valueAt(f, path), t.Theirs))
	})
}

// Left forgets what the person has typed over: they have looked at something else since.
func (n *Notes) Left() { n.remove(func(t Note) bool { return t.Over }) }

// List returns the notes, the newest last. The caller must not change the list.
func (n *Notes) List() []Note { return n.list }

// At returns the notes at a path of a form, the newest last: at most one about what the person has typed over, and one about what others have
// replaced.
func (n *Notes) At(f *model.Form, path schema.Path) (at []Note) {
	if len(n.list) == 0 {
		return nil
	}
	key := FieldKey(f, path)
	for _, t := range n.list {
		if t.of.key() == key {
			at = append(at, t)
		}
	}
	return at
}

// Dismiss removes the note with a key.
func (n *Notes) Dismiss(key string) { n.remove(func(t Note) bool { return t.Key() == key }) }

// remove removes notes. The list is copied: a caller may be reading it.
func (n *Notes) remove(these func(Note) bool) {
	if slices.ContainsFunc(n.list, these) {
		n.list = slices.DeleteFunc(slices.Clone(n.list), these)
	}
}

func (n *Notes) index(key string) int {
	return slices.IndexFunc(n.list, func(t Note) bool { return t.Key() == key })
}

// add adds a note in place of the one with its key. A note about a value that the person has typed over stays when others replace what they
// typed: it may be the only place that still has that value.
func (n *Notes) add(t Note) {
	n.Dismiss(t.Key())
	n.list = append(slices.Clip(n.list), t)
}

func valueAt(f *model.Form, p schema.Path) merge.Value {
	v, ok := schema.Lookup(f.Tree(), p)
	return merge.Value{Tree: v, Present: ok}
}

func same(a, b merge.Value) bool { return a.Present == b.Present && schema.Equal(a.Tree, b.Tree) }
