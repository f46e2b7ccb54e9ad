package kit

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Remember stores a preference of the person in this browser. It is not for
// their work: if storage is forbidden or full, the preference is lost with the
// page.
func Remember(key, value string) {
	defer func() { _ = recover() }()
	app.Window().Get("localStorage").Call("setItem", "formgraph."+key, value)
}

// Recall returns a stored preference, "" for none.
func Recall(key string) (value string) {
	defer func() { _ = recover() }()
	if v := app.Window().Get("localStorage").Call("getItem", "formgraph."+key); v.Type() == app.TypeString {
		return v.String()
	}
	return ""
}
