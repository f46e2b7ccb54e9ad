package flow

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Finding is a warning about a form's graph together with the journey that demonstrates it. It is immutable, safe for concurrent use, and
// keeps its form alive.
type Finding struct {
	Problem schema.Problem

	analysis *analysis
	site     site // where the journey ends
}

// Witness returns a shortest journey that demonstrates the finding. It leads from the start to the dead end, the trap or the step without a
// button, and for a trap or a loop once around it; for an unreachable ending, from the start to the nearest node where a journey stops or is trapped;
// for an unreachable node, from the node where its unreachable part begins. Each edge begins where the previous one ends. The journey is
// empty if it would begin at its end.
//
// Each call computes the journey, in time and memory linear in its nodes and their ways. The journeys of all findings together may be
// quadratic in the form.
func (f Finding) Witness() []model.Edge {
	if f.analysis == nil {
		return nil
	}
	hops := slices.Concat(f.analysis.journeys.to(f.site.at), f.round())
	edges := make([]model.Edge, len(hops))
	for i, h := range hops {
		edges[i] = f.analysis.graph.edge(h)
	}
	return edges
}

// Edges returns how many edges Witness would return, in constant time.
func (f Finding) Edges() int {
	if f.analysis == nil {
		return 0
	}
	edges := f.analysis.journeys.nodes[f.site.at] + len(f.round())
	if f.Problem.Code == schema.CodeUnreachable {
		edges-- // it begins at a node
	}
	return edges
}

// Behind returns the index of the node where the unreachable part begins to which the node of the finding belongs. ok is false if the part begins
// at that node itself, and for any other finding.
func (f Finding) Behind() (node int, ok bool) {
	if f.analysis == nil || f.Problem.Code != schema.CodeUnreachable {
		return -1, false
	}
	first := f.analysis.journeys.head[f.site.at][0]
	return first, first != f.site.at
}

// round returns the ways once around a trap or a loop, nil for any other finding.
func (f Finding) round() []hop {
	if f.analysis == nil || f.site.code != schema.CodeTrap && f.site.code != schema.CodeLoop {
		return nil
	}
	return f.analysis.rounds[f.site.at]
}

// Prove returns the findings about a form's graph, in document
// order, nil for none. The codes mean:
//
//   - unreachable, at the node: no path from the start leads to it. The other
//     codes are only about reachable places. A path uses the next_node of a step
//     only if the step has a next button, or a component that may continue
//     without one (CUSTOM, verifiable credentials, an unknown type).
//   - dead_end, at the pointer, absent or not: a way that a journey needs leads nowhere.
//     Needed are those of the start, a flow, and each rule and the fallback of a router,
//     and next_node of a step, unless it has jump buttons and no next button. A
//     jump button without a target and a pointer to a missing node are problems, not
//     dead ends.
//   - no_button, at the node: a step without a next or jump button, and without
//     a component that may continue without one.
//   - trap, at the first of its nodes: a strongly connected set of nodes
//     from which no way leads out.
//   - loop, at the first of its nodes: a set of routers that is strongly connected by the
//     ways between them, unless it is in a trap. Nothing changes between routers, so a run
//     that goes round once goes round forever. It is not checked whether the conditions
//     of the ways can all hold at once.
//   - no_ending, at the ending: no path from the start leads to it.
//
// A pointer leads to the first node with its id. A node of an unknown type has
// no ways out, and an element of nodes that is not an object is not a node. A form
// without nodes whose start leads nowhere has no findings. Time and memory are
// linear in the form, except for sorting the findings.
func Prove(f *model.Form) []Finding { return prove(f).findings() }

// Warnings returns what is valid but questionable, in document order: the warnings of model.Warnings, and the findings of Prove.
func Warnings(f *model.Form) schema.Problems { return new(Prover).Warnings(f) }

// analysis is the state of the analysis of a form.
type analysis struct {
	graph    *graph
	journeys *journeys
	found    []site
	rounds   map[int][]hop // of traps and loops, by their first node
	quoted   bool          // see Prover
}

// site is a finding without its description: a code, the vertex to which its witness leads and, for a dead end, the way.
type site struct {
	code schema.Code
	at   int
	dead model.Out // of a dead end
}

func prove(f *model.Form) *analysis {
	g := newGraph(f)
	p := &analysis{graph: g, journeys: newJourneys(g), rounds: map[int][]hop{}}
	if len(f.Nodes) == 0 && f.Start.Next == "" {
		return p
	}
	queue := p.journeys.spread(g, g.start())
	ended := p.journeys.nodes[g.ending()] >= 0
	parts, of := g.parts()
	for _, v := range queue {
		if v == g.ending() {
			continue
		}
		if v < g.ending() {
			p.reached(v, parts[of[v]])
		}
		p.deadEnds(v)
	}
	p.loops(parts, of)
	if !ended {
		p.found = append(p.found, site{code: schema.CodeNoEnding, at: p.stop(queue, parts, of)})
	}
	p.unreachable(parts, of)
	return p
}

// reached checks a reachable node.
func (p *analysis) reached(v int, own part) {
	if s, ok := p.graph.form.Nodes[v].Config.(*model.Step); ok && exitsOf(s).stuck() {
		p.found = append(p.found, site{code: schema.CodeNoButton, at: v})
	}
	if own.first == v && own.cyclic && !own.left {
		p.rounds[v] = p.graph.round(v)
		p.found = append(p.found, site{code: schema.CodeTrap, at: v})
	}
}

// loops finds the cycles of reached routers.
func (p *analysis) loops(parts []part, of []int) {
	routers := p.graph.routers()
	if routers == nil {
		return
	}
	rings, ring := routers.parts()
	for v := range p.graph.form.Nodes {
		whole, own := parts[of[v]], rings[ring[v]]
		if own.first != v || !own.cyclic || !whole.left || p.journeys.nodes[v] < 0 {
			continue
		}
		p.rounds[v] = routers.round(v)
		p.found = append(p.found, site{code: schema.CodeLoop, at: v})
	}
}

func (p *analysis) deadEnds(v int) {
	if !slices.Contains(p.graph.ways(v), -1) {
		return
	}
	var step *model.Step
	if v < p.graph.ending() {
		step, _ = p.graph.form.Nodes[v].Config.(*model.Step)
	}
	for _, o := range p.graph.outs(v) {
		if o.To == "" && (step == nil || o.Port == model.NextPort && exitsOf(step).needsNext()) {
			p.found = append(p.found, site{schema.CodeDeadEnd, v, o})
		}
	}
}

// stop returns the nearest vertex in a component that no way leaves. Every journey that cannot end comes to such a component.
func (p *analysis) stop(queue []int, parts []part, of []int) int {
	for _, v := range queue {
		if v < p.graph.ending() && !parts[of[v]].left {
			return v
		}
	}
	return p.graph.start()
}

// unreachable finds the nodes that no journey from the start reaches, and the journeys to them from the beginning of their part: the first
// node of a component that nothing leads into.
func (p *analysis) unreachable(parts []part, of []int) {
	var nodes, begins []int
	for v, n := range p.graph.form.Nodes {
		if p.journeys.nodes[v] >= 0 {
			continue
		}
		if n.Tree() != nil {
			nodes = append(nodes, v)
		}
		if own := parts[of[v]]; own.first == v && !own.entered {
			begins = append(begins, v)
		}
	}
	p.journeys.spread(p.graph, begins...)
	for _, v := range nodes {
		p.found = append(p.found, site{code: schema.CodeUnreachable, at: v})
	}
}

// exits are the ways in which a step can be left. Buttons that go back or send again do not count.
type exits struct {
	next bool // by a button to the next node
	jump bool // by a button to another node
	self bool // by a component that may continue without a button
}

func exitsOf(s *model.Step) (e exits) {
	for _, c := range s.Components {
		switch {
		case c.Kind == nil: // an unknown type may do anything
			e.self = true
		case c.Kind.Leads() != "":
			e.jump = true
		case c.Kind.Exit == model.PressedExit:
			e.next = true
		case c.Kind.Exit == model.OwnExit:
			e.self = true
		}
	}
	return e
}

// takesNext reports whether a journey can go from a step to its next node.
func (e exits) takesNext() bool { return e.next || e.self }

// needsNext reports whether a step needs a next node: it does unless it has jump buttons and no next button.
func (e exits) needsNext() bool { return e.next || !e.jump }

// stuck reports whether a step cannot be left.
func (e exits) stuck() bool { return e == exits{} }
