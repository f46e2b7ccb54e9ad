package describe

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// The announcement of a connection names its source, by node and way out, and its target.
func TestAnnouncementsNameSourceAndPort(t *testing.T) {
	v, problems := schema.Decode([]byte(`{"start":{"next_node":"s"},"nodes":[
	{"id":"s","type":"STEP","config":{"components":[{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip",
	"next_node":"$ending"}}],"next_node":"r"}},
	{"id":"r","type":"ROUTER","alias":"Account type","config":{"rules":[{"id":"b","alias":"Business","condition":1,"next_node":"d"},{"id":"x",
	"condition":1}],"fallback":"$ending"}},
	{"id":"d","type":"STEP","alias":"Business details"},{"type":"FLOW"}]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	f := model.FromTree(v.(*schema.Object))
	for _, tt := range []struct {
		from string
		port model.Port
		want string
	}{
		{"r", "rule:b", `Connected rule “Business” of “Account type” to “Business details”.`},
		{"r", "fallback", `Connected “Otherwise” of “Account type” to Ending.`},
		{"s", "jump:j", `Connected button “Skip” of “s” to Ending.`},
		{"s", "next", `Connected “s” to “Account type”.`},
		{"$start", "next", `Connected Start to “s”.`},
	} {
		if got := Connected(f, f, editor.EdgeRef{From: tt.from, Port: tt.port}); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	if got, want := Disconnected(f, editor.EdgeRef{From: "r", Port: "rule:b"}),
		`Disconnected rule “Business” of “Account type” from “Business details”.`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, tt := range []struct {
		to   model.Pointer
		want string
	}{
		{"s", `Connected rule “Business” of “Account type” to “s” instead of “Business details”.`},
		{"d", `Connected rule “Business” of “Account type” to “Business details”.`},
		{"", `Disconnected rule “Business” of “Account type” from “Business details”.`},
	} {
		way := editor.EdgeRef{From: "r", Port: "rule:b"}
		now, err := f.Set(schema.Path{
			schema.Key("nodes"), schema.Index(1), schema.Key("config"), schema.Key("rules"), schema.Index(0),
			schema.Key("next_node"),
		}, string(tt.to))
		if err != nil {
			t.Fatal(err)
		}
		if got := Replaced(gesture.Replaced{Was: f, Way: way}, now); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	for _, tt := range []struct {
		form *model.Form
		way  editor.EdgeRef
		want string
	}{
		{f, editor.EdgeRef{From: "s", Port: "next"}, "Added “Step 1” between “s” and “Account type”."},
		{f, editor.EdgeRef{From: "d", Port: "next"}, "Added “Step 1” after “Business details”."},
		{f, editor.EdgeRef{From: "\x001", Port: "next"}, "Added “Step 1” after “Flow”."},
		{model.New("f"), editor.EdgeRef{From: "$start", Port: "next"}, "Added “Step 1” between Start and Ending."},
	} {
		e := editor.New(tt.form, editor.Config{Rand: func(int) int { return 0 }})
		if err := e.Run(e.Make().Node(model.StepNode, model.Point{}, nil)); err != nil {
			t.Fatal(err)
		}
		if got := Added(tt.form, e.State(), tt.way); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// What was brought to a place is named with its position.
func TestBrought(t *testing.T) {
	v, _ := schema.Decode([]byte(`{"nodes":[{"id":"s","type":"STEP","alias":"Ask","config":{"components":[{"id":"n","category":"FIELD","type":"TEXT","label":"Name"},
	{"id":"m","category":"FIELD","type":"EMAIL","label":"E-mail"}]}},{"id":"r","type":"ROUTER","alias":"Which","config":{"rules":[{"id":"b","alias":"Business"}]}}]}`))
	f := model.FromTree(v.(*schema.Object))
	for want, sel := range map[string]editor.Selection{
		"E-mail moved to position 2 of 2 in Ask.":     {Nodes: []string{"s"}, Component: "m"},
		"Business moved to position 1 of 1 in Which.": {Nodes: []string{"r"}, Rule: "b"},
		"Added “Ask”.":                                editor.SelectNodes("s"),
		"":                                            {},
	} {
		if got := Brought(editor.State{Form: f, Selection: sel}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What was deleted is named.
func TestDeleted(t *testing.T) {
	v, _ := schema.Decode([]byte(`{"nodes":[{"id":"s","type":"STEP","alias":"Ask","config":{"components":[{"id":"n","category":"FIELD","type":"TEXT","label":"Name"}]}},
	{"id":"r","type":"ROUTER","alias":"Which","config":{"rules":[{"id":"b","alias":"Business"}]}}]}`))
	f := model.FromTree(v.(*schema.Object))
	for want, sel := range map[string]editor.Selection{
		"Deleted “Ask”":                      editor.SelectNodes("s"),
		"Deleted 2 nodes":                    editor.SelectNodes("s", "r"),
		"Deleted “Name”":                     {Nodes: []string{"s"}, Component: "n"},
		`Deleted rule “Business” of “Which”`: {Nodes: []string{"r"}, Rule: "b"},
		"Deleted": {},
	} {
		if got := Deleted(editor.State{Form: f, Selection: sel}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestDamage(t *testing.T) {
	for want, d := range map[string]editor.Damage{
		"":                           {},
		"1 node becomes unreachable": {Unreachable: 1},
		"2 nodes become unreachable, 1 way leads nowhere, 3 texts or conditions lose their field": {Unreachable: 2, DeadEnds: 1, References: 3},
	} {
		if got := Damage(d); got != want {
			t.Errorf("%+v: got %q, want %q", d, got, want)
		}
	}
}
