package saver

import (
	"errors"
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/model/formtest"
)

// Problems found by the server are described and can be selected, like those found by the editor.
func TestProblemsOfTheServerLeadIntoTheForm(t *testing.T) {
	f := formtest.Parse(t, `{"nodes":[
		{"id":"s","type":"STEP","alias":"Terms","config":{"components":[{"id":"m","category":"FIELD","type":"TEXT","label":"Name"}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"a","alias":"Business"}]}}]}`)
	for _, tt := range []struct {
		problem client.Problem
		text    string
		want    editor.Selection
	}{
		{
			client.Problem{Path: "nodes[0].config.components[0].label", Code: "length", Detail: "must not be empty"},
			"Terms › Name: Label must not be empty.",
			editor.Selection{Nodes: []string{"s"}, Component: "m"},
		},
		{
			client.Problem{Path: "nodes[1].config.rules[0].next_node", Code: "unknown_node", Detail: "must be a node"},
			"r › Business: Goes to must be a node.",
			editor.Selection{Nodes: []string{"r"}, Rule: "a"},
		},
		{
			client.Problem{Path: "nodes[1].alias", Code: "length", Detail: "must not be empty"},
			"r: Name must not be empty.",
			editor.SelectNodes("r"),
		},
		{
			client.Problem{Path: "start.next_node", Code: "unknown_node", Detail: "must be a node"},
			"Start: Goes to must be a node.",
			editor.SelectNodes("$start"),
		},
		{client.Problem{Path: "name", Code: "length", Detail: "must not be empty"}, "Name must not be empty.", editor.Selection{}},
		{client.Problem{Path: "nodes[7].id", Code: "format", Detail: "must be an id"}, "Nodes 8: Id must be an id.", editor.Selection{}},
		{client.Problem{Detail: "Some nodes point to unknown node IDs"}, "The form Some nodes point to unknown node IDs.", editor.Selection{}},
		{client.Problem{Path: "/nodes/0", Detail: "must be a node"}, "The form must be a node, at /nodes/0.", editor.Selection{}},
		{
			client.Problem{Path: "nodes[0].config.components[0].label", Code: "value", Detail: "Too long."},
			"Terms › Name: Label: Too long.",
			editor.Selection{Nodes: []string{"s"}, Component: "m"},
		},
	} {
		err := fmt.Errorf("save: %w", &client.Error{Status: 400, Problems: []client.Problem{tt.problem}})
		ps, _ := refusedProblems(err)
		if len(ps) != 1 {
			t.Errorf("%+v: problems %v", tt.problem, ps)
			continue
		}
		who, text := describe.Problem(f, ps[0])
		at, _ := f.At(ps[0].Path)
		if sel := editor.SelectPlace(f, at); who+text != tt.text || !sel.Equal(tt.want) {
			t.Errorf("%+v: %q selects %+v, want %q and %+v", tt.problem, who+text, sel, tt.text, tt.want)
		}
	}
	if ps, _ := refusedProblems(errors.New("offline")); ps != nil {
		t.Errorf("of another error: %v", ps)
	}
}

// A refused pointer to an unknown node is recognized by its code or by its text.
func TestDanglingPointerIsNoticed(t *testing.T) {
	for _, tt := range []struct {
		err  client.Error
		want bool
	}{
		{client.Error{Status: 400, Detail: "Some nodes point to unknown node IDs."}, true},
		{client.Error{Status: 400, Detail: "x", Problems: []client.Problem{{Path: "start.next_node", Detail: "Unknown node"}}}, true},
		{client.Error{Status: 400, Problems: []client.Problem{{Path: "start.next_node", Code: "unknown_node", Detail: "must be a node"}}}, true},
		{client.Error{Status: 400, Detail: "The name of the nodes is wrong"}, false},
	} {
		if _, got := refusedProblems(&tt.err); got != tt.want {
			t.Errorf("%q: %t", tt.err.Detail, got)
		}
	}
}
