package merge

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// order returns the keys that one of the sides has, in the order that the merge
// gives them, and whether both sides changed their order differently. Keys of mine
// and theirs that do not stay must have been taken out.
func order(base, mine, theirs []string) (keys []string, conflict bool) {
	spine := common(mine, theirs)
	if other := common(theirs, mine); !slices.Equal(spine, other) {
		was := common(base, spine)
		mineKept := slices.Equal(common(spine, was), was)
		theirsKept := slices.Equal(common(other, was), was)
		switch {
		case mineKept && !theirsKept:
			spine = other
		case mineKept == theirsKept:
			// Both moved what was there, or put what both added at different
			// places.
			conflict = true
		}
	}
	return braid(spine, mine, theirs, func(m, t []string) bool { return m[0] <= t[0] }), conflict
}

// stay returns the keys for which keep holds.
func stay(keys []string, keep func(string) bool) []string {
	var out []string
	for _, k := range keys {
		if keep(k) {
			out = append(out, k)
		}
	}
	return out
}

// idList is a list of ids as the value of a conflict.
func idList(keys []string) Value {
	list := make([]any, 0, len(keys))
	for _, k := range keys {
		if model.ValidIdentifier(k) {
			list = append(list, k)
		}
	}
	return present(list)
}

func (g *merger) orderConflict(o owner, rest schema.Path, base, mine, theirs []string) {
	g.conflict(o, BothOrdered, rest, three{idList(base), idList(mine), idList(theirs)}, false)
}

// list merges the rules of a router, or the hidden fields.
func (g *merger) list(o owner, rest schema.Path, name string, item schema.Spec, base, mine, theirs []any) []any {
	sides := [3][]any{base, mine, theirs}
	var keys [3][]string
	var at [3]map[string]int
	for i, l := range sides {
		keys[i] = listKeys(l, name, "", map[string]bool{})
		at[i] = places(keys[i])
	}
	sidesOf := func(key string) three {
		var v [3]Value
		for i := range sides {
			if j, ok := at[i][key]; ok {
				v[i] = present(sides[i][j])
			}
		}
		return three{v[0], v[1], v[2]}
	}
	keep := func(key string) bool {
		v := sidesOf(key)
		switch {
		case v.m.Present && v.t.Present, !v.b.Present:
			return true
		case v.m.Present:
			return !same(v.b, v.m)
		}
		return !same(v.b, v.t)
	}
	m, t := stay(keys[1], keep), stay(keys[2], keep)
	ordered, conflict := order(keys[0], m, t)
	if conflict {
		g.orderConflict(o, rest, keys[0], m, t)
	}
	out := make([]any, len(ordered))
	for i, key := range ordered {
		v := sidesOf(key)
		e := o
		e.at = o.at.Join(rest).Index(i)
		some := v.m
		if !some.Present {
			some = v.t
		}
		e.title = elementTitle(o.title, name, some.Tree)
		if name == "id" {
			e.rule = textOf(some.Tree, "id")
		} else {
			e.hidden = textOf(some.Tree, name)
		}
		out[i] = g.value(e, nil, item, v).Tree
	}
	return out
}
