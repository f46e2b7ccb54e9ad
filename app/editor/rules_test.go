package editor_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// choosing returns a form with a router behind a step with a component of a type and its config.
func choosing(typ, config string) string {
	return `{"start":{"next_node":"s"},"nodes":[{"id":"s","type":"STEP","config":{"next_node":"f","components":[
	{"id":"first","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"no","label":"No"}]}},
	{"id":"c","category":"FIELD","type":"` + typ + `","config":` + config + `},{"id":"t","category":"FIELD","type":"TEXT"}]}},
	{"id":"f","type":"FLOW","config":{"next_node":"r"}},{"id":"r","type":"ROUTER","config":{"rules":[],"fallback":"$ending"}}]}`
}

// A new rule proposes the next option of the last choice on the way to the router. All at once are one undo step.
func TestRulesAreProposed(t *testing.T) {
	const two = `{"options":[{"value":"a","label":"A"},{"value":"b","label":"B"}]`
	of := func(operator, value string) string {
		return `{"operator":"AND","operands":[{"operator":"` + operator + `","operands":["{{fields.c}}",` + value + `]}]}`
	}
	blank := `{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.}}",""]}]}`
	for _, tt := range []struct {
		name, typ, config string
		want              []string
	}{
		{"a choice", "CHOICE", two + "}", []string{of("EQ", `"a"`), of("EQ", `"b"`), blank}},
		{"several answers", "DROPDOWN", two + `,"multiple":true}`, []string{of("INCLUDES", `"a"`), of("INCLUDES", `"b"`), blank}},
		{"cards", "CARDS", two + "}", []string{of("EQ", `"a"`), of("EQ", `"b"`), blank}},
		{"yes or no", "BOOLEAN", `{}`, []string{of("EQ", "true"), of("EQ", "false"), blank}},
	} {
		e, _ := newEditor(t, choosing(tt.typ, tt.config))
		conditions := func() string {
			var all []string
			n, _ := e.State().Form.Node("r")
			for i := range n.Parts() {
				all = append(all, string(schema.Encode(n.Rule(i).Condition)))
			}
			return strings.Join(all, "\n")
		}
		for range tt.want {
			run(t, e, e.Make().Rule("r"))
		}
		if got, want := conditions(), strings.Join(tt.want, "\n"); got != want {
			t.Errorf("%s, one by one: got\n%s\nwant\n%s", tt.name, got, want)
		}
		if e.Make().RuleForEach("r") != nil || editor.OptionsLeft(e.State().Form, "r") {
			t.Errorf("%s: there are rules left", tt.name)
		}
		for e.UndoLabel() != "" {
			e.Undo()
		}
		run(t, e, e.Make().RuleForEach("r"))
		if got, want := conditions(), strings.Join(tt.want[:2], "\n"); got != want || e.UndoLabel() != "Add 2 rules" {
			t.Errorf("%s, %s: got\n%s\nwant\n%s", tt.name, e.UndoLabel(), got, want)
		}
		if e.Undo(); conditions() != "" {
			t.Errorf("%s: one undo leaves rules", tt.name)
		}
	}
	e, _ := newEditor(t, chain("r", "r:r>$ending,"))
	if n := model.NewRule("x"); !schema.Equal(e.Make().Rule("r").Rule.Object("condition"), n.Object("condition")) || e.Make().RuleForEach("r") != nil {
		t.Error("a condition is proposed without a choice")
	}
}
