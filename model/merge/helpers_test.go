package merge_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func parse(t *testing.T, src string) *schema.Object {
	t.Helper()
	v, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		t.Fatalf("%s: %v", src, ps)
	}
	return v.(*schema.Object)
}

func formOf(t *testing.T, src string) *model.Form {
	t.Helper()
	return model.FromTree(parse(t, src))
}

func decodeObject(src []byte) (*schema.Object, bool) {
	v, ps := schema.Decode(src)
	if len(ps) > 0 {
		return nil, false
	}
	o, ok := v.(*schema.Object)
	return o, ok
}

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

func pay(charge string) string {
	return `{"id":"c","category":"FIELD","type":"PAYMENT","config":` +
		`{"charge":` + charge + `,"credentials":{"public_key":"a","private_key":"b"}}}`
}
