package merge

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// order returns the keys of both sides in merged order, and whether the two sides changed the order differently. mine and theirs must
// contain only keys that stay.
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
			// Both sides reordered old keys, or put keys that both added at different places.
			conflict = true
		}
	}
	return interleave(spine, mine, theirs, func(m, t []string) bool { return m[0] <= t[0] }), conflict
}

// filter returns the keys that keep selects.
func filter(keys []string, keep func(string) bool) []string {
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

// ordered returns the keys that keep selects in merged order, and reports a conflict if there is one.
func (g *merger) ordered(o subject, rest schema.Path, base, mine, theirs []string, keep func(string) bool) []string {
	mine, theirs = filter(mine, keep), filter(theirs, keep)
	keys, conflict := order(base, mine, theirs)
	if conflict {
		g.conflict(o, BothOrdered, rest, sides{idList(base), idList(mine), idList(theirs)}, false)
	}
	return keys
}

// list merges the rules of a router, or the hidden fields.
func (g *merger) list(o subject, rest schema.Path, name string, item schema.Spec, base, mine, theirs []any) []any {
	b, m, t := newElements(base, name), newElements(mine, name), newElements(theirs, name)
	at := func(key string) sides { return sides{b.at(key), m.at(key), t.at(key)} }
	keys := g.ordered(o, rest, b.keys, m.keys, t.keys, func(key string) bool {
		v := at(key)
		return v.m.Present && v.t.Present || !v.b.Present || !same(v.b, v.some())
	})
	out := make([]any, len(keys))
	for i, key := range keys {
		v := at(key)
		out[i] = g.value(o.element(rest, name, i, v.some().Tree), nil, item, v).Tree
	}
	return out
}
