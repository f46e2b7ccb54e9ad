package ui

import "github.com/formgraph/formgraph/app/ui/kit"

// focus describes the focused element when a key is pressed.
type focus struct {
	tag, kind string // tag name, such as "BODY" or "INPUT", and type attribute of the element
	place     focusPlace
}

// focusPlace is a part of the page with its own keys.
type focusPlace int

const (
	elsewhere focusPlace = iota
	atCanvas
	atOutline
	atDialog // or in a menu
)

// forCanvas reports whether a key that was pressed outside the canvas is meant
// for it. The canvas's keys work wherever the focus is, except in text fields, in
// places with other keys, and on controls that use the key themselves.
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
