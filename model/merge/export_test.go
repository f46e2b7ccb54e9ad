package merge

import "github.com/formgraph/formgraph/model"

// Whole is Forms without leaving out what the forms share.
func Whole(base, mine, theirs *model.Form) (*model.Form, []Conflict) {
	forms, r := renamed(base, mine, theirs)
	f, conflicts := whole(forms[0], forms[1], forms[2])
	return f, r.conflicts(f, conflicts)
}

// Narrow reports whether Forms leaves something out.
func Narrow(forms ...*model.Form) bool {
	_, ok := narrow(forms...)
	return ok
}
