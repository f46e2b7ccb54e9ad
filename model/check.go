package model

import (
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// CheckPatch judges the body of an update by the tables alone. Whether pointers
// resolve is judged on the form as it would be afterwards: see CheckGraph.
func CheckPatch(tree any) schema.Problems { return schema.Check(patchTable, tree) }

// CheckNew judges the body that creates a form, or a flat form in a file, by
// the tables alone.
func CheckNew(tree any) schema.Problems { return schema.Check(newTable, tree) }

// CheckResponse judges a form as the API returns it, by the tables alone.
func CheckResponse(tree any) schema.Problems { return schema.Check(responseTable, tree) }

// CheckForm judges the content of a form whole: tables, ids and pointers, in
// document order. Properties that only a response has are not judged.
func CheckForm(f *Form) schema.Problems { return new(Checker).Check(f) }

// Warnings returns what the spec allows and an author should know, in document
// order: flow ids that no tenant gives. One that is too long is a problem and no
// warning beside it.
func Warnings(f *Form) schema.Problems {
	var ps schema.Problems
	warn := func(id string, present bool, p schema.Path) {
		detail := "should be a flow's id such as af_1a2b3c"
		if IsFlowPlaceholder(id) {
			detail = "should be a flow of the tenant, is the placeholder " + id + " of an export"
		}
		if present && !prefixed(id, "af_") && utf8.RuneCountInString(id) <= maxFlowID {
			ps = append(ps, schema.Problem{Path: p, Code: schema.CodeFlowID, Detail: detail, Offset: -1})
		}
	}
	nodes := schema.Path{schema.Key("nodes")}
	for i, n := range f.Nodes {
		config := nodes.Index(i).Key("config")
		switch c := n.Config.(type) {
		case *Flow:
			warn(c.FlowID, isText(n.tree.Object("config"), "flow_id"), config.Key("flow_id"))
		case *Step:
			for j, comp := range c.Components {
				if comp.Type == "RESEND_BUTTON" && comp.known() {
					warn(comp.Config().Text("flow_id"), isText(comp.Config(), "flow_id"), config.Key("components").Index(j).Key("config").Key("flow_id"))
				}
			}
		case *Router, nil:
		}
	}
	after := f.tree.Object("ending").Object("after_submit")
	warn(f.Ending.FlowID, isText(after, "flow_id"), schema.Path{schema.Key("ending"), schema.Key("after_submit"), schema.Key("flow_id")})
	schema.Sort(f.tree, ps)
	return ps
}

func isText(o *schema.Object, key string) bool {
	v, _ := o.Get(key)
	_, ok := v.(string)
	return ok
}

// CheckGraph judges what no table can: ids that are taken, pointers to nodes
// that do not exist. A node or component without a known type has no problem of
// its id, and owns the id nevertheless. In document order.
func CheckGraph(f *Form) schema.Problems {
	ps := checkGraph(f)
	schema.Sort(f.tree, ps)
	return ps
}

func checkGraph(f *Form) schema.Problems {
	var ps schema.Problems
	nodes, components := make(map[string]bool, len(f.Nodes)+1), make(map[string]bool, len(f.Nodes))
	nodes[EndingID] = true
	// A malformed id is a problem already; two of them are not another. Paths are made of what is wrong only.
	taken := func(seen map[string]bool, id string) bool {
		if !isIdentifier(id) {
			return false
		}
		was := seen[id]
		seen[id] = true
		return was
	}
	twice := func(what, id string, p schema.Path) {
		ps = append(ps, schema.Problem{Path: p, Code: schema.CodeDuplicateID, Detail: "must be unique: an earlier " + what + " has the id " + id, Offset: -1})
	}
	list := schema.Path{schema.Key("nodes")}
	for i, n := range f.Nodes {
		if taken(nodes, n.ID) && n.Config != nil {
			twice("node", n.ID, list.Index(i).Key("id"))
		}
		switch c := n.Config.(type) {
		case *Step:
			for j, comp := range c.Components {
				if taken(components, comp.ID) && comp.known() {
					twice("component", comp.ID, list.Index(i).Key("config").Key("components").Index(j).Key("id"))
				}
			}
		case *Router:
			rules := make(map[string]bool, len(c.Rules))
			for j, r := range c.Rules {
				if taken(rules, r.ID) {
					twice("rule of this router", r.ID, list.Index(i).Key("config").Key("rules").Index(j).Key("id"))
				}
			}
		case *Flow, nil:
		}
	}
	for _, e := range f.Edges() {
		// A malformed pointer is only that.
		if !nodes[string(e.To)] && isIdentifier(string(e.To)) {
			ps = append(ps, schema.Problem{Path: e.Path, Code: schema.CodeUnknownNode, Detail: "must be a node of the form or $ending, is " + string(e.To), Offset: -1})
		}
	}
	return ps
}
