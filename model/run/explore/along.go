package explore

import (
	std "context"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scenario"
)

// Along finds a run that takes edges one after the other, from the start of the form, and what it starts from. The edges are named as
// scenario.Edge.String does; the one from the start may be missing. It returns a nil run if it finds none. An error is that of the context.
func Along(ctx std.Context, p *run.Program, edges []string) (run.Input, *run.Run, error) {
	begin := scenario.Edge{From: model.StartID, Port: model.NextPort}.String()
	if len(edges) > 0 && edges[0] == begin {
		edges = edges[1:]
	}
	stop := func() bool { return ctx.Err() != nil }
	worlds, ok := newWorlds([sides]*run.Program{p}, stop)
	if !ok {
		return run.Input{}, nil, ctx.Err()
	}
	s := newSearch(worlds[0], DefaultStates, false)
	if !s.run(stop) {
		return run.Input{}, nil, ctx.Err()
	}
	journey, ok := s.along(edges)
	if !ok {
		return run.Input{}, nil, nil
	}
	in, r := s.w.realize(steps(journey))
	var taken []string
	for _, m := range r.Moments() {
		for _, h := range m.Hops() {
			if h.To != "" && h.Port != "" {
				taken = append(taken, scenario.Edge{From: h.From, Port: h.Port}.String())
			}
		}
	}
	if !slices.Equal(slices.DeleteFunc(taken, func(e string) bool { return e == begin }), edges) {
		return run.Input{}, nil, nil
	}
	return in, r, nil
}

// along returns moves that take the edges and no others, false if there are none.
func (s *search) along(edges []string) ([]move, bool) {
	type spot struct{ state, taken int }
	type arrival struct {
		from spot
		by   move
	}
	before := map[spot]arrival{{first, 0}: {}}
	for queue := []spot{{first, 0}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at.taken == len(edges) {
			var journey []move
			for at != (spot{first, 0}) {
				a := before[at]
				journey, at = append(journey, a.by), a.from
			}
			slices.Reverse(journey)
			return journey, true
		}
		for _, m := range s.states[at.state].out {
			next := spot{m.to, at.taken}
			if m.way >= 0 {
				if e, ok := s.edge(m); !ok || e.String() != edges[at.taken] {
					continue
				}
				next.taken++
			}
			if _, seen := before[next]; !seen {
				before[next] = arrival{at, m}
				queue = append(queue, next)
			}
		}
	}
	return nil, false
}
