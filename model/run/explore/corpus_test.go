package explore_test

import (
	"context"
	"testing"

	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
)

// TestRealForms checks that the scenarios of real forms take every edge that can be taken.
func TestRealForms(t *testing.T) {
	for _, file := range realforms.Files(t) {
		d, _, _ := envelope.Read(file.Text)
		p := run.NewProgram(d.Form)
		result, err := explore.Explore(context.Background(), p, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range result.Untaken {
			if !u.Never {
				t.Errorf("%s: %s: %s", file.Name, u.Edge, u.Reason)
			}
		}
		for _, s := range result.Scenarios {
			if o := scenario.Replay(p, &s); !o.Same(&s) {
				t.Errorf("%s: scenario %q: %s", file.Name, s.Name, o.Reason)
			}
			t.Logf("%s: %q %v", file.Name, s.Name, s.Expect)
		}
		t.Logf("%s: %d edges, %d taken, %d never; %d scenarios", file.Name, len(d.Form.Edges()), len(result.Taken), len(result.Untaken), len(result.Scenarios))
	}
}
