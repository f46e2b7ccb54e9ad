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

// BenchmarkReadForm reads the panel of a form with few and with many translations. What the languages page shows must cost next to nothing
// here, so that the time does not grow with their number.
func BenchmarkReadForm(b *testing.B) {
	for _, texts := range []int{100, 2000} {
		b.Run(fmt.Sprint(texts), func(b *testing.B) {
			translations := schema.NewObject()
			for l := range 40 {
				of := schema.NewObject()
				for i := range texts {
					of = of.With(fmt.Sprint("c", i), schema.NewObject(schema.Member{Key: "label", Value: "Text"}))
				}
				translations = translations.With(fmt.Sprintf("x%c%c", 'a'+l/26, 'a'+l%26), schema.NewObject(schema.Member{Key: "components", Value: of}))
			}
			form := schema.NewObject(schema.Member{Key: "name", Value: "Form"}, schema.Member{Key: "translations", Value: translations})
			e := editor.New(model.FromTree(form), editor.Config{})
			for b.Loop() {
				if p := inspector.Read(e, nil); len(p.Sections) == 0 {
					b.Fatal("the panel has no rows")
				}
			}
		})
	}
}
