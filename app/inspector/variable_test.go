package inspector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model/run/scope"
)

// asking is a form in which one way to the router asks for the code, and another one does not.
const asking = `{"name":"f","languages":{"primary":"en"},"start":{"next_node":"s","hidden_fields":[{"key":"plan","value":"free"}]},"nodes":[
	{"id":"s","type":"STEP","config":{"next_node":"c","components":[
		{"id":"age","category":"FIELD","type":"NUMBER","label":"Your age"},
		{"id":"news","category":"FIELD","type":"BOOLEAN","label":"News","config":{}},
		{"id":"land","category":"FIELD","type":"DROPDOWN","label":"Country","config":{"options":[{"value":"DE","label":"Germany"},{"value":"FR","label":"France"}]}},
		{"id":"skip","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"r"}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}]}},
	{"id":"c","type":"STEP","config":{"next_node":"r","components":[
		{"id":"code","category":"FIELD","type":"TEXT","label":"The code","hint":"For {{fields.agee}} and {{fields.agee_2}}"},
		{"id":"on","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On {{vars.risk}}"}}]}},
	{"id":"r","type":"ROUTER","config":{"rules":[{"id":"r1","next_node":"$ending","condition":%s}]}}]}`

// compared returns an editor whose selected rule has a condition, with the analysis of its form.
func compared(t *testing.T, condition string) (*editor.Editor, *scope.Analysis) {
	t.Helper()
	e := edit(t, fmt.Sprintf(asking, condition), editor.Selection{Nodes: []string{"r"}, Rule: "r1"})
	return e, scope.Analyze(e.State().Form)
}

const ruleCondition = "nodes[2].config.rules[0].condition"

func TestVariables(t *testing.T) {
	_, a := compared(t, `{"operator":"AND","operands":[]}`)
	for _, tt := range []struct{ at, query, want string }{
		{ruleCondition, "", "Hidden fields: plan; Variables: vars.risk; Not answered on every way here: Your age, News, Country, The code"},
		{ruleCondition, "CODE the", "Not answered on every way here: The code"},
		{ruleCondition, "nothing", ""},
		{"nodes[1].config.components[0].hint", "fields.", "Fields on the way here: Your age, News, Country; Hidden fields: plan"},
		{"nodes[0].config.components[0].label", "", "Hidden fields: plan; Variables: vars.risk"},
	} {
		p := parsePath(t, tt.at)
		var got []string
		for _, g := range inspector.Variables(a, p, tt.query) {
			if g.Title == "Context" {
				continue // the documented ones
			}
			var names []string
			for _, v := range g.Variables {
				name := v.Title
				if g.Title == "Variables" {
					name = v.Text
				}
				names = append(names, name)
			}
			got = append(got, g.Title+": "+strings.Join(names, ", "))
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.at, tt.query, strings.Join(got, "; "), tt.want)
		}
	}
	v := inspector.Variables(a, parsePath(t, ruleCondition), "age")[0].Variables[0]
	if want := (inspector.Variable{Text: "fields.age", Title: "Your age", Icon: "number", Type: "number", Example: "1", Place: "nodes[0].config.components[0].label"}); v != want {
		t.Errorf("got %+v, want %+v", v, want)
	}
}

// A comparison with a known variable has its operators, and values of its type.
func TestComparisonFollowsTheVariable(t *testing.T) {
	for _, tt := range []struct {
		comparison, typed string
		input             inspector.Input
		offered           string
		operators         int
		want              string
	}{
		{`{"operator":"EQ","operands":["{{fields.age}}",""]}`, "18", inspector.Number, "", 12, `18`},
		{`{"operator":"EQ","operands":["{{ fields.age }}","17"]}`, "18", inspector.Number, "", 12, `18`},
		{`{"operator":"EQ","operands":["{{fields.age}}","{{vars.x}}"]}`, "{{vars.y}}", inspector.Text, "", 12, `"{{vars.y}}"`},
		{`{"operator":"EQ","operands":["{{fields.news}}",""]}`, "true", inspector.Select, "true false", 4, `true`},
		{`{"operator":"EQ","operands":["{{fields.land}}",""]}`, "DE", inspector.Text, "DE FR", 6, `"DE"`},
		{`{"operator":"ENDS_WITH","operands":["{{fields.land}}",""]}`, "E", inspector.Text, "DE FR", 7, `"E"`},
		{`{"operator":"EQ","operands":["{{fields.gone}}",""]}`, "18", inspector.Text, "", 24, `"18"`},
		{`{"operator":"EQ","operands":["fields.age",""]}`, "18", inspector.Text, "", 24, `"18"`},
		{`{"operator":"EQ","operands":["{{fields.age}}","text"]}`, "18", inspector.Text, "", 12, `"18"`},
	} {
		e, a := compared(t, `{"operator":"AND","operands":[`+tt.comparison+`]}`)
		c := inspector.Read(e, a).Parts[0].Sections[1].Condition.Terms[0].Comparison
		right := c.Operands[1]
		var offered []string
		for _, o := range right.Options {
			offered = append(offered, o.Value)
		}
		if right.Input != tt.input || strings.Join(offered, " ") != tt.offered || len(c.Operator.Options) != tt.operators {
			t.Errorf("%s: %s with %q and %d operators", tt.comparison, inputs[right.Input], offered, len(c.Operator.Options))
		}
		run(t, e, right.Edit(tt.typed))
		if got := value(t, e, ruleCondition+".operands[0].operands[1]"); got != tt.want {
			t.Errorf("%s: typing %s gives %s, want %s", tt.comparison, tt.typed, got, tt.want)
		}
	}
}

func TestTemplatesAreInTextsOnly(t *testing.T) {
	for _, tt := range []struct {
		sel  editor.Selection
		want string
	}{
		{editor.Selection{Nodes: []string{"c"}, Component: "code"}, "label hint config.default_value config.placeholder"},
		{editor.Selection{Nodes: []string{"c"}, Component: "on"}, "config.text"},
		{editor.SelectNodes("c"), ""},
		{editor.SelectNodes("$start"), "start.hidden_fields[0].value"},
		{editor.SelectNodes("$ending"), "ending.redirection.target"},
		{editor.Selection{Nodes: []string{"r"}, Rule: "r1"}, "condition.operands[0].operands[0] condition.operands[0].operands[1]"},
	} {
		e, a := compared(t, `{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.land}}","x"]}]}`)
		e.Select(tt.sel)
		var got []string
		for _, r := range flat(inspector.Read(e, a)) {
			if r.Prose().Templates() {
				_, rest, ok := strings.Cut(r.Path.String(), "s[0].")
				if _, after, found := strings.Cut(r.Path.String(), "components[0]."); found {
					rest, ok = after, true
				}
				if _, after, found := strings.Cut(r.Path.String(), "components[1]."); found {
					rest, ok = after, true
				}
				if !ok || r.Path[0].Key == "start" {
					rest = r.Path.String()
				}
				got = append(got, rest)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%+v: %q, want %q", tt.sel, got, tt.want)
		}
	}
}

func TestInsert(t *testing.T) {
	e, _ := compared(t, `{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.land}}","a😀b"]}]}`)
	const at = ruleCondition + ".operands[0].operands"
	for _, tt := range []struct {
		path  string
		caret int
		want  string
	}{
		{at + "[0]", 3, "{{x}}"},
		{at + "[1]", 0, "{{x}}a😀b"},
		{at + "[1]", 3, "a😀{{x}}b"},
		{at + "[1]", 9, "a😀b{{x}}"},
		{at + "[1]", -1, "{{x}}a😀b"},
	} {
		if got := row(t, e, tt.path).Prose().Insert("{{x}}", tt.caret); got != tt.want {
			t.Errorf("%s at %d: %q, want %q", tt.path, tt.caret, got, tt.want)
		}
	}
	for _, tt := range []struct {
		text  string
		caret int
		want  string
	}{
		{"Hi {{ you", 5, "Hi {{x}} you"},
		{"Hi {{fields.na you", 14, "Hi {{x}} you"},
		{"Hi {{fields.na}} you", 14, "Hi {{x}} you"},
		{"{{a}} {{", 8, "{{a}} {{x}}"},
		{"{{a}} you", 9, "{{a}} you{{x}}"},
	} {
		enter(t, e, at+"[1]", tt.text)
		if got := row(t, e, at+"[1]").Prose().Insert("{{x}}", tt.caret); got != tt.want {
			t.Errorf("%q at %d: %q, want %q", tt.text, tt.caret, got, tt.want)
		}
	}
}

func TestHints(t *testing.T) {
	e, a := compared(t, `{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.code}}","x"]}]}`)
	hints := inspector.Hints(a)
	const left, hint = ruleCondition + ".operands[0].operands[0]", "nodes[1].config.components[0].hint"
	if len(hints) != 2 || len(hints[left]) != 1 || len(hints[hint]) != 2 {
		t.Fatalf("got %+v", hints)
	}
	got := hints[left][0]
	if got.Text != "A way to this place does not ask for code." || !slices.Equal(got.Journey(), []string{"$start", "s", "r"}) || got.Instead() != "" {
		t.Errorf("got %+v", got)
	}
	if edges := inspector.EdgesAlong(e.State().Form, got.Journey()); !slices.Equal(edges, []string{"$start:next", "s:jump:skip"}) {
		t.Errorf("the edges are %q", edges)
	}
	got = hints[hint][0]
	if got.Text != "No step asks for agee." || got.Journey() != nil || got.Instead() != "age" {
		t.Errorf("got %+v", got)
	}
	e.Select(editor.Selection{Nodes: []string{"c"}, Component: "code"})
	run(t, e, row(t, e, hint).Prose().Correct(got))
	if got := value(t, e, hint); got != `"For {{fields.age}} and {{fields.agee_2}}"` {
		t.Errorf("corrected to %s", got)
	}
}
