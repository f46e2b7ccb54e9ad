package merge

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Renames are the new IDs of nodes and components by the old ones.
type Renames struct{ Nodes, Components map[string]string }

// Empty reports whether nothing was renamed.
func (r Renames) Empty() bool { return len(r.Nodes) == 0 && len(r.Components) == 0 }

// RenamesOf returns what was probably renamed between two forms, since a form does not say so. An element whose ID is gone counts as renamed to a
// new ID if the new element has the same type and resembles it. Nodes resemble each other if they share a component, the place on the canvas or the
// content; without places, also if they have the same position in lists of the same length. Components of the same node resemble each other if they
// share the label or the content, or have the same position in lists of the same length.
func RenamesOf(before, now *model.Form) Renames {
	r := Renames{Nodes: map[string]string{}, Components: map[string]string{}}
	lost, fresh := apart(before.Nodes, now.Nodes, func(n *model.Node) string { return n.ID })
	pair(lost, fresh, r.Nodes, func(n *model.Node) string { return n.ID }, func(a, b *model.Node) bool {
		at := a.Placed && b.Placed && a.At == b.At || !a.Placed && !b.Placed && samePosition(before.Nodes, a, now.Nodes, b)
		return a.Type == b.Type && (at || shareComponent(a, b) || sameBut(a.Tree(), b.Tree(), "id"))
	})
	there := map[string]bool{} // components now
	for _, n := range now.Nodes {
		for _, c := range componentsOf(n) {
			there[c.ID] = true
		}
	}
	id := func(c *model.Component) string { return c.ID }
	for _, n := range before.Nodes {
		old := componentsOf(n)
		if !slices.ContainsFunc(old, func(c *model.Component) bool { return !there[c.ID] }) {
			continue
		}
		to := n.ID
		if renamed, ok := r.Nodes[to]; ok {
			to = renamed
		}
		m, _ := now.Node(to)
		if m == nil {
			continue
		}
		is := componentsOf(m)
		lost, fresh := apart(old, is, id)
		lost = slices.DeleteFunc(lost, func(c *model.Component) bool { return there[c.ID] }) // moved to another node
		for _, alike := range []func(a, b *model.Component) bool{
			func(a, b *model.Component) bool { return sameBut(a.Tree(), b.Tree(), "id") },
			func(a, b *model.Component) bool {
				return a.Label != "" && a.Label == b.Label || a.Config() != nil && schema.Equal(a.Config(), b.Config())
			},
			func(a, b *model.Component) bool { return samePosition(old, a, is, b) },
		} {
			pair(lost, fresh, r.Components, id, func(a, b *model.Component) bool { return a.Type == b.Type && alike(a, b) })
		}
	}
	return r
}

// apart returns the elements of each list whose IDs the other one lacks.
func apart[T any](before, now []T, id func(T) string) (lost, fresh []T) {
	without := func(list, other []T) (out []T) {
		known := make(map[string]bool, len(other))
		for _, e := range other {
			known[id(e)] = true
		}
		for _, e := range list {
			if !known[id(e)] && id(e) != "" {
				out = append(out, e)
			}
		}
		return out
	}
	return without(before, now), without(now, before)
}

// pair adds the IDs of elements that are alike, each once.
func pair[T any](lost, fresh []T, to map[string]string, id func(T) string, alike func(a, b T) bool) {
	taken := map[string]bool{}
	for _, v := range to {
		taken[v] = true
	}
	for _, a := range lost {
		if _, done := to[id(a)]; done {
			continue
		}
		for _, b := range fresh {
			if !taken[id(b)] && alike(a, b) {
				to[id(a)], taken[id(b)] = id(b), true
				break
			}
		}
	}
}

func componentsOf(n *model.Node) []*model.Component {
	if s, ok := n.Config.(*model.Step); ok {
		return s.Components
	}
	return nil
}

func shareComponent(a, b *model.Node) bool {
	return slices.ContainsFunc(componentsOf(a), func(c *model.Component) bool {
		return c.ID != "" && slices.ContainsFunc(componentsOf(b), func(d *model.Component) bool { return c.ID == d.ID })
	})
}

// samePosition reports whether two elements have the same position in lists of the same length.
func samePosition[T comparable](before []T, a T, now []T, b T) bool {
	return len(before) == len(now) && slices.Index(before, a) == slices.Index(now, b)
}

// sameBut reports whether two objects differ at most in a property.
func sameBut(a, b *schema.Object, key string) bool {
	return a != nil && b != nil && schema.Equal(a.Without(key), b.Without(key))
}
