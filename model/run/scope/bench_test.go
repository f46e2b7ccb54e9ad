package scope_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/schema"
)

// large returns a form of n steps with ten components each, in which a label of each step reads a field of the step before, and a jump
// button leads back to it.
func large(tb testing.TB, n int) *model.Form {
	tb.Helper()
	tree := formtest.Large(n).With("start", schema.NewObject(schema.Member{Key: "next_node", Value: "n0"}))
	nodes := tree.List("nodes")
	for i, v := range nodes {
		node := v.(*schema.Object)
		components := node.Object("config").List("components")
		components[0] = components[0].(*schema.Object).With("label", fmt.Sprintf("After {{fields.c%d_0}}", max(0, i-1)))
		to := schema.Member{Key: "next_node", Value: fmt.Sprintf("n%d", max(0, i-1))}
		button := model.NewComponent(model.KindOf("JUMP_BUTTON"), model.SpecDialect, fmt.Sprintf("j%d", i)).
			With("config", schema.NewObject(schema.Member{Key: "text", Value: "Back"}, to))
		nodes[i] = node.With("config", node.Object("config").With("components", append(components, button)))
	}
	return model.FromTree(tree.With("nodes", nodes))
}

func BenchmarkFindings1000Nodes(b *testing.B) {
	f := large(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if found := scope.Analyze(f).Findings(); len(found) != 1 {
			b.Fatal(len(found), "findings, want that of the first step")
		}
	}
}

func BenchmarkAt1000Nodes(b *testing.B) {
	a := scope.Analyze(large(b, 1000))
	b.ReportAllocs()
	for b.Loop() {
		if len(a.At(model.NodePath(999))) < 8000 {
			b.Fatal("too few variables")
		}
	}
}

// BenchmarkAgain1000Nodes analyzes a form after the label of one component has changed.
func BenchmarkAgain1000Nodes(b *testing.B) {
	f := large(b, 1000)
	var z scope.Analyzer
	z.Analyze(f)
	i := 0
	for b.Loop() {
		i++
		next, err := f.Set(model.ComponentPath(500, 1).Key("label"), fmt.Sprint("Label ", i))
		if err != nil {
			b.Fatal(err)
		}
		if _, same := z.Analyze(next); !same {
			b.Fatal("analyzed anew")
		}
		f = next
	}
}
