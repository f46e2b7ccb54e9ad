package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/run/template/scan"
	"github.com/formgraph/formgraph/model/schema"
)

// RenamesOf returns what was probably renamed between two forms, since a form does not say so. An element whose id is gone counts as renamed to a
// new id if the new element has the same type and resembles it, in this order: nodes that have the same content and place, the same content, the
// same place, a component or rule in common, or, without places, the same position in lists of the same length; components of the same node that
// have the same content, label or config, or the same position in lists of the same length; components with a label and the same content in
// different nodes; rules of the same router that have the same content, alias or condition; hidden fields that have the same value, or the same
// position in lists of the same length. Ids that only one of the forms has do not count as content. The time grows with the size of the forms.
func RenamesOf(before, now *model.Form) Renames {
	return newRenaming(side{before.Nodes, before.Start.Hidden}, side{now.Nodes, now.Start.Hidden}, false).find()
}

// SureRenamesOf is RenamesOf for callers who change a form by the result. It asks for more, so that a new element that took the place of a removed
// one, such as the next step or field, does not count as renamed: nodes in the same place must also have the same alias or config; nodes with the same
// content in different places must have an alias or run a flow; components with the same config must have the same position; and only components
// without a label may have nothing but the position in common. The nodes that the forms share take hardly any time.
func SureRenamesOf(before, now *model.Form) Renames {
	d := newRenaming(apartFrom(before, now), apartFrom(now, before), true)
	if !d.lost() {
		return Renames{}
	}
	return d.find()
}

// side is what one of two forms may have renamed.
type side struct {
	nodes  []*model.Node
	hidden []model.HiddenField
}

// apartFrom returns what a form has besides the nodes that another form has, too, as the same objects.
func apartFrom(f, other *model.Form) side {
	aside := map[*schema.Object]bool{}
	for i, n := range other.Nodes {
		if i >= len(f.Nodes) || f.Nodes[i].Tree() != n.Tree() {
			aside[n.Tree()] = true
		}
	}
	s := side{hidden: f.Start.Hidden}
	for i, n := range f.Nodes {
		if o := n.Tree(); o != nil && !aside[o] && (i >= len(other.Nodes) || other.Nodes[i].Tree() != o) {
			s.nodes = append(s.nodes, n)
		}
	}
	return s
}

// lost reports whether an id is gone.
func (d *renaming) lost() bool {
	was, is := d.was, d.is
	return lacks(was.node, is.node) || lacks(was.parts, is.parts) || lacks(was.hidden, is.hidden) ||
		slices.ContainsFunc(d.before.nodes, func(n *model.Node) bool { return lacks(ruleIDs(n), ruleIDs(is.node[n.ID])) })
}

func lacks[T any](a, b map[string]T) bool {
	for id := range a {
		if _, there := b[id]; !there {
			return true
		}
	}
	return false
}

// find finds what was renamed.
func (d *renaming) find() Renames {
	d.nodes()
	for _, n := range d.before.nodes {
		pause.Now()
		to := n.ID
		if renamed, ok := d.found.Nodes[to]; ok {
			to = renamed
		}
		if m := d.is.node[to]; m != nil && m != n && d.was.node[n.ID] == n {
			d.components(n, m)
			d.rules(n, m)
		}
	}
	d.moved()
	d.hidden()
	return d.found
}

// renaming looks for what was renamed.
type renaming struct {
	before, now side
	sure        bool // whether to leave out what may be another element in the same place
	was, is     names
	changed     map[string]bool // the ids that only one of the forms has
	found       Renames
}

// names are the ids of a form.
type names struct {
	node   map[string]*model.Node // the first with each id
	parts  map[string]bool        // of components
	rules  map[string]bool        // of any router
	hidden map[string]bool        // the keys of hidden fields
}

func namesOf(of side) names {
	n := names{map[string]*model.Node{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, node := range of.nodes {
		pause.Now()
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
	for _, h := range of.hidden {
		n.hidden[h.Key] = true
	}
	return n
}

func newRenaming(before, now side, sure bool) *renaming {
	d := &renaming{before: before, now: now, sure: sure, was: namesOf(before), is: namesOf(now)}
	d.found = Renames{map[string]string{}, map[string]string{}, map[string]string{}, map[string]map[string]string{}}
	d.changed = map[string]bool{}
	apart(d.was.node, d.is.node, d.changed)
	apart(d.was.parts, d.is.parts, d.changed)
	apart(d.was.rules, d.is.rules, d.changed)
	apart(d.was.hidden, d.is.hidden, d.changed)
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
	lost, fresh := gone(d.before.nodes, id, d.is.node), gone(d.now.nodes, id, d.was.node)
	if len(lost) == 0 || len(fresh) == 0 {
		return
	}
	content := map[*model.Node]uint64{}
	for _, n := range slices.Concat(lost, fresh) {
		pause.Now()
		content[n] = d.digest(n.Tree(), "coordinates")
	}
	to := d.found.Nodes
	pair(lost, fresh, to, id, func(n *model.Node) (likeness, bool) {
		l := likeness{kind: string(n.Type), content: content[n], at: n.At}
		if !n.Placed {
			l.text = "nowhere"
		}
		return l, n.Placed || d.sure
	})
	pair(lost, fresh, to, id, func(n *model.Node) (likeness, bool) {
		flow, _ := n.Config.(*model.Flow)
		return likeness{kind: string(n.Type), content: content[n]}, !d.sure || n.Alias != "" || flow != nil && flow.FlowID != ""
	})
	if d.sure {
		pair(lost, fresh, to, id, func(n *model.Node) (likeness, bool) {
			return likeness{kind: string(n.Type), at: n.At, text: n.Alias}, n.Placed && n.Alias != ""
		})
		pair(lost, fresh, to, id, func(n *model.Node) (likeness, bool) {
			return likeness{kind: string(n.Type), at: n.At, content: d.digest(n.Tree().Object("config"), "")}, n.Placed
		})
	} else {
		pair(lost, fresh, to, id, func(n *model.Node) (likeness, bool) { return likeness{kind: string(n.Type), at: n.At}, n.Placed })
	}
	d.shared(lost, fresh)
	if d.sure || len(d.before.nodes) != len(d.now.nodes) {
		return
	}
	position := positions(d.before.nodes, d.now.nodes)
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
	position := positions(was, is)
	pair(lost, fresh, to, id, func(c *model.Component) (likeness, bool) {
		l := likeness{kind: kind(c), content: d.digest(c.Config(), "")}
		if d.sure {
			l.position = position[c]
		}
		return l, c.Config() != nil && (!d.sure || len(was) == len(is))
	})
	if len(was) == len(is) {
		pair(lost, fresh, to, id, func(c *model.Component) (likeness, bool) {
			return likeness{kind: kind(c), position: position[c]}, !d.sure || c.Label == ""
		})
	}
	maps.Copy(d.found.Components, to)
}

// moved pairs components that are now in another node.
func (d *renaming) moved() {
	all := func(s side) (list []*model.Component) {
		for _, n := range s.nodes {
			list = append(list, componentsOf(n)...)
		}
		return list
	}
	id := func(c *model.Component) string { return c.ID }
	lost := gone(all(d.before), id, d.is.parts)
	if len(lost) == len(d.found.Components) {
		return
	}
	pair(lost, gone(all(d.now), id, d.was.parts), d.found.Components, id, func(c *model.Component) (likeness, bool) {
		return likeness{kind: c.Type, content: d.digest(c.Tree(), "")}, c.Label != ""
	})
}

// hidden pairs hidden fields.
func (d *renaming) hidden() {
	was, is := d.before.hidden, d.now.hidden
	key := func(h *model.HiddenField) string { return h.Key }
	pointers := func(list []model.HiddenField) (out []*model.HiddenField) {
		for i := range list {
			out = append(out, &list[i])
		}
		return out
	}
	before, now := pointers(was), pointers(is)
	lost, fresh, to := gone(before, key, d.is.hidden), gone(now, key, d.was.hidden), d.found.Hidden
	pair(lost, fresh, to, key, func(h *model.HiddenField) (likeness, bool) { return likeness{text: h.Value}, h.Value != "" })
	if len(was) == len(is) {
		position := positions(before, now)
		pair(lost, fresh, to, key, func(h *model.HiddenField) (likeness, bool) { return likeness{position: position[h]}, true })
	}
}

func (d *renaming) rules(n, m *model.Node) {
	id := func(r *model.Rule) string { return r.ID }
	was, is := rulesOf(n), rulesOf(m)
	lost := gone(was, id, ruleIDs(m))
	if len(lost) == 0 {
		return
	}
	fresh, to := gone(is, id, ruleIDs(n)), map[string]string{}
	pair(lost, fresh, to, id, func(r *model.Rule) (likeness, bool) { return likeness{content: d.digest(r.Tree(), "id")}, true })
	pair(lost, fresh, to, id, func(r *model.Rule) (likeness, bool) { return likeness{text: r.Alias}, r.Alias != "" })
	pair(lost, fresh, to, id, func(r *model.Rule) (likeness, bool) {
		return likeness{content: d.digest(schema.NewObject(schema.Member{Key: "condition", Value: r.Condition}), "")}, r.Condition != nil
	})
	if len(to) > 0 {
		d.found.Rules[n.ID] = to
	}
}

func ruleIDs(n *model.Node) map[string]bool {
	rules := rulesOf(n)
	ids := make(map[string]bool, len(rules))
	for _, r := range rules {
		ids[r.ID] = true
	}
	return ids
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
