package versions

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// The rule by which old versions are removed. Versions with a name or note stay, as does the newest.
const (
	// keepAll is how long every version is kept. Of older ones, the last of each day (UTC) stays.
	keepAll = 90 * 24 * time.Hour
	// maxVersions is the maximum number of versions of a form. Beyond it, the oldest are removed.
	maxVersions = 10_000
	// pruneEvery is how many versions are added before their number is compared with the maximum. As many more are removed each time, so that
	// the maximum is not exceeded in between.
	pruneEvery = 64
	// maxNamed is the maximum number of versions of a form with a name or note, which are never removed. They may take half of maxStored.
	maxNamed = 1000
	// maxStored is the maximum size of the versions of a form as stored, in bytes. Beyond it, the oldest are removed.
	maxStored = 64 << 20
)

// spare is how far below a maximum size the removal of versions begins, so that the next version does not exceed the maximum: of maxStored, it is
// the size of the largest text. Each removal frees as much again.
func spare(most int) int { return most / 8 }

// pruneBatch is how many versions are removed in one transaction: SQLite blocks saves meanwhile.
const pruneBatch = 100

// expired returns the numbers of the versions that the rule removes, oldest first. The list is that of all versions, newest first. sizes has their
// sizes by number, and most is the maximum of their sum.
func expired(list []store.Version, sizes map[int]int, most int, now time.Time) []int {
	var gone []int
	kept := make([]store.Version, 0, len(list))
	highest := 0 // no number is given twice
	for _, v := range list {
		highest = max(highest, v.Number)
	}
	day := ""
	for i, v := range list {
		own := v.Saved.UTC().Format(time.DateOnly)
		last := own != day // of its day
		day = own
		if i == 0 || v.Number == highest || last || named(v) || now.Sub(v.Saved) <= keepAll {
			kept = append(kept, v)
		} else {
			gone = append(gone, v.Number)
		}
	}
	excess := len(kept) - (maxVersions - pruneEvery)
	size, room := 0, math.MaxInt
	for _, v := range kept {
		size += sizes[v.Number]
	}
	if size > most-spare(most) {
		room = most - 2*spare(most)
	}
	whole := 0 // about how much the next version grows if it stays, as edits of a removed one
	for i := len(kept) - 1; i > 0; i-- {
		v := kept[i]
		if v.Base == v.Number {
			whole = 0
		}
		if excess <= 0 && size+whole <= room {
			break
		}
		if named(v) || v.Number == highest {
			size, whole = size+whole, 0
			continue
		}
		if v.Base == v.Number {
			whole = sizes[v.Number]
		}
		gone = append(gone, v.Number)
		size -= sizes[v.Number]
		excess--
	}
	slices.Sort(gone)
	return gone
}

func named(v store.Version) bool { return v.Name != "" || v.Note != "" }

// ErrTooManyNamed means that a form has as many versions with a name or note as it may, or that they take too many bytes.
var ErrTooManyNamed = errors.New("too many versions have a name or note")

// Describe changes a version as the store does, but returns ErrTooManyNamed if too many versions would have a name or note.
func (h *History) Describe(ctx context.Context, form string, number int, change func(*store.Version) error) (store.Version, error) {
	full, err := h.namedAreFull(ctx, form, number)
	if err != nil {
		return store.Version{}, err
	}
	v, err := h.Stored.Describe(ctx, form, number, func(v *store.Version) error {
		was := named(*v)
		if err := change(v); err != nil {
			return err
		}
		if full && !was && named(*v) {
			return ErrTooManyNamed
		}
		return nil
	})
	if err == nil {
		h.blamed.Lock()
		h.blames.Delete(form) // it has the names
		h.blamed.Unlock()
	}
	return v, err
}

// namedAreFull reports whether a version may not get a name or note, because of those that have one.
func (h *History) namedAreFull(ctx context.Context, form string, number int) (bool, error) {
	list, err := h.Stored.Named(ctx, form)
	if err != nil || len(list) >= maxNamed {
		return true, err
	}
	sizes, err := h.Stored.Sizes(ctx, form)
	size := sizes[number]
	for _, v := range list {
		size += sizes[v.Number]
	}
	return size > h.most/2, err
}

// prune removes the versions of a form that the rule removes. Those that are encoded again may be larger then, so it looks again.
func (h *History) prune(ctx context.Context, form string) error {
	defer h.know(form, nil) // with its size
	for range attempts {
		list, _, err := h.Stored.List(ctx, form, 0, math.MaxInt32)
		if err != nil {
			return err
		}
		sizes, err := h.Stored.Sizes(ctx, form)
		if err != nil {
			return err
		}
		gone := expired(list, sizes, h.most, h.Now())
		if len(gone) == 0 {
			return nil
		}
		slices.SortFunc(list, func(a, b store.Version) int { return a.Number - b.Number })
		for err == nil && len(gone) > 0 {
			batch := gone[:min(len(gone), pruneBatch)]
			gone = gone[len(batch):]
			list, err = h.remove(ctx, form, list, batch)
		}
		// After a conflict or if one is gone, another process prunes this form, or somebody has named a version.
		if err != nil && !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return nil
}

// remove removes versions from the list of all, ordered by number, and from the store, and returns the list of those left. Versions based on
// them are encoded again.
func (h *History) remove(ctx context.Context, form string, list []store.Version, numbers []int) ([]store.Version, error) {
	gone := make(map[int]bool, len(numbers))
	for _, n := range numbers {
		gone[n] = true
	}
	if err := h.bequeath(ctx, form, gone); err != nil {
		return nil, err
	}
	var left, changed []store.Version
	for _, v := range list {
		if gone[v.Number] {
			continue
		}
		if gone[v.Base] {
			before := 0
			if len(left) > 0 {
				before = left[len(left)-1].Number
			}
			again, err := h.again(ctx, form, v.Number, before)
			if err != nil {
				return nil, err
			}
			changed = append(changed, again)
			v.Base = again.Base
		}
		left = append(left, v)
	}
	return left, h.Stored.Prune(ctx, form, numbers, changed)
}

// sweepForms is how many forms are listed at once.
const sweepForms = 100

// Sweep prunes the versions of all forms.
func (h *History) Sweep(ctx context.Context) error {
	var all error
	for after := ""; ; {
		forms, err := h.Stored.Forms(ctx, h.Now().Add(-keepAll), after, sweepForms)
		if err != nil {
			return errors.Join(all, err)
		}
		for _, form := range forms {
			if err := ctx.Err(); err != nil {
				return errors.Join(all, err)
			}
			all = errors.Join(all, h.prune(ctx, form))
			after = form
		}
		if len(forms) < sweepForms {
			return all
		}
	}
}
