package rules_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/rules"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// random makes routers.
type random struct{ *rand.Rand }

func (r random) pick(of ...string) string { return of[r.IntN(len(of))] }

// names are what random conditions read: fields of the step, and a few variables with any value.
var names = []string{
	"fields.age", "fields.age", "fields.n", "fields.plan", "fields.plan", "fields.color", "fields.tags", "fields.ok", "fields.code",
	"fields.name", "fields.email", "fields.site", "fields.day", "fields.hid", "vars.v", "vars.v", "vars.w", "vars.o.p", "context.c",
}

// literals are what they are compared with, by the name of a field; others are compared with any of them.
var literals = map[string][]string{
	"fields.age":   {"18", "65", "120", "130", "0", "-1", "18.0", `"18"`, `"a"`, "17.5"},
	"fields.n":     {"5", "5.0", "6", `"5"`, "1e1", "9007199254740992", "9007199254740993"},
	"fields.plan":  {`"free"`, `"team"`, `"gold"`, "5"},
	"fields.color": {`"red"`, `"blue"`, `"other"`, `"another"`},
	"fields.tags":  {`"a"`, `"b"`, `"c"`, `["a"]`, `["a","b"]`, `["b","a"]`, `[]`},
	"fields.ok":    {"true", "false", `"true"`, `"yes"`},
	"fields.code":  {`"ab"`, `"a"`, `"abcde"`, `"b"`, `"12"`, "12", `""`},
	"fields.name":  {`"a"`, `"ab"`, `"b"`, `" a"`, `""`, `"5"`, "5"},
	"fields.email": {`"ann@example.com"`, `".com"`, `"@example.com"`, `"ann"`},
	"fields.site":  {`"https://example.com"`, `"example.com"`, `"https"`},
	"fields.day":   {`"2020-01-01"`, `"2020-01-02"`, `"2021"`, `"today"`},
	"":             {"5", `"5"`, `"5.0"`, `"a"`, `"ab"`, "true", `"true"`, "null", `[]`, `["a"]`, `{}`, `""`, "6", "-1", `"2020-01-01"`},
}

func (r random) literal(name string) string {
	of := literals[name]
	if of == nil {
		of = literals[""]
	}
	return r.pick(of...)
}

func (r random) comparison(names []string) string {
	name := r.pick(names...)
	operator := flow.Operators[r.IntN(len(flow.Operators))]
	if r.IntN(2) == 0 {
		operator, _ = flow.OperatorOf(r.pick("EQ", "EQ", "GT", "LTE", "IN", "STARTS_WITH", "EXISTS"))
	}
	operands := []string{`"{{` + name + `}}"`}
	for len(operands) < operator.Operands {
		operands = append(operands, r.literal(name))
	}
	if strings.HasSuffix(operator.Name, "IN") && r.IntN(4) > 0 {
		operands[1] = "[" + r.literal(name) + "," + r.literal(name) + "]"
	}
	switch r.IntN(30) {
	case 0:
		if len(operands) > 1 {
			operands[1] = `"{{` + r.pick(names...) + `}}"`
		}
	case 1:
		slices.Reverse(operands)
	case 2:
		return `{"operator":"ODD","operands":[` + operands[0] + `]}`
	case 3:
		operands[0] = r.pick(`"{{functions.length(`+name+`)}}"`, `"a{{`+name+`}}"`, `"{{`+name+` ?? 'a'}}"`)
	}
	return `{"operator":"` + operator.Name + `","operands":[` + strings.Join(operands, ",") + `]}`
}

func (r random) condition(depth int, names []string) string {
	if depth == 0 || r.IntN(3) == 0 {
		return r.comparison(names)
	}
	of := make([]string, 1+r.IntN(3))
	for i := range of {
		of[i] = r.condition(depth-1, names)
	}
	return `{"operator":"` + r.pick("AND", "OR") + `","operands":[` + strings.Join(of, ",") + `]}`
}

// conditions returns the conditions of a router, which read few variables so that many of them never decide. Some occur twice.
func (r random) conditions() []string {
	few := []string{r.pick(names...), r.pick(names...), r.pick(names...)}[:1+r.IntN(3)]
	list := make([]string, 1+r.IntN(7))
	for i := range list {
		list[i] = r.condition(r.IntN(3), few)
		if i > 0 && r.IntN(12) == 0 {
			list[i] = list[r.IntN(i)]
		}
	}
	return list
}

// given are values that respondents and callers give.
func given(tb testing.TB) []any {
	tb.Helper()
	list := []any{
		"17", schema.Number("18.5"), schema.Number("64"), "66", "1e2", schema.Number("119.999"), schema.Number("5e0"), "5e0", "50e-1", "abc",
		"aa", "ba",
		"x", "bob@example.org", "ann@test.com", "2019-12-31", "2021-06-01", "other", "another", "something", "true", false, "free team", "10",
		schema.Number("9007199254740992.5"), schema.Number("9007199254740994"),
		[]any{"a", "c"},
		[]any{"b"},
		[]any{"x", schema.Number("5")},
		[]any{[]any{"a"}},
		schema.NewObject(schema.Member{Key: "p", Value: "a"}), "https://example.com/ab", "http://example.com", "1234",
	}
	for _, of := range literals {
		for _, text := range of {
			v, problems := schema.Decode([]byte(text))
			if len(problems) > 0 {
				tb.Fatal(problems)
			}
			list = append(list, v)
			if s, ok := v.(string); ok {
				list = append(list, s+"\x00", s+"a", "a"+s)
			}
		}
	}
	// The order of a map must not change what a seed makes.
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(string(schema.Encode(a)), string(schema.Encode(b))) })
	return list
}

// values are what each variable can have.
type values map[string][]any

// undefined is the value of a variable that has none.
type undefined struct{}

// possible returns what each variable can have: an accepted answer, or any value.
func possible(tb testing.TB, f *model.Form) values {
	tb.Helper()
	all := values{}
	for _, name := range names {
		c, _, _ := f.Component(strings.TrimPrefix(name, "fields."))
		list := []any{undefined{}}
		for _, v := range given(tb) {
			if c == nil || name == "fields.hid" {
				list = append(list, v)
			} else if a, refusal := answer.Judge(c, v, nil); refusal == nil && a != nil {
				list = append(list, a)
			}
		}
		all[name] = list
	}
	return all
}

func envOf(at map[string]any) *template.Env {
	return &template.Env{Lookup: func(namespace string, path schema.Path) (any, bool) {
		for n := len(path); n > 0; n-- {
			if v, ok := at[namespace+"."+path[:n].String()]; ok {
				if v == any(undefined{}) {
					return nil, false
				}
				return template.At(v, path[n:])
			}
		}
		return nil, false
	}}
}

// decides returns the rules that can decide: unknown ones, and the first that applies.
func decides(conditions []*condition.Condition, env *template.Env) []int {
	var list []int
	for i, c := range conditions {
		switch c.Judge(env).Verdict {
		case condition.False:
		case condition.Unknown:
			list = append(list, i)
		case condition.True:
			return append(list, i)
		}
	}
	return list
}

func compiled(f *model.Form) []*condition.Condition {
	var list []*condition.Condition
	for _, rule := range f.Nodes[1].Config.(*model.Router).Rules {
		list = append(list, condition.Compile(rule.Condition))
	}
	return list
}

var (
	routers     = flag.Int("routers", 0, "how many random routers TestRandomRouters makes")
	assignments = flag.Int("assignments", 0, "how many random assignments it judges for each router with findings")
)

// TestRandomRouters compares the findings about random routers with random assignments, and counts the rules that never decide for any
// combination of candidates and no assignment but are not found.
func TestRandomRouters(t *testing.T) {
	counts := map[rules.Kind]int{}
	all, dead, missed, examples, moves := 0, 0, 0, 0, 0
	judged := 0
	for seed := range uint64(sizetest.Of(*routers, 20, 400)) {
		r := random{rand.New(rand.NewPCG(seed, 5))}
		f := form(t, fields, r.conditions()...)
		conditions := compiled(f)
		all += len(conditions)
		findings := rules.Form(f)
		never := make([]bool, len(conditions))
		impossible := map[*rules.Finding]*condition.Condition{}
		for i := range findings {
			of := &findings[i]
			counts[of.Kind]++
			if of.Kind == rules.Impossible {
				impossible[of] = positive(t, f, of)
				continue
			}
			at := model.PlaceOf(of.Path).Rule
			never[at] = true
			if of.Example != nil {
				examples++
				shows(t, seed, conditions, at, of)
			}
			moves += moved(t, seed, f, at, of)
		}
		alive := make([]bool, len(conditions))
		exhausted := exhaust(f, conditions, alive)
		if len(findings) > 0 || exhausted && slices.Contains(alive, false) {
			can := possible(t, f)
			text := source(f)
			read := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.Contains(text, name) })
			for range sizetest.Of(*assignments, 400, 2000) {
				at := map[string]any{}
				for _, name := range read {
					at[name] = can[name][r.IntN(len(can[name]))]
				}
				env := envOf(at)
				judged++
				for _, i := range decides(conditions, env) {
					if alive[i] = true; never[i] {
						t.Fatalf("seed %d: rule %d decides for %s, but %+v\n%s", seed, i, shown(at), findings, source(f))
					}
				}
				for of, c := range impossible {
					if c.Judge(env).Verdict != condition.False {
						t.Fatalf("seed %d: %s: %s; but it does not for %s", seed, of.Path, of.Detail, shown(at))
					}
				}
			}
		}
		for i := range conditions {
			if alive[i] || !exhausted {
				continue
			}
			if dead++; !never[i] {
				missed++
				t.Logf("seed %d: rule %d never decides, as far as values were tried: %s", seed, i, source(f))
			}
		}
	}
	t.Logf("%d rules, %v, %d examples, %d moves, %d assignments; %d rules never decide for any candidates, of which %d are not found",
		all, counts, examples, moves, judged, dead, missed)
}

// source returns the conditions of a router.
func source(f *model.Form) string {
	var lines []string
	for _, rule := range f.Nodes[1].Config.(*model.Router).Rules {
		c, _ := flow.ParseCondition(rule.Condition)
		lines = append(lines, "\n"+fmt.Sprint(c))
	}
	return strings.Join(lines, "")
}

func shown(at map[string]any) string {
	var members []schema.Member
	for _, name := range names {
		if v, ok := at[name]; ok && v != any(undefined{}) {
			members = append(members, schema.Member{Key: name, Value: v})
		}
	}
	return string(schema.Encode(schema.NewObject(members...)))
}

// positive returns the comparison of a finding without its negation.
func positive(t *testing.T, f *model.Form, of *rules.Finding) *condition.Condition {
	t.Helper()
	v, ok := schema.Lookup(f.Tree(), of.Path)
	o, _ := v.(*schema.Object)
	if !ok || o == nil {
		t.Fatalf("%s is not in the form", of.Path)
	}
	row, ok := flow.OperatorOf(o.Text("operator"))
	if !ok {
		t.Fatalf("%s is not a comparison", of.Path)
	}
	if row.Negates != "" {
		o = o.With("operator", row.Negates)
	}
	return condition.Compile(o)
}

// shows checks an example.
func shows(t *testing.T, seed uint64, conditions []*condition.Condition, rule int, of *rules.Finding) {
	t.Helper()
	at := map[string]any{}
	for _, v := range of.Example.Values {
		if v.Defined {
			at[v.Variable.Namespace+"."+v.Variable.Path.String()] = v.Value
		}
	}
	env := envOf(at)
	if got := decides(conditions, env); !slices.Equal(got, []int{of.Example.Decides}) || of.Example.Decides >= rule ||
		conditions[rule].Judge(env).Verdict != condition.True {
		t.Fatalf("seed %d: the example %s of rule %d shows %v, want %d", seed, shown(at), rule, got, of.Example.Decides)
	}
}

// moved checks the moves among the fixes of a finding, and returns how many there are.
func moved(t *testing.T, seed uint64, f *model.Form, rule int, of *rules.Finding) int {
	t.Helper()
	moves := 0
	for _, fix := range of.Fixes {
		if fix.Change != rules.Move {
			continue
		}
		moves++
		config := f.Nodes[1].Tree().Object("config")
		list := slices.Clone(config.List("rules"))
		it := list[rule]
		list = slices.Insert(slices.Delete(list, rule, rule+1), fix.Before, it)
		tree, err := schema.Set(f.Tree(), model.NodePath(1).Key("config").Key("rules"), list)
		if err != nil {
			t.Fatal(err)
		}
		before := deadIDs(f)
		for id := range deadIDs(model.FromTree(tree.(*schema.Object))) {
			if !before[id] || id == it.(*schema.Object).Text("id") {
				t.Fatalf("seed %d: after %+v rule %s never decides", seed, fix, id)
			}
		}
	}
	return moves
}

// deadIDs returns the ids of the rules that never decide.
func deadIDs(f *model.Form) map[string]bool {
	ids := map[string]bool{}
	for _, of := range rules.Form(f) {
		if of.Kind != rules.Impossible {
			ids[f.Nodes[1].Rule(model.PlaceOf(of.Path).Rule).ID] = true
		}
	}
	return ids
}

// exhaust notes the rules that decide for some combination of candidates. It returns false if there are too many.
func exhaust(f *model.Form, conditions []*condition.Condition, alive []bool) bool {
	var parsed []flow.Condition
	for _, rule := range f.Nodes[1].Config.(*model.Router).Rules {
		c, _ := flow.ParseCondition(rule.Condition)
		parsed = append(parsed, c)
	}
	combinations := []map[string]any{{}}
	for _, of := range explore.NewTrier(f).Try(parsed) {
		var more []map[string]any
		for _, v := range of.Values {
			if !v.Accepted {
				continue
			}
			for _, base := range combinations {
				at := maps.Clone(base)
				if v.Defined {
					at[of.Namespace+"."+of.Key] = v.Value
				}
				more = append(more, at)
			}
		}
		if combinations = more; len(more) > 20_000 {
			return false
		}
	}
	for _, at := range combinations {
		for _, i := range decides(conditions, envOf(at)) {
			alive[i] = true
		}
	}
	return true
}
