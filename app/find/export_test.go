package find

// Fold folds a text; see TestFold.
func Fold(s string) string { return string(appendFold(nil, s)) }
