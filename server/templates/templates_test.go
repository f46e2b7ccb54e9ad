package templates_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/rules"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/run/suite"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/templates"
)

// Every template passes every check, and its scenarios take every edge that can be taken.
func TestTemplates(t *testing.T) {
	list, err := templates.All()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 8 {
		t.Errorf("%d templates", len(list))
	}
	for _, of := range list {
		t.Run(of.ID, func(t *testing.T) {
			d, problems, warnings := envelope.Read(of.Envelope)
			if len(problems)+len(warnings) > 0 {
				t.Errorf("problems %v, warnings %v", problems, warnings)
			}
			f, err := of.Form()
			if err != nil || f.Name != d.Form.Name || of.About == "" || strings.ContainsAny(of.Short(), "0123456789") {
				t.Errorf("form %v, id %q", err, of.Short())
			}
			for _, w := range flow.Warnings(f) {
				if w.Code != schema.CodeFlowID { // the flows are placeholders until the form is in a tenant
					t.Errorf("paths: %v", w)
				}
			}
			if found := rules.Form(f); len(found) > 0 {
				t.Errorf("rules: %v", found)
			}
			if found := scope.Analyze(f).Findings(); len(found) > 0 {
				t.Errorf("data flow: %v", found)
			}
			file, faults := scenario.Read(of.Scenarios)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			p := run.NewProgram(f)
			results, err := suite.Replay(t.Context(), p, file)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				if r.Status != suite.OK {
					t.Errorf("%s: %s", r.Name, r.Status)
				}
			}
			c, err := suite.Cover(t.Context(), p, results, nil)
			if err != nil || len(c.Missing) > 0 {
				t.Errorf("not covered: %v %v", c.Missing, err)
			}
			if text, err := scenario.Canonical(of.Scenarios); string(text) != string(of.Scenarios) || len(err) > 0 {
				t.Error("the scenarios are not canonical")
			}
		})
	}
}
