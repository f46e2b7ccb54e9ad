package live_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// writer is a page whose person stands by what they wrote until they take what somebody else did.
type writer struct {
	*live.Copy

	local *model.Form
	wrote map[string]string // the labels of fields that the person wrote, by the fields' ids
	last  live.Step         // of others
}

func newWriter(t *testing.T, name string, f *model.Form) *writer {
	t.Helper()
	w := &writer{Copy: live.Open(name, f, ""), local: f, wrote: map[string]string{}}
	w.Owns(func(before, after *model.Form) (paths []schema.Path) {
		for _, cell := range labels.cells {
			if text, ok := w.wrote[cell]; ok && label(before, cell) == text && label(after, cell) != text {
				_, n, i := before.Component(cell)
				paths = append(paths, model.ComponentPath(n, i).Key("label"))
			}
		}
		return paths
	})
	return w
}

func (w *writer) write(t *testing.T, cell, text string) {
	t.Helper()
	w.local, w.wrote[cell] = setLabel(t, w.local, cell, text), text
}

// tell has all pages take what a page has done, and reports whether it was anything.
func (w *writer) tell(t *testing.T, pages []*writer) bool {
	t.Helper()
	e, ok := w.Offer(w.local, "", 0)
	if !ok {
		return false
	}
	for _, p := range pages {
		step, err := p.Take(p.local, e)
		if err != nil {
			t.Fatal(err)
		}
		if p.local = step.Local; !step.Own {
			p.last = step
		}
	}
	return true
}

// decide decides all forks of the page.
func (w *writer) decide(theirs bool) {
	forks := w.Forks(w.local)
	if theirs {
		w.local = merge.TakeTheirs(w.local, forks)
		for _, c := range forks {
			cell, _, _ := labels.fork(w.local, c)
			delete(w.wrote, cell)
		}
	}
	w.Decide(forks)
}

// What somebody wrote stays in their form when somebody else writes over it, also if all have it: theirs is offered. An undo brings no other text.
func TestOwnTextStays(t *testing.T) {
	f := start(t)
	ana, ben := newWriter(t, "ana", f), newWriter(t, "ben", f)
	pages := []*writer{ana, ben}
	ana.write(t, "a0", "Ana's")
	state := ana.local // of the history
	ana.write(t, "a1", "more")
	ana.tell(t, pages)
	if label(ben.local, "a0") != "Ana's" {
		t.Fatal("the text is not told")
	}
	ben.write(t, "a0", "Ben's")
	ben.tell(t, pages)
	forks := ana.Forks(ana.local)
	if label(ana.local, "a0") != "Ana's" || len(forks) != 1 || len(ana.last.Forks) != 1 || label(ana.Shared(), "a0") != "Ben's" {
		t.Fatalf("the page shows %q with %d forks", label(ana.local, "a0"), len(forks))
	}
	if _, mine, theirs := labels.fork(ana.local, forks[0]); mine != "Ana's" || theirs != "Ben's" {
		t.Errorf("the fork has %q and %q", mine, theirs)
	}
	if ana.tell(t, pages) {
		t.Error("what is not decided is told")
	}
	was := merge.Carry(ana.last.Before, state, ana.last.After, forks[0].Same)
	if label(was, "a0") != "Ana's" {
		t.Errorf("after an undo, the text is %q", label(was, "a0"))
	}
	ana.decide(false)
	if !ana.tell(t, pages) || label(ben.local, "a0") != "Ben's" || len(ben.Forks(ben.local)) != 1 {
		t.Errorf("once Ana keeps hers, Ben has %q and %d forks", label(ben.local, "a0"), len(ben.Forks(ben.local)))
	}
	ben.decide(true)
	for _, p := range pages {
		if label(p.local, "a0") != "Ana's" || len(p.Forks(p.local)) != 0 {
			t.Errorf("in the end %s has %q", p.Page(), label(p.local, "a0"))
		}
	}
}

// What people do in any order, they end with the same form once they have decided, and the shared form is the same all the time.
func TestOwnTextsConverge(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 50, 1000)) {
		r := rand.New(rand.NewPCG(seed, 7))
		f := start(t)
		pages := []*writer{newWriter(t, "p0", f), newWriter(t, "p1", f), newWriter(t, "p2", f)}
		forks := 0
		for i := range 60 {
			p := pages[r.IntN(len(pages))]
			switch r.IntN(8) {
			case 0:
				p.decide(r.IntN(2) == 0)
			case 1, 2, 3:
				p.write(t, labels.cells[r.IntN(3)], fmt.Sprint(p.Page(), i))
			default:
				p.tell(t, pages)
			}
			for _, q := range pages {
				for cell, text := range q.wrote {
					if label(q.local, cell) != text {
						t.Fatalf("seed %d: %s has lost %q at %s: %q", seed, q.Page(), text, cell, label(q.local, cell))
					}
				}
				forks += len(q.Forks(q.local))
				if !schema.Equal(q.Shared().Tree(), pages[0].Shared().Tree()) {
					t.Fatalf("seed %d: the shared forms differ", seed)
				}
			}
		}
		for told := true; told; {
			told = false
			for _, p := range pages {
				p.decide(true)
				told = p.tell(t, pages) || told
			}
		}
		for _, p := range pages {
			if !schema.Equal(live.Content(p.local.Tree()), pages[0].Shared().Tree()) {
				t.Fatalf("seed %d: %s differs in the end", seed, p.Page())
			}
		}
		if forks == 0 {
			t.Fatalf("seed %d makes no fork", seed)
		}
	}
}
