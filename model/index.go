package model

import (
	"sync"
	"sync/atomic"
	"weak"
)

// index finds the elements of a form. A form is searched until it is clear that somebody looks for many elements; then maps of them are made, and
// kept as long as there is memory for them: most forms in a history are never searched again.
type index struct {
	searched atomic.Int32
	maps     atomic.Pointer[weak.Pointer[maps]]
}

// indexAfter is how often a form is searched before maps of it are made, which takes as long as some dozens of searches.
const indexAfter = 64

// maps are the places of elements.
type maps struct {
	nodes      map[string]int    // by key and by id
	components map[string][2]int // the node and the place in it of the first with each id

	once sync.Once
	outs map[way]Out
}

// way is a way out of a node by its key and port.
type way struct {
	node string
	port Port
}

// outsOf returns the ways out of the nodes of the form.
func (m *maps) outsOf(f *Form) map[way]Out {
	m.once.Do(func() {
		m.outs = map[way]Out{}
		for key, i := range m.nodes {
			for _, o := range f.Outs(i) {
				if _, known := m.outs[way{key, o.Port}]; !known {
					m.outs[way{key, o.Port}] = o
				}
			}
		}
	})
	return m.outs
}

// maps returns the maps of the form, nil if they do not pay yet.
func (f *Form) maps() *maps {
	if kept := f.index.maps.Load(); kept != nil {
		if m := kept.Value(); m != nil {
			return m
		}
	}
	if f.index.searched.Add(1) < indexAfter {
		return nil
	}
	f.index.searched.Store(0)
	m := &maps{nodes: make(map[string]int, len(f.Nodes)), components: map[string][2]int{}}
	for i, key := range f.Keys() {
		m.nodes[key] = i
	}
	for i, n := range f.Nodes {
		if id := keyID(n.ID); id != "" {
			if _, known := m.nodes[id]; !known {
				m.nodes[id] = i
			}
		}
		if s, ok := n.Config.(*Step); ok {
			for j, c := range s.Components {
				if _, known := m.components[c.ID]; !known {
					m.components[c.ID] = [2]int{i, j}
				}
			}
		}
	}
	kept := weak.Make(m)
	f.index.maps.Store(&kept)
	return m
}

// Node returns the node with a key and its index, or nil and -1. An id is the key of the first node that has it, to which pointers lead.
// See Keys.
func (f *Form) Node(key string) (*Node, int) {
	if m := f.maps(); m != nil {
		if i, ok := m.nodes[key]; ok {
			return f.Nodes[i], i
		}
		return nil, -1
	}
	id, before, ok := keyParts(key)
	if !ok {
		return nil, -1
	}
	for i, n := range f.Nodes {
		if n.ID != id && (id != "" || keyID(n.ID) != "") {
			continue
		}
		if before == 0 {
			return n, i
		}
		before--
	}
	return nil, -1
}

// Component returns the first component with an id, the index of its node and
// its index in the node, or nil, -1, -1.
func (f *Form) Component(id string) (c *Component, node, index int) {
	if m := f.maps(); m != nil {
		if at, ok := m.components[id]; ok {
			return f.Nodes[at[0]].Config.(*Step).Components[at[1]], at[0], at[1]
		}
		return nil, -1, -1
	}
	for i, n := range f.Nodes {
		s, ok := n.Config.(*Step)
		if !ok {
			continue
		}
		for j, c := range s.Components {
			if c.ID == id {
				return c, i, j
			}
		}
	}
	return nil, -1, -1
}
