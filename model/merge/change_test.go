package merge_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// inStep makes a form with one step that has these components.
func inStep(components string) string {
	return `{"name":"f","nodes":[{"id":"s","type":"STEP","alias":"Welcome","config":{"components":[` + components + `]}}]}`
}

func TestChanges(t *testing.T) {
	const (
		div   = `"category":"BLOCK","type":"DIVIDER"`
		mail  = `"category":"FIELD","type":"EMAIL"`
		long  = "0123456789012345678901234567890123456789012345678901234567890123456789"
		two   = `{"id":"s","type":"STEP","config":{"components":[{"id":"a",` + div + `},{"id":"b",` + div + `}]}}`
		empty = `{"id":"u","type":"STEP","config":{"components":[]}}`
	)
	nodes := func(s string) string { return `{"name":"f","nodes":[` + s + `]}` }
	router := func(rules string) string {
		return nodes(`{"id":"r","type":"ROUTER","config":{"rules":[` + rules + `]}}`)
	}
	tests := []struct{ name, base, now, want string }{
		{"nothing", `{"name":"f","style":{"css":"x"}}`, `{"style":{"css":"x"},"name":"f"}`, ""},
		{"a number written otherwise", `{"start":{"coordinates":{"x":1,"y":2}}}`, `{"start":{"coordinates":{"y":2.0,"x":1e0}}}`, ""},
		{"what only a response has", `{"id":"a","name":"f","created_at":"1"}`, `{"name":"f","updated_at":"2","embedded_at":"3"}`, ""},
		{"name", `{"name":"f"}`, `{"name":"g"}`, `name | form: name changed from "f" to "g"`},
		{
			"the order of the new form, what is gone where it was",
			`{"style":{"css":"x"},"name":"f","languages":{"primary":"en"}}`,
			`{"messages":{"custom":{"k":"v"}},"name":"g"}`,
			`messages.custom.k | form: messages.custom.k set to "v"; style.css | form: style.css removed, was "x"; name | form: name changed ` +
				`from "f" to "g"; languages.primary | form: languages.primary removed, was "en"`,
		},
		{"an empty object comes", `{}`, `{"style":{}}`, `style | form: style added`},
		{"null is not absent", `{}`, `{"style":null}`, `style | form: style set to null`},
		{"another type", `{"style":{"css":"x"}}`, `{"style":3}`, `style | form: style changed`},
		{"what the tables do not know", `{"x":[1]}`, `{"x":[2]}`, `x | form: x changed`},
		{
			"below a language",
			`{"translations":{"de":{"components":{"c":{"label":"a","x":[1]}}}}}`,
			`{"translations":{"de":{"components":{"c":{"label":"b","x":[1]}}},"pt-BR":{}}}`,
			`translations.de.components.c.label | form: translations.de.components.c.label changed from "a" to "b"; translations["pt-BR"] | ` +
				`form: translations["pt-BR"] added`,
		},
		{
			"places are one value",
			`{"start":{"coordinates":{"x":1,"y":2}}}`,
			`{"start":{"coordinates":{"x":1,"y":3}}}`,
			`start.coordinates (layout) | form: start.coordinates changed from (1, 2) to (1, 3)`,
		},
		{
			"a node's place",
			nodes(`{"id":"s","type":"STEP"}`),
			nodes(`{"id":"s","type":"STEP","coordinates":{"x":1,"y":3}}`),
			`nodes[0].coordinates (layout) | Step s: coordinates set to (1, 3)`,
		},
		{
			"what another thing calls coordinates",
			`{"translations":{"de":{"coordinates":1}}}`,
			`{"translations":{"de":{"coordinates":2}}}`,
			`translations.de.coordinates | form: translations.de.coordinates changed from 1 to 2`,
		},
		{
			"hidden fields",
			`{"start":{"hidden_fields":[{"key":"a"},{"key":"b","value":"1"},{"key":"c"}]}}`,
			`{"start":{"hidden_fields":[{"key":"d"},{"key":"b","value":"2"},{"key":"a"}]}}`,
			`start.hidden_fields[0] | form: hidden field d added; start.hidden_fields[1] < start.hidden_fields[1] | form: hidden field b ` +
				`moved among its neighbours; start.hidden_fields[1].value | form: hidden field b: value changed from "1" to "2"; ` +
				`start.hidden_fields[2] | form: hidden field c removed`,
		},
		{"the first hidden field", `{}`, `{"start":{"hidden_fields":[{"key":"a"}]}}`, `start.hidden_fields[0] | form: hidden field a added`},
		{"no hidden field yet", `{"start":{}}`, `{"start":{"hidden_fields":[]}}`, `start.hidden_fields | form: start.hidden_fields added`},
		{
			"nodes come and go",
			nodes(`{"id":"a","type":"STEP"},{"id":"b","type":"FLOW","alias":"Check"},{"id":"c","type":"X"}`),
			nodes(`{"id":"a","type":"STEP"},{"id":"d","type":"ROUTER"},{"id":"c","type":"X"}`),
			`nodes[1] | Router d added; nodes[1] | Flow Check removed`,
		},
		{
			"the last goes first to the front",
			nodes(`{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}`),
			nodes(`{"id":"d"},{"id":"a"},{"id":"b"},{"id":"c"}`),
			`nodes[0] < nodes[3] | Node d moved from place 4 to 1`,
		},
		{"an empty list of nodes", `{}`, `{"nodes":[]}`, `nodes | form: nodes added`},
		{"nodes that are not a list", `{"nodes":[{"id":"a"}]}`, `{"nodes":{}}`, `nodes | form: nodes changed`},
		{
			"a label",
			inStep(`{"id":"email",` + mail + `,"label":"E-mail"}`),
			inStep(`{"id":"email",` + mail + `,"label":"Work e-mail"}`),
			`nodes[0].config.components[0].label | Step Welcome: component email: label changed from "E-mail" to "Work e-mail"`,
		},
		{
			"in the config",
			inStep(`{"id":"d",` + div + `}`),
			inStep(`{"id":"d",` + div + `,"config":{"text":"` + long + `"}}`),
			`nodes[0].config.components[0].config.text | Step Welcome: component d: text set to ` +
				`"012345678901234567890123456789012345678901234567890123456789…"`,
		},
		{
			"components come and go",
			inStep(`{"id":"a",` + div + `},{"id":"b",` + div + `}`),
			inStep(`{"id":"c",` + div + `},{"id":"b",` + div + `}`),
			`nodes[0].config.components[0] | Step Welcome: component c added; nodes[0].config.components[0] | Step Welcome: component a removed`,
		},
		{
			"another kind is another config",
			inStep(`{"id":"a","category":"FIELD","type":"TEXT","label":"L","config":{"placeholder":"p"}}`),
			inStep(`{"id":"a",` + mail + `,"label":"M","config":{"placeholder":"q"}}`),
			`nodes[0].config.components[0].type | Step Welcome: component a: type changed from "TEXT" to "EMAIL"; ` +
				`nodes[0].config.components[0].label | Step Welcome: component a: label changed from "L" to "M"; ` +
				`nodes[0].config.components[0].config | Step Welcome: component a: config changed`,
		},
		{
			"a secret",
			inStep(`{"id":"c","category":"WIDGET","type":"RECAPTCHA","config":{"site_key":"a","secret_key":"s1"}}`),
			inStep(`{"id":"c","category":"WIDGET","type":"RECAPTCHA","config":{"site_key":"b","secret_key":"s2"}}`),
			`nodes[0].config.components[0].config.site_key | Step Welcome: component c: site_key changed from "a" to "b"; ` +
				`nodes[0].config.components[0].config.secret_key | Step Welcome: component c: secret_key changed`,
		},
		{
			"a secret where it does not belong",
			inStep(`{"id":"c","category":"FIELD","type":"PAYMENT","config":{"credentials":"s1"}}`),
			inStep(`{"id":"c","category":"FIELD","type":"PAYMENT","config":{"credentials":"s2"}}`),
			`nodes[0].config.components[0].config.credentials | Step Welcome: component c: credentials changed`,
		},
		{
			"what a kind that we do not know hides",
			inStep(`{"id":"c","type":"NEW","config":"s1"}`),
			inStep(`{"id":"c","type":"NEW","config":"s2"}`),
			`nodes[0].config.components[0].config | Step Welcome: component c: config changed`,
		},
		{
			"a charge of another type is another charge",
			inStep(pay(`{"type":"ONE_OFF","one_off":{"amount":1,"currency":"EUR"}}`)),
			inStep(pay(`{"type":"SUBSCRIPTION","subscription":{"a":1}}`)),
			`nodes[0].config.components[0].config.charge | Step Welcome: component c: charge changed`,
		},
		{
			"a charge of the same",
			inStep(pay(`{"type":"ONE_OFF","one_off":{"amount":1,"currency":"EUR"}}`)),
			inStep(pay(`{"type":"ONE_OFF","one_off":{"amount":2,"currency":"EUR"}}`)),
			`nodes[0].config.components[0].config.charge.one_off.amount | Step Welcome: component c: charge.one_off.amount changed from 1 to 2`,
		},
		{
			"what is its author's is one value",
			inStep(pay(`{"type":"SUBSCRIPTION","subscription":{"a":1,"b":1}}`)),
			inStep(pay(`{"type":"SUBSCRIPTION","subscription":{"a":2,"b":1}}`)),
			`nodes[0].config.components[0].config.charge.subscription | Step Welcome: component c: charge.subscription changed`,
		},
		{
			"options are one value",
			inStep(`{"id":"c","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"a","label":"a"}]}}`),
			inStep(`{"id":"c","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"a","label":"b"}]}}`),
			`nodes[0].config.components[0].config.options | Step Welcome: component c: options changed`,
		},
		{
			"to another step",
			nodes(two + `,` + empty),
			nodes(
				`{"id":"s","type":"STEP","config":{"components":[{"id":"b",` + div + `}]}},{"id":"u","type":"STEP","config":{"components":[
{"id":"a",` + div + `,"config":{"text":"x"}}]}}`,
			),
			`nodes[1].config.components[0] < nodes[0].config.components[0] | Step u: component a moved here from Step s; ` +
				`nodes[1].config.components[0].config.text | Step u: component a: text set to "x"`,
		},
		{
			"within its step",
			nodes(two),
			nodes(`{"id":"s","type":"STEP","config":{"components":[{"id":"b",` + div + `},{"id":"a",` + div + `}]}}`),
			`nodes[0].config.components[0] < nodes[0].config.components[1] | Step s: component b moved from place 2 to 1`,
		},
		{
			"into a new step, out of an old one",
			nodes(two),
			nodes(`{"id":"n","type":"STEP","config":{"components":[{"id":"b",` + div + `},{"id":"c",` + div + `}]}}`),
			`nodes[0] | Step n added; nodes[0].config.components[0] < nodes[0].config.components[1] | Step n: component b moved here from ` +
				`Step s; nodes[0] | Step s removed`,
		},
		{
			"a step becomes a flow",
			nodes(two),
			nodes(`{"id":"s","type":"FLOW","config":{"flow_id":"af_1"}}`),
			`nodes[0].type | Flow s: type changed from "STEP" to "FLOW"; nodes[0].config | Flow s: config changed`,
		},
		{
			"a step's way",
			nodes(two),
			nodes(strings.Replace(two, `"config":{`, `"config":{"next_node":"$ending",`, 1)),
			`nodes[0].config.next_node | Step s: next_node set to "$ending"`,
		},
		{
			"config alone",
			nodes(`{"id":"s","type":"STEP"}`),
			nodes(`{"id":"s","type":"STEP","config":{}}`),
			`nodes[0].config | Step s: config added`,
		},
		{
			"components alone",
			nodes(`{"id":"s","type":"STEP","config":{}}`),
			nodes(`{"id":"s","type":"STEP","config":{"components":[]}}`),
			`nodes[0].config.components | Step s: components added`,
		},
		{
			"the first component",
			nodes(`{"id":"s","type":"STEP"}`),
			inStep(`{"id":"c",` + div + `}`),
			`nodes[0].alias | Step Welcome: alias set to "Welcome"; nodes[0].config.components[0] | Step Welcome: component c added`,
		},
		{
			"components that are not a list",
			nodes(two),
			nodes(`{"id":"s","type":"STEP","config":{"components":3}}`),
			`nodes[0].config | Step s: config changed`,
		},
		{
			"rules",
			router(`{"id":"x","condition":1},{"id":"y","condition":[1],"next_node":"r"}`),
			router(`{"id":"z","condition":1},{"id":"y","condition":[2],"next_node":"$ending"}`),
			`nodes[0].config.rules[0] | Router r: rule z added; nodes[0].config.rules[0] | Router r: rule x removed; ` +
				`nodes[0].config.rules[1].condition | Router r: rule y: condition changed; nodes[0].config.rules[1].next_node | Router r: rule ` +
				`y: next_node changed from "r" to "$ending"`,
		},
		{
			"the order of rules",
			router(`{"id":"x","condition":1},{"id":"y","condition":1}`),
			router(`{"id":"y","condition":1},{"id":"x","condition":1}`),
			`nodes[0].config.rules[0] < nodes[0].config.rules[1] | Router r: rule y moved from place 2 to 1`,
		},
		{
			"malformed and double ids by their place",
			nodes(`{"id":"a"},{"id":"a","alias":"1"},{"alias":"2"},4`),
			nodes(`{"id":"b"},{"id":"a"},{"id":"a","alias":"1"},{"alias":"3"},5`),
			`nodes[0] | Node b added; nodes[3].alias | Node 3: alias changed from "2" to "3"; nodes[4] | Node without properties changed ` +
				`from 4 to 5`,
		},
		{
			"components without ids",
			inStep(`{"id":"a b",` + div + `},3`),
			inStep(`{"id":"a c",` + div + `},3`),
			`nodes[0].config.components[0].id | Step Welcome: component a c: id changed from "a b" to "a c"`,
		},
		{
			"another kind whose config is not an object",
			inStep(`{"id":"c","type":"RECAPTCHA","config":"s1"}`),
			inStep(`{"id":"c","type":"MAPS_ADDRESS","config":"s2"}`),
			`nodes[0].config.components[0].type | Step Welcome: component c: type changed from "RECAPTCHA" to "MAPS_ADDRESS"; ` +
				`nodes[0].config.components[0].config | Step Welcome: component c: config changed`,
		},
		{
			"coordinates of nothing that is drawn",
			`{"ending":{"redirection":{"coordinates":1}}}`,
			`{"ending":{"redirection":{"coordinates":2}}}`,
			`ending.redirection.coordinates | form: ending.redirection.coordinates changed from 1 to 2`,
		},
		{
			"components without ids in two steps",
			nodes(`{"id":"s","type":"STEP","config":{"components":[3]}},{"id":"u","type":"STEP","config":{"components":[4]}}`),
			nodes(`{"id":"s","type":"STEP","config":{"components":[5]}},{"id":"u","type":"STEP","config":{"components":[4]}}`),
			`nodes[0].config.components[0] | Step s: component without an id changed from 3 to 5`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base, now := formOf(t, tt.base), formOf(t, tt.now)
			var got []string
			for _, c := range merge.Changes(base, now) {
				s := c.Path.String()
				if c.From != nil {
					s += " < " + c.From.String()
				}
				if c.Layout() {
					s += " (layout)"
				}
				got = append(got, s+" | "+c.String())
			}
			if s := strings.Join(got, "; "); s != tt.want {
				t.Errorf("changes:\n got %s\nwant %s", s, tt.want)
			}
			changesLaw(t, base, now)
			changesLaw(t, now, base)
		})
	}
}

func TestChangeFields(t *testing.T) {
	base := formOf(
		t,
		`{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"c","category":"BLOCK","type":"DIVIDER"}]}},
{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":null}]}}]}`,
	)
	now := formOf(
		t,
		`{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"c","category":"BLOCK","type":"DIVIDER","config":{"text":null}}]}},
{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x"}]}}]}`,
	)
	cs := merge.Changes(base, now)
	if len(cs) != 2 {
		t.Fatalf("changes %v", cs)
	}
	c, r := cs[0], cs[1]
	if c.Kind != merge.Added || c.Node != "s" || c.Component != "c" || c.Rule != "" || c.Before.Present || !c.After.Present ||
		c.After.Tree != nil {
		t.Errorf("a component's null: %+v", c)
	}
	if r.Kind != merge.Removed || r.Node != "r" || r.Rule != "x" || r.Component != "" || !r.Before.Present || r.Before.Tree != nil ||
		r.After.Present {
		t.Errorf("a rule's null: %+v", r)
	}
}

// Every random edit is reported, and every moved element is at most one change.
func TestChangesUnderEdits(t *testing.T) {
	for seed := range uint64(400) {
		base := newAuthor(t, seed, "b").form(int(seed % 8))
		now := newAuthor(t, seed+1_000_000, "m").edits(base, 1+int(seed%12))
		changesLaw(t, base, now)
		changesLaw(t, now, base)
	}
}

// The fewest elements move: the others are an increasing sequence.
func TestFewestMoves(t *testing.T) {
	a := newAuthor(t, 3, "x")
	for range 300 {
		n := a.r.IntN(8)
		order := a.r.Perm(n)
		var base, now []any
		for i := range n {
			base = append(base, schema.NewObject(schema.Member{Key: "id", Value: string(rune('a' + i))}))
			now = append(now, schema.NewObject(schema.Member{Key: "id", Value: string(rune('a' + order[i]))}))
		}
		form := func(l []any) *model.Form {
			return model.FromTree(schema.NewObject(schema.Member{Key: "nodes", Value: l}))
		}
		// Find the longest increasing subsequence by brute force.
		longest := 0
		for set := range 1 << n {
			last, size := -1, 0
			for i := range n {
				if set&(1<<i) == 0 {
					continue
				}
				if order[i] < last {
					size = -1
					break
				}
				last = order[i]
				size++
			}
			longest = max(longest, size)
		}
		if got := len(merge.Changes(form(base), form(now))); got != n-longest {
			t.Fatalf("%v: %d moves, want %d", order, got, n-longest)
		}
	}
}
