package explore_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// consent is a form with a limit of age, a flow and a step for minors.
const consent = `{"name":"Consent","start":{"next_node":"ask"},"ending":{},"nodes":[
	{"id":"ask","type":"STEP","config":{"components":[
		{"id":"age","category":"FIELD","type":"NUMBER","required":true,"config":{"min_value":0}},
		{"id":"mail","category":"FIELD","type":"EMAIL","config":{}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"adult"}},
	{"id":"adult","type":"ROUTER","config":{"rules":[{"id":"yes","condition":{"operator":"AND","operands":[
		{"operator":"GTE","operands":["{{fields.age}}",18]}]},"next_node":"check"}],"fallback":"minor"}},
	{"id":"check","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}},
	{"id":"minor","type":"STEP","config":{"components":[
		{"id":"parent","category":"FIELD","type":"LEGAL","required":true,"config":{"text":"x"}},
		{"id":"ok","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"$ending"}}]}`

func TestCompare(t *testing.T) {
	tests := []struct {
		name     string
		replace  []string
		want     []string
		scenario string // a part of the first one
	}{
		{"nothing", nil, nil, ""},
		{"a text", []string{`"text":"Continue"`, `"text":"Go on"`}, nil, ""},
		{"a bound of a rule", []string{`"{{fields.age}}",18`, `"{{fields.age}}",21`}, []string{`now goes to "minor" instead of "check", from "ask"`}, `"age":18`},
		{"another rule", []string{`"GTE","operands":["{{fields.age}}",18]`, `"NOT_BETWEEN","operands":["{{fields.age}}",-1,17.9]`}, []string{`now goes to "check" instead of "minor", from "ask"`}, `"age":17.95`},
		{"a rule that says the same in another way", []string{`"GTE","operands":["{{fields.age}}",18]`, `"NOT_BETWEEN","operands":["{{fields.age}}",-1,18]`, `"next_node":"check"`, `"next_node":"check"`}, []string{`now goes to "minor" instead of "check", from "ask"`}, `"age":18`},
		{"a target", []string{`"next_node":"check"`, `"next_node":"$ending"`}, []string{`now goes to "$ending" instead of "check", from "ask"`}, ""},
		{"a field more", []string{`{"id":"mail"`, `{"id":"name","category":"FIELD","type":"TEXT"},{"id":"mail"`}, []string{`now asked "name" at "ask"`}, ""},
		{"a field less", []string{`{"id":"mail","category":"FIELD","type":"EMAIL","config":{}},`, ``}, []string{`no longer asked "mail" at "ask"`}, ""},
		{"a required field", []string{`"EMAIL","config"`, `"EMAIL","required":true,"config"`}, []string{`no longer gets on to "check" from "ask"`}, ""},
		{"an optional field", []string{`"required":true,"config":{"min_value":0}`, `"config":{"min_value":0}`}, []string{`now gets on to "minor" from "ask"`}, ""},
		{"a bound of a field", []string{`"min_value":0`, `"min_value":16`}, []string{`no longer gets on to "minor" from "ask"`}, ""},
		{"a button less", []string{`,
		{"id":"ok","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}`, ``}, []string{`can no longer finish from "minor"`}, ""},
		{"no way on", []string{`"fallback":"minor"`, `"fallback":""`}, []string{`can no longer finish from "ask"`}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := run.NewProgram(decode(t, consent))
			b := run.NewProgram(decode(t, strings.NewReplacer(tt.replace...).Replace(consent)))
			found, err := explore.Compare(context.Background(), a, b, explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range found.Differences {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if len(found.Differences) > 0 {
				if text := string(schema.Encode(found.Differences[0].Scenario.Tree())); !strings.Contains(text, tt.scenario) {
					t.Errorf("scenario %s, want %s in it", text, tt.scenario)
				}
			}
		})
	}
}

var pairs = flag.Int("pairs", 0, "how many pairs of random forms TestCompareRandomForms makes")

// visible returns what people see of a path: no routers.
func visible(p *run.Program, path []string) []string {
	return slices.DeleteFunc(slices.Clone(path), func(id string) bool {
		n := p.Node(id)
		return n != nil && n.Type == model.RouterNode
	})
}

// askedOn returns the fields that a path asks for.
func askedOn(p *run.Program, path []string) []string {
	var ids []string
	for _, id := range path {
		if n := p.Node(id); n != nil {
			if step, ok := n.Config.(*model.Step); ok {
				for _, c := range step.Components {
					if answertype.Of(c) != answertype.None {
						ids = append(ids, id+"."+c.ID)
					}
				}
			}
		}
	}
	return ids
}

// TestCompareRandomForms changes random forms at random. What random runs show must be found, and what is found must be so.
func TestCompareRandomForms(t *testing.T) {
	differ, found, missed, pairs := 0, 0, 0, sizetest.Of(*pairs, 40, 600)
	for seed := range uint64(pairs) {
		r := rand.New(rand.NewPCG(seed, 2))
		src := randomForm{Rand: r}.form()
		changes := [][2]string{
			{`"required":true`, `"required":false`},
			{`"required":false`, `"required":true`},
			{`,3]`, `,4]`},
			{`,"a"]`, `,"b"]`},
			{`"$ending"`, `"n0"`},
			{`"next_node":"n1"`, `"next_node":"$ending"`},
			{`"GT"`, `"LT"`},
			{`"EQ"`, `"NEQ"`},
			{`"min_value":3`, `"min_value":4`},
			{`"fallback":"n2"`, `"fallback":"n1"`},
			{`"AND"`, `"OR"`},
			{`"type":"NUMBER"`, `"type":"TEXT"`},
		}
		change := changes[r.IntN(len(changes))]
		a, b := run.NewProgram(decode(t, src)), run.NewProgram(decode(t, strings.Replace(src, change[0], change[1], 1)))
		differences, err := explore.Compare(context.Background(), a, b, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differences.Differences {
			before, after := scenario.Replay(a, &d.Scenario), scenario.Replay(b, &d.Scenario)
			if slices.Equal(before.Path(), after.Path()) && slices.Equal(askedOn(a, before.Path()), askedOn(b, after.Path())) {
				t.Errorf("seed %d: %s, but %v in both\n%s", seed, d, before.Path(), src)
			}
			found++
		}
		shown := false
		for range 30 {
			randomRun(r, a, 12, func(at *run.Run) {
				if shown {
					return
				}
				s := scenario.Record("x", run.Input{}, at)
				in := at.Input()
				s.Context, s.Vars, s.Hidden = in.Context, in.Vars, in.Hidden
				before, after := scenario.Replay(a, &s).Path(), scenario.Replay(b, &s).Path()
				shown = !slices.Equal(visible(a, before), visible(b, after)) || !slices.Equal(askedOn(a, before), askedOn(b, after))
				if shown && len(differences.Differences) == 0 {
					missed++
					t.Logf("seed %d: %v, now %v, not found: %v\n%+v\n%s", seed, before, after, change, s, src)
				}
			})
		}
		if shown {
			differ++
		}
	}
	t.Logf("%d of %d pairs differ in random runs, %d of them missed; %d differences found", differ, pairs, missed, found)
}

// chain returns a form of n routers in a row after a step. Each compares a variable of its own and leads to the next one either way; only
// the last one leads to two steps.
func chain(n int, value string) string {
	var nodes []string
	step := func(id, to string) {
		nodes = append(nodes, fmt.Sprintf(`{"id":%q,"type":"STEP","config":{"components":[
			{"id":"go%s","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":%q}}`, id, id, to))
	}
	router := func(i int, value, to, fallback string) {
		nodes = append(nodes, fmt.Sprintf(`{"id":"r%d","type":"ROUTER","config":{"rules":[{"id":"yes","condition":{"operator":"AND","operands":[
			{"operator":"EQ","operands":["{{context.v%d}}",%q]}]},"next_node":%q}],"fallback":%q}}`, i, i, value, to, fallback))
	}
	step("first", "r0")
	for i := range n - 1 {
		to := fmt.Sprintf("r%d", i+1)
		router(i, "a", to, to)
	}
	router(n-1, value, "yes", "no")
	step("yes", "$ending")
	step("no", "$ending")
	return fmt.Sprintf(`{"name":"Chain","start":{"next_node":"first"},"ending":{},"nodes":[%s]}`, strings.Join(nodes, ","))
}

// TestCompareLooksThroughManyRouters checks that the work does not double with each router, also if one form has a router more or less.
func TestCompareLooksThroughManyRouters(t *testing.T) {
	const n = 40
	skip := func(src, from, to string) string {
		return strings.ReplaceAll(src, `"next_node":"`+from+`"`, `"next_node":"`+to+`"`)
	}
	for name, forms := range map[string][2]string{
		"the same routers": {chain(n, "a"), chain(n, "b")},
		"a router less":    {chain(n, "a"), skip(chain(n, "b"), "r0", "r1")},
		"a router more":    {skip(chain(n, "a"), "r0", "r1"), chain(n, "b")},
		"another order":    {skip(chain(n, "a"), "r0", "r5"), chain(n, "b")},
	} {
		found, err := explore.Compare(context.Background(), run.NewProgram(decode(t, forms[0])), run.NewProgram(decode(t, forms[1])), explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range found.Differences {
			got = append(got, d.String())
		}
		slices.Sort(got)
		want := []string{`now goes to "no" instead of "yes", from "first"`, `now goes to "yes" instead of "no", from "first"`}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestCompareStops checks that a comparison ends when its context does, whatever it is doing.
func TestCompareStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := run.NewProgram(decode(t, chain(5, "a")))
	if _, err := explore.Compare(ctx, p, p, explore.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := explore.Explore(ctx, p, explore.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestCompareChoices checks that a way that people can choose at a router in only one of the forms is found, and one that a router decides
// in only one of them.
func TestCompareChoices(t *testing.T) {
	const odd = `{"operator":"ODD","operands":["{{context.x}}"]}`
	form := func(first, second string) string {
		return `{"name":"Choices","start":{"next_node":"ask"},"ending":{},"nodes":[
			{"id":"ask","type":"STEP","config":{"next_node":"r","components":[{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"x"}}]}},
			{"id":"r","type":"ROUTER","config":{"fallback":"no","rules":[
				{"id":"a","condition":{"operator":"AND","operands":[` + first + `]},"next_node":"$ending"},
				{"id":"b","condition":{"operator":"AND","operands":[` + second + `]},"next_node":"$ending"}]}},
			{"id":"no","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}]}`
	}
	equal := func(n string) string { return comparison("EQ", `"{{context.v}}"`, n) }
	for _, x := range []struct {
		name, before, after string
		want                []string
	}{
		{"the same", form(odd, equal("3")), form(odd, equal("3")), nil},
		{"another value", form(odd, equal("3")), form(odd, equal("4")), []string{
			`no longer gets on to "no" from "r"`, `now gets on to "no" from "r"`, `no longer gets on to "$ending" from "r"`,
			`now gets on to "$ending" from "r"`,
		}},
		{"decided now", form(odd, equal("3")), form(equal("3"), equal("3")), []string{
			`now goes to "$ending" instead of "r", from "ask"`, `now goes to "no" instead of "r", from "ask"`,
		}},
		{"decided no longer", form(equal("3"), equal("3")), form(odd, equal("3")), []string{
			`now goes to "r" instead of "$ending", from "ask"`, `now goes to "r" instead of "no", from "ask"`,
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			found, err := explore.Compare(context.Background(), run.NewProgram(decode(t, x.before)), run.NewProgram(decode(t, x.after)), explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range found.Differences {
				got = append(got, d.String())
			}
			slices.Sort(got)
			slices.Sort(x.want)
			if diff := cmp.Diff(x.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
