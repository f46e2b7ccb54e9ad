package admission

import "slices"

// Level is what a person may do.
type Level int

// The levels, in rising order: nothing, look at forms, change them.
const (
	None Level = iota
	View
	Edit
)

// Rules say who may edit and who may look. One rule that fits is enough. The zero value lets nobody in.
type Rules struct{ Edit, View []Rule }

// Level returns what the person with these claims may do.
func (r Rules) Level(c Claims) Level {
	fits := func(x Rule) bool { return x.fits(c) }
	switch {
	case slices.ContainsFunc(r.Edit, fits):
		return Edit
	case slices.ContainsFunc(r.View, fits):
		return View
	}
	return None
}

// Needed returns the claims that the rules name and those that name the person. Of a list it keeps only the elements that a rule names, so
// that the result is small even for a person in thousands of groups. The rules judge it like c.
func (r Rules) Needed(c Claims) Claims {
	out := Claims{}
	for _, name := range []string{claimSubject, claimEmail, claimVerified, claimName} {
		if v, ok := written(c[name]); ok && v != "" {
			out[name] = c[name]
		}
	}
	for _, x := range slices.Concat(r.Edit, r.View) {
		if x.kind != claim || !x.fits(c) {
			continue
		}
		if list, ok := out[x.name].([]any); ok {
			out[x.name] = append(list, x.value)
		} else if _, ok := c[x.name].([]any); ok {
			out[x.name] = []any{x.value}
		} else {
			out[x.name] = c[x.name]
		}
	}
	return out
}
