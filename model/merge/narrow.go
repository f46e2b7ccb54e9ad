package merge

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// narrowed is three forms without the nodes that all of them share, so that a merge of small changes does not compare all of a large form.
type narrowed struct {
	forms  [3]*model.Form
	places []int // the indexes of their nodes in the whole forms
}

// narrow leaves out the nodes that forms share. It returns false if the merge might differ without them, because a node was added, removed or moved
// or because an id is not unique. It also returns false if more than half of the nodes would remain.
func narrow(forms ...*model.Form) (n narrowed, ok bool) {
	lists := make([][]any, len(forms))
	for i, f := range forms {
		lists[i] = f.Tree().List("nodes")
		if len(lists[i]) != len(lists[0]) {
			return n, false
		}
	}
	left := make([][]any, len(forms))
	nodes, components := map[string]bool{}, map[string]bool{}
	for at := range lists[0] {
		if sharedAt(lists, at) {
			continue
		}
		id := textOf(lists[0][at], "id")
		if !model.ValidIdentifier(id) || nodes[id] {
			return n, false
		}
		nodes[id] = true
		n.places = append(n.places, at)
		for i, list := range lists {
			if textOf(list[at], "id") != id {
				return n, false
			}
			left[i] = append(left[i], list[at])
			parts, _, _ := stepComponents(list[at])
			for _, c := range parts {
				components[textOf(c, "id")] = true
			}
		}
	}
	if len(lists[0]) == 0 || 2*len(n.places) > len(lists[0]) {
		return n, false
	}
	for at, v := range lists[0] {
		if !sharedAt(lists, at) {
			continue
		}
		if nodes[textOf(v, "id")] {
			return n, false
		}
		parts, _, _ := stepComponents(v)
		for _, c := range parts {
			if id := textOf(c, "id"); id != "" && components[id] {
				return n, false
			}
		}
	}
	for i, f := range forms {
		n.forms[i] = model.FromTree(f.Tree().With("nodes", slices.Clip(left[i])))
	}
	return n, true
}

// sharedAt reports whether all lists have the same object at an index.
func sharedAt(lists [][]any, at int) bool {
	first, ok := lists[0][at].(*schema.Object)
	return ok && !slices.ContainsFunc(lists, func(list []any) bool {
		o, _ := list[at].(*schema.Object)
		return o != first
	})
}

// widen returns mine with the result of merging the narrowed forms of it and theirs, and the conflicts with their paths in the whole form.
func (n narrowed) widen(mine, theirs, merged *model.Form, conflicts []Conflict) (*model.Form, []Conflict) {
	for i, c := range conflicts {
		if len(c.Path) > 1 && c.Path[0].Key == "nodes" {
			p := slices.Clone(c.Path)
			p[1] = schema.Index(n.places[p[1].Index])
			conflicts[i].Path = p
		}
	}
	if merged.Tree() == n.forms[1].Tree() {
		return mine, conflicts
	}
	nodes, _ := mine.Tree().Get("nodes")
	list := slices.Clone(nodes.([]any))
	changed := false
	for i, v := range merged.Tree().List("nodes") { // objects: narrow accepts no other nodes
		changed = changed || v != list[n.places[i]]
		list[n.places[i]] = v
	}
	if changed {
		nodes = list
	}
	return mine.Derive(merged.Tree().With("nodes", nodes), theirs), conflicts
}
