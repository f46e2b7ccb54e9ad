package kit

import "testing"

// A row scrolls as little as shows an element with room beside it. Of one that is too wide it shows the beginning.
func TestRowScrollsToAnElement(t *testing.T) {
	for _, tt := range []struct{ left, right, want float64 }{
		{0, 80, 0}, {100, 268, 0}, {100, 269, 1}, {400, 480, 212}, {-50, 30, -82}, {-400, -320, -432}, {200, 460, 168},
	} {
		if got := intoRow(tt.left, tt.right, 300); got != tt.want {
			t.Errorf("from %v to %v: scrolls by %v, want %v", tt.left, tt.right, got, tt.want)
		}
	}
}
