package merge_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// Carry makes what Forms makes with theirs in every conflict, apart from the order of nodes, although it looks only at nodes that differ.
func TestCarry(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 300, 20_000)) {
		a := newAuthor(t, seed, "a")
		base := a.form(6)
		mine := a.edits(base, 1+a.r.IntN(4))
		theirs := newAuthor(t, seed+1, "b").edits(base, 1+a.r.IntN(4))
		want, conflicts := merge.Forms(base, mine, theirs)
		want = merge.TakeTheirs(want, conflicts)
		got := merge.Carry(base, mine, theirs, func(merge.Conflict) bool { return false })
		for _, c := range merge.Changes(want, got) {
			if c.Kind != merge.Moved || c.Node == "" || c.Component != "" || c.Rule != "" {
				t.Fatalf("seed %d: %v\nbase   %s\nmine   %s\ntheirs %s\ngot    %s\nwant   %s", seed, c, schema.Encode(base.Tree()),
					schema.Encode(mine.Tree()), schema.Encode(theirs.Tree()), schema.Encode(got.Tree()), schema.Encode(want.Tree()))
			}
		}
	}
}

func TestCarryKeeps(t *testing.T) {
	base := formOf(t, `{"name":"f","nodes":[{"id":"a","type":"STEP","alias":"0"},{"id":"b","type":"STEP","alias":"0"}]}`)
	set := func(f *model.Form, node int, alias string) *model.Form {
		g, err := f.Set(model.NodePath(node).Key("alias"), alias)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	mine, theirs := set(set(base, 0, "mine"), 1, "mine"), set(set(base, 0, "theirs"), 1, "theirs")
	var first merge.Conflict
	merge.Carry(base, mine, theirs, func(c merge.Conflict) bool {
		if c.Node == "a" {
			first = c
		}
		return false
	})
	got := merge.Carry(base, mine, theirs, first.Same)
	if got.Nodes[0].Alias != "mine" || got.Nodes[1].Alias != "theirs" {
		t.Errorf("%s", schema.Encode(got.Tree()))
	}
	if merge.Carry(base, base, theirs, first.Same) != theirs || merge.Carry(base, mine, base, first.Same) != mine {
		t.Error("a form that did not change is not the one that did")
	}
}
