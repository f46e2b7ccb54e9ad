package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// tableCase is one property of a form: valid values at its bounds, and invalid values
// with the code and, if it is not that of the
// property, the path below it.
type tableCase struct {
	row  string // where: "STEP" and so on for nodes, a type for components, else a property of the form
	good []string
	bad  []badValue
}

type badValue struct{ value, code string }

func text(n int) string { return `"` + strings.Repeat("é", n) + `"` }

// bounded returns the cases of a string of min to max code points.
func bounded(row string, lo, hi int, more ...badValue) tableCase {
	c := tableCase{
		row:  row,
		good: []string{text(hi)},
		bad:  append([]badValue{{text(hi + 1), "length"}, {`3`, "type"}, {`null`, "type"}}, more...),
	}
	if lo > 0 {
		c.good = append(c.good, text(lo))
		c.bad = append(c.bad, badValue{text(lo - 1), "length"})
	} else {
		c.good = append(c.good, `""`)
	}
	return c
}

// atLeast returns the cases of a string without an upper bound.
func atLeast(row string, lo int) tableCase {
	c := tableCase{row: row, good: []string{text(lo), text(20000)}, bad: []badValue{{`3`, "type"}}}
	if lo > 0 {
		c.bad = append(c.bad, badValue{text(lo - 1), "length"})
	}
	return c
}

// number returns the cases of a number from lo to hi.
func number(row, lo, below, hi, above string, integer bool) tableCase {
	c := tableCase{row: row, good: []string{lo}, bad: []badValue{{below, "range"}, {`"5"`, "type"}, {`true`, "type"}, {`null`, "type"}}}
	if hi != "" {
		c.good = append(c.good, hi)
	}
	if above != "" {
		c.bad = append(c.bad, badValue{above, "range"})
	}
	if integer {
		c.good = append(c.good, lo+".0", lo+"e0")
		c.bad = append(c.bad, badValue{lo + ".5", "type"})
	}
	return c
}

func oneOf(row string, values ...string) tableCase {
	c := tableCase{
		row: row,
		bad: []badValue{{`"OTHER"`, "enum"}, {`""`, "enum"}, {`"` + strings.ToLower(values[0]) + `"`, "enum"}, {`1`, "type"}},
	}
	for _, v := range values {
		c.good = append(c.good, `"`+v+`"`)
	}
	return c
}

func boolean(row string) tableCase {
	return tableCase{row: row, good: []string{`true`, `false`}, bad: []badValue{{`"true"`, "type"}, {`0`, "type"}, {`null`, "type"}}}
}

func onlyTrue(row string) tableCase {
	return tableCase{row: row, good: []string{`true`}, bad: []badValue{{`false`, "enum"}, {`"true"`, "type"}, {`1`, "type"}}}
}

func object(row string, good ...string) tableCase {
	return tableCase{row: row, good: good, bad: []badValue{{`[]`, "type"}, {`null`, "type"}, {`"x"`, "type"}}}
}

func identifiers(row string) tableCase {
	return tableCase{
		row:  row,
		good: []string{`"a"`, `"A_1-b"`, text0("x", 300)},
		bad:  []badValue{{`""`, "format"}, {`"a b"`, "format"}, {`"$x"`, "format"}, {`"é"`, "format"}, {`1`, "type"}},
	}
}

func pointers(row string) tableCase {
	return tableCase{
		row:  row,
		good: []string{`"$ending"`, `"n0"`},
		bad:  []badValue{{`""`, "format"}, {`"$start"`, "format"}, {`"a b"`, "format"}, {`null`, "type"}, {`"nowhere"`, "unknown_node"}},
	}
}

func list(row string, good ...string) tableCase {
	return tableCase{row: row, good: append(good, `[]`), bad: []badValue{{`{}`, "type"}, {`null`, "type"}, {`"x"`, "type"}}}
}

func anything(row string) tableCase {
	return tableCase{row: row, good: []string{`null`, `1e400`, `"x"`, `[{"a":[]}]`, `{"a":{}}`, `false`}}
}

func text0(s string, n int) string { return `"` + strings.Repeat(s, n) + `"` }

// specCases repeat the properties of a form, written by hand from the public
// description of the API. They share nothing with the tables of the package.
var specCases = []tableCase{
	bounded("name", 1, 150),
	object("messages", `{}`, `{"errors":{},"custom":{}}`),
	object("messages.errors", `{}`, `{"a b":"x"}`), bounded("messages.errors.ERR", 1, 255),
	object("messages.custom", `{}`), bounded("messages.custom.any key", 1, 255),
	object("languages", `{}`), bounded("languages.primary", 1, 55), bounded("languages.default", 1, 55),
	object("translations", `{}`, `{"pt-BR":{"x":[1]}}`), object("translations.de", `{}`, `{"any":null}`),
	object("style", `{}`), bounded("style.css", 1, 5000),
	list("nodes"),
	object("start", `{}`), object("ending", `{}`),
	list("start.hidden_fields", `[{"key":"k"}]`), identifiers("start.hidden_fields.0.key"), bounded("start.hidden_fields.0.value", 1, 500),
	pointers("start.next_node"), object("start.coordinates", `{"x":1,"y":2}`),
	number(
		"start.coordinates.x",
		"-999999",
		"-1000000",
		"999999",
		"1000000",
		true,
	), number("start.coordinates.y", "-999999", "-1000000", "999999", "1000000", true),
	object(
		"ending.redirection",
		`{"target":"x"}`,
	), bounded("ending.redirection.target", 1, 1024), number("ending.redirection.delay", "0", "-1", "10", "11", true),
	object("ending.after_submit", `{}`), bounded("ending.after_submit.flow_id", 0, 30),
	object("ending.coordinates", `{"x":1,"y":2}`), number("ending.coordinates.x", "-999999", "-1000000", "999999", "1000000", true),
	number("ending.coordinates.y", "-999999", "-1000000", "999999", "1000000", true), onlyTrue("ending.resume_flow"),

	identifiers("STEP.id"), bounded("STEP.alias", 1, 150), object("STEP.coordinates", `{"x":-999999,"y":999999}`),
	number(
		"STEP.coordinates.x",
		"-999999",
		"-1000000",
		"999999",
		"1000000",
		true,
	), number("STEP.coordinates.y", "-999999", "-1000000", "999999", "1000000", true),
	object("STEP.config", `{}`), list("STEP.config.components"), pointers("STEP.config.next_node"),
	identifiers(
		"FLOW.id",
	), bounded("FLOW.alias", 1, 150), object("FLOW.coordinates", `{"x":0,"y":0}`), object("FLOW.config", `{"flow_id":"af_1"}`),
	bounded("FLOW.config.flow_id", 0, 30), pointers("FLOW.config.next_node"),
	identifiers("ROUTER.id"), bounded("ROUTER.alias", 1, 150), object("ROUTER.coordinates", `{"x":0,"y":0}`), object("ROUTER.config", `{}`),
	list("ROUTER.config.rules"), pointers("ROUTER.config.fallback"),
	identifiers(
		"ROUTER.config.rules.0.id",
	), bounded("ROUTER.config.rules.0.alias", 1, 150), anything("ROUTER.config.rules.0.condition"),
	pointers("ROUTER.config.rules.0.next_node"),

	bounded("DIVIDER.config.text", 0, 50),
	bounded("HTML.config.content", 0, 10000),
	bounded(
		"IMAGE.config.src",
		0,
		500,
	), oneOf("IMAGE.config.position", "LEFT", "CENTER", "RIGHT"), number("IMAGE.config.height", "1", "0.99", "500", "500.01", false),
	bounded("JUMP_BUTTON.config.text", 0, 150), pointers("JUMP_BUTTON.config.next_node"), object("JUMP_BUTTON.config.style", `{}`),
	{
		"JUMP_BUTTON.config.style.background_color",
		[]string{`"#abc"`, `"#A0b1C2"`},
		[]badValue{{`"abc"`, "format"}, {`"#abcd"`, "format"}, {`"#ggg"`, "format"}, {`""`, "format"}, {`3`, "type"}},
	},
	bounded(
		"RESEND_BUTTON.config.active_text",
		1,
		255,
	), bounded("RESEND_BUTTON.config.button_text", 1, 255), bounded("RESEND_BUTTON.config.waiting_text", 1, 255),
	bounded("RESEND_BUTTON.config.flow_id", 0, 30), oneOf("RESEND_BUTTON.config.text_alignment", "LEFT", "CENTER", "RIGHT"),
	number(
		"RESEND_BUTTON.config.max_attempts",
		"1",
		"0",
		"10",
		"10.1",
		false,
	), number("RESEND_BUTTON.config.waiting_time", "1", "0.5", "60", "61", false),
	bounded("NEXT_BUTTON.config.text", 0, 150), bounded("PREVIOUS_BUTTON.config.text", 0, 150), bounded("RICH_TEXT.config.content", 0, 10000),

	bounded(
		"SERVICE_VERIFIABLE_CREDENTIALS.config.url",
		0,
		2000,
	), number("SERVICE_VERIFIABLE_CREDENTIALS.config.size", "1", "0", "500", "501", false),
	bounded(
		"SERVICE_VERIFIABLE_CREDENTIALS.config.alternate_text",
		1,
		255,
	), bounded("SERVICE_VERIFIABLE_CREDENTIALS.config.access_token", 1, 5000),
	bounded(
		"SERVICE_VERIFIABLE_CREDENTIALS.config.verification_id",
		1,
		255,
	), number("SERVICE_VERIFIABLE_CREDENTIALS.config.max_wait", "60", "59", "600", "601", false),
	atLeast("MAPS_ADDRESS.config.api_key", 1), atLeast("RECAPTCHA.config.site_key", 1), atLeast("RECAPTCHA.config.secret_key", 1),
	atLeast("RECAPTCHA.label", 1), bounded("RECAPTCHA.hint", 1, 500), boolean("RECAPTCHA.required"), boolean("RECAPTCHA.sensitive"),

	atLeast("TEXT.label", 1), bounded("TEXT.hint", 1, 500), boolean("TEXT.required"), boolean("TEXT.sensitive"), identifiers("TEXT.id"),
	boolean(
		"BOOLEAN.config.default_value",
	), object("BOOLEAN.config.options", `{}`), bounded("BOOLEAN.config.options.true", 1, 50), bounded("BOOLEAN.config.options.false", 1, 50),
	boolean(
		"CARDS.config.hide_labels",
	), boolean("CARDS.config.multiple"), list("CARDS.config.options"), atLeast("CARDS.config.options.0.value", 1),
	atLeast("CARDS.config.options.0.label", 1),
	{
		"CARDS.config.options.0.image_url",
		[]string{`"https://a/b"`, `"HTTPS://a"`},
		[]badValue{{`"http://a"`, "format"}, {`"https://"`, "format"}, {`""`, "format"}, {`3`, "type"}},
	},
	anything("CARDS.config.default_value"),
	boolean(
		"CHOICE.config.multiple",
	), list("CHOICE.config.options"), atLeast("CHOICE.config.options.0.value", 1), atLeast("CHOICE.config.options.0.label", 1),
	object(
		"CHOICE.config.allow_other",
		`{}`,
	), onlyTrue("CHOICE.config.allow_other.enabled"), atLeast("CHOICE.config.allow_other.label", 1),
	atLeast("CHOICE.config.allow_other.placeholder", 1), anything("CHOICE.config.default_value"),
	object(
		"CUSTOM.config.schema",
		`{}`,
		`{"any":[1]}`,
	), atLeast("CUSTOM.config.code", 1), atLeast("CUSTOM.config.css", 1), object("CUSTOM.config.params", `{}`),
	atLeast("CUSTOM.config.params.p", 0),
	oneOf("DATE.config.format", "DATE", "TIME"), atLeast("DATE.config.default_value", 0),
	boolean(
		"DROPDOWN.config.multiple",
	), list("DROPDOWN.config.options"), atLeast("DROPDOWN.config.options.0.value", 1), atLeast("DROPDOWN.config.options.0.label", 1),
	anything("DROPDOWN.config.default_value"), bounded("DROPDOWN.config.placeholder", 1, 500),
	atLeast("EMAIL.config.default_value", 1), bounded("EMAIL.config.placeholder", 1, 500),
	boolean(
		"FILE.config.multiple",
	), object("FILE.config.storage", `{"type":"MANAGED"}`, `{"type":"CUSTOM","x":1}`), oneOf("FILE.config.storage.type", "MANAGED", "CUSTOM"),
	list("FILE.config.categories"), oneOf("FILE.config.categories.0", "AUDIO", "VIDEO", "IMAGE", "DOCUMENT", "ARCHIVE"),
	list("FILE.config.extensions"),
	{
		"FILE.config.extensions.0",
		[]string{`".pdf"`, `"PDF"`, text0("x", 50)},
		[]badValue{{`"."`, "format"}, {`"a.b"`, "format"}, {text0("x", 51), "length"}, {`1`, "type"}},
	},
	number("FILE.config.maxSize", "1024", "1023", "1e30", "", true), number("FILE.config.maxFiles", "1", "0", "", "", true),
	bounded("LEGAL.config.text", 1, 10000),
	{"NUMBER.config.default_value", []string{`-1e400`, `0.5`}, []badValue{{`"1"`, "type"}}},
	bounded("NUMBER.config.placeholder", 1, 500),
	{"NUMBER.config.min_value", []string{`-5`}, []badValue{{`"1"`, "type"}}},
	{"NUMBER.config.max_value", []string{`5`}, []badValue{{`false`, "type"}}},
	oneOf(
		"PASSWORD.config.hash",
		"NONE",
		"MD5",
		"SHA1",
		"SHA256",
		"SHA512",
	), bounded("PASSWORD.config.placeholder", 0, 500), number("PASSWORD.config.min_length", "1", "0", "", "", true),
	number(
		"PASSWORD.config.max_length",
		"1",
		"0",
		"",
		"",
		true,
	), boolean("PASSWORD.config.complexity"), boolean("PASSWORD.config.nist"), boolean("PASSWORD.config.strength_meter"),
	oneOf("PAYMENT.config.provider", "STRIPE"), object("PAYMENT.config.charge", `{"type":"SUBSCRIPTION","subscription":{"any":1}}`),
	object("PAYMENT.config.charge.one_off", `{"amount":1,"currency":"EUR","more":1}`),
	{
		"PAYMENT.config.charge.one_off.amount",
		[]string{`"1"`, `0.01`, `1e400`},
		[]badValue{{`""`, "length"}, {`0.0099999999999999999999`, "range"}, {`true`, "type"}, {`null`, "type"}},
	},
	oneOf("PAYMENT.config.charge.one_off.currency", "AUD", "CAD", "CHF", "EUR", "GBP", "INR", "MXN", "SEK", "USD"),
	object(
		"PAYMENT.config.credentials",
		`{"public_key":"a","private_key":"b"}`,
	), bounded("PAYMENT.config.credentials.public_key", 1, 250), bounded("PAYMENT.config.credentials.private_key", 1, 250),
	object("PAYMENT.config.customer", `{}`, `{"any":[]}`), object("PAYMENT.config.fields", `{}`), boolean("PAYMENT.config.fields.trustmarks"),
	bounded("PAYMENT.config.fields.card_number.label", 1, 250), bounded("PAYMENT.config.fields.card_number.placeholder", 1, 250),
	bounded("PAYMENT.config.fields.expiration_date.label", 1, 250), bounded("PAYMENT.config.fields.security_code.placeholder", 1, 250),
	object("SOCIAL.config", `{}`),
	atLeast(
		"TEL.config.default_value",
		0,
	), bounded("TEL.config.placeholder", 0, 500), number("TEL.config.min_length", "1", "0", "", "", true), number("TEL.config.max_length",
		"1", "0", "", "", true),
	boolean("TEL.config.country_picker"), object("TEL.config.strings", `{}`), atLeast("TEL.config.strings.filter_placeholder", 1),
	boolean(
		"TEXT.config.multiline",
	), atLeast("TEXT.config.default_value", 1), bounded("TEXT.config.placeholder", 1, 500), number("TEXT.config.min_length", "1", "0", "",
		"", true), number("TEXT.config.max_length", "1", "0", "", "", true),
	atLeast("URL.config.default_value", 1), bounded("URL.config.placeholder", 1, 500),
}

// validForm has one node of each kind and, in the step, one component of each
// type with every required property and one element in every list.
func validForm(t *testing.T) (*schema.Object, map[string]string) {
	t.Helper()
	where := map[string]string{"STEP": "nodes.0", "FLOW": "nodes.1", "ROUTER": "nodes.2"}
	var comps []any
	add := func(category, typ, config string) {
		where[typ] = fmt.Sprintf("nodes.0.config.components.%d", len(comps))
		src := fmt.Sprintf(`{"id":"c%d","category":%q,"type":%q}`, len(comps), category, typ)
		if config != "" {
			src = fmt.Sprintf(`{"id":"c%d","category":%q,"type":%q,"config":%s}`, len(comps), category, typ, config)
		}
		comps = append(comps, parse(t, src))
	}
	for _, typ := range []string{"DIVIDER", "HTML", "RICH_TEXT"} {
		add("BLOCK", typ, "")
	}
	add("BLOCK", "IMAGE", `{"src":"x"}`)
	add("BLOCK", "JUMP_BUTTON", `{"text":"x","next_node":"n0"}`)
	add("BLOCK", "RESEND_BUTTON", `{"active_text":"a","button_text":"b","waiting_text":"c","flow_id":"af_1"}`)
	add("BLOCK", "NEXT_BUTTON", `{"text":"x"}`)
	add("BLOCK", "PREVIOUS_BUTTON", `{"text":"x"}`)
	add("WIDGET", "SERVICE_VERIFIABLE_CREDENTIALS", `{"url":"u","alternate_text":"a","access_token":"t","verification_id":"v"}`)
	add("WIDGET", "MAPS_ADDRESS", `{"api_key":"k"}`)
	add("WIDGET", "RECAPTCHA", `{"site_key":"a","secret_key":"b"}`)
	for _, typ := range []string{"EMAIL", "LEGAL", "NUMBER", "SOCIAL", "TEL", "TEXT", "URL"} {
		add("FIELD", typ, "")
	}
	add("FIELD", "BOOLEAN", `{}`)
	add("FIELD", "CARDS", `{"options":[{"value":"v","label":"l","image_url":"https://a"}]}`)
	add("FIELD", "CHOICE", `{"options":[{"value":"v","label":"l"}]}`)
	add("FIELD", "CUSTOM", `{"schema":{},"code":"x"}`)
	add("FIELD", "DATE", `{}`)
	add("FIELD", "DROPDOWN", `{"options":[{"value":"v","label":"l"}]}`)
	add("FIELD", "FILE", `{"storage":{"type":"MANAGED"},"categories":["IMAGE"],"extensions":["pdf"]}`)
	add("FIELD", "PASSWORD", `{}`)
	add(
		"FIELD",
		"PAYMENT",
		`{"charge":{"type":"ONE_OFF","one_off":{"amount":1,"currency":"EUR"}},"credentials":{"public_key":"a","private_key":"b"}}`,
	)
	form := parse(t, `{"name":"f","nodes":[
	 {"id":"s","type":"STEP","coordinates":{"x":0,"y":0},"config":{}},
	 {"id":"w","type":"FLOW","coordinates":{"x":0,"y":0},"config":{"flow_id":"af_1"}},
	 {"id":"r","type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"rules":[{"id":"r1","condition":true}]}},
	 {"id":"n0","type":"STEP"}],
	 "start":{"hidden_fields":[{"key":"k"}],"coordinates":{"x":0,"y":0}},"ending":{"redirection":{"target":"x"},"coordinates":{"x":0,"y":0}}}`)
	out, err := schema.Set(form, path(t, "nodes.0.config.components"), comps)
	if err != nil {
		t.Fatal(err)
	}
	return out.(*schema.Object), where
}

func parse(t *testing.T, src string) *schema.Object {
	t.Helper()
	v, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		t.Fatalf("%s: %v", src, ps)
	}
	return v.(*schema.Object)
}

func formOf(t *testing.T, src string) *model.Form {
	t.Helper()
	return model.FromTree(parse(t, src))
}

// path parses the dotted paths of the cases, in which a number is an index.
func path(t *testing.T, s string) schema.Path {
	t.Helper()
	var p schema.Path
	for part := range strings.SplitSeq(s, ".") {
		var i int
		if n, err := fmt.Sscanf(part, "%d", &i); n == 1 && err == nil && fmt.Sprint(i) == part {
			p = p.Index(i)
		} else {
			p = p.Key(part)
		}
	}
	return p
}

func TestEveryRowOfTheSpec(t *testing.T) {
	form, where := validForm(t)
	if ps := new(model.Checker).Check(model.FromTree(form)); len(ps) > 0 {
		t.Fatalf("the form that the cases change is not valid: %v", ps)
	}
	for _, c := range specCases {
		first, rest, _ := strings.Cut(c.row, ".")
		at := c.row
		if w, ok := where[first]; ok {
			at = w + "." + rest
		}
		p := path(t, at)
		check := func(value, code string) {
			t.Helper()
			tree, err := schema.Set(form, p, parse(t, `{"v":`+value+`}`).Members()[0].Value)
			if err != nil {
				t.Fatal(err)
			}
			ps := new(model.Checker).Check(model.FromTree(tree.(*schema.Object)))
			switch {
			case code == "" && len(ps.At(p)) > 0:
				t.Errorf("%s = %.60s: %v, want no problem", c.row, value, ps.At(p))
			case code != "" && (len(ps.At(p)) != 1 || string(ps.At(p)[0].Code) != code):
				t.Errorf("%s = %.60s: %v, want one %s", c.row, value, ps, code)
			}
		}
		for _, v := range c.good {
			check(v, "")
		}
		for _, b := range c.bad {
			check(b.value, b.code)
		}
	}
}

// Every row of every table must have a case above: a new row without one fails.
func TestEveryRowHasACase(t *testing.T) {
	have := map[string]bool{}
	for _, c := range specCases {
		have[c.row] = true
	}
	var walk func(at string, s schema.Spec)
	walk = func(at string, s schema.Spec) {
		switch s := s.(type) {
		case schema.Table:
			for _, r := range s {
				if !have[at+"."+r.Name] && !shared(at, r.Name) {
					t.Errorf("no case for %s.%s", at, r.Name)
				}
				walk(at+"."+r.Name, r.Spec)
			}
		case schema.Open:
			walk(at, s.Rows)
		case schema.List:
			walk(at+".0", s.Item)
		case schema.Choice:
			for _, op := range s.Options {
				walk(at+"."+op.Row.Name, op.Row.Spec)
			}
		default: // has no rows
		}
	}
	for _, k := range model.Kinds {
		walk(k.Type+".config", k.Config)
	}
	for _, typ := range []model.NodeType{model.StepNode, model.FlowNode, model.RouterNode} {
		walk(string(typ), model.NodeTable(typ))
	}
	for _, r := range model.ContentTable() {
		if !have[r.Name] {
			t.Errorf("no case for %s", r.Name)
		}
		if _, isList := r.Spec.(schema.List); !isList {
			walk(r.Name, r.Spec)
		}
	}
}

// shared reports whether the cases try a row once for all tables that have it.
func shared(at, name string) bool {
	return name == "type" || strings.HasSuffix(at, ".coordinates") || strings.HasPrefix(at, "PAYMENT.config.fields")
}
