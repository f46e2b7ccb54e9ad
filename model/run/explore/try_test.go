package explore_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/schema"
)

// TestTry lists what is tried for the variables of two conditions; a refused value has a question mark.
func TestTry(t *testing.T) {
	f := decode(t, `{"nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"age","category":"FIELD","type":"NUMBER","config":{"max_value":50}},
		{"id":"plan","category":"FIELD","type":"DROPDOWN","config":{"options":[{"value":"free","label":"F"},{"value":"team","label":"T"}]}}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[
		{"id":"x","condition":{"operator":"AND","operands":[{"operator":"GT","operands":["{{fields.age}}",18]},
			{"operator":"EQ","operands":["{{fields.plan}}","gold"]}]}},
		{"id":"y","condition":{"operator":"EQ","operands":["{{vars.seen.often}}",true]}}]}}]}`)
	var conditions []flow.Condition
	for _, rule := range f.Nodes[1].Config.(*model.Router).Rules {
		c, ok := flow.ParseCondition(rule.Condition)
		if !ok {
			t.Fatal("a condition is not parsed")
		}
		conditions = append(conditions, c)
	}
	var got []string
	for _, of := range explore.NewTrier(f).Try(conditions) {
		list := []string{of.Namespace + "." + of.Key}
		for _, v := range of.Values {
			text := "undefined"
			if v.Defined {
				text = string(schema.Encode(v.Value))
			}
			if !v.Accepted {
				text += "?"
			}
			list = append(list, text)
		}
		got = append(got, strings.Join(list, " "))
	}
	want := `fields.age 1 42 0 50 18 17 19 "other"? "another"? 34 51? undefined` +
		`, fields.plan "free" "team" "gold"? "other"? "another"? undefined` +
		`, vars.seen undefined {"often":true} {"often":"other"} {"often":"another"} null ""`
	if got := strings.Join(got, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
