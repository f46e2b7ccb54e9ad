package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/schema"
)

// proposed returns the proposals for the flow of a form whose next nodes are nodes, as texts: named values as they are, others in parentheses.
func proposed(t *testing.T, nodes string) string {
	t.Helper()
	f := formtest.Parse(t, `{"name":"f","start":{"next_node":"check"},"nodes":[
		{"id":"check","type":"FLOW","config":{"flow_id":"af_1","next_node":"r"}},`+nodes+`]}`)
	var list []string
	for _, p := range explore.Propose(f, "check") {
		text := "-"
		if p.Defined {
			text = string(schema.Encode(p.Value))
		}
		if !p.Named {
			text = "(" + text + ")"
		}
		list = append(list, p.Variable+" "+text)
	}
	return strings.Join(list, ", ")
}

// routerOf returns a router with a rule for each comparison.
func routerOf(id, fallback string, comparisons ...string) string {
	rules := make([]string, len(comparisons))
	for i, c := range comparisons {
		rules[i] = fmt.Sprintf(`{"id":"rule_%d","condition":{"operator":"AND","operands":[%s]},"next_node":"$ending"}`, i, c)
	}
	return `{"id":"` + id + `","type":"ROUTER","config":{"rules":[` + strings.Join(rules, ",") + `],"fallback":"` + fallback + `"}}`
}

func comparing(operator, variable, value string) string {
	return `{"operator":"` + operator + `","operands":["{{` + variable + `}}"` + value + `]}`
}

// A flow is proposed the values that the routers behind it name, and one for each other outcome.
func TestPropose(t *testing.T) {
	for _, tt := range []struct{ name, nodes, want string }{
		{
			"values", routerOf("r", "$ending", comparing("EQ", "vars.code", `,"right"`), comparing("EQ", "vars.code", `,"locked"`)),
			`code "right", code "locked", code ("other")`,
		},
		{"a list", routerOf("r", "$ending", comparing("IN", "vars.code", `,["a","b","a"]`)), `code "a", code "b", code ("other")`},
		{"yes or no", routerOf("r", "$ending", comparing("EQ", "vars.done", `,true`)), `done true, done false`},
		{"a bound", routerOf("r", "$ending", comparing("GTE", "vars.score", `,50`)), `score 50, score (49)`},
		{"within an object", routerOf("r", "$ending", comparing("EQ", "vars.user.level", `,"gold"`)), `user.level "gold", user.level ("other")`},
		{"any value", routerOf("r", "$ending", comparing("EXISTS", "vars.code", ``)), `code ("other"), code (-)`},
		{"a pattern", routerOf("r", "$ending", comparing("MATCHES", "vars.code", `,"^a+$"`)), `code ("a"), code ("other")`},
		{
			"the next router first", routerOf("r", "s", comparing("EQ", "vars.a", `,1`)) + "," + routerOf("s", "r", comparing("EQ", "vars.b", `,2`)),
			`a 1, a ("other"), b 2, b ("other")`,
		},
		{
			"behind a step", `{"id":"r","type":"STEP","config":{"components":[],"next_node":"s"}},` + routerOf("s", "r", comparing("EQ", "vars.b", `,2`)),
			`b 2, b ("other")`,
		},
		{
			"behind another flow", `{"id":"r","type":"FLOW","config":{"flow_id":"af_2","next_node":"s"}},` + routerOf("s", "r", comparing("EQ", "vars.b", `,2`)), "",
		},
		{"an answer", routerOf("r", "$ending", comparing("EQ", "fields.b", `,2`)), ""},
		{"two variables", routerOf("r", "$ending", comparing("EQ", "vars.b", `,"{{vars.c}}"`)), ""},
		{"no router", routerOf("other", "$ending", comparing("EQ", "vars.b", `,2`)), ""},
		{
			"too many values", routerOf("r", "$ending", comparing("IN", "vars.n", `,[1,2,3,4,5,6,7,8]`)),
			`n 1, n 2, n 3, n 4, n 5, n ("other")`,
		},
		{
			"too many variables", routerOf("r", "$ending", comparing("EXISTS", "vars.a", ``), comparing("EXISTS", "vars.b", ``),
				comparing("EXISTS", "vars.c", ``), comparing("EXISTS", "vars.d", ``)),
			`a ("other"), a (-), b ("other"), b (-), c ("other"), c (-)`,
		},
	} {
		if got := proposed(t, tt.nodes); got != tt.want {
			t.Errorf("%s: proposes %s, want %s", tt.name, got, tt.want)
		}
	}
	if f := formtest.Parse(t, `{"name":"f","nodes":[]}`); explore.Propose(f, "gone") != nil {
		t.Error("proposes something for a node that is not there")
	}
}
