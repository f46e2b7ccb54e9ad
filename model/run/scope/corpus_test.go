package scope_test

import (
	"testing"

	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/run/scope"
)

// Real forms work, so every path collects what they read.
func TestRealForms(t *testing.T) {
	for _, file := range realforms.Files(t) {
		d, _, _ := envelope.Read(file.Text)
		for _, f := range scope.Analyze(d.Form).Findings() {
			t.Errorf("%s: %s: %s %d %v", file.Name, f.Path, f.Name, f.Miss, f.Journey())
		}
	}
}
