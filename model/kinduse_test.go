package model_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
)

func TestKindsByUse(t *testing.T) {
	n := 0
	for category, first := range map[model.Category]string{model.Field: "TEXT", model.Block: "RICH_TEXT", model.Widget: "MAPS_ADDRESS"} {
		kinds := model.KindsByUse(category)
		n += len(kinds)
		if kinds[0].Type != first {
			t.Errorf("the first of %s is %s, want %s", category, kinds[0].Type, first)
		}
		for i, k := range kinds {
			if k.Rank != i+1 || k.Category != category {
				t.Errorf("%s of category %s has the rank %d at place %d of %s", k.Type, k.Category, k.Rank, i+1, category)
			}
		}
	}
	if n != len(model.Kinds) {
		t.Errorf("%d kinds are listed, there are %d", n, len(model.Kinds))
	}
}
