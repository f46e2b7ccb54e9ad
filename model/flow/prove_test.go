package flow_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/schema"
)

func parse(t *testing.T, src string) *model.Form {
	t.Helper()
	v, ps := schema.Decode([]byte(src))
	o, ok := v.(*schema.Object)
	if len(ps) > 0 || !ok {
		t.Fatalf("%v in %s", ps, src)
	}
	return model.FromTree(o)
}

func path(t *testing.T, s string) schema.Path {
	t.Helper()
	p, err := schema.ParsePath(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// described returns a line for each finding: path, code, detail, and the nodes and
// ports of the witness.
func described(fs []flow.Finding) string {
	var lines []string
	for _, f := range fs {
		s := fmt.Sprintf("%s %s %s", f.Problem.Path, f.Problem.Code, f.Problem.Detail)
		s += fmt.Sprintf(" | %s %s %d", f.Node(), f.Port(), f.Round())
		for _, e := range f.Witness() {
			s += fmt.Sprintf(" %s:%s>%s", e.From, e.Port, e.To)
		}
		lines = append(lines, s)
	}
	return strings.Join(lines, "\n")
}

func TestProve(t *testing.T) {
	const next = `{"id":"n","type":"NEXT_BUTTON"}`
	const jump = `{"id":"j","type":"JUMP_BUTTON","config":{"next_node":"$ending"}}`
	step := func(id, more, components string) string {
		return `{"id":"` + id + `","type":"STEP","config":{"components":[` + components + `]` + more + `}}`
	}
	form := func(start string, nodes ...string) string {
		return `{"name":"f","start":{"next_node":"` + start + `"},"nodes":[` + strings.Join(nodes, ",") + `]}`
	}
	const toEnding = `,"next_node":"$ending"`
	tests := []struct{ name, src, want string }{
		{"empty", `{"name":"f"}`, ""},
		{"empty nodes, start without a pointer", `{"name":"f","nodes":[],"start":{},"ending":{}}`, ""},
		{"straight to the ending", `{"name":"f","start":{"next_node":"$ending"}}`, ""},
		{
			"start to an unknown node",
			`{"name":"f","start":{"next_node":"x"}}`,
			"ending no_ending cannot be reached: the start leads to no node | $ending  0",
		},
		{
			"start without a pointer", `{"name":"f","nodes":[` + step("a", toEnding, next) + `]}`,
			"ending no_ending cannot be reached: the start leads to no node | $ending  0\n" +
				"start.next_node dead_end leads nowhere: a journey ends before it begins | $start next 0\n" +
				"nodes[0] unreachable cannot be reached from the start | a  0",
		},
		{"good", form("a", step("a", toEnding, next)), ""},
		{"jump only", form("a", step("a", "", jump)), ""},
		{
			"jump and next", form("a", step("a", "", jump+","+next)),
			"nodes[0].config.next_node dead_end leads nowhere: a journey through a ends here | a next 0 $start:next>a",
		},
		{
			"jump button without a target is a problem of the tables", form("a", step("a", toEnding, `{"id":"j","type":"JUMP_BUTTON"},`+next)), "",
		},
		{
			"previous and resend do not lead on", form("a", step("a", toEnding, `{"type":"PREVIOUS_BUTTON"},{"type":"RESEND_BUTTON"}`)),
			"ending no_ending cannot be reached: a journey through a stops there | $ending  0 $start:next>a\n" +
				"nodes[0] no_button has no button that leads on: a journey through a stays here | a  0 $start:next>a",
		},
		{"custom", form("a", step("a", toEnding, `{"type":"CUSTOM"}`)), ""},
		{"credentials", form("a", step("a", toEnding, `{"type":"SERVICE_VERIFIABLE_CREDENTIALS"}`)), ""},
		{"credentials by the vendor's name", form("a", step("a", toEnding, `{"type":"AUTH0_VERIFIABLE_CREDENTIALS"}`)), ""},
		{"unknown component", form("a", step("a", toEnding, `3`)), ""},
		{
			"another widget", form("a", step("a", toEnding, `{"type":"RECAPTCHA"}`)),
			"ending no_ending cannot be reached: a journey through a stops there | $ending  0 $start:next>a\n" +
				"nodes[0] no_button has no button that leads on: a journey through a stays here | a  0 $start:next>a",
		},
		{
			"a jump button round a step whose next node nobody can take", form("a", step("a", toEnding,
				`{"id":"j","type":"JUMP_BUTTON","config":{"next_node":"a"}}`)),
			"ending no_ending cannot be reached: a journey through a loops forever | $ending  0 $start:next>a\n" +
				"nodes[0] trap cannot be left: a journey loops through a | a  1 $start:next>a a:jump:j>a",
		},
		{
			"a node behind a next node that nobody can take", form("a", step("a", `,"next_node":"b"`, jump), step("b", toEnding, next)),
			"nodes[1] unreachable cannot be reached from the start | b  0",
		},
		{
			"a jump button beside a component that goes on",
			form("a", step("a", `,"next_node":"b"`, jump+`,{"type":"CUSTOM"}`), step("b", toEnding, next)),
			"",
		},
		{
			"a flow without config, an alias", form("a", `{"id":"a","type":"FLOW","alias":"Check code"}`),
			"ending no_ending cannot be reached: a journey through Check code stops there | $ending  0 $start:next>a\n" +
				"nodes[0].config.next_node dead_end leads nowhere: a journey through Check code ends here | a next 0 $start:next>a",
		},
		{
			"router, fallback absent and so before the rules", form("r", `{"id":"r","type":"ROUTER","config":{"rules":[
{"id":"x","next_node":"$ending"},{"id":"y"}]}}`),
			"nodes[0].config.fallback dead_end leads nowhere: a journey through r ends here | r fallback 0 $start:next>r\n" +
				"nodes[0].config.rules[1].next_node dead_end leads nowhere: a journey through r ends here | r rule:y 0 $start:next>r",
		},
		{
			"a pointer to an unknown node is not a dead end",
			form("r", `{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","next_node":"gone"}],"fallback":"$ending"}}`),
			"",
		},
		{
			"trap, at its first node in the document", form("b", `{"id":"a","type":"FLOW","config":{"next_node":"c"}}`,
				`{"id":"b","type":"FLOW","config":{"next_node":"c"}}`, `{"id":"c","type":"FLOW","config":{"next_node":"a"}}`),
			"ending no_ending cannot be reached: a journey through b, c loops forever | $ending  0 $start:next>b b:next>c\n" +
				"nodes[0] trap cannot be left: a journey loops through a, c | a  2 $start:next>b b:next>c c:next>a a:next>c c:next>a",
		},
		{
			"a self loop is a trap, a cycle with an exit is a loop if only routers are in it", form("r", `{"id":"r","type":"ROUTER","config":{"rules":[
{"id":"x","next_node":"s"},{"id":"y","next_node":"$ending"}],"fallback":"r"}}`, step("s", `,"next_node":"s"`, next)),
			"nodes[0] loop can loop forever: a way leads from it back to itself | r  1 $start:next>r r:fallback>r\n" +
				"nodes[1] trap cannot be left: a journey loops through s | s  1 $start:next>r r:rule:x>s s:next>s",
		},
		{
			"a router that leads to itself", form("r", `{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","next_node":"r"}],"fallback":"$ending"}}`),
			"nodes[0] loop can loop forever: a way leads from it back to itself | r  1 $start:next>r r:rule:x>r",
		},
		{
			"two routers, but not the step between others", form("a",
				`{"id":"b","type":"ROUTER","config":{"rules":[{"id":"x","next_node":"$ending"}],"fallback":"a"}}`,
				`{"id":"a","type":"ROUTER","config":{"rules":[{"id":"x","next_node":"s"},{"id":"y","next_node":"b"}],"fallback":"$ending"}}`,
				step("s", `,"next_node":"a"`, next)),
			"nodes[0] loop can loop forever: nothing changes on the way through b, a | b  2 " +
				"$start:next>a a:rule:y>b b:fallback>a a:rule:y>b",
		},
		{
			"routers in a trap", form("r", `{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","next_node":"r"}],"fallback":"r"}}`),
			"ending no_ending cannot be reached: a journey through r loops forever | $ending  0 $start:next>r\n" +
				"nodes[0] trap cannot be left: a journey loops through r | r  1 $start:next>r r:rule:x>r",
		},
		{
			"unreachable, with a cycle before it", form("$ending", `{"id":"c","type":"FLOW","config":{"next_node":"b"}}`,
				`{"id":"b","type":"FLOW","config":{"next_node":"a"}}`, `{"id":"a","type":"ROUTER","config":{"rules":[{"id":"x","next_node":`+
					`"b"}],"fallback":"z"}}`, `{"id":"z","type":"LOOP"}`, `7`),
			"nodes[0] unreachable cannot be reached from the start | c  0\n" +
				"nodes[1] unreachable cannot be reached from the start, only by c | b  0 c:next>b\n" +
				"nodes[2] unreachable cannot be reached from the start, only by c, b | a  0 c:next>b b:next>a\n" +
				"nodes[3] unreachable cannot be reached from the start, only by c, b, a | z  0 c:next>b b:next>a a:fallback>z",
		},
		{
			"the second of two nodes with one id", form("a", step("a", toEnding, next), step("a", toEnding, next)),
			"nodes[1] unreachable cannot be reached from the start | a  0",
		},
		{
			"a node named like the ending is not the ending", form("$ending", step("$ending", toEnding, next)),
			"nodes[0] unreachable cannot be reached from the start | $ending  0",
		},
		{
			"names that cannot be printed", form("a", `{"id":"a","type":"FLOW","alias":" \u001b[2J\u202e\n","config":{}}`,
				`{"id":"b","type":"FLOW","alias":"\u0007","config":{"next_node":"c"}}`, `{"type":"FLOW","config":{"next_node":"c"}}`,
				`{"id":"c","type":"STEP"}`),
			"ending no_ending cannot be reached: a journey through [2J stops there | $ending  0 $start:next>a\n" +
				"nodes[0].config.next_node dead_end leads nowhere: a journey through [2J ends here | a next 0 $start:next>a\n" +
				"nodes[1] unreachable cannot be reached from the start | b  0\n" +
				"nodes[2] unreachable cannot be reached from the start |   0\n" +
				"nodes[3] unreachable cannot be reached from the start, only by b | c  0 b:next>c",
		},
		{
			"from a node without an id", form("$ending", `{"type":"FLOW","config":{"next_node":"c"}}`, `{"id":"c","type":"STEP"}`),
			"nodes[0] unreachable cannot be reached from the start |   0\n" +
				"nodes[1] unreachable cannot be reached from the start, only by a node without an id | c  0 :next>c",
		},
		{
			"document order", `{"ending":{},"nodes":[{"id":"r","type":"ROUTER","config":{"fallback":"r","rules":[]}},
{"id":"q","type":"ROUTER","config":{"rules":[{"id":"x"}],"fallback":7}}],"start":{"next_node":"q"},"name":"f"}`,
			"ending no_ending cannot be reached: a journey through q stops there | $ending  0 $start:next>q\n" +
				"nodes[0] unreachable cannot be reached from the start | r  0\n" +
				"nodes[1].config.rules[0].next_node dead_end leads nowhere: a journey through q ends here | q rule:x 0 $start:next>q\n" +
				"nodes[1].config.fallback dead_end leads nowhere: a journey through q ends here | q fallback 0 $start:next>q",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fs := flow.Prove(parse(t, tt.src))
			if got := described(fs); got != tt.want {
				t.Errorf("findings:\n%s\nwant:\n%s", got, tt.want)
			}
			for _, f := range fs {
				if f.Problem.Offset != -1 {
					t.Errorf("%v: offset %d of a problem without a source", f.Problem, f.Problem.Offset)
				}
			}
		})
	}
	if w := (flow.Finding{}).Witness(); w != nil {
		t.Errorf("the zero finding has the witness %v", w)
	}
}

// row returns a form of n flows in a row from the start; the last leads to a node.
func row(n int, last string) *model.Form {
	nodes := make([]any, n)
	for i := range nodes {
		next := fmt.Sprintf("n%d", i+1)
		if i == n-1 {
			next = last
		}
		nodes[i] = object(
			"id",
			fmt.Sprintf("n%d", i),
			"type",
			"FLOW",
			"alias",
			strings.Repeat("é", 150),
			"config",
			object("flow_id", "af_1", "next_node", next),
		)
	}
	return model.FromTree(object("name", "f", "start", object("next_node", "n0"), "nodes", nodes))
}

// Details are short and witnesses complete, however long the journeys. A form with
// this many nodes is within the limits of a document.
func TestLongJourneys(t *testing.T) {
	const n = 10_000
	name := strings.Repeat("é", 23) + "…"
	names := strings.Join([]string{name, name, name}, ", ") + " … and 9997 more"
	apart := row(n, model.EndingID)
	apart, err := apart.Set(path(t, "start.next_node"), model.EndingID)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		form   *model.Form
		code   schema.Code
		detail string
		edges  int
	}{
		{"good", row(n, model.EndingID), "", "", 0},
		{"dead end", row(n, ""), schema.CodeDeadEnd, "leads nowhere: a journey through " + names + " ends here", n},
		{"no ending", row(n, ""), schema.CodeNoEnding, "cannot be reached: a journey through " + names + " stops there", n},
		{"trap", row(n, "n0"), schema.CodeTrap, "cannot be left: a journey loops through " + names, n + 1},
		{"self loop", row(n, "n9999"), schema.CodeNoEnding, "cannot be reached: a journey through " + names + " loops forever", n},
		{
			"unreachable",
			apart,
			schema.CodeUnreachable,
			"cannot be reached from the start, only by " + strings.Replace(names, "9997", "9996", 1),
			n - 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fs := flow.Prove(tt.form)
			var last flow.Finding
			for _, f := range fs {
				if c := utf8.RuneCountInString(f.Problem.Detail); c > 160 {
					t.Fatalf("a detail of %d characters: %s", c, f.Problem.Detail)
				}
				if f.Problem.Code == tt.code {
					last = f
				}
			}
			if last.Problem.Detail != tt.detail || len(last.Witness()) != tt.edges {
				t.Errorf("%d findings, the last with %d edges: %s\nwant %d: %s", len(fs), len(last.Witness()), last.Problem.Detail, tt.edges, tt.detail)
			}
		})
	}
}

// The longest sentence, with the longest names.
func TestNoButtonIsShort(t *testing.T) {
	f := row(1000, "s")
	f, err := f.Set(path(t, "nodes[1000]"), object("id", "s", "type", "STEP", "config", object("next_node", model.EndingID)))
	if err != nil {
		t.Fatal(err)
	}
	fs := flow.Prove(f)
	if len(fs) != 2 || fs[1].Problem.Code != schema.CodeNoButton {
		t.Fatalf("%d findings", len(fs))
	}
	for _, f := range fs {
		if n := utf8.RuneCountInString(f.Problem.Detail); n > 160 {
			t.Errorf("%d characters: %s", n, f.Problem.Detail)
		}
	}
}

func TestWarnings(t *testing.T) {
	f := parse(t, `{"name":"f","ending":{"after_submit":{"flow_id":"my flow"}},"nodes":[
	 {"id":"a","type":"FLOW","config":{"next_node":"b","flow_id":"x"}},{"id":"b","type":"FLOW","config":{"flow_id":"","next_node":""}}],
"start":{"next_node":"a"}}`)
	var got []string
	for _, p := range flow.Warnings(f) {
		got = append(got, p.Path.String()+" "+string(p.Code))
	}
	want := "ending no_ending; ending.after_submit.flow_id flow_id; nodes[0].config.flow_id flow_id; nodes[1].config.flow_id flow_id; " +
		"nodes[1].config.next_node dead_end"
	if got := strings.Join(got, "; "); got != want {
		t.Errorf("warnings:\n got %s\nwant %s", got, want)
	}
}

// corpus returns the real forms by the names of their files; they are not part
// of the project.
func corpus(t *testing.T) map[string]*model.Form {
	t.Helper()
	forms := map[string]*model.Form{}
	for _, file := range realforms.Files(t) {
		d, problems, _ := envelope.Read(file.Text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		forms[file.Name] = d.Form
	}
	return forms
}

// Real forms work, so there are no findings in them.
func TestCorpusHasNoFindings(t *testing.T) {
	for name, f := range corpus(t) {
		if got := described(flow.Prove(f)); got != "" {
			t.Errorf("%s: findings: %s", name, got)
		}
	}
}
