package model_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func TestRowNamesPropertiesAsTheTablesDo(t *testing.T) {
	tree, ps := schema.Decode(
		[]byte(`{"name":"x","translations":{"de":{"components":{"a":{"label":"x"}}}},"nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"m","category":"WIDGET","type":"MAPS_ADDRESS","config":{"api_key":""}},
		{"id":"n","category":"FIELD","type":"TEXT","hint":"x","config":{"min_length":"a","visible":true}},
		{"id":"o","category":"FIELD","type":"DROPDOWN","config":{"options":[{"label":1}]}}]}},
{"id":"f","type":"FLOW","config":{"flow_id":"x"}},7]}`),
	)
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	o, _ := tree.(*schema.Object)
	f := model.FromTree(o)
	for path, want := range map[string]string{
		"nodes[0].config.components[0].config.api_key":          "API key",
		"nodes[0].config.components[1].hint":                    "Hint",
		"nodes[0].config.components[1].config.min_length":       "Min length",
		"nodes[0].config.components[1].config.visible":          "Visible",
		"nodes[0].config.components[2].config.options[0].label": "Label",
		"nodes[0].config.components[2].config.options[0]":       "Options",
		"nodes[0].config.next_node":                             "Goes to",
		"nodes[1].config.flow_id":                               "Flow",
		"nodes[2].config.flow_id":                               "Flow id",
		"nodes[0]":                                              "Nodes",
		"style.css":                                             "CSS",
		"translations.de":                                       "de",
		"no_such.thing":                                         "Thing",
	} {
		p, err := schema.ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Row(p).Title(); got != want {
			t.Errorf("%s is called %q, want %q", path, got, want)
		}
	}
	if got := f.Row(nil).Title(); got != "" {
		t.Errorf("the form is called %q", got)
	}
}
