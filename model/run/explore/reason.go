package explore

import (
	std "context"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scenario"
)

// reasons says why edges are not taken.
type reasons struct {
	w       *world
	visited map[string]bool // nodes
	can     map[scenario.Edge]bool
	ways    map[scenario.Edge]bool // those that the nodes have, whether or not an edge is there
	// exact reports that an edge that is not in can is never taken; unknown says what the search does not know otherwise.
	exact   bool
	unknown string
}

func newReasons(ctx std.Context, s *search) (*reasons, error) {
	r := &reasons{w: s.w, visited: map[string]bool{}, ways: map[scenario.Edge]bool{}, unknown: s.w.inexact()}
	for i := range s.w.places {
		for _, way := range s.w.places[i].ways {
			if n := s.w.places[i].node; s.w.program.Node(n.ID) == n {
				r.ways[scenario.Edge{From: n.ID, Port: way.port}] = true
			}
		}
	}
	r.exact = !s.limited && s.w.vars.opaque == "" && !slices.ContainsFunc(s.w.vars.list, func(v *variable) bool { return !v.exact })
	if r.exact && s.w.backs {
		s = newSearch(s.w, s.limit, true)
		if !s.run(func() bool { return ctx.Err() != nil }) {
			return nil, ctx.Err()
		}
		r.exact = !s.limited
	}
	r.can = s.takeable()
	for _, of := range s.states {
		if of.at >= 0 {
			r.visited[s.w.places[of.at].node.ID] = true
		}
	}
	return r, nil
}

// of says why an edge is not taken.
func (r *reasons) of(e model.Edge) Untaken {
	edge := scenario.Edge{From: e.From, Port: e.Port}
	never := func(format string, args ...any) Untaken { return Untaken{edge, true, fmt.Sprintf(format, args...)} }
	f := r.w.program.Form()
	if e.To != model.EndingID && r.w.program.Node(string(e.To)) == nil {
		return never("there is no node %q", e.To)
	}
	n, i := f.Node(e.From)
	switch {
	case n != nil && r.w.program.Node(e.From) != n:
		return never("another node has the id %q", e.From)
	case n != nil && !r.w.reached[i]:
		return never("no way leads to %q", e.From)
	case n != nil && !r.ways[edge]:
		return never("%q has no button to continue with", e.From)
	}
	u := Untaken{Edge: edge, Never: r.exact && !r.can[edge]}
	switch {
	case r.can[edge]:
		u.Reason = "the search found no answers that lead here"
	case !u.Never:
		u.Reason = "the search found no values that lead here: " + r.unknown
	case !r.visited[e.From]:
		u.Reason = fmt.Sprintf("no answers lead to %q", e.From)
	case e.Port == model.FallbackPort:
		u.Reason = "one of the rules always applies"
	case e.Port.Rule() != "":
		u.Reason = "the rule never applies where no earlier one does"
	default:
		u.Reason = "its answers cannot be accepted"
		if step, ok := n.Config.(*model.Step); ok {
			if _, c := filled(r.w.program.Begin(run.Input{From: e.From}), step); c != nil {
				u.Reason = fmt.Sprintf("no answer of %q is accepted", c.ID)
			}
		}
	}
	return u
}

// inexact says what the search does not know.
func (w *world) inexact() string {
	for _, v := range w.vars.list {
		if !v.exact {
			return fmt.Sprintf("%s.%s is compared in a way for which it only tries examples", v.namespace, v.key)
		}
	}
	if text := w.vars.opaque; text != "" {
		return fmt.Sprintf("it does not know the value of %s", text)
	}
	return "there are too many possibilities"
}
