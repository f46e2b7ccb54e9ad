//go:build js

package kit

import "syscall/js"

// Remember keeps a choice of the person in this browser. It is no work of theirs:
// where storage is forbidden or full, the choice lasts as long as the page.
func Remember(key, value string) {
	defer func() { _ = recover() }()
	js.Global().Get("localStorage").Call("setItem", "formgraph."+key, value)
}

// Recall returns what was remembered, "" for nothing.
func Recall(key string) (value string) {
	defer func() { _ = recover() }()
	if v := js.Global().Get("localStorage").Call("getItem", "formgraph."+key); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}
