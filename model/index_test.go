package model_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// A form that is searched often finds the same as one that is searched the first time.
func TestElementsAreFoundByMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ids := []string{"", "a", "b", "c", model.StartID, model.EndingID, "a\x002", "\x003", "b\x00x"}
	text := func() string { return ids[r.IntN(len(ids))] }
	for range 300 {
		nodes := make([]any, r.IntN(8))
		for i := range nodes {
			components := make([]any, r.IntN(3))
			for j := range components {
				components[j] = schema.NewObject(schema.Member{Key: "id", Value: text()}, schema.Member{Key: "type", Value: "JUMP_BUTTON"},
					schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: "next_node", Value: text()})}, schema.Member{Key: "next_node", Value: text()})
			}
			nodes[i] = schema.NewObject(schema.Member{Key: "id", Value: text()}, schema.Member{Key: "type", Value: []any{"STEP", "FLOW", "ROUTER"}[r.IntN(3)]},
				schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: "components", Value: components}, schema.Member{Key: "rules", Value: components},
					schema.Member{Key: "next_node", Value: text()}, schema.Member{Key: "fallback", Value: text()})})
		}
		tree := schema.NewObject(schema.Member{Key: "nodes", Value: nodes})
		often := model.FromTree(tree)
		for range 100 {
			often.Node("a")
		}
		keys := append(often.Keys(), ids...)
		for n := range 10 {
			keys = append(keys, fmt.Sprintf("%s\x00%d", text(), n))
		}
		for _, key := range keys {
			once := model.FromTree(tree)
			_, want := once.Node(key)
			if _, got := often.Node(key); got != want {
				t.Errorf("node %q of %s: got %d, want %d", key, schema.Encode(tree), got, want)
			}
			_, node, place := once.Component(key)
			for _, port := range []model.Port{model.NextPort, model.FallbackPort, model.JumpPort("a"), model.RulePort("b")} {
				want, is := once.OutOf(key, port)
				if got, ok := often.OutOf(key, port); ok != is || got.To != want.To || got.Path.String() != want.Path.String() {
					t.Errorf("the way out of %q by %q in %s: got %v, %t, want %v, %t", key, port, schema.Encode(tree), got, ok, want, is)
				}
			}
			if _, i, j := often.Component(key); i != node || j != place {
				t.Errorf("component %q of %s: got %d, %d, want %d, %d", key, schema.Encode(tree), i, j, node, place)
			}
		}
	}
}
