package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func lines(ps schema.Problems) string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Path.String()+" "+string(p.Code))
	}
	return strings.Join(out, "; ")
}

func TestCheckOfWholeForms(t *testing.T) {
	node := func(s string) string { return `{"name":"f","nodes":[` + s + `]}` }
	comp := func(s string) string { return node(`{"id":"a","type":"STEP","config":{"components":[` + s + `]}}`) }
	const c = "nodes[0].config.components[0]"
	tests := []struct{ name, src, want string }{
		{"no name", `{}`, "name required"},
		{"unknown property", `{"name":"f","nme":1}`, "nme unknown"},
		{"node without type", node(`{"id":"a"}`), "nodes[0].type required"},
		{"type no string, nothing else judged", node(`{"type":3,"x":1}`), "nodes[0].type type"},
		{"unknown type, nothing else judged", node(`{"type":"LOOP","x":1}`), "nodes[0].type enum"},
		{"node no object", node(`3`), "nodes[0] type"},
		{"flow without config", node(`{"id":"a","type":"FLOW"}`), "nodes[0].config required"},
		{"step without config", node(`{"id":"a","type":"STEP"}`), ""},
		{"category before type", comp(`{"id":"c","type":"NONE"}`), c + ".category required"},
		{"category not listed", comp(`{"id":"c","category":"X","type":"TEXT"}`), c + ".category enum"},
		{"type of another category", comp(`{"id":"c","category":"BLOCK","type":"TEXT"}`), c + ".type enum"},
		{"vendor's widget name", comp(`{"id":"c","category":"WIDGET","type":"GMAPS_ADDRESS","config":{"api_key":"k"}}`), ""},
		{"block has no label", comp(`{"id":"c","category":"BLOCK","type":"DIVIDER","label":"x"}`), c + ".label unknown"},
		{"config required", comp(`{"id":"c","category":"FIELD","type":"BOOLEAN"}`), c + ".config required"},
		{
			"required within",
			comp(`{"id":"c","category":"BLOCK","type":"IMAGE","config":{"height":0}}`),
			c + ".config.src required; " + c + ".config.height range",
		},
		{"charge without its property", comp(pay(`{"type":"ONE_OFF"}`)), c + ".config.charge one_of"},
		{"charge with both", comp(pay(`{"type":"SUBSCRIPTION","subscription":{},"one_off":{}}`)), c + ".config.charge one_of"},
		{"charge of an unknown type", comp(pay(`{"type":"X"}`)), c + ".config.charge.type enum"},
		{"charge without a type", comp(pay(`{"one_off":{}}`)), c + ".config.charge.type required"},
		{
			"node ids",
			node(`{"id":"a","type":"STEP"},{"id":"a","type":"STEP"},{"id":"a","type":"STEP"}`),
			"nodes[1].id duplicate_id; nodes[2].id duplicate_id",
		},
		{
			"component ids over the form",
			node(
				`{"id":"a","type":"STEP","config":{"components":[{"id":"x","category":"BLOCK","type":"DIVIDER"}]}},
{"id":"x","type":"STEP","config":{"components":[{"id":"x","category":"BLOCK","type":"DIVIDER"}]}}`,
			),
			"nodes[1].config.components[0].id duplicate_id",
		},
		{
			"rule ids within a router",
			node(
				`{"id":"a","type":"ROUTER","config":{"rules":[{"id":"r","condition":1},{"id":"r","condition":1}]}},
{"id":"b","type":"ROUTER","config":{"rules":[{"id":"r","condition":1}]}}`,
			),
			"nodes[0].config.rules[1].id duplicate_id",
		},
		{"hidden keys may repeat", `{"name":"f","start":{"hidden_fields":[{"key":"k"},{"key":"k"}]}}`, ""},
		{
			"pointer to a node of an unknown type",
			node(`{"id":"a","type":"LOOP"},{"id":"b","type":"STEP","config":{"next_node":"a"}}`),
			"nodes[0].type enum",
		},
		{"dangling start", `{"name":"f","start":{"next_node":"x"}}`, "start.next_node unknown_node"},
		{
			"document order",
			`{"start":{"next_node":"x"},"nodes":[{"id":"a","type":"STEP","config":{"next_node":"y","components":[3]}}],"name":""}`,
			"start.next_node unknown_node; nodes[0].config.next_node unknown_node; nodes[0].config.components[0] type; name length",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := lines(new(model.Checker).Check(model.FromTree(parse(t, tt.src)))); got != tt.want {
				t.Errorf("problems:\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func pay(charge string) string {
	return `{"id":"c","category":"FIELD","type":"PAYMENT","config":` +
		`{"charge":` + charge + `,"credentials":{"public_key":"a","private_key":"b"}}}`
}

func TestPatchNull(t *testing.T) {
	for _, r := range model.ContentTable() {
		want := ""
		if r.Name == "name" {
			want = "name type"
		}
		if got := lines(model.CheckPatch(parse(t, `{"`+r.Name+`":null}`))); got != want {
			t.Errorf("%s null: %q, want %q", r.Name, got, want)
		}
	}
	if got := lines(model.CheckPatch(parse(t, `{}`))); got != "" {
		t.Errorf("an empty patch: %s", got)
	}
}

func TestWarnings(t *testing.T) {
	f := model.FromTree(parse(t, `{"name":"f","ending":{"after_submit":{"flow_id":"my flow"}},"nodes":[
	 {"id":"a","type":"FLOW","config":{"flow_id":""}},{"id":"b","type":"FLOW","config":{"flow_id":"#FLOW-1#"}},
{"id":"c","type":"FLOW","config":{"flow_id":"af_1"}},
	 {"id":"d","type":"STEP","config":{"components":[{"id":"r","category":"BLOCK","type":"RESEND_BUTTON","config":{"flow_id":"name"}}]}}]}`))
	want := "ending.after_submit.flow_id flow_id; nodes[0].config.flow_id flow_id; nodes[1].config.flow_id flow_id; " +
		"nodes[3].config.components[0].config.flow_id flow_id"
	if got := lines(model.Warnings(f)); got != want {
		t.Errorf("warnings:\n got %s\nwant %s", got, want)
	}
}

// A flow id has at most one finding: a problem if it is too long, a warning if its shape is
// unusual. A placeholder is a warning too, since a tenant has no such flow.
func TestFlowIDHasOneFinding(t *testing.T) {
	for id, want := range map[string]string{
		"af_1": "", "af_" + strings.Repeat("x", 27): "", "af_": "flow_id", "af_a-b": "flow_id", "ap_1": "flow_id", "my flow": "flow_id",
		"#FLOW-1#": "flow_id", "": "flow_id", strings.Repeat("é", 30): "flow_id", strings.Repeat("é", 31): "length",
		"af_" + strings.Repeat("x", 28):          "length",
		"#FLOW-" + strings.Repeat("1", 30) + "#": "length",
	} {
		f := model.FromTree(parse(t, `{"name":"f","ending":{"after_submit":{"flow_id":"`+id+`"}}}`))
		var codes []string
		for _, p := range append(new(model.Checker).Check(f), model.Warnings(f)...) {
			codes = append(codes, string(p.Code))
		}
		if got := strings.Join(codes, " "); got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
}

// Of an element of an unknown type only the discriminator is checked, but its id is taken.
func TestUnknownTypeHasNoIDProblem(t *testing.T) {
	for _, tt := range []struct{ name, nodes, want string }{
		{"node", `{"id":"a","type":"STEP"},{"id":"a","type":"LOOP"}`, "nodes[1].type enum"},
		{"node without a type", `{"id":"a","type":"STEP"},{"id":"a"}`, "nodes[1].type required"},
		{"node behind one", `{"id":"a","type":"LOOP"},{"id":"a","type":"STEP"}`, "nodes[0].type enum; nodes[1].id duplicate_id"},
		{
			"component", `{"id":"a","type":"STEP","config":{"components":[{"id":"c","category":"BLOCK","type":"DIVIDER"},
{"id":"c","category":"BLOCK","type":"HOLOGRAM"}]}}`,
			"nodes[0].config.components[1].type enum",
		},
		{
			"component of another category", `{"id":"a","type":"STEP","config":{"components":[{"id":"c","category":"BLOCK","type":"DIVIDER"},
{"id":"c","category":"FIELD","type":"HTML"}]}}`,
			"nodes[0].config.components[1].type enum",
		},
		{
			"component by the vendor's name", `{"id":"a","type":"STEP","config":{"components":[{"id":"c","category":"BLOCK","type":"DIVIDER"},
{"id":"c","category":"WIDGET","type":"GMAPS_ADDRESS","config":{"api_key":"k"}}]}}`,
			"nodes[0].config.components[1].id duplicate_id",
		},
	} {
		if got := lines(new(model.Checker).Check(model.FromTree(parse(t, `{"name":"f","nodes":[`+tt.nodes+`]}`)))); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestDiffAndApply(t *testing.T) {
	base := model.FromTree(parse(t, `{"id":"ap_1","name":"f","style":{"css":"x"},"nodes":[{"id":"a","type":"STEP"}],"created_at":"c"}`))
	tests := []struct{ name, now, want string }{
		{"nothing", `{"name":"f","nodes":[{"type":"STEP","id":"a"}],"style":{"css":"x"}}`, `{}`},
		{"cleared", `{"name":"f","nodes":[{"id":"a","type":"STEP"}]}`, `{"style":null}`},
		{"replaced whole", `{"name":"g","nodes":[],"style":{"css":"x"}}`, `{"name":"g","nodes":[]}`},
		{"a name cannot be cleared", `{"nodes":[{"id":"a","type":"STEP"}],"style":{"css":"x"}}`, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := model.Diff(base, model.FromTree(parse(t, tt.now)))
			if got := string(schema.Encode(p.Tree())); got != tt.want {
				t.Fatalf("patch %s, want %s", got, tt.want)
			}
			if now := p.Apply(base); now.ID != "ap_1" || now.CreatedAt != "c" {
				t.Errorf("the patch changed properties that it does not have: %s", schema.Encode(now.Tree()))
			}
		})
	}
}

// Every new component satisfies its table, except for what only its author knows.
func TestDefaultsAreValid(t *testing.T) {
	for i := range model.Kinds {
		k := &model.Kinds[i]
		f, err := model.New("f").Set(path(t, "nodes.0"), model.NewNode(model.StepNode, "a", model.Point{}))
		if err == nil {
			f, err = f.Set(path(t, "nodes.0.config.components.0"), model.NewComponent(k, model.VendorDialect, "c"))
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range new(model.Checker).Check(f) {
			if v, _ := schema.Lookup(f.Tree(), p.Path); p.Code != schema.CodeLength || v != "" {
				t.Errorf("%s: %v", k.Type, p)
			}
		}
	}
}

func TestEdges(t *testing.T) {
	f := model.FromTree(parse(t, `{"name":"f","start":{"next_node":"a"},"nodes":[
	 {"id":"a","type":"STEP","config":{"components":[
{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"","next_node":"$ending"}}],"next_node":"r"}},
	 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":1,"next_node":"a"},{"id":"y","condition":1}],"fallback":"gone"}}]}`))
	var got []string
	for _, e := range f.Edges() {
		got = append(got, fmt.Sprintf("%s:%s>%s@%s", e.From, e.Port, e.To, e.Path))
	}
	want := "$start:next>a@start.next_node a:jump:j>$ending@nodes[0].config.components[0].config.next_node a:next>" +
		"r@nodes[0].config.next_node r:rule:x>a@nodes[1].config.rules[0].next_node r:fallback>gone@nodes[1].config.fallback"
	if strings.Join(got, " ") != want {
		t.Errorf("edges:\n got %s\nwant %s", strings.Join(got, " "), want)
	}
}

// The properties that only a response has.
func TestResponse(t *testing.T) {
	const good = `{"id":"ap_1","name":"f","created_at":"2026-01-31T12:00:00Z","updated_at":"2026-01-31T12:00:00.123+02:00",` +
		`"embedded_at":"2026-01-31","submitted_at":"2024-02-29"}`
	tests := []struct{ property, value, want string }{
		{"id", `"ap_` + strings.Repeat("x", 27) + `"`, ""},
		{"id", `"ap_` + strings.Repeat("x", 28) + `"`, "id length"},
		{"id", `"ap_"`, "id format"},
		{"id", `"xx_1"`, "id format"},
		{"id", `7`, "id type"},
		{"name", `""`, "name length"},
		{"created_at", `"2026-01-31"`, "created_at format"},
		{"created_at", `"2026-01-31T12:00:00"`, "created_at format"},
		{"created_at", `"2026-01-31T12:00:00,5Z"`, "created_at format"},
		{"updated_at", `"2026-02-30T12:00:00Z"`, "updated_at format"},
		{"embedded_at", `"2026-01-31T12:00:00Z"`, "embedded_at format"},
		{"embedded_at", `"2025-02-29"`, "embedded_at format"},
		{"submitted_at", `"31.01.2026"`, "submitted_at format"},
		{"links", `{}`, "links unknown"},
	}
	if got := lines(model.CheckResponse(parse(t, good))); got != "" {
		t.Fatalf("a good response: %s", got)
	}
	for _, tt := range tests {
		o := parse(t, good).With(tt.property, parse(t, `{"v":`+tt.value+`}`).Members()[0].Value)
		if got := lines(model.CheckResponse(o)); got != tt.want {
			t.Errorf("%s = %s: %q, want %q", tt.property, tt.value, got, tt.want)
		}
	}
	for _, r := range []string{"id", "name", "created_at", "updated_at"} {
		if got := lines(model.CheckResponse(parse(t, good).Without(r))); got != r+" required" {
			t.Errorf("without %s: %q", r, got)
		}
	}
}

func TestIsFlowPlaceholder(t *testing.T) {
	for id, want := range map[string]bool{
		"#FLOW-1#": true, "#FLOW-12#": true, "#FLOW-#": false, "#FLOW-x#": false, "#FLOW-1": false,
		"FLOW-1#": false, "af_1": false, "": false,
	} {
		if got := model.IsFlowPlaceholder(id); got != want {
			t.Errorf("%q: %v, want %v", id, got, want)
		}
	}
}

// A new field or widget asks a question that people understand: never the word of the API, or a kind that asks for anything. A block has no
// label.
func TestNewComponent(t *testing.T) {
	for i := range model.Kinds {
		k := &model.Kinds[i]
		o := model.NewComponent(k, model.VendorDialect, "c")
		label := o.Text("label")
		if label != k.Question || (label == "") != (k.Category == model.Block) || o.Has("label") && label == "" {
			t.Errorf("%s: label %q", k.Type, label)
		}
		if label != "" && (label == k.Term || strings.Contains(label, "_") || label == strings.ToUpper(label)) {
			t.Errorf("%s asks for %q", k.Type, label)
		}
		switch k.Label { // what these ask for can be anything
		case "Text", "Number", "Choice", "Dropdown", "Cards", "Yes/no", "Custom field":
			if label != model.Untitled {
				t.Errorf("%s asks for %q", k.Type, label)
			}
		}
		if k.Alias != "" && (o.Text("type") != k.Alias || model.NewComponent(k, model.SpecDialect, "c").Text("type") != k.Type) {
			t.Errorf("%s: the dialect's name is not taken", k.Type)
		}
	}
}

// A checker that has seen other forms finds what a new one finds: removed nodes
// no longer own their ids.
func TestCheckerFollows(t *testing.T) {
	const (
		both = `{"name":"f","nodes":[{"id":"a","type":"STEP","config":{"next_node":"b"}},{"id":"b","type":"STEP","config":{"components":[
{"id":"c","category":"BLOCK","type":"DIVIDER"}]}}]}`
		gone   = `{"name":"f","nodes":[{"id":"a","type":"STEP","config":{"next_node":"b"}}]}`
		double = `{"name":"f","nodes":[{"id":"b","type":"STEP"},{"id":"b","type":"STEP"}],"start":{"next_node":"x"}}`
		rules  = `{"name":"f","nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":1},{"id":"x","condition":1}]}}]}`
	)
	forms := []string{both, gone, double, rules, both, rules, gone, double}
	var c model.Checker
	for i, src := range forms {
		f := model.FromTree(parse(t, src))
		if got, want := lines(c.Check(f)), lines(new(model.Checker).Check(f)); got != want {
			t.Errorf("form %d after the others: %q, want %q", i, got, want)
		}
	}
	// As after an edit, the remaining nodes are identical.
	c = model.Checker{}
	f := model.FromTree(parse(t, both))
	if got := lines(c.Check(f)); got != "" {
		t.Fatalf("both: %q", got)
	}
	f, err := f.Clear(path(t, "nodes.1"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lines(c.Check(f)), lines(new(model.Checker).Check(f)); got != want {
		t.Errorf("after a node was removed: %q, want %q", got, want)
	}
	if got := lines(new(model.Checker).Check(model.FromTree(parse(t, gone)))); got != "nodes[0].config.next_node unknown_node" {
		t.Errorf("the cases show nothing: %q", got)
	}
}

// Options with the value of an earlier one are warned of, in any kind of field that has options.
func TestRepeatedOptions(t *testing.T) {
	const field = `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"d","category":"BLOCK","type":"DIVIDER"},
		{"id":"c","category":"FIELD","type":%q,"config":{"options":[{"value":"a","label":"A"},{"value":%q,"label":"B"},{"value":"c","label":"C"},{"value":"c","label":"D"}]}}]}}]}`
	const second, last = "nodes[0].config.components[1].config.options[1].value repeated_option", "nodes[0].config.components[1].config.options[3].value repeated_option"
	for _, x := range []struct{ kind, value, want string }{
		{"CHOICE", "a", second + "; " + last}, {"CHOICE", "A", last}, {"CHOICE", "", last}, {"DROPDOWN", "a", second + "; " + last}, {"CARDS", "b", last}, {"NEWER", "a", ""},
	} {
		f := model.FromTree(parse(t, fmt.Sprintf(field, x.kind, x.value)))
		for range 2 { // the node remembers them
			if got := lines(model.Warnings(f)); got != x.want {
				t.Errorf("%s with %q: %q, want %q", x.kind, x.value, got, x.want)
			}
		}
	}
	f := model.FromTree(parse(t, fmt.Sprintf(field, "CHOICE", "b")))
	f, err := f.Set(path(t, "nodes.0.config.components.1.config.options.3.value"), "d")
	if err != nil || lines(model.Warnings(f)) != "" {
		t.Errorf("after the value was changed: %v, %v", model.Warnings(f), err)
	}
}
