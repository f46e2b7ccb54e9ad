package kit

import "testing"

func TestDropIndex(t *testing.T) {
	tops, bottoms := []float64{0, 40, 100, 120}, []float64{30, 90, 110, 150} // heights 30, 50, 10, 30
	for _, test := range []struct {
		from int
		dy   float64
		want int
	}{
		{0, 0, 0},
		{0, 34, 0},
		{0, 36, 1},
		{0, 80, 2},
		{0, 500, 3},
		{0, -50, 0},
		{3, 0, 3},
		{3, -14, 3},
		{3, -16, 2},
		{3, -56, 1},
		{3, -120, 0},
		{3, 20, 3},
		{1, -24, 1},
		{1, -26, 0},
		{1, 16, 2},
		{1, 46, 3},
	} {
		if got := dropIndex(test.from, test.dy, tops, bottoms); got != test.want {
			t.Errorf("%d dragged by %v goes to %d, want %d", test.from, test.dy, got, test.want)
		}
	}
}

// The arrow keys step in the direction that they show.
func TestArrow(t *testing.T) {
	for key, want := range map[string]int{"ArrowUp": -1, "ArrowDown": 1, "ArrowLeft": 0, "Enter": 0} {
		if got := Arrow(key); got != want {
			t.Errorf("%s leads by %d, want %d", key, got, want)
		}
	}
}

// The others close the gap and make room of the right height.
func TestShift(t *testing.T) {
	tops, bottoms := []float64{0, 40, 100, 120}, []float64{30, 90, 110, 150}
	for _, test := range []struct {
		i, from, to int
		want        float64
	}{
		{1, 0, 2, -40},
		{2, 0, 2, -40},
		{3, 0, 2, 0},
		{0, 3, 0, 40},
		{2, 3, 0, 40},
		{0, 3, 1, 0},
		{1, 1, 1, 0},
	} {
		if got := shiftOf(test.i, test.from, test.to, tops, bottoms); got != test.want {
			t.Errorf("%d shifts by %v while %d goes to %d, want %v", test.i, got, test.from, test.to, test.want)
		}
	}
}
