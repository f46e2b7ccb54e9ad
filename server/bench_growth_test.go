package main

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/document"
	formeditor "github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/tidy"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/preview/atlas"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/rules"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/schema"
)

// BenchmarkGrowth shows how the time of what is done with a whole form grows with its size, in the worst cases, as that of
// package versions does for two forms: go test ./server ./server/versions -run - -bench Growth -benchtime 1x
func BenchmarkGrowth(b *testing.B) {
	jobs := []struct {
		name string
		do   func(b *testing.B, f *model.Form)
	}{
		{"check", func(_ *testing.B, f *model.Form) { _ = (&model.Checker{}).Check(f) }},
		{"rules", func(_ *testing.B, f *model.Form) { rules.Form(f) }},
		{"scope", func(_ *testing.B, f *model.Form) { scope.Analyze(f).Findings() }},
		{"warnings", func(_ *testing.B, f *model.Form) { _ = flow.Warnings(f) }},
		{"find", func(_ *testing.B, f *model.Form) { (&find.Index{}).Search(f, "name", 50) }},
		{"damage", func(_ *testing.B, f *model.Form) {
			formeditor.New(f, formeditor.Config{Now: time.Now}).Damage(formeditor.RemoveNodes{IDs: f.Keys()[:1]})
		}},
		{"inspect", func(_ *testing.B, f *model.Form) {
			forEachSelection(f, func(e *formeditor.Editor) {
				for _, s := range inspector.Read(e, nil).Sections {
					for _, r := range s.Rows {
						if r.Columns != nil {
							r.List().Paste(r.List().Lines())
						}
					}
				}
				if e.State().Selection.Parts != nil {
					inspector.Components(e, nil)
				}
			})
		}},
		{"edit", func(b *testing.B, f *model.Form) {
			b.Helper()
			forEachSelection(f, func(e *formeditor.Editor) {
				for _, c := range []formeditor.Command{e.Make().Duplicate(), formeditor.RemoveSelection{}} {
					if err := e.Run(c); err == nil {
						e.Undo()
					}
				}
				if text, err := formeditor.Copy(e.State()); err == nil {
					_, _ = formeditor.ParsePaste(text)
				}
			})
		}},
		{"canonical text", func(_ *testing.B, f *model.Form) { _, _ = envelope.Canonical(schema.Encode(f.Tree())) }},
		{"import", func(_ *testing.B, f *model.Form) { _, _, _ = envelope.Read(schema.Encode(f.Tree())) }},
		{"export", func(_ *testing.B, f *model.Form) { envelope.ExportForm(f, nil, nil) }},
		{"document", func(_ *testing.B, f *model.Form) { document.Markdown(f) }},
		{"scene", func(_ *testing.B, f *model.Form) { graph.New(f) }},
		{"tidy", func(_ *testing.B, f *model.Form) { tidy.Layout(graph.New(f), nil) }},
		{"screens", func(b *testing.B, f *model.Form) {
			b.Helper()
			if _, err := atlas.Write(b.Context(), f, atlas.Options{}); err != nil {
				b.Fatal(err)
			}
		}},
	}
	for _, job := range jobs {
		b.Run(job.name, func(b *testing.B) { formtest.BenchmarkShapes(b, func(f *model.Form) { job.do(b, f) }) })
	}
}

// forEachSelection calls f with an editor for each kind of selection: nothing, the start, a node, all nodes, and all components of a step.
func forEachSelection(f *model.Form, do func(e *formeditor.Editor)) {
	all := formeditor.SelectNodes(f.Keys()...)
	parts := formeditor.SelectNodes(f.Keys()[0])
	for i := 0; f.Nodes[0].Component(i) != nil; i++ {
		parts.Parts = append(parts.Parts, f.Nodes[0].Component(i).ID)
	}
	one := formeditor.SelectNodes(f.Keys()[0])
	if len(parts.Parts) > 0 {
		one.Component = parts.Parts[0]
	}
	e := formeditor.New(f, formeditor.Config{Now: time.Now, Rand: rand.IntN})
	for _, sel := range []formeditor.Selection{{}, formeditor.SelectNodes(model.StartID), formeditor.SelectNodes(f.Keys()[0]), one, parts, all} {
		e.Select(sel)
		do(e)
	}
}
