package envelope

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// chosen returns the places of a form that name a flow, in the order in which an export numbers flows: the nodes in order, then the ending.
// It omits flows that are not chosen yet.
func chosen(f *model.Form) []model.FlowRef {
	return slices.DeleteFunc(f.Flows(), func(r model.FlowRef) bool { return r.ID == "" })
}

// MapFlows returns the form with other flow ids: to returns the new id for an old one, or false to keep it. It is called once for every
// place that names a flow. MapFlows returns f if nothing changed.
func MapFlows(f *model.Form, to func(id string) (string, bool)) *model.Form {
	tree := f.Tree()
	mapped := func(o *schema.Object) *schema.Object {
		id := o.Text("flow_id")
		if id == "" {
			return o
		}
		if now, ok := to(id); ok && now != id {
			return o.With("flow_id", now)
		}
		return o
	}
	// Copy the list once, not for each node.
	var list []any
	for i, n := range f.Nodes {
		now := n.MapFlows(func(id string) string {
			if other, ok := to(id); ok {
				return other
			}
			return id
		})
		if now != n.Tree() {
			if list == nil {
				list = slices.Clone(tree.List("nodes"))
			}
			list[i] = now
		}
	}
	if list != nil {
		tree = tree.With("nodes", list)
	}
	if ending := tree.Object("ending"); ending != nil {
		after := ending.Object("after_submit")
		if now := mapped(after); now != after {
			tree = tree.With("ending", ending.With("after_submit", now))
		}
	}
	if tree == f.Tree() {
		return f
	}
	return f.Derive(tree)
}
