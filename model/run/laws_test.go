package run_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/schema"
)

// lawForm has every kind of node and button, a cycle, and a field that is asked on two steps.
func lawForm(tb testing.TB) *run.Program {
	tb.Helper()
	resend := `{"id":"again","category":"BLOCK","type":"RESEND_BUTTON","config":{"active_text":"a","button_text":"b","waiting_text":"w",` +
		`"flow_id":"af_1","max_attempts":3,"waiting_time":30}}`
	jump := `{"id":"skip","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"a"}}`
	return program(tb, form("a", step("a", "f", field("age", "NUMBER", `,"required":true`), field("name", "TEXT", ""), next),
		flowNode("f", "r"),
		router("r", "b", rule("x", "c", "GTE", `"{{fields.age}}"`, "18"), rule("y", "b", "ODD", `"{{vars.v}}"`, "1")),
		step("b", "c", field("mail", "EMAIL", ""), next, previous, jump, resend),
		step("c", "$ending", field("age2", "NUMBER", ""), next, previous, jump)))
}

// eventsOf makes events from bytes.
func eventsOf(data []byte) []run.Event {
	given := []any{"18", "17", "x", "", nil, "ann@example.com", schema.Number("20"), true, []any{"a"}, schema.NewObject()}
	buttons := []string{"go", "go", "go", "back", "skip", "again", "age", ""}
	ids := []string{"age", "name", "mail", "age2", "go", "none"}
	var events []run.Event
	for i := 0; i+2 < len(data); i += 3 {
		answers := map[string]any{}
		if data[i]&8 > 0 {
			answers[ids[int(data[i+1])%len(ids)]] = given[int(data[i+2])%len(given)]
		}
		switch data[i] % 8 {
		case 0, 1, 2:
			events = append(events, run.Press{Button: buttons[int(data[i+1]>>4)%len(buttons)], Answers: answers})
		case 3:
			events = append(events, run.Fill{Answers: answers})
		case 4:
			events = append(events, run.Result{Values: schema.NewObject(schema.Member{Key: "v", Value: given[int(data[i+2])%len(given)]})})
		case 5:
			events = append(events, []run.Event{run.Choose{Port: "rule:y"}, run.Choose{Port: "fallback"}, run.Choose{Port: "x"}}[data[i+1]%3])
		case 6:
			events = append(events, []run.Event{run.Wait{}, run.Speak{Language: "de"}, run.Speak{Language: "en"}}[data[i+1]%3])
		case 7:
			if data[i+1] == 0 {
				events = append(events, run.Failure{Detail: "x"})
			}
		}
	}
	return events
}

// snapshot is what a moment shows.
func snapshot(r *run.Run) []any {
	shown := []any{r.Node(), r.State(), r.Reason(), r.Path(), string(schema.Encode(r.Fields())), string(schema.Encode(r.Vars())), r.Choices()}
	for _, i := range r.Items() {
		shown = append(shown, string(schema.Encode(i.Component.Tree())), i.Given, i.Refusal, i.Waiting, i.Spent)
	}
	return shown
}

// FuzzLaws checks what holds for any events: none panics, one that does not apply changes nothing, no event changes an earlier moment, a
// run is deterministic, and back after next returns to the same screen.
func FuzzLaws(f *testing.F) {
	p := lawForm(f)
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		data := make([]byte, 60)
		for i := range data {
			data[i] = byte(r.UintN(256))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 600 {
			return
		}
		at := p.Begin(run.Input{Seed: 7})
		var before [][]any
		for _, e := range eventsOf(data) {
			shown := snapshot(at)
			next, err := at.Do(e)
			if err != nil && next != at {
				t.Fatalf("%#v: %v, and another moment", e, err)
			}
			if diff := cmp.Diff(shown, snapshot(at), tree); diff != "" {
				t.Fatalf("%#v changed the moment before it:\n%s", e, diff)
			}
			if next != at {
				before = append(before, shown)
			}
			returns(t, at, next, e)
			at = next
		}
		for i, m := range at.Moments()[:len(before)] {
			if diff := cmp.Diff(before[i], snapshot(m), tree); diff != "" {
				t.Fatalf("moment %d was changed later:\n%s", i, diff)
			}
		}
		again, err := p.Replay(run.Input{Seed: 7}, at.Events())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(snapshot(at), snapshot(again), tree); diff != "" {
			t.Fatalf("replayed:\n%s", diff)
		}
	})
}

var tree = cmp.Comparer(func(a, b *schema.Object) bool { return schema.Equal(a, b) })

// returns checks that the previous button of the next step leads back to what the respondent saw.
func returns(t *testing.T, at, next *run.Run, e run.Event) {
	t.Helper()
	if _, pressed := e.(run.Press); !pressed || next.State() != run.Asking || next.Node() == at.Node() {
		return
	}
	back, err := next.Do(run.Press{Button: "back"})
	if err != nil || back.Node() != at.Node() {
		return // no button, or the press went back itself
	}
	for _, i := range back.Items() {
		want := at.Given(i.Component.ID)
		if p, _ := e.(run.Press); p.Answers != nil {
			if v, ok := p.Answers[i.Component.ID]; ok {
				want = v
			}
		}
		if !schema.Equal(i.Given, want) || i.Refusal != "" {
			t.Fatalf("back at %s: %s contains %v, want %v; refusal %q", back.Node(), i.Component.ID, i.Given, want, i.Refusal)
		}
	}
}

// TestBackAgain checks that going back as often as on leads to where the run began.
func TestBackAgain(t *testing.T) {
	p := program(t, form("a", step("a", "b", next), step("b", "c", next, previous), step("c", "$ending", previous)))
	r, err := p.Replay(run.Input{}, []run.Event{
		run.Press{Button: "go"}, run.Press{Button: "go"}, run.Press{Button: "back"}, run.Press{Button: "back"}, run.Press{Button: "go"},
	})
	if err != nil || !slices.Equal(r.Path(), []string{"a", "b", "c", "b", "a", "b"}) {
		t.Errorf("path %v, %v", r.Path(), err)
	}
}

// BenchmarkEvents measures an event of a long run. Time and memory of an event must not depend on how many there were.
func BenchmarkEvents(b *testing.B) {
	p := program(b, form("a", step("a", "b", field("age", "NUMBER", ""), next), step("b", "a", field("name", "TEXT", ""), next, previous)))
	for _, events := range []int{100, 10_000} {
		b.Run(map[int]string{100: "100", 10_000: "10000"}[events], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := p.Begin(run.Input{})
				for i := range events {
					var err error
					if r, err = r.Do(run.Press{Button: "go", Answers: answers{[]string{"age", "name"}[i%2]: "1"}}); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
		})
	}
}
