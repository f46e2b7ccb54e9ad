package trial

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"name":"f","languages":{"primary":"en"},"translations":{"de":{}},"start":{"next_node":"ask","hidden_fields":[{"key":"plan"}]},"ending":{"resume_flow":true},
	"style":{"css":"p { color: red }"},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","config":{"components":[
		{"id":"age","category":"FIELD","type":"NUMBER","label":"Your age","required":true},
		{"id":"secret","category":"FIELD","type":"PASSWORD","config":{}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"adult"}},
	{"id":"adult","type":"ROUTER","config":{"rules":[{"id":"yes","condition":{"operator":"AND","operands":[
		{"operator":"GTE","operands":["{{fields.age}}",18]}]},"next_node":"check"},
		{"id":"odd","alias":"Odd","condition":{"operator":"AND","operands":[{"operator":"ODD","operands":["{{fields.age}}"]}]},"next_node":"$ending"}],"fallback":"ask"}},
	{"id":"check","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}]}`

func tree(t *testing.T, src string) *schema.Object {
	t.Helper()
	v, problems := schema.Decode([]byte(src))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return v.(*schema.Object)
}

// begun returns a session whose run has begun.
func begun(t *testing.T) *Session {
	t.Helper()
	s := &Session{}
	s.Do(message.Command{Do: message.Load, Form: tree(t, form)})
	if v := s.Do(message.Command{Do: message.Begin}); v.State != "asking" || v.Node != "ask" || v.Fault != "" {
		t.Fatalf("view %+v", v)
	}
	return s
}

// press returns what the frame says when a button is pressed.
func press(button, answers string) message.Command {
	return message.Command{Do: message.Frame, Event: `{"type":"press","id":"` + button + `","answers":` + answers + `}`}
}

func TestSession(t *testing.T) {
	s := begun(t)
	v := s.Do(press("go", `{"age":"old"}`))
	if v.State != "asking" || !strings.Contains(v.Show, `"focus":"$problem"`) || !strings.Contains(v.Show, "Please enter a number.") {
		t.Errorf("refused: %+v", v)
	}
	v = s.Do(press("go", `{"age":"30","secret":"Correct7-Horse"}`))
	want := []message.Entry{
		{Node: "ask", Title: "About you", Lines: []string{"Your age: old — refused: Please enter a number.", "Your age: 30", "Password: ••••••••"}},
		{Node: "adult", Title: "adult", Lines: []string{"Rule 1, because Your age, 30, is at least 18"}, Moment: 2},
		{Node: "check", Title: "check", Moment: 2},
	}
	if diff := cmp.Diff(want, v.Entries); diff != "" || v.At != 2 || v.State != "flow" {
		t.Errorf("state %s at %d:\n%s", v.State, v.At, diff)
	}
	if diff := cmp.Diff([]string{"$start:next", "adult:rule:yes", "ask:next"}, v.Edges); diff != "" {
		t.Error(diff)
	}
	v = s.Do(message.Command{Do: message.Succeed, Result: tree(t, `{"ok":true}`)})
	if v.State != "ended" || !strings.Contains(v.Show, "show") || v.Entries[2].Lines[0] != "vars.ok = true" {
		t.Errorf("ended: %+v", v)
	}
	if got := string(schema.Encode(v.Answers)); got != `{"age":30,"secret":"••••••••"}` {
		t.Errorf("the answers are %s", got)
	}
	// Back to the first moment: the later ones stay in the list until something else happens.
	v = s.Do(message.Command{Do: message.Recall})
	if v.Node != "ask" || v.At != 0 || len(v.Entries) != 4 || !strings.Contains(v.Show, `"fresh":true`) {
		t.Errorf("recalled: %+v", v)
	}
	v = s.Do(press("go", `{"age":"17"}`))
	if v.State != "router" || len(v.Entries) != 2 || len(v.Choices) != 2 || v.Choices[0] != (message.Choice{Port: "rule:odd", Label: "Odd"}) {
		t.Errorf("a condition that cannot be judged: %+v", v)
	}
	if v = s.Do(message.Command{Do: message.Choose, Port: "fallback"}); v.Node != "ask" || v.State != "asking" {
		t.Errorf("chosen: %+v", v)
	}
}

// A journey along edges is played to its end, with the moments on the way. One that no answers take begins where it leads.
func TestTravel(t *testing.T) {
	s := begun(t)
	v := s.Do(message.Command{Do: message.Travel, From: "check", Along: []string{"$start:next", "ask:next", "adult:rule:yes"}})
	if v.Fault != "" || v.Node != "check" || len(v.Entries) != 3 || v.At != 2 {
		t.Errorf("travelled: %+v", v)
	}
	if v = s.Do(message.Command{Do: message.Recall}); v.Node != "ask" {
		t.Errorf("back at the beginning: %+v", v)
	}
	v = s.Do(message.Command{Do: message.Travel, From: "check", Along: []string{"$start:next", "check:next"}})
	if v.Fault == "" || v.Node != "check" || len(v.Entries) != 1 {
		t.Errorf("without a way: %+v", v)
	}
}

func TestFailedFlow(t *testing.T) {
	s := begun(t)
	s.Do(press("go", `{"age":"30"}`))
	if v := s.Do(message.Command{Do: message.Fail, Detail: "no route"}); v.State != "stopped" || v.Reason != "the flow failed: no route" {
		t.Errorf("view %+v", v)
	}
}

// TestFollowsEdits checks that a run continues on an edited form, with what was typed.
func TestFollowsEdits(t *testing.T) {
	s := begun(t)
	s.Do(message.Command{Do: message.Frame, Event: `{"type":"answer","id":"age","answers":{"age":"44"}}`})
	v := s.Do(message.Command{Do: message.Load, Form: tree(t, strings.Replace(form, "Your age", "How old are you?", 1))})
	if v.Node != "ask" || !strings.Contains(v.Show, "How old are you?") || !strings.Contains(v.Show, "44") || strings.Contains(v.Show, `"fresh":true`) {
		t.Errorf("edited: %+v", v)
	}
	if v = s.Do(message.Command{Do: message.Load, Form: tree(t, strings.ReplaceAll(form, `"ask"`, `"question"`))}); v.Node != "question" {
		t.Errorf("the node is gone: %+v", v)
	}
}

// TestShowsOnlyChanges checks that the frame gets no message that it has, and all of it when it starts anew.
func TestShowsOnlyChanges(t *testing.T) {
	s := begun(t)
	if v := s.Do(message.Command{Do: message.Speak, Language: "en"}); v.Show != "" {
		t.Errorf("the same screen is sent again: %s", v.Show)
	}
	if v := s.Do(message.Command{Do: message.Frame, Event: `{"type":"ready"}`}); !strings.Contains(v.Show, "color: red") {
		t.Errorf("a new frame gets %q", v.Show)
	}
	if v := s.Do(message.Command{Do: message.Theme, Detail: "dark"}); !strings.Contains(v.Show, `"theme":"dark"`) {
		t.Errorf("the theme: %q", v.Show)
	}
}

// Leaving the frame is reported once.
func TestLeftFrameIsTold(t *testing.T) {
	s := begun(t)
	if v := s.Do(message.Command{Do: message.Frame, Event: `{"type":"leave"}`}); !v.Left || v.Fault != "" {
		t.Errorf("left: %+v", v)
	}
	if v := s.Do(message.Command{Do: message.Speak, Language: "en"}); v.Left {
		t.Error("it is reported again")
	}
}

func TestFaults(t *testing.T) {
	empty := &Session{}
	if v := empty.Do(message.Command{Do: message.Begin}); v.Fault == "" {
		t.Error("a session without a form begins a run")
	}
	empty.Do(message.Command{Do: message.Load, Form: tree(t, form)})
	if v := empty.Do(message.Command{Do: message.Wait}); v.Fault == "" {
		t.Error("a session without a run waits")
	}
	s := begun(t)
	for _, c := range []message.Command{
		{Do: "x"},
		{Do: message.Succeed},
		{Do: message.Fail},
		{Do: message.Choose, Port: "x"},
		{Do: message.Recall, Moment: 9},
		{Do: message.Recall, Moment: -1},
		{Do: message.Frame, Event: "{"},
		press("none", "{}"), press("go", `{"none":1}`),
	} {
		if v := s.Do(c); v.Fault == "" || v.Node != "ask" || v.State != "asking" {
			t.Errorf("%+v: %+v", c, v)
		}
	}
}

func TestRules(t *testing.T) {
	s := begun(t)
	v := s.Do(message.Command{Do: message.Explain})
	if len(v.Rules) < 30 || v.Node != "ask" {
		t.Errorf("%d rules at %s", len(v.Rules), v.Node)
	}
	for _, r := range v.Rules {
		if r.Subject == "" || r.Text == "" {
			t.Errorf("rule %+v", r)
		}
	}
	if v := s.Do(message.Command{Do: message.Wait}); v.Rules != nil {
		t.Error("the rules are delivered again")
	}
}
