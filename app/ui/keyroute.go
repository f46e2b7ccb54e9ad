package ui

import "github.com/formgraph/formgraph/app/ui/kit"

// focus says where the focus is when a key is pressed.
type focus struct {
	tag, kind string // of the element: "BODY", "INPUT"; its type attribute
	place     focusPlace
}

// focusPlace is a part of the page that has its own keys.
type focusPlace int

const (
	elsewhere focusPlace = iota
	atCanvas
	atOutline
	atDialog // or in a menu
)

// forCanvas reports whether a key that was pressed elsewhere is meant for the
// canvas: its keys work wherever the focus is, but not where text is typed, where
// other keys apply, or where the key does something to the control itself.
func (f focus) forCanvas(key string) bool {
	if f.place != elsewhere || kit.TakesText(f.tag, f.kind) {
		return false
	}
	if f.tag == "BODY" || f.tag == "HTML" {
		return key != "Tab"
	}
	switch key {
	case "Tab", "Enter", " ", "Escape", "Home", "End", "PageUp", "PageDown", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
		return false
	}
	return true
}
