package trial

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model/schema"
)

// ageForm asks for an age, and sends minors to a step. A rule of it never applies.
const ageForm = `{"name":"Age","start":{"next_node":"ask"},"ending":{},"nodes":[
	{"id":"ask","type":"STEP","alias":"Your age","config":{"components":[
		{"id":"age","category":"FIELD","type":"NUMBER","label":"Age","required":true,"config":{"min_value":0}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"adult"}},
	{"id":"adult","type":"ROUTER","config":{"rules":[
		{"id":"yes","condition":{"operator":"AND","operands":[{"operator":"GTE","operands":["{{fields.age}}",18]}]},"next_node":"$ending"},
		{"id":"never","condition":{"operator":"AND","operands":[{"operator":"LT","operands":["{{fields.age}}",0]}]},"next_node":"minor"}],
		"fallback":"minor"}},
	{"id":"minor","type":"STEP","alias":"Consent","config":{"components":[
		{"id":"ok","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"$ending"}}]}`

const adults = `{"name":"Adults","steps":[{"node":"ask","answers":{"age":20},"press":"go"}],"expect":["ask","adult","$ending"]}`

func work(t *testing.T, j message.Job) message.Report {
	t.Helper()
	last := -1
	r := Work(context.Background(), j, func(percent int) {
		if percent <= last || percent > 100 {
			t.Errorf("progress from %d to %d percent", last, percent)
		}
		last = percent
	})
	if !r.Done || last < 0 {
		t.Errorf("done %v, progress %d", r.Done, last)
	}
	return r
}

func TestJobs(t *testing.T) {
	f, file := tree(t, ageForm), `{"version":1,"scenarios":[`+adults+`]}`
	r := work(t, message.Job{Do: message.Replay, Form: f, Scenarios: file})
	if len(r.Results) != 1 || r.Results[0].Status != "ok" || r.Coverage != 60 || len(r.Taken) != 5 {
		t.Errorf("replay %+v", r)
	}
	if want := (message.Taken{Edge: "adult:rule:yes", Times: 1}); !slices.Contains(r.Taken, want) {
		t.Errorf("taken %+v, want %+v", r.Taken, want)
	}
	if len(r.Untaken) != 1 || r.Untaken[0].Edge != "adult:rule:never" || !r.Untaken[0].Never {
		t.Errorf("untaken %+v", r.Untaken)
	}

	if r := Work(context.Background(), message.Job{Do: message.Check, Form: f, Scenarios: file}, func(int) {}); len(r.Results) != 1 || len(r.Taken) != 0 || !r.Done {
		t.Errorf("check %+v", r)
	}

	r = work(t, message.Job{Do: message.Generate, Form: f, Scenarios: file})
	if len(r.Added) != 1 || r.Fault != "" || len(r.Removed) != 0 {
		t.Errorf("generate %+v", r)
	}
	r = work(t, message.Job{Do: message.Replay, Form: f, Scenarios: r.Scenarios})
	if r.Coverage != 100 || len(r.Results) != 2 {
		t.Errorf("replay of the generated scenarios %+v", r)
	}

	stricter := tree(t, strings.Replace(ageForm, `",18]`, `",21]`, 1))
	r = work(t, message.Job{Do: message.Compare, Before: f, Form: stricter})
	if len(r.Differences) != 1 {
		t.Fatalf("compare %+v", r)
	}
	d := r.Differences[0]
	if d.Kind != "goes_elsewhere" || d.Text != "now goes to “Consent” instead of “Ending”, from “Your age”" || d.Scenario == nil ||
		!slices.Equal(d.Story, []string{"“Your age”: “Age” 18, then presses “Continue”"}) {
		t.Errorf("difference %+v", d)
	}
}

func TestFaultyJobs(t *testing.T) {
	f := tree(t, ageForm)
	for _, j := range []message.Job{
		{Do: "dance", Form: f},
		{Do: message.Replay, Form: f, Scenarios: "{"},
		{Do: message.Replay, Form: f, Scenarios: `{"version":2,"scenarios":[]}`},
		{Do: message.Generate, Form: f, Scenarios: `{"version":1,"scenarios":[{"name":"x"}]}`},
	} {
		if r := Work(context.Background(), j, func(int) {}); !r.Done || r.Fault == "" {
			t.Errorf("%+v: %+v", j, r)
		}
	}
}

// TestKeepAndPlay keeps a run as a scenario and replays it.
func TestKeepAndPlay(t *testing.T) {
	s := begun(t)
	s.Do(press("go", `{"age":"old"}`)) // is refused, so that a replay leaves it out
	s.Do(press("go", `{"age":"30"}`))
	at := s.Do(message.Command{Do: message.Succeed, Result: tree(t, `{"code":1}`)})
	if at.Unkept != "" || at.Scenario != nil {
		t.Fatalf("before: %+v", at)
	}
	kept := s.Do(message.Command{Do: message.Keep, Detail: "Adults"})
	want := `{"name":"Adults","steps":[{"node":"ask","answers":{"age":"30"},"press":"go"},{"node":"check","result":{"code":1}}],"expect":["ask","adult","check","$ending"]}`
	if !schema.Equal(kept.Scenario, tree(t, want)) || kept.Differs != "" {
		t.Fatalf("kept %s, %q", schema.Encode(kept.Scenario), kept.Differs)
	}
	if v := s.Do(message.Command{Do: message.Wait}); v.Scenario != nil {
		t.Error("the scenario is delivered twice")
	}
	played := s.Do(message.Command{Do: message.Play, Scenario: kept.Scenario})
	if played.State != "ended" || played.At != len(played.Entries)-1 || played.Fault != "" || played.Show == "" {
		t.Errorf("played %+v", played)
	}
	if v := s.Do(message.Command{Do: message.Recall, Moment: 0}); v.Node != "ask" || v.State != "asking" {
		t.Errorf("back at the beginning: %+v", v)
	}
	for _, bad := range []string{`{}`, `{"name":"x","steps":1}`, `{"name":"x","steps":[{"node":"gone"}],"expect":[]}`} {
		if v := s.Do(message.Command{Do: message.Play, Scenario: tree(t, bad)}); v.Fault == "" && bad != `{}` {
			t.Errorf("%s is played", bad)
		}
	}
}

// TestUnkept checks which runs cannot be kept, and that a run that depends on the time is noticed.
func TestUnkept(t *testing.T) {
	s := &Session{}
	s.Do(message.Command{Do: message.Load, Form: tree(t, form)})
	if v := s.Do(message.Command{Do: message.Keep}); v.Fault == "" || v.Scenario != nil {
		t.Errorf("without a run: %+v", v)
	}
	if v := s.Do(message.Command{Do: message.Begin, From: "check"}); !strings.Contains(v.Unkept, "begins at the start") {
		t.Errorf("from another node: %q", v.Unkept)
	}
	if v := s.Do(message.Command{Do: message.Keep}); v.Fault == "" || v.Scenario != nil {
		t.Errorf("from another node: %+v", v)
	}
	timed := strings.Replace(ageForm, `"GTE","operands":["{{fields.age}}",18]`, `"STARTS_WITH","operands":["{{functions.now()}}","2026-01-01T12:00:00"]`, 1)
	for _, x := range []struct {
		do   message.Action
		same bool
	}{{message.Begin, false}, {message.Record, true}} {
		s.Do(message.Command{Do: message.Load, Form: tree(t, timed)})
		s.Do(message.Command{Do: x.do})
		s.Do(press("go", `{"age":"30"}`))
		v := s.Do(message.Command{Do: message.Keep, Detail: "x"})
		if v.Scenario == nil || (v.Differs == "") != x.same {
			t.Errorf("%s: %q, scenario %s", x.do, v.Differs, schema.Encode(v.Scenario))
		}
	}
}
