package live

import (
	"errors"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Copy is a page's copy of a shared form. The page itself has the local form, which people see and edit: the shared one with what the page
// has not yet told, and with the values of its forks. A Copy is not safe for concurrent use.
type Copy struct {
	page   string
	number int
	shared *model.Form // of that number, without the properties that only a response has
	level  *model.Form // a local form that has the content of shared; nil if none is known
	etag   string      // of the saved form that it contains
	// base is the shared form with the forks as they were before anybody changed them, so that the merge of base, the local form and
	// shared finds every fork again.
	base   *model.Form
	serial int   // of the last entry that was offered
	sent   *sent // the offer without an answer; nil for none
	recent []numbered
	own    Own
}

// Own returns the paths, in the shared form before, of the values that the person on this page wrote, that the others have got, and that are
// different in the next shared form, after. They are forks, too: the person's values stay in the local form until the person decides. Own should
// leave out values that are saved.
type Own func(before, after *model.Form) []schema.Path

// sent is an offer.
type sent struct {
	Entry
	form  *model.Form // what others have then
	local *model.Form // of which it was made without leaving out forks; nil if some were left out
}

// numbered is a shared form that a save may be of.
type numbered struct {
	number int
	form   *model.Form
	size   int // beside the one before, see [model.Form.SizeBeside]
}

// maxRecent is how many shared forms are kept, to recognize saves, and maxRecentSize bounds what they take in memory. Forms share their nodes,
// but others may replace all of them each time. The last form is kept in any case.
const (
	maxRecent     = 256
	maxRecentSize = 16 << 20
)

// Step is what the work of others does to a page.
type Step struct {
	// Before and After are the shared form before and after. They are the same if nothing has changed. Values whose paths Own returned are null in
	// Before, so that a merge of the step into another form finds the same forks.
	Before, After *model.Form
	// Local is the local form after the step.
	Local *model.Form
	// Forks are all values that the page and others have changed differently, and that are not decided; Local has those of the page.
	Forks []merge.Conflict
	// Told are the other places where the page and others contradicted each other. Local has the outcome, which people should know.
	Told []merge.Conflict
	// Own reports that the step is the page's own offer.
	Own bool
}

// Errors of Copy.Take. ErrGap is returned for an entry that does not follow the number of the copy, and ErrDiffers for one whose digest says
// that the copy is not what others have.
var (
	ErrGap     = errors.New("entries are missing")
	ErrDiffers = errors.New("the copy differs from the shared form")
)

// Open returns the copy of a page that begins a shared form, with the number 0.
func Open(page string, f *model.Form, etag string) *Copy {
	shared := content(f)
	return &Copy{page: page, shared: shared, level: f, base: shared, etag: etag, recent: []numbered{{form: shared}}}
}

// content returns the content of a form, see Content.
func content(f *model.Form) *model.Form {
	if tree := Content(f.Tree()); tree != f.Tree() {
		return f.Derive(tree)
	}
	return f
}

// Content returns the tree of a form without the properties that only a response has: nobody edits them, and shared forms lack them.
func Content(tree *schema.Object) *schema.Object {
	for _, m := range tree.Members() {
		if model.ResponseOnly(m.Key) {
			tree = tree.Without(m.Key)
		}
	}
	return tree
}

// Shared reports whether the value at a path belongs to what shared forms have.
func Shared(p schema.Path) bool { return len(p) > 0 && p[0].Index < 0 && !model.ResponseOnly(p[0].Key) }

// leveled returns the shared form with the properties of a local one that only a response has.
func leveled(shared, local *model.Form) *model.Form {
	tree := shared.Tree()
	for _, m := range local.Tree().Members() {
		if model.ResponseOnly(m.Key) {
			tree = tree.With(m.Key, m.Value)
		}
	}
	return local.Derive(tree, shared)
}

// Join returns the copy of a page that begins to edit a form shared by others, and the step that takes their work. saved is the saved form
// from which local was made, of the same version that shared contains.
func Join(page string, saved, local *model.Form, number int, shared *model.Form, etag string) (*Copy, Step) {
	c := Open(page, saved, etag)
	c.recent = nil
	step := c.leap(local, number, shared)
	return c, step
}

// Owns sets the function that names the person's own values. Without it there are none.
func (c *Copy) Owns(own Own) { c.own = own }

// Page returns the name of the page.
func (c *Copy) Page() string { return c.page }

// Rename gives the page another name.
func (c *Copy) Rename(page string) { c.page = page }

// Number returns the number of the shared form that the copy has.
func (c *Copy) Number() int { return c.number }

// Shared returns the shared form.
func (c *Copy) Shared() *model.Form { return c.shared }

// ETag returns the version of the saved form that the shared form contains.
func (c *Copy) ETag() string { return c.etag }

// Recent returns the shared form of a number, nil if it is not kept.
func (c *Copy) Recent(number int) *model.Form {
	for _, r := range slices.Backward(c.recent) {
		if r.number == number {
			return r.form
		}
	}
	return nil
}

// Take takes the next entry. The error wraps ErrGap if it is not the next one, and the entry can be ignored if its number is not greater than
// that of the copy. An entry whose edits do not fit, or that says that the copy differs, breaks the copy: the page must get the shared form
// anew, and join with what it has. A page knows its own offer by what it does, since anybody can give an entry its page and serial.
func (c *Copy) Take(local *model.Form, e Entry) (Step, error) {
	if e.Number != c.number+1 {
		return Step{}, fmt.Errorf("%w: entry %d follows %d", ErrGap, e.Number, c.number)
	}
	own := c.sent != nil && e.Does(c.sent.Entry)
	var after *model.Form
	if own {
		after = c.sent.form
	} else {
		tree, err := schema.Patch(c.shared.Tree(), e.Edits)
		if err != nil {
			return Step{}, fmt.Errorf("entry %d: %w", e.Number, err)
		}
		after = c.shared.Derive(tree)
	}
	if e.Digest != "" && e.Digest != Digest(after.Tree()) {
		return Step{}, fmt.Errorf("entry %d: %w", e.Number, ErrDiffers)
	}
	if own {
		return c.took(local, e), nil
	}
	c.etag = orElse(e.ETag, c.etag)
	c.sent = nil // another entry has its number
	return c.advance(local, e.Number, after), nil
}

// took takes the page's own entry, which others have now.
func (c *Copy) took(local *model.Form, e Entry) Step {
	step := Step{Before: c.shared, After: c.sent.form, Local: local, Own: true}
	forks := c.Forks(local)
	if c.level = nil; local == c.sent.local {
		c.level = local
	}
	c.number, c.shared, c.sent, c.etag = e.Number, c.sent.form, nil, orElse(e.ETag, c.etag)
	c.base = merge.TakeBase(c.shared, forks)
	c.keep(step.Before)
	step.Forks = forks
	return step
}

// Leap takes the shared form of a later number, after the entries between have been missed.
func (c *Copy) Leap(local *model.Form, number int, shared *model.Form, etag string) Step {
	c.sent, c.etag = nil, orElse(etag, c.etag)
	return c.leap(local, number, shared)
}

func (c *Copy) leap(local *model.Form, number int, shared *model.Form) Step {
	return c.advance(local, number, c.shared.Share(content(shared)))
}

// advance sets the shared form and its number, and merges it into the local form.
func (c *Copy) advance(local *model.Form, number int, shared *model.Form) Step {
	before := c.shared
	step := Step{Before: before, After: shared}
	base := c.base
	if c.own != nil {
		own := c.own(before, shared)
		step.Before, base = unlike(before, own), unlike(base, own)
	}
	if local == c.level && base == before {
		step.Local = leveled(shared, local)
	} else {
		step.Local, step.Forks, step.Told = settle(merge.Forms(base, local, shared))
	}
	if c.level = nil; len(step.Forks) == 0 && schema.Equal(content(step.Local).Tree(), shared.Tree()) {
		c.level = step.Local
	}
	c.number, c.shared, c.base = number, shared, merge.TakeBase(shared, step.Forks)
	c.keep(before)
	return step
}

// unlike returns a form with null at some paths, where no form has null. In a merge with it as the base, both sides have changed these values.
func unlike(f *model.Form, paths []schema.Path) *model.Form {
	for _, p := range paths {
		if next, err := f.Set(p, nil); err == nil {
			f = next
		}
	}
	return f
}

// keep keeps the shared form, which was made of the one before.
func (c *Copy) keep(before *model.Form) {
	c.recent = append(c.recent, numbered{c.number, c.shared, c.shared.SizeBeside(before)})
	from, size := len(c.recent)-1, 0
	for from > 0 && len(c.recent)-from < maxRecent && size+c.recent[from].size <= maxRecentSize {
		size += c.recent[from].size
		from--
	}
	c.recent = slices.Delete(c.recent, 0, from)
}

// Forks returns the values that the page and others have changed differently, as they are in the local form. In each, Mine is the value of
// the page, and Theirs the shared one.
func (c *Copy) Forks(local *model.Form) []merge.Conflict {
	if c.base == c.shared {
		return nil
	}
	_, forks, _ := settle(merge.Forms(c.base, local, c.shared))
	return forks
}

// Offer returns the entry that tells others what the page has changed, and false if there is nothing to tell, or an offer has no answer yet.
// The entry also tells an etag that the shared form does not have. saved is the number of the form that was saved as that version, 0 for none.
func (c *Copy) Offer(local *model.Form, etag string, saved int) (Entry, bool) {
	if c.sent != nil {
		return c.sent.Entry, false
	}
	mine := c.shared
	if local != c.level {
		mine = content(c.Mine(local))
	}
	e := Entry{Number: c.number + 1, Page: c.page, Serial: c.serial + 1, Edits: schema.Delta(c.shared.Tree(), mine.Tree())}
	if etag != c.etag {
		e.ETag, e.Saved = etag, saved
	}
	if len(e.Edits) == 0 && e.ETag == "" {
		return Entry{}, false
	}
	c.serial++
	c.sent = &sent{Entry: e, form: mine}
	if c.base == c.shared {
		c.sent.local = local
	}
	return e, true
}

// Offered returns the offer that has no answer yet, so that the page can send it again.
func (c *Copy) Offered() (Entry, bool) {
	if c.sent == nil {
		return Entry{}, false
	}
	return c.sent.Entry, true
}

// Mine returns the local form without the forks: what others are to have.
func (c *Copy) Mine(local *model.Form) *model.Form {
	if c.base == c.shared {
		return local
	}
	return merge.TakeTheirs(local, c.Forks(local))
}

// Same reports whether others have everything in the local form except the forks.
func (c *Copy) Same(local *model.Form) bool {
	return local == c.level || len(schema.Delta(c.shared.Tree(), content(c.Mine(local)).Tree())) == 0
}

// Decide records that the person has decided forks. The local form has the decision: it keeps the values of the page, which are offered from
// now on, or gets those of others by merge.Conflict.TakeTheirs.
func (c *Copy) Decide(forks []merge.Conflict) {
	c.base = merge.TakeTheirs(c.base, forks)
	if schema.Equal(c.base.Tree(), c.shared.Tree()) {
		c.base = c.shared
	}
}

// settle decides the conflicts of a merge with changes that others made first. Conflicts of values are left to people, and mine stays meanwhile. In
// conflicts of places, coordinates and orders theirs wins, since there can be only one. What one side removed and the other changed stays.
func settle(f *model.Form, conflicts []merge.Conflict) (_ *model.Form, forks, told []merge.Conflict) {
	var others []merge.Conflict
	for _, c := range conflicts {
		switch {
		case c.OfValue() && c.Mine.Present && !c.Layout():
			forks = append(forks, c)
			continue
		case c.Kind != merge.RemovedAndChanged && c.Kind != merge.RemovedAndUsed:
			others = append(others, c)
		}
		if !c.Layout() {
			told = append(told, c)
		}
	}
	return merge.TakeTheirs(f, others), forks, told
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Find returns the latest shared form with the content of a form, with the properties of that form that only a response has; nil if there is
// none among the recent ones.
func (c *Copy) Find(f *model.Form) *model.Form {
	want := c.shared.Share(content(f))
	for _, r := range slices.Backward(c.recent) {
		if model.Diff(r.form, want).Empty() {
			return leveled(r.form, f)
		}
	}
	return nil
}
