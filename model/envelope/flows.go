package envelope

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// FlowRef is a place of a form that names a flow.
type FlowRef struct {
	Path schema.Path
	ID   string // never ""
}

// FlowIDs returns the places that name a flow, in document order: FLOW nodes,
// RESEND_BUTTONs of steps, and the ending's after_submit. A flow that is not chosen
// yet, with an empty id, is none; nor is an id that is not a string.
func FlowIDs(f *model.Form) []FlowRef {
	refs := flowRefs(f)
	ps := make(schema.Problems, len(refs))
	for i, r := range refs {
		ps[i] = schema.Problem{Path: r.Path, Offset: i}
	}
	schema.Sort(f.Tree(), ps)
	out := make([]FlowRef, len(refs))
	for i, p := range ps {
		out[i] = refs[p.Offset]
	}
	return out
}

// flowRefs returns the places in the order in which an export numbers flows: the
// nodes in theirs, and the ending last wherever it is written.
func flowRefs(f *model.Form) []FlowRef {
	var refs []FlowRef
	add := func(p schema.Path, id string) {
		if id != "" {
			refs = append(refs, FlowRef{p, id})
		}
	}
	nodes := schema.Path{schema.Key("nodes")}
	for i, n := range f.Nodes {
		config := nodes.Index(i).Key("config")
		switch c := n.Config.(type) {
		case *model.Flow:
			add(config.Key("flow_id"), c.FlowID)
		case *model.Step:
			for j, comp := range c.Components {
				if comp.Type == resendButton {
					add(config.Key("components").Index(j).Key("config").Key("flow_id"), comp.Config().Text("flow_id"))
				}
			}
		case *model.Router, nil:
		}
	}
	add(schema.Path{schema.Key("ending"), schema.Key("after_submit"), schema.Key("flow_id")}, f.Ending.FlowID)
	return refs
}

// resendButton is the component that runs a flow; spec, "Category BLOCK".
const resendButton = "RESEND_BUTTON"

// MapFlows returns the form with other flow ids: to returns the new one of an id,
// or false to leave it. It is asked once for every place of FlowIDs, and f itself
// is returned when nothing changed.
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
	// The list is copied once, not once a node.
	var list []any
	for i, n := range f.Nodes {
		var config *schema.Object
		switch c := n.Config.(type) {
		case *model.Flow:
			config = mapped(n.Tree().Object("config"))
		case *model.Step:
			config = mapResends(n.Tree().Object("config"), c, mapped)
		case *model.Router, nil:
		}
		if config != nil && config != n.Tree().Object("config") {
			if list == nil {
				list = slices.Clone(tree.List("nodes"))
			}
			list[i] = n.Tree().With("config", config)
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

func mapResends(config *schema.Object, s *model.Step, mapped func(*schema.Object) *schema.Object) *schema.Object {
	var list []any
	for i, c := range s.Components {
		if c.Type != resendButton {
			continue
		}
		if now := mapped(c.Config()); now != c.Config() {
			if list == nil {
				list = slices.Clone(config.List("components"))
			}
			list[i] = c.Tree().With("config", now)
		}
	}
	if list == nil {
		return config
	}
	return config.With("components", list)
}
