package find_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// The words of a language are set once; hits use them beside the form's own words
// and the tables'.
func TestWords(t *testing.T) {
	tree, _ := schema.Decode([]byte(`{"name":"zz","languages":{"primary":"zz"},"style":{"css":"zz"},
		"start":{"hidden_fields":[{"key":"zz","value":"1"}],"next_node":"a"},"ending":{"redirection":{"target":"zz"}},
		"messages":{"errors":{"zz_e":"x"},"custom":{"zz_c":"x"}},
		"translations":{"zz":{"components":{"zz_k":{"label":"x"}}}},
		"nodes":[{"id":"zz_s","type":"STEP","config":{"components":[]}},{"id":"zz_f","type":"FLOW","config":{}},
{"id":"zz_r","type":"ROUTER","config":{"rules":[]}},{"id":"zz_u","type":"LOOP"}]}`))
	o, _ := tree.(*schema.Object)
	f := model.FromTree(o)

	// Each word is its own name in the other language.
	var foreign find.Words
	v := reflect.ValueOf(&foreign).Elem()
	for i := range v.NumField() {
		v.Field(i).SetString("<" + v.Type().Field(i).Name + ">")
	}
	var english, other find.Index
	other.SetWords(foreign)
	said := func(x *find.Index) []string {
		var out []string
		for _, query := range []string{"zz", "kind:start", "kind:ending"} {
			for _, h := range x.Search(f, query, 100) {
				out = append(out, string(h.Kind)+": "+h.Title+" | "+h.Context)
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	want := []string{
		`ending: <Ending> | `,
		`ending: <Ending> | redirection target: zz`,
		`flow: zz_f | <Flow>`,
		`form: <Languages> | <Form> · primary: zz`,
		`form: <Style> | <Form> · css: zz`,
		`form: zz | <Form>`,
		`hidden: zz | <HiddenField>`,
		`message: zz_c | <CustomMessage>`,
		`message: zz_e | <ErrorMessage>`,
		`node: zz_u | <UnknownNode>`,
		`router: zz_r | <Router>`,
		`start: <Start> | `,
		`step: zz_s | <Step>`,
		`translation: zz | <Language>`,
		`translation: zz_k | <Translation> zz`,
	}
	got := said(&other)
	if !slices.Equal(got, want) {
		t.Errorf("hits say\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// English is the default, and the rest is the same.
	words := strings.NewReplacer(
		"<Ending>",
		"Ending",
		"<Flow>",
		"Flow",
		"<Languages>",
		"Languages",
		"<Style>",
		"Style",
		"<Form>",
		"Form",
		"<HiddenField>",
		"Hidden field",
		"<CustomMessage>",
		"Custom message",
		"<ErrorMessage>",
		"Error message",
		"<UnknownNode>",
		"Unknown node",
		"<Router>",
		"Router",
		"<Start>",
		"Start",
		"<Step>",
		"Step",
		"<Language>",
		"Language",
		"<Translation>",
		"Translation",
	)
	for i := range want {
		want[i] = words.Replace(want[i])
	}
	slices.Sort(want)
	if got := said(&english); !slices.Equal(got, want) {
		t.Errorf("in English hits say\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
