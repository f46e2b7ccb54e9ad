package ui

import "testing"

func TestCanvasKeysWorkWhereverTheFocusIs(t *testing.T) {
	for _, tc := range []struct {
		name string
		at   focus
		keys []string
		want bool
	}{
		{"the page itself", focus{tag: "BODY"}, []string{"n", "?", "0", "+", "!", "F8", "a", "Delete", "ArrowLeft", " ", "Escape"}, true},
		{"a button", focus{tag: "BUTTON"}, []string{"n", "?", "0", "F8", "Delete"}, true},
		{"a button's own keys", focus{tag: "BUTTON"}, []string{"Enter", " ", "Tab", "ArrowLeft"}, false},
		{"a switch", focus{tag: "INPUT", kind: "checkbox"}, []string{"n", "F8"}, true},
		{"a text field", focus{tag: "INPUT", kind: "text"}, []string{"n", "F8", "Delete"}, false},
		{"a choice", focus{tag: "SELECT"}, []string{"n", "ArrowUp"}, false},
		{"a dialog", focus{tag: "BUTTON", place: atDialog}, []string{"n", "Delete"}, false},
		{"the outline", focus{tag: "LI", place: atOutline}, []string{"n", "Delete"}, false},
		{"the canvas, which receives them already", focus{tag: "DIV", place: atCanvas}, []string{"n"}, false},
		{"the way out of the page", focus{tag: "BODY"}, []string{"Tab"}, false},
	} {
		for _, key := range tc.keys {
			if got := tc.at.forCanvas(key); got != tc.want {
				t.Errorf("%s: %q is the canvas's: %v, want %v", tc.name, key, got, tc.want)
			}
		}
	}
}
