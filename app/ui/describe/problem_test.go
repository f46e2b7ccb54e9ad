package describe

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func TestProblemsReadAsSentences(t *testing.T) {
	tree, ps := schema.Decode([]byte(`{"name":"x","nodes":[
		{"id":"s","type":"STEP","alias":"Terms","config":{"components":[{"id":"m","category":"WIDGET","type":"MAPS_ADDRESS","label":"Address",
		"config":{"api_key":""}},
			{"id":"o","category":"FIELD","type":"DROPDOWN","config":{"options":[{"label":1}]}}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"a","alias":"Business"},{"id":"b"}]}}]}`))
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	o, _ := tree.(*schema.Object)
	f := model.FromTree(o)
	for _, test := range []struct {
		path   string
		code   schema.Code
		detail string
		want   string
	}{
		{"nodes[0]", schema.CodeUnreachable, "cannot be reached from the start", "Terms cannot be reached from the start."},
		{"nodes[0].config.next_node", schema.CodeDeadEnd, "leads nowhere", "Terms leads nowhere."},
		{"nodes[0].config.next_node", schema.CodeUnknownNode, "must be a node", "Terms: Goes to must be a node."},
		{"nodes[0].config.components[0].config.api_key", schema.CodeLength, "must not be empty", "Terms › Address: API key must not be empty."},
		{"nodes[0].config.components[0]", schema.CodeRequired, "must be there", "Terms › Address must be there."},
		{
			"nodes[0].config.components[1].config.options[0].label", schema.CodeType, "must be a string, is a number",
			"Terms › Dropdown: Options 1 › Label must be a string, is a number.",
		},
		{"nodes[1].config.rules[0].next_node", schema.CodeDeadEnd, "leads nowhere", "r › Business leads nowhere."},
		{"nodes[1].config.rules[1].alias", schema.CodeLength, "must not be empty", "r › No condition: Name must not be empty."},
		{"nodes[1].config.fallback", schema.CodeDeadEnd, "leads nowhere", "r › Otherwise leads nowhere."},
		{"nodes[1].config.rules[7]", schema.CodeType, "must be an object", "r: Rules 8 must be an object."},
		{"nodes[9].id", schema.CodeType, "must be a string", "Nodes 10: Id must be a string."},
		{
			"start.next_node", schema.CodeDeadEnd, "leads nowhere: a journey ends before it begins",
			"Start leads nowhere: a journey ends before it begins.",
		},
		{"ending", schema.CodeNoEnding, "cannot be reached: the start leads to no node", "Ending cannot be reached: the start leads to no node."},
		{"name", schema.CodeLength, "must not be empty", "Name must not be empty."},
		{"style.css", schema.CodeLength, "must not be empty", "Style: CSS must not be empty."},
		{
			"translations.de.components.m.label", schema.CodeType, "must be a string",
			"Translations › de › components › m: Label must be a string.",
		},
		{"", schema.CodeType, "must be an object", "The form must be an object."},
	} {
		var path schema.Path
		if test.path != "" {
			var err error
			if path, err = schema.ParsePath(test.path); err != nil {
				t.Fatal(err)
			}
		}
		who, text := Problem(f, schema.Problem{Path: path, Code: test.code, Detail: test.detail})
		if got := who + text; got != test.want {
			t.Errorf("%s: %q, want %q", test.path, got, test.want)
		}
	}
}
