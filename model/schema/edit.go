package schema

import (
	"errors"
	"fmt"
	"slices"
)

// ErrNoPlace is returned for a path to a place that does not exist.
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

// Set returns the tree with v at the path p. It creates missing objects on the way; an index must exist or be one past the last. If another
// kind of value is in the way, the error is ErrNoPlace.
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

// Clear returns the tree without the value at p. After an array element is removed, the later ones move up. An absent value is not an
// error.
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

// Insert returns the tree with v inserted in an array at the path p; later elements move down. It creates a missing array.
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
