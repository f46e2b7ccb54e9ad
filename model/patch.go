package model

import (
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

// Patch is the body of an update: an absent property stays unchanged, null removes it, and any other value replaces it as a whole. See
// server/API.md.
type Patch struct{ tree *schema.Object }

// PatchFromTree returns the patch of a body. CheckPatch checks whether
// it is valid.
func PatchFromTree(o *schema.Object) Patch { return Patch{o} }

// Tree returns the object of the body.
func (p Patch) Tree() *schema.Object { return p.tree }

// Empty reports whether the patch changes nothing in any form.
func (p Patch) Empty() bool { return p.tree.Len() == 0 }

// Apply returns the form after the patch. It reads even unchanged nodes of the patch again, but for those of others, see [Form.Derive].
func (p Patch) Apply(f *Form, others ...*Form) *Form {
	t := f.tree
	for _, m := range p.tree.Members() {
		if m.Value == nil {
			t = t.Without(m.Key)
		} else {
			t = t.With(m.Key, m.Value)
		}
	}
	return f.Derive(t, others...)
}

// WithGraph returns a patch that has the nodes, the start and the ending of a form, as far as it has them, if it changes any of them.
// A tenant that judges a patch without the form it changes then sees a consistent graph.
func (p Patch) WithGraph(f *Form) Patch {
	graph := []string{"nodes", "start", "ending"}
	if !slices.ContainsFunc(graph, p.tree.Has) {
		return p
	}
	t := p.tree
	for _, name := range graph {
		if v, ok := f.tree.Get(name); ok && !t.Has(name) {
			t = t.With(name, v)
		}
	}
	return Patch{t}
}

// Diff returns the smallest patch that turns base into now: the properties whose JSON value differs, and null for those that were removed.
// A removed name is omitted, since the name cannot be cleared.
func Diff(base, now *Form) Patch {
	var members []schema.Member
	for _, r := range contentTable {
		was, had := base.tree.Get(r.Name)
		is, has := now.tree.Get(r.Name)
		switch {
		case has && (!had || !schema.Equal(was, is)):
			members = append(members, schema.Member{Key: r.Name, Value: is})
		case had && !has && r.Name != "name":
			members = append(members, schema.Member{Key: r.Name, Value: nil})
		}
	}
	return Patch{schema.NewObject(members...)}
}
