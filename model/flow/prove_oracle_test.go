package flow_test

import (
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// A plan describes a form for the oracle, which does not read the form that
// is built from it.
type plan struct {
	start string // pointer, "" for none
	nodes []planned
}

type planned struct {
	id, typ    string
	components []planButton
	next       string // of a step or flow, fallback of a router
	rules      []string
}

type planButton struct{ typ, to string }

// takesNext reports whether a journey at the node can go where next leads.
func (n planned) takesNext() bool {
	switch n.typ {
	case "FLOW", "ROUTER":
		return true
	case "STEP":
		return slices.ContainsFunc(n.components, func(c planButton) bool { return slices.Contains(planOnward, c.typ) })
	}
	return false
}

// planOnward lists the components that lead to the next node.
var planOnward = []string{"NEXT_BUTTON", "CUSTOM", "AUTH0_VERIFIABLE_CREDENTIALS", "SERVICE_VERIFIABLE_CREDENTIALS", "HOLOGRAM"}

var (
	planTypes      = []string{"STEP", "STEP", "FLOW", "ROUTER", "ROUTER", "LOOP"}
	planComponents = []string{
		"NEXT_BUTTON", "NEXT_BUTTON", "NEXT_BUTTON", "NEXT_BUTTON", "JUMP_BUTTON", "JUMP_BUTTON", "JUMP_BUTTON", "TEXT", "PREVIOUS_BUTTON",
		"RESEND_BUTTON", "RECAPTCHA", "MAPS_ADDRESS", "CUSTOM", "AUTH0_VERIFIABLE_CREDENTIALS", "SERVICE_VERIFIABLE_CREDENTIALS", "HOLOGRAM",
	}
	planIDs = []string{"a", "b", "c", "d", "e", "f", "g", "h"}
)

func randomPlan(r *rand.Rand) plan {
	n := r.IntN(9)
	some := planIDs[:max(n, 1)]
	pointer := func() string {
		switch r.IntN(14) {
		case 0, 1:
			return ""
		case 2:
			return "gone"
		case 3:
			return "$ending"
		}
		return some[r.IntN(len(some))]
	}
	// Few ways make traps and unreachable parts, many make detours.
	ways := 1 + r.IntN(3)
	p := plan{start: pointer()}
	for i := range n {
		node := planned{id: planIDs[i], typ: planTypes[r.IntN(len(planTypes))]}
		if node.typ == "LOOP" && r.IntN(3) > 0 {
			node.typ = "STEP"
		}
		if r.IntN(12) == 0 {
			node.id = planIDs[r.IntN(n)]
		}
		if r.IntN(30) == 0 {
			node.id = ""
		}
		node.next = pointer()
		switch node.typ {
		case "STEP":
			for range r.IntN(ways + 1) {
				c := planButton{typ: planComponents[r.IntN(len(planComponents))]}
				if c.typ == "JUMP_BUTTON" {
					c.to = pointer()
				}
				node.components = append(node.components, c)
			}
		case "ROUTER":
			for range r.IntN(ways + 1) {
				node.rules = append(node.rules, pointer())
			}
		}
		p.nodes = append(p.nodes, node)
	}
	return p
}

func object(pairs ...any) *schema.Object {
	var members []schema.Member
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			members = append(members, schema.Member{Key: pair[0].(string), Value: pair[1]})
		}
	}
	return schema.NewObject(members...)
}

func (p plan) form() *model.Form {
	nodes := make([]any, len(p.nodes))
	for i, n := range p.nodes {
		config := object("next_node", n.next)
		switch n.typ {
		case "STEP":
			list := make([]any, len(n.components))
			for j, c := range n.components {
				list[j] = object("id", "c"+strconv.Itoa(i*10+j), "type", c.typ, "config", object("next_node", c.to))
			}
			config = object("components", list, "next_node", n.next)
		case "ROUTER":
			list := make([]any, len(n.rules))
			for j, to := range n.rules {
				list[j] = object("id", "r"+strconv.Itoa(j), "next_node", to)
			}
			config = object("rules", list, "fallback", n.next)
		}
		nodes[i] = object("id", n.id, "type", n.typ, "config", config)
	}
	return model.FromTree(object("name", "f", "start", object("next_node", p.start), "nodes", nodes, "ending", object("resume_flow", true)))
}

func (p plan) String() string {
	s := "start>" + p.start
	for _, n := range p.nodes {
		s += fmt.Sprintf("; %s %s %v rules %q next %q", n.id, n.typ, n.components, n.rules, n.next)
	}
	return s
}

// oracle works by sets of walks: the places that walks of one, two, three ways
// lead to, as bits. Place i is node i, place n the ending.
type oracle struct {
	p     plan
	ways  []uint16   // places one way on
	turns []uint16   // routers one way on from a router
	walks [][]uint16 // walks[v][k]: places k+1 ways on from v
	after []uint16   // places any number of ways on, at least one
	start uint16     // the place that the start leads to
}

func newOracle(p plan) *oracle {
	o := &oracle{p: p, ways: make([]uint16, len(p.nodes)+1), turns: make([]uint16, len(p.nodes))}
	for i, n := range p.nodes {
		to := append([]string{}, n.rules...)
		if n.takesNext() {
			to = append(to, n.next)
		}
		for _, c := range n.components {
			to = append(to, c.to)
		}
		for _, id := range to {
			o.ways[i] |= o.place(id)
		}
		for j, m := range p.nodes {
			if n.typ == "ROUTER" && m.typ == "ROUTER" {
				o.turns[i] |= o.ways[i] & (1 << j)
			}
		}
	}
	o.start = o.place(p.start)
	for v := range o.ways {
		set, all := o.ways[v], uint16(0)
		var walks []uint16
		for range len(o.ways) {
			walks, all = append(walks, set), all|set
			set = o.step(set)
		}
		o.walks, o.after = append(o.walks, walks), append(o.after, all)
	}
	return o
}

func (o *oracle) place(id string) uint16 {
	if id == "$ending" {
		return 1 << len(o.p.nodes)
	}
	for i, n := range o.p.nodes {
		if n.id == id && id != "" {
			return 1 << i
		}
	}
	return 0
}

func (o *oracle) step(set uint16) (next uint16) {
	for ; set != 0; set &= set - 1 {
		next |= o.ways[bits.TrailingZeros16(set)]
	}
	return next
}

// far returns the number of ways of a shortest walk from v to w.
func (o *oracle) far(v, w int) int {
	if v == w {
		return 0
	}
	return o.round(v, w)
}

// round is far for a walk of at least one way.
func (o *oracle) round(v, w int) int {
	for k, set := range o.walks[v] {
		if set>>w&1 == 1 {
			return k + 1
		}
	}
	return -1
}

// want returns a line for each finding: code, path, number of edges of the
// witness and of its round. Lines are sorted.
func (o *oracle) want() []string {
	n := len(o.p.nodes)
	if n == 0 && o.p.start == "" {
		return nil
	}
	var lines []string
	add := func(code, path string, edges, round int) {
		lines = append(lines, code+" "+path+" "+strconv.Itoa(edges)+" "+strconv.Itoa(round))
	}
	reached := o.reached()
	journey := func(v int) int { return 1 + o.far(bits.TrailingZeros16(o.start), v) }
	if o.p.start == "" {
		add("dead_end", "start.next_node", 0, 0)
	}
	nearest := -1
	for v := range n {
		at := "nodes[" + strconv.Itoa(v) + "]"
		if reached>>v&1 == 0 {
			add("unreachable", at, o.chain(v), 0)
			continue
		}
		node := o.p.nodes[v]
		has := map[string]bool{}
		for _, c := range node.components {
			has[c.typ] = true
		}
		if node.typ == "STEP" && !node.takesNext() && !has["JUMP_BUTTON"] {
			add("no_button", at, journey(v), 0)
		}
		for j, to := range node.rules {
			if to == "" {
				add("dead_end", fmt.Sprintf("%s.config.rules[%d].next_node", at, j), journey(v), 0)
			}
		}
		switch {
		case node.next != "" || node.typ == "LOOP":
		case node.typ == "ROUTER":
			add("dead_end", at+".config.fallback", journey(v), 0)
		case node.typ == "FLOW" || has["NEXT_BUTTON"] || !has["JUMP_BUTTON"]:
			add("dead_end", at+".config.next_node", journey(v), 0)
		}
		first := o.leads(v, v)
		for w := range v {
			if o.leads(v, w) && o.leads(w, v) {
				first = false
			}
		}
		if first && o.final(v) {
			add("trap", at, journey(v)+o.round(v, v), o.round(v, v))
		}
		if round := o.turned(v, v); round > 0 && !o.final(v) {
			first := true
			for w := range v {
				first = first && (o.turned(v, w) == 0 || o.turned(w, v) == 0)
			}
			if first {
				add("loop", at, journey(v)+round, round)
			}
		}
		if o.final(v) && (nearest < 0 || journey(v) < nearest) {
			nearest = journey(v)
		}
	}
	if reached>>n&1 == 0 {
		add("no_ending", "ending", max(nearest, 0), 0)
	}
	slices.Sort(lines)
	return lines
}

// turned returns the number of ways of a shortest walk from v to w, of at least one way, on which there are only routers; 0 for none.
func (o *oracle) turned(v, w int) int {
	set := o.turns[v]
	for k := range o.turns {
		if set>>w&1 == 1 {
			return k + 1
		}
		next := uint16(0)
		for u := range o.turns {
			if set>>u&1 == 1 {
				next |= o.turns[u]
			}
		}
		set = next
	}
	return 0
}

// final reports whether every walk from v can come back to it.
func (o *oracle) final(v int) bool {
	for w := range o.ways {
		if o.leads(v, w) && !o.leads(w, v) {
			return false
		}
	}
	return true
}

func (o *oracle) leads(v, w int) bool { return o.after[v]>>w&1 == 1 }

// reached is the set of places that walks from the start lead to.
func (o *oracle) reached() uint16 {
	if o.start == 0 {
		return 0
	}
	return o.start | o.after[bits.TrailingZeros16(o.start)]
}

// begins reports whether an unreachable part begins at v: no other node leads to
// it, except later ones that it leads to.
func (o *oracle) begins(v int) bool {
	for u := range o.p.nodes {
		if u != v && o.leads(u, v) && (!o.leads(v, u) || u < v) {
			return false
		}
	}
	return o.reached()>>v&1 == 0
}

// chain returns the length of the shortest walk to an unreachable node from a
// node that begins an unreachable part.
func (o *oracle) chain(v int) int {
	best := -1
	for root := range o.p.nodes {
		if d := o.far(root, v); d >= 0 && (best < 0 || d < best) && o.begins(root) {
			best = d
		}
	}
	return best
}

func findingLines(fs []flow.Finding) []string {
	var lines []string
	for _, f := range fs {
		lines = append(lines, string(f.Problem.Code)+" "+f.Problem.Path.String()+" "+strconv.Itoa(len(f.Witness()))+" "+strconv.Itoa(f.Round()))
	}
	return lines
}

// checkWitness reports what is wrong with the witness of a finding: it must be a
// path in the form, begin where it should, and end at the place of the finding.
func checkWitness(f *model.Form, o *oracle, p flow.Finding) string {
	edges := p.Witness()
	if p.Edges() != len(edges) {
		return fmt.Sprintf("is said to have %d edges, has %d", p.Edges(), len(edges))
	}
	at := -1 // place of the node where the path is, -1 for the start
	if p.Problem.Code == schema.CodeUnreachable {
		at = p.Problem.Path[1].Index
		if len(edges) > 0 {
			at = edges[0].Path[1].Index
		}
		if !o.begins(at) {
			return fmt.Sprintf("begins at nodes[%d], where no unreachable part begins", at)
		}
	}
	for i, e := range edges {
		outs := []model.Out{f.StartOut()}
		id := model.StartID
		if at >= 0 {
			outs, id = f.Outs(at), f.Nodes[at].ID
		}
		if e.From != id || !slices.ContainsFunc(outs, func(out model.Out) bool {
			return out.Port == e.Port && out.To == e.To && out.Path.Equal(e.Path)
		}) {
			return fmt.Sprintf("edge %d is not a way out of %s: %+v", i, id, e)
		}
		if to := o.place(string(e.To)); to == 0 {
			return fmt.Sprintf("edge %d leads nowhere: %+v", i, e)
		} else if at = bits.TrailingZeros16(to); i == len(edges)-p.Round()-1 && p.Round() > 0 && at != p.Problem.Path[1].Index {
			return "the round begins elsewhere"
		}
	}
	switch {
	case p.Problem.Code == schema.CodeNoEnding:
		if p.Node() != model.EndingID || at >= 0 && !o.final(at) {
			return fmt.Sprintf("ends at nodes[%d], where a journey can go on; node %s", at, p.Node())
		}
	case at < 0:
		if p.Node() != model.StartID || p.Problem.Path.String() != "start.next_node" {
			return "does not leave the start"
		}
	case at != p.Problem.Path[1].Index || p.Node() != f.Nodes[at].ID:
		return fmt.Sprintf("ends at nodes[%d], not at %s", at, p.Node())
	}
	return ""
}

var oracleForms = flag.Int("forms", 0, "random forms that are compared with the oracle")

// On random forms Prove finds what the definitions say, with shortest
// witnesses.
func TestProveEqualsOracle(t *testing.T) {
	forms := sizetest.Of(*oracleForms, 4_000, 200_000)
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[schema.Code]int{}
	for range forms {
		p := randomPlan(r)
		f := p.form()
		found := flow.Prove(f)
		got := findingLines(found)
		slices.Sort(got)
		o := newOracle(p)
		if want := o.want(); !slices.Equal(got, want) {
			t.Fatalf("findings of %v:\n got %s\nwant %s", p, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
		for _, finding := range found {
			seen[finding.Problem.Code]++
			if wrong := checkWitness(f, o, finding); wrong != "" {
				t.Fatalf("witness of %v in %v: %s", finding.Problem, p, wrong)
			}
		}
	}
	for _, code := range []schema.Code{schema.CodeUnreachable, schema.CodeDeadEnd, schema.CodeNoButton, schema.CodeTrap, schema.CodeLoop, schema.CodeNoEnding} {
		if seen[code] < forms/100 {
			t.Errorf("the forms show %s only %d times", code, seen[code])
		}
	}
}
