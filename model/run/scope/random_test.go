package scope_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

var forms = flag.Int("forms", 0, "how many random forms the tests make")

// maxWalks bounds the paths that the oracle follows in one form.
const maxWalks = 20_000

func pathOf(p plan, place int) schema.Path {
	if place == len(p.nodes) {
		return schema.Path{schema.Key("ending")}
	}
	return model.NodePath(place)
}

// The analysis finds what an enumeration of the paths shows, and its journeys are real and as short as possible.
func TestAnalysisEqualsEnumeration(t *testing.T) {
	whole, returning, unknown, none, some, may, forms := 0, 0, 0, 0, 0, 0, sizetest.Of(*forms, 300, 3000)
	for seed := range uint64(forms) {
		p := randomPlan(rand.New(rand.NewPCG(seed, 7)))
		s := p.explore(maxWalks)
		a := scope.Analyze(p.form(t, true))
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d: %s\n%+v", seed, fmt.Sprintf(format, args...), p)
		}
		if s.whole {
			whole++
			if slices.ContainsFunc(p.nodes, func(n planned) bool { return n.previous }) {
				returning++
			}
		}
		for place := range len(p.nodes) + 1 {
			reached := s.miss[place] != 0
			if !reached && !s.whole {
				continue
			}
			got := inScope(a, pathOf(p, place))
			for i, name := range planNames {
				every, in := got[name]
				canMay, misses := s.may[place]>>i&1 == 1, s.miss[place]>>i&1 == 1
				switch {
				case !reached:
					if in && every && !slices.Contains(p.hidden, name) {
						fail("%s at %s, which is not reached, is on every path", name, p.id(place))
					}
				case canMay && !in, misses && every:
					fail("%s at %s: in scope %v, on every path %v; a path collects it: %v, misses it: %v", name, p.id(place), in, every, canMay, misses)
				case s.whole && (canMay != in || in && misses == every):
					fail("%s at %s: in scope %v, on every path %v; a path collects it: %v, misses it: %v", name, p.id(place), in, every, canMay, misses)
				}
				if in && !every {
					may++
				}
			}
		}
		var want []string
		for _, ref := range p.references() {
			i := slices.Index(planNames, ref.name)
			miss := -1
			switch {
			case ref.name == "nothing" || ref.name == "h" && !slices.Contains(p.hidden, "h") || strings.HasPrefix(ref.name, "f") && !p.has(ref.name):
				miss = int(scope.NoField)
				unknown++
			case s.may[ref.place]>>i&1 == 0 && s.miss[ref.place] != 0:
				miss = int(scope.NoPath)
				none++
			case s.miss[ref.place]>>i&1 == 1 && !ref.optional:
				miss = int(scope.SomePaths)
				some++
			}
			if miss >= 0 {
				want = append(want, fmt.Sprintf("%s %s %d %d", ref.path, ref.name, miss, s.distance[ref.place][ref.name]))
			}
		}
		var got []string
		for _, f := range a.Findings() {
			journey := f.Journey()
			got = append(got, fmt.Sprintf("%s %s %d %d", f.Path, f.Name, f.Miss, len(journey)))
			place := len(p.nodes)
			if f.Path[0].Key == "nodes" {
				place = f.Path[1].Index
			}
			if journey == nil && f.Miss == scope.NoField && s.miss[place] == 0 {
				continue
			}
			if why := p.demonstrates(journey, f.Name, place); why != "" {
				fail("%s: the journey %v: %s", f.Path, journey, why)
			}
		}
		if s.whole && !slices.Equal(got, want) {
			fail("findings\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
		}
	}
	t.Logf("%d forms, %d of them whole, %d of these with previous buttons; %d, %d and %d references to no field, on no path and on some paths",
		forms, whole, returning, unknown, none, some)
	for what, n := range map[string]int{
		"whole": whole - forms/2, "returning": returning, "no path": none, "some paths": some, "in scope": may,
	} {
		if n < forms/10 {
			t.Errorf("too few cases %s: %d", what, n)
		}
	}
}

// has reports whether the form has a field with an id.
func (p plan) has(id string) bool {
	return slices.Contains(p.hidden, id) || slices.ContainsFunc(p.nodes, func(n planned) bool { return slices.Contains(n.asks, id) })
}

// No run of a form has a field that is not in scope, and a respondent who answers everything has each field that every path collects.
func TestRunsAgree(t *testing.T) {
	fields, every, own, forms := 0, 0, 0, sizetest.Of(*forms, 300, 3000)
	for seed := range uint64(forms) {
		r := rand.New(rand.NewPCG(seed, 8))
		p := randomPlan(r)
		f := p.form(t, false)
		a := scope.Analyze(f)
		program := run.NewProgram(f)
		scopes := map[string]map[string]bool{}
		for range 5 {
			at := program.Begin(run.Input{Hidden: hiddenValues(p)})
			for range 25 {
				path := schema.Path{schema.Key("ending")}
				if n, i := f.Node(at.Node()); n != nil {
					path = model.NodePath(i)
				}
				if at.State() == run.Stopped { // it has left the step, but is nowhere else
					break
				}
				if scopes[at.Node()] == nil && at.Node() != model.StartID {
					scopes[at.Node()] = inScope(a, path)
				}
				for _, m := range at.Fields().Members() {
					if _, in := scopes[at.Node()][m.Key]; !in && at.Node() != model.StartID {
						t.Fatalf("seed %d: %s has a value at %s, but is not in scope: %v\n%+v", seed, m.Key, at.Node(), at.Path(), p)
					}
					fields++
				}
				for id, always := range scopes[at.Node()] {
					if always && !at.Fields().Has(id) {
						t.Fatalf("seed %d: %s has no value at %s, but every path collects it: %v\n%+v", seed, id, at.Node(), at.Path(), p)
					}
					if always {
						every++
					}
				}
				next, answered := randomEvent(r, program, at)
				if next == nil {
					break
				}
				own += answered
				after, err := at.Do(next)
				if err != nil {
					continue
				}
				at = after
			}
		}
	}
	t.Logf("%d fields in scope, %d on every path, %d answers", fields, every, own)
	if fields < forms || every < forms || own < forms {
		t.Error("too few cases")
	}
}

func hiddenValues(p plan) *schema.Object {
	o := schema.NewObject()
	for _, key := range p.hidden {
		o = o.With(key, "given")
	}
	return o
}

// randomEvent returns an event for a moment, nil if there is none, and how many answers are in it. A next button is pressed with all
// answers, another one with some.
func randomEvent(r *rand.Rand, program *run.Program, at *run.Run) (run.Event, int) {
	switch at.State() {
	case run.Asking:
		step := program.Node(at.Node()).Config.(*model.Step)
		answers := map[string]any{}
		var buttons []*model.Component
		for _, c := range step.Components {
			if run.PressOf(c) != run.NoPress {
				buttons = append(buttons, c)
			}
		}
		if len(buttons) == 0 {
			return nil, 0
		}
		button := buttons[r.IntN(len(buttons))]
		for _, c := range step.Components {
			if c.Category == model.Field && (run.PressOf(button) == run.PressNext || r.IntN(2) == 0) {
				answers[c.ID] = "x"
			}
		}
		return run.Press{Button: button.ID, Answers: answers}, len(answers)
	case run.Flowing:
		return run.Result{}, 0
	case run.Routing:
		choices := at.Choices()
		return run.Choose{Port: choices[r.IntN(len(choices))]}, 0
	case run.Ended, run.Stopped: // no event follows
	}
	return nil, 0
}
