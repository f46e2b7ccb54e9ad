package answer

import (
	"fmt"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// rowFaults lists what the table of answers lacks, or has too much, for some kinds of components.
func rowFaults(all []model.Kind) []string {
	var faults []string
	for i := range all {
		k := &all[i]
		at := slices.IndexFunc(kinds, func(row kind) bool { return row.name == k.Type })
		if (at >= 0) != (k.Category != model.Block) {
			faults = append(faults, fmt.Sprintf("%s of category %s: a row is %v", k.Type, k.Category, at >= 0))
			continue
		}
		if at < 0 {
			continue
		}
		row := &kinds[at]
		listed := map[string]int{}
		for _, name := range slices.Concat(row.reads, row.ignored) {
			listed[name]++
		}
		for _, r := range row.rules {
			listed[r.property]++
		}
		for _, r := range k.Config {
			if listed[r.Name] != 1 {
				faults = append(faults, fmt.Sprintf("%s: %s is listed %d times", k.Type, r.Name, listed[r.Name]))
			}
			delete(listed, r.Name)
		}
		for name := range listed {
			faults = append(faults, fmt.Sprintf("%s: the config has no %s", k.Type, name))
		}
	}
	return faults
}

func TestEveryKindAndPropertyHasARow(t *testing.T) {
	for _, fault := range rowFaults(model.Kinds) {
		t.Error(fault)
	}
	for _, row := range kinds {
		if k := model.KindOf(row.name); k == nil || k.Type != row.name {
			t.Errorf("the model has no kind %s", row.name)
		}
		if row.parse == nil || row.absent == nil {
			t.Errorf("%s is incomplete", row.name)
		}
	}
}

func TestNewKindOrPropertyNeedsARow(t *testing.T) {
	text := *model.KindOf("TEXT")
	text.Config = append(slices.Clone(text.Config), schema.Row{Name: "pattern", Spec: schema.String{}})
	for _, k := range []model.Kind{{Category: model.Field, Type: "LOOKUP"}, {Category: model.Widget, Type: "MAP"}, text} {
		if rowFaults([]model.Kind{k}) == nil {
			t.Errorf("%s needs no row", k.Type)
		}
	}
}

// component returns a component of a type with a config in JSON.
func component(tb testing.TB, typ, config string, required bool) *model.Component {
	tb.Helper()
	k := model.KindOf(typ)
	category := model.Field
	if k != nil {
		category = k.Category
	}
	return componentOf(tb, fmt.Sprintf(`{"id":"c","category":%q,"type":%q,"required":%v,"config":%s}`, category, typ, required, config))
}

func componentOf(tb testing.TB, src string) *model.Component {
	tb.Helper()
	return formOf(tb, `{"nodes":[{"id":"s","type":"STEP","config":{"components":[`+src+`]}}]}`).Nodes[0].Component(0)
}

func TestDefaults(t *testing.T) {
	for _, c := range []struct{ typ, config, want string }{
		{"BOOLEAN", `{"default_value":false}`, `false`},
		{"NUMBER", `{"default_value":0}`, `0`},
		{"TEXT", `{"default_value":" {{fields.a}} "}`, `" {{fields.a}} "`},
		{"CHOICE", `{"default_value":["a"]}`, `["a"]`},
		{"DATE", `{"default_value":null}`, `null`},
		{"EMAIL", `{}`, `null`},
		{"RICH_TEXT", `{"default_value":"x"}`, `null`},
	} {
		if got := string(schema.Encode(Default(component(t, c.typ, c.config, false)))); got != c.want {
			t.Errorf("%s with %s: default %s, want %s", c.typ, c.config, got, c.want)
		}
	}
}

// TestAnswersAreParsed covers what a given value becomes.
func TestAnswersAreParsed(t *testing.T) {
	ab := `{"options":[{"value":"a","label":"A"},{"value":"b","label":"B"},{"value":"1","label":"One"}]`
	for _, c := range []struct{ typ, config, given, want string }{
		{"TEXT", `{}`, `"  é x "`, `"é x"`},
		{"TEXT", `{}`, `12.50`, `"12.50"`},
		{"TEXT", `{}`, `false`, `"false"`},
		{"TEXT", `{"multiline":true}`, `"a\nb\n"`, `"a\nb"`},
		{"PASSWORD", `{"hash":"SHA256"}`, `" pass word "`, `"pass word"`},
		{"NUMBER", `{}`, `" 1,5 "`, `1.5`},
		{"NUMBER", `{}`, `"+007."`, `7`},
		{"NUMBER", `{}`, `"-.5e+3"`, `-0.5e+3`},
		{"NUMBER", `{}`, `0`, `0`},
		{"NUMBER", `{}`, `1e400`, `1e400`},
		{"BOOLEAN", `{}`, `"false"`, `false`},
		{"BOOLEAN", `{}`, `true`, `true`},
		{"LEGAL", `{}`, `false`, `false`},
		{"DATE", `{}`, `" 2024-02-29 "`, `"2024-02-29"`},
		{"CHOICE", ab + `}`, `" a "`, `"a"`},
		{"CHOICE", ab + `}`, `["b","b"]`, `"b"`},
		{"CHOICE", ab + `}`, `1`, `"1"`},
		{"CHOICE", ab + `,"multiple":true}`, `"b"`, `["b"]`},
		{"CHOICE", ab + `,"multiple":true}`, `["1","b","a","b",""]`, `["a","b","1"]`},
		{"CHOICE", ab + `,"allow_other":{"enabled":true}}`, `" own "`, `"own"`},
		{"CHOICE", ab + `,"multiple":true,"allow_other":{"enabled":true}}`, `["own","a","own"]`, `["a","own"]`},
		{"CHOICE", ab + `,"multiple":true}`, `[]`, `null`},
		{"URL", `{}`, `"example.com/a b"`, `null ERR_URL_EXPECTED`},
		{"URL", `{}`, `"example.com/a"`, `"http://example.com/a"`},
		{"TEL", `{}`, `"(030) 123-45"`, `"(030) 123-45"`},
		{"TEL", `{}`, `{"international_number":"+4930123"}`, `"+4930123"`},
		{"TEL", `{"country_picker":true}`, `"+1 (800) 555-0175"`, `{"national_number":"8005550175","national_format":"8005550175",` +
			`"international_number":"+18005550175","international_format":"+1 8005550175","country_code_iso":"US","country_code_number":"1",` +
			`"number":"+18005550175"}`},
		{
			"TEL", `{"country_picker":true}`, `{"country_code_iso":"ca","national_number":"416 555 0123","national_format":"(416) 555-0123"}`,
			`{"national_number":"4165550123","national_format":"(416) 555-0123","international_number":"+14165550123",` +
				`"international_format":"+1 4165550123","country_code_iso":"CA","country_code_number":"1","number":"+14165550123"}`,
		},
		{"TEL", `{"country_picker":true}`, `"0049 30 1234"`, `{"national_number":"301234","national_format":"301234",` +
			`"international_number":"+49301234","international_format":"+49 301234","country_code_iso":"DE","country_code_number":"49",` +
			`"number":"+49301234"}`},
		{"TEL", `{"country_picker":true}`, `"030 1234"`, `{"national_number":"0301234","national_format":"0301234","number":"0301234"}`},
		{"TEL", `{"country_picker":true}`, `{}`, `null`},
		{"FILE", `{}`, `" a.pdf "`, `[{"name":"a.pdf"}]`},
		{"FILE", `{}`, `{"name":"a.pdf","size":1,"type":"application/pdf"}`, `[{"name":"a.pdf","size":1,"type":"application/pdf"}]`},
		{"FILE", `{}`, `[""]`, `null`},
		{"CUSTOM", `{"schema":{"type":"array"}}`, `"[1,2]"`, `[1,2]`},
		{"CUSTOM", `{"schema":{"type":["string","array"]}}`, `"[1,2]"`, `"[1,2]"`},
		{"CUSTOM", `{"schema":{}}`, `[]`, `[]`},
		{"PAYMENT", `{}`, `" pm_1 "`, `"pm_1"`},
		{"PAYMENT", `{}`, `{"card_number":"4242 4242 4242 4242","expiration_date":"09/31","security_code":"123"}`, `"pm_card"`},
		{"PAYMENT", `{}`, `{"card_number":""}`, `null`},
		{"SOCIAL", `{}`, `"google"`, `{"provider":"google"}`},
		{"SOCIAL", `{}`, `{"provider":"google","accessToken":"t"}`, `{"provider":"google","accessToken":"t"}`},
		{"SERVICE_VERIFIABLE_CREDENTIALS", `{}`, `"honored"`, `{"state":"honored"}`},
		{"MAPS_ADDRESS", `{}`, `"Broadway 1"`, `{"type":"Feature","properties":{"geocoding":{"label":"Broadway 1"}}}`},
		{"MAPS_ADDRESS", `{}`, `{"city":"Ulm"}`, `{"type":"Feature","properties":{"geocoding":{"city":"Ulm"}}}`},
		{"RECAPTCHA", `{}`, `"true"`, `{"success":true}`},
		{"LATER", `{}`, `{"a":[1]}`, `{"a":[1]}`},
		{"RICH_TEXT", `{}`, `"x"`, `null`},
	} {
		got, refusal := Judge(component(t, c.typ, c.config, false), value(t, c.given), nil)
		text := string(schema.Encode(got))
		if refusal != nil {
			text += " " + string(refusal.Key)
		}
		if text != c.want {
			t.Errorf("%s with %s, given %s:\n got %s\nwant %s", c.typ, c.config, c.given, text, c.want)
		}
	}
}
