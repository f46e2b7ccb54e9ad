package model

import (
	"slices"

	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Share returns g with every value that equals one of f, down to single nodes, replaced by the value of f. Comparing the two forms
// then costs time only where they differ.
func (f *Form) Share(g *Form) *Form {
	members := slices.Clone(g.tree.Members())
	for i, m := range members {
		was, _ := f.tree.Get(m.Key)
		switch old, ok := was.([]any); {
		case schema.Equal(was, m.Value):
			members[i].Value = was
		case ok && m.Key == "nodes":
			if list, ok := m.Value.([]any); ok {
				members[i].Value = shareNodes(old, list)
			}
		}
	}
	return f.Derive(schema.NewObject(members...), g)
}

// SizeBeside returns about how many bytes f takes in memory beside another form, with which it may share nodes.
func (f *Form) SizeBeside(other *Form) int {
	const listed = 24                                                    // bytes of a node in the lists of the tree and of the form
	return listed*len(f.Nodes) + 2*schema.SizeBeside(f.tree, other.tree) // the view of a tree takes about as much again
}

// shareNodes returns a list of nodes with the equal ones of another list in their places. Nodes are matched by id.
func shareNodes(old, list []any) []any {
	byID := make(map[string]*schema.Object, len(old))
	for _, v := range old {
		if o, ok := v.(*schema.Object); ok {
			byID[o.Text("id")] = o
		}
	}
	out := make([]any, len(list))
	for i, v := range list {
		pause.Now()
		out[i] = v
		o, _ := v.(*schema.Object)
		if was := byID[o.Text("id")]; o != nil && was != nil && schema.Equal(was, o) {
			out[i] = was
		}
	}
	return out
}
