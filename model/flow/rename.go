package flow

import (
	"errors"
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/run/template/scan"
	"github.com/formgraph/formgraph/model/schema"
)

// Reasons to refuse a renaming.
var (
	ErrNoID      = errors.New("there is no such id")
	ErrMalformed = errors.New("must be letters, digits, _ or - only")
	ErrTaken     = errors.New("the id is taken")
)

// RenameNode returns the form with another id for the first node with an id, and for every pointer to it. Dangling pointers that have the
// new id then lead to it. A second node with the old id keeps it, and no pointer leads to that node. The errors are ErrNoID, ErrMalformed
// and ErrTaken; the ids of nodes are one namespace.
func RenameNode(f *model.Form, old, id string) (*model.Form, error) {
	_, at := f.Node(old)
	_, other := f.Node(id)
	if err := renamable(old, id, at >= 0, other >= 0); err != nil || old == id {
		return unchanged(f, "node", err)
	}
	return Renames{Nodes: map[string]string{old: id}}.Apply(f), nil
}

// RenameComponent returns the form with another id for the first component with an id. Its references follow: those in templates, unless
// another component or a hidden field has the old id, and its texts in every language, unless another component has the old id. Texts that
// already exist under the new id, without a component, are replaced.
//
// The errors are ErrNoID, ErrMalformed and ErrTaken. Components and hidden
// fields are one namespace here, since templates do not distinguish them.
// References to a missing field with the new id then refer to the
// component.
func RenameComponent(f *model.Form, old, id string) (*model.Form, error) {
	owners := fieldOwners(f)
	if err := renamable(old, id, owners[old].components > 0, owners[id].any()); err != nil || old == id {
		return unchanged(f, "component", err)
	}
	return Renames{Components: map[string]string{old: id}}.Apply(f), nil
}

// RenameHiddenField returns the form with another key for every hidden field with a key: keys may repeat and then name one value.
// References in templates follow, unless a component has the old id. The errors and the namespace are those of RenameComponent.
func RenameHiddenField(f *model.Form, old, key string) (*model.Form, error) {
	owners := fieldOwners(f)
	if err := renamable(old, key, owners[old].hidden > 0, owners[key].any()); err != nil || old == key {
		return unchanged(f, "hidden field", err)
	}
	return Renames{Hidden: map[string]string{old: key}}.Apply(f), nil
}

// RenameRule returns the form with another id for the first rule with an id in the first
// node with an id. Nothing refers to rules by their id. The
// errors are ErrNoID, also for the node, ErrMalformed and ErrTaken; the ids of
// one router's rules are one namespace.
func RenameRule(f *model.Form, node, old, id string) (*model.Form, error) {
	n, place := f.Node(node)
	var router *model.Router
	if place >= 0 {
		router, _ = n.Config.(*model.Router)
	}
	if router == nil {
		return unchanged(f, "rule", fmt.Errorf("router %q: %w", node, ErrNoID))
	}
	there, taken := false, false
	for _, r := range router.Rules {
		there = there || r.ID == old
		taken = taken || r.ID == id
	}
	if err := renamable(old, id, there, taken); err != nil || old == id {
		return unchanged(f, "rule", err)
	}
	return Renames{Rules: map[string]map[string]string{node: {old: id}}}.Apply(f), nil
}

// renamable returns the reason to refuse a renaming, nil if it is allowed.
func renamable(old, id string, exists, taken bool) error {
	switch {
	case old == "" || !exists:
		return fmt.Errorf("from %q: %w", old, ErrNoID)
	case !model.ValidIdentifier(id):
		return fmt.Errorf("to %q: %w", id, ErrMalformed)
	case taken && old != id:
		return fmt.Errorf("to %q: %w", id, ErrTaken)
	}
	return nil
}

// unchanged returns the result of a refused renaming, or of one to the same id.
func unchanged(f *model.Form, what string, err error) (*model.Form, error) {
	if err != nil {
		return nil, fmt.Errorf("rename %s %w", what, err)
	}
	return f, nil
}

func edited(f *model.Form, e *edits) *model.Form {
	return f.Derive(e.apply(f.Tree()).(*schema.Object))
}

// renameReferences records new ids for the references to fields.
func renameReferences(f *model.Form, e *edits, to map[string]string) {
	seen := 0
	EachString(f.Tree(), nil, func(s string, p schema.Path) {
		if seen++; seen%64 == 0 {
			pause.Now()
		}
		var b strings.Builder
		done := 0
		for _, ref := range scan.Fields(s) {
			if id, ok := to[s[ref.From:ref.To]]; ok {
				b.WriteString(s[done:ref.From])
				b.WriteString(id)
				done = ref.To
			}
		}
		if done > 0 {
			b.WriteString(s[done:])
			e.put(p, b.String())
		}
	})
}

// Renames are the new ids of elements by the old ones; those of rules by the old id of their router. Hidden has the keys of hidden fields.
type Renames struct {
	Nodes, Components, Hidden map[string]string
	Rules                     map[string]map[string]string
}

// Empty reports whether nothing was renamed.
func (r Renames) Empty() bool { return len(r.Nodes)+len(r.Components)+len(r.Hidden)+len(r.Rules) == 0 }

// Node returns the id that a node has now, by its old one.
func (r Renames) Node(id string) string { return latest(r.Nodes, id) }

// Component is Node for components.
func (r Renames) Component(id string) string { return latest(r.Components, id) }

// HiddenField is Node for the keys of hidden fields.
func (r Renames) HiddenField(key string) string { return latest(r.Hidden, key) }

// Rule is Node for rules. The router is given by its old id.
func (r Renames) Rule(router, id string) string { return latest(r.Rules[router], id) }

func latest(to map[string]string, id string) string {
	if is, ok := to[id]; ok {
		return is
	}
	return id
}

// Apply returns the form with the new ids, all given at once, and with what refers to them, as [RenameNode], [RenameComponent], [RenameHiddenField]
// and [RenameRule] say. Each new id must be well-formed, and free unless it is an old one as well.
func (r Renames) Apply(f *model.Form) *model.Form {
	var e edits
	r.nodes(f, &e)
	r.fields(f, &e)
	return edited(f, &e)
}

// nodes records the new ids of nodes and rules, and the pointers to nodes.
func (r Renames) nodes(f *model.Form, e *edits) {
	if len(r.Nodes)+len(r.Rules) == 0 {
		return
	}
	done := map[string]bool{}
	for i, n := range f.Nodes {
		pause.Now()
		if done[n.ID] {
			continue
		}
		done[n.ID] = true
		if id, ok := r.Nodes[n.ID]; ok {
			e.put(model.NodePath(i).Key("id"), id)
		}
		renamed := map[string]bool{}
		for j, rule := range rulesOf(n) {
			if id, ok := r.Rules[n.ID][rule.ID]; ok && !renamed[rule.ID] {
				renamed[rule.ID] = true
				e.put(model.RulePath(i, j).Key("id"), id)
			}
		}
	}
	for _, edge := range f.Edges() {
		// No pointer leads to a node with the id of the ending.
		if id, ok := r.Nodes[string(edge.To)]; ok && edge.To != model.EndingID {
			e.put(edge.Path, id)
		}
	}
}

// fields records the new ids of components and hidden fields, the keys of their texts in other languages, and the references to them.
func (r Renames) fields(f *model.Form, e *edits) {
	if len(r.Components)+len(r.Hidden) == 0 {
		return
	}
	done := map[string]bool{}
	for i, n := range f.Nodes {
		pause.Now()
		for j, c := range componentsOf(n) {
			if id, ok := r.Components[c.ID]; ok && !done[c.ID] {
				done[c.ID] = true
				e.put(model.ComponentPath(i, j).Key("id"), id)
			}
		}
	}
	texts, references := map[string]string{}, map[string]string{}
	owners := fieldOwners(f)
	for old, id := range r.Components {
		if owners[old].components == 1 {
			if texts[old] = id; owners[old].hidden == 0 {
				references[old] = id
			}
		}
	}
	for i, h := range f.Start.Hidden {
		if key, ok := r.Hidden[h.Key]; ok {
			e.put(schema.Path{schema.Key("start"), schema.Key("hidden_fields"), schema.Index(i), schema.Key("key")}, key)
			if owners[h.Key].components == 0 {
				references[h.Key] = key
			}
		}
	}
	for _, language := range f.Tree().Object("translations").Members() {
		o, _ := language.Value.(*schema.Object)
		for _, m := range o.Object("components").Members() {
			if id, ok := texts[m.Key]; ok {
				e.rename(schema.Path{schema.Key("translations"), schema.Key(language.Key), schema.Key("components"), schema.Key(m.Key)}, id)
			}
		}
	}
	if len(references) > 0 {
		renameReferences(f, e, references)
	}
}

func componentsOf(n *model.Node) []*model.Component {
	if s, ok := n.Config.(*model.Step); ok {
		return s.Components
	}
	return nil
}

func rulesOf(n *model.Node) []*model.Rule {
	if r, ok := n.Config.(*model.Router); ok {
		return r.Rules
	}
	return nil
}
