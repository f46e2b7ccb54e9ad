package kit

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Typing reports whether an element accepts text; see TakesText.
func Typing(el app.Value) bool {
	return el.Get("isContentEditable").Truthy() || TakesText(el.Get("tagName").String(), el.Get("type").String())
}

// TakesText reports whether an element uses letter keys, for text or to
// select an option.
func TakesText(tag, kind string) bool {
	switch tag {
	case "TEXTAREA", "SELECT":
		return true
	case "INPUT":
		return kind != "checkbox"
	}
	return false
}
