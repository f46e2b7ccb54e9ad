package kit

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Remember keeps a choice of the person in this browser. It is not their work:
// where storage is forbidden or full, the choice lasts as long as the page.
func Remember(key, value string) {
	defer func() { _ = recover() }()
	app.Window().Get("localStorage").Call("setItem", "formgraph."+key, value)
}

// Recall returns what was remembered, "" for nothing.
func Recall(key string) (value string) {
	defer func() { _ = recover() }()
	if v := app.Window().Get("localStorage").Call("getItem", "formgraph."+key); v.Type() == app.TypeString {
		return v.String()
	}
	return ""
}
