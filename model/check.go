package model

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// CheckPatch checks the body of an update against the tables only. To check whether pointers resolve, use CheckGraph on the resulting form.
func CheckPatch(tree any) schema.Problems { return schema.Check(patchTable, tree) }

// CheckNew checks the body that creates a form, or a flat form in a file, against
// the tables only.
func CheckNew(tree any) schema.Problems { return schema.Check(newTable, tree) }

// CheckResponse checks a form as the API returns it, against the tables only.
func CheckResponse(tree any) schema.Problems { return schema.Check(responseTable, tree) }

// Warnings returns what is valid but questionable, in document order: flow ids of a shape that no tenant uses, and options of a field with the
// value of an earlier one. A flow id that is too long is a problem and not also a warning.
func Warnings(f *Form) schema.Problems {
	var ps schema.Problems
	for _, ref := range f.Flows() {
		if !f.Odd(ref) {
			continue
		}
		detail := "should be a flow's id such as af_1a2b3c"
		if IsFlowPlaceholder(ref.ID) {
			detail = "is the placeholder " + ref.ID + " of an export, not a flow of the tenant"
		}
		ps = append(ps, schema.Problem{Path: ref.Path, Code: schema.CodeFlowID, Detail: detail, Offset: -1})
	}
	for i, n := range f.Nodes {
		if own := n.warnings(); len(own) > 0 {
			ps = append(ps, own.Under(NodePath(i))...)
		}
	}
	schema.Sort(f.tree, ps)
	return ps
}

// Odd reports whether Warnings has one about the id of a flow.
func (f *Form) Odd(ref FlowRef) bool {
	at, _ := f.At(ref.Path)
	foreign := at.Component >= 0 && !f.Nodes[at.Node].Component(at.Component).known()
	return !foreign && !prefixed(ref.ID, "af_") && utf8.RuneCountInString(ref.ID) <= maxFlowID
}

// warnings returns the node's warnings that depend on nothing else, with paths from the node.
func (n *Node) warnings() schema.Problems {
	if memo := n.doubtful.Load(); memo != nil {
		return *memo
	}
	var ps schema.Problems
	if s, ok := n.Config.(*Step); ok {
		for i, c := range s.Components {
			ps = append(ps, c.repeatedOptions().Under(ComponentPath(0, i)[len(NodePath(0)):])...)
		}
	}
	n.doubtful.Store(&ps)
	return ps
}

// repeatedOptions returns a warning for each option with the value of an earlier one, with paths from the component. The tables allow it, but an
// answer does not show which of the two people chose.
func (c *Component) repeatedOptions() (ps schema.Problems) {
	list, _ := optionsOf(c).([]any)
	if !c.known() {
		return nil
	}
	first := make(map[string]int, len(list))
	for i, v := range list {
		o, _ := v.(*schema.Object)
		value := o.Text("value")
		if value == "" {
			continue // a problem already
		}
		at, taken := first[value]
		if !taken {
			first[value] = i
			continue
		}
		ps = append(ps, schema.Problem{
			Path: schema.Path{schema.Key("config"), schema.Key("options"), schema.Index(i), schema.Key("value")}, Code: schema.CodeRepeatedOption,
			Detail: "is also the value of option " + strconv.Itoa(at+1) + ", so an answer does not show which of the two was chosen", Offset: -1,
		})
	}
	return ps
}

// FlowRef is a place in a form that names a flow.
type FlowRef struct {
	Path schema.Path
	ID   string // "" if none is chosen yet
}

// Flows returns the places that hold a flow id as text: those of the nodes in order, then that of the ending, wherever it is in the
// document.
func (f *Form) Flows() []FlowRef {
	var refs []FlowRef
	add := func(p schema.Path, id string) {
		if id == "" {
			if v, _ := schema.Lookup(f.tree, p); v != "" {
				return // absent, or not a text
			}
		}
		refs = append(refs, FlowRef{p, id})
	}
	for i, n := range f.Nodes {
		n.Flows(func(r Ref) { add(f.RefPath(i, r), r.ID) })
	}
	add(schema.Path{schema.Key("ending"), schema.Key("after_submit"), schema.Key("flow_id")}, f.Ending.FlowID)
	return refs
}

// Lacking returns the places that name a flow that is not among those known, by id. There are none if no flow is known.
func (f *Form) Lacking(known map[string]string) []FlowRef {
	if len(known) == 0 {
		return nil
	}
	return slices.DeleteFunc(f.Flows(), func(r FlowRef) bool {
		_, ok := known[r.ID]
		return ok || r.ID == ""
	})
}

// CheckGraph checks what no table can: duplicate ids, and pointers to nodes that do not exist. It does not report the id of a node or
// component of an unknown type, but the id still counts as taken. The problems are in document order.
func CheckGraph(f *Form) schema.Problems {
	ps := checkGraph(f)
	schema.Sort(f.tree, ps)
	return ps
}

func checkGraph(f *Form) schema.Problems {
	var ps schema.Problems
	nodes, components := make(map[string]bool, len(f.Nodes)+1), make(map[string]bool, len(f.Nodes))
	nodes[EndingID] = true
	// A malformed id is already a problem, so it is not also reported as a duplicate. Paths are built only for problems.
	taken := func(seen map[string]bool, id string) bool {
		if !isIdentifier(id) {
			return false
		}
		was := seen[id]
		seen[id] = true
		return was
	}
	twice := func(what, id string, p schema.Path) {
		detail := "must be unique: an earlier " + what + " has the id " + id
		ps = append(ps, schema.Problem{Path: p, Code: schema.CodeDuplicateID, Detail: detail, Offset: -1})
	}
	for i, n := range f.Nodes {
		if taken(nodes, n.ID) && n.Config != nil {
			twice("node", n.ID, NodePath(i).Key("id"))
		}
		switch c := n.Config.(type) {
		case *Step:
			for j, comp := range c.Components {
				if taken(components, comp.ID) && comp.known() {
					twice("component", comp.ID, ComponentPath(i, j).Key("id"))
				}
			}
		case *Router:
			rules := make(map[string]bool, len(c.Rules))
			for j, r := range c.Rules {
				if taken(rules, r.ID) {
					twice("rule of this router", r.ID, RulePath(i, j).Key("id"))
				}
			}
		case *Flow, nil:
		}
	}
	for _, e := range f.Edges() {
		// A malformed pointer is reported as such, not as dangling.
		if !nodes[string(e.To)] && isIdentifier(string(e.To)) {
			detail := "must be a node of the form or $ending, is " + string(e.To)
			ps = append(ps, schema.Problem{Path: e.Path, Code: schema.CodeUnknownNode, Detail: detail, Offset: -1})
		}
	}
	return ps
}
