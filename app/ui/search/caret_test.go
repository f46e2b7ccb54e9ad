package search

import "testing"

// The caret is after the match, counted in UTF-16 units as in the browser.
func TestCaretIsAfterTheMatch(t *testing.T) {
	for _, tt := range []struct {
		value, query string
		want         int
	}{
		{"Your company", "comp", 9},
		{"Your company", "YOUR comp", 9},
		{"😀 Grüße an alle", "grüße", 8},
		{"Your company", "kind:step", 12},
		{"", "x", 0},
	} {
		if got := caret(tt.value, tt.query); got != tt.want {
			t.Errorf("%q in %q: got %d, want %d", tt.query, tt.value, got, tt.want)
		}
	}
}
