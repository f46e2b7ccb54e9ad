package main

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/document"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/tidy"
	"github.com/formgraph/formgraph/app/preview/atlas"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// BenchmarkGrowth shows how the time of what is done with a whole form grows with its size, in the worst cases.
func BenchmarkGrowth(b *testing.B) {
	jobs := []struct {
		name string
		do   func(b *testing.B, f *model.Form)
	}{
		{"check", func(_ *testing.B, f *model.Form) { (&model.Checker{}).Check(f) }},
		{"canonical text", func(_ *testing.B, f *model.Form) { envelope.Canonical(schema.Encode(f.Tree())) }},
		{"import", func(_ *testing.B, f *model.Form) { envelope.Read(schema.Encode(f.Tree())) }},
		{"export", func(_ *testing.B, f *model.Form) { envelope.ExportForm(f, nil, nil) }},
		{"document", func(_ *testing.B, f *model.Form) { document.Markdown(f) }},
		{"scene", func(_ *testing.B, f *model.Form) { graph.New(f) }},
		{"tidy", func(_ *testing.B, f *model.Form) { tidy.Layout(graph.New(f), nil) }},
		{"screens", func(b *testing.B, f *model.Form) {
			if _, err := atlas.Write(b.Context(), f, atlas.Options{}); err != nil {
				b.Fatal(err)
			}
		}},
	}
	for _, job := range jobs {
		for _, s := range formtest.Shapes {
			for _, n := range []int{1000, 10_000, 40_000} {
				b.Run(fmt.Sprintf("%s/%s/%d", job.name, s.Name, n), func(b *testing.B) {
					f := s.Of(n, "a", "x")
					for b.Loop() {
						job.do(b, f)
					}
				})
			}
		}
	}
}
