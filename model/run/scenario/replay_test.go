package scenario_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// journey is a form with every kind of node and button. The router f asks for its way if vars.odd is defined.
const journey = `{"name":"Journey","ending":{},"start":{"next_node":"a","hidden_fields":[{"key":"from"},{"key":"mail","value":"x"}]},"nodes":[
	{"id":"a","type":"STEP","config":{"next_node":"f","components":[
		{"id":"age","category":"FIELD","type":"NUMBER","required":true,"config":{"min_value":1}},
		{"id":"name","category":"FIELD","type":"TEXT","config":{}},
		{"id":"text","category":"BLOCK","type":"RICH_TEXT","config":{"content":"x"}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}},
		{"id":"skip","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"b"}},
		{"id":"lost","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Lost","next_node":"nowhere"}}]}},
	{"id":"f","type":"FLOW","config":{"flow_id":"af_1","next_node":"r"}},
	{"id":"r","type":"ROUTER","config":{"rules":[
		{"id":"minor","condition":{"operator":"AND","operands":[{"operator":"LT","operands":["{{fields.age}}",18]}]},"next_node":"b"},
		{"id":"odd","condition":{"operator":"AND","operands":[{"operator":"EXISTS","operands":["{{vars.odd}}"]},
			{"operator":"ODD","operands":["{{fields.age}}"]}]},"next_node":"b"},
		{"id":"old","condition":{"operator":"AND","operands":[{"operator":"GT","operands":["{{fields.age}}",100]}]},"next_node":"s"}],
		"fallback":"$ending"}},
	{"id":"b","type":"STEP","config":{"next_node":"$ending","components":[
		{"id":"code","category":"FIELD","type":"TEXT","config":{"min_length":2}},
		{"id":"on","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}},
		{"id":"back","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"Back"}},
		{"id":"again","category":"BLOCK","type":"RESEND_BUTTON","config":{"active_text":"a","button_text":"b","waiting_text":"w",
			"flow_id":"af_1","max_attempts":2,"waiting_time":30}}]}},
	{"id":"s","type":"ROUTER","config":{"rules":[
		{"id":"never","condition":{"operator":"AND","operands":[{"operator":"EXISTS","operands":["{{vars.none}}"]}]},"next_node":"b"}]}}]}`

func programOf(tb testing.TB) *run.Program {
	tb.Helper()
	return run.NewProgram(formtest.Parse(tb, journey))
}

// scenarioWith reads a scenario with steps and other members.
func scenarioWith(tb testing.TB, steps string, more ...string) *scenario.Scenario {
	tb.Helper()
	f, problems := scenario.Read([]byte(in(with(steps, more...))))
	if f == nil || len(problems) > 0 || len(f.Scenarios[0].Faults) > 0 {
		tb.Fatalf("%v %v", problems, f)
	}
	return &f.Scenarios[0]
}

const (
	adult  = `{"node":"a","answers":{"age":20},"press":"go"}`
	toB    = `{"node":"a","press":"skip"}`
	done   = `{"node":"f","result":{}}`
	finish = `{"node":"b","press":"on"}`
	resend = `{"node":"b","press":"again"}`
	sent   = `{"node":"b","result":{}}`
)

// TestReplayEnds checks where and why a replay ends.
func TestReplayEnds(t *testing.T) {
	const further = `there is no further step, and the run is at `
	for _, x := range []struct {
		name   string
		steps  []string
		more   string
		path   string
		reason string
	}{
		{"at the ending", []string{adult, done}, "", "a f r $ending", ""},
		{"at the ending, with steps left", []string{adult, done, toB}, "", "a f r $ending", ""},
		{"without a step", nil, "", "a", further + `"a"`},
		{"after the last step, at a step", []string{toB}, "", "a b", further + `"b"`},
		{"after the last step, at a flow", []string{adult}, "", "a f", further + `"f"`},
		{"after the last step, at a router", []string{adult, `{"node":"f","result":{"odd":1}}`}, "", "a f r", further + `"r"`},
		{"at another node", []string{adult, finish}, "", "a f", `steps[1] is for "b", but the run is at "f"`},
		{
			"at a refused answer",
			[]string{`{"node":"a","answers":{"age":0},"press":"go"}`, done},
			"", "a",
			`steps[0]: the answer of "age"`,
		},
		{"at a required answer", []string{`{"node":"a","press":"go"}`}, "", "a", `steps[0]: the answer of "age"`},
		{"where a flow fails", []string{adult, `{"node":"f","error":"no mail"}`, done}, "", "a f", "the flow failed: no mail"},
		{"where a flow fails without a reason", []string{adult, `{"node":"f","error":""}`}, "", "a f", "the flow failed"},
		{"where a way leads to no node", []string{`{"node":"a","press":"lost"}`, done}, "", "a", `there is no node "nowhere"`},
		{
			"where no rule applies",
			[]string{`{"node":"a","answers":{"age":101},"press":"go"}`, done},
			"", "a f r s",
			"no rule applies, and there is no fallback",
		},
		{"at a press in a flow", []string{adult, `{"node":"f"}`}, "", "a f", `steps[1]: fill in: the run does not wait for this`},
		{"at a result on a step", []string{`{"node":"a","result":{}}`}, "", "a", `steps[0]: result of a flow: the run does not wait for this`},
		{"at a way on a step", []string{`{"node":"a","choose":"next"}`}, "", "a", `steps[0]: choose next: the run does not wait for this`},
		{
			"at a way that the router cannot take",
			[]string{adult, `{"node":"f","result":{"odd":1}}`, `{"node":"r","choose":"rule:minor"}`},
			"",
			"a f r", `steps[2]: choose rule:minor at router "r": the router cannot take this way`,
		},
		{
			"at the ending, by a chosen rule",
			[]string{adult, `{"node":"f","result":{"odd":1}}`, `{"node":"r","choose":"rule:odd"}`, finish},
			"", "a f r b $ending", "",
		},
		{
			"at the ending, by a chosen fallback",
			[]string{adult, `{"node":"f","result":{"odd":1}}`, `{"node":"r","choose":"fallback"}`},
			"", "a f r $ending", "",
		},
		{"where there is no step to go back to", []string{toB, `{"node":"b","press":"back"}`, toB, finish}, "", "a b a b $ending", ""},
		{"after a resend", []string{toB, resend, sent, finish}, "", "a b $ending", ""},
		{"without waiting, since the time passes", []string{toB, resend, sent, resend, sent, finish}, "", "a b $ending", ""},
		{
			"where no attempt is left",
			[]string{toB, resend, sent, resend, sent, resend},
			"", "a b",
			`steps[5]: button "again": the button cannot be pressed more often`,
		},
		{"where a resend fails", []string{toB, resend, `{"node":"b","error":"x"}`, finish}, "", "a b", "the flow failed: x"},
		{"where a resend has no result", []string{toB, resend, finish}, "", "a b", `steps[2]: press "on": the run does not wait for this`},
		{
			"with answers of earlier steps", []string{
				`{"node":"a","answers":{"age":20}}`, `{"node":"a","answers":{"name":"x"}}`,
				`{"node":"a","press":"go"}`, done,
			}, "", "a f r $ending", "",
		},
		{
			"where an answer is emptied",
			[]string{`{"node":"a","answers":{"age":20}}`, `{"node":"a","answers":{"age":null},"press":"go"}`},
			"", "a",
			`steps[1]: the answer of "age"`,
		},
		{
			"with hidden fields",
			[]string{`{"node":"a","press":"go"}`, done},
			`"hidden_fields":{"from":"x","age":101}`, "a f r s",
			"no rule applies, and there is no fallback",
		},
		{"with variables", []string{adult, done}, `"vars":{"odd":true}`, "a f r", further + `"r"`},
	} {
		t.Run(x.name, func(t *testing.T) {
			var more []string
			if x.more != "" {
				more = []string{x.more}
			}
			s := scenarioWith(t, strings.Join(x.steps, ","), more...)
			o := scenario.Replay(programOf(t), s)
			if got := strings.Join(o.Path(), " "); got != x.path {
				t.Errorf("path %s, want %s", got, x.path)
			}
			// The text of a refusal is the answer package's.
			if got, _, _ := strings.Cut(o.Reason, " is refused: "); got != x.reason {
				t.Errorf("reason %q, want %q", got, x.reason)
			}
			if o.Missing != "" {
				t.Errorf("missing: %s", o.Missing)
			}
			s.Expect = o.Path()
			if !o.Same(s) {
				t.Error("the path that was taken is not the expected one")
			}
			s.Expect = append(s.Expect, "a")
			if o.Same(s) {
				t.Error("a longer path is the expected one")
			}
		})
	}
}

// TestReplayNamesWhatIsMissing checks that a scenario differs if it names something that the form does not have, wherever the run is.
func TestReplayNamesWhatIsMissing(t *testing.T) {
	for _, x := range []struct{ name, steps, more, want string }{
		{"nothing", toB + "," + finish, `"hidden_fields":{"from":1,"mail":2,"code":"x"}`, ""},
		{"a node", `{"node":"x"}`, "", `steps[0]: there is no node "x"`},
		{"a node beyond the ending", toB + "," + finish + `,{"node":"x"}`, "", `steps[2]: there is no node "x"`},
		{"the ending is no node with steps", `{"node":"$ending"}`, "", `steps[0]: there is no node "$ending"`},
		{"a button", `{"node":"a","press":"on"}`, "", `steps[0]: node "a" has no button "on"`},
		{"a text is no button", `{"node":"a","press":"text"}`, "", `steps[0]: node "a" has no button "text"`},
		{"a button of a flow", adult + `,{"node":"f","press":"go"}`, "", `steps[1]: node "f" has no button "go"`},
		{"a field", `{"node":"a","answers":{"code":1}}`, "", `steps[0]: node "a" has no field "code"`},
		{"a text is no field", `{"node":"a","answers":{"text":1}}`, "", `steps[0]: node "a" has no field "text"`},
		{"a button is no field", `{"node":"a","answers":{"go":1},"press":"go"}`, "", `steps[0]: node "a" has no field "go"`},
		{"a way", `{"node":"r","choose":"rule:x"}`, "", `steps[0]: node "r" has no way "rule:x"`},
		{"a fallback without a target is a way", adult + `,` + done + `,{"node":"s","choose":"fallback"}`, "", ""},
		{"a hidden field", toB, `"hidden_fields":{"x":1}`, `hidden_fields: there is no field "x"`},
		{"a button is no hidden field", toB, `"hidden_fields":{"go":1}`, `hidden_fields: there is no field "go"`},
		{"an expected node", toB, `"expect":["a","x"]`, `expect[1]: there is no node "x"`},
		{"an expected second node of an id", toB, `"expect":["a","a#2"]`, `expect[1]: there is no node "a#2"`},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := scenarioWith(t, x.steps)
			if expect, ok := strings.CutPrefix(x.more, `"expect":`); ok {
				tree, _ := schema.Decode([]byte(expect))
				s.Expect = nil
				for _, id := range tree.([]any) {
					s.Expect = append(s.Expect, id.(string))
				}
			} else if x.more != "" {
				s = scenarioWith(t, x.steps, x.more)
			}
			o := scenario.Replay(programOf(t), s)
			if o.Missing != x.want {
				t.Errorf("missing %q, want %q", o.Missing, x.want)
			}
			if s.Expect = o.Path(); o.Same(s) != (x.want == "") {
				t.Errorf("the same: %v", o.Same(s))
			}
		})
	}
}

// TestEdges checks that an edge that is taken twice is listed once, and that the way back is no edge.
func TestEdges(t *testing.T) {
	s := scenarioWith(t, strings.Join([]string{toB, `{"node":"b","press":"back"}`, toB, `{"node":"b","press":"back"}`, adult, done}, ","))
	var got []string
	for _, e := range scenario.Edges(scenario.Replay(programOf(t), s).Run) {
		got = append(got, e.String())
	}
	if diff := cmp.Diff([]string{"$start:next", "a:jump:skip", "a:next", "f:next", "r:fallback"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestEdgesLeaveOutWaysThatLeadNowhere(t *testing.T) {
	s := scenarioWith(t, `{"node":"a","press":"lost"}`)
	if got := scenario.Edges(scenario.Replay(programOf(t), s).Run); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}
