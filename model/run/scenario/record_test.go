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

// TestRecordedRunReplays checks that the replay of a recorded run takes the same path to the same place, and that the record has no
// events that the replay does not need.
func TestRecordedRunReplays(t *testing.T) {
	type answers = map[string]any
	age := func(n string) answers { return answers{"age": schema.Number(n)} }
	failed := "no mail"
	odd := schema.NewObject(schema.Member{Key: "odd", Value: true})
	skip := run.Press{Button: "skip"}
	for _, x := range []struct {
		name   string
		events []run.Event
		steps  string // the nodes and what happens there
	}{
		{"nothing", nil, ""},
		{"to the ending", []run.Event{run.Press{Button: "go", Answers: age("20")}, run.Result{}}, "a:go f:{}"},
		{"fills before a press", []run.Event{run.Fill{Answers: age("2")}, run.Fill{Answers: age("20")}, run.Press{Button: "go"}}, "a:go"},
		{"fills without a press", []run.Event{run.Fill{Answers: age("2")}}, "a"},
		{"a refused press", []run.Event{run.Press{Button: "go", Answers: age("0")}}, "a"},
		{"a press after a refusal", []run.Event{run.Press{Button: "go", Answers: age("0")}, run.Press{Button: "go", Answers: age("20")}}, "a:go"},
		{"a failure", []run.Event{run.Press{Button: "go", Answers: age("20")}, run.Failure{Detail: failed}}, "a:go f!no mail"},
		{"a choice", []run.Event{run.Press{Button: "go", Answers: age("20")}, run.Result{Values: odd}, run.Choose{Port: "rule:odd"}}, `a:go f:{"odd":true} r:rule:odd`},
		{"back", []run.Event{skip, run.Press{Button: "back"}, skip, run.Press{Button: "on"}}, "a:skip b:back a:skip b:on"},
		{"a language and a wait", []run.Event{run.Speak{Language: "de"}, run.Wait{}, skip}, "a:skip"},
		{
			"a resend",
			[]run.Event{skip, run.Press{Button: "again"}, run.Result{}, run.Wait{}, run.Press{Button: "again"}, run.Result{Values: odd}},
			`a:skip b:again b:{} b:again b:{"odd":true}`,
		},
		{
			"a resend after a refusal",
			[]run.Event{skip, run.Press{Button: "on", Answers: answers{"code": "x"}}, run.Press{Button: "again"}, run.Result{}, run.Press{Button: "on", Answers: answers{"code": "xy"}}},
			"a:skip b:again b:{} b:on",
		},
		{"a flow that runs", []run.Event{skip, run.Press{Button: "again"}}, "a:skip b:again"},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := programOf(t)
			r, err := p.Replay(run.Input{}, x.events)
			if err != nil {
				t.Fatal(err)
			}
			s := scenario.Record("A", run.Input{}, r)
			var steps []string
			for _, step := range s.Steps {
				text := step.Node
				switch {
				case step.Press != "":
					text += ":" + step.Press
				case step.Result != nil:
					text += ":" + string(schema.Encode(step.Result))
				case step.Error != nil:
					text += "!" + *step.Error
				case step.Choose != "":
					text += ":" + step.Choose
				}
				steps = append(steps, text)
			}
			if got := strings.Join(steps, " "); got != x.steps {
				t.Errorf("steps %s, want %s", got, x.steps)
			}
			o := scenario.Replay(p, &s)
			if !o.Same(&s) || o.Run.Node() != r.Node() || o.Run.State() != r.State() {
				t.Errorf("%v at %s, %s; want %v at %s: %s%s", o.Path(), o.Run.Node(), o.Run.State(), s.Expect, r.Node(), o.Missing, o.Reason)
			}
		})
	}
}

func TestRecordKeepsTheInput(t *testing.T) {
	object := func(key string) *schema.Object { return schema.NewObject(schema.Member{Key: key, Value: "x"}) }
	input := run.Input{Languages: []string{"de", "en"}, Context: object("c"), Vars: object("v"), Hidden: object("from")}
	s := scenario.Record("A", input, programOf(t).Begin(input))
	want := scenario.Scenario{
		Name: "A", Language: "de", Context: input.Context, Vars: input.Vars, Hidden: input.Hidden, Steps: []scenario.Step{}, Expect: []string{"a"},
	}
	if diff := cmp.Diff(want.Tree(), s.Tree(), cmp.Comparer(func(a, b *schema.Object) bool { return schema.Equal(a, b) })); diff != "" {
		t.Error(diff)
	}
}

// TestRandomWaysReplay checks that random numbers depend on the path, and not on how often a respondent fills in fields or waits.
func TestRandomWaysReplay(t *testing.T) {
	step := func(id string) string {
		return `{"id":"` + id + `","type":"STEP","config":{"next_node":"r","components":[
			{"id":"text` + id + `","category":"FIELD","type":"TEXT","config":{}},
			{"id":"go` + id + `","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}`
	}
	p := run.NewProgram(formtest.Parse(t, `{"name":"Random","start":{"next_node":"a"},"ending":{},"nodes":[`+step("a")+","+step("b")+`,
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":{"operator":"AND","operands":[
			{"operator":"GT","operands":["{{functions.random(0, 9)}}",4]}]},"next_node":"a"}],"fallback":"b"}}]}`))
	r := p.Begin(run.Input{})
	for i := range 40 {
		for range i % 3 {
			r, _ = r.Do(run.Fill{Answers: map[string]any{"text" + r.Node(): "x"}})
		}
		r, _ = r.Do(run.Press{Button: "go" + r.Node()})
	}
	s := scenario.Record("A", run.Input{}, r)
	if o := scenario.Replay(p, &s); !o.Same(&s) {
		t.Errorf("the replay took\n%v, the run\n%v", o.Path(), s.Expect)
	}
	if a := strings.Count(strings.Join(s.Expect, ""), "a"); a < 5 || a > 35 {
		t.Errorf("%d of 41 steps are a: %v", a, s.Expect)
	}
}
