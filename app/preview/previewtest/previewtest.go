// Package previewtest makes components and answers for tests of the preview. Only tests import it.
package previewtest

import (
	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Tree returns the tree of a JSON text. It panics if the text is not valid, which is a mistake of the test.
func Tree(text string) any {
	tree, problems := schema.Decode([]byte(text))
	if len(problems) > 0 {
		panic(text + ": " + problems.Error())
	}
	return tree
}

// Component returns the component of a JSON text.
func Component(text string) *model.Component {
	step := Tree(`{"nodes":[{"id":"s","type":"STEP","config":{"components":[` + text + `]}}]}`).(*schema.Object)
	return model.FromTree(step).Nodes[0].Config.(*model.Step).Components[0]
}

// WithTexts returns a component with a text in place of each of its strings but its id, its kind and what else decides how it is drawn.
func WithTexts(c *model.Component, text string) *model.Component {
	return Component(string(schema.Encode(replace(c.Tree(), "", text))))
}

func replace(v any, key, text string) any {
	switch v := v.(type) {
	case string:
		if key == "category" || key == "type" || key == "id" || key == "format" {
			return v
		}
		return text
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = replace(v[i], "", text)
		}
		return list
	case *schema.Object:
		o := v
		for _, m := range v.Members() {
			o = o.With(m.Key, replace(m.Value, m.Key, text))
		}
		return o
	}
	return v
}

// Sample is a component as people see it.
type Sample struct {
	Name string
	Item preview.Item
	// Given is an answer that a person could give, as a tree; nil for a component that takes none.
	Given any
}

// Samples returns each kind of component at least once, in the order of the spec's tables, without answers.
func Samples() []Sample {
	list := make([]Sample, 0, len(samples))
	for _, s := range samples {
		sample := Sample{Name: s.name, Item: preview.Item{Component: Component(s.component)}}
		if s.given != "" {
			sample.Given = Tree(s.given)
		}
		list = append(list, sample)
	}
	return list
}

// samples has components and answers as JSON texts.
var samples = []struct{ name, component, given string }{
	{"divider", `{"id":"divider","category":"BLOCK","type":"DIVIDER","config":{"text":"or"}}`, ""},
	{"html", `{"id":"html","category":"BLOCK","type":"HTML","config":{"content":"<p>Markup with a <a href=\"https://example.com\">link</a>.</p>"}}`, ""},
	{"image", `{"id":"image","category":"BLOCK","type":"IMAGE","config":{"src":"https://pictures.example/logo.png","position":"LEFT","height":96}}`, ""},
	{
		"jump button", `{"id":"jump","category":"BLOCK","type":"JUMP_BUTTON",
		"config":{"text":"Skip this","next_node":"$ending","style":{"background_color":"#1f7a4d"}}}`, "",
	},
	{
		"resend button", `{"id":"resend","category":"BLOCK","type":"RESEND_BUTTON","config":{"active_text":"Did not get the code?",
		"button_text":"Send again","waiting_text":"Send again in {{remaining_seconds}} s","flow_id":"af_1"}}`, "",
	},
	{"next button", `{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}`, ""},
	{"previous button", `{"id":"back","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"Back"}}`, ""},
	{
		"rich text", `{"id":"rich","category":"BLOCK","type":"RICH_TEXT",
		"config":{"content":"<h2>Where do you live?</h2><p>Your sign-up looked unusual to us. This takes about a minute.</p>"}}`, "",
	},
	{
		"verifiable credentials", `{"id":"credential","category":"WIDGET","type":"SERVICE_VERIFIABLE_CREDENTIALS","label":"Your ID card",
		"required":true,"config":{"url":"https://wallet.example","alternate_text":"Scan with your wallet","access_token":"SECRET",
		"verification_id":"v"}}`, `{"state":"verified"}`,
	},
	{
		"address", `{"id":"address","category":"WIDGET","type":"MAPS_ADDRESS","label":"Street and number","config":{"api_key":"SECRET"}}`,
		`"Lindenallee 12, Berlin"`,
	},
	{
		"reCAPTCHA", `{"id":"challenge","category":"WIDGET","type":"RECAPTCHA","label":"One more thing","required":true,
		"config":{"site_key":"k","secret_key":"SECRET"}}`, `{"success":true}`,
	},
	{
		"boolean", `{"id":"boolean","category":"FIELD","type":"BOOLEAN","label":"Is this your first visit?","required":true,
		"config":{"options":{"true":"Yes, it is","false":"No"}}}`, `false`,
	},
	{
		"switch", `{"id":"switch","category":"FIELD","type":"BOOLEAN","label":"Send me news","hint":"At most once a month","config":{}}`, `true`,
	},
	{
		"cards", `{"id":"cards","category":"FIELD","type":"CARDS","label":"Which one do you like?","required":true,"config":{"options":[
		{"value":"sea","label":"By the sea","image_url":"https://pictures.example/sea.png"},
		{"value":"hills","label":"In the hills","image_url":"https://pictures.example/hills.png"},
		{"value":"town","label":"In town","image_url":"https://pictures.example/town.png"}]}}`, `"hills"`,
	},
	{
		"cards without labels", `{"id":"cards_multiple","category":"FIELD","type":"CARDS","label":"All that you like","config":{"multiple":true,
		"hide_labels":true,"options":[{"value":"sea","label":"By the sea","image_url":"https://pictures.example/sea.png"},
		{"value":"hills","label":"In the hills","image_url":"https://pictures.example/hills.png"}]}}`, `["sea","hills"]`,
	},
	{
		"choice", `{"id":"choice","category":"FIELD","type":"CHOICE","label":"How long have you lived there?","required":true,
		"config":{"options":[{"value":"1","label":"Under a year"},{"value":"5","label":"1 to 5 years"},{"value":"9","label":"Longer"}]}}`, `"5"`,
	},
	{
		"several choices", `{"id":"choices","category":"FIELD","type":"CHOICE","label":"How did you hear of us?","hint":"Choose all that apply.",
		"required":true,"config":{"multiple":true,"options":[{"value":"friends","label":"From friends"},{"value":"web","label":"On the web"}],
		"allow_other":{"enabled":true,"label":"Other","placeholder":"Please say how"}}}`, `["web","in a book"]`,
	},
	{
		"custom field", `{"id":"custom","category":"FIELD","type":"CUSTOM","label":"Colour","config":{"schema":{"type":"object",
		"title":"Colour"},"code":"fetch('https://tracker.example')","css":"* { display: none }"}}`, `"{\"red\": 12}"`,
	},
	{"date", `{"id":"date","category":"FIELD","type":"DATE","label":"Day of birth","required":true,"config":{"format":"DATE"}}`, `"2001-05-17"`},
	{"time", `{"id":"time","category":"FIELD","type":"DATE","label":"When may we call?","config":{"format":"TIME"}}`, `"23:15"`},
	{
		"dropdown", `{"id":"dropdown","category":"FIELD","type":"DROPDOWN","label":"Size","required":true,"config":{"placeholder":"Choose a size",
		"options":[{"value":"s","label":"Small"},{"value":"m","label":"Medium"},{"value":"l","label":"Large"}]}}`, `"m"`,
	},
	{
		"long dropdown", `{"id":"long","category":"FIELD","type":"DROPDOWN","label":"Department","required":true,"config":{"options":[` +
			`{"value":"1","label":"Accounting"},{"value":"2","label":"Café"},{"value":"3","label":"Design"},{"value":"4","label":"Facilities"},` +
			`{"value":"5","label":"Finance"},{"value":"6","label":"Legal"},{"value":"7","label":"Marketing"},{"value":"8","label":"Operations"},` +
			`{"value":"9","label":"People"},{"value":"10","label":"Product"},{"value":"11","label":"Research"},{"value":"12","label":"Sales"},` +
			`{"value":"13","label":"Security"},{"value":"14","label":"Support"}]}}`, `"2"`,
	},
	{
		"several of a dropdown", `{"id":"dropdown_multiple","category":"FIELD","type":"DROPDOWN","label":"Languages","config":{"multiple":true,
		"options":[{"value":"de","label":"German"},{"value":"en","label":"English"},{"value":"fr","label":"French"}]}}`, `["de","fr"]`,
	},
	{
		"email", `{"id":"email","category":"FIELD","type":"EMAIL","label":"E-mail","hint":"We send a code to this address.","required":true,
		"config":{"placeholder":"name@example.com"}}`, `"ana@example.com"`,
	},
	{
		"file", `{"id":"file","category":"FIELD","type":"FILE","label":"Proof of address","required":true,"config":{"multiple":true,
		"storage":{"type":"MANAGED"},"categories":["IMAGE"],"extensions":["pdf"],"maxSize":5242880,"maxFiles":2}}`,
		`[{"name":"bill.pdf","size":12345,"type":"application/pdf"}]`,
	},
	{
		"legal", `{"id":"legal","category":"FIELD","type":"LEGAL","required":true,
		"config":{"text":"<p>I accept the <a href=\"https://example.com/terms\">terms of use</a>.</p>"}}`, `true`,
	},
	{
		"number", `{"id":"number","category":"FIELD","type":"NUMBER","label":"Your age","required":true,
		"config":{"placeholder":"18","min_value":18,"max_value":120}}`, `"34,5"`,
	},
	{
		"password", `{"id":"password","category":"FIELD","type":"PASSWORD","label":"Password","required":true,"config":{"hash":"NONE",
		"min_length":10,"max_length":64,"complexity":true,"nist":true,"strength_meter":true}}`, `"Correct-horse-9"`,
	},
	{
		"payment", `{"id":"payment","category":"FIELD","type":"PAYMENT","label":"Payment","required":true,"config":{"provider":"STRIPE",
		"charge":{"type":"ONE_OFF","one_off":{"amount":19.5,"currency":"EUR"}},"credentials":{"public_key":"p","private_key":"SECRET"}}}`,
		`{"card_number":"4242 4242 4242 4242","expiration_date":"12/34","security_code":"123"}`,
	},
	{"social", `{"id":"social","category":"FIELD","type":"SOCIAL","label":"Or with an account"}`, `{"provider":"google"}`},
	{
		"telephone", `{"id":"tel","category":"FIELD","type":"TEL","label":"Telephone","required":true,"config":{"placeholder":"030 123456"}}`,
		`"030 123456"`,
	},
	{
		"telephone with a country", `{"id":"phone","category":"FIELD","type":"TEL","label":"Mobile number","required":true,
		"config":{"country_picker":true,"strings":{"filter_placeholder":"Find a country"}}}`, `{"country_code_iso":"DE","number":"151 234567"}`,
	},
	{"text", `{"id":"text","category":"FIELD","type":"TEXT","label":"First name","required":true,"config":{"placeholder":"Ana","max_length":20}}`, `"Ana"`},
	{
		"several lines", `{"id":"lines","category":"FIELD","type":"TEXT","label":"Anything else?","config":{"multiline":true,"max_length":200}}`,
		`"First line\nsecond line"`,
	},
	{"url", `{"id":"url","category":"FIELD","type":"URL","label":"Website","config":{"placeholder":"https://example.com"}}`, `"https://example.com/a"`},
	{"unknown kind", `{"id":"unknown","category":"FIELD","type":"SIGNATURE","label":"Signature"}`, `"{\"x\": 1}"`},
}
