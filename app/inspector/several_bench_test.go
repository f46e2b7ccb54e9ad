package inspector_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// BenchmarkReadSeveral reads the panel of as many nodes as are edited together. Each of them has a row that offers every node of the form, so
// that the time must grow with the size of the form and not with its square.
func BenchmarkReadSeveral(b *testing.B) {
	for _, size := range []int{100, 1000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			nodes := make([]any, size)
			for i := range nodes {
				nodes[i] = model.NewNode(model.StepNode, fmt.Sprint("step", i), model.Point{})
			}
			var ids []string
			for i := range 50 {
				ids = append(ids, fmt.Sprint("step", i))
			}
			form := schema.NewObject(schema.Member{Key: "name", Value: "Form"}, schema.Member{Key: "nodes", Value: nodes})
			e := editor.New(model.FromTree(form), editor.Config{})
			e.Select(editor.SelectNodes(ids...))
			for b.Loop() {
				if p := inspector.Read(e, nil); len(p.Sections) == 0 {
					b.Fatal("the panel has no rows")
				}
			}
		})
	}
}
