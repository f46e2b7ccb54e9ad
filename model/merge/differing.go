package merge

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Differing returns two forms without the nodes that both share, so that the cost of a comparison depends on the changes and not on the
// size of the form.
func Differing(a, b *model.Form) (x, y *model.Form) {
	was, is := a.Nodes, b.Nodes
	same := func(i, j int) bool { return was[i].Tree() != nil && was[i].Tree() == is[j].Tree() }
	for len(was) > 0 && len(is) > 0 && same(0, 0) {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && same(len(was)-1, len(is)-1) {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	shared := make(map[*schema.Object]bool, len(was))
	for _, n := range was {
		shared[n.Tree()] = false
	}
	for _, n := range is {
		if _, ok := shared[n.Tree()]; ok && n.Tree() != nil {
			shared[n.Tree()] = true
		}
	}
	reduce := func(f *model.Form, nodes []*model.Node) *model.Form {
		if len(f.Nodes) == 0 {
			return f
		}
		var left []any
		for _, n := range nodes {
			if n.Tree() != nil && !shared[n.Tree()] {
				left = append(left, n.Tree())
			}
		}
		return model.FromTree(f.Tree().With("nodes", left))
	}
	return reduce(a, was), reduce(b, is)
}
