package run_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/run"
)

func TestChoicesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range slices.Concat(run.Choices, run.Behaviour) {
		if c.Subject == "" || seen[c.Subject] || !strings.HasSuffix(c.Choice, ".") {
			t.Errorf("bad row %+v", c)
		}
		seen[c.Subject] = true
	}
}
