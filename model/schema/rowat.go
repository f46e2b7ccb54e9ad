package schema

// RowAt returns the row of the last property that a path names, below a spec and
// the value that the spec is for. For a property that no table lists, the row has only
// the name; for a path without a property it is empty.
func RowAt(s Spec, v any, p Path) Row {
	var row Row
	for _, e := range p {
		if e.Index >= 0 {
			if l, ok := plain(s, false).(List); ok {
				s = l.Item
			} else {
				s = nil
			}
		} else {
			row = property(plain(s, true), v, e.Key)
			s = row.Spec
		}
		v, _ = Lookup(v, Path{e})
	}
	return row
}

// property returns the row of a property of an object.
func property(s Spec, v any, key string) Row {
	o, _ := v.(*Object)
	switch s := s.(type) {
	case Table:
		if r, ok := s.Row(key); ok {
			return r
		}
	case Open:
		return property(s.Rows, v, key)
	case Map:
		return Row{Name: key, Label: key, Spec: s.Value}
	case Union:
		if a := s.arm(o.Text(s.Tag)); a != nil {
			return property(a.Spec, v, key)
		}
	case Choice:
		return property(s.Rows(), v, key)
	default: // not an object
	}
	return Row{Name: key}
}

// plain returns the spec of an object, else that of a list, that a Nullable or
// Either allows.
func plain(s Spec, object bool) Spec {
	switch s := s.(type) {
	case Nullable:
		return plain(s.Spec, object)
	case Either:
		for _, of := range s.Of {
			of = plain(of, object)
			if _, list := of.(List); list != object {
				return of
			}
		}
	default: // itself
	}
	return s
}
