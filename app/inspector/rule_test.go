package inspector_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// cond is the path of the condition of the second rule of the fourth node.
const cond = "nodes[3].config.rules[1].condition"

// router returns an editor of a router with a condition, whose rule is selected.
func router(t *testing.T, condition string) *editor.Editor {
	t.Helper()
	return edit(t, `{"name":"f","nodes":[{"id":"a","type":"STEP"},{"id":"b","type":"STEP"},{"id":"c","type":"STEP"},
	 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"r0","condition":true},{"id":"r1","condition":`+condition+`,"next_node":"a"}]}}]}`,
		editor.Selection{Nodes: []string{"r"}, Rule: "r1"})
}

// known returns the comparisons of the selected rule, nil if its condition is
// shown as JSON.
func known(t *testing.T, e *editor.Editor) *inspector.Condition {
	t.Helper()
	for _, part := range inspector.Read(e, nil).Parts {
		for _, s := range part.Sections {
			if s.Condition != nil {
				return s.Condition
			}
		}
	}
	if r := row(t, e, cond); r.Input != inspector.JSON || !r.Required {
		t.Fatalf("the condition is shown as %+v, want required JSON", r)
	}
	return nil
}

func TestConditionHasComparisons(t *testing.T) {
	e := router(
		t,
		`{"operator":"OR","operands":[{"operator":"EQ","operands":["{{fields.a}}","1"]},
{"operator":"MATCHES","operands":["{{fields.b}}",2,true,null]}]}`,
	)
	c := known(t, e)
	if c == nil {
		t.Fatal("the condition is shown as JSON")
	}
	if got := c.Operator; got.Path.String() != cond+".operator" || got.Text() != "OR" || got.Input != inspector.Select {
		t.Errorf("the group is %+v", got)
	}
	var got []string
	for _, r := range c.Rows()[1:] {
		got = append(got, fmt.Sprintf("%s %s %s", r.Path, inputs[r.Input], r.Text()))
	}
	want := []string{
		cond + ".operands[0].operator select EQ",
		cond + ".operands[0].operands[0] text {{fields.a}}",
		cond + ".operands[0].operands[1] text 1",
		cond + ".operands[1].operator select MATCHES",
		cond + ".operands[1].operands[0] text {{fields.b}}",
		cond + ".operands[1].operands[1] number 2",
		cond + ".operands[1].operands[2] select true",
		cond + ".operands[1].operands[3] JSON null",
	}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("the comparisons are\n     %q\nwant %q", got, want)
	}
	// An unknown operator is among the options, so it is not lost.
	if n := len(keep(c.Terms[1].Comparison.Operator.Options, func(o inspector.Option) bool { return o.Value == "MATCHES" })); n != 1 {
		t.Errorf("the choices hold MATCHES %d times, want once", n)
	}
	if n := len(keep(c.Terms[0].Comparison.Operator.Options, func(o inspector.Option) bool { return o.Value == "EQ" })); n != 1 {
		t.Errorf("the choices hold EQ %d times, want once", n)
	}
	panelLaw(t, e)
}

// An operand keeps its JSON type: "1" and 1 are not equal, and no check
// would notice.
func TestOperandKeepsItsType(t *testing.T) {
	at := cond + ".operands[0].operands[1]"
	for _, tt := range []struct {
		operand string
		typed   []string // one after the other, as keys do
		want    string
	}{
		{`"a"`, []string{"tru", "true"}, `"true"`},
		{`"a"`, []string{"", "5"}, `"5"`},
		{`"a"`, []string{"null"}, `"null"`},
		{`"a"`, []string{`"q"`}, `"\"q\""`},
		{`3`, []string{"34"}, `34`},
		{`3`, []string{"", "4"}, `4`},
		{`3`, []string{"-", "-1.", "-1.0"}, `-1.0`},
		{`true`, []string{"false"}, `false`},
		{`false`, []string{"true"}, `true`},
		{`null`, []string{"nul", "null"}, `null`},
	} {
		t.Run(fmt.Sprint(tt.operand, tt.typed), func(t *testing.T) {
			e := router(t, `{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.a}}",`+tt.operand+`]}]}`)
			for _, text := range tt.typed {
				run(t, e, row(t, e, at).Edit(text))
			}
			if got := value(t, e, at); got != tt.want {
				t.Errorf("typing %q into %s gave %s, want %s", tt.typed, tt.operand, got, tt.want)
			}
			if known(t, e) == nil {
				t.Error("the condition is shown as JSON afterwards")
			}
		})
	}
}

func TestEditComparisons(t *testing.T) {
	e := router(t, `{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.a}}","1"]}]}`)
	enter(t, e, cond+".operator", "OR")
	enter(t, e, cond+".operands[0].operator", "ENDS_WITH")
	enter(t, e, cond+".operands[0].operands[0]", "")
	if got, want := value(t, e, cond), `{"operator":"OR","operands":[{"operator":"ENDS_WITH","operands":["","1"]}]}`; got != want {
		t.Errorf("the condition is %s, want %s", got, want)
	}
	c, err := known(t, e).List.List().Add("")
	if err != nil {
		t.Fatal(err)
	}
	run(t, e, c)
	if got, want := value(t, e, cond+".operands[1]"), `{"operator":"EQ","operands":["{{fields.}}",""]}`; got != want {
		t.Errorf("the new comparison is %s, want %s", got, want)
	}
	run(t, e, known(t, e).List.List().Move(1, -1))
	if got, want := value(t, e, cond+".operands[1].operator"), `"ENDS_WITH"`; got != want {
		t.Errorf("after moving the second has %s, want %s", got, want)
	}
	run(t, e, known(t, e).List.List().Remove(0))
	if got, want := value(t, e, cond+".operands"), `[{"operator":"ENDS_WITH","operands":["","1"]}]`; got != want {
		t.Errorf("after removing: %s, want %s", got, want)
	}
	run(t, e, known(t, e).List.List().Remove(0))
	if c := known(t, e); c == nil || len(c.Terms) != 0 {
		t.Errorf("a group without comparisons is %+v, want one that can be added to", c)
	}
}

// Any other shape is shown as JSON and stays as it is, even when another row of the
// rule is edited.
func TestUnknownConditionStays(t *testing.T) {
	for _, condition := range []string{
		`true`, `null`, `"{{fields.a}}"`, `[]`, `{}`, `3.10`,
		`{"operator":"AND"}`, `{"operands":[]}`, `{"operator":1,"operands":[]}`, `{"operator":"AND","operands":{}}`,
		`{"operator":"AND","operands":[],"note":"x"}`,
	} {
		t.Run(condition, func(t *testing.T) {
			e := router(t, condition)
			if c := known(t, e); c != nil {
				t.Fatalf("shown as comparisons: %+v", c)
			}
			panelLaw(t, e)
			enter(t, e, "nodes[3].config.rules[1].alias", "Way")
			enter(t, e, "nodes[3].config.rules[1].next_node", "b")
			if got := value(t, e, cond); got != condition {
				t.Errorf("the condition became %s, was %s", got, condition)
			}
			if got := enter(t, e, cond, `{"operator":`); len(got.Problems) != 1 || got.Problems[0].Code != schema.CodeSyntax {
				t.Errorf("half a value gave %v, want one syntax problem", got.Problems)
			}
			enter(t, e, cond, `{"operator":"AND","operands":[]}`)
			if known(t, e) == nil {
				t.Error("a group typed as JSON is not shown as one")
			}
		})
	}
	// A missing condition is a problem at its row.
	e := edit(
		t,
		`{"name":"f","nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"r1"}]}}]}`,
		editor.Selection{Nodes: []string{"r"}, Rule: "r1"},
	)
	if r := row(t, e, "nodes[0].config.rules[0].condition"); len(r.Problems) != 1 || r.Present {
		t.Errorf("a missing condition is the row %+v, want one problem", r)
	}
	panelLaw(t, e)
}

// The parts of a condition that have another shape are shown as JSON, each in its place, and stay as they are when what is beside them is edited.
func TestUnknownTermsStay(t *testing.T) {
	const odd = `{"operator":"AND","operands":["a",{"operator":"EQ","operands":["x",{"y":1.0}]},{"operator":"EQ","operands":["x"],"not":true},` +
		`{"operator":"OR","operands":[{"operator":"NEAR","operands":["{{fields.a}}",["b"],3]}]}]}`
	e := router(t, odd)
	var got []string
	for _, r := range known(t, e).Rows() {
		got = append(got, strings.TrimPrefix(r.Path.String(), cond+".")+" "+inputs[r.Input])
	}
	want := []string{
		"operator select", "operands[0] JSON", "operands[1].operator select", "operands[1].operands[0] text", "operands[1].operands[1] JSON",
		"operands[2] JSON", "operands[3].operator select", "operands[3].operands[0].operator select", "operands[3].operands[0].operands[0] text",
		"operands[3].operands[0].operands[1] JSON", "operands[3].operands[0].operands[2] number",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the rows are\n     %q\nwant %q", got, want)
	}
	panelLaw(t, e)
	enter(t, e, cond+".operands[1].operands[0]", "z")
	enter(t, e, cond+".operands[3].operator", "AND")
	if got, want := value(t, e, cond), strings.Replace(strings.Replace(odd, `["x",{`, `["z",{`, 1), `"OR"`, `"AND"`, 1); got != want {
		t.Errorf("the condition is\n     %s\nwant %s", got, want)
	}
}

func TestGroups(t *testing.T) {
	e := router(t, `{"operator":"AND","operands":[{"operator":"EQ","operands":["a","b"]}]}`)
	c, err := known(t, e).Group.List().Add("")
	if err != nil {
		t.Fatal(err)
	}
	run(t, e, c)
	inner := known(t, e).Terms[1].Group
	c, err = inner.List.List().Add("")
	if err != nil {
		t.Fatal(err)
	}
	run(t, e, c)
	const fresh = `{"operator":"EQ","operands":["{{fields.}}",""]}`
	if got, want := value(t, e, cond+".operands[1]"), `{"operator":"OR","operands":[`+fresh+`,`+fresh+`]}`; got != want {
		t.Errorf("the group is %s, want %s", got, want)
	}
	run(t, e, known(t, e).List.List().Remove(0))
	if got := value(t, e, cond+".operands[0].operator"); got != `"OR"` {
		t.Errorf("the group that is left has %s", got)
	}
	panelLaw(t, e)
}

// A comparison has as many operands as its operator compares.
func TestOperatorSetsTheOperands(t *testing.T) {
	e := router(t, `{"operator":"EQ","operands":["a","b"]}`) // a comparison that stands alone
	for _, tt := range []struct{ operator, want string }{
		{"BETWEEN", `{"operator":"BETWEEN","operands":["a","b",""]}`},
		{"IS_EMPTY", `{"operator":"IS_EMPTY","operands":["a"]}`},
		{"LT", `{"operator":"LT","operands":["a",""]}`},
		{"GT", `{"operator":"GT","operands":["a",""]}`},
	} {
		enter(t, e, cond+".operator", tt.operator)
		if got := value(t, e, cond); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.operator, got, tt.want)
		}
		panelLaw(t, e)
	}
}

// The panel of a rule is that of its router: the rule is open, the others say what they do.
func TestPanelOfARule(t *testing.T) {
	e := router(t, `{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.a}}",1]}]}`)
	p := inspector.Read(e, nil)
	if p.Title != "r" || p.Subtitle != "Router with 2 rules" || len(p.Parts) != 2 || p.Otherwise == nil || p.Otherwise.Label != "Otherwise" {
		t.Fatalf("%q, %q with %d parts, otherwise %v", p.Title, p.Subtitle, len(p.Parts), p.Otherwise)
	}
	if p.Parts[0].Sections != nil || p.Parts[1].Sections == nil || p.Parts[1].Words != "fields.a equals 1" || p.Parts[1].Type != "to a" {
		t.Errorf("the parts are %+v", p.Parts)
	}
	e.Select(editor.SelectNodes("r"))
	if p := inspector.Read(e, nil); p.Parts[1].Sections != nil {
		t.Error("a rule is open though its router is selected")
	}
}

// A rule without a name has its condition as its title, whose name is shortened before its value. Below a name the condition stands whole.
func TestTitlesOfRules(t *testing.T) {
	const form = `{"name":"f","nodes":[{"id":"ask","type":"STEP","config":{"components":[
		{"id":"why","category":"FIELD","type":"TEXT","label":"What brings you here today, my friend"}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"1","alias":"%s","condition":{"operator":"EQ","operands":["{{fields.why}}","work"]}}]}}]}`
	const whole = "What brings you here today, my friend equals work"
	for _, tt := range []struct {
		alias, title string
		said         bool
	}{
		{"", "What brings you here today, my… equals work", true},
		{"Work", "Work", false},
	} {
		panel := inspector.Read(edit(t, fmt.Sprintf(form, tt.alias), editor.SelectNodes("r")), nil)
		if p := panel.Parts[0]; p.Title != tt.title || p.Words != whole || p.Said != tt.said {
			t.Errorf("%q: %q, %q, said %v; want %q, %q, said %v", tt.alias, p.Title, p.Words, p.Said, tt.title, whole, tt.said)
		}
		for _, query := range []string{"friend", "work"} {
			if len(panel.Filter(query).Parts) != 1 {
				t.Errorf("%q: no rule has %s", tt.alias, query)
			}
		}
	}
}

// The panel of a connection says where it comes from.
func TestConnectionSaysWhereItComesFrom(t *testing.T) {
	for from, want := range map[string]string{"a": "From a", model.StartID: "From Start"} {
		e := edit(t, `{"name":"f","start":{"next_node":"a"},"nodes":[{"id":"a","type":"STEP","config":{"components":[],"next_node":"$ending"}}]}`,
			editor.Selection{Edge: &editor.EdgeRef{From: from, Port: model.NextPort}})
		if p := inspector.Read(e, nil); p.Title != "Connection" || p.Subtitle != want {
			t.Errorf("%s: %q, %q", from, p.Title, p.Subtitle)
		}
	}
}

// An operand is named as people know it. A rule with an incomplete condition is called by its number.
func TestOperandsHaveNames(t *testing.T) {
	for _, tt := range []struct{ first, second, want, title string }{
		{"{{fields.country}}", `"DE"`, "{Country dropdown} {Germany }", "Country equals Germany"},
		{"{{fields.country}}", `"FR"`, "{Country dropdown} { }", "Country equals FR"},
		{"{{fields.gone}}", `1`, "{fields.gone warn} { }", "fields.gone equals 1"},
		{"{{fields.source}}", `1`, "{fields.source braces} { }", "fields.source equals 1"},
		{"{{vars.risk}}", `"{{ context.user.id }}"`, "{vars.risk braces} {context.user.id braces}", "vars.risk equals context.user.id"},
		{"some text", `""`, "{ } { }", "some text equals an empty text"},
		{"{{fields.}}", `""`, "{Choose a value braces} { }", "Rule 1"},
	} {
		e := edit(t, `{"name":"f","start":{"hidden_fields":[{"key":"source","value":""}]},"nodes":[{"id":"a","type":"STEP","config":{"components":[{"id":"country","category":"FIELD","type":"DROPDOWN","label":"Country",
			"config":{"options":[{"value":"DE","label":"Germany"}]}}]}},
			{"id":"r","type":"ROUTER","config":{"rules":[{"id":"r1","condition":{"operator":"EQ","operands":["`+tt.first+`",`+tt.second+`]}}]}}]}`,
			editor.Selection{Nodes: []string{"r"}, Rule: "r1"})
		names := known(t, e).Terms[0].Comparison.Names
		if got := fmt.Sprint(names[0], names[1]); got != tt.want {
			t.Errorf("%s, %s: names %s, want %s", tt.first, tt.second, got, tt.want)
		}
		if got := inspector.Read(e, nil).Parts[0].Title; got != tt.title {
			t.Errorf("%s, %s: the rule is %q, want %q", tt.first, tt.second, got, tt.title)
		}
	}
}

// The variables in a text are named by their templates, and a field that the form lacks is unknown.
func TestVariablesOfATextHaveNames(t *testing.T) {
	e := edit(t, `{"name":"f","start":{"hidden_fields":[{"key":"source","value":""}]},"nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"}]}}]}`, editor.SelectNodes("a"))
	names := inspector.Names(e.State().Form, "<p>{{fields.mail}} {{ fields.mail }} {{fields.source}} {{fields.gone ?? 'you'}} {{vars.a.b}} {{}} {{fields.mail")
	for template, want := range map[string]inspector.Named{
		"{{fields.mail}}": {Text: "E-mail", Icon: "mail"}, "{{ fields.mail }}": {Text: "E-mail", Icon: "mail"}, "{{fields.source}}": {Text: "fields.source", Icon: "braces"},
		"{{fields.gone ?? 'you'}}": {Text: "fields.gone ?? 'you'", Icon: "warn"}, "{{vars.a.b}}": {Text: "vars.a.b", Icon: "braces"},
	} {
		if got := names[template]; got != want || got.Unknown() != (want.Icon == "warn") {
			t.Errorf("%s is %v, want %v", template, got, want)
		}
		delete(names, template)
	}
	if len(names) > 0 {
		t.Errorf("%v are named, too", names)
	}
}

// Renaming a node changes every pointer to it and keeps it selected.
func TestNodeID(t *testing.T) {
	e := edit(t, `{"name":"f","start":{"next_node":"old"},"nodes":[
	 {"id":"old","type":"STEP","config":{"next_node":"$ending"}},
	 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":1,"next_node":"old"}],"fallback":"old"}},
	 {"id":"s","type":"STEP","config":{"components":[
{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"t","next_node":"old"}}],"next_node":"old"}},
	 {"id":"w","type":"FLOW","config":{"flow_id":"af_1","next_node":"old"}}]}`, editor.SelectNodes("old"))
	r := row(t, e, "nodes[0].id")
	if !r.OnLeave() {
		t.Error("an id is applied at every key")
	}
	enter(t, e, "nodes[0].id", "new")
	for _, at := range []string{
		"start.next_node", "nodes[1].config.rules[0].next_node", "nodes[1].config.fallback",
		"nodes[2].config.components[0].config.next_node", "nodes[2].config.next_node", "nodes[3].config.next_node",
	} {
		if got := value(t, e, at); got != `"new"` {
			t.Errorf("%s is %s, want the new id", at, got)
		}
	}
	if e.State().Selection.Only() != "new" {
		t.Errorf("the selection is %v", e.State().Selection.Nodes)
	}
	// An id that is taken or malformed is refused, and nothing changes.
	e.Select(editor.SelectNodes("w"))
	before := e.State()
	for text, want := range map[string]error{
		"new": flow.ErrTaken, "r": flow.ErrTaken, "a b": flow.ErrMalformed, "": flow.ErrMalformed,
		"$ending": flow.ErrMalformed,
	} {
		if err := e.Run(row(t, e, "nodes[3].id").Edit(text)); !errors.Is(err, want) {
			t.Errorf("the id %q gave %v, want %v", text, err, want)
		}
	}
	if dump(e.State()) != dump(before) || e.State().Form != before.Form {
		t.Error("a refused id changed something")
	}
}

// The id of a component or rule is applied on leaving, and the element stays selected.
func TestPartID(t *testing.T) {
	e := edit(t, step(`{"id":"c","category":"FIELD","type":"TEXT"}`), part("c"))
	if !row(t, e, one+".id").OnLeave() || row(t, e, one+".label").OnLeave() {
		t.Error("the id should be applied on leaving, the label at every key")
	}
	enter(t, e, one+".id", "d")
	if got := e.State().Selection; got.Component != "d" || value(t, e, one+".id") != `"d"` {
		t.Errorf("the selection is %+v", got)
	}
	e = router(t, `true`)
	enter(t, e, "nodes[3].config.rules[1].id", "other")
	if got := e.State().Selection; got.Rule != "other" {
		t.Errorf("the selection is %+v", got)
	}
}

// A node that no pointer can lead to is not an option.
func TestPointersLeadToNodesOfTheirOwnID(t *testing.T) {
	e := edit(
		t,
		`{"name":"f","nodes":[{"id":"s","type":"STEP"},{"id":"b","type":"STEP"},{"id":"b","type":"FLOW"},{"type":"STEP"},
{"id":"$ending","type":"STEP"}]}`,
		editor.SelectNodes("s"),
	)
	want := []inspector.Option{{Value: "$ending", Label: "Ending"}, {Value: "s", Label: "s"}, {Value: "b", Label: "b"}}
	if got := row(t, e, "nodes[0].config.next_node").Options; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got the choices %v, want %v", got, want)
	}
}

// A part leads back to its node even if another node has the same id.
func TestPartLeadsBackToItsOwnNode(t *testing.T) {
	e := edit(
		t,
		`{"name":"f","nodes":[{"id":"s","type":"STEP"},{"id":"s","type":"STEP","config":{"components":[
{"id":"c","category":"BLOCK","type":"DIVIDER"}]}},
		{"id":"s","type":"ROUTER","config":{"rules":[{"id":"r","condition":1}]}}]}`,
		editor.Selection{},
	)
	for _, sel := range []editor.Selection{{Nodes: []string{"s\x002"}, Component: "c"}} {
		e.Select(sel)
		p := inspector.Read(e, nil)
		if p.Parent != sel.Nodes[0] {
			t.Errorf("%+v leads back to %q", sel, p.Parent)
		}
		for _, text := range []string{p.Title, p.Subtitle} {
			if strings.ContainsRune(text, 0) {
				t.Errorf("%q shows a key", text)
			}
		}
	}
}

// A router is not offered as a target of its own rows, except in a row that already points to it.
func TestRouterDoesNotOfferItself(t *testing.T) {
	e := edit(t, `{"name":"f","nodes":[{"id":"s","type":"STEP"},{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","next_node":"s"}],"fallback":"r"}}]}`,
		editor.Selection{Nodes: []string{"r"}, Rule: "x"})
	offers := func(path string) bool {
		return slices.ContainsFunc(row(t, e, path).Options, func(o inspector.Option) bool { return o.Value == "r" })
	}
	if offers("nodes[1].config.rules[0].next_node") || !offers("nodes[1].config.fallback") {
		t.Error("the rule offers its router, or the fallback that leads to it does not")
	}
	e.Select(editor.SelectNodes("s"))
	if !offers("nodes[0].config.next_node") {
		t.Error("a step does not offer the router")
	}
}

// A pointer row lists where it may lead, and always includes its current value.
func TestPointers(t *testing.T) {
	e := edit(
		t,
		`{"name":"f","nodes":[{"id":"s","type":"STEP","alias":"First","config":{"next_node":"gone"}},{"id":"b","type":"STEP"}]}`,
		editor.SelectNodes("s"),
	)
	r := row(t, e, "nodes[0].config.next_node")
	want := []inspector.Option{
		{Value: "$ending", Label: "Ending"},
		{Value: "s", Label: "First"},
		{Value: "b", Label: "b"},
		{Value: "gone", Label: "gone (no such node)"},
	}
	if fmt.Sprint(r.Options) != fmt.Sprint(want) || r.Input != inspector.Pointer || len(r.Problems) != 1 {
		t.Errorf("the row is %+v, want the choices %v and a problem", r, want)
	}
	// A selected edge has the same row.
	e.Select(editor.Selection{Edge: &editor.EdgeRef{From: "s", Port: "next"}})
	edge := row(t, e, "nodes[0].config.next_node")
	if fmt.Sprint(edge.Options) != fmt.Sprint(want) {
		t.Errorf("the way has the choices %v, want %v", edge.Options, want)
	}
	if err := e.Run(edge.Edit("b")); err != nil || value(t, e, "nodes[0].config.next_node") != `"b"` {
		t.Errorf("the way leads to %s (%v), want b", value(t, e, "nodes[0].config.next_node"), err)
	}
}
