package editor

import (
	"slices"

	"github.com/formgraph/formgraph/model"
)

// mapping says where a pointer of a node leads when nodes are removed.
type mapping func(from string, p model.Pointer) model.Pointer

// withoutNodes clears pointers to removed nodes.
func withoutNodes(gone map[string]bool, left map[string]int) mapping {
	return func(_ string, p model.Pointer) model.Pointer {
		if _, ok := left[string(p)]; !ok && gone[string(p)] {
			return ""
		}
		return p
	}
}

// gap is what removed nodes leave behind. It is closed by this rule:
//
//   - A pointer to a removed node leads to what followed: the targets of all its ways out, past any number of removed nodes, except
//     the node of the pointer: nothing leads to itself.
//   - If several nodes followed, it leads to the one from which most of those can be reached that nothing else reaches; of equals to one from
//     which the ending can be reached; of equals to the first, where the fallback comes before the rules, and the next node before the jump
//     buttons.
//   - If only the node of the pointer followed, it leads where another of that node's ways leads, in the same order.
//   - If nothing followed, the pointer is cleared.
type gap struct {
	form   *model.Form // with the nodes
	places map[string]int
	gone   map[string]bool
	left   map[string]int
	behind map[string][]string // what followed a removed node, so far as it was asked
	chosen map[string]model.Pointer
	kept   map[string][]string // the ways between the nodes that stay; nil until it is needed
	base   map[string]bool     // what journeys reach by them
}

func newGap(f *model.Form, gone map[string]bool, left map[string]int) *gap {
	return &gap{form: f, places: placesOf(f), gone: gone, left: left, behind: map[string][]string{}, chosen: map[string]model.Pointer{}}
}

// close is the mapping that closes the gap.
func (g *gap) close(from string, p model.Pointer) model.Pointer {
	if !g.removed(string(p)) {
		return p
	}
	to := g.followers(string(p))
	if i := slices.Index(to, from); i >= 0 {
		if to = slices.Delete(slices.Clone(to), i, i+1); len(to) == 0 {
			return g.another(from)
		}
		return g.best(to)
	}
	best, ok := g.chosen[string(p)]
	if !ok {
		best = g.best(to)
		g.chosen[string(p)] = best
	}
	return best
}

// another returns where the first way of a node that stays leads, other than to itself.
func (g *gap) another(from string) model.Pointer {
	for _, to := range g.targets(from) {
		if !g.removed(to) {
			return model.Pointer(to)
		}
		if behind := slices.DeleteFunc(slices.Clone(g.followers(to)), func(key string) bool { return key == from }); len(behind) > 0 {
			return g.best(behind)
		}
	}
	return ""
}

// removed reports whether a key is that of a removed node, and of no other.
func (g *gap) removed(key string) bool {
	_, stays := g.left[key]
	return !stays && g.gone[key]
}

// targets returns the targets of a node, the first in the order of the rule.
func (g *gap) targets(key string) (to []string) {
	outs := g.form.Outs(g.places[key])
	for i := range outs {
		o := outs[(i+len(outs)-1)%len(outs)] // the last way is the next node or the fallback
		if o.To != "" && !slices.Contains(to, string(o.To)) {
			to = append(to, string(o.To))
		}
	}
	return to
}

// followers returns what followed a removed node, without what does not exist. A chain is walked once for all of its nodes.
func (g *gap) followers(key string) []string {
	if to, ok := g.behind[key]; ok {
		return to
	}
	var chain []string
	var found []string
	for at := key; ; {
		if to, ok := g.behind[at]; ok { // also when the chain is a circle
			found = to
			break
		}
		chain, g.behind[at] = append(chain, at), nil
		to := g.targets(at)
		if len(to) == 1 && g.removed(to[0]) {
			at = to[0]
			continue
		}
		found = g.across(to, map[string]bool{at: true})
		break
	}
	for _, at := range chain {
		g.behind[at] = found
	}
	return found
}

// across returns the first nodes that stay on the ways to some nodes and beyond.
func (g *gap) across(to []string, seen map[string]bool) (found []string) {
	todo := slices.Clone(to)
	for len(todo) > 0 {
		key := todo[0]
		todo = todo[1:]
		if seen[key] {
			continue
		}
		seen[key] = true
		_, stays := g.left[key]
		switch {
		case stays, key == model.EndingID:
			found = append(found, key)
		case g.gone[key]:
			todo = append(g.targets(key), todo...)
		}
	}
	return found
}

// best returns the node that the rule chooses of those that followed.
func (g *gap) best(to []string) model.Pointer {
	if len(to) == 0 {
		return ""
	}
	if len(to) == 1 {
		return model.Pointer(to[0])
	}
	g.survey()
	best, most := "", -1
	for _, key := range to {
		reach, n := g.reach(key), 0
		for _, other := range to {
			if reach[other] && !g.base[other] {
				n += 2
			}
		}
		if reach[model.EndingID] {
			n++
		}
		if n > most {
			best, most = key, n
		}
	}
	return model.Pointer(best)
}

// survey finds the ways between the nodes that stay.
func (g *gap) survey() {
	if g.kept != nil {
		return
	}
	g.kept = make(map[string][]string, len(g.places)+1)
	add := func(from string, outs ...model.Out) {
		for _, o := range outs {
			if o.To != "" && !g.removed(string(o.To)) {
				g.kept[from] = append(g.kept[from], string(o.To))
			}
		}
	}
	add(model.StartID, g.form.StartOut())
	for key, i := range g.places {
		if !g.removed(key) {
			add(key, g.form.Outs(i)...)
		}
	}
	g.base = g.reach(model.StartID)
}

// reach returns the keys of the nodes to which ways between nodes that stay lead from one of them, itself among them.
func (g *gap) reach(key string) map[string]bool {
	seen := map[string]bool{key: true}
	for todo := []string{key}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, to := range g.kept[at] {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}

// notTo is a mapping for the pointers of one node. It clears those that would lead to the node itself, which Connect refuses too.
func notTo(id string, to mapping) func(model.Pointer) model.Pointer {
	return func(p model.Pointer) model.Pointer {
		now := to(id, p)
		if now != p && string(now) == id {
			return ""
		}
		return now
	}
}
