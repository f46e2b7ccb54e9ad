package flow

import (
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

// edits are changes of a tree at many places, as a trie of their paths. One pass
// applies them all, while schema.Set at each place would copy the array of nodes
// each time.
type edits struct {
	below map[schema.Elem]*edits
	value any
	set   bool
	key   string // new name of the member, "" to keep it
}

// at returns the entry of the path p, and adds it if it is missing.
func (e *edits) at(p schema.Path) *edits {
	for _, step := range p {
		if e.below == nil {
			e.below = map[schema.Elem]*edits{}
		}
		if e.below[step] == nil {
			e.below[step] = &edits{}
		}
		e = e.below[step]
	}
	return e
}

// put records v as the new value at p, which must exist.
func (e *edits) put(p schema.Path, v any) {
	place := e.at(p)
	place.value, place.set = v, true
}

// rename records another key for the member at p. It replaces any member that already has the key.
func (e *edits) rename(p schema.Path, key string) { e.at(p).key = key }

// apply returns v with the changes. Unaffected parts are shared with v.
func (e *edits) apply(v any) any {
	switch {
	case e.set:
		return e.value
	case len(e.below) == 0:
		return v
	}
	switch v := v.(type) {
	case []any:
		list := slices.Clone(v)
		for step, child := range e.below {
			list[step.Index] = child.apply(list[step.Index])
		}
		return list
	case *schema.Object:
		renamed := map[string]bool{}
		for _, child := range e.below {
			if child.key != "" {
				renamed[child.key] = true
			}
		}
		members := make([]schema.Member, 0, v.Len())
		for _, m := range v.Members() {
			child := e.below[schema.Key(m.Key)]
			switch {
			case child != nil && child.key != "":
				m = schema.Member{Key: child.key, Value: child.apply(m.Value)}
			case renamed[m.Key]:
				continue
			case child != nil:
				m.Value = child.apply(m.Value)
			}
			members = append(members, m)
		}
		return schema.NewObject(members...)
	}
	return v
}
