package merge_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// Conflicts are resolved at once as they are one by one, except that no component is lost with a node from which theirs took it.
func TestTakeTheirsAtOnce(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 300, 20_000)) {
		a := newAuthor(t, seed, "a")
		base := a.form(6)
		mine := a.edits(base, 1+a.r.IntN(9))
		theirs := newAuthor(t, seed+1, "b").edits(base, 1+a.r.IntN(9))
		merged, conflicts := merge.Forms(base, mine, theirs)
		want := merged
		for _, c := range conflicts {
			if f, err := c.TakeTheirs(want); err == nil {
				want = f
			}
		}
		removes := false
		for _, c := range conflicts {
			removes = removes || !c.Theirs.Present && model.PlaceOf(c.Path).IsNode()
		}
		got := merge.TakeTheirs(merged, conflicts)
		if removes && schema.Equal(empty(got).Tree(), empty(want).Tree()) && !slices.ContainsFunc(want.Nodes, func(n *model.Node) bool { return loses(n, got) }) {
			continue
		}
		if !schema.Equal(got.Tree(), want.Tree()) {
			t.Fatalf("seed %d: %v\nmerged %s\ngot    %s\nwant   %s", seed, conflicts, schema.Encode(merged.Tree()), schema.Encode(got.Tree()),
				schema.Encode(want.Tree()))
		}
	}
}

// empty returns a form whose steps have no components.
func empty(f *model.Form) *model.Form {
	var edits []schema.Edit
	for i := range f.Nodes {
		edits = append(edits, schema.Edit{Path: model.NodePath(i).Key("config").Key("components"), Cleared: true})
	}
	return f.Derive(schema.PatchFitting(f.Tree(), edits))
}

// loses reports whether a form lacks a component of a node, or has it with other content.
func loses(n *model.Node, f *model.Form) bool {
	for i := 0; n.Component(i) != nil; i++ {
		if c, _, _ := f.Component(n.Component(i).ID); c == nil || !schema.Equal(c.Tree(), n.Component(i).Tree()) {
			return true
		}
	}
	return false
}

// allocated returns how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A merge of forms that differ everywhere, and the decision of all its conflicts, copy a bounded part of the form for each of them.
func TestWorkOfConflictsGrowsWithTheForm(t *testing.T) {
	type side = func(*model.Form) *model.Form
	renewed := func(f *model.Form) *model.Form { return formtest.Renewed(f, "a_") }
	reworded := func(f *model.Form) *model.Form { return formtest.Reworded(f, "A ") }
	other := func(f *model.Form) *model.Form { return formtest.Reworded(f, "B ") }
	emptied := func(f *model.Form) *model.Form {
		return f.Derive(f.Tree().With("nodes", []any{}).With("start", f.Tree().Object("start").With("hidden_fields", []any{})))
	}
	jobs := map[string]func(base, mine, theirs *model.Form){
		"take into another form": func(base, mine, theirs *model.Form) {
			merged, all := merge.Forms(base, mine, theirs)
			merge.TakeTheirs(flattened(merged), all)
		},
		"carry": func(base, mine, theirs *model.Form) {
			merge.Carry(base, mine, theirs, func(merge.Conflict) bool { return false })
		},
		"take base": func(base, mine, theirs *model.Form) { merge.TakeBase(merge.Forms(base, mine, theirs)) },
		"part": func(base, mine, _ *model.Form) {
			parts := merge.Parts(base, mine)
			parts[len(parts)-1].Take(base, mine)
		},
	}
	const few, factor = 60, 4
	for _, shape := range formtest.Shapes {
		for i, sides := range [][2]side{{renewed, reworded}, {reworded, renewed}, {reworded, other}, {emptied, reworded}, {reworded, emptied}} {
			for job, do := range jobs {
				var did [2]uint64
				for k, n := range []int{few, few * factor} {
					base := formtest.Worst(shape, n)
					mine, theirs := sides[0](base), sides[1](base)
					if schema.Equal(base.Tree(), mine.Tree()) {
						continue
					}
					did[k] = allocated(func() { do(base, mine, theirs) })
				}
				if did[1] > 2*factor*(did[0]+10_000) {
					t.Errorf("%s, %s, sides %d: %d bytes, and %d for a form %d times as large", shape, job, i, did[0], did[1], factor)
				}
			}
		}
	}
}

// flattened returns a form in which every second component has a config without places for properties.
func flattened(f *model.Form) *model.Form {
	var edits []schema.Edit
	for i, n := range f.Nodes {
		for k := 0; n.Component(k) != nil; k++ {
			if (i+k)%2 == 0 {
				edits = append(edits, schema.Edit{Path: model.ComponentPath(i, k).Key("config"), Value: "flat"})
			}
		}
	}
	return f.Derive(schema.PatchFitting(f.Tree(), edits))
}

// The decision of conflicts about places and orders copies a bounded part of the form for each of them.
func TestWorkOfPlacesGrowsWithTheForm(t *testing.T) {
	const few, factor = 100, 8
	for _, change := range formtest.Changes {
		var conflicts int
		var did [2]uint64
		for k, n := range []int{few, few * factor} {
			base := formtest.Worst("buttons", n)
			merged, all := merge.Forms(base, change.Mine(base), change.Theirs(base))
			conflicts = len(all)
			did[k] = allocated(func() { merge.TakeTheirs(merged, all) })
		}
		if did[1] > 2*factor*did[0] {
			t.Errorf("%s: %d bytes, and %d for %d conflicts of a form %d times as large", change.Name, did[0], did[1], conflicts, factor)
		}
	}
}

// scattered returns a form of steps and routers with their components and rules in any place and order. Some components are absent.
func scattered(r *rand.Rand, steps, components int) *model.Form {
	lists, nodes := make([][]any, steps), make([]any, 0, 2*steps)
	for _, i := range r.Perm(components) {
		if r.IntN(4) > 0 {
			to, label := r.IntN(steps), []string{"A", "B"}[r.IntN(2)]
			lists[to] = append(lists[to], schema.NewObject(schema.Member{Key: "id", Value: fmt.Sprint("c", i)}, schema.Member{Key: "label", Value: label}))
		}
	}
	for i, list := range lists {
		var rules []any
		for _, k := range r.Perm(4) {
			rules = append(rules, schema.NewObject(schema.Member{Key: "id", Value: fmt.Sprint("r", k)}))
		}
		nodes = append(nodes,
			typed(fmt.Sprint("s", i), "STEP", schema.Member{Key: "components", Value: list}),
			typed(fmt.Sprint("q", i), "ROUTER", schema.Member{Key: "rules", Value: rules}))
	}
	return model.FromTree(schema.NewObject(schema.Member{Key: "nodes", Value: nodes}))
}

func typed(id, kind string, config schema.Member) *schema.Object {
	return schema.NewObject(schema.Member{Key: "id", Value: id}, schema.Member{Key: "type", Value: kind},
		schema.Member{Key: "config", Value: schema.NewObject(config)})
}

// What both sides moved and ordered differently is put in its place at once as it is one by one.
func TestPlacesAtOnce(t *testing.T) {
	kinds := map[merge.ConflictKind]int{}
	for seed := range uint64(sizetest.Of(0, 300, 20_000)) {
		r := rand.New(rand.NewPCG(seed, 0))
		steps, components := 1+r.IntN(4), r.IntN(12)
		merged, conflicts := merge.Forms(scattered(r, steps, components), scattered(r, steps, components), scattered(r, steps, components))
		want := merged
		for _, c := range conflicts {
			kinds[c.Kind]++
			if f, err := c.TakeTheirs(want); err == nil {
				want = f
			}
		}
		if got := merge.TakeTheirs(merged, conflicts); !schema.Equal(got.Tree(), want.Tree()) {
			t.Fatalf("seed %d: %v\nmerged %s\ngot    %s\nwant   %s", seed, conflicts, schema.Encode(merged.Tree()), schema.Encode(got.Tree()),
				schema.Encode(want.Tree()))
		}
	}
	if kinds[merge.BothMoved] == 0 || kinds[merge.BothAdded] == 0 || kinds[merge.BothOrdered] == 0 {
		t.Errorf("the forms have conflicts of the kinds %v", kinds)
	}
}
