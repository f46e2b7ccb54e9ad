package schema

import "slices"

// places is a trie of the paths whose offsets must be found by a second pass over the text. All methods accept a nil receiver, which has no
// paths.
type places struct {
	children map[Elem]*places
	keyAt    int // offset of the property's name, -1 for none
	valueAt  int // offset of the value, -1 if there is none
}

func newPlaces() *places { return &places{keyAt: -1, valueAt: -1} }

func (p *places) value(at int) {
	if p != nil {
		p.valueAt = at
	}
}

func (p *places) key(name string, at int) *places {
	if p == nil || p.children == nil {
		return nil
	}
	c := p.children[Key(name)]
	if c != nil {
		c.keyAt = at
	}
	return c
}

func (p *places) index(i int) *places {
	if p == nil || p.children == nil {
		return nil
	}
	return p.children[Index(i)]
}

// Locate fills in the missing offsets of problems from the text in which they were found. The offset is that of the value; for an unknown
// property it is that of the name, and for an absent one that of its object.
func Locate(src []byte, ps Problems) {
	if !slices.ContainsFunc(ps, func(p Problem) bool { return p.Offset < 0 }) {
		return
	}
	root := newPlaces()
	leaves := make([]*places, len(ps))
	for i, p := range ps {
		at := root
		for _, e := range p.Path {
			if at.children == nil {
				at.children = map[Elem]*places{}
			}
			if at.children[e] == nil {
				at.children[e] = newPlaces()
			}
			at = at.children[e]
		}
		leaves[i] = at
	}
	if _, bad := decode(src, root, 1); len(bad) > 0 && bad[0].Code != CodeDuplicateKey {
		return
	}
	for i := range ps {
		if ps[i].Offset >= 0 {
			continue
		}
		switch {
		case ps[i].Code == CodeUnknown && leaves[i].keyAt >= 0:
			ps[i].Offset = leaves[i].keyAt
		case leaves[i].valueAt >= 0:
			ps[i].Offset = leaves[i].valueAt
		default:
			ps[i].Offset = root.deepest(ps[i].Path)
		}
	}
}

// deepest returns the offset of the last value on the path p that exists.
func (p *places) deepest(path Path) int {
	at := p.valueAt
	for _, e := range path {
		if p = p.children[e]; p == nil || p.valueAt < 0 {
			break
		}
		at = p.valueAt
	}
	return at
}
