package merge

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Carry returns mine with what was changed between base and theirs, as Forms does, but leaves no conflict: where both sides differ, it takes
// theirs, unless keep says that mine stays. It does not look into nodes that all three forms share, so a form with a long history can be
// carried along.
func Carry(base, mine, theirs *model.Form, keep func(Conflict) bool) *model.Form {
	if mine == base {
		return theirs
	}
	forms, _ := renamed(base, mine, theirs)
	base, mine, theirs = forms[0], forms[1], forms[2]
	same := sharedNodes(base, mine, theirs)
	rest := without(mine, same)
	merged, conflicts := alike(without(base, same), rest, without(theirs, same))
	merged = TakeTheirs(merged, slices.DeleteFunc(conflicts, keep))
	if schema.Equal(merged.Tree(), rest.Tree()) {
		return mine
	}
	return mine.Derive(spliced(mine, merged, same), theirs)
}

// sharedNodes returns the nodes that are the same object in all forms.
func sharedNodes(forms ...*model.Form) map[*schema.Object]bool {
	count := map[*schema.Object]int{}
	for _, f := range forms {
		for _, n := range f.Nodes {
			if n.Tree() != nil {
				count[n.Tree()]++
			}
		}
	}
	same := map[*schema.Object]bool{}
	for o, n := range count {
		if n == len(forms) {
			same[o] = true
		}
	}
	return same
}

// without returns a form without some nodes.
func without(f *model.Form, nodes map[*schema.Object]bool) *model.Form {
	if len(nodes) == 0 {
		return f
	}
	left := []any{}
	for _, v := range f.Tree().List("nodes") {
		if o, ok := v.(*schema.Object); !ok || !nodes[o] {
			left = append(left, v)
		}
	}
	return model.FromTree(f.Tree().With("nodes", left))
}

// spliced returns the tree of merged with the nodes that were left out of it, in the order of mine. Nodes that mine lacks follow the one that
// they follow in merged.
func spliced(mine, merged *model.Form, same map[*schema.Object]bool) *schema.Object {
	if len(same) == 0 {
		return merged.Tree()
	}
	next := merged.Tree().List("nodes")
	place := map[string]bool{}
	for _, v := range next {
		place[textOf(v, "id")] = true
	}
	var list []any
	for _, v := range mine.Tree().List("nodes") {
		o, _ := v.(*schema.Object)
		if o != nil && same[o] {
			list = append(list, v)
			continue
		}
		if !place[o.Text("id")] {
			continue // removed
		}
		for len(next) > 0 { // this node, and those before it that mine lacks
			v := next[0]
			next = next[1:]
			list = append(list, v)
			if textOf(v, "id") == o.Text("id") {
				break
			}
		}
	}
	return merged.Tree().With("nodes", append(list, next...))
}

// Same reports whether two conflicts are about the same property of the same element.
func (c Conflict) Same(d Conflict) bool { return c.Key() == d.Key() }

// Key names the property of an element that the conflict is about, and its kind.
func (c Conflict) Key() string {
	o := c.subject
	return strings.Join([]string{string(c.Kind), o.node, o.component, o.rule, o.hidden, c.rest.String()}, "\x00")
}
