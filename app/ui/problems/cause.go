package problems

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/history"
)

// cause is the step that led to a warning about the graph, the zero cause if that is not known.
type cause struct {
	did     string         // in words, as in "connected “A” to “B”"
	last    bool           // Undo reverts it
	command editor.Command // reverses it if it is not the last; nil if none does
}

// causes keeps the causes of the warnings about a form. All warnings of one step have the same cause.
type causes struct {
	revision int              // of the editor
	of       map[string]cause // by the code and the path of a warning
	steps    map[int]cause    // by the serial of a step
}

// cause returns the cause of a remark.
func (p *Panel) cause(r *remark) cause {
	if r.rank != warned || r.follows { // what follows from another one has its cause
		return cause{}
	}
	if now := p.Editor.Revision(); p.causes.of == nil || p.causes.revision != now {
		p.causes = causes{now, map[string]cause{}, map[int]cause{}}
	}
	key := string(r.Code) + " " + r.Path.String()
	c, ok := p.causes.of[key]
	if !ok {
		c = p.trace(r)
		p.causes.of[key] = c
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
	c, ok := p.causes.steps[s.Serial]
	if !ok {
		c = cause{did: history.Did(&s), last: s.Serial == p.Editor.LastStep()}
		if !c.last {
			c.command, _ = p.Editor.Reverting(s)
		}
		p.causes.steps[s.Serial] = c
	}
	return c
}
