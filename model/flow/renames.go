package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/template/scan"
	"github.com/formgraph/formgraph/model/schema"
)

// Renames are the new ids of elements by the old ones; those of rules by the old id of their router.
type Renames struct {
	Nodes, Components map[string]string
	Rules             map[string]map[string]string
}

// Empty reports whether nothing was renamed.
func (r Renames) Empty() bool { return len(r.Nodes)+len(r.Components)+len(r.Rules) == 0 }

// Apply returns the form with the new ids, all given at once, and with what refers to them, as [RenameNode], [RenameComponent] and [RenameRule] say.
// Each new id must be well-formed, and free unless it is an old one as well.
func (r Renames) Apply(f *model.Form) *model.Form {
	var e edits
	r.nodes(f, &e)
	r.components(f, &e)
	return edited(f, &e)
}

// nodes records the new ids of nodes and rules, and the pointers to nodes.
func (r Renames) nodes(f *model.Form, e *edits) {
	if len(r.Nodes)+len(r.Rules) == 0 {
		return
	}
	done := map[string]bool{}
	for i, n := range f.Nodes {
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

// components records the new ids of components, the keys of their texts in other languages, and the references to them.
func (r Renames) components(f *model.Form, e *edits) {
	if len(r.Components) == 0 {
		return
	}
	done := map[string]bool{}
	for i, n := range f.Nodes {
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

// RenamesOf returns what was probably renamed between two forms, since a form does not say so. An element whose id is gone counts as renamed to a
// new id if the new element has the same type and resembles it, in this order: nodes that have the same content and place, the same content, the
// same place, a component or rule in common, or, without places, the same position in lists of the same length; components of the same node that
// have the same content, label or config, or the same position in lists of the same length; rules of the same router that have the same content. Ids
// that only one of the forms has do not count as content. The time grows with the size of the forms.
func RenamesOf(before, now *model.Form) Renames {
	d := newRenaming(before, now)
	d.nodes()
	for _, n := range before.Nodes {
		to := n.ID
		if renamed, ok := d.found.Nodes[to]; ok {
			to = renamed
		}
		if m := d.is.node[to]; m != nil && m != n && d.was.node[n.ID] == n {
			d.components(n, m)
			d.rules(n, m)
		}
	}
	return d.found
}

// renaming looks for what was renamed.
type renaming struct {
	before, now *model.Form
	was, is     names
	changed     map[string]bool // the ids that only one of the forms has
	found       Renames
}

// names are the ids of a form.
type names struct {
	node  map[string]*model.Node // the first with each id
	parts map[string]bool        // of components
	rules map[string]bool        // of any router
}

func namesOf(f *model.Form) names {
	n := names{map[string]*model.Node{}, map[string]bool{}, map[string]bool{}}
	for _, node := range f.Nodes {
		if n.node[node.ID] == nil {
			n.node[node.ID] = node
		}
		for _, c := range componentsOf(node) {
			n.parts[c.ID] = true
		}
		for _, r := range rulesOf(node) {
			n.rules[r.ID] = true
		}
	}
	return n
}

func newRenaming(before, now *model.Form) *renaming {
	d := &renaming{before: before, now: now, was: namesOf(before), is: namesOf(now)}
	d.found = Renames{map[string]string{}, map[string]string{}, map[string]map[string]string{}}
	d.changed = map[string]bool{}
	apart(d.was.node, d.is.node, d.changed)
	apart(d.was.parts, d.is.parts, d.changed)
	apart(d.was.rules, d.is.rules, d.changed)
	return d
}

// apart adds the keys that only one of two maps has.
func apart[T any](a, b map[string]T, to map[string]bool) {
	for _, m := range [][2]map[string]T{{a, b}, {b, a}} {
		for id := range m[0] {
			if _, both := m[1][id]; !both {
				to[id] = true
			}
		}
	}
}

// gone returns the first elements with valid ids that others lack.
func gone[T any, U any](list []T, id func(T) string, others map[string]U) (out []T) {
	seen := map[string]bool{}
	for _, e := range list {
		name := id(e)
		if _, there := others[name]; !there && !seen[name] && model.ValidIdentifier(name) {
			seen[name] = true
			out = append(out, e)
		}
	}
	return out
}

// likeness is what two elements must have in common to be the same; of several, the first of each form belong together.
type likeness struct {
	kind     string
	content  uint64
	at       model.Point
	text     string
	position int // in its list, from 1; 0 if it does not matter
}

// pair adds the ids of elements that are alike, each once.
func pair[T any](lost, fresh []T, to map[string]string, id func(T) string, of func(T) (likeness, bool)) {
	taken := make(map[string]bool, len(to))
	for _, v := range to {
		taken[v] = true
	}
	waiting := map[likeness][]T{}
	for _, e := range lost {
		if _, done := to[id(e)]; !done {
			if l, ok := of(e); ok {
				waiting[l] = append(waiting[l], e)
			}
		}
	}
	for _, e := range fresh {
		if len(waiting) == 0 {
			return
		}
		if taken[id(e)] {
			continue
		}
		if l, ok := of(e); ok && len(waiting[l]) > 0 {
			to[id(waiting[l][0])] = id(e)
			waiting[l] = waiting[l][1:]
		}
	}
}

func (d *renaming) nodes() {
	id := func(n *model.Node) string { return n.ID }
	lost, fresh := gone(d.before.Nodes, id, d.is.node), gone(d.now.Nodes, id, d.was.node)
	if len(lost) == 0 || len(fresh) == 0 {
		return
	}
	content := map[*model.Node]uint64{}
	for _, n := range slices.Concat(lost, fresh) {
		content[n] = d.digest(n.Tree(), "coordinates")
	}
	to := d.found.Nodes
	pair(lost, fresh, to, id, func(n *model.Node) (likeness, bool) {
		return likeness{kind: string(n.Type), content: content[n], at: n.At}, n.Placed
	})
	pair(lost, fresh, to, id, func(n *model.Node) (likeness, bool) { return likeness{kind: string(n.Type), content: content[n]}, true })
	pair(lost, fresh, to, id, func(n *model.Node) (likeness, bool) { return likeness{kind: string(n.Type), at: n.At}, n.Placed })
	d.shared(lost, fresh)
	if len(d.before.Nodes) != len(d.now.Nodes) {
		return
	}
	position := positions(d.before.Nodes, d.now.Nodes)
	pair(lost, fresh, to, id, func(n *model.Node) (likeness, bool) {
		return likeness{kind: string(n.Type), position: position[n]}, !n.Placed
	})
}

// positions returns the positions of the elements of two lists, from 1.
func positions[T comparable](lists ...[]T) map[T]int {
	at := map[T]int{}
	for _, list := range lists {
		for i, e := range list {
			at[e] = i + 1
		}
	}
	return at
}

// shared pairs nodes of the same type that have a component or rule with the same id.
func (d *renaming) shared(lost, fresh []*model.Node) {
	to, taken := d.found.Nodes, map[string]bool{}
	for _, v := range to {
		taken[v] = true
	}
	owner := map[likeness]*model.Node{}
	each := func(n *model.Node, do func(likeness) bool) {
		for _, c := range componentsOf(n) {
			if c.ID != "" && do(likeness{kind: string(n.Type), text: c.ID}) {
				return
			}
		}
		for _, r := range rulesOf(n) {
			if r.ID != "" && do(likeness{kind: string(n.Type), text: r.ID}) {
				return
			}
		}
	}
	for _, n := range lost {
		if _, done := to[n.ID]; !done {
			each(n, func(l likeness) bool {
				if owner[l] == nil {
					owner[l] = n
				}
				return false
			})
		}
	}
	for _, m := range fresh {
		if taken[m.ID] {
			continue
		}
		each(m, func(l likeness) bool {
			n := owner[l]
			if n == nil {
				return false
			}
			if _, done := to[n.ID]; done {
				return false
			}
			to[n.ID] = m.ID
			return true
		})
	}
}

func (d *renaming) components(n, m *model.Node) {
	id := func(c *model.Component) string { return c.ID }
	was, is := componentsOf(n), componentsOf(m)
	lost := gone(was, id, d.is.parts)
	if len(lost) == 0 {
		return
	}
	fresh, to := gone(is, id, d.was.parts), map[string]string{}
	kind := func(c *model.Component) string { return c.Type }
	pair(lost, fresh, to, id, func(c *model.Component) (likeness, bool) {
		return likeness{kind: kind(c), content: d.digest(c.Tree(), "")}, true
	})
	pair(lost, fresh, to, id, func(c *model.Component) (likeness, bool) {
		return likeness{kind: kind(c), text: c.Label}, c.Label != ""
	})
	pair(lost, fresh, to, id, func(c *model.Component) (likeness, bool) {
		return likeness{kind: kind(c), content: d.digest(c.Config(), "")}, c.Config() != nil
	})
	if len(was) == len(is) {
		position := positions(was, is)
		pair(lost, fresh, to, id, func(c *model.Component) (likeness, bool) { return likeness{kind: kind(c), position: position[c]}, true })
	}
	maps.Copy(d.found.Components, to)
}

func (d *renaming) rules(n, m *model.Node) {
	id := func(r *model.Rule) string { return r.ID }
	was, is := rulesOf(n), rulesOf(m)
	known := func(rules []*model.Rule) map[string]bool {
		ids := make(map[string]bool, len(rules))
		for _, r := range rules {
			ids[r.ID] = true
		}
		return ids
	}
	lost := gone(was, id, known(is))
	if len(lost) == 0 {
		return
	}
	to := map[string]string{}
	pair(lost, gone(is, id, known(was)), to, id, func(r *model.Rule) (likeness, bool) {
		return likeness{content: d.digest(r.Tree(), "id")}, true
	})
	if len(to) > 0 {
		d.found.Rules[n.ID] = to
	}
}

// digest returns the digest of an element without a member. Ids that changed count as one and the same, alone and as references in templates.
func (d *renaming) digest(o *schema.Object, without string) uint64 {
	return schema.DigestOf(o.Without(without), func(s string) string {
		if d.changed[s] {
			return ""
		}
		var b strings.Builder
		done := 0
		for _, ref := range scan.Fields(s) {
			if d.changed[s[ref.From:ref.To]] {
				b.WriteString(s[done:ref.From])
				done = ref.To
			}
		}
		if done == 0 {
			return s
		}
		b.WriteString(s[done:])
		return b.String()
	})
}
