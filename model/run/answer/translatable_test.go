package answer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func TestComponentTexts(t *testing.T) {
	for src, want := range map[string]string{
		`{"id":"a","category":"FIELD","type":"TEXT","label":"L","hint":"H","config":{"placeholder":"P","default_value":"d",` +
			`"min_length":1}}`: "label=L hint=H config.placeholder=P",
		`{"id":"a","category":"FIELD","type":"TEXT","label":" ","hint":5}`: "",
		`{"id":"a","category":"FIELD","type":"LATER","label":"L",` +
			`"config":{"text":"T"}}`: "label=L",
		`{"id":"a","category":"BLOCK","type":"RICH_TEXT","label":"never shown","config":{"content":"<p>C</p>` +
			`"}}`: "config.content=<p>C</p>",
		`{"id":"a","category":"BLOCK","type":"IMAGE","config":{"src":"https://x"}}`: "",
		`{"id":"a","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Go","next_node":"n",` +
			`"style":{"background_color":"#fff"}}}`: "config.text=Go",
		`{"id":"a","category":"WIDGET","type":"RECAPTCHA","config":{"site_key":"k","secret_key":"s"}}`: "",
		`{"id":"a","category":"FIELD","type":"CUSTOM","config":{"code":"x","css":"y","params":{"title":"T",` +
			`"value":"v"}}}`: "config.params.title=T",
		`{"id":"a","category":"FIELD","type":"BOOLEAN","config":{"options":{"true":"Yes",` +
			`"false":"No"}}}`: `config.options.true=Yes config.options.false=No`,
		`{"id":"a","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"r","label":"R"},{"label":"none"},{"value":"r",` +
			`"label":"twice"},
			{"value":"two words","label":"T"}],"allow_other":{"label":"O"}}}`: `config.options.r.label=R ` +
			`config.options["two words"].label=T config.allow_other.label=O`,
		`{"id":"a","category":"FIELD","type":"FILE","config":{"extensions":["pdf"]}}`: "",
	} {
		var got []string
		for _, text := range ComponentTexts(model.ReadComponent(value(t, src).(*schema.Object))) {
			got = append(got, text.Key.String()+"="+text.Value)
			if text.Owner.String() != "components.a" {
				t.Errorf("%s: the owner is %s", src, text.Owner)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", src, got, want)
		}
	}
}

func TestMessageTexts(t *testing.T) {
	f := formOf(t, `{"messages":{"errors":{"ERR_REQUIRED_PROPERTY":"Own","OTHER":"Too"},"custom":{"hi":"Hi"}},
		"translations":{"de":{"messages":{"errors":{"ERR_INVALID_CARD":"Karte","NEW":"x"},"custom":{"only":"x"}}},"fr":null}}`)
	var got []string
	for _, text := range MessageTexts(f, []Key{TooShort, Required}) {
		got = append(got, text.Key.String()+"="+text.Value)
		if s, ok := text.Row.Spec.(schema.String); !ok || s.Max != 255 {
			t.Errorf("%s has the row %+v", text.Key, text.Row)
		}
	}
	want := []string{
		"errors.ERR_REQUIRED_PROPERTY=Own", "errors.OTHER=Too", "custom.hi=Hi",
		"errors.ERR_TOO_SHORT_STRING=" + english(TooShort), "errors.ERR_INVALID_CARD=" + english(InvalidCard),
		"errors.NEW=NEW", "custom.only=only", // which stand for the texts that the form does not have
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestKeysOf(t *testing.T) {
	for src, want := range map[string][]Key{
		`{"category":"FIELD","type":"TEXT","config":{"min_length":1}}`:                      {InvalidInput, TooShort},
		`{"category":"FIELD","type":"DROPDOWN","required":true,"config":{"multiple":true}}`: {InvalidOption, TooManyOptions, ZeroOptionsChosen},
		`{"category":"BLOCK","type":"NEXT_BUTTON"}`:                                         nil,
		`{"category":"FIELD","type":"LATER","required":true}`:                               {Required},
	} {
		if got := KeysOf(model.ReadComponent(value(t, src).(*schema.Object))); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}

// A translation of options may name them, be by place, or both.
func TestTranslatableOptions(t *testing.T) {
	c := model.ReadComponent(value(t, `{"id":"a","category":"FIELD","type":"CHOICE",
		"config":{"options":[{"value":"r","label":"Red"},{"value":"g","label":"Green"},{"value":"b","label":"Blue"}]}}`).(*schema.Object))
	texts := ComponentTexts(c)
	for _, tt := range []struct {
		over string
		at   int
		text string
		path string
		want string
	}{
		{`null`, 1, "Grün", "config.options[1].label", `{"config":{"options":[{"value":"g","label":"Grün"}]}}`},
		{
			`{"config":{"options":[{"value":"b","label":"x"}]}}`, 0, "Rot", "config.options[1].label",
			`{"config":{"options":[{"value":"b","label":"x"},{"value":"r","label":"Rot"}]}}`,
		},
		{
			`{"config":{"options":[{"value":"b","label":"x"}]}}`, 1, "Grün", "config.options[2].label",
			`{"config":{"options":[{"value":"b","label":"x"},{"value":"g","label":"Grün"}]}}`,
		},
		{
			`{"config":{"options":[{"label":"x"},{"label":"y"}]}}`, 1, "Grün", "config.options[1].label",
			`{"config":{"options":[{"label":"x"},{"label":"Grün"}]}}`,
		},
		{`{"config":{"options":[{"label":"x"},{"label":"y"}]}}`, 0, "", "config.options[0].label", `{"config":{"options":[{},{"label":"y"}]}}`},
		{`{"config":{"options":[{},{"label":"y"}]}}`, 1, "", "config.options[1].label", `null`},
		{`{"label":"L","config":{"options":[{"value":"g","label":"x"}]}}`, 1, "", "config.options[0].label", `{"label":"L"}`},
		{
			`{"config":{"options":[{"value":"g","label":"x","image":1}]}}`, 1, "", "config.options[0].label",
			`{"config":{"options":[{"value":"g","image":1}]}}`,
		},
		{`{"config":{"options":"none"}}`, 1, "", "config.options[1].label", `{"config":{"options":"none"}}`},
	} {
		over, _ := value(t, tt.over).(*schema.Object)
		if got := texts[tt.at].PathIn(over).String(); got != tt.path {
			t.Errorf("%s: option %d is at %s, want %s", tt.over, tt.at, got, tt.path)
		}
		got := "null"
		if o := texts[tt.at].With(over, tt.text); o != nil {
			got = string(schema.Encode(o))
		}
		if got != tt.want {
			t.Errorf("%s with %q for option %d:\n got %s\nwant %s", tt.over, tt.text, tt.at, got, tt.want)
		}
	}
}

// translations is the number of random translations.
const translations = 5_000

// randomOver returns a random translation of a component, with texts where the component has them, and other values.
func randomOver(r *rand.Rand, depth int) any {
	switch n := r.IntN(12); {
	case n == 0:
		return nil
	case n == 1:
		return true
	case n < 4 || depth == 0:
		return []any{"", "x", "y"}[r.IntN(3)]
	case n < 6:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = randomOver(r, depth-1)
		}
		return list
	}
	var members []schema.Member
	for _, key := range []string{"value", "label", "placeholder"} {
		switch v := randomOver(r, depth-1); {
		case r.IntN(3) == 0:
		case key == "value" && r.IntN(4) > 0:
			members = append(members, schema.Member{Key: key, Value: []any{"r", "g", "b", "z"}[r.IntN(4)]})
		default:
			members = append(members, schema.Member{Key: key, Value: v})
		}
	}
	return schema.NewObject(members...)
}

// randomOptions returns a random translation of options.
func randomOptions(r *rand.Rand) any {
	if r.IntN(9) == 0 {
		return randomOver(r, 2)
	}
	list := make([]any, r.IntN(5))
	for i := range list {
		list[i] = randomOver(r, 2)
	}
	return list
}

// What In finds is what a run shows, and after With a run shows the new text and no other text changes.
func TestTranslatableEqualsRun(t *testing.T) {
	const src = `{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"a","category":"FIELD","type":"CHOICE","label":"L","config":{
		"options":[{"value":"r","label":"Red"},{"value":"g","label":"Green"},{"label":"none"},{"value":"b","label":"Blue"}],
		"allow_other":{"label":"Other","placeholder":"P"}}}]}}]}`
	f := formOf(t, src)
	c, _, _ := f.Component("a")
	texts := ComponentTexts(c)
	shown := func(over *schema.Object, text Translatable) string {
		var v any
		if over != nil {
			v = over
		}
		g, err := f.Set(schema.Path{schema.Key("translations"), schema.Key("de"), schema.Key("components"), schema.Key("a")}, v)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := schema.Lookup(In(g, "de").Component(c), text.Path)
		return fmt.Sprint(got)
	}
	r := rand.New(rand.NewPCG(1, 5))
	found := 0
	for range translations {
		over := schema.NewObject(schema.Member{Key: "label", Value: randomOver(r, 0)},
			schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: "options", Value: randomOptions(r)},
				schema.Member{Key: "allow_other", Value: randomOver(r, 2)})})
		was := make([]string, len(texts))
		for i, text := range texts {
			was[i] = text.In(over)
			want := was[i]
			if want == "" {
				want = text.Value
			} else if at, _ := schema.Lookup(over, text.PathIn(over)); at != want {
				t.Fatalf("%s: %s is not at %s", schema.Encode(over), text.Key, text.PathIn(over))
			}
			if i > 0 && was[i] != "" {
				found++
			}
			if got := shown(over, text); got != want {
				t.Fatalf("%s: a run shows %q for %s, want %q", schema.Encode(over), got, text.Key, want)
			}
		}
		i, to := r.IntN(len(texts)), []string{"new", ""}[r.IntN(2)]
		now := texts[i].With(over, to)
		for j, text := range texts {
			want := was[j]
			if i == j {
				want = to
			}
			if got := text.In(now); got != want {
				t.Fatalf("%s with %q for %s is %s: %s has %q, want %q", schema.Encode(over), to, texts[i].Key, schema.Encode(now), text.Key, got, want)
			}
			if want == "" {
				want = text.Value
			}
			if got := shown(now, text); got != want {
				t.Fatalf("%s: a run shows %q for %s, want %q", schema.Encode(now), got, text.Key, want)
			}
		}
	}
	if found < translations/10 {
		t.Errorf("only %d texts had a translation", found)
	}
}
