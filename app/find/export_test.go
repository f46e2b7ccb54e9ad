package find

// Fold is what texts are compared by; TestFold says what it does.
func Fold(s string) string { return string(appendFold(nil, s)) }
