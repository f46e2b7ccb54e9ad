package schema

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrMoves is returned for edits that would move more elements than they may.
var ErrMoves = errors.New("the edits move too many elements")

// Patch returns the tree after edits. The error is ErrNoPlace for edits of another tree.
func Patch(o *Object, edits []Edit) (*Object, error) {
	tree, _, err := PatchWithin(o, edits, math.MaxInt)
	return tree, err
}

// PatchFitting applies edits in order, skips those that have no place in the tree by then, and returns the tree. Its work is that of [Patch].
func PatchFitting(o *Object, edits []Edit) *Object {
	p := patching{root: o, left: math.MaxInt}
	for _, e := range edits {
		if p.fits(e) {
			_ = p.edit(e) // it has a place
		}
	}
	tree, _ := sealed(p.root).(*Object)
	return tree
}

// PatchWithin is Patch with a bound of its work: of how many members and elements are copied or moved. An array or an object is copied once,
// however many edits it has; an element that is inserted or removed moves those after it. PatchWithin returns how many were moved, also with an
// error. The error is ErrMoves if that would be more than limit.
func PatchWithin(o *Object, edits []Edit, limit int) (tree *Object, moved int, err error) {
	p := patching{root: o, left: limit}
	for _, e := range edits {
		if err := p.edit(e); err != nil {
			return nil, limit - p.left, err
		}
	}
	tree, ok := sealed(p.root).(*Object)
	if !ok {
		return nil, limit - p.left, ErrNoPlace
	}
	return tree, limit - p.left, nil
}

// patching is a tree that is being changed. The containers on the paths of its edits are open ones.
type patching struct {
	root any
	left int // how many elements may still be moved
}

// openList is an array that may be changed in place.
type openList struct{ items []any }

// openObject is an object that may be changed in place. A removed member has the value removed, so that the others stay where they are.
type openObject struct {
	members []Member
	index   map[string]int
}

// removed is the value of a removed member. No tree has it.
type removed struct{}

func (p *patching) move(n int) error {
	if n > p.left {
		return ErrMoves
	}
	p.left -= n
	return nil
}

// open makes the container in a slot one that may be changed, if e leads into it. A null becomes the container that e needs.
func (p *patching) open(slot *any, e Elem) error {
	switch c := (*slot).(type) {
	case *openList:
		if e.Index >= 0 {
			return nil
		}
	case *openObject:
		if e.Index < 0 {
			return nil
		}
	case []any:
		if e.Index >= 0 {
			*slot = &openList{slices.Clone(c)}
			return p.move(len(c))
		}
	case *Object:
		if e.Index < 0 {
			o := &openObject{slices.Clone(c.Members()), make(map[string]int, c.Len())}
			for i, m := range o.members {
				o.index[m.Key] = i
			}
			*slot = o
			return p.move(c.Len())
		}
	case nil:
		if e.Index >= 0 {
			*slot = &openList{}
		} else {
			*slot = &openObject{index: map[string]int{}}
		}
		return nil
	}
	return ErrNoPlace
}

// slot returns the slot of a path, which is good until the next edit. It makes missing members, and an element that is one past the last.
func (p *patching) slot(path Path) (*any, error) {
	at := &p.root
	for _, e := range path {
		if err := p.open(at, e); err != nil {
			return nil, err
		}
		switch c := (*at).(type) {
		case *openList:
			if e.Index > len(c.items) {
				return nil, ErrNoPlace
			}
			if e.Index == len(c.items) {
				c.items = append(c.items, nil)
			}
			at = &c.items[e.Index]
		case *openObject:
			i, ok := c.index[e.Key]
			if !ok {
				i = len(c.members)
				c.index[e.Key], c.members = i, append(c.members, Member{Key: e.Key})
			}
			at = &c.members[i].Value
		}
	}
	return at, nil
}

func (p *patching) edit(e Edit) error {
	switch {
	case e.Cleared:
		return p.clear(e.Path)
	case e.Inserted:
		return p.insert(e.Path, e.Value)
	}
	return p.set(e.Path, e.Value)
}

func (p *patching) set(path Path, v any) error {
	at, err := p.slot(path)
	if err != nil {
		return fmt.Errorf("set %s: %w", path, err)
	}
	*at = v
	return nil
}

func (p *patching) clear(path Path) error {
	if len(path) == 0 {
		return fmt.Errorf("clear the document: %w", ErrNoPlace)
	}
	if there, _ := p.find(path); !there {
		return nil
	}
	last := path[len(path)-1]
	at, err := p.slot(path[:len(path)-1])
	if err == nil {
		err = p.open(at, last)
	}
	if err == nil {
		switch c := (*at).(type) {
		case *openObject:
			c.members[c.index[last.Key]].Value = removed{}
			delete(c.index, last.Key)
		case *openList:
			err = p.move(len(c.items) - last.Index)
			c.items = slices.Delete(c.items, last.Index, last.Index+1)
		}
	}
	if err != nil {
		return fmt.Errorf("clear %s: %w", path, err)
	}
	return nil
}

func (p *patching) insert(path Path, v any) error {
	if len(path) == 0 || path[len(path)-1].Index < 0 {
		return fmt.Errorf("insert at %s: %w: not a place in an array", path, ErrNoPlace)
	}
	last := path[len(path)-1]
	at, err := p.slot(path[:len(path)-1])
	if err == nil {
		err = p.open(at, last)
	}
	if err == nil {
		l, _ := (*at).(*openList)
		if last.Index > len(l.items) {
			err = ErrNoPlace
		} else if err = p.move(len(l.items) - last.Index); err == nil {
			l.items = slices.Insert(l.items, last.Index, v)
		}
	}
	if err != nil {
		return fmt.Errorf("insert at %s: %w", path, err)
	}
	return nil
}

// fits reports whether an edit can be applied. One of the document itself cannot.
func (p *patching) fits(e Edit) bool {
	_, fits := p.find(e.Path)
	return fits && len(e.Path) > 0 && (!e.Inserted || e.Path[len(e.Path)-1].Index >= 0)
}

// find reports whether there is a value at a path, and whether one can be set there.
func (p *patching) find(path Path) (there, fits bool) {
	v := p.root
	there = true
	in := func(items []any, i int) {
		fits, there, v = i >= 0 && i <= len(items), i >= 0 && i < len(items), nil
		if there {
			v = items[i]
		}
	}
	for _, e := range path {
		switch c := v.(type) {
		case *openList:
			in(c.items, e.Index)
		case []any:
			in(c, e.Index)
		case *openObject:
			i, ok := c.index[e.Key]
			if fits, there, v = e.Index < 0, ok, nil; ok {
				v = c.members[i].Value
			}
		case *Object:
			fits = e.Index < 0
			v, there = c.Get(e.Key)
		case nil:
			fits, there = e.Index <= 0, false
		default:
			fits = false
		}
		if !fits {
			return false, false
		}
	}
	return there, true
}

// sealed returns the tree of a value that may have open containers.
func sealed(v any) any {
	switch c := v.(type) {
	case *openList:
		for i, e := range c.items {
			c.items[i] = sealed(e)
		}
		return c.items
	case *openObject:
		members := slices.DeleteFunc(c.members, func(m Member) bool { _, gone := m.Value.(removed); return gone })
		for i, m := range members {
			members[i].Value = sealed(m.Value)
		}
		return NewObject(members...)
	}
	return v
}
