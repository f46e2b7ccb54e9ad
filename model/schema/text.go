package schema

import "slices"

// Shorten returns s shortened to at most n characters, the last of which is an
// ellipsis if s is longer. n must be at least 1. It does not read the rest of s.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	last, count := 0, 0
	for i := range s {
		switch count++; count {
		case n:
			last = i
		case n + 1:
			return s[:last] + "…"
		}
	}
	return s
}

// HoldsSecret reports whether a value under the rule may hold a secret.
func HoldsSecret(s Spec) bool {
	row := func(r Row) bool { return HoldsSecret(r.Spec) }
	switch s := s.(type) {
	case String:
		return s.Secret
	case Table:
		return slices.ContainsFunc(s, row)
	case Open:
		return slices.ContainsFunc(s.Rows, row)
	case Map:
		return HoldsSecret(s.Value)
	case List:
		return HoldsSecret(s.Item)
	case Nullable:
		return HoldsSecret(s.Spec)
	case Either:
		return slices.ContainsFunc(s.Of, HoldsSecret)
	case Union:
		return slices.ContainsFunc(s.Arms, func(a Arm) bool { return HoldsSecret(a.Spec) })
	case Choice:
		return slices.ContainsFunc(s.Options, func(o Option) bool { return row(o.Row) })
	default:
		return false
	}
}
