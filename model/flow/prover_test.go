package flow_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// randomEdit returns the form after one random edit, of the editor or of the
// document.
func randomEdit(t *testing.T, r *rand.Rand, f *model.Form) *model.Form {
	t.Helper()
	pointers := []string{"a", "b", "c", "d", "gone", "$ending", ""}
	pointer := pointers[r.IntN(len(pointers))]
	tree := f.Tree()
	set := func(v any, p ...schema.Elem) *model.Form {
		g, err := f.Set(p, v)
		if err != nil {
			return f // a place that this form does not have
		}
		return g
	}
	n := len(f.Nodes)
	if n == 0 || r.IntN(10) == 0 {
		return randomPlan(r).form()
	}
	i := r.IntN(n)
	nodes, config := schema.Key("nodes"), schema.Key("config")
	at := []schema.Elem{nodes, schema.Index(i), config}
	switch r.IntN(18) {
	case 0:
		return set(pointer, schema.Key("start"), schema.Key("next_node"))
	case 1:
		return set(pointer, append(at, schema.Key("next_node"))...)
	case 2:
		return set(pointer, append(at, schema.Key("fallback"))...)
	case 3:
		return set("Name "+strconv.Itoa(r.IntN(3)), nodes, schema.Index(i), schema.Key("alias"))
	case 4, 5:
		return set(model.Point{X: r.IntN(100)}.Tree(), nodes, schema.Index(i), schema.Key("coordinates"))
	case 6:
		return set(planIDs[r.IntN(4)], nodes, schema.Index(i), schema.Key("id"))
	case 7:
		return set(planTypes[r.IntN(len(planTypes))], nodes, schema.Index(i), schema.Key("type"))
	case 8, 9: // a new first component moves the buttons
		list := slices.Clone(f.Nodes[i].Tree().Object("config").List("components"))
		c := object(
			"id",
			"k"+strconv.Itoa(r.IntN(5)),
			"type",
			planComponents[r.IntN(len(planComponents))],
			"config",
			object("next_node", pointer),
		)
		return set(slices.Insert(list, r.IntN(len(list)+1), any(c)), append(at, schema.Key("components"))...)
	case 10:
		list := slices.Clone(f.Nodes[i].Tree().Object("config").List("components"))
		if len(list) == 0 {
			return f
		}
		return set(slices.Delete(list, 0, 1), append(at, schema.Key("components"))...)
	case 11:
		list := slices.Clone(f.Nodes[i].Tree().Object("config").List("rules"))
		return set(append(list, any(object("id", "x"+strconv.Itoa(len(list)), "next_node", pointer))), append(at, schema.Key("rules"))...)
	case 12: // the alias of a rule is not part of its port, its id is
		return set(
			"r"+strconv.Itoa(r.IntN(4)),
			append(at, schema.Key("rules"), schema.Index(0), schema.Key([]string{"id", "alias"}[r.IntN(2)]))...)
	case 13:
		j := r.IntN(n)
		list := slices.Clone(tree.List("nodes"))
		list[i], list[j] = list[j], list[i]
		return f.Derive(tree.With("nodes", list))
	case 14:
		list := slices.Delete(slices.Clone(tree.List("nodes")), i, i+1)
		return f.Derive(tree.With("nodes", list))
	case 15: // reorder or remove members
		members := slices.Clone(tree.Members())
		r.Shuffle(len(members), func(a, b int) { members[a], members[b] = members[b], members[a] })
		return f.Derive(schema.NewObject(members[:len(members)-r.IntN(2)]...))
	case 16:
		members := slices.Clone(f.Nodes[i].Tree().Object("config").Members())
		r.Shuffle(len(members), func(a, b int) { members[a], members[b] = members[b], members[a] })
		return set(schema.NewObject(members...), at...)
	default:
		return set([]any{nil, 7, object("resume_flow", true)}[r.IntN(3)], schema.Key([]string{"ending", "style", "name"}[r.IntN(3)]))
	}
}

func sameFinding(a, b flow.Finding) bool {
	return a.Problem.Path.Equal(b.Problem.Path) && a.Problem.Code == b.Problem.Code && a.Problem.Detail == b.Problem.Detail &&
		a.Node() == b.Node() && a.Port() == b.Port() && a.Round() == b.Round() &&
		slices.EqualFunc(a.Witness(), b.Witness(), func(x, y model.Edge) bool {
			return x.From == y.From && x.Port == y.Port && x.To == y.To && x.Path.Equal(y.Path)
		})
}

// A prover that follows edits finds what a new one finds.
func TestProverFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var p flow.Prover
	f := randomPlan(r).form()
	again := 0
	var last []flow.Finding
	for i := range 4000 {
		got, want := p.Prove(f), flow.Prove(f)
		if !slices.EqualFunc(got, want, sameFinding) {
			t.Fatalf("after %d edits:\n%s\nwant\n%s\nin %s", i, described(got), described(want), schema.Encode(f.Tree()))
		}
		if len(got) > 0 && len(last) == len(got) && &got[0] == &last[0] {
			again++
		}
		last = got
		f = randomEdit(t, r, f)
	}
	if again < 400 {
		t.Errorf("only %d of the edits needed no new proof", again)
	}
}

// A prover that quotes names does so also after one changed.
func TestProverQuotes(t *testing.T) {
	p := flow.Prover{Quoted: true}
	f := parse(t, `{"name":"f","start":{"next_node":"a"},"nodes":[{"id":"a","type":"ROUTER","alias":"A","config":{"fallback":"b"}},
	 {"id":"b","type":"FLOW","config":{"flow_id":"af_1"}}]}`)
	for _, step := range []struct{ path, value, want string }{
		{"name", "f", "leads nowhere: a journey through “A”, “b” ends here"},
		{"nodes[0].alias", "C", "leads nowhere: a journey through “C”, “b” ends here"},
		{"nodes[1].id", "", "cannot be reached: a journey through “C” stops there"},
	} {
		var err error
		if f, err = f.Set(path(t, step.path), step.value); err != nil {
			t.Fatal(err)
		}
		if got := described(p.Prove(f)); !strings.Contains(got, step.want) {
			t.Errorf("%s is %q: %s, want %s", step.path, step.value, got, step.want)
		}
	}
}

// The edits after which the prover keeps its findings.
func TestProverRemembers(t *testing.T) {
	const src = `{"name":"f","start":{"next_node":"a"},"nodes":[
	 {"id":"a","type":"STEP","alias":"A","config":{"next_node":"r","components":[{"id":"t","type":"TEXT"},
{"id":"n","type":"NEXT_BUTTON","config":{"text":"x"}},{"id":"j","type":"JUMP_BUTTON","config":{"next_node":"r"}}]}},
	 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":1,"next_node":"a"}]}},
	 {"id":"l","type":"FLOW","config":{"flow_id":"af_1","next_node":"a"}}]}`
	tests := []struct {
		path  string
		value any
		kept  bool
	}{
		{"name", "g", true},
		{"style", object("css", "x"), true},
		{"start.coordinates", model.Point{}.Tree(), true},
		{"nodes[0].coordinates", model.Point{}.Tree(), true},
		{"nodes[0].config.components[0].label", "x", true},
		{"nodes[0].config.components[1].config.text", "y", true},
		{"nodes[0].config.components[2].config.text", "y", true},
		{"nodes[0].config.components[0].type", "EMAIL", true},
		{"nodes[0].config.components[3]", object("id", "d", "type", "DIVIDER"), true},
		{"nodes[1].config.rules[0].condition", true, true},
		{"nodes[1].config.rules[0].alias", "x", true},
		{"nodes[2].config.flow_id", "af_2", true},
		{"nodes[0].alias", "B", false},
		{"nodes[0].id", "b", false},
		{"start.next_node", "r", false},
		{"nodes[1].config.fallback", "a", false},
		{"nodes[1].config.rules[0].id", "y", false},
		{"nodes[0].config.components[1].type", "TEXT", false},
		{"nodes[0].config.components[2].id", "k", false},
		{"nodes[2].type", "STEP", false},
		{"ending", object("resume_flow", true), false},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			var p flow.Prover
			f := parse(t, src)
			before := p.Prove(f)
			if len(before) != 4 {
				t.Fatalf("%d findings:\n%s", len(before), described(before))
			}
			text := described(before)
			g, err := f.Set(path(t, tt.path), tt.value)
			if err != nil {
				t.Fatal(err)
			}
			after := p.Prove(g)
			if kept := len(after) == len(before) && &after[0] == &before[0]; kept != tt.kept {
				t.Errorf("the findings were kept: %v", kept)
			}
			if got, want := described(after), described(flow.Prove(g)); got != want {
				t.Errorf("findings:\n%s\nwant:\n%s", got, want)
			}
			if described(before) != text {
				t.Error("earlier findings have changed")
			}
		})
	}
}

// A prover notices differences other than in ids, pointers and buttons.
func TestProverSees(t *testing.T) {
	router := func(config string) string {
		return `{"name":"f","start":{"next_node":"r"},"nodes":[{"id":"r","type":"ROUTER","config":{` + config + `}}]}`
	}
	named := func(alias string) string {
		return `{"name":"f","start":{"next_node":"r"},"nodes":[{"id":"r","type":"FLOW","alias":"` + alias + `","config":{"flow_id":"af_1"}}]}`
	}
	first := func(alias string) string {
		return `{"name":"f","start":{"next_node":"r"},"nodes":[{"id":"r","type":"FLOW","alias":"` + alias + `","config":{"flow_id":"af_1"}},
{"id":"s","type":"FLOW","alias":"S","config":{"flow_id":"af_1"}}]}`
	}
	typed := func(typ string) string {
		return `{"name":"f","start":{"next_node":"r"},"nodes":[{"id":"r","type":"` + typ + `"}]}`
	}
	tests := []struct {
		name  string
		forms []string
	}{
		{
			"a fallback that moves",
			[]string{
				router(`"rules":[{"id":"x"}],"fallback":""`),
				router(`"fallback":"","rules":[{"id":"x"}]`),
				router(`"rules":[{"id":"x"}],"fallback":""`),
			},
		},
		{
			"a fallback that goes",
			[]string{router(`"rules":[{"id":"x"}],"fallback":""`), router(`"rules":[{"id":"x"}]`), router(`"rules":[{"id":"x"}],"fallback":""`)},
		},
		{"an element that becomes an object", []string{`{"nodes":[7]}`, `{"nodes":[{}]}`, `{"nodes":["x"]}`}},
		{"a name there and back", []string{named("A"), named("B"), named("A")}},
		{"a name before another", []string{first("A"), first("B"), first("A")}},
		{
			"types",
			[]string{
				typed("LOOP"),
				typed("FLOW"),
				typed("LOOP"),
				typed("STEP"),
				typed("ROUTER"),
				typed("STEP"),
				typed("FLOW"),
				typed("ROUTER"),
				typed("LOOP"),
			},
		},
		{
			"a start that comes and goes",
			[]string{`{"nodes":[{}]}`, `{"start":{},"nodes":[{}]}`, `{"nodes":[{}],"start":{}}`, `{"nodes":[{}],"ending":{}}`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p flow.Prover
			for i, src := range tt.forms {
				f := parse(t, src)
				if got, want := described(p.Prove(f)), described(flow.Prove(f)); got != want {
					t.Errorf("form %d:\n%s\nwant:\n%s", i, got, want)
				}
			}
		})
	}
}

// wide returns a form of n nodes in which every tenth is a router with ways in both
// directions. With broken it has findings of every code.
func wide(n int, broken bool) *model.Form {
	id := func(i int) string { return "node_" + strconv.Itoa(i) }
	next := func(i int) string {
		if i >= n {
			return model.EndingID
		}
		return id(i)
	}
	nodes := make([]any, n)
	for i := range nodes {
		switch i % 10 {
		case 9:
			rules := []any{object("id", "x", "next_node", id(i/2)), object("id", "y", "next_node", next(i+20))}
			config := object("rules", rules, "fallback", next(i+1))
			if broken {
				config = config.Without("fallback")
			}
			nodes[i] = object("id", id(i), "type", "ROUTER", "config", config)
		case 5:
			nodes[i] = object("id", id(i), "type", "FLOW", "config", object("flow_id", "af_1", "next_node", next(i+1)))
		default:
			list := []any{object("id", "t"+strconv.Itoa(i), "type", "TEXT"), object("id", "n"+strconv.Itoa(i), "type", "NEXT_BUTTON")}
			nodes[i] = object("id", id(i), "type", "STEP", "config", object("components", list, "next_node", next(i+1)))
		}
	}
	return model.FromTree(object("name", "f", "start", object("next_node", id(0)), "nodes", nodes))
}

func BenchmarkProve10000Nodes(b *testing.B) {
	f := wide(10_000, false)
	b.ReportAllocs()
	for b.Loop() {
		if fs := flow.Prove(f); len(fs) > 0 {
			b.Fatal(fs[0].Problem)
		}
	}
}

func BenchmarkProve10000NodesBroken(b *testing.B) {
	f := wide(10_000, true)
	b.ReportAllocs()
	for b.Loop() {
		if fs := flow.Prove(f); len(fs) < 1000 {
			b.Fatal(len(fs))
		}
	}
}

// One edit of a form of 10,000 nodes: a node is moved or renamed.
func BenchmarkProverOneEdit(b *testing.B) {
	for _, edit := range []struct {
		name, property string
		values         [2]any
	}{
		{"moved", "coordinates", [2]any{model.Point{X: 1}.Tree(), model.Point{X: 2}.Tree()}},
		{"called", "alias", [2]any{"x", "y"}},
	} {
		b.Run(edit.name, func(b *testing.B) {
			f := wide(10_000, false)
			var forms [2]*model.Form
			for i, v := range edit.values {
				g, err := f.Set(schema.Path{schema.Key("nodes"), schema.Index(5000), schema.Key(edit.property)}, v)
				if err != nil {
					b.Fatal(err)
				}
				forms[i] = g
			}
			var p flow.Prover
			p.Prove(f)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				i++
				if fs := p.Prove(forms[i%2]); len(fs) > 0 {
					b.Fatal(fs[0].Problem)
				}
			}
		})
	}
}
