package rules_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/rules"
	"github.com/formgraph/formgraph/model/waittest"
)

func BenchmarkRulesShapes(b *testing.B) {
	formtest.BenchmarkShapes(b, func(f *model.Form) { rules.Form(f) })
}

// The work is bounded whatever is in a form, and the check says if it left anything out.
func TestWorkIsBounded(t *testing.T) {
	for _, shape := range formtest.Shapes {
		// A single step of the work may go beyond the bound, and only by the size of the form.
		f, bound := formtest.Worst(shape, 5000), rules.Bound
		if len(f.Nodes) <= 2 {
			bound = rules.RouterBound
		}
		if got := rules.Work(f); got > bound+1_000_000 {
			t.Errorf("%s: the work is %d, want at most about %d", shape, got, bound)
		}
	}
	for shape, want := range map[string]bool{"router": false, "members": false, "alike": true, "routers": true, "chain": true} {
		if _, all := rules.FormUntil(t.Context(), formtest.Worst(shape, 5000)); all != want {
			t.Errorf("%s: all = %v, want %v", shape, all, want)
		}
	}
}

// The context is asked inside the work on a single router.
func TestCheckEndsInsideARouter(t *testing.T) {
	ctx := &waittest.Asked{Context: t.Context(), Left: 3}
	if _, all := rules.FormUntil(ctx, formtest.Worst("router", 2000)); all || ctx.Left != -1 {
		t.Errorf("all = %v, and the context was asked %d times after it was done", all, -1-ctx.Left)
	}
}
