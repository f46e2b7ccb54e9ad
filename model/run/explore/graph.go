package explore

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run"
)

// way is one way out of a node.
type way struct {
	port   model.Port
	to     int // index of the node, or one of the below
	button *model.Component
	// checked reports that the answers of the step must be accepted.
	checked bool
}

// Places that are not nodes.
const (
	ending  = -1
	nowhere = -2
)

// place is a node as the search sees it.
type place struct {
	node   *model.Node
	ways   []way
	asks   []int // the variables that the step asks for
	resend *model.Component
	back   *model.Component // a previous button
	router *router
	flow   bool
	// circles reports that routers lead from this router back to it.
	circles bool
	live    []bool // the variables that are read later, before they are set again
}

// world is a form as the search sees it.
type world struct {
	program *run.Program
	side    int // of those that are compared
	places  []place
	start   int
	vars    *variables
	reached []bool  // the nodes to which pointers lead from the start
	into    [][]int // the places from which ways lead to each place
	backs   bool    // whether a reached step has a previous button
}

// askEvery is how many places or variables are handled before the search asks again whether it is to stop.
const askEvery = 64

// newWorlds returns the worlds of a form, or of two that are compared, with the same variables. The second program may be nil. It returns false
// if it is to stop, which it asks now and then: the time grows with the nodes times the variables.
func newWorlds(programs [sides]*run.Program, stop func() bool) (worlds [sides]*world, ok bool) {
	var reached [sides][]bool
	for side, p := range programs {
		if p == nil {
			continue
		}
		w := &world{program: p, side: side, places: make([]place, len(p.Form().Nodes))}
		for i, n := range p.Form().Nodes {
			w.places[i] = w.place(n)
		}
		w.into = make([][]int, len(w.places))
		for i := range w.places {
			for _, way := range w.places[i].ways {
				if way.to >= 0 {
					w.into[way.to] = append(w.into[way.to], i)
				}
			}
		}
		w.start = w.index(p.Form().Start.Next)
		w.reach()
		worlds[side], reached[side] = w, w.reached
	}
	vs := collect(programs, reached)
	for _, w := range worlds {
		if w != nil && !w.connect(vs, stop) {
			return worlds, false
		}
	}
	return worlds, true
}

// connect adds what depends on the variables, and returns false if it is to stop.
func (w *world) connect(vs *variables, stop func() bool) bool {
	w.vars = vs
	for i := range w.places {
		at := &w.places[i]
		if step, ok := at.node.Config.(*model.Step); ok {
			for _, c := range step.Components {
				if v, ok := w.vars.by[[2]string{fields, c.ID}]; ok && w.vars.list[v].components[w.side] != nil {
					at.asks = append(at.asks, v)
				}
			}
		}
		if config, ok := at.node.Config.(*model.Router); ok {
			at.router = newRouter(w, config)
		}
		w.backs = w.backs || at.back != nil && w.reached[i]
	}
	w.circle()
	return w.live(stop)
}

// circle finds the routers from which routers lead back to them.
func (w *world) circle() {
	next := make([][]int, len(w.places))
	for i := range w.places {
		if w.places[i].router == nil {
			continue
		}
		for _, way := range w.places[i].ways {
			if way.to >= 0 && w.places[way.to].router != nil {
				next[i] = append(next[i], way.to)
			}
		}
	}
	of, _ := flow.Components(len(next), func(v int) []int { return next[v] })
	for i := range w.places {
		w.places[i].circles = slices.ContainsFunc(next[i], func(to int) bool { return of[to] == of[i] })
	}
}

func (w *world) index(to model.Pointer) int {
	if to == model.EndingID {
		return ending
	}
	if i, ok := w.program.Index(string(to)); ok {
		return i
	}
	return nowhere
}

func (w *world) place(n *model.Node) place {
	at := place{node: n}
	switch config := n.Config.(type) {
	case *model.Flow:
		at.flow = true
		at.ways = append(at.ways, way{port: model.NextPort, to: w.index(config.Next)})
	case *model.Router:
		for _, r := range config.Rules {
			at.ways = append(at.ways, way{port: model.RulePort(r.ID), to: w.index(r.Next)})
		}
		at.ways = append(at.ways, way{port: model.FallbackPort, to: w.index(config.Fallback)})
	case *model.Step:
		for _, c := range config.Components {
			switch press := run.PressOf(c); press {
			case run.PressNext:
				at.ways = append(at.ways, way{model.NextPort, w.index(config.Next), c, true})
			case run.PressJump:
				to, _ := c.Config().Get(c.Kind.Leads())
				id, _ := to.(string)
				at.ways = append(at.ways, way{model.JumpPort(c.ID), w.index(model.Pointer(id)), c, false})
			case run.PressResend:
				at.resend = c
			case run.PressPrevious:
				at.back = c
			case run.NoPress:
			}
		}
	}
	return at
}

// reach finds the nodes to which pointers lead from the start.
func (w *world) reach() {
	w.reached = make([]bool, len(w.places))
	queue := []int{w.start}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		if i < 0 || w.reached[i] {
			continue
		}
		w.reached[i] = true
		for _, way := range w.places[i].ways {
			queue = append(queue, way.to)
		}
	}
}

// live finds the variables that matter at each node: it goes back from the routers that read each. A step sets the fields that it asks for; a flow
// may leave every variable as it was. With previous buttons, a run can be at any step next. It returns false if it is to stop.
func (w *world) live(stop func() bool) bool {
	n := len(w.vars.list)
	reads, sets := make([][]int, n), make([][]int, n) // the places, by variable
	var backs []int
	for i := range w.places {
		at := &w.places[i]
		if i%askEvery == 0 && stop() {
			return false
		}
		at.live = make([]bool, n)
		if at.router != nil {
			for _, v := range at.router.reads {
				reads[v] = append(reads[v], i)
			}
		}
		for _, v := range at.asks {
			sets[v] = append(sets[v], i)
		}
		if w.backs && at.back != nil {
			backs = append(backs, i)
		}
	}
	set := make([]int, len(w.places)) // one more than the last variable that a place sets
	var queue []int
	for v := range n {
		if v%askEvery == 0 && stop() {
			return false
		}
		for _, i := range sets[v] {
			set[i] = v + 1
		}
		queue = queue[:0]
		before := func(places []int, reads bool) {
			for _, i := range places {
				if !w.places[i].live[v] && (reads || set[i] != v+1) {
					w.places[i].live[v] = true
					queue = append(queue, i)
				}
			}
		}
		before(reads[v], true)
		if len(queue) > 0 {
			before(backs, false)
		}
		for at := 0; at < len(queue); at++ {
			before(w.into[queue[at]], false)
		}
	}
	return true
}

func (p *place) sets(v int) bool { return slices.Contains(p.asks, v) }
