package schema

import (
	"slices"
)

// Arrange returns a tree with the members of its objects in the order of a rule: those of a table in its order, then the others in their
// own, and those of a map sorted. A whole number that fits an int is written in plain digits. Values of another type than the rule's are
// unchanged.
func Arrange(s Spec, v any) any {
	switch s := s.(type) {
	case Table:
		return rows(s, v)
	case Open:
		return rows(s.Rows, v)
	case Choice:
		return rows(append(Table{{Name: s.Tag, Spec: Any{}}}, s.Rows()...), v)
	case Union:
		o, _ := v.(*Object)
		if a, ok := s.Arm(o.Text(s.Tag)); ok {
			return Arrange(a.Spec, v)
		}
		return v
	case Map:
		o, ok := v.(*Object)
		if !ok {
			return v
		}
		keys := make([]string, 0, o.Len())
		for _, m := range o.Members() {
			keys = append(keys, m.Key)
		}
		slices.Sort(keys)
		members := make([]Member, len(keys))
		for i, key := range keys {
			value, _ := o.Get(key)
			members[i] = Member{key, Arrange(s.Value, value)}
		}
		return NewObject(members...)
	case List:
		l, ok := v.([]any)
		if !ok {
			return v
		}
		out := make([]any, len(l))
		for i := range l {
			out[i] = Arrange(s.Item, l[i])
		}
		return out
	case Nullable:
		return Arrange(s.Spec, v)
	case Either:
		for _, alt := range s.Of {
			ps := Check(alt, v).At(nil)
			if !slices.ContainsFunc(ps, func(p Problem) bool { return p.Code == CodeType }) {
				return Arrange(alt, v)
			}
		}
		return v
	case String, Numeric, Enum, Bool, True:
		if n, ok := v.(Number); ok {
			if i, ok := n.Int(); ok {
				return IntNumber(i)
			}
		}
		return v
	case Any:
		return v
	}
	return v
}

// rows returns the object with its members in the order of a table.
func rows(t Table, v any) any {
	o, ok := v.(*Object)
	if !ok {
		return v
	}
	members := make([]Member, 0, o.Len())
	for _, r := range t {
		if v, ok := o.Get(r.Name); ok {
			members = append(members, Member{Key: r.Name, Value: Arrange(r.Spec, v)})
		}
	}
	for _, m := range o.Members() {
		if _, known := t.Row(m.Key); !known {
			members = append(members, m)
		}
	}
	return NewObject(members...)
}

// Indented returns the text of EncodeIndent, or a problem with the code limit if it would be too long to decode.
func Indented(tree any) ([]byte, Problems) {
	text := EncodeIndent(tree)
	if len(text) > MaxBytes {
		return nil, Problems{{Code: CodeLimit, Detail: "must be at most 4 MiB when it is written with indentation"}}
	}
	return text, nil
}
