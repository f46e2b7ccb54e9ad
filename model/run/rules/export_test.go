package rules

import "github.com/formgraph/formgraph/model"

// Bound is the most work for a form, and RouterBound that for one of its routers.
const (
	Bound       = maxWork
	RouterBound = maxRouter
)

// Work returns the work of checking a form.
func Work(f *model.Form) int {
	c := newChecker(f, func() bool { return false })
	for i, n := range f.Nodes {
		if config, ok := n.Config.(*model.Router); ok {
			c.router(i, config)
		}
	}
	return maxWork - c.work.left
}
