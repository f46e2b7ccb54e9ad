package explore_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

func decode(tb testing.TB, src string) *model.Form {
	tb.Helper()
	v, problems := schema.Decode([]byte(src))
	if len(problems) > 0 {
		tb.Fatalf("%v in %s", problems, src)
	}
	return model.FromTree(v.(*schema.Object))
}

// randomForm returns the text of a form of at most so many nodes.
type randomForm struct {
	*rand.Rand
	ids []string
	at  int // index of the node that is made
}

func (r randomForm) pick(of ...string) string { return of[r.IntN(len(of))] }

func (r randomForm) pointer() string {
	switch n := r.IntN(24); {
	case n == 0:
		return `"nowhere"`
	case n < 5:
		return `"$ending"`
	case n < 15 && r.at < len(r.ids):
		return `"` + r.ids[r.at] + `"`
	}
	return `"` + r.pick(r.ids...) + `"`
}

func (r randomForm) component(id string) string {
	required := r.pick("true", "false", "false")
	is := func(typ, config string) string {
		return fmt.Sprintf(`{"id":%q,"category":"FIELD","type":%q,"required":%s,"config":%s}`, id, typ, required, config)
	}
	switch r.IntN(6) {
	case 0:
		return is("NUMBER", r.pick(`{}`, `{"min_value":3}`, `{"min_value":2,"max_value":7}`, `{"default_value":5}`))
	case 1:
		return is("BOOLEAN", `{}`)
	case 2:
		return is("LEGAL", `{"text":"x"}`)
	case 3:
		return is("DROPDOWN", `{"options":[{"value":"a","label":"A"},{"value":"b","label":"B"}]}`)
	case 4:
		return is("TEXT", r.pick(`{}`, `{"default_value":"a"}`, `{"min_length":2}`, `{"default_value":"{{vars.v}}"}`))
	}
	return is("EMAIL", `{}`)
}

func (r randomForm) form() string {
	for i := range 1 + r.IntN(8) {
		r.ids = append(r.ids, "n"+string(rune('0'+i)))
	}
	start := r.pointer()
	var nodes []string
	for i, id := range r.ids {
		r.at = i + 1
		config := ""
		typ := r.pick("STEP", "STEP", "ROUTER", "ROUTER", "FLOW")
		switch typ {
		case "STEP":
			var parts []string
			for j := range r.IntN(3) {
				parts = append(parts, r.component(fmt.Sprintf("f%d", (i+j)%5+10*i)))
			}
			if r.IntN(6) > 0 {
				parts = append(parts, fmt.Sprintf(`{"id":"next%d","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"n"}}`, i))
			}
			if r.IntN(4) == 0 {
				parts = append(parts, fmt.Sprintf(`{"id":"jump%d","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"j","next_node":%s}}`, i, r.pointer()))
			}
			if r.IntN(5) == 0 {
				parts = append(parts, fmt.Sprintf(`{"id":"back%d","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"b"}}`, i))
			}
			if r.IntN(6) == 0 {
				parts = append(parts, fmt.Sprintf(`{"id":"again%d","category":"BLOCK","type":"RESEND_BUTTON","config":{"active_text":"a","button_text":"b",`+
					`"waiting_text":"w","flow_id":"af_1","max_attempts":2,"waiting_time":5}}`, i))
			}
			config = fmt.Sprintf(`{"components":[%s],"next_node":%s}`, strings.Join(parts, ","), r.pointer())
		case "FLOW":
			config = fmt.Sprintf(`{"flow_id":"af_1","next_node":%s}`, r.pointer())
		case "ROUTER":
			var rules []string
			for j := range r.IntN(4) {
				rules = append(rules, fmt.Sprintf(`{"id":"r%d_%d","condition":%s,"next_node":%s}`, i, j, r.condition(), r.pointer()))
			}
			config = fmt.Sprintf(`{"rules":[%s],"fallback":%s}`, strings.Join(rules, ","), r.pointer())
		}
		nodes = append(nodes, fmt.Sprintf(`{"id":%q,"type":%q,"config":%s}`, id, typ, config))
	}
	return fmt.Sprintf(`{"name":"random","start":{"next_node":%s,"hidden_fields":[{"key":"h"%s}]},"nodes":[%s],"ending":{}}`,
		start, r.pick("", `,"value":"a"`), strings.Join(nodes, ","))
}

func (r randomForm) operand() string {
	switch r.IntN(8) {
	case 0:
		return `"{{vars.v}}"`
	case 1:
		return `"{{context.user.age}}"`
	case 2:
		return `"{{fields.h}}"`
	}
	i := r.IntN(len(r.ids))
	return fmt.Sprintf(`"{{fields.f%d}}"`, (i+r.IntN(2))%5+10*i)
}

func (r randomForm) comparison() string {
	operator := r.pick("EQ", "EQ", "NEQ", "GT", "LTE", "BETWEEN", "EXISTS", "IS_EMPTY", "IN", "STARTS_WITH", "NOT_EXISTS", "LT", "ODD")
	literal := func() string { return r.pick(`"a"`, `"b"`, "3", "5", `"5"`, `"5.0"`, "true", `"true"`, "false", "8") }
	of := []string{r.operand()}
	switch operator {
	case "EXISTS", "IS_EMPTY", "NOT_EXISTS":
	case "BETWEEN":
		of = append(of, "2", r.pick("5", "9"))
	case "IN":
		of = append(of, "["+literal()+","+literal()+"]")
	case "ODD":
		if r.IntN(5) > 0 {
			operator = "EQ"
		}
		of = append(of, literal())
	case "STARTS_WITH":
		if r.IntN(3) > 0 {
			operator = "NEQ"
		}
		of = append(of, literal())
	default:
		if of = append(of, literal()); r.IntN(8) == 0 {
			of[1] = r.operand()
		}
	}
	return fmt.Sprintf(`{"operator":%q,"operands":[%s]}`, operator, strings.Join(of, ","))
}

func (r randomForm) condition() string {
	of := []string{r.comparison()}
	for r.IntN(3) == 0 {
		of = append(of, r.comparison())
	}
	return fmt.Sprintf(`{"operator":%q,"operands":[%s]}`, r.pick("AND", "AND", "OR"), strings.Join(of, ","))
}

var values = []any{
	"a", "b", "x", "", "ann@example.com", schema.Number("3"), schema.Number("5"), schema.Number("8"), schema.Number("2.5"), true, false, nil, "5",
	"5.0", "5e0", "true", schema.Number("-1"), schema.Number("4"), "bob@example.org",
	[]any{},
	schema.Number("6"),
}

// randomRun runs a form at random and calls visit for every moment.
func randomRun(r *rand.Rand, p *run.Program, events int, visit func(*run.Run)) {
	value := func() any { return values[r.IntN(len(values))] }
	object := func(key string) *schema.Object {
		o := schema.NewObject()
		if v := value(); r.IntN(3) > 0 {
			o = o.With(key, v)
		}
		return o
	}
	in := run.Input{Vars: object("v"), Hidden: object("h"), Context: schema.NewObject()}
	if r.IntN(2) == 0 {
		in.Context = in.Context.With("user", object("age"))
	}
	at := p.Begin(in)
	visit(at)
	for range events {
		var e run.Event
		switch at.State() {
		case run.Asking:
			step := p.Node(at.Node()).Config.(*model.Step)
			if len(step.Components) == 0 {
				return
			}
			answers := map[string]any{}
			for _, c := range step.Components {
				if samples := answer.Samples(c); r.IntN(2) == 0 && len(samples) > 0 {
					answers[c.ID] = samples[r.IntN(len(samples))]
				} else if answertype.Of(c) != answertype.None && r.IntN(2) == 0 {
					answers[c.ID] = value()
				}
			}
			e = run.Press{Button: step.Components[r.IntN(len(step.Components))].ID, Answers: answers}
			if r.IntN(10) == 0 {
				e = run.Wait{}
			}
		case run.Flowing:
			e = run.Result{Values: object("v")}
			if r.IntN(20) == 0 {
				e = run.Failure{}
			}
		case run.Routing:
			choices := at.Choices()
			e = run.Choose{Port: choices[r.IntN(len(choices))]}
		case run.Ended, run.Stopped:
			return
		}
		next, err := at.Do(e)
		if err != nil {
			continue
		}
		at = next
		visit(at)
	}
}

var (
	forms = flag.Int("forms", 0, "how many random forms TestRandomForms makes")
	runs  = flag.Int("runs", 0, "how many random runs it makes for each form")
)

// TestRandomForms compares three views of random forms: the search, random runs, and the path proof. Each random run is also recorded and
// replayed.
func TestRandomForms(t *testing.T) {
	never, missed, all := 0, 0, 0
	for seed := range uint64(sizetest.Of(*forms, 50, 1000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		src := randomForm{Rand: r}.form()
		f := decode(t, src)
		p := run.NewProgram(f)
		result, err := explore.Explore(context.Background(), p, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range result.Scenarios {
			o := scenario.Replay(p, &s)
			if !o.Same(&s) {
				t.Fatalf("seed %d: scenario %q takes %v, expects %v: %s%s\n%s", seed, s.Name, o.Path(), s.Expect, o.Missing, o.Reason, src)
			}
		}
		untaken := map[scenario.Edge]explore.Untaken{}
		for _, u := range result.Untaken {
			untaken[u.Edge] = u
			if u.Never {
				never++
			}
		}
		all += len(f.Edges())
		reported := map[scenario.Edge]bool{}
		proof := proofOf(f)
		for range sizetest.Of(*runs, 10, 30) {
			var last *run.Run
			randomRun(r, p, 30, func(at *run.Run) {
				last = at
				for _, h := range at.Hops() {
					e := scenario.Edge{From: h.From, Port: h.Port}
					u, ok := untaken[e]
					if h.To == "" || h.Port == "" || !ok || reported[e] {
						continue
					}
					reported[e] = true
					missed++
					if u.Never {
						t.Fatalf("seed %d: %s is taken, but %s\nevents %+v\nvars %s\nfields %s\n%s", seed, e, u.Reason, at.Events(), schema.Encode(at.Vars()),
							schema.Encode(at.Fields()), src)
					}
					t.Logf("seed %d: %s is taken, but %s", seed, e, u.Reason)
				}
				if why := proof.contradicts(at); why != "" {
					t.Fatalf("seed %d: %s\n%s", seed, why, src)
				}
			})
			if why := notReplayed(p, last); why != "" {
				t.Fatalf("seed %d: %s\n%s", seed, why, src)
			}
		}
	}
	t.Logf("%d edges, %d never taken, %d missed", all, never, missed)
}

// notReplayed says what the replay of a recorded run does differently, "" if it leads to the same moment.
func notReplayed(p *run.Program, r *run.Run) string {
	s := scenario.Record("Recorded", r.Input(), r)
	o := scenario.Replay(p, &s)
	switch text := func(v *schema.Object) string { return string(schema.Encode(v)) }; {
	case !o.Same(&s) || o.Run.Node() != r.Node() || o.Run.State() != r.State():
		return fmt.Sprintf("the replay of %+v\ntakes %v to %q, %s; want %v to %q, %s: %s%s", r.Events(), o.Path(), o.Run.Node(), o.Run.State(),
			s.Expect, r.Node(), r.State(), o.Missing, o.Reason)
	case text(o.Run.Fields()) != text(r.Fields()) || text(o.Run.Vars()) != text(r.Vars()):
		return fmt.Sprintf("the replay of %+v\ncollects %s and %s, want %s and %s", r.Events(), text(o.Run.Fields()), text(o.Run.Vars()),
			text(r.Fields()), text(r.Vars()))
	}
	return ""
}

// proof is what flow.Prove says about a form.
type proof struct {
	form     *model.Form
	findings []string
}

func proofOf(f *model.Form) proof {
	p := proof{form: f}
	for _, of := range flow.Prove(f) {
		p.findings = append(p.findings, string(of.Problem.Code)+" "+of.Problem.Path.String())
	}
	return p
}

// contradicts says what a run did that the proof rules out.
func (p proof) contradicts(r *run.Run) string {
	for _, h := range r.Hops() {
		if h.To == "" || h.Port == "" {
			continue
		}
		if !slices.ContainsFunc(p.form.Edges(), func(e model.Edge) bool {
			return e.From == h.From && e.Port == h.Port && string(e.To) == h.To
		}) {
			return fmt.Sprintf("the form has no edge %+v", h)
		}
		if _, i := p.form.Node(h.To); i >= 0 && slices.Contains(p.findings, "unreachable "+model.NodePath(i).String()) {
			return h.To + " is visited but unreachable"
		}
		if _, i := p.form.Node(h.From); i >= 0 && slices.Contains(p.findings, "no_button "+model.NodePath(i).String()) {
			return h.From + " is left without a button"
		}
	}
	if r.State() == run.Ended && slices.Contains(p.findings, "no_ending ending") {
		return "the ending is reached but unreachable"
	}
	return ""
}

func randomOf(seed int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 3)) }
