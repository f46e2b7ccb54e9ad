package answer

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func formOf(tb testing.TB, src string) *model.Form {
	tb.Helper()
	return model.FromTree(value(tb, src).(*schema.Object))
}

func value(tb testing.TB, src string) any {
	tb.Helper()
	v, problems := schema.Decode([]byte(src))
	if len(problems) > 0 {
		tb.Fatalf("%s: %v", src, problems)
	}
	return v
}

func TestFill(t *testing.T) {
	params := map[string]string{"a": "{{b}}", "b": "2"}
	for text, want := range map[string]string{
		"": "", "x": "x", "{{a}} {{ b }}{{b}}": "{{b}} 22", "{{c}}{{b}}": "{{c}}2", "{{": "{{", "{{b": "{{b", "b}}": "b}}",
		"{{ {{b}} }}": "{{ 2 }}", "{{{b}}}": "{{{b}}}",
	} {
		if got := fill(text, params); got != want {
			t.Errorf("fill %q: %q, want %q", text, got, want)
		}
	}
	if got := fill("{{a}}", nil); got != "{{a}}" {
		t.Errorf("without parameters: %q", got)
	}
}

const translated = `{"languages":{"primary":"en","default":"de"},
	"messages":{"errors":{"ERR_REQUIRED_PROPERTY":"Own","ERR_TOO_SHORT_STRING":"Own {{ minLength }} {{vars.x}}"},"custom":{"hi":"Hi","bye":"Bye"}},
	"translations":{
		"de":{"components":{"t":{"label":"Name","hint":"","config":{"placeholder":"Ihr Name","default_value":"x","min_length":9,"nope":"x"}},
				"o":{"label":"Wahl","config":{"options":[{"value":"b","label":"Zwei"},{"label":"Eins"},{"value":"c","label":"Drei"}],
					"allow_other":{"label":"Andere"},"multiple":true}},
				"j":{"config":{"text":"Weiter","next_node":"x"}},"r":{"config":{"site_key":"s","secret_key":"stolen"}},"h":{"label":"Nur das"}},
			"messages":{"custom":{"hi":"Hallo"},"errors":{"ERR_REQUIRED_PROPERTY":"Bitte ausfüllen"}},"ending":null},
		"pt-BR":{"components":null,"messages":{}}, "fr":null},
	"nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"t","category":"FIELD","type":"TEXT","label":"Your name","hint":"In full","required":true,"config":{"min_length":3,"default_value":"d"}},
		{"id":"o","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"a","label":"One"},{"value":"b","label":"Two"}]}},
		{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Go","next_node":"$ending"}},
		{"id":"r","category":"WIDGET","type":"RECAPTCHA","config":{"site_key":"k","secret_key":"kept"}},
		{"id":"h","category":"FIELD","type":"TEXT","label":"Only this"},
		{"id":"z","category":"FIELD","type":"LATER","label":"Later"}]}}]}`

func TestLanguage(t *testing.T) {
	f := formOf(t, translated)
	if got := strings.Join(f.Languages(), " "); got != "en de pt-BR fr" {
		t.Errorf("languages %s", got)
	}
	for requested, want := range map[string]string{
		"": "de", "en": "en", "EN-us": "en", "de_AT": "de", "pt": "pt-BR", "pt-PT": "pt-BR", "pt-br": "pt-BR", "es": "de", "fr": "fr",
		"es,pt": "pt-BR", "p": "de", "-": "de", " en ": "en",
	} {
		if got := In(f, strings.Split(requested, ",")...).Language(); got != want {
			t.Errorf("requested %q: %s, want %s", requested, got, want)
		}
	}
	for src, want := range map[string]string{
		`{}`: "en", `{"languages":{"default":"nl"}}`: "nl", `{"languages":{"primary":"nl","default":"it"}}`: "nl",
		`{"languages":{"primary":"nl","default":"IT"},"translations":{"it":{}}}`: "it",
		`{"languages":{"primary":"EN"},"translations":{"en":{}}}`:                "EN",
	} {
		if got := In(formOf(t, src)).Language(); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
	if got := (*Texts)(nil).Language(); got != "en" {
		t.Errorf("without a form: %s", got)
	}
}

func TestTextsOfComponents(t *testing.T) {
	f := formOf(t, translated)
	for id, want := range map[string]string{
		"t": `{"id":"t","category":"FIELD","type":"TEXT","label":"Name","hint":"In full","required":true,` +
			`"config":{"min_length":3,"default_value":"d","placeholder":"Ihr Name"}}`,
		"o": `{"id":"o","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"a","label":"One"},{"value":"b","label":"Eins"}],` +
			`"allow_other":{"label":"Andere"}},"label":"Wahl"}`,
		"j": `{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Weiter","next_node":"$ending"}}`,
		"r": `{"id":"r","category":"WIDGET","type":"RECAPTCHA","config":{"site_key":"s","secret_key":"kept"}}`,
		"h": `{"id":"h","category":"FIELD","type":"TEXT","label":"Nur das"}`,
		"z": `{"id":"z","category":"FIELD","type":"LATER","label":"Later"}`,
	} {
		c, _, _ := f.Component(id)
		if got := string(schema.Encode(In(f, "de").Component(c))); got != want {
			t.Errorf("%s\n got %s\nwant %s", id, got, want)
		}
		for _, texts := range []*Texts{nil, In(f, "en"), In(f, "pt"), In(f, "fr")} {
			if got := texts.Component(c); got != c.Tree() {
				t.Errorf("%s in %s is %s", id, texts.Language(), schema.Encode(got))
			}
		}
	}
}
