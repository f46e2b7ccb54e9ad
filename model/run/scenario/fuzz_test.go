package scenario_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
)

// eventsOf makes events of the journey from bytes. Many do not apply where they occur.
func eventsOf(data []byte) []run.Event {
	given := []any{schema.Number("20"), schema.Number("0"), "xy", "x", "", nil, "ann@example.com", true}
	ids := []string{"age", "code", "name"}
	buttons := []string{"go", "skip", "on", "again", "back", "age"}
	var events []run.Event
	for ; len(data) >= 3; data = data[3:] {
		answers := map[string]any{}
		if data[1]&1 > 0 {
			answers[ids[int(data[1]>>1)%len(ids)]] = given[int(data[2])%len(given)]
		}
		switch of := data[0] % 8; of {
		case 0, 1, 2:
			events = append(events, run.Press{Button: buttons[int(data[0]>>3)%len(buttons)], Answers: answers})
		case 3:
			events = append(events, run.Fill{Answers: answers})
		case 4:
			values := schema.NewObject()
			if data[1]&2 > 0 {
				values = values.With("odd", given[int(data[2])%len(given)])
			}
			events = append(events, run.Result{Values: values})
		case 5:
			events = append(events, run.Choose{Port: []model.Port{"rule:odd", "fallback"}[data[1]%2]})
		case 6:
			events = append(events, []run.Event{run.Wait{}, run.Speak{Language: "de"}}[data[1]%2])
		case 7:
			if data[1] < 32 {
				events = append(events, run.Failure{Detail: []string{"", "no mail"}[data[2]%2]})
			}
		}
	}
	return events
}

// FuzzRecord checks that the replay of any recorded run leads to the same moment, also after the record was written and read.
func FuzzRecord(f *testing.F) {
	p := programOf(f)
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		data := make([]byte, 90)
		for i := range data {
			data[i] = byte(r.UintN(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 600 {
			return
		}
		at := p.Begin(run.Input{})
		for _, e := range eventsOf(data) {
			at, _ = at.Do(e) // what does not apply leaves the run where it is
		}
		recorded := scenario.Record("Recorded", run.Input{}, at)
		file := scenario.File{Scenarios: []scenario.Scenario{recorded}}
		text, err := file.Text()
		if err != nil {
			t.Fatal(err)
		}
		read, problems := scenario.Read(text)
		if len(problems) > 0 || len(read.Scenarios) != 1 || len(read.Scenarios[0].Faults) > 0 {
			t.Fatalf("%v in %s", problems, text)
		}
		s := &read.Scenarios[0]
		o := scenario.Replay(p, s)
		if !o.Same(s) || o.Run.Node() != at.Node() || o.Run.State() != at.State() {
			t.Fatalf("replayed %v to %q, %s; want %v to %q, %s: %s%s", o.Path(), o.Run.Node(), o.Run.State(), s.Expect, at.Node(), at.State(), o.Missing, o.Reason)
		}
		for _, x := range []struct {
			name      string
			got, want *schema.Object
		}{{"fields", o.Run.Fields(), at.Fields()}, {"vars", o.Run.Vars(), at.Vars()}} {
			if got, want := schema.Encode(x.got), schema.Encode(x.want); !bytes.Equal(got, want) {
				t.Fatalf("replayed with %s %s, want %s", x.name, got, want)
			}
		}
	})
}
