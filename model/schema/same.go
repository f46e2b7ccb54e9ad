package schema

import "reflect"

// Same reports whether two specs are alike, so that a value of one is also a value of the other. Named formats are the same only as the same
// variable, since nobody can compare functions.
func Same(a, b Spec) bool { return reflect.DeepEqual(a, b) }
