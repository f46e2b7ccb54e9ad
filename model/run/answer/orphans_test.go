package answer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/answer"
)

// orphansOf returns the orphans of a form whose German translation is given, without "translations.de.", as "path code".
func orphansOf(t *testing.T, translation string) []string {
	t.Helper()
	f := formtest.Parse(t, `{"name":"f","languages":{"primary":"en"},"messages":{"custom":{"hi":"Hi"},"errors":{"ERR":"No"}},
		"nodes":[{"id":"s","type":"STEP","config":{"components":[
			{"id":"y","category":"FIELD","type":"TEXT","label":"Year","hint":" ","config":{"default_value":"d"}},
			{"id":"c","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"r","label":"R"},{"value":"g","label":"G"}]}},
			{"id":"b","category":"FIELD","type":"BOOLEAN","config":{"options":{"true":"Yes"}}},
			{"id":"u","category":"FIELD","type":"LATER","label":"L","config":{"text":"T"}},
			{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Go","next_node":"s"}}]}}],
		"translations":{"de":`+translation+`}}`)
	var got []string
	for _, p := range answer.Orphans(f) {
		if p.Offset != -1 || p.Detail == "" {
			t.Errorf("%v", p)
		}
		got = append(got, strings.TrimPrefix(p.Path.String(), "translations.de.")+" "+string(p.Code))
	}
	return got
}

func TestOrphans(t *testing.T) {
	for _, tt := range []struct {
		translation string
		want        []string
	}{
		{`{}`, nil},
		{`{"components":null,"messages":null,"later":{"a":1}}`, nil},
		{`{"components":{"y":{"label":"Jahr","hint":"","config":{"default_value":5,"later":7}},"c":{"config":{"options":[{"label":"A"},` +
			`{"value":"r","label":"B"},{}]}},"b":{"config":{"options":{"true":"Ja"}}},"j":{"config":{"text":"Los","next_node":5}}},` +
			`"messages":{"custom":{"hi":"Hallo"},"errors":{"ERR":"Nein","ERR_OF_A_NEWER_TENANT":"x"}}}`, nil},
		{`{"components":{"gone":{"label":"x"},"y":{}}}`, []string{"components.gone orphan_translation"}},
		{`{"components":{"y":{"label":2026,"hint":true}}}`, []string{
			"components.y.label translation_type", "components.y.hint orphan_translation",
		}},
		{`{"components":{"y":{"hint":"Not in the form"}}}`, []string{"components.y.hint orphan_translation"}},
		{`{"components":{"y":{"config":{"placeholder":"x"}}}}`, []string{"components.y.config.placeholder orphan_translation"}},
		{`{"components":{"y":{"label":null}}}`, nil},
		{`{"components":{"y":"x","c":{"config":[]}}}`, []string{"components.y translation_type", "components.c.config translation_type"}},
		{`{"components":[],"messages":"x"}`, []string{"components translation_type", "messages translation_type"}},
		{`{"components":{"c":{"config":{"options":{"r":"x"}}}}}`, []string{"components.c.config.options translation_type"}},
		{`{"components":{"c":{"config":{"options":[{"value":"x","label":"X"},{"value":"g","label":7},{"label":"third of two"}]}}}}`, []string{
			"components.c.config.options[0] orphan_translation", "components.c.config.options[1].label translation_type",
			"components.c.config.options[2].label orphan_translation",
		}},
		{`{"components":{"b":{"config":{"options":{"false":"Nein"}}}}}`, []string{"components.b.config.options.false orphan_translation"}},
		{`{"components":{"u":{"label":1,"config":{"text":2}}}}`, []string{"components.u.label translation_type"}},
		{`{"messages":{"custom":{"hi":1,"ho":"x"},"errors":{"ERR":[]}}}`, []string{
			"messages.custom.hi translation_type", "messages.custom.ho orphan_translation",
		}},
		{`{},"en":{"components":{}}`, []string{"translations.en orphan_translation"}},
		{`{},"EN":{"components":{}},"DE":{},"fr":{"components":{"gone":{}}}`, []string{
			"translations.EN orphan_translation", "translations.DE orphan_translation", "translations.fr.components.gone orphan_translation",
		}},
	} {
		if got := orphansOf(t, tt.translation); !slices.Equal(got, tt.want) {
			t.Errorf("%s\n got %q\nwant %q", tt.translation, got, tt.want)
		}
	}
	if got := answer.Orphans(model.FromTree(nil)); got != nil {
		t.Errorf("no form: %v", got)
	}
}

// Where a translation of a text has no warning, people see it; where its type is at fault, they see the original.
func TestOrphansAgreeWithWhatPeopleSee(t *testing.T) {
	for over, want := range map[string]string{`"Jahr"`: "Jahr", `2026`: "Year", `true`: "Year", `null`: "Year", `[]`: "Year"} {
		f := formtest.Parse(t, `{"name":"f","languages":{"primary":"en"},"nodes":[{"id":"s","type":"STEP","config":{"components":[
			{"id":"y","category":"FIELD","type":"TEXT","label":"Year"}]}}],"translations":{"de":{"components":{"y":{"label":`+over+`}}}}}`)
		if got := answer.In(f, "de").Component(f.Nodes[0].Component(0)).Text("label"); got != want {
			t.Errorf("%s: people see %q, want %q", over, got, want)
		}
		if warned := len(answer.Orphans(f)) > 0; warned != (want == "Year" && over != "null") {
			t.Errorf("%s: a warning: %v", over, warned)
		}
	}
}
