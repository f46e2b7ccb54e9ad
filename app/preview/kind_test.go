package preview_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// attrs writes attributes of an element for a comparison.
func attrs(n *node, names ...string) string {
	list := []string{n.tag}
	for _, name := range names {
		if v, ok := n.attrs[name]; ok {
			list = append(list, name+"="+v)
		}
	}
	return strings.Join(list, " ")
}

// Each field has the control that its kind and config ask for, with the names that the vendor's forms have.
func TestControls(t *testing.T) {
	const text = "input type=text"
	want := map[string][]string{
		"verifiable credentials": {"input type=checkbox value=verified data-member=state"},
		"address":                {text + " autocomplete=street-address"},
		"reCAPTCHA":              {"input type=checkbox data-member=success"},
		"boolean":                {"input type=radio value=true", "input type=radio value=false"},
		"switch":                 {"input type=checkbox role=switch"},
		"cards":                  {"input type=radio value=sea", "input type=radio value=hills", "input type=radio value=town"},
		"cards without labels":   {"input type=checkbox value=sea", "input type=checkbox value=hills"},
		"choice":                 {"input type=radio value=1", "input type=radio value=5", "input type=radio value=9"},
		"several choices":        {"input type=checkbox value=friends", "input type=checkbox value=web", "input type=checkbox value= data-other=c0-other-text"},
		"custom field":           {"textarea"},
		"date":                   {"input type=date autocomplete=off"},
		"time":                   {"input type=time autocomplete=off"},
		"dropdown":               {"select"},
		"several of a dropdown":  {"input type=checkbox value=de", "input type=checkbox value=en", "input type=checkbox value=fr"},
		"email":                  {"input type=email autocomplete=email inputmode=email placeholder=name@example.com"},
		"file":                   {"input type=file multiple= accept=image/*,.pdf"},
		"legal":                  {"input type=checkbox"},
		"number":                 {text + " autocomplete=off inputmode=decimal placeholder=18"},
		"password":               {"input type=password autocomplete=new-password"},
		"payment": {
			text + " autocomplete=cc-number inputmode=numeric placeholder=1234 1234 1234 1234 data-member=card_number",
			text + " autocomplete=cc-exp inputmode=numeric placeholder=MM/YY data-member=expiration_date",
			text + " autocomplete=cc-csc inputmode=numeric placeholder=CVC data-member=security_code",
		},
		"social": {
			"input type=radio value=google data-member=provider", "input type=radio value=apple data-member=provider",
			"input type=radio value=facebook data-member=provider",
		},
		"telephone":     {"input type=tel autocomplete=tel inputmode=tel placeholder=030 123456"},
		"text":          {text + " placeholder=Ana"},
		"several lines": {"textarea"},
		"url":           {"input type=url autocomplete=url inputmode=url placeholder=https://example.com"},
		"unknown kind":  {"textarea"},
	}
	for _, s := range previewtest.Samples() {
		id := s.Item.Component.ID
		var got []string
		for _, n := range screen(t, s.Item).with("name", id) {
			got = append(got, attrs(n, "type", "role", "value", "autocomplete", "inputmode", "multiple", "accept", "placeholder", "data-member", "data-other"))
		}
		if w, ok := want[s.Name]; ok && !slices.Equal(got, w) {
			t.Errorf("%s:\n got %q\nwant %q", s.Name, got, w)
		}
	}
}

// A country picker has every country, and that of the answer or else of the language is chosen.
func TestCountries(t *testing.T) {
	tel := previewtest.Component(`{"id":"tel","category":"FIELD","type":"TEL","label":"Tel","config":{"country_picker":true}}`)
	for _, tt := range []struct{ language, given, want string }{
		{"en", "null", ""},
		{"pt-BR", "null", "BR"},
		{"zh-Hant-TW", "null", "TW"},
		{"de", `{"national_number":"30","country_code_iso":"DE"}`, "DE"},
		{"pt-BR", `{"national_number":"30","country_code_iso":"PT"}`, "PT"},
		{"pt-BR", `{"national_number":"30"}`, ""},
		{"pt-BR", `"+61 2 1234 5678"`, "AU"},
		{"pt-BR", `"0061212345678"`, "AU"},
		{"pt-BR", `"02 1234 5678"`, "BR"},
		{"pt-BR", `"+999 1"`, "BR"},
		{"pt-BR", `"+61"`, "BR"},
		{"pt-BR", `{"international_number":"+61212345678"}`, "AU"},
		{"pt-BR", `{"number":"+1 416 555","country_code_iso":"CA"}`, "CA"},
	} {
		s := preview.Screen{Language: tt.language, Items: []preview.Item{{Component: tel, Answer: previewtest.Tree(tt.given)}}}
		countries := parse(t, s.Render()).with("data-member", "country_code_iso")
		chosen := ""
		for _, c := range countries {
			if _, ok := c.attrs["checked"]; ok {
				chosen += c.attrs["value"]
			}
		}
		if chosen != tt.want || len(countries) < 240 {
			t.Errorf("%s, %s: %q of %d countries is chosen, want %q", tt.language, tt.given, chosen, len(countries), tt.want)
		}
	}
}

// What the frame gives for a number that was preset is the same number.
func TestPresetNumberStaysItself(t *testing.T) {
	const picker = `{"id":"tel","category":"FIELD","type":"TEL","label":"Tel","config":{"country_picker":true}}`
	for _, given := range []string{"+61 2 1234 5678", "0061212345678", "+1 416 555 0100", "+44 20 7946 0018", "+39 06 698"} {
		tel := previewtest.Component(picker)
		s := preview.Screen{Language: "en", Items: []preview.Item{{Component: tel, Answer: given}}}
		tree := parse(t, s.Render())
		frame := schema.NewObject(schema.Member{Key: "number", Value: tree.with("data-member", "number")[0].attrs["value"]})
		for _, c := range tree.with("data-member", "country_code_iso") {
			if _, ok := c.attrs["checked"]; ok {
				frame = frame.With("country_code_iso", c.attrs["value"])
			}
		}
		want, ok := answer.Phone(given)
		got, _ := answer.Phone(frame)
		if !ok || got.Text("international_number") != want.Text("international_number") {
			t.Errorf("%s: the frame gives %s, which is %s", given, schema.Encode(frame), got.Text("international_number"))
		}
	}
	// Without a picker the number is shown as it was written.
	plain := previewtest.Component(`{"id":"tel","category":"FIELD","type":"TEL","label":"Tel"}`)
	s := preview.Screen{Language: "en", Items: []preview.Item{{Component: plain, Answer: "+61 2 1234"}}}
	if got := parse(t, s.Render()).with("name", "tel")[0].attrs["value"]; got != "+61 2 1234" {
		t.Errorf("without a picker the number is %q", got)
	}
}

// Buttons, and only they, have data-button. Enter presses the next button.
func TestButtons(t *testing.T) {
	for _, s := range previewtest.Samples() {
		is := strings.HasSuffix(s.Name, "button")
		for _, disabled := range []bool{false, true} {
			s.Item.Disabled = disabled
			buttons := screen(t, s.Item).all(has("data-button"))
			if len(buttons) > 1 || is != (len(buttons) == 1) {
				t.Fatalf("%s has %d buttons", s.Name, len(buttons))
			}
			if !is {
				continue
			}
			_, submits := buttons[0].attrs["data-submit"]
			_, off := buttons[0].attrs["disabled"]
			if buttons[0].tag != "button" || buttons[0].attrs["data-button"] != s.Item.Component.ID || buttons[0].attrs["type"] != "button" ||
				submits != (s.Name == "next button") || off != disabled {
				t.Errorf("%s: got %v", s.Name, buttons[0].attrs)
			}
		}
	}
}

func TestResendWaits(t *testing.T) {
	for _, s := range previewtest.Samples() {
		if s.Name != "resend button" {
			continue
		}
		s.Item.Wait = 30
		root := screen(t, s.Item)
		if waits := root.with("data-wait", "30"); len(waits) != 1 || !strings.Contains(waits[0].words, "Send again in 30 s") || len(root.all(has("disabled"))) != 1 {
			t.Errorf("got %q", root.words)
		}
	}
}

// Limits of files, amounts and rules are told in words.
func TestWords(t *testing.T) {
	component := func(kind, config string) *node {
		return screen(t, preview.Item{Component: previewtest.Component(fmt.Sprintf(`{"id":"a","category":"FIELD","type":%q,"config":%s}`, kind, config))})
	}
	for _, tt := range []struct{ kind, config, want string }{
		{"FILE", `{"maxSize":1024}`, "up to 1 KB each"},
		{"FILE", `{"maxSize":1572864,"multiple":true,"maxFiles":3}`, "up to 1.5 MB each · up to 3 files"},
		{"FILE", `{"maxFiles":3,"maxSize":1e99}`, "up to 1e99 bytes each"},
		{"FILE", `{"categories":["AUDIO","ARCHIVE"],"extensions":[".pdf","txt"]}`, "Audio, archives, PDF, TXT"},
		{"PAYMENT", `{"charge":{"type":"ONE_OFF","one_off":{"amount":10,"currency":"EUR"}}}`, "10 EUR"},
		{"PAYMENT", `{"charge":{"type":"ONE_OFF","one_off":{"amount":"{{vars.price}}","currency":"USD"}}}`, "{{vars.price}} USD"},
		{"PAYMENT", `{"charge":{"type":"SUBSCRIPTION","subscription":{}}}`, "Subscription"},
		{"PASSWORD", `{"min_length":4,"nist":true}`, "At least 8 characters"},
		{"PASSWORD", `{"min_length":12,"nist":true}`, "At least 12 characters"},
		{"CUSTOM", `{"schema":{"type":"string"},"code":"x"}`, "answered as text"},
		{"CUSTOM", `{"schema":{"title":"שם"},"code":"x"}`, "“\u2068שם\u2069”"},
		{"CUSTOM", `{"schema":{"type":"array"},"code":"x"}`, "matches its schema (array)"},
		{"BOOLEAN", `{"options":{"true":"Sure"}}`, "SureNo"},
		{"DROPDOWN", `{"options":[{"value":"a"}]}`, "Choosea"},
	} {
		if got := component(tt.kind, tt.config).words; !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: got %q, want %q", tt.kind, tt.config, got, tt.want)
		}
	}
	if got := component("FILE", `{"maxFiles":3}`).words; strings.Contains(got, "3") {
		t.Errorf("a single file: got %q", got)
	}
}

// HTML of the author is the value of an attribute; other texts are texts.
func TestHTMLOfTheAuthor(t *testing.T) {
	const html = "<p>Read <b>this</b>.</p>"
	for _, tt := range []struct{ component, want string }{
		{`{"id":"a","category":"BLOCK","type":"HTML","config":{"content":"` + html + `"}}`, html},
		{`{"id":"a","category":"BLOCK","type":"RICH_TEXT","config":{"content":"` + html + `"}}`, html},
		{`{"id":"a","category":"FIELD","type":"LEGAL","config":{"text":"` + html + `"}}`, html},
		{`{"id":"a","category":"FIELD","type":"TEXT","label":"A","hint":"` + html + `"}`, html},
		{`{"id":"a","category":"FIELD","type":"TEXT","label":"` + html + `","hint":"2 < 3"}`, ""},
	} {
		got := ""
		for _, n := range screen(t, preview.Item{Component: previewtest.Component(tt.component)}).all(has("data-html")) {
			got += n.attrs["data-html"]
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.component, got, tt.want)
		}
	}
}

// Pictures of other sites are drawn if they are loaded, and pictures in the form always.
func TestPictures(t *testing.T) {
	const inside = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
	for _, src := range []string{"https://pictures.example/a.png", inside} {
		it := preview.Item{Component: previewtest.Component(`{"id":"a","category":"BLOCK","type":"IMAGE","config":{"src":"` + src + `"}}`)}
		for _, images := range []bool{false, true} {
			drawn := parse(t, preview.Screen{Items: []preview.Item{it}, Images: images}.Render()).with("src", src)
			if got := len(drawn) == 1; got != (images || src == inside) {
				t.Errorf("%s, images %t: drawn is %t", src, images, got)
			}
		}
	}
}

func TestJumpButtonsHaveReadableColours(t *testing.T) {
	for colour, want := range map[string]string{
		"#000": "#ffffff", "#FFF": "#000000", "#1f7a4d": "#ffffff", "#ffd43b": "#000000", "#777777": "#000000", "#6a6a6a": "#ffffff",
		"red": "", "#12": "", "#12345g": "", "": "", "#000;background:url(x)": "", "12345": "",
	} {
		c := previewtest.Component(`{"id":"a","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"x","style":{"background_color":"` + colour + `"}}}`)
		style := ""
		for _, n := range screen(t, preview.Item{Component: c}).all(has("style")) {
			style = n.attrs["style"]
		}
		if want != "" {
			want = "background-color:" + colour + ";border-color:" + colour + ";color:" + want
		}
		if style != want {
			t.Errorf("%s: got %q, want %q", colour, style, want)
		}
	}
}

// A password names only the bounds that its config has.
func TestPasswordRulesAreThoseOfTheConfig(t *testing.T) {
	for config, want := range map[string][]string{
		`{"hash":"NONE"}`:                                   nil,
		`{"hash":"NONE","min_length":10}`:                   {"At least 10 characters"},
		`{"hash":"NONE","max_length":64}`:                   {"At most 64 characters"},
		`{"hash":"NONE","min_length":10,"max_length":64.5}`: {"At least 10 characters"},
	} {
		c := previewtest.Component(`{"id":"p","category":"FIELD","type":"PASSWORD","label":"Password","config":` + config + `}`)
		markup := preview.Screen{Node: "s", Items: []preview.Item{{Component: c}}}.Render()
		var got []string
		for _, part := range strings.Split(markup, "At ")[1:] {
			words, _, _ := strings.Cut(part, "<")
			got = append(got, "At "+words)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", config, got, want)
		}
	}
}
