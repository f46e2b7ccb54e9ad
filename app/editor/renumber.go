package editor

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// renumbering gives new elements of a form ids that the form does not have. It keeps an id that is well formed and unused, and replaces ids
// that are absent, malformed, taken or repeated. It runs once, when a command is made, since a command must have the same effect each time
// it runs.
type renumbering struct {
	fresh   func(typ string, taken func(string) bool) string
	dialect func(k *model.Kind, typ string) string // the name of a component's type

	nodes, components namespace
	rules             func() namespace // a new one for each router
}

// namespace holds the ids that new elements must not have.
type namespace struct {
	taken    map[string]bool // in the form, and by earlier elements
	reserved map[string]bool // ids of the elements themselves, which fresh ids must not take
	renamed  map[string]string
}

func newNamespace() namespace {
	return namespace{map[string]bool{}, map[string]bool{}, map[string]string{}}
}

// id returns the id of the next element, whose own is old.
func (n *namespace) id(fresh func(string, func(string) bool) string, typ, old string) string {
	id := old
	if !model.ValidIdentifier(old) || n.taken[old] {
		id = fresh(typ, func(id string) bool { return n.taken[id] || n.reserved[id] })
	}
	n.taken[id] = true
	// If two elements share an id, references mean the first.
	if _, ok := n.renamed[old]; !ok {
		n.renamed[old] = id
	}
	return id
}

// newRenumbering returns a renumbering that knows the ids of the maker's form.
func newRenumbering(m Maker) *renumbering {
	r := &renumbering{
		fresh: m.config.fresh, dialect: func(_ *model.Kind, typ string) string { return typ },
		nodes: newNamespace(), components: newNamespace(), rules: newNamespace,
	}
	for _, n := range m.state.Form.Nodes {
		r.nodes.taken[n.ID] = true
	}
	r.components.taken = componentIDs(m.state.Form)
	// Templates cannot distinguish a component from a hidden field.
	for _, h := range m.state.Form.Start.Hidden {
		r.components.taken[h.Key] = true
	}
	return r
}

// all returns the elements with their new ids. Pointers and references among them
// follow; those to other elements stay.
func (r *renumbering) all(p Pasted) Pasted {
	switch {
	case len(p.Nodes) > 0:
		return Pasted{Nodes: r.renumberNodes(p.Nodes, r.node)}
	case len(p.Components) > 0:
		return Pasted{Components: r.parts(model.StepNode, p.Components)}
	case len(p.Rules) > 0:
		return Pasted{Rules: r.parts(model.RouterNode, p.Rules)}
	}
	return p
}

// parts gives ids to components or rules. It reads and writes them as the parts of a node that has nothing else.
func (r *renumbering) parts(t model.NodeType, list []*schema.Object) []*schema.Object {
	node := r.renumberNodes([]*schema.Object{wrapped(t, list)}, r.config)[0]
	return objects(node.Object("config").List(model.NodeKindOf(t).Parts))
}

// wrapped returns a node of a type that has only these components or rules.
func wrapped(t model.NodeType, parts []*schema.Object) *schema.Object {
	return schema.NewObject(
		schema.Member{Key: "type", Value: string(t)},
		schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: model.NodeKindOf(t).Parts, Value: elements(parts)})},
	)
}

// componentIDs returns the ids of all components of a form.
func componentIDs(f *model.Form) map[string]bool {
	ids := map[string]bool{}
	for _, n := range f.Nodes {
		for i := range n.Parts() {
			if c := n.Component(i); c != nil {
				ids[c.ID] = true
			}
		}
	}
	return ids
}

func (r *renumbering) renumberNodes(list []*schema.Object, one func(*model.Node) *schema.Object) []*schema.Object {
	nodes := readNodes(list)
	for _, n := range nodes {
		r.nodes.reserved[n.ID] = true
		n.Pointers(func(p model.Ref) { r.nodes.reserved[p.ID] = true })
		if s, ok := n.Config.(*model.Step); ok {
			for _, c := range s.Components {
				r.components.reserved[c.ID] = true
			}
		}
	}
	out := make([]*schema.Object, len(nodes))
	for i, n := range nodes {
		out[i] = one(n)
	}
	for i, n := range readNodes(out) {
		out[i] = n.MapPointers(func(p model.Pointer) model.Pointer {
			if id, ok := r.nodes.renamed[string(p)]; ok && p != model.EndingID {
				return model.Pointer(id)
			}
			return p
		})
	}
	return renameReferences(out, r.components.renamed)
}

// node gives ids to a node and its content.
func (r *renumbering) node(n *model.Node) *schema.Object {
	word := "node"
	if model.NodeKindOf(n.Type) != nil {
		word = string(n.Type)
	}
	o := r.config(n)
	if id := r.nodes.id(r.fresh, word, n.ID); id != n.ID {
		o = o.With("id", id)
	}
	return o
}

// config gives ids to the content of a node.
func (r *renumbering) config(n *model.Node) *schema.Object {
	config := n.Tree().Object("config")
	switch c := n.Config.(type) {
	case *model.Step:
		list := slices.Clone(config.List("components"))
		for i, comp := range c.Components {
			if comp.Tree() != nil {
				list[i] = r.component(comp)
			}
		}
		if len(list) > 0 {
			return n.Tree().With("config", config.With("components", list))
		}
	case *model.Router:
		list, rules := slices.Clone(config.List("rules")), r.rules()
		for _, rule := range c.Rules {
			rules.reserved[rule.ID] = true
		}
		for i, rule := range c.Rules {
			if id := rules.id(r.fresh, "rule", rule.ID); rule.Tree() != nil && id != rule.ID {
				list[i] = rule.Tree().With("id", id)
			}
		}
		if len(list) > 0 {
			return n.Tree().With("config", config.With("rules", list))
		}
	case *model.Flow, nil:
	}
	return n.Tree()
}

func (r *renumbering) component(c *model.Component) *schema.Object {
	o, word := c.Tree(), "component"
	if c.Kind != nil {
		word = c.Kind.Type
		if typ := r.dialect(c.Kind, c.Type); typ != c.Type {
			o = o.With("type", typ)
		}
	}
	if id := r.components.id(r.fresh, word, c.ID); id != c.ID {
		o = o.With("id", id)
	}
	return o
}

// readNodes reads nodes that are in no form.
func readNodes(list []*schema.Object) []*model.Node {
	return model.FromTree(schema.NewObject(schema.Member{Key: "nodes", Value: elements(list)})).Nodes
}

// renameReferences returns the elements with other ids of fields in their templates.
func renameReferences(list []*schema.Object, to map[string]string) []*schema.Object {
	changed := false
	for old, id := range to {
		changed = changed || old != id
	}
	if !changed {
		return list
	}
	tree := schema.NewObject(schema.Member{Key: "nodes", Value: elements(list)})
	w := rewriting{refs: flow.References(model.FromTree(tree)), to: to}
	o, _ := w.value(tree, nil).(*schema.Object)
	return objects(o.List("nodes"))
}

// rewriting walks a tree in the order of its references and copies what lies
// between them unchanged.
type rewriting struct {
	refs []flow.Reference // those that the walk has not reached
	to   map[string]string
}

func (w *rewriting) value(v any, p schema.Path) any {
	if len(w.refs) == 0 || !w.refs[0].Path.HasPrefix(p) {
		return v
	}
	switch v := v.(type) {
	case string:
		return w.text(v, p)
	case []any:
		list := slices.Clone(v)
		for i, item := range v {
			list[i] = w.value(item, append(p, schema.Index(i)))
		}
		return list
	case *schema.Object:
		members := slices.Clone(v.Members())
		for i, m := range members {
			members[i].Value = w.value(m.Value, append(p, schema.Key(m.Key)))
		}
		return schema.NewObject(members...)
	}
	return v
}

// text rewrites the references of one string.
func (w *rewriting) text(s string, p schema.Path) string {
	var b []byte
	done := 0
	for len(w.refs) > 0 && w.refs[0].Path.Equal(p) {
		ref := w.refs[0]
		w.refs = w.refs[1:]
		id, ok := w.to[ref.ID]
		if !ok {
			id = ref.ID
		}
		b = append(append(b, s[done:ref.Offset]...), id...)
		done = ref.Offset + len(ref.ID)
	}
	return string(append(b, s[done:]...))
}
