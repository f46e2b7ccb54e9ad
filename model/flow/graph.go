package flow

import (
	"slices"

	"github.com/formgraph/formgraph/model"
)

// graph is a form's pointers as numbers. The vertices are the indexes of the
// nodes, then the ending, then the start.
type graph struct {
	form *model.Form
	// The ways out of vertex v are to[off[v]:off[v+1]], in the order of Form.Outs. Each is the target vertex, or -1 for a way that has no
	// target, points to a missing node, or cannot be taken.
	off, to []int
}

func newGraph(f *model.Form) *graph {
	n := len(f.Nodes)
	g := &graph{form: f, off: make([]int, 0, n+3), to: make([]int, 0, 2*n+1)}
	place := make(map[model.Pointer]int, n+1)
	for i, node := range f.Nodes {
		id := model.Pointer(node.ID)
		if _, taken := place[id]; !taken && id != "" {
			place[id] = i
		}
	}
	// No node can take the id of the ending.
	place[model.EndingID] = g.ending()
	for v := range n + 2 {
		g.off = append(g.off, len(g.to))
		g.targets(v, func(to model.Pointer) {
			w, ok := place[to]
			if !ok {
				w = -1
			}
			g.to = append(g.to, w)
		})
	}
	g.off = append(g.off, len(g.to))
	return g
}

// Ways returns the vertices to which the ways out of each vertex lead. The vertices are the indexes of the nodes, then the ending, then the
// start. The ways out of a node are those of Form.Outs, in the same order: the last one of a step is that of its next node. -1 stands for a
// way that has no target, points to a missing node, or cannot be taken; see Prove.
func Ways(f *model.Form) [][]int {
	g := newGraph(f)
	ways := make([][]int, len(f.Nodes)+2)
	for v := range ways {
		ways[v] = slices.Clip(g.ways(v))
	}
	return ways
}

func (g *graph) ending() int { return len(g.form.Nodes) }
func (g *graph) start() int  { return len(g.form.Nodes) + 1 }

// outs returns the ways out of a vertex, as many as ways has.
func (g *graph) outs(v int) []model.Out {
	switch v {
	case g.ending():
		return nil
	case g.start():
		return []model.Out{g.form.StartOut()}
	}
	return g.form.Outs(v)
}

// targets calls do with the target of each of outs. It is separate from outs because building the paths would take most of the time of an
// analysis.
func (g *graph) targets(v int, do func(to model.Pointer)) {
	switch v {
	case g.ending():
		return
	case g.start():
		do(g.form.Start.Next)
		return
	}
	n := g.form.Nodes[v]
	step, _ := n.Config.(*model.Step)
	closed := step != nil && !exitsOf(step).takesNext()
	n.Pointers(func(r model.Ref) {
		if r.Part < 0 && closed {
			r.ID = ""
		}
		do(model.Pointer(r.ID))
	})
}

// ways returns the vertices to which the ways out of v lead, -1 for none.
func (g *graph) ways(v int) []int { return g.to[g.off[v]:g.off[v+1]] }

// routers returns the graph with only the ways between routers, nil if there are none.
func (g *graph) routers() *graph {
	is := func(v int) bool {
		if v < 0 || v >= g.ending() {
			return false
		}
		_, ok := g.form.Nodes[v].Config.(*model.Router)
		return ok
	}
	var only *graph
	for v := range g.form.Nodes {
		if !is(v) {
			continue
		}
		for way, w := range g.ways(v) {
			if !is(w) {
				continue
			}
			if only == nil {
				only = &graph{g.form, g.off, slices.Repeat([]int{-1}, len(g.to))}
			}
			only.to[g.off[v]+way] = w
		}
	}
	return only
}

// id returns the name of a vertex.
func (g *graph) id(v int) string {
	switch v {
	case g.ending():
		return model.EndingID
	case g.start():
		return model.StartID
	}
	return g.form.Nodes[v].ID
}

// hop is one step of a journey: a vertex and the index of a way in its outs.
type hop struct{ from, way int }

func (g *graph) edge(h hop) model.Edge {
	return model.Edge{From: g.id(h.from), Out: g.outs(h.from)[h.way]}
}

// headLen is how many of a journey's first nodes a finding names.
const headLen = 3

// journeys holds a shortest journey to every reached vertex, as its last hop. A journey begins at the start or, for unreachable vertices,
// at the first node of their part.
type journeys struct {
	last  []hop // from is -1 where a journey begins
	nodes []int // the number of nodes on the journey, including the vertex; -1 if it is not reached
	// head holds the first nodes of each journey. It is copied from hop to hop, since walking back to describe every finding would take
	// quadratic time on a long chain.
	head [][headLen]int
}

func newJourneys(g *graph) *journeys {
	n := len(g.form.Nodes) + 2
	return &journeys{last: slices.Repeat([]hop{{from: -1}}, n), nodes: slices.Repeat([]int{-1}, n), head: make([][headLen]int, n)}
}

// spread finds the journeys that begin at the given vertices, breadth first,
// and returns the reached vertices in the order in which they were found.
func (j *journeys) spread(g *graph, from ...int) []int {
	queue := make([]int, 0, len(j.last))
	for _, v := range from {
		j.nodes[v] = 0
		if v != g.start() {
			j.nodes[v], j.head[v][0] = 1, v
		}
		queue = append(queue, v)
	}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for way, w := range g.ways(v) {
			if w < 0 || j.nodes[w] >= 0 {
				continue
			}
			j.last[w], j.nodes[w], j.head[w] = hop{v, way}, j.nodes[v]+1, j.head[v]
			if j.nodes[w] <= headLen {
				j.head[w][j.nodes[w]-1] = w
			}
			queue = append(queue, w)
		}
	}
	return queue
}

// to returns the hops of the journey to v.
func (j *journeys) to(v int) []hop {
	var hops []hop
	for h := j.last[v]; h.from >= 0; h = j.last[h.from] {
		hops = append(hops, h)
	}
	slices.Reverse(hops)
	return hops
}

// part is a strongly connected component: nodes that can all reach each other.
type part struct {
	first   int  // of its nodes in document order
	cyclic  bool // a way stays inside
	left    bool // a way leads out of the component
	entered bool // a way leads into the component
}

// parts returns the components of the nodes and, for each node, the number of
// its own.
func (g *graph) parts() (ps []part, of []int) {
	of, count := Components(g.ending(), g.ways)
	ps = make([]part, count)
	for v := g.ending() - 1; v >= 0; v-- {
		p := &ps[of[v]]
		p.first = v
		for _, w := range g.ways(v) {
			switch {
			case w < 0:
			case w == g.ending():
				p.left = true
			case of[w] == of[v]:
				p.cyclic = true
			default:
				p.left = true
				ps[of[w]].entered = true
			}
		}
	}
	return ps, of
}

// round returns a shortest cycle through v, nil if there is none.
func (g *graph) round(v int) []hop {
	last := make(map[int]hop) // the hop by which a vertex was found
	queue := []int{v}
	for i := 0; i < len(queue); i++ {
		u := queue[i]
		for way, w := range g.ways(u) {
			if w == v {
				hops := []hop{{u, way}}
				for ; u != v; u = last[u].from {
					hops = append(hops, last[u])
				}
				slices.Reverse(hops)
				return hops
			}
			if _, found := last[w]; w >= 0 && !found {
				last[w] = hop{u, way}
				queue = append(queue, w)
			}
		}
	}
	return nil
}
