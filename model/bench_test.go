package model_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// largeForm is a form of n steps with ten components each, connected in a row.
func largeForm(b *testing.B, n int) *schema.Object {
	b.Helper()
	kinds := []string{"TEXT", "EMAIL", "CHOICE", "RICH_TEXT", "BOOLEAN", "TEL", "DROPDOWN", "LEGAL", "DATE", "NEXT_BUTTON"}
	nodes := make([]any, n)
	for i := range nodes {
		comps := make([]any, len(kinds))
		for j, k := range kinds {
			comps[j] = model.NewComponent(model.KindOf(k), model.SpecDialect, fmt.Sprintf("c%d_%d", i, j))
		}
		next := model.EndingID
		if i+1 < n {
			next = fmt.Sprintf("n%d", i+1)
		}
		config := schema.NewObject(schema.Member{Key: "components", Value: comps}, schema.Member{Key: "next_node", Value: next})
		nodes[i] = model.NewNode(model.StepNode, fmt.Sprintf("n%d", i), model.Point{X: i % 30 * 360, Y: i / 30 * 400}).With("config", config)
	}
	return schema.NewObject(schema.Member{Key: "name", Value: "large"}, schema.Member{Key: "nodes", Value: nodes})
}

func BenchmarkDecode1000Nodes(b *testing.B) {
	src := schema.Encode(largeForm(b, 1000))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ps := schema.Decode(src); len(ps) > 0 {
			b.Fatal(ps)
		}
	}
}

func BenchmarkValidateWhole1000Nodes(b *testing.B) {
	tree := largeForm(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if ps := model.CheckNew(tree); len(ps) > 0 {
			b.Fatal(ps)
		}
	}
}

func BenchmarkValidateOneEditOf1000Nodes(b *testing.B) {
	var c model.Checker
	f := model.FromTree(largeForm(b, 1000))
	if ps := c.Check(f); len(ps) > 0 {
		b.Fatal(ps)
	}
	at := schema.Path{schema.Key("nodes"), schema.Index(500), schema.Key("alias")}
	forms := [2]*model.Form{}
	for i := range forms {
		next, err := f.Set(at, fmt.Sprint("alias ", i))
		if err != nil {
			b.Fatal(err)
		}
		forms[i] = next
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		// A node read anew has no memo: what is measured is an edit, not a look-up.
		next := f.Derive(forms[i%2].Tree())
		if ps := c.Check(next); len(ps) > 0 {
			b.Fatal(ps)
		}
	}
}
