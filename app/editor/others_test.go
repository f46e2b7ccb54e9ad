package editor_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
	"weak"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// person is somebody who edits a form with others.
type person struct {
	t    *testing.T
	ed   *editor.Editor
	copy *live.Copy
	now  time.Time
}

// together is people and the entries of their form, the first of which has the number 1.
type together struct {
	people  []*person
	entries []live.Entry
}

func newTogether(t *testing.T, f *model.Form, n int) *together {
	t.Helper()
	w := &together{}
	for i := range n {
		p := &person{t: t, now: time.Unix(0, 0)}
		p.ed = editor.New(f, editor.Config{Now: func() time.Time { return p.now }, Rand: rand.IntN})
		p.copy = live.Open(string(rune('A'+i)), f, "")
		w.people = append(w.people, p)
	}
	return w
}

// set sets an alias as a step of its own.
func (p *person) set(node int, alias string) {
	p.t.Helper()
	p.now = p.now.Add(time.Minute)
	if err := p.ed.Run(editor.Set{Path: model.NodePath(node).Key("alias"), Value: alias}); err != nil {
		p.t.Fatal(err)
	}
}

func (p *person) alias(node int) string { return p.ed.State().Form.Nodes[node].Alias }

// sync lets everybody tell what they did, in turn, and take what others did.
func (w *together) sync() {
	for range w.people {
		for _, p := range w.people {
			w.take(p)
			if e, ok := p.copy.Offer(p.ed.State().Form, "", 0); ok {
				w.entries = append(w.entries, e)
			}
			w.take(p)
		}
	}
}

func (w *together) take(p *person) {
	p.t.Helper()
	for p.copy.Number() < len(w.entries) {
		step, err := p.copy.Take(p.ed.State().Form, w.entries[p.copy.Number()])
		if err != nil {
			p.t.Fatal(err)
		}
		if !step.Own {
			p.ed.TakeOthers(step.Before, step.After, step.Local, step.Forks)
		}
	}
}

const threeSteps = `{"name":"f","nodes":[{"id":"a","type":"STEP","alias":"0"},{"id":"b","type":"STEP","alias":"0"},{"id":"c","type":"STEP","alias":"0"}]}`

// Undo reverts one's own steps and nothing of others, whoever was first.
func TestUndoAmongOthers(t *testing.T) {
	w := newTogether(t, formtest.Parse(t, threeSteps), 2)
	a, b := w.people[0], w.people[1]
	a.set(0, "Ada 1")
	w.sync()
	b.set(1, "Bob 1")
	w.sync()
	a.set(2, "Ada 2")
	w.sync()
	b.set(0, "Bob 2") // over what Ada wrote
	w.sync()
	want := func(when string, all ...string) {
		t.Helper()
		for i, text := range all {
			if a.alias(i) != text || b.alias(i) != text {
				t.Errorf("%s: node %d is %q for Ada and %q for Bob, want %q", when, i, a.alias(i), b.alias(i), text)
			}
		}
	}
	want("before", "Bob 2", "Bob 1", "Ada 2")
	a.ed.Undo()
	w.sync()
	want("Ada undoes one step", "Bob 2", "Bob 1", "0")
	a.ed.Undo()
	w.sync()
	want("Ada undoes the step that Bob wrote over", "Bob 2", "Bob 1", "0")
	if _, ok := a.ed.Undo(); ok {
		t.Error("Ada can undo what others did")
	}
	a.ed.Redo()
	a.ed.Redo()
	w.sync()
	want("Ada repeats both", "Bob 2", "Bob 1", "Ada 2")
	b.ed.Undo()
	w.sync()
	want("Bob undoes", "Ada 1", "Bob 1", "Ada 2")
	b.ed.Undo()
	w.sync()
	want("Bob undoes both", "Ada 1", "0", "Ada 2")
}

// A node that others have edited stays when its author undoes adding it; they do not lose their work.
func TestUndoOfAnAddedNode(t *testing.T) {
	w := newTogether(t, formtest.Parse(t, threeSteps), 2)
	a, b := w.people[0], w.people[1]
	if err := a.ed.Run(editor.Change{Name: verb.Add.Of("node"), Edits: []schema.Edit{{
		Path: model.NodePath(3), Value: model.NewNode(model.StepNode, "step_new", model.Point{}), Inserted: true,
	}}}); err != nil {
		t.Fatal(err)
	}
	w.sync()
	b.set(3, "Bob")
	w.sync()
	a.ed.Undo()
	w.sync()
	for _, p := range w.people {
		if n, i := p.ed.State().Form.Node("step_new"); i < 0 || n.Alias != "Bob" {
			t.Error("the node that Bob edited is gone")
		}
	}
}

// A value that both changed stays in the history of the one who was late, and undo takes the other.
func TestUndoOfAFork(t *testing.T) {
	w := newTogether(t, formtest.Parse(t, threeSteps), 2)
	a, b := w.people[0], w.people[1]
	a.set(0, "Ada")
	b.set(0, "Bob")
	b.set(1, "more")
	w.sync()
	if b.alias(0) != "Bob" || len(b.copy.Forks(b.ed.State().Form)) != 1 {
		t.Fatalf("Bob has %q", b.alias(0))
	}
	b.ed.Undo()
	if b.alias(0) != "Bob" || b.alias(1) != "0" {
		t.Errorf("after undoing something else: %q %q", b.alias(0), b.alias(1))
	}
	b.ed.Undo()
	if b.alias(0) != "Ada" {
		t.Errorf("after undoing the value: %q", b.alias(0))
	}
	w.sync()
	if a.alias(0) != "Ada" || len(b.copy.Forks(b.ed.State().Form)) != 0 {
		t.Errorf("Ada has %q", a.alias(0))
	}
}

// TestUndoWalk lets people edit and undo at random. Each value is the last one that somebody set, unless that person has undone it.
func TestUndoWalk(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		w := newTogether(t, formtest.Parse(t, threeSteps), 2+r.IntN(2))
		for n := range 200 {
			p := w.people[r.IntN(len(w.people))]
			var mine [3]string
			for i := range mine {
				mine[i] = p.alias(i)
			}
			switch r.IntN(3) {
			case 0, 1:
				p.set(r.IntN(3), fmt.Sprint(p.copy.Page(), n))
			case 2:
				if _, ok := p.ed.Undo(); ok {
					for i := range mine {
						if p.alias(i) != mine[i] && mine[i][:1] != p.copy.Page() {
							t.Fatalf("seed %d: the undo of %s changed %q, which is not theirs, to %q", seed, p.copy.Page(), mine[i], p.alias(i))
						}
					}
				}
			}
			w.sync()
			for _, q := range w.people {
				for i := range 3 {
					if q.alias(i) != p.alias(i) {
						t.Fatalf("seed %d: node %d is %q and %q", seed, i, p.alias(i), q.alias(i))
					}
				}
			}
		}
	}
}

// The history survives more changes of others than are kept one by one, and a draft has the present state.
func TestManyChangesOfOthers(t *testing.T) {
	w := newTogether(t, formtest.Parse(t, threeSteps), 2)
	a, b := w.people[0], w.people[1]
	a.set(0, "Ada")
	w.sync()
	for n := range 200 {
		b.set(1, fmt.Sprint("Bob ", n))
		w.sync()
		if n == 100 {
			a.set(2, "Ada, too")
		}
	}
	past := a.ed.Past()
	if now := past.Now().Form; now.Nodes[0].Alias != "Ada" || now.Nodes[1].Alias != "Bob 199" || len(past.Steps) != 1 {
		t.Errorf("the draft has %q %q", now.Nodes[0].Alias, now.Nodes[1].Alias)
	}
	if again := a.ed.Past(); again.Before != past.Before || again.Steps[0].Serial == past.Steps[0].Serial {
		t.Error("the draft is written anew, or not at all")
	}
	a.ed.Undo()
	a.ed.Undo()
	if a.alias(0) != "0" || a.alias(1) != "Bob 199" || a.alias(2) != "0" {
		t.Errorf("after two undos: %q %q %q", a.alias(0), a.alias(1), a.alias(2))
	}
}

// What the history keeps of others is bounded in memory, whatever they do: forms of 2,000 nodes may take the place of each other. The person's
// latest steps can be undone all the same.
func TestWholeFormsOfOthersAreBounded(t *testing.T) {
	first := formtest.Worst("types", 2000)
	shared := first
	now := time.Unix(0, 0)
	ed := editor.New(shared, editor.Config{Now: func() time.Time { return now }, Rand: rand.IntN})
	name := schema.Path{schema.Key("name")}
	local := func() *model.Form { return ed.State().Form }
	var all []weak.Pointer[model.Node]
	for i := range 100 {
		if i%40 == 0 || i == 98 {
			now = now.Add(time.Minute)
			if err := ed.Run(editor.Set{Path: name, Value: fmt.Sprint("mine ", i)}); err != nil {
				t.Fatal(err)
			}
		}
		next := formtest.Renewed(first, fmt.Sprint("n", i%2))
		mine, conflicts := merge.Forms(shared, local(), next)
		if len(conflicts) > 0 {
			t.Fatal(conflicts)
		}
		ed.TakeOthers(shared, next, mine, nil)
		shared = next
		all = append(all, weak.Make(next.Nodes[0]))
	}
	runtime.GC()
	kept := 0
	for _, p := range all {
		if p.Value() != nil {
			kept++
		}
	}
	if kept > 60 {
		t.Errorf("%d of %d forms are kept", kept, len(all))
	}
	for _, want := range []string{"mine 80", "mine 40"} {
		if _, ok := ed.Undo(); !ok || local().Name != want || !slices.Equal(local().Nodes, shared.Nodes) {
			t.Errorf("undone: %t, the name is %q", ok, local().Name)
		}
	}
	if _, ok := ed.Undo(); ok {
		t.Errorf("undone too far, to %q", local().Name)
	}
}

// BenchmarkUndoAmongOthers jumps over 500 steps between which others made 2,000 changes, at 1,000 nodes.
func BenchmarkUndoAmongOthers(b *testing.B) {
	f := model.FromTree(formtest.Large(1000))
	now := time.Unix(0, 0)
	ed := editor.New(f, editor.Config{Now: func() time.Time { return now }, Rand: rand.IntN})
	shared := f
	for i := range 500 {
		now = now.Add(time.Minute)
		if err := ed.Run(editor.Set{Path: model.NodePath(i).Key("alias"), Value: "mine"}); err != nil {
			b.Fatal(err)
		}
		for range 4 {
			next, err := shared.Set(model.NodePath(999).Key("alias"), fmt.Sprint("theirs ", i))
			if err != nil {
				b.Fatal(err)
			}
			local, err := ed.State().Form.Set(model.NodePath(999).Key("alias"), fmt.Sprint("theirs ", i))
			if err != nil {
				b.Fatal(err)
			}
			ed.TakeOthers(shared, next, local, nil)
			shared = next
		}
	}
	b.ResetTimer()
	for i := range b.N {
		if !ed.JumpTo(i % 2 * 500) {
			b.Fatal("no such step")
		}
	}
}
