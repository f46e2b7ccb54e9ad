package run_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/schema"
)

func decode(tb testing.TB, src string) *schema.Object {
	tb.Helper()
	v, problems := schema.Decode([]byte(src))
	if len(problems) > 0 {
		tb.Fatalf("%v in %s", problems, src)
	}
	return v.(*schema.Object)
}

func program(tb testing.TB, src string) *run.Program {
	tb.Helper()
	return run.NewProgram(model.FromTree(decode(tb, src)))
}

// Parts of the forms of these tests.
const (
	next     = `{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}`
	previous = `{"id":"back","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"Back"}}`
)

func field(id, typ, more string) string {
	return `{"id":"` + id + `","category":"FIELD","type":"` + typ + `"` + more + `}`
}

func step(id, to string, components ...string) string {
	return `{"id":"` + id + `","type":"STEP","config":{"components":[` + strings.Join(components, ",") + `],"next_node":"` + to + `"}}`
}

func flowNode(id, to string) string {
	return `{"id":"` + id + `","type":"FLOW","config":{"flow_id":"af_1","next_node":"` + to + `"}}`
}

func router(id, fallback string, rules ...string) string {
	return `{"id":"` + id + `","type":"ROUTER","config":{"rules":[` + strings.Join(rules, ",") + `],"fallback":"` + fallback + `"}}`
}

func rule(id, to, operator string, operands ...string) string {
	return `{"id":"` + id + `","condition":{"operator":"AND","operands":[{"operator":"` + operator + `","operands":[` +
		strings.Join(operands, ",") + `]}]},"next_node":"` + to + `"}`
}

func form(first string, nodes ...string) string {
	return `{"name":"f","start":{"next_node":"` + first + `","hidden_fields":[{"key":"plan","value":"free"}]},"nodes":[` +
		strings.Join(nodes, ",") + `],"ending":{"resume_flow":true}}`
}

type answers = map[string]any

func TestJourneys(t *testing.T) {
	age := field("age", "NUMBER", `,"required":true`)
	jump := `{"id":"skip","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"r"}}`
	adult := router("r", "minor", rule("x", "$ending", "GTE", `"{{fields.age}}"`, "18"))
	minor := step("minor", "$ending", next)
	tests := []struct {
		name   string
		form   string
		input  run.Input
		events []run.Event
		path   string
		state  run.State
		reason string
	}{
		{"nothing to do", `{"name":"f"}`, run.Input{}, nil, "", run.Stopped, "the way leads nowhere"},
		{"straight to the ending", form("$ending"), run.Input{}, nil, "$ending", run.Ended, ""},
		{"a node that does not exist", form("x"), run.Input{}, nil, "", run.Stopped, `there is no node "x"`},
		{
			"first rule", form("a", step("a", "r", age, next), adult, minor),
			run.Input{},
			[]run.Event{run.Press{"go", answers{"age": "18"}}},
			"a r $ending", run.Ended, "",
		},
		{
			"fallback", form("a", step("a", "r", age, next), adult, minor),
			run.Input{},
			[]run.Event{run.Press{"go", answers{"age": schema.Number("17")}}, run.Press{"go", nil}},
			"a r minor $ending", run.Ended, "",
		},
		{
			"a refused answer", form("a", step("a", "r", age, next), adult, minor),
			run.Input{},
			[]run.Event{run.Press{"go", answers{"age": "young"}}},
			"a", run.Asking, "",
		},
		{
			"a jump keeps an answer without checking it", form("a", step("a", "$ending", field("age", "NUMBER", `,"config":{"min_value":20}`), jump),
				adult, minor),
			run.Input{},
			[]run.Event{run.Press{"skip", answers{"age": "19"}}},
			"a r $ending", run.Ended, "",
		},
		{
			"an answer is kept until it is changed", form("a", step("a", "b", age, next), step("b", "r", previous, next), adult, minor),
			run.Input{},
			[]run.Event{
				run.Press{"go", answers{"age": "20"}}, run.Press{"back", nil}, run.Press{"go", nil}, run.Press{"go", nil},
			},
			"a b a b r $ending", run.Ended, "",
		},
		{
			"back keeps answers without checking them", form("a", step("a", "b", next), step("b", "r", age, previous, next), adult, minor),
			run.Input{},
			[]run.Event{run.Press{"go", nil}, run.Press{"back", answers{"age": "x"}}, run.Press{"go", nil}, run.Press{"go", nil}},
			"a b a b", run.Asking, "",
		},
		{
			"an answer that is taken back", form("a", step("a", "b", field("age", "NUMBER", ""), next), step("b", "r", previous, next), adult, minor),
			run.Input{},
			[]run.Event{
				run.Press{"go", answers{"age": "20"}}, run.Press{"back", nil}, run.Press{"go", answers{"age": nil}}, run.Press{"go", nil},
			},
			"a b a b r minor", run.Asking, "",
		},
		{
			"a default value", form("a", step("a", "r", field("age", "NUMBER", `,"config":{"default_value":33}`), next), adult, minor),
			run.Input{},
			[]run.Event{run.Press{"go", nil}},
			"a r $ending", run.Ended, "",
		},
		{
			"a default value from a hidden field", form("a", step("a", "$ending", field("t", "TEXT", `,"config":{"default_value":"{{fields.plan}}","max_length":3}`), next)),
			run.Input{},
			[]run.Event{run.Press{"go", nil}},
			"a", run.Asking, "",
		},
		{
			"a hidden field with its own value", form("r", router("r", "minor", rule("x", "$ending", "EQ", `"{{fields.plan}}"`, `"free"`)), minor),
			run.Input{},
			nil, "r $ending", run.Ended, "",
		},
		{
			"a hidden field from outside", form("r", router("r", "minor", rule("x", "$ending", "EQ", `"{{fields.plan}}"`, `"free"`)), minor),
			run.Input{Hidden: schema.NewObject(schema.Member{Key: "plan", Value: "team"})},
			nil, "r minor", run.Asking, "",
		},
		{
			"context and variables", form("r", router("r", "minor", rule("x", "$ending", "EQ", `"{{context.user.email}}"`, `"{{vars.email}}"`)), minor),
			run.Input{Context: decode(t, `{"user":{"email":"a@b.example"}}`), Vars: decode(t, `{"email":"a@b.example"}`)},
			nil, "r $ending", run.Ended, "",
		},
		{
			"the result of a flow", form("f", flowNode("f", "r"), router("r", "minor", rule("x", "$ending", "EQ", `"{{vars.ok}}"`, `true`)), minor),
			run.Input{},
			[]run.Event{run.Result{decode(t, `{"ok":true}`)}},
			"f r $ending", run.Ended, "",
		},
		{"a flow without a result", form("f", flowNode("f", "$ending")), run.Input{}, nil, "f", run.Flowing, ""},
		{
			"a failed flow", form("f", flowNode("f", "$ending")),
			run.Input{},
			[]run.Event{run.Failure{"no route"}},
			"f", run.Stopped, "the flow failed: no route",
		},
		{
			"no rule applies", form("r", router("r", "", rule("x", "$ending", "EQ", "1", "2"))),
			run.Input{},
			nil, "r", run.Stopped,
			"no rule applies, and there is no fallback",
		},
		{"an unknown operator", form("r", router("r", "$ending", rule("x", "$ending", "ABOUT", "1", "2"))), run.Input{}, nil, "r", run.Routing, ""},
		{
			"a chosen way", form("r", router("r", "$ending", rule("x", "a", "ABOUT", "1", "2")), step("a", "$ending", next)),
			run.Input{},
			[]run.Event{run.Choose{"rule:x"}},
			"r a", run.Asking, "",
		},
		{
			"routers in a circle", form("r", router("r", "s"), router("s", "r")),
			run.Input{},
			nil, "r s", run.Stopped,
			"the routers lead back to each other without a step between them",
		},
		{
			"from a node", form("$ending", step("a", "b", next), step("b", "$ending", next)),
			run.Input{From: "b"},
			[]run.Event{run.Press{"go", nil}},
			"b $ending", run.Ended, "",
		},
		{
			"a custom field continues by itself", form("a", step("a", "$ending", field("c", "CUSTOM", `,"config":{"schema":{}}`))),
			run.Input{},
			[]run.Event{run.Press{"c", answers{"c": "1"}}},
			"a $ending", run.Ended, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := program(t, tt.form).Replay(tt.input, tt.events)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(r.Path(), " "); got != tt.path || r.State() != tt.state || r.Reason() != tt.reason {
				t.Errorf("path %q, state %s, reason %q; want %q, %s, %q", got, r.State(), r.Reason(), tt.path, tt.state, tt.reason)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	p := program(t, form("a", step("a", "$ending", field("age", "NUMBER", `,"required":true`), field("mail", "EMAIL", `,"required":true`), next)))
	r, err := p.Begin(run.Input{}).Do(run.Press{"go", answers{"age": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	refused := func() string {
		var ids []string
		for _, i := range r.Items() {
			if i.Refusal != "" {
				ids = append(ids, i.Component.ID+": "+i.Refusal)
			}
		}
		return strings.Join(ids, "\n")
	}
	if got, want := refused(), "age: Please enter a number.\nmail: Please answer this question."; got != want {
		t.Errorf("refusals %q, want %q", got, want)
	}
	if r, err = r.Do(run.Fill{answers{"age": "7"}}); err != nil {
		t.Fatal(err)
	}
	if got, want := refused(), "mail: Please answer this question."; got != want {
		t.Errorf("refusals after a change %q, want %q", got, want)
	}
}

func TestResend(t *testing.T) {
	resend := `{"id":"again","category":"BLOCK","type":"RESEND_BUTTON","config":{"active_text":"a","button_text":"b","waiting_text":` +
		`"in {{remaining_seconds}} s","flow_id":"af_1","max_attempts":2,"waiting_time":30}}`
	r := program(t, form("a", step("a", "$ending", resend, next))).Begin(run.Input{})
	do := func(want error, e run.Event) {
		t.Helper()
		var err error
		if r, err = r.Do(e); !errors.Is(err, want) {
			t.Fatalf("%T: %v, want %v", e, err, want)
		}
	}
	do(nil, run.Press{"again", nil})
	if r.State() != run.Flowing || r.Resending() != "again" || r.Node() != "a" {
		t.Fatalf("state %s of %q at %s", r.State(), r.Resending(), r.Node())
	}
	do(nil, run.Result{decode(t, `{"sent":true}`)})
	if i := r.Items()[0]; !i.Waiting || i.Component.Config().Text("waiting_text") != "in {{remaining_seconds}} s" {
		t.Errorf("waiting %t: %s", i.Waiting, schema.Encode(i.Component.Tree()))
	}
	do(run.ErrWaiting, run.Press{"again", nil})
	do(nil, run.Wait{})
	do(nil, run.Press{"again", nil})
	do(run.ErrState, run.Press{"go", nil})
	do(nil, run.Result{nil})
	do(nil, run.Wait{})
	do(run.ErrAttempts, run.Press{"again", nil})
	if !r.Items()[0].Spent {
		t.Error("the button is not spent")
	}
	do(nil, run.Press{"go", nil})
	if got := strings.Join(r.Path(), " "); got != "a $ending" || schema.Equal(r.Vars(), decode(t, `{}`)) {
		t.Errorf("path %q, vars %s", got, schema.Encode(r.Vars()))
	}
}

func TestEventsThatDoNotApply(t *testing.T) {
	p := program(t, form("a", step("a", "f", field("age", "NUMBER", ""), next, previous), flowNode("f", "$ending")))
	tests := []struct {
		events []run.Event
		want   error
	}{
		{[]run.Event{run.Press{"x", nil}}, run.ErrComponent},
		{[]run.Event{run.Press{"age", nil}}, run.ErrButton},
		{[]run.Event{run.Press{"go", answers{"x": 1}}}, run.ErrComponent},
		{[]run.Event{run.Fill{answers{"x": 1}}}, run.ErrComponent},
		{[]run.Event{run.Press{"back", nil}}, run.ErrNoStep},
		{[]run.Event{run.Result{}}, run.ErrState},
		{[]run.Event{run.Failure{}}, run.ErrState},
		{[]run.Event{run.Choose{"fallback"}}, run.ErrState},
		{[]run.Event{run.Press{"go", nil}, run.Press{"go", nil}}, run.ErrState},
		{[]run.Event{run.Press{"go", nil}, run.Fill{nil}}, run.ErrState},
	}
	for _, tt := range tests {
		last := len(tt.events) - 1
		before, err := p.Replay(run.Input{}, tt.events[:last])
		if err != nil {
			t.Fatal(err)
		}
		after, err := before.Do(tt.events[last])
		if !errors.Is(err, tt.want) || after != before {
			t.Errorf("%#v: %v, want %v; unchanged: %t", tt.events, err, tt.want, after == before)
		}
	}
}

// TestDecisions checks that a run keeps what its routers decided and why.
func TestDecisions(t *testing.T) {
	p := program(t, form("a", step("a", "r", field("age", "NUMBER", ""), next),
		router("r", "$ending", rule("x", "a", "LT", `"{{fields.age}}"`, "18"), rule("y", "$ending", "GTE", `"{{fields.age}}"`, "65"))))
	r, err := p.Replay(run.Input{}, []run.Event{run.Press{"go", answers{"age": "70"}}})
	if err != nil {
		t.Fatal(err)
	}
	hops := r.Hops()
	var got []string
	for _, d := range hops[1].Rules {
		got = append(got, d.Rule.ID+" "+d.Verdict.String()+": "+d.String())
	}
	want := []string{"x false: fields.age, 70, is not less than 18", "y true: fields.age, 70, is at least 65"}
	if diff := cmp.Diff(want, got); diff != "" || hops[1].Port != "rule:y" {
		t.Errorf("port %s\n%s", hops[1].Port, diff)
	}
}

func TestLanguage(t *testing.T) {
	src := strings.TrimSuffix(form("a", step("a", "$ending", field("mail", "EMAIL", `,"label":"Mail of {{fields.plan}}"`), next)), "}") +
		`,"languages":{"primary":"en"},"translations":{"de":{"components":{"mail":{"label":"Post {{fields.plan}}"}},` +
		`"messages":{"errors":{"ERR_EMAIL_EXPECTED":"Bitte eine Adresse"}}}}}`
	r, err := program(t, src).Begin(run.Input{}).Do(run.Press{"go", answers{"mail": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	label := func() string { i := r.Items()[0]; return i.Component.Label + "; " + i.Refusal }
	if got, want := label(), "Mail of free; Please enter an email address such as name@example.com."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if r, err = r.Do(run.Speak{"de"}); err != nil {
		t.Fatal(err)
	}
	if got, want := label(), "Post free; Bitte eine Adresse"; got != want || r.Language() != "de" {
		t.Errorf("%s: %q, want %q", r.Language(), got, want)
	}
}

// What a respondent typed is text in every property: only what the author wrote is HTML.
func TestAnswersAreText(t *testing.T) {
	const hostile, escaped = `<b>\"a\" & 'c'`, "&lt;b&gt;&#34;a&#34; &amp; &#39;c&#39;"
	plain := strings.ReplaceAll(hostile, `\`, "")
	text := `"{{vars.v}}"`
	for name, tt := range map[string]struct{ component, property, want string }{
		"HTML":                {`"category":"BLOCK","type":"HTML","config":{"content":"<p>{{vars.v}}</p>"}`, "content", "<p>" + escaped + "</p>"},
		"rich text":           {`"category":"BLOCK","type":"RICH_TEXT","config":{"content":` + text + `}`, "content", escaped},
		"a list in HTML":      {`"category":"BLOCK","type":"HTML","config":{"content":"{{functions.toArray(vars.v)}} "}`, "content", escaped + " "},
		"the text of LEGAL":   {`"category":"FIELD","type":"LEGAL","config":{"text":` + text + `}`, "text", escaped},
		"a hint with a tag":   {`"category":"FIELD","type":"TEXT","hint":"<p>{{vars.v}}"`, "hint", "<p>" + escaped},
		"a hint of a value":   {`"category":"FIELD","type":"TEXT","hint":` + text, "hint", "<p>" + escaped + "</p>"},
		"a hint with a value": {`"category":"FIELD","type":"TEXT","hint":"a {{vars.v}}"`, "hint", "a " + plain},
		"a label":             {`"category":"FIELD","type":"TEXT","label":` + text, "label", plain},
		"a button":            {`"category":"BLOCK","type":"NEXT_BUTTON","config":{"text":` + text + `}`, "text", plain},
		"code":                {`"category":"FIELD","type":"CUSTOM","config":{"code":` + text + `}`, "code", "{{vars.v}}"},
		"an unknown type":     {`"category":"BLOCK","type":"LATER","config":{"content":` + text + `}`, "content", plain},
	} {
		p := program(t, form("a", step("a", "$ending", `{"id":"x",`+tt.component+`}`)))
		r := p.Begin(run.Input{Vars: decode(t, `{"v":"`+hostile+`"}`)})
		tree := r.Items()[0].Component.Tree()
		if !tree.Has(tt.property) {
			tree = tree.Object("config")
		}
		if got := tree.Text(tt.property); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// TestEdited checks that a run continues on an edited form where it can.
func TestEdited(t *testing.T) {
	age := field("age", "NUMBER", "")
	r, err := program(t, form("a", step("a", "b", age, next), step("b", "c", next), step("c", "$ending", next))).
		Replay(run.Input{}, []run.Event{run.Press{"go", answers{"age": "7"}}, run.Press{"go", nil}})
	if err != nil {
		t.Fatal(err)
	}
	odd := router("r", "$ending", rule("x", "$ending", "ABOUT", "1", "2"))
	tests := []struct {
		name, form, at string
		same           bool
	}{
		{"a component more", form("a", step("a", "b", age, next), step("b", "c", next), step("c", "$ending", age, next)), "c asking", true},
		{"the node is gone", form("a", step("a", "b", age, next), step("b", "$ending", next)), "b asking", false},
		{"two nodes are gone", form("a", step("a", "$ending", age, next)), "a asking", false},
		{"all nodes are gone", form("$ending"), "$ending ended", false},
		{"another type", form("a", step("a", "b", age, next), step("b", "c", next), flowNode("c", "$ending")), "b asking", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, same := r.Edited(program(t, tt.form))
			if at := got.Node() + " " + string(got.State()); at != tt.at || same != tt.same {
				t.Errorf("at %s, still there: %t; want %s, %t", at, same, tt.at, tt.same)
			}
			if tt.same && !schema.Equal(got.Given("age"), "7") {
				t.Errorf("age %v", got.Given("age"))
			}
		})
	}
	waits := program(t, form("r", odd)).Begin(run.Input{})
	got, same := waits.Edited(program(t, form("r", router("r", "a", rule("x", "$ending", "EQ", "1", "2")), step("a", "$ending", next))))
	if !slices.Equal(got.Path(), []string{"r", "a"}) || !same || len(got.Hops()) != 2 {
		t.Errorf("path %v, hops %+v", got.Path(), got.Hops())
	}
}
