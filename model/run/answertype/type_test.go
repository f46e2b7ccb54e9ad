package answertype

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// component returns a component of a type with a config in JSON.
func component(tb testing.TB, typ, config string) *model.Component {
	tb.Helper()
	category := model.Field
	if k := model.KindOf(typ); k != nil {
		category = k.Category
	}
	return componentOf(tb, fmt.Sprintf(`{"id":"c","category":%q,"type":%q,"config":%s}`, category, typ, config))
}

func componentOf(tb testing.TB, src string) *model.Component {
	tb.Helper()
	tree, problems := schema.Decode([]byte(`{"nodes":[{"id":"s","type":"STEP","config":{"components":[` + src + `]}}]}`))
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	o, _ := tree.(*schema.Object)
	return model.FromTree(o).Nodes[0].Component(0)
}

func TestEveryFieldAndWidgetHasAType(t *testing.T) {
	for _, k := range model.Kinds {
		if _, ok := types[k.Type]; ok == (k.Category == model.Block) {
			t.Errorf("%s of category %s: a type is %v", k.Type, k.Category, ok)
		}
	}
	for name := range types {
		if k := model.KindOf(name); k == nil || k.Type != name {
			t.Errorf("the model has no kind %s", name)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct {
		typ, config string
		want        Type
	}{
		{"SERVICE_VERIFIABLE_CREDENTIALS", `{}`, Credential},
		{"AUTH0_VERIFIABLE_CREDENTIALS", `{}`, Credential},
		{"MAPS_ADDRESS", `{}`, Address},
		{"GMAPS_ADDRESS", `{}`, Address},
		{"RECAPTCHA", `{}`, Challenge},
		{"BOOLEAN", `{}`, Boolean},
		{"CARDS", `{}`, Option},
		{"CARDS", `{"multiple":true}`, Options},
		{"CHOICE", `{"multiple":false}`, Option},
		{"CHOICE", `{"multiple":true}`, Options},
		{"CUSTOM", `{}`, Any},
		{"DATE", `{}`, Date},
		{"DATE", `{"format":"DATE"}`, Date},
		{"DATE", `{"format":"TIME"}`, Time},
		{"DROPDOWN", `{}`, Option},
		{"DROPDOWN", `{"multiple":true}`, Options},
		{"EMAIL", `{}`, Text},
		{"FILE", `{}`, Files},
		{"LEGAL", `{}`, Boolean},
		{"NUMBER", `{}`, Number},
		{"PASSWORD", `{}`, Text},
		{"PAYMENT", `{}`, Payment},
		{"SOCIAL", `{}`, Social},
		{"TEL", `{}`, Text},
		{"TEL", `{"country_picker":true}`, Phone},
		{"TEXT", `{}`, Text},
		{"URL", `{}`, Text},
		{"LATER", `{}`, Any},
		{"RICH_TEXT", `{}`, None},
		{"NEXT_BUTTON", `{"text":"x"}`, None},
	} {
		if got := Of(component(t, c.typ, c.config)); got != c.want {
			t.Errorf("%s with %s is %q, want %q", c.typ, c.config, got, c.want)
		}
	}
}

func TestTypeOfAnotherCategoryIsUnknown(t *testing.T) {
	for src, want := range map[string]Type{
		`{"id":"c","category":"WIDGET","type":"TEXT"}`:     Any,
		`{"id":"c","category":"FIELD","type":"DIVIDER"}`:   Any,
		`{"id":"c","category":"BLOCK","type":"TEXT"}`:      None,
		`{"id":"c","category":"WIDGET","type":"LATER"}`:    Any,
		`{"id":"c","category":"BLOCK","type":"LATER"}`:     None,
		`{"id":"c","category":"FIELD","type":"TEXT"}`:      Text,
		`{"id":"c","category":"BLOCK","type":"RICH_TEXT"}`: None,
	} {
		if got := Of(componentOf(t, src)); got != want {
			t.Errorf("%s is %q, want %q", src, got, want)
		}
	}
}

func TestExamplesConsiderTheConfig(t *testing.T) {
	for _, c := range []struct{ typ, config, want string }{
		{"NUMBER", `{}`, `[1,42,0]`},
		{"NUMBER", `{"min_value":10,"max_value":50}`, `[42,10,50]`},
		{"NUMBER", `{"max_value":-3}`, `[-3]`},
		{"TEXT", `{"min_length":5,"max_length":5}`, `["AnnAn","Some ","A lon"]`},
		{"FILE", `{"extensions":[".PDF","odt"]}`, `["document.pdf","file.PDF","file.odt"]`},
		{"CHOICE", `{"options":[{"value":"a"},{"value":"b"}],"allow_other":{"enabled":true}}`, `["a","b","Something else"]`},
		{"CHOICE", `{"multiple":true,"options":[{"value":"a"},{"value":"b"}]}`, `[["a"],["b"],["a","b"]]`},
		{"CUSTOM", `{"schema":{"type":"array","minItems":2,"items":{"type":"integer","minimum":3}}}`, `[[3,3],"text",1,true]`},
		{"DIVIDER", `{}`, `[]`},
	} {
		got := Examples(component(t, c.typ, c.config))
		if text := string(schema.Encode(append([]any{}, got...))); text != c.want {
			t.Errorf("%s with %s: %s, want %s", c.typ, c.config, text, c.want)
		}
	}
}
