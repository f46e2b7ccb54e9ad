package find_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

const example = `{"name":"Sign-up","messages":{"errors":{"ERR_REQUIRED":"Please fill this in"},"custom":{"api_key":"Your key"}},
"languages":{"primary":"en"},
"translations":{"de":{"components":{"mail_1":{"label":"Deine Adresse","config":{"placeholder":"du@example.org"}}},
"messages":{"custom":{"api_key":"Dein Schlüssel"}},"note":"Entwurf"}},
"nodes":[
{"id":"step_1","type":"STEP","alias":"Welcome","config":{"components":[
 {"id":"mail_1","category":"FIELD","type":"EMAIL","label":"Your address","hint":"We never <b>share</b> it","config":{"placeholder":` +
	`"you@example.org"}},
 {"id":"text_1","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<h2>Café &amp; Bar</h2><p>Send us an e&#45;mail<br>any ` +
	`time, we are here for you from early in the morning until late in the evening, and we like visitors</p>"}},
 {"id":"jump_1","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"router_1"}},
 {"id":"plan_1","category":"FIELD","type":"CHOICE","label":"Plan","config":{"options":[{"value":"s","label":"Small"},
{"value":"xl","label":"Gigantic"}]}},
 {"id":"code_1","category":"FIELD","type":"CUSTOM","config":{"schema":{"type":"string"},"code":"if (a<b && c>d) run()"}},
 {"id":"addr_1","category":"WIDGET","type":"GMAPS_ADDRESS","label":"Home","config":{"api_key":"k-hidden"}}],"next_node":"flow_1"}},
{"id":"flow_1","type":"FLOW","config":{"flow_id":"af_9","next_node":"router_1"}},
{"id":"router_1","type":"ROUTER","alias":"Which way","config":{"rules":[
 {"id":"rule_1","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.pick_1}}","xl"]}]},"next_node":"step_1"},
 {"id":"rule_2","alias":"Everyone","condition":{"script":"always"}}],"fallback":"$ending"}}],
"start":{"hidden_fields":[{"key":"campaign","value":"spring"}],"next_node":"step_1"},
"ending":{"redirection":{"target":"https://example.org/done"},"after_submit":{"flow_id":"af_9"}},
"style":{"css":"h1 > b { color: red }"}}`

// marked sets the ranges of a text in brackets.
func marked(s string, rs []find.Range) string {
	for _, r := range slices.Backward(rs) {
		s = s[:r.From] + "[" + s[r.From:r.To] + "]" + s[r.To:]
	}
	return s
}

func line(h find.Hit) string {
	return fmt.Sprintf("%s %s | %s | %s", h.Kind, h.Path, marked(h.Title, h.InTitle), marked(h.Context, h.InContext))
}

func TestSearch(t *testing.T) {
	f := read(t, example)
	var x find.Index
	x.SetFlows(map[string]string{"af_9": "Send a letter"})
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"", nil},
		{" {{ }} ", nil},
		{"nowhere", nil},
		{"plan", []string{"component nodes[0].config.components[3].label | [Plan] | Welcome · [plan]_1"}},
		{"sign", []string{"form name | [Sign]-up | Form"}},
		{"color", []string{"form style.css | Style | Form · css: h1 > b { [color]: red }"}},
		{"welcome", []string{"step nodes[0].alias | [Welcome] | Step · step_1"}},
		{"WELCOME step", []string{"step nodes[0].alias | [Welcome] | [Step] · [step]_1"}},
		{"mail_1", []string{
			"component nodes[0].config.components[0].id | Your address | Welcome · [mail_1]",
			"translation translations.de.components.mail_1 | [mail_1] | Translation de",
		}},
		{"address your", []string{"component nodes[0].config.components[0].label | [Your] [address] | Welcome · mail_1"}},
		{"never share", []string{"component nodes[0].config.components[0].hint | Your address | Welcome · mail_1 · hint: We [never] [share] it"}},
		{"you@", []string{"component nodes[0].config.components[0].config.placeholder | Your address | Welcome · mail_1 · placeholder: " +
			"[you@]example.org"}},
		{"cafe", []string{"component nodes[0].config.components[1].config.content | [Café] & Bar | Welcome · text_1"}},
		{"e&#45;mail late visitors", []string{"component nodes[0].config.components[1].config.content | Café & Bar | Welcome · text_1 · content: " +
			"Café & Bar Send us an [e&#45;mail] any time, we are here for you from early in the morning until [late] in the evening, and we like [visitors]"}},
		{"visitors cafe", []string{"component nodes[0].config.components[1].config.content | [Café] & Bar | Welcome · text_1 · content: " +
			"…he evening, and we like [visitors]"}},
		{"gigantic", []string{"component nodes[0].config.components[3].config.options[1].label | Plan | Welcome · plan_1 · options label: " +
			"[Gigantic]"}},
		{"a<b &&", []string{"component nodes[0].config.components[4].config.code | Custom field | Welcome · code_1 · code: if ([a<b] [&&] " +
			"c>d) run()"}},
		{"k-hidden", nil},
		{"maps", []string{"component nodes[0].config.components[5].type | Home | Welcome · addr_1 · type: [MAPS]_ADDRESS"}},
		{"{{fields.pick_1}} equals", []string{"rule nodes[2].config.rules[0].condition | [fields.pick_1] [equals] xl | Which way · rule_1"}},
		{"everyone", []string{"rule nodes[2].config.rules[1].alias | [Everyone] | Which way · rule_2"}},
		{"always", []string{"rule nodes[2].config.rules[1].condition.script | Everyone | Which way · rule_2 · condition script: [always]"}},
		{"letter", []string{
			"flow nodes[1].config.flow_id | flow_1 | Flow · flow id: Send a [letter]",
			"ending ending.after_submit.flow_id | Ending | after submit flow id: Send a [letter]",
		}},
		{"af_9", []string{
			"flow nodes[1].config.flow_id | flow_1 | Flow · flow id: [af_9]",
			"ending ending.after_submit.flow_id | Ending | after submit flow id: [af_9]",
		}},
		{"router_1", []string{
			"router nodes[2].id | Which way | Router · [router_1]",
			"component nodes[0].config.components[2].config.next_node | Skip | Welcome · jump_1 · next node: [router_1]",
			"flow nodes[1].config.next_node | flow_1 | Flow · next node: [router_1]",
		}},
		{"$ending", []string{
			"ending ending | Ending | [$ending]",
			"router nodes[2].config.fallback | Which way | Router · router_1 · fallback: [$ending]",
		}},
		{"done", []string{"ending ending.redirection.target | Ending | redirection target: https://example.org/[done]"}},
		{"$start", []string{"start start | Start | [$start]"}},
		{"campaign", []string{"hidden start.hidden_fields[0].key | [campaign] | Hidden field"}},
		{"spring", []string{"hidden start.hidden_fields[0].value | campaign | Hidden field · value: [spring]"}},
		{"ERR_REQ fill", []string{"message messages.errors.ERR_REQUIRED | [ERR_REQ]UIRED | Error message · Please [fill] this in"}},
		{"your key", []string{"message messages.custom.api_key | api_[key] | Custom message · [Your] [key]"}},
		{"schlussel de", []string{"translation translations.de.messages.custom.api_key | api_key | Translation [de] · [De]in [Schlüssel]"}},
		{"entwurf", []string{"translation translations.de.note | de | Language · note: [Entwurf]"}},
		{"du@", []string{"translation translations.de.components.mail_1.config.placeholder | mail_1 | Translation de · placeholder: " +
			"[du@]example.org"}},
		{"type:email", []string{"component nodes[0].config.components[0] | Your address | Welcome · mail_1"}},
		{"type:rich-t", []string{"component nodes[0].config.components[1] | Café & Bar | Welcome · text_1"}},
		{"type:mapsaddress", []string{"component nodes[0].config.components[5] | Home | Welcome · addr_1"}},
		{"Kind:ROUTER", []string{"router nodes[2] | Which way | Router · router_1"}},
		{"kind:widget", []string{"component nodes[0].config.components[5] | Home | Welcome · addr_1"}},
		{"kind:block skip", []string{"component nodes[0].config.components[2].config.text | [Skip] | Welcome · jump_1"}},
		{"kind:rule xl", []string{"rule nodes[2].config.rules[0].condition | fields.pick_1 equals [xl] | Which way · rule_1"}},
		{"id:lan", []string{"component nodes[0].config.components[3].id | Plan | Welcome · p[lan]_1"}},
		{"id:camp", []string{"hidden start.hidden_fields[0].key | [camp]aign | Hidden field"}},
		{"id:step type:flow", nil},
		{"id:lan type:choice kind:comp plan", []string{"component nodes[0].config.components[3].label | [Plan] | Welcome · [plan]_1"}},
		{"https://example.org", []string{"ending ending.redirection.target | Ending | redirection target: [https://example.org]/done"}},
		{"problem:x", nil},
	} {
		var got []string
		for _, h := range x.Search(f, tt.query, 0) {
			got = append(got, line(h))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q finds\n\t%s\nwant\n\t%s", tt.query, strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
		}
	}
}

// A hit has the ids of where to go.
func TestHitsShowTheirPlace(t *testing.T) {
	f := read(t, example)
	for _, tt := range []struct {
		query string
		want  find.Hit
	}{
		{"id:step_1 kind:step", find.Hit{Node: "step_1", Icon: "step"}},
		{"kind:flow", find.Hit{Node: "flow_1", Icon: "flow"}},
		{"kind:router", find.Hit{Node: "router_1", Icon: "router"}},
		{"id:mail_1 kind:field", find.Hit{Node: "step_1", Component: "mail_1", Icon: "mail"}},
		{"everyone", find.Hit{Node: "router_1", Rule: "rule_2", Icon: "router"}},
		{"kind:start", find.Hit{Node: "$start", Icon: "start"}},
		{"campaign", find.Hit{Node: "$start", Icon: "start"}},
		{"kind:ending", find.Hit{Node: "$ending", Icon: "ending"}},
		{"deine", find.Hit{Component: "mail_1", Icon: "text"}},
		{"kind:message fill", find.Hit{Icon: "text"}},
		{"sign-up", find.Hit{Icon: "form"}},
	} {
		hits := search(f, tt.query)
		if len(hits) != 1 {
			t.Errorf("%q finds %d things, want one", tt.query, len(hits))
			continue
		}
		h := hits[0]
		if h.Node != tt.want.Node || h.Component != tt.want.Component || h.Rule != tt.want.Rule || h.Icon != tt.want.Icon {
			t.Errorf("%q leads to %q %q %q with %q, want %+v", tt.query, h.Node, h.Component, h.Rule, h.Icon, tt.want)
		}
	}
}

// Better hits come first, and equal ones are in document order.
func TestOrder(t *testing.T) {
	comp := func(id, label, hint string) string {
		return fmt.Sprintf(`{"id":%q,"category":"FIELD","type":"TEXT","label":%q,"hint":%q}`, id, label, hint)
	}
	f := read(t, `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[`+strings.Join([]string{
		comp("a", "x", "hotmail"),
		comp("b", "x", "my mail"),
		comp("c", "hotmail", "x"),
		comp("d", "my mail", "x"),
		comp("e", "mail me", "x"),
		comp("f_mail", "x", "x"),
		comp("g", "mail", "x"),
		comp("h", "a mail and a mailbox", "hotmail mail"),
		`{"id":"i","category":"FIELD","type":"MAIL_X","label":"x"}`,
		`{"id":"j","category":"FIELD","type":"XMAIL","label":"x"}`,
		comp("k", "mail", "x"),
	}, ",")+`]}}]}`)
	order := func(query string, limit int) string {
		var x find.Index
		var ids []string
		for _, h := range x.Search(f, query, limit) {
			ids = append(ids, h.Component)
		}
		return strings.Join(ids, " ")
	}
	for _, tt := range []struct {
		query string
		limit int
		want  string
	}{
		{"mail", 0, "g k d e f_mail h c i j b a"},
		{"mail", 3, "g k d"},
		{"mail", 100, "g k d e f_mail h c i j b a"},
		{"mail my", 0, "d b"},
		{"my mail", 0, "d b"},
		{"mail me", 0, "e"},
		{"mail mail x", 0, "f_mail h i d e g j k b c a"},
		{"mail x", 0, "f_mail h i d e g j k b c a"},
	} {
		if got := order(tt.query, tt.limit); got != tt.want {
			t.Errorf("%q at most %d: %s, want %s", tt.query, tt.limit, got, tt.want)
		}
	}
}

// Words that are near each other share a snippet, others have one each.
func TestSnippets(t *testing.T) {
	for _, tt := range []struct {
		between int
		want    string
	}{
		{20, "[alpha]" + strings.Repeat(" x", 20) + " [omega] " + strings.Repeat("y", 47) + "…"},
		{30, "[alpha]" + strings.Repeat(" x", 30) + " [omega] " + strings.Repeat("y", 47) + "…"},
		{50, "[alpha]" + strings.Repeat(" x", 24) + "…x " + strings.Repeat("x ", 11) + "[omega] " + strings.Repeat("y", 47) + "…"},
	} {
		hint := "alpha" + strings.Repeat(" x", tt.between) + " omega " + strings.Repeat("y", 60)
		f := model.FromTree(
			object("nodes", []any{object("type", "STEP", "config", object("components", []any{object("id", "a", "label", "b", "hint", hint)}))}),
		)
		hits := search(f, "omega alpha")
		if len(hits) != 1 {
			t.Fatalf("%d hits", len(hits))
		}
		if got, want := marked(hits[0].Context, hits[0].InContext), "Step · a · hint: "+tt.want; got != want {
			t.Errorf("%d words between:\n got %s\nwant %s", tt.between, got, want)
		}
	}
}

// Only the beginning of a long query counts.
func TestLongQueries(t *testing.T) {
	f := read(t, `{"name":"a b `+strings.Repeat("ä", 600)+`"}`)
	for _, tt := range []struct {
		name, query string
		want        int
	}{
		{"32 words", strings.Repeat("a b ", 16) + "nowhere", 1},
		{"31 words and one that is not there", strings.Repeat("a ", 31) + "nowhere", 0},
		{"1024 bytes", strings.Repeat(" ", 1021) + "a b nowhere", 1},
		{"one byte less", strings.Repeat(" ", 1020) + "a b nowhere", 1},
		{"1023 bytes and a letter", strings.Repeat(" ", 1019) + "a b nowhere", 0},
		{"inside of a character", "b" + strings.Repeat(" ", 1022) + "日", 1},
	} {
		if got := len(search(f, tt.query)); got != tt.want {
			t.Errorf("%s: %d hits, want %d", tt.name, got, tt.want)
		}
	}
}

func TestBrokenForms(t *testing.T) {
	for _, tt := range []struct {
		name, form, query string
		want              int
	}{
		{"an element that is no node", `{"nodes":["hello",{"id":"hello"},null]}`, "hello", 1},
		{"no components", `{"nodes":[{"id":"a","type":"STEP","config":{"components":"hello"}}]}`, "hello", 0},
		{"elements that are no components", `{"nodes":[
{"id":"a","type":"STEP","config":{"components":["hello",null,{"label":"hello"}]}}]}`, "hello", 1},
		{"elements that are no rules", `{"nodes":[{"id":"a","type":"ROUTER","config":{"rules":["hello",null,{"alias":"hello"}]}}]}`, "hello", 1},
		{"no objects", `{"translations":"hello","messages":["hello"],"start":"hello","ending":1,"style":null,"languages":true}`, "hello", 0},
		{"no objects below", `{"translations":{"de":"hello"},"messages":{"errors":"hello"},"start":{"hidden_fields":["hello"]}}`, "hello", 0},
		{"unknown properties", `{"nodes":[{"id":"a","x":"hello","type":"STEP","config":{"x":"hello","components":[
{"id":"b","type":"TEXT","x":["hello"]}]}}]}`, "hello", 2},
		{"an unknown node", `{"nodes":[{"id":"a","type":"NEW","alias":"hello","config":{"x":"hello you"}}]}`, "you", 0},
		{"a form without anything", `{}`, "kind:", 2},
	} {
		if got := len(search(read(t, tt.form), tt.query)); got != tt.want {
			t.Errorf("%s: %d hits, want %d", tt.name, got, tt.want)
		}
	}
}

// No secret is found or shown, wherever it is.
func TestSecrets(t *testing.T) {
	const secret = "zzq"
	form := `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[
{"id":"a","category":"WIDGET","type":"RECAPTCHA","config":{"site_key":"open","secret_key":"zzq"}},
{"id":"b","category":"WIDGET","type":"RECAPTCHA","config":{"site_key":"open","secret_key":["zzq",{"x":"zzq"}]}},
{"id":"c","category":"WIDGET","type":"RECAPTCHA","config":"zzq"},
{"id":"d","category":"FIELD","type":"PAYMENT","config":{"credentials":{"public_key":"open","private_key":"zzq"}}},
{"id":"e","category":"FIELD","type":"PAYMENT","config":{"credentials":"zzq"}},
{"id":"f","category":"FIELD","type":"PAYMENT","config":{"credentials":[{"private_key":"zzq"}]}},
{"id":"g","category":"WIDGET","type":"AUTH0_VERIFIABLE_CREDENTIALS","config":{"access_token":"zzq","url":"open"}},
{"id":"h","category":"WIDGET","type":"MAPS_ADDRESS","secret_key":"zzq","config":{"api_key":"zzq","access_token":"zzq"}},
{"id":"i","category":"WIDGET","type":"NEW_WIDGET","key":"zzq","config":{"whatever":"zzq"}},
{"id":"j","category":"FIELD","type":"CUSTOM","config":{"schema":{"api_key":"zzq"},"params":{"api_key":"zzq","p":"open"},"code":"x"}},
{"id":"k","category":"FIELD","type":"TEXT","config":{"private_key":"zzq"}}]}},
{"id":"n","type":"NEW_NODE","config":{"components":[{"type":"NEW_WIDGET","config":{"whatever":"zzq"}}]}},
{"id":"r","type":"ROUTER","config":{"components":[{"type":"NEW_WIDGET","config":{"whatever":"zzq"}}]}}],
"translations":{"de":{"components":{"a":{"config":{"secret_key":"zzq","site_key":"open"}}}}}}`
	f := read(t, form)
	if hits := search(f, secret); len(hits) > 0 {
		t.Errorf("the secret is found: %s", line(hits[0]))
	}
	for _, query := range []string{"kind:", "open", "id:", "type:", "api key"} {
		for _, h := range search(f, query) {
			if strings.Contains(h.Title+h.Context, secret) {
				t.Errorf("%q shows the secret: %s", query, line(h))
			}
		}
	}
	if got, want := len(search(f, "open")), 6; got != want {
		t.Errorf("%d things that are not secret are found, want %d", got, want)
	}
}

// The names of flows can change, and a later change of the caller's map has no effect.
func TestSetFlows(t *testing.T) {
	f := read(t, example)
	var x find.Index
	names := map[string]string{"af_9": "Send a letter"}
	count := func(query string) int { return len(x.Search(f, query, 0)) }
	if got := count("letter"); got != 0 {
		t.Errorf("%d hits without names", got)
	}
	x.SetFlows(names)
	if got := count("letter"); got != 2 {
		t.Errorf("%d hits with names, want 2", got)
	}
	names["af_9"] = "Telephone"
	if got := count("telephone"); got != 0 {
		t.Errorf("%d hits of a name that was not set", got)
	}
	x.SetFlows(names)
	if got := count("telephone") - count("letter"); got != 2 {
		t.Errorf("%d more hits of the new name than of the old, want 2", got)
	}
	x.SetFlows(nil)
	if got := count("telephone"); got != 0 {
		t.Errorf("%d hits after the names are gone", got)
	}
}

// After an edit an index reads only the node that changed, not the form.
func TestIndexRemembers(t *testing.T) {
	f := large(200)
	var x find.Index
	x.Search(f, "zzz", 0)
	at := schema.Path{schema.Key("nodes"), schema.Index(50), schema.Key("alias")}
	edited := testing.AllocsPerRun(20, func() {
		g, err := f.Set(at, "other")
		if err != nil {
			t.Fatal(err)
		}
		x.Search(g, "zzz", 0)
		x.Search(f, "zzz", 0)
	})
	whole := testing.AllocsPerRun(5, func() { search(f, "zzz") })
	if edited*3 > whole {
		t.Errorf("a search after an edit takes %.0f allocations, one from scratch %.0f", edited, whole)
	}
}
