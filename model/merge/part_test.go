package merge_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// Taking every part, in any order, makes the other form, and so does taking all at once. Ids stay unique on the way.
func TestTakingEveryPartMakesTheOtherForm(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 150, 8000)) {
		a := newAuthor(t, seed, "b")
		root := a.form(3 + int(seed%6))
		base := newAuthor(t, seed+1000, "o").edits(root, int(seed%13))
		now := newAuthor(t, seed+2000, "m").edits(root, int(seed%9))
		parts := merge.Parts(base, now)
		count := 0
		for i := range parts {
			count += len(parts[i].Changes)
		}
		if all := merge.Changes(base, now); count != len(all) {
			t.Fatalf("seed %d: the parts have %d changes of %d", seed, count, len(all))
		}
		before := string(schema.Encode(now.Tree()))
		f := now
		r := rand.New(rand.NewPCG(seed, 3))
		for _, i := range r.Perm(len(parts)) {
			f = parts[i].Take(base, f)
			if doubled(f) {
				t.Fatalf("seed %d: taking %v repeats an id:\n%s", seed, parts[i].Changes, schema.Encode(f.Tree()))
			}
		}
		sameForm(t, "one by one", f, base)
		if keysOf(f) != keysOf(base) {
			t.Fatalf("seed %d: the order of the nodes is %s, want %s", seed, keysOf(f), keysOf(base))
		}
		sameForm(t, "all at once", merge.TakeAll(base, now), base)
		if string(schema.Encode(now.Tree())) != before {
			t.Fatal("taking changed the form")
		}
	}
}

func keysOf(f *model.Form) string { return strings.Join(f.Keys(), " ") }

// Broken forms are taken from as far as possible, without a panic.
func TestPartsOfBrokenForms(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 150, 6000)) {
		a := newAuthor(t, seed, "b")
		base := a.form(4)
		now := a.spoil(a.edits(base, 3), int(seed%7))
		base = newAuthor(t, seed+5000, "o").spoil(base, int(seed%5))
		f := now
		for _, p := range merge.Parts(base, now) {
			f = p.Take(base, f)
		}
		sameForm(t, "all at once", merge.TakeAll(base, now), base)
	}
}

func part(t *testing.T, base, now *model.Form, want string) merge.Part {
	t.Helper()
	var names []string
	for _, p := range merge.Parts(base, now) {
		name := string(p.Kind) + " " + p.Path.String()
		switch {
		case p.IsNode() && p.Now >= 0:
			name += now.Nodes[p.Now].ID
		case p.IsNode():
			name += base.Nodes[p.Was].ID
		}
		if name == want {
			return p
		}
		names = append(names, name)
	}
	t.Fatalf("there is no part %q among %q", want, names)
	return merge.Part{}
}

const partForm = `{"id":"ap_1","name":"F","start":{"next_node":"a","coordinates":{"x":0,"y":0}},"nodes":[
	{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"next_node":"b","components":[{"id":"c","category":"BLOCK","type":"DIVIDER"},{"id":"d","category":"BLOCK","type":"DIVIDER"}]}},
	{"id":"b","type":"STEP","coordinates":{"x":0,"y":0},"config":{"next_node":"$ending","components":[]}}],
	"translations":{"de":{"x":"1"},"fr":{"x":"2"}}}`

func edited(t *testing.T, f *model.Form, path string, v any) *model.Form {
	t.Helper()
	return newAuthor(t, 1, "e").set(f, path, v)
}

func TestPartsAreNamedByWhatHappened(t *testing.T) {
	base := formOf(t, partForm)
	at := func(x int) *schema.Object { return model.Point{X: x}.Tree() }
	part(t, base, edited(t, base, "nodes[1].coordinates", at(9)), "moved b")
	part(t, base, edited(t, base, "start.coordinates", at(9)), "moved start")
	part(t, base, edited(t, edited(t, base, "nodes[1].coordinates", at(9)), "nodes[1].alias", "B"), "changed b")
	part(t, base, edited(t, base, "translations.de.x", "9"), "changed translations.de")
	part(t, base, edited(t, base, "translations.es", schema.NewObject()), "added translations.es")
	part(t, base, edited(t, base, "name", "G"), "changed name")
	part(t, base, edited(t, base, "style.css", "a{}"), "added style")
	list := slices.Clone(base.Tree().List("nodes"))
	slices.Reverse(list)
	part(t, base, edited(t, base, "nodes", list), "moved nodes")
}

// A component that moved to another step goes back to its place there.
func TestMovedComponentGoesHome(t *testing.T) {
	base := formOf(t, partForm)
	c, _ := schema.Lookup(base.Tree(), model.ComponentPath(0, 0))
	now, err := base.Clear(model.ComponentPath(0, 0))
	if err == nil {
		now, err = now.Insert(model.ComponentPath(1, 0), c)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := part(t, base, now, "changed b")
	sameForm(t, "taken", p.Take(base, now), base)
}

// Nothing points to a node that was taken away.
func TestTakingAnAddedNodeAwayLeadsItsEdgesOn(t *testing.T) {
	base := formOf(t, partForm)
	n := model.NewNode(model.StepNode, "new", model.Point{})
	now := edited(t, base, "nodes", append(slices.Clone(base.Tree().List("nodes")), n))
	now = edited(t, edited(t, now, "nodes[0].config.next_node", "new"), "nodes[1].config.next_node", "new")
	base = edited(t, base, "nodes[1].config.next_node", "nowhere")
	p := part(t, base, now, "added new")
	got := p.Take(base, now)
	if a, _ := got.OutOf("a", model.NextPort); a.To != "b" {
		t.Errorf("a leads to %q, want b, as in the other form", a.To)
	}
	if b, _ := got.OutOf("b", model.NextPort); b.To != "" {
		t.Errorf("b leads to %q, want nowhere", b.To)
	}
}

func TestTakingKeepsWhatTheTenantSets(t *testing.T) {
	got := merge.TakeAll(formOf(t, `{"id":"ap_2","name":"Other"}`), formOf(t, partForm))
	if got.ID != "ap_1" || got.Name != "Other" || len(got.Nodes) != 0 {
		t.Errorf("got %s", schema.Encode(got.Tree()))
	}
}
