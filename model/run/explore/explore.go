package explore

import (
	std "context"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scenario"
)

// Options are what Explore starts from. The zero value starts from nothing.
type Options struct {
	// Keep are scenarios that stay. What they take is not taken again without need.
	Keep []scenario.Scenario
	// States limits the search. 0 is DefaultStates.
	States int
	// Progress, if not nil, is called every now and then with the share of the work that is done, from 0 to 1.
	Progress func(share float64)
}

// DefaultStates is the usual limit of a search. With it, a form of 200 nodes takes less than a second and less than 100 MiB.
const DefaultStates = 50_000

// Result is what Explore found.
type Result struct {
	// Scenarios are the new scenarios, each with a name of its own.
	Scenarios []scenario.Scenario
	// Taken are the edges that the kept and new scenarios take, and Untaken the others of the form that have a target; both are in
	// the order of the form.
	Taken   []scenario.Edge
	Untaken []Untaken
}

// Untaken is an edge that no scenario takes.
type Untaken struct {
	scenario.Edge
	// Never reports that no run can take the edge, whatever the answers, the context and the results of flows. Otherwise the search
	// has not found a way.
	Never bool
	// Reason is a sentence without a period.
	Reason string
}

// Explore finds scenarios for a form. The result depends only on the form and the options. An error is that of the context.
func Explore(ctx std.Context, p *run.Program, o Options) (*Result, error) {
	if o.States == 0 {
		o.States = DefaultStates
	}
	worlds, ok := newWorlds([sides]*run.Program{p}, func() bool { return ctx.Err() != nil })
	if !ok {
		return nil, ctx.Err()
	}
	s := newSearch(worlds[0], o.States, false)
	search, find := meter(o.Progress).halves()
	if !s.runUntil(func() bool { return s.left == 0 }, func() bool { search.show(s.share()); return ctx.Err() != nil }) {
		return nil, ctx.Err()
	}
	found := finder{search: s, meter: find, taken: map[scenario.Edge]bool{}, names: map[string]bool{}}
	for i := range o.Keep {
		if err := found.keep(ctx, &o.Keep[i]); err != nil {
			return nil, err
		}
	}
	if err := found.find(ctx); err != nil {
		return nil, err
	}
	result := &Result{Scenarios: found.scenarios()}
	why, err := newReasons(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, e := range p.Form().Edges() {
		edge := scenario.Edge{From: e.From, Port: e.Port}
		if found.taken[edge] {
			result.Taken = append(result.Taken, edge)
			continue
		}
		result.Untaken = append(result.Untaken, why.of(e))
	}
	return result, nil
}

// finder collects scenarios.
type finder struct {
	search *search
	meter  meter
	taken  map[scenario.Edge]bool
	names  map[string]bool
	found  []discovery
}

// discovery is a new scenario with the edges that it takes.
type discovery struct {
	scenario scenario.Scenario
	edges    []scenario.Edge
	news     []scenario.Edge // those that no scenario before it takes
}

func (f *finder) keep(ctx std.Context, s *scenario.Scenario) error {
	f.names[s.Name] = true
	o, err := scenario.ReplayUntil(ctx, f.search.w.program, s)
	if err != nil {
		return err
	}
	for _, e := range scenario.Edges(o.Run) {
		f.taken[e] = true
	}
	return nil
}

func (f *finder) find(ctx std.Context) error {
	begin := scenario.Edge{From: model.StartID, Port: model.NextPort}
	wanted := f.search.takeable()
	begins := wanted[begin]
	delete(wanted, begin)
	for e := range f.taken {
		delete(wanted, e)
	}
	all := len(wanted)
	for len(wanted) > 0 || begins && !f.taken[begin] {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.meter.show(1 - float64(len(wanted))/float64(max(all, 1)))
		journey, useful := f.search.walk(wanted)
		if !useful && (f.taken[begin] || !begins) {
			break
		}
		in, r := f.search.w.realize(steps(journey))
		d := discovery{scenario: scenario.Record("", in, r), edges: scenario.Edges(r)}
		for _, e := range d.edges {
			if !f.taken[e] {
				f.taken[e] = true
				d.news = append(d.news, e)
			}
			delete(wanted, e)
		}
		if len(d.news) > 0 {
			f.found = append(f.found, d)
			continue
		}
		// The journey cannot be taken as planned: give up the first edge that it was for.
		begins = false
		for _, m := range journey {
			if e, ok := f.search.edge(m); ok && wanted[e] {
				delete(wanted, e)
				f.search.limited = true
				break
			}
		}
	}
	return nil
}

func steps(journey []move) []step {
	list := make([]step, len(journey))
	for i, m := range journey {
		list[i] = m.step
	}
	return list
}

// scenarios returns the new scenarios without those whose edges the others take.
func (f *finder) scenarios() []scenario.Scenario {
	times := map[scenario.Edge]int{}
	for _, d := range f.found {
		for _, e := range d.edges {
			times[e]++
		}
	}
	var needed []discovery
	for _, d := range slices.Backward(f.found) {
		if slices.ContainsFunc(d.news, func(e scenario.Edge) bool { return times[e] < 2 }) {
			needed = append(needed, d)
			continue
		}
		for _, e := range d.edges {
			times[e]--
		}
	}
	slices.Reverse(needed)
	list := make([]scenario.Scenario, len(needed))
	for i, d := range needed {
		list[i] = d.scenario
		list[i].Name = f.name(d)
	}
	return list
}
