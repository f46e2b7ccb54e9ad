package scope_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/waittest"
)

func BenchmarkFindingsShapes(b *testing.B) {
	formtest.BenchmarkShapes(b, func(f *model.Form) { scope.Analyze(f).Findings() })
}

// A form of 12,000 steps is followed wholly, and a far larger one as far as the bound allows, with findings that are all true.
func TestFollowingIsBounded(t *testing.T) {
	for n, want := range map[int]bool{1000: true, 12_000: true, 40_000: false} {
		found, all := scope.Analyze(formtest.Worst("chain", n)).FindingsUntil(t.Context())
		if all != want {
			t.Errorf("%d steps: all = %v, want %v", n, all, want)
		}
		if len(found) != 1 || found[0].Name != "f0" {
			t.Errorf("%d steps: %d findings, want that of the first step", n, len(found))
		}
	}
	ctx := &waittest.Asked{Context: t.Context(), Left: 5}
	if _, all := scope.Analyze(formtest.Worst("chain", 1000)).FindingsUntil(ctx); all || ctx.Left != -1 {
		t.Errorf("all = %v, and the context was asked %d times after it was done", all, -1-ctx.Left)
	}
}
