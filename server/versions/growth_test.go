package versions

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/compare"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// BenchmarkGrowth shows how the time of what recording, merging and comparing do grows with the size of a form, in its worst cases.
func BenchmarkGrowth(b *testing.B) {
	jobs := []struct {
		name string
		do   func(was, is, other *model.Form)
	}{
		{"decode", func(_, is, _ *model.Form) { _, _ = schema.DecodeGrown(schema.Encode(is.Tree())) }},
		{"edits", func(was, is, _ *model.Form) { edited(schema.Encode(was.Tree()), schema.Encode(is.Tree())) }},
		{"share", func(was, is, _ *model.Form) { was.Share(is) }},
		{"renames", func(was, is, _ *model.Form) { flow.RenamesOf(was, is) }},
		{"marks of a version", func(was, is, _ *model.Form) { marksOf(was, is) }},
		{"summary", func(was, is, _ *model.Form) { summary(was, is) }},
		{"changes", func(was, is, _ *model.Form) { merge.Changes(was, is) }},
		{"comparison", func(was, is, _ *model.Form) { compare.MarksOf(was, is, compare.Forms(was, is), true) }},
		{"merge", func(was, is, other *model.Form) { merge.Forms(was, is, other) }},
		{"decision", func(was, is, other *model.Form) { merge.TakeTheirs(merge.Forms(was, is, other)) }},
		{"diff", func(was, is, _ *model.Form) { model.Diff(was, is) }},
	}
	for _, job := range jobs {
		for _, shape := range formtest.Shapes {
			for _, change := range formtest.Changes {
				for _, n := range []int{1000, 10_000, 40_000} {
					b.Run(fmt.Sprintf("%s/%s/%s/%d", job.name, shape, change.Name, n), func(b *testing.B) {
						was := formtest.Worst(shape, n)
						is, other := change.Mine(was), change.Theirs(was)
						for b.Loop() {
							job.do(was, is, other)
						}
					})
				}
			}
		}
	}
}

// A version all of whose ids are new is recorded, however many there are, and blames nobody for what is as it was.
func TestAVersionWithNewIDs(t *testing.T) {
	f := formtest.Worst("types", 12_000)
	h := newHistory(t)
	for i, f := range []*model.Form{f, formtest.Renewed(f, "new_")} {
		if err := h.record(t.Context(), "f", savedHours(f, i), []Author{ann, bob}[i], false); err != nil {
			t.Fatal(err)
		}
	}
	b, err := h.Blame(t.Context(), "f")
	if err != nil || len(b.Nodes) == 0 {
		t.Fatalf("%d nodes, %v", len(b.Nodes), err)
	}
	for id, c := range b.Nodes {
		if c.By != ann {
			t.Fatalf("node %s by %v", id, c.By)
		}
	}
}
