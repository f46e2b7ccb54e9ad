package find_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// The words that hits add to those of the form and of the tables.
func TestWords(t *testing.T) {
	tree, _ := schema.Decode([]byte(`{"name":"zz","languages":{"primary":"zz"},"style":{"css":"zz"},
		"start":{"hidden_fields":[{"key":"zz","value":"1"}],"next_node":"a"},"ending":{"redirection":{"target":"zz"}},
		"messages":{"errors":{"zz_e":"x"},"custom":{"zz_c":"x"}},
		"translations":{"zz":{"components":{"zz_k":{"label":"x"}}}},
		"nodes":[{"id":"zz_s","type":"STEP","config":{"components":[]}},{"id":"zz_f","type":"FLOW","config":{}},
{"id":"zz_r","type":"ROUTER","config":{"rules":[]}},{"id":"zz_u","type":"LOOP"}]}`))
	o, _ := tree.(*schema.Object)
	f := model.FromTree(o)

	var x find.Index
	var got []string
	for _, query := range []string{"zz", "kind:start", "kind:ending"} {
		for _, h := range x.Search(f, query, 100) {
			got = append(got, string(h.Kind)+": "+h.Title+" | "+h.Context)
		}
	}
	slices.Sort(got)
	got = slices.Compact(got)
	want := []string{
		`ending: Ending | `,
		`ending: Ending | redirection target: zz`,
		`flow: zz_f | Flow`,
		`form: Languages | Form · primary: zz`,
		`form: Style | Form · css: zz`,
		`form: zz | Form`,
		`hidden: zz | Hidden field`,
		`message: zz_c | Custom message`,
		`message: zz_e | Error message`,
		`node: zz_u | Unknown node`,
		`router: zz_r | Router`,
		`start: Start | `,
		`step: zz_s | Step`,
		`translation: zz | Language`,
		`translation: zz_k | Translation zz`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("hits say\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
