package run_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/schema"
)

// TestPressAgreesWithProof checks for each kind of component that a press leads on exactly where the path proof says that a journey can:
// along the step's next node, along the component's own pointer, or nowhere.
func TestPressAgreesWithProof(t *testing.T) {
	types := []string{"UNKNOWN"}
	for _, k := range model.Kinds {
		types = append(types, k.Type)
	}
	for _, typ := range types {
		t.Run(typ, func(t *testing.T) {
			category, pointer := "BLOCK", ""
			if k := model.KindOf(typ); k != nil {
				category, pointer = string(k.Category), k.Leads()
			}
			config := "{}"
			if pointer != "" {
				config = fmt.Sprintf(`{%q:"b"}`, pointer)
			}
			c := fmt.Sprintf(`{"id":"c","category":%q,"type":%q,"config":%s}`, category, typ, config)
			f := program(t, form("a", step("a", "n", c), step("n", "$ending", next), step("b", "$ending", next))).Form()
			codes := map[schema.Code][]string{}
			for _, finding := range flow.Prove(f) {
				codes[finding.Problem.Code] = append(codes[finding.Problem.Code], finding.Problem.Path.String())
			}
			reached := func(i int) bool { return !slices.Contains(codes[schema.CodeUnreachable], model.NodePath(i).String()) }
			var want []run.Pressing
			switch stuck := len(codes[schema.CodeNoButton]) > 0; {
			case stuck:
				want = []run.Pressing{run.NoPress, run.PressPrevious, run.PressResend}
			case reached(2):
				want = []run.Pressing{run.PressJump}
			case reached(1):
				want = []run.Pressing{run.PressNext}
			}
			step, _ := f.Nodes[0].Config.(*model.Step)
			if got := run.PressOf(step.Components[0]); !slices.Contains(want, got) {
				t.Errorf("a press is %d, want one of %v", got, want)
			}
		})
	}
}
