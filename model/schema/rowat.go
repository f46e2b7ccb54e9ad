package schema

// RowAt returns the row of the last property that a path names, below a spec and
// the value that the spec is for. A property that no table lists has a row with
// its name alone, and so has a path without a property, with none.
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
	default: // no object
	}
	return Row{Name: key}
}

// plain returns the spec of an object, or else of a list, that an optional or
// alternative one allows.
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
