package contrast_test

import (
	"math"
	"testing"

	"github.com/formgraph/formgraph/app/contrast"
)

func TestRatio(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want float64
	}{{"#000", "#ffffff", 21}, {"#fff", "#fff", 1}, {"#777777", "#ffffff", 4.48}, {"#1F7A4D", "#fff", 5.32}, {"#0a0a0a", "#000000", 1.06}} {
		a, ok := contrast.Hex(tt.a)
		b, ok2 := contrast.Hex(tt.b)
		got := contrast.Ratio(contrast.Luminance(a), contrast.Luminance(b))
		if !ok || !ok2 || math.Abs(got-tt.want) > 0.01 {
			t.Errorf("%s on %s: %.3f, want %.2f", tt.a, tt.b, got, tt.want)
		}
		if back := contrast.Ratio(contrast.Luminance(b), contrast.Luminance(a)); back != got {
			t.Errorf("%s on %s: %v, but %v the other way", tt.a, tt.b, got, back)
		}
	}
	for _, s := range []string{"", "#", "fff", "#ffff", "#gggggg", "#1234567", "red"} {
		if _, ok := contrast.Hex(s); ok {
			t.Errorf("%q is a color", s)
		}
	}
}
