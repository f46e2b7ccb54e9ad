package merge_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

func report(cs []merge.Conflict) string {
	lines := make([]string, len(cs))
	for i, c := range cs {
		lines[i] = c.Path.String() + " " + string(c.Kind) + " | " + c.String()
	}
	return strings.Join(lines, "\n")
}

func sameForm(t *testing.T, what string, got, want *model.Form) {
	t.Helper()
	if !schema.Equal(content(got), content(want)) {
		t.Fatalf("%s:\n got %s\nwant %s\nchanges %v", what, schema.Encode(content(got)), schema.Encode(content(want)), merge.Changes(want, got))
	}
}

// mergeLaws checks the laws of merging any three forms.
func mergeLaws(t *testing.T, base, mine, theirs *model.Form) {
	t.Helper()
	before := [3]string{string(schema.Encode(base.Tree())), string(schema.Encode(mine.Tree())), string(schema.Encode(theirs.Tree()))}
	one := func(what string, m, th, want *model.Form) {
		t.Helper()
		got, cs := merge.Forms(base, m, th)
		if len(cs) > 0 {
			t.Fatalf("%s: conflicts\n%s", what, report(cs))
		}
		sameForm(t, what, got, want)
	}
	one("theirs is base", mine, base, mine)
	one("mine is base", base, theirs, theirs)
	one("both alike", mine, mine, mine)

	got, cs := merge.Forms(base, mine, theirs)
	back, csBack := merge.Forms(base, theirs, mine)
	// What mine keeps may have more, or fewer, pointers than what theirs keeps.
	if (len(cs) == 0) != (len(csBack) == 0) {
		t.Fatalf("%d conflicts, the other way round %d:\n%s\n--\n%s", len(cs), len(csBack), report(cs), report(csBack))
	}
	if len(cs) == 0 {
		sameForm(t, "the other way round", back, got)
	}
	if len(new(model.Checker).Check(base)) == 0 && len(new(model.Checker).Check(mine)) == 0 && len(new(model.Checker).Check(theirs)) == 0 {
		if ps := new(model.Checker).Check(got); len(ps) > 0 {
			t.Fatalf("a merge of valid forms has problems: %v\n%s", ps, report(cs))
		}
	}
	for _, c := range cs {
		if c.String() == "" || c.Kind == "" {
			t.Fatalf("a conflict without words: %+v", c)
		}
		f, err := c.TakeTheirs(got)
		if err != nil && !errors.Is(err, schema.ErrNoPlace) {
			t.Fatal(err)
		}
		// If a side repeats an id, the result may too.
		if err == nil && doubled(f) && !doubled(got) && !doubled(mine) && !doubled(theirs) {
			t.Fatalf("taking theirs repeats an id: %v", c)
		}
	}
	for i, f := range []*model.Form{base, mine, theirs} {
		if string(schema.Encode(f.Tree())) != before[i] {
			t.Fatal("a merge changed a form")
		}
	}
	changesLaw(t, base, mine)
	changesLaw(t, mine, theirs)
}

func doubled(f *model.Form) bool {
	for _, p := range model.CheckGraph(f) {
		if p.Code == schema.CodeDuplicateID {
			return true
		}
	}
	return false
}

// changesLaw checks the laws of the changes between any two forms.
func changesLaw(t *testing.T, base, now *model.Form) {
	t.Helper()
	cs := merge.Changes(base, now)
	if equal := schema.Equal(content(base), content(now)); equal != (len(cs) == 0) {
		t.Fatalf("equal: %v, changes %v\n%s\n%s", equal, cs, schema.Encode(base.Tree()), schema.Encode(now.Tree()))
	}
	for _, c := range cs {
		if c.String() == "" {
			t.Fatalf("a change without words: %+v", c)
		}
		if c.Kind == merge.Moved {
			continue
		}
		v, ok := schema.Lookup(now.Tree(), c.Path)
		if c.After.Present && (!ok || !schema.Equal(v, c.After.Tree)) {
			t.Fatalf("%v: the form holds %v at %s", c, v, c.Path)
		}
		if same := c.Before.Present == c.After.Present && schema.Equal(c.Before.Tree, c.After.Tree); same {
			t.Fatalf("%v: nothing changed", c)
		}
	}
}

func TestMergeLawsUnderEdits(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 200, 8000)) {
		base := newAuthor(t, seed, "b").form(int(seed % 7))
		mine := newAuthor(t, seed+1_000_000, "m").edits(base, 1+int(seed%9))
		theirs := newAuthor(t, seed+2_000_000, "t").edits(base, 1+int(seed%11))
		if ps := new(model.Checker).Check(mine); len(ps) > 0 {
			t.Fatalf("seed %d: the author makes forms with problems: %v", seed, ps)
		}
		mergeLaws(t, base, mine, theirs)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// A merge that leaves out the nodes that the forms share has the same result as one that compares all nodes.
func TestSharedNodesChangeNothing(t *testing.T) {
	narrow, merges := 0, sizetest.Of(0, 500, 40_000)
	for seed := range uint64(merges) {
		base := newAuthor(t, seed, "b").form(2 + int(seed%12))
		m, th := newAuthor(t, seed+1_000_000, "m"), newAuthor(t, seed+2_000_000, "t")
		mine, theirs := m.edits(base, 1+int(seed%3)), th.edits(base, 1+int(seed%4))
		if seed%5 == 0 {
			base = m.spoil(base, 1)
			mine, theirs = m.spoil(base, 1), th.spoil(base, 1+int(seed%2))
		}
		if n := len(base.Nodes); seed%5 == 1 && n > 3 { // an id twice
			base = m.set(base, []string{"nodes[0].id", "nodes[1].id"}[seed/5%2], base.Nodes[n-1].ID)
			mine, theirs = m.set(base, "nodes[0].alias", "mine"), th.set(base, nodeAt(n-1).Key("alias").String(), "theirs")
			if seed%2 == 0 {
				mine = m.set(mine, nodeAt(n-1).Key("alias").String(), "mine")
			}
		}
		if at, step := m.step(base, 1); seed%5 == 2 && at >= 0 {
			other, _ := th.step(base, 1)
			third, _ := th.step(base, 1)
			mine = m.set(base, componentsAt(other).Index(0).Key("id").String(), step.Components[0].ID)
			theirs = th.set(base, componentsAt(third).Index(0).Key("label").String(), "theirs")
		}
		got, conflicts := merge.Forms(base, mine, theirs)
		want, all := merge.Whole(base, mine, theirs)
		if x, y := schema.Encode(got.Tree()), schema.Encode(want.Tree()); !bytes.Equal(x, y) {
			t.Fatalf("seed %d: merged\n%s\nwant\n%s", seed, x, y)
		}
		if report(conflicts) != report(all) {
			t.Fatalf("seed %d: conflicts\n%s\nwant\n%s", seed, report(conflicts), report(all))
		}
		for i, c := range conflicts {
			a, errA := c.TakeTheirs(got)
			b, errB := all[i].TakeTheirs(want)
			if (errA == nil) != (errB == nil) {
				t.Fatalf("seed %d: %v: %v, %v", seed, c, errA, errB)
			}
			if errA == nil {
				sameForm(t, "theirs", a, b)
			}
		}
		if merge.Narrow(base, mine, theirs) {
			narrow++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if t.Logf("%d merges left something out", narrow); narrow < merges/10 {
		t.Error("too few")
	}
}

// The laws also hold for broken forms, whether the sides are broken in the same way or not.
func TestMergeLawsOfBrokenForms(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 200, 8000)) {
		b, m, th := newAuthor(t, seed, "b"), newAuthor(t, seed+1_000_000, "m"), newAuthor(t, seed+2_000_000, "t")
		base := b.spoil(b.form(int(seed%5)+1), int(seed%4))
		mergeLaws(t, base, m.spoil(base, int(seed%6)), th.spoil(base, int(seed%5)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// changeKey identifies a change independently of the places of its elements.
func changeKey(c merge.Change) string {
	return c.String() + string(schema.Encode([]any{c.Before.Tree, c.After.Tree}))
}

// Edits of different nodes merge without a conflict, whichever side
// merges, and each of them is in the result.
func TestMergeOfDisjointEdits(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 200, 4000)) {
		base := newAuthor(t, seed, "b").form(int(seed%10) + 2)
		subject := map[string]int{}
		for i, n := range base.Nodes {
			subject[n.ID] = i % 2
		}
		var sides [2]*model.Form
		for i, name := range []string{"m", "t"} {
			a := newAuthor(t, seed+uint64(i+1)*1_000_000, name)
			a.mine = func(id string) bool {
				o, ok := subject[id]
				return ok && o == i || strings.HasPrefix(id, name)
			}
			a.shared, a.keeps = i == 0, true // a change beside a renamed element has other words
			sides[i] = a.edits(base, 1+int(seed%8))
		}
		mine, theirs := sides[0], sides[1]
		got, cs := merge.Forms(base, mine, theirs)
		if len(cs) > 0 {
			t.Fatalf("seed %d: %s", seed, report(cs))
		}
		back, _ := merge.Forms(base, theirs, mine)
		sameForm(t, "the other way round", back, got)
		have := map[string]bool{}
		for _, c := range merge.Changes(base, got) {
			have[changeKey(c)] = true
		}
		for _, f := range sides {
			for _, c := range merge.Changes(base, f) {
				// Which elements explain a new order depends on what else is there.
				if c.Kind == merge.Moved && !strings.Contains(c.String(), "from Step") {
					continue
				}
				if !have[changeKey(c)] {
					t.Fatalf("seed %d: %v is not in the result: %v", seed, c, merge.Changes(base, got))
				}
			}
		}
		// A third edit elsewhere makes the merge visit everything.
		styled, err := base.Set(schema.Path{schema.Key("style"), schema.Key("css")}, "x")
		if err != nil {
			t.Fatal(err)
		}
		want, _ := mine.Set(schema.Path{schema.Key("style"), schema.Key("css")}, "x")
		got, _ = merge.Forms(base, mine, styled)
		sameForm(t, "mine and a style", got, want)
		got, _ = merge.Forms(base, styled, mine)
		sameForm(t, "a style and theirs", got, want)
	}
}

func FuzzMergeEdits(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(3), byte(4), byte(5), byte(0))
	f.Add(uint64(1), uint64(2), uint64(3), byte(4), byte(5), byte(3))
	f.Fuzz(func(t *testing.T, b, m, th uint64, nodes, edits, broken byte) {
		base := newAuthor(t, b, "b").form(int(nodes % 12))
		mine := newAuthor(t, m, "m").edits(base, int(edits%32))
		theirs := newAuthor(t, th, "t").edits(base, int(edits/8))
		if broken > 0 {
			mine = newAuthor(t, m+1, "m").spoil(mine, int(broken%8))
			theirs = newAuthor(t, th+1, "t").spoil(theirs, int(broken/32))
		}
		mergeLaws(t, base, mine, theirs)
	})
}

// Any three objects can be merged as forms.
func FuzzMerge(f *testing.F) {
	a := []byte(
		`{"name":"f","nodes":[{"id":"a","type":"STEP","config":{"components":[{"id":"c","category":"BLOCK","type":"DIVIDER"},3]}},
{"id":"a"},null],"start":{"next_node":"a"}}`,
	)
	b := []byte(
		`{"id":"x","nodes":[{"id":"b","type":"STEP","config":{"components":[{"id":"c","type":"TEXT"}]}},
{"id":"a","type":"ROUTER","config":{"rules":[{"id":"r"},{"id":"r"}]}}]}`,
	)
	f.Add(a, b, []byte(`{"nodes":3,"translations":{"de":{"a":{"b":1}}}}`))
	f.Add(
		b,
		a,
		[]byte(
			`{"nodes":[{"id":"a","type":"STEP","config":3},{"id":"r","type":"STEP","config":{"components":{}}}],"start":{"hidden_fields":[
{"key":"k"},{"key":"k"}]}}`,
		),
	)
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		x, ok1 := decodeObject(a)
		y, ok2 := decodeObject(b)
		z, ok3 := decodeObject(c)
		if ok1 && ok2 && ok3 {
			mergeLaws(t, model.FromTree(x), model.FromTree(y), model.FromTree(z))
		}
	})
}
