package versions

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/store"
)

// Limits of versions.
const (
	// maxChain is how many versions a chain has at most: opening one applies the edits of all before it.
	maxChain = 64
	// lookBack is how many of the newest versions are compared with a form: replicas may record what was saved in another order.
	lookBack = 20
	// authorTime is how long after a save its author may be added to a version that was noticed before: longer than a save waits to be
	// recorded. A person who saves the same form again much later has not made it.
	authorTime = 15 * time.Minute
	// attempts is how often a version is added whose number another replica takes.
	attempts = 20
)

// Author is the person who saved a form; the zero value means that nobody knows, as for a form that was only read.
type Author struct{ Name, ID string }

func (a Author) unknown() bool { return a == Author{} }

// History records and opens versions. Its fields are constant; it is safe for concurrent use, except that a form is recorded by one goroutine at a time.
type History struct {
	Stored store.Versions
	Now    func() time.Time // the clock of the store
	// Changed is told of a new version and the one before it; may be nil.
	Changed func(ctx context.Context, form string, before, now *model.Form)

	most int // see maxStored

	knows sync.Mutex
	known *recent.Map[string, *latest]

	blamed sync.Mutex
	blames *recent.Map[string, knownBlame]
}

// maxKnown is how many forms have their latest version in memory, some megabytes for a large one.
const maxKnown = 8

// NewHistory returns the versions in a store.
func NewHistory(stored store.Versions, now func() time.Time) *History {
	return &History{Stored: stored, Now: now, most: maxStored, known: recent.New[string, *latest](maxKnown), blames: newBlames()}
}

// latest is what a new version of a form is compared with. What another process adds meanwhile takes the number of the new version.
type latest struct {
	recent []store.Version // the newest, without their bodies
	last   int             // the greatest number, 0 for none
	size   int             // the bytes of all versions as stored
	chain  int             // the length of its chain
	text   []byte          // of the version with the greatest number; nil if it is damaged
	form   *model.Form     // of text, nil if it was not read
}

// latest reads the latest versions of a form.
func (h *History) latest(ctx context.Context, form string) (*latest, error) {
	h.knows.Lock()
	l, ok := h.known.Get(form)
	h.knows.Unlock()
	if ok {
		return l, nil
	}
	l = &latest{}
	var err error
	// The number is read before the list. So if another process adds a version in between, its number is taken and it is found at the next attempt.
	if l.last, err = h.Stored.Last(ctx, form); err != nil {
		return nil, err
	}
	if l.recent, _, err = h.Stored.List(ctx, form, 0, lookBack); err != nil {
		return nil, err
	}
	sizes, err := h.Stored.Sizes(ctx, form)
	if err != nil {
		return nil, err
	}
	for _, size := range sizes {
		l.size += size
	}
	if l.last > 0 {
		chain, text, err := h.read(ctx, form, l.last)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return nil, err
		}
		l.chain, l.text = len(chain), text
	}
	h.know(form, l)
	return l, nil
}

// know remembers the latest versions of a form; nil forgets them.
func (h *History) know(form string, l *latest) {
	h.knows.Lock()
	defer h.knows.Unlock()
	if l == nil {
		h.known.Delete(form)
	} else {
		h.known.Put(form, l)
	}
}

// with returns the latest versions after one was added.
func (l *latest) with(v store.Version, c content, now *model.Form) *latest {
	next := &latest{last: v.Number, size: l.size + len(v.Body) + len(v.Changed), chain: 1, text: c.text, form: now}
	if v.Base != v.Number {
		next.chain += l.chain
	}
	v.Body, v.Changed = nil, nil
	at, _ := slices.BinarySearchFunc(l.recent, v, func(a, b store.Version) int {
		return -cmp.Or(a.Saved.Compare(b.Saved), cmp.Compare(a.Number, b.Number))
	})
	next.recent = slices.Insert(slices.Clone(l.recent), at, v)
	next.recent = next.recent[:min(len(next.recent), lookBack)]
	return next
}

// after returns the number of the version that was saved after a new one, 0 for none.
func (l *latest) after(v store.Version) int {
	number := 0
	for _, next := range l.recent {
		if next.Saved.After(v.Saved) {
			number = next.Number
		}
	}
	return number
}

// record records a form in an answer of the tenant if it is a new version. Error errForm means that the answer is not a form.
func (h *History) record(ctx context.Context, form string, body []byte, by Author, automatic bool) error {
	c, err := readContent(body)
	if err != nil {
		return err
	}
	for range attempts {
		if err = h.add(ctx, form, c, by, automatic); err == nil {
			return nil
		}
		h.know(form, nil) // nobody knows what was stored
		if !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return err
}

// add adds content as a version unless it is one already. It returns store.ErrConflict or store.ErrNotFound if another process has intervened.
func (h *History) add(ctx context.Context, form string, c content, by Author, automatic bool) error {
	l, err := h.latest(ctx, form)
	if err != nil {
		return err
	}
	if known := find(l.recent, c, by); known > 0 {
		return h.credit(ctx, form, known, by)
	}
	if by.unknown() && !c.saved.IsZero() && len(l.recent) > 0 && !c.saved.After(l.recent[0].Saved) {
		// It was read before the newest version was saved, or the tenant answers reads differently from saves.
		return nil
	}
	v := store.Version{Form: form, Saved: c.saved, Author: by.Name, AuthorID: by.ID, Hash: c.hash, Automatic: automatic}
	if c.saved.IsZero() {
		if v.Saved = h.Now().UTC().Truncate(store.Resolution); len(l.recent) > 0 {
			v.Saved = store.After(l.recent[0].Saved, v.Saved)
		}
	}
	v.Number, v.Base = l.last+1, l.last+1
	if l.text != nil && l.chain < maxChain {
		if body := edited(l.text, c.text); body != nil {
			v.Base, v.Body = l.last, body
		}
	}
	if v.Body == nil {
		v.Body = whole(c.text)
	}
	now := model.FromTree(c.tree)
	before, err := h.before(ctx, l, v)
	if err != nil {
		return err
	}
	if before != nil {
		now = before.Share(now) // comparing takes less time, and keeping both less memory
		v.Summary = summary(before, now)
	}
	if err := ctx.Err(); err != nil { // comparing large forms takes a while
		return err
	}
	// What the version after it changed was found in comparison with the one before it.
	if after := l.after(v); after > 0 {
		_, err = h.Stored.Describe(ctx, form, after, func(v *store.Version) error { v.Changed = nil; return nil })
		if err != nil {
			return err
		}
	}
	if before != nil || len(l.recent) == 0 {
		m := marksOf(before, now)
		v.Changed = m.encode()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := h.Stored.Add(ctx, v); err != nil {
		return err
	}
	l = l.with(v, c, now)
	h.know(form, l)
	if before != nil && h.Changed != nil {
		h.Changed(ctx, form, before, now)
	}
	if v.Number%pruneEvery == 0 || l.size > h.most-spare(h.most) {
		return h.prune(ctx, form)
	}
	return nil
}

// find returns the number of the version that has the content, 0 for none.
func find(list []store.Version, c content, by Author) int {
	for i, v := range list {
		same := bytes.Equal(v.Hash, c.hash)
		// A form that was read may be an old one. One that was saved may have the content and, in seconds, the date of an earlier version; it is
		// that version only if nobody is known to have saved it.
		old := by.unknown() && (c.saved.IsZero() || v.Saved.Equal(c.saved))
		if same && (i == 0 || old || v.Saved.Equal(c.saved) && v.Author == "" && v.AuthorID == "") {
			return v.Number
		}
	}
	return 0
}

// credit adds the author to a version that was noticed before its save was recorded.
func (h *History) credit(ctx context.Context, form string, number int, by Author) error {
	if by.unknown() {
		return nil
	}
	_, err := h.Stored.Describe(ctx, form, number, func(v *store.Version) error {
		if v.Author != "" || v.AuthorID != "" || h.Now().Sub(v.Saved) > authorTime {
			return errKept
		}
		v.Author, v.AuthorID = by.Name, by.ID
		return nil
	})
	if errors.Is(err, errKept) {
		return nil
	}
	return err
}

var errKept = errors.New("the version stays as it is")

// before returns the form of the version that was saved before a new one, or nil if there is none that can be read.
func (h *History) before(ctx context.Context, l *latest, v store.Version) (*model.Form, error) {
	at := slices.IndexFunc(l.recent, func(before store.Version) bool { return !before.Saved.After(v.Saved) })
	if at < 0 {
		return nil, nil
	}
	before := l.recent[at].Number
	if before == l.last && l.form != nil {
		return l.form, nil
	}
	_, tree, err := h.Open(ctx, v.Form, before)
	switch {
	case errors.Is(err, ErrDamaged):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return model.FromTree(tree), nil
}

// read returns a version with those that it is based on, and its text.
func (h *History) read(ctx context.Context, form string, number int) ([]store.Version, []byte, error) {
	chain, err := h.Stored.Chain(ctx, form, number)
	if err != nil {
		return nil, nil, err
	}
	text, err := textOf(chain)
	return chain, text, err
}

// Open returns a version and its form, without the id and the dates. It returns store.ErrNotFound if there is no such
// version, and ErrDamaged if it cannot be read.
func (h *History) Open(ctx context.Context, form string, number int) (store.Version, *schema.Object, error) {
	v, text, err := h.Text(ctx, form, number)
	if err != nil {
		return store.Version{}, nil, err
	}
	tree, err := Tree(text)
	if err != nil {
		return store.Version{}, nil, fmt.Errorf("open version %d: %w", number, err)
	}
	return v, tree, nil
}

// Text is Open without reading the form, which takes far more time and memory: it returns the text for Tree.
func (h *History) Text(ctx context.Context, form string, number int) (store.Version, []byte, error) {
	chain, text, err := h.read(ctx, form, number)
	if err != nil {
		return store.Version{}, nil, fmt.Errorf("open version %d: %w", number, err)
	}
	return chain[len(chain)-1], text, nil
}

// Tree returns the form of the text of a version, or ErrDamaged.
func Tree(text []byte) (*schema.Object, error) {
	tree, problems := schema.DecodeGrown(text)
	object, ok := tree.(*schema.Object)
	if !ok || len(problems) > 0 {
		return nil, fmt.Errorf("%w: it is not a form", ErrDamaged)
	}
	return object, nil
}

// again encodes a version anew, as edits of another one if that does not make its chain longer, else as a whole form. base is 0 for a whole
// form.
func (h *History) again(ctx context.Context, form string, number, base int) (store.Version, error) {
	chain, text, err := h.read(ctx, form, number)
	if err != nil {
		return store.Version{}, err
	}
	v := chain[len(chain)-1]
	if base > 0 {
		before, old, err := h.read(ctx, form, base)
		if err != nil {
			return store.Version{}, err
		}
		if body := edited(old, text); body != nil && len(before) < len(chain) {
			v.Base, v.Body = base, body
			return v, nil
		}
	}
	v.Base, v.Body = number, whole(text)
	return v, nil
}
