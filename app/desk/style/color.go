package style

import (
	"math"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/contrast"
)

// rgb is a color with parts from 0 to 255.
type rgb [3]float64

// colorOf parses #rgb, #rrggbb, rgb(r g b), and a few names. ok is false for any other spelling.
func colorOf(s string) (c rgb, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if named, found := names[s]; found {
		s = named
	}
	if body, found := strings.CutPrefix(s, "rgb("); found {
		fields := strings.FieldsFunc(strings.TrimSuffix(body, ")"), func(r rune) bool { return r == ',' || r == ' ' })
		if len(fields) != 3 {
			return c, false
		}
		for i, f := range fields {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				return c, false
			}
			c[i] = min(255, max(0, v))
		}
		return c, true
	}
	parts, ok := contrast.Hex(s)
	return parts, ok
}

var names = map[string]string{
	"black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "gray": "#808080", "grey": "#808080",
	"navy": "#000080", "teal": "#008080", "maroon": "#800000", "purple": "#800080", "silver": "#c0c0c0", "orange": "#ffa500",
}

// hexOf returns a color as #rrggbb.
func (c rgb) hexOf() string {
	const digits = "0123456789abcdef"
	out := []byte("#")
	for _, v := range c {
		n := int(math.Round(v))
		out = append(out, digits[n>>4], digits[n&15])
	}
	return string(out)
}

// contrastOf returns the contrast ratio of two colors, from 1 to 21.
func contrastOf(a, b rgb) float64 {
	return contrast.Ratio(contrast.Luminance(a), contrast.Luminance(b))
}
