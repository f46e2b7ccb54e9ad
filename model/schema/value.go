package schema

import "slices"

// A tree is a JSON value: nil, bool, string, Number, []any or *Object. It must not
// be changed once it is built; an edit copies the containers on its path.

// Number is a JSON number as it was written: 1, 1.0 and 1e0 are three texts for
// one value. Compare numbers with Equal, never with ==.
type Number string

// Member is one property of an Object.
type Member struct {
	Key   string
	Value any
}

// Object is an immutable JSON object that keeps its members in the order they
// were written. The nil *Object has no members. Keys are unique.
type Object struct {
	members []Member
	index   map[string]int // nil for a short object, which is searched
}

// indexFrom is the number of members from which a map is faster than a linear search.
const indexFrom = 12

// NewObject returns an object with the given members. If a key repeats, the last member
// with it is kept, at its own place.
func NewObject(members ...Member) *Object {
	o := &Object{members: members}
	if len(members) < indexFrom {
		for i, m := range members {
			for _, later := range members[i+1:] {
				if m.Key == later.Key {
					return NewObject(slices.Delete(slices.Clone(members), i, i+1)...)
				}
			}
		}
		return o
	}
	o.index = make(map[string]int, len(members))
	for i, m := range members {
		o.index[m.Key] = i
	}
	if len(o.index) == len(members) {
		return o
	}
	last := make([]Member, 0, len(o.index))
	for i, m := range members {
		if o.index[m.Key] == i {
			last = append(last, m)
		}
	}
	return NewObject(last...)
}

// Len returns the number of members.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.members)
}

// Members returns the members in document order. The caller must not change
// the slice.
func (o *Object) Members() []Member {
	if o == nil {
		return nil
	}
	return o.members
}

// Get returns the value of a member and whether it exists.
func (o *Object) Get(key string) (any, bool) {
	if i := o.find(key); i >= 0 {
		return o.members[i].Value, true
	}
	return nil, false
}

// value returns the value of a member, nil when it does not exist.
func (o *Object) value(key string) any {
	if i := o.find(key); i >= 0 {
		return o.members[i].Value
	}
	return nil
}

// Has reports whether there is a member with the key.
func (o *Object) Has(key string) bool { return o.find(key) >= 0 }

// Int returns the member's value when it is a whole number that fits an int, else false.
func (o *Object) Int(key string) (int, bool) {
	v, _ := o.Get(key)
	n, ok := v.(Number)
	if !ok {
		return 0, false
	}
	return n.Int()
}

// Text returns the member's value when it is a string, else "".
func (o *Object) Text(key string) string {
	v, _ := o.Get(key)
	s, _ := v.(string)
	return s
}

// Object returns the member's value when it is an object, else nil.
func (o *Object) Object(key string) *Object {
	v, _ := o.Get(key)
	c, _ := v.(*Object)
	return c
}

// List returns the member's value when it is an array, else nil.
func (o *Object) List(key string) []any {
	v, _ := o.Get(key)
	l, _ := v.([]any)
	return l
}

// With returns the object with the value v for key, in its place if it
// exists, else at the end.
func (o *Object) With(key string, v any) *Object {
	members := slices.Clone(o.Members())
	if i := o.find(key); i >= 0 {
		members[i].Value = v
		return &Object{members: members, index: o.index}
	}
	return NewObject(append(members, Member{key, v})...)
}

// Without returns the object without key, or o if it does not have key.
func (o *Object) Without(key string) *Object {
	i := o.find(key)
	if i < 0 {
		return o
	}
	return NewObject(slices.Delete(slices.Clone(o.members), i, i+1)...)
}

// find returns the index of key, or -1.
func (o *Object) find(key string) int {
	switch {
	case o == nil:
		return -1
	case o.index != nil:
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range o.members {
		if o.members[i].Key == key {
			return i
		}
	}
	return -1
}

// Equal reports whether two trees are the same JSON value. It ignores
// the order of members, and compares numbers by value.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case *Object:
		b, ok := b.(*Object)
		if !ok || a == b {
			return ok
		}
		if a.Len() != b.Len() {
			return false
		}
		for i, m := range a.Members() {
			// Most pairs have their members in the same order.
			if o := b.members[i]; o.Key == m.Key {
				if !Equal(m.Value, o.Value) {
					return false
				}
				continue
			}
			v, ok := b.Get(m.Key)
			if !ok || !Equal(m.Value, v) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		if len(a) > 0 && &a[0] == &b[0] {
			return true
		}
		for i := range a {
			if !Equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case Number:
		b, ok := b.(Number)
		return ok && (a == b || a.Compare(b) == 0)
	default:
		switch b.(type) {
		case *Object, []any:
			return false
		}
		return a == b
	}
}
