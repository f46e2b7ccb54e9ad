package problems

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/history"
)

// cause is the step that led to a warning about the graph, the zero cause if that is not known.
type cause struct {
	did     string         // in words, as in "connected “A” to “B”"
	last    bool           // Undo reverts it
	command editor.Command // that makes good what it did if it is not the last, nil if none does
}

// behind are the causes of the warnings about a form, by their codes and paths. They are looked for once in each state of the history, and made
// good alike for all warnings of one step.
type behind struct {
	revision int
	of       map[string]cause
	steps    map[int]cause
}

// cause returns the cause of a remark.
func (p *Panel) cause(r *remark) cause {
	if r.rank != warned || r.follows { // what goes with another one has its cause
		return cause{}
	}
	if now := p.Editor.Revision(); p.behind.of == nil || p.behind.revision != now {
		p.behind = behind{now, map[string]cause{}, map[int]cause{}}
	}
	key := string(r.Code) + " " + r.Path.String()
	c, ok := p.behind.of[key]
	if !ok {
		c = p.trace(r)
		p.behind.of[key] = c
	}
	return c
}

func (p *Panel) trace(r *remark) cause {
	f := p.finding(r)
	if f.Problem.Code == "" {
		return cause{} // it is not about the graph
	}
	s, ok := p.Editor.Cause(f)
	if !ok {
		return cause{}
	}
	c, ok := p.behind.steps[s.Serial]
	if !ok {
		c = cause{did: history.Did(&s), last: s.Serial == p.Editor.LastStep()}
		if !c.last {
			c.command, _ = p.Editor.Reverting(s)
		}
		p.behind.steps[s.Serial] = c
	}
	return c
}
