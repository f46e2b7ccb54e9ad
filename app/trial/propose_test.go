package trial

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model/schema"
)

const codeForm = `{"name":"f","start":{"next_node":"check"},"nodes":[
	{"id":"check","type":"FLOW","config":{"flow_id":"af_1","next_node":"r"}},
	{"id":"r","type":"ROUTER","config":{"rules":[
		{"id":"a","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{vars.code.result}}","right"]}]},"next_node":"$ending"},
		{"id":"b","condition":{"operator":"OR","operands":[{"operator":"EQ","operands":["{{vars.code.result}}",""]},
			{"operator":"EXISTS","operands":["{{vars.by}}"]}]},"next_node":"$ending"}],"fallback":"ask"}},
	{"id":"ask","type":"STEP","config":{"components":[{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"r"}}]}`

// While a flow runs, its answers are proposed, and only then. One that is taken leads where it says.
func TestProposals(t *testing.T) {
	s := &Session{}
	s.Do(message.Command{Do: message.Load, Form: tree(t, codeForm)})
	v := s.Do(message.Command{Do: message.Begin})
	of := func(text string) *schema.Object { return tree(t, text) }
	want := []message.Proposal{
		{Variable: "code.result", Label: "right", Result: of(`{"code":{"result":"right"}}`)},
		{Variable: "code.result", Label: "An empty text", Result: of(`{"code":{"result":""}}`)},
		{Variable: "code.result", Label: "Something else", Result: of(`{"code":{"result":"other"}}`)},
		{Variable: "by", Label: "Any value", Result: of(`{"by":"other"}`)},
		{Variable: "by", Label: "No value"},
	}
	text := func(list []message.Proposal) string { return message.View{Proposals: list}.Text() }
	if diff := cmp.Diff(text(want), text(v.Proposals)); diff != "" {
		t.Error(diff)
	}
	for i, node := range []string{"", "", "ask", "", "ask"} {
		s.Do(message.Command{Do: message.Begin})
		v := s.Do(message.Command{Do: message.Succeed, Result: want[i].Result})
		if ended := node == ""; ended != (v.State == "ended") || !ended && v.Node != node || len(v.Proposals) > 0 {
			t.Errorf("%s leads to %s, %s, with %d proposals", want[i].Label, v.Node, v.State, len(v.Proposals))
		}
	}
}
