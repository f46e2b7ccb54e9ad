package rules_test

import (
	"testing"

	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/run/rules"
)

// TestRealForms checks that nothing is found in real forms, whose rules all decide something.
func TestRealForms(t *testing.T) {
	for _, file := range realforms.Files(t) {
		d, _, _ := envelope.Read(file.Text)
		for _, f := range rules.Form(d.Form) {
			t.Errorf("%s: %s: %s", file.Name, f.Path, f.Detail)
		}
	}
}
