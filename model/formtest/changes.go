package formtest

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Change is what two sides do with a form of Worst, each in its own way.
type Change struct {
	Name         string
	Mine, Theirs func(*model.Form) *model.Form
}

// Changes are those after which the work of a comparison or a merge grows most with the size of the form: all ids are new, all texts are,
// or both, all lists have another order, or all components are in other steps.
var Changes = []Change{
	{"ids", renewed("a_"), renewed("b_")},
	{"texts", reworded("A "), reworded("B ")},
	{"both", both("a_"), both("b_")},
	{"orders", reordered(2), reordered(3)},
	{"places", moved(1), moved(2)},
}

func renewed(prefix string) func(*model.Form) *model.Form {
	return func(f *model.Form) *model.Form { return Renewed(f, prefix) }
}

func reworded(word string) func(*model.Form) *model.Form {
	return func(f *model.Form) *model.Form { return Reworded(f, word) }
}

func both(prefix string) func(*model.Form) *model.Form {
	return func(f *model.Form) *model.Form { return Reworded(Renewed(f, prefix), prefix) }
}

// reordered puts every by-th element of each list first, then those after them, and so on. Those of two numbers from 2 on contradict each other.
func reordered(by int) func(*model.Form) *model.Form {
	turned := func(list []any) []any {
		out := make([]any, 0, len(list))
		for first := range by {
			for i := first; i < len(list); i += by {
				out = append(out, list[i])
			}
		}
		return out
	}
	return func(f *model.Form) *model.Form {
		nodes := turned(f.Tree().List("nodes"))
		for i := range nodes {
			node, _ := nodes[i].(*schema.Object)
			config := node.Object("config")
			for _, name := range []string{"components", "rules"} {
				if list := config.List(name); list != nil {
					nodes[i] = node.With("config", config.With(name, turned(list)))
				}
			}
		}
		start := f.Tree().Object("start")
		start = start.With("hidden_fields", turned(start.List("hidden_fields")))
		return f.Derive(f.Tree().With("nodes", nodes).With("start", start))
	}
}

// moved puts the components of each step into the one that is some steps before it.
func moved(by int) func(*model.Form) *model.Form {
	return func(f *model.Form) *model.Form {
		nodes := append([]any(nil), f.Tree().List("nodes")...)
		var steps []int
		for i, n := range f.Nodes {
			if n.Type == model.StepNode {
				steps = append(steps, i)
			}
		}
		for k, i := range steps {
			tree, from := f.Nodes[i].Tree(), f.Nodes[steps[(k+by)%len(steps)]].Tree()
			nodes[i] = tree.With("config", tree.Object("config").With("components", from.Object("config").List("components")))
		}
		return f.Derive(f.Tree().With("nodes", nodes))
	}
}
