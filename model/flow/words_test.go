package flow_test

import (
	"testing"

	"github.com/formgraph/formgraph/model/flow"
)

// Conditions show fields and options by their labels, and everything else as it is written.
func TestWordsNameFields(t *testing.T) {
	f := parse(t, `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"age_1","category":"FIELD","type":"NUMBER","label":"Age"},
		{"id":"land","category":"FIELD","type":"DROPDOWN","label":"Country","config":{"options":[{"value":"de","label":"Germany"}]}},
		{"id":"x","category":"FIELD","type":"TEXT","label":")"}]}}]}`)
	g := parse(t, `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"age_1","category":"FIELD","type":"NUMBER","label":"Years"},
		{"id":"land","category":"FIELD","type":"DROPDOWN","label":"Country","config":{"options":[{"value":"de","label":"Deutschland"}]}}]}}]}`)
	for _, tt := range []struct {
		name      string
		condition any
		want      string
		same      bool // whether the words are the same with the fields of g
	}{
		{"a field", object("operator", "GT", "operands", []any{"{{ fields.age_1 }}", "18"}), "Age is greater than 18", false},
		{"an option", object("operator", "EQ", "operands", []any{"{{fields.land}}", "de"}), "Country equals Germany", false},
		{"on the left", object("operator", "EQ", "operands", []any{"de", "{{fields.land}}"}), "Germany equals Country", false},
		{"another value", object("operator", "EQ", "operands", []any{"{{fields.age_1}}", "de"}), "Age equals de", false},
		{"another variable", object("operator", "EQ", "operands", []any{"{{vars.land}}", "de"}), "vars.land equals de", true},
		{"another field", object("operator", "EXISTS", "operands", []any{"{{fields.none}}"}), "fields.none exists", true},
		{"a template", object("operator", "EXISTS", "operands", []any{"to {{fields.age_1}}"}), "to {{fields.age_1}} exists", true},
		{"no condition", nil, "No condition", true},
		{
			"groups", object("operator", "AND", "operands", []any{
				object("operator", "EXISTS", "operands", []any{"{{fields.x}}"}),
				object("operator", "OR", "operands", []any{
					object("operator", "EXISTS", "operands", []any{"{{fields.age_1}}"}), object("operator", "EXISTS", "operands", []any{"{{fields.x}}"}),
				}),
			}),
			") exists and (Age exists or ) exists)", false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.condition != nil {
				if got := flow.Sentence(f.Fields(), tt.condition); got != tt.want {
					t.Errorf("the sentence is %s, want %s", got, tt.want)
				}
			}
			if same := flow.SameWords(f.Fields(), g.Fields(), tt.condition); same != tt.same {
				t.Errorf("the words are the same: %t", same)
			}
			first := flow.Words(f.Fields(), tt.condition)[0]
			if named := first.Text == "Age" || first.Text == "Country" || first.Text == "Germany" || first.Text == ")"; first.Name != named || first.Name && first.Value {
				t.Errorf("the first word is %+v", first)
			}
		})
	}
}
