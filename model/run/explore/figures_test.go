package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/explore"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/sizetest"
)

// fewestWalks returns the least number of walks from the start that together take all of these edges, if each could be taken whatever was
// answered before. Since a walk can go round a strongly connected component, the components count as points; an edge within one is taken
// by any walk through it. By Dilworth's theorem the number is that of the largest set of elements of which no walk contains two: a maximum
// antichain, which is found as the elements without a partner in a maximum matching of the pairs that a walk can contain in order.
func fewestWalks(edges []model.Edge) int {
	index := map[string]int{}
	at := func(id string) int {
		if _, ok := index[id]; !ok {
			index[id] = len(index)
		}
		return index[id]
	}
	for _, e := range edges {
		at(e.From)
		at(string(e.To))
	}
	n := len(index)
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
	}
	for _, e := range edges {
		reach[at(e.From)][at(string(e.To))] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	// The elements are the edges between components, and the components with edges inside.
	type element struct{ from, to int }
	var elements []element
	for _, e := range edges {
		a, b := at(e.From), at(string(e.To))
		same := func(of element) bool {
			return of.from == a && of.to == a || reach[of.from][a] && reach[a][of.from] && reach[of.to][a] && reach[a][of.to]
		}
		if a != b && !reach[b][a] {
			elements = append(elements, element{a, b})
		} else if !slices.ContainsFunc(elements, same) {
			elements = append(elements, element{a, a})
		}
	}
	partner := make([]int, len(elements))
	for i := range partner {
		partner[i] = -1
	}
	var match func(i int, seen []bool) bool
	match = func(i int, seen []bool) bool {
		for j, of := range elements {
			a, b := elements[i].to, of.from
			if i == j || seen[j] || a != b && !reach[a][b] {
				continue
			}
			seen[j] = true
			if partner[j] < 0 || match(partner[j], seen) {
				partner[j] = i
				return true
			}
		}
		return false
	}
	walks := len(elements)
	for i := range elements {
		if match(i, make([]bool, len(elements))) {
			walks--
		}
	}
	return walks
}

func TestFewestWalks(t *testing.T) {
	for text, want := range map[string]int{
		"":                                0,
		"s>a":                             1,
		"s>a a>b":                         1,
		"s>a a>b a>c":                     2,
		"s>a a>b a>c b>d c>d":             2,
		"s>a a>b b>a a>c":                 1, // round and on
		"s>a a>a":                         1,
		"s>a a>b a>c b>d c>d d>e d>f":     2,
		"s>a a>b a>c b>a":                 1,
		"s>a a>b a>c a>d b>e c>e e>f":     3,
		"s>a a>b b>a a>c c>d d>c a>e":     2,
		"s>a a>b a>c b>d c>d d>a":         1,
		"s>a a>b a>c b>b c>c":             2,
		"s>a a>b b>c c>d a>c a>d b>d":     4, // no walk skips what it takes: a>b>c>d, a>c, a>d, a>b>d share at most a>b and c>d
		"s>a s>b a>c b>c c>d c>e c>f":     3,
		"s>a a>b b>a a>c c>d d>c c>e":     1,
		"s>a a>b b>a a>x a>y x>z y>z":     2,
		"s>a a>b b>c c>b c>d d>e a>d":     2,
		"s>a a>b a>c b>d b>e c>d c>e":     4,
		"s>a a>b a>c b>d b>e c>d d>f":     3,
		"s>a a>$ b>$":                     2, // b cannot be reached, and is not asked about
		"s>a a>b b>c c>a a>d d>e e>d":     1,
		"s>a a>b a>c b>d c>d d>e e>a":     1,
		"s>a a>b a>c a>d b>$ c>$ d>$":     3,
		"s>a a>b b>$ a>$":                 2,
		"s>a a>b b>d a>c c>d d>b d>c":     2,
		"s>a a>b a>c b>c c>b b>d c>e":     2,
		"s>a a>b b>c c>$ a>c b>$":         3,
		"s>a a>a a>b b>b b>$":             1,
		"s>a a>b a>c b>x c>x x>y x>z":     2,
		"s>a a>b a>c b>x c>x x>y x>z a>x": 3,
	} {
		var edges []model.Edge
		for e := range strings.FieldsSeq(text) {
			from, to, _ := strings.Cut(e, ">")
			edges = append(edges, model.Edge{From: from, Out: model.Out{To: model.Pointer(to)}})
		}
		if got := fewestWalks(edges); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// figures are how many scenarios forms have, beside the least number that could be enough.
type figures struct{ scenarios, fewest, edges []int }

func (f *figures) add(t *testing.T, name string, form *model.Form) {
	t.Helper()
	result, err := explore.Explore(context.Background(), run.NewProgram(form), explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var taken []model.Edge
	for _, e := range form.Edges() {
		if slices.Contains(result.Taken, scenario.Edge{From: e.From, Port: e.Port}) {
			taken = append(taken, e)
		}
	}
	if strings.HasPrefix(name, "random") && len(taken) < 8 {
		return // hardly anything of it can be reached
	}
	n, fewest := len(result.Scenarios), fewestWalks(taken)
	if n < fewest {
		t.Errorf("%s: %d scenarios take what needs %d", name, n, fewest)
	}
	if !strings.HasPrefix(name, "random") {
		t.Logf("%-40s %3d nodes, %3d of %3d edges taken, %2d scenarios, at least %2d", name, len(form.Nodes), len(taken), len(form.Edges()), n, fewest)
	}
	f.scenarios, f.fewest, f.edges = append(f.scenarios, n), append(f.fewest, fewest), append(f.edges, len(taken))
}

func (f *figures) report(t *testing.T, name string) {
	t.Helper()
	more, sum, least := 0, 0, 0
	for i, n := range f.scenarios {
		sum, least = sum+n, least+f.fewest[i]
		if n > f.fewest[i] {
			more++
		}
	}
	t.Logf("%s: %d forms, median %d edges, median %d scenarios, at least %d; in all %d scenarios, at least %d; %d forms have more than the least",
		name, len(f.scenarios), median(f.edges), median(f.scenarios), median(f.fewest), sum, least, more)
}

func median(of []int) int { return slices.Sorted(slices.Values(of))[len(of)/2] }

// TestFigures prints how many scenarios are generated for the example forms and for random ones, beside a lower bound, which ignores the
// conditions.
func TestFigures(t *testing.T) {
	var examples, random figures
	paths, err := filepath.Glob("../../../server/templates/files/*[^s].json")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d, _, _ := envelope.Read(text)
		examples.add(t, filepath.Base(path), d.Form)
	}
	examples.report(t, "examples")
	for seed := uint64(0); len(random.edges) < sizetest.Of(0, 40, 300); seed++ {
		if form := decode(t, randomForm{Rand: rand.New(rand.NewPCG(seed, 1))}.form()); len(form.Edges()) >= 8 {
			random.add(t, "random", form)
		}
	}
	random.report(t, "random forms")
}

func TestFiguresOfRealForms(t *testing.T) {
	var f figures
	for _, file := range realforms.Files(t) {
		d, _, _ := envelope.Read(file.Text)
		f.add(t, file.Name, d.Form)
	}
	f.report(t, "real forms")
}

// BenchmarkExplore generates the scenarios of a form of 200 nodes: steps that ask for fields, flows, and routers that compare them.
func BenchmarkExplore(b *testing.B) {
	for _, apart := range []int{1, 4, 10} {
		b.Run(fmt.Sprintf("apart=%d", apart), func(b *testing.B) { benchmarkExplore(b, large(apart)) })
	}
	// An edge that is never taken, so that the search has to go on to its limit.
	b.Run("never", func(b *testing.B) { benchmarkExplore(b, strings.Replace(large(10), `["pro","team"]`, `["none"]`, 1)) })
}

func benchmarkExplore(b *testing.B, src string) {
	b.Helper()
	p := run.NewProgram(decode(b, src))
	scenarios, taken, edges := 0, 0, len(p.Form().Edges())
	for b.Loop() {
		result, err := explore.Explore(context.Background(), p, explore.Options{})
		if err != nil {
			b.Fatal(err)
		}
		scenarios, taken = len(result.Scenarios), len(result.Taken)
	}
	b.ReportMetric(float64(scenarios), "scenarios")
	b.ReportMetric(100*float64(taken)/float64(edges), "%taken")
}

// BenchmarkCompare compares that form with one in which a bound of a rule differs.
func BenchmarkCompare(b *testing.B) {
	before, after := run.NewProgram(decode(b, large(4))), run.NewProgram(decode(b, strings.Replace(large(4), ",18]", ",21]", 1)))
	for b.Loop() {
		if _, err := explore.Compare(context.Background(), before, after, explore.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// large returns a form of 120 steps, 60 routers and 20 flows in twenty parts. Each part asks for three kinds of fields, and its routers
// compare them, and the field of a part that is so many parts earlier with a variable.
func large(apart int) string {
	var nodes []string
	add := func(format string, args ...any) { nodes = append(nodes, fmt.Sprintf(format, args...)) }
	step := func(id, to, components string) {
		add(`{"id":%q,"type":"STEP","config":{"components":[%s
			{"id":"go_%s","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":%q}}`, id, components, id, to)
	}
	router := func(id, operands, operator, to, fallback string) {
		add(`{"id":%q,"type":"ROUTER","config":{"rules":[{"id":"yes","condition":{"operator":"AND","operands":[
			{"operator":%q,"operands":[%s]}]},"next_node":%q}],"fallback":%q}}`, id, operator, operands, to, fallback)
	}
	const parts = 20
	for i := range parts {
		on := fmt.Sprintf("a%d", i+1)
		if i == parts-1 {
			on = model.EndingID
		}
		id := func(s string) string { return fmt.Sprintf("%s%d", s, i) }
		step(id("a"), id("r"), fmt.Sprintf(`{"id":"age%d","category":"FIELD","type":"NUMBER","required":true,"config":{}},`, i))
		router(id("r"), fmt.Sprintf(`"{{fields.age%d}}",18`, i), "GTE", id("b"), id("c"))
		step(id("b"), id("s"), fmt.Sprintf(`{"id":"plan%d","category":"FIELD","type":"DROPDOWN","config":{"options":[
			{"value":"free","label":"Free"},{"value":"pro","label":"Pro"},{"value":"team","label":"Team"}]}},`, i))
		step(id("c"), id("s"), "")
		router(id("s"), fmt.Sprintf(`"{{fields.plan%d}}",["pro","team"]`, i), "IN", id("f"), id("d"))
		add(`{"id":%q,"type":"FLOW","config":{"flow_id":"af_1","next_node":%q}}`, id("f"), id("t"))
		step(id("d"), id("t"), fmt.Sprintf(`{"id":"mail%d","category":"FIELD","type":"EMAIL","config":{}},`, i))
		router(id("t"), fmt.Sprintf(`"{{vars.level%d}}","{{fields.age%d}}"`, max(0, i-apart), max(0, i-apart)), "GT", id("e"), id("g"))
		step(id("e"), on, "")
		step(id("g"), on, fmt.Sprintf(`{"id":"ok%d","category":"FIELD","type":"LEGAL","required":true,"config":{"text":"x"}},`, i))
	}
	return fmt.Sprintf(`{"name":"Large","start":{"next_node":"a0"},"ending":{},"nodes":[%s]}`, strings.Join(nodes, ",\n"))
}
