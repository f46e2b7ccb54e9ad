package schema

import (
	"errors"
	"fmt"
	"slices"
)

// ErrNoPlace reports a path to a place that does not exist.
var ErrNoPlace = errors.New("no such place")

// Lookup returns the value at p and whether there is one.
func Lookup(tree any, p Path) (any, bool) {
	for _, e := range p {
		if e.Index >= 0 {
			l, ok := tree.([]any)
			if !ok || e.Index >= len(l) {
				return nil, false
			}
			tree = l[e.Index]
			continue
		}
		o, ok := tree.(*Object)
		if !ok {
			return nil, false
		}
		if tree, ok = o.Get(e.Key); !ok {
			return nil, false
		}
	}
	return tree, true
}

// Set returns a tree in which the place p holds v. Objects that are missing on
// the way are made; an index must exist or be the one after the last. Where
// another kind of value is in the way, the error is ErrNoPlace.
func Set(tree any, p Path, v any) (any, error) {
	if len(p) == 0 {
		return v, nil
	}
	e := p[0]
	if e.Index < 0 {
		o, ok := tree.(*Object)
		if !ok && tree != nil {
			return nil, fmt.Errorf("set %s: %w: not an object", p, ErrNoPlace)
		}
		child, _ := o.Get(e.Key)
		child, err := Set(child, p[1:], v)
		if err != nil {
			return nil, err
		}
		return o.With(e.Key, child), nil
	}
	l, ok := tree.([]any)
	if (!ok && tree != nil) || e.Index > len(l) {
		return nil, fmt.Errorf("set %s: %w", p, ErrNoPlace)
	}
	l = slices.Clone(l)
	if e.Index == len(l) {
		l = append(l, nil)
	}
	child, err := Set(l[e.Index], p[1:], v)
	if err != nil {
		return nil, err
	}
	l[e.Index] = child
	return l, nil
}

// Clear returns a tree without the place p: a member is removed, an array
// element too, those behind it move up. An absent place is not an error.
func Clear(tree any, p Path) (any, error) {
	if len(p) == 0 {
		return nil, fmt.Errorf("clear the document: %w", ErrNoPlace)
	}
	if _, ok := Lookup(tree, p); !ok {
		return tree, nil
	}
	parent, _ := Lookup(tree, p[:len(p)-1])
	last := p[len(p)-1]
	switch c := parent.(type) {
	case *Object:
		parent = c.Without(last.Key)
	case []any:
		parent = slices.Delete(slices.Clone(c), last.Index, last.Index+1)
	}
	return Set(tree, p[:len(p)-1], parent)
}

// Insert returns a tree in which v is at the place p of an array, whose
// later elements move down. A missing array is made.
func Insert(tree any, p Path, v any) (any, error) {
	if len(p) == 0 || p[len(p)-1].Index < 0 {
		return nil, fmt.Errorf("insert at %s: %w: not a place in an array", p, ErrNoPlace)
	}
	at := p[:len(p)-1]
	parent, _ := Lookup(tree, at)
	l, ok := parent.([]any)
	i := p[len(p)-1].Index
	if (!ok && parent != nil) || i > len(l) {
		return nil, fmt.Errorf("insert at %s: %w", p, ErrNoPlace)
	}
	return Set(tree, at, slices.Insert(slices.Clone(l), i, v))
}
