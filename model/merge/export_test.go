package merge

import "github.com/formgraph/formgraph/model"

// Whole is Forms without leaving out what the forms share.
var Whole = whole

// Narrow reports whether Forms leaves something out.
func Narrow(forms ...*model.Form) bool {
	_, ok := narrow(forms...)
	return ok
}
