package style

import (
	"math"
	"strconv"
	"strings"
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
	digits, found := strings.CutPrefix(s, "#")
	if !found {
		return c, false
	}
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 6 {
		return c, false
	}
	return rgb{float64(n >> 16), float64(n >> 8 & 255), float64(n & 255)}, true
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

// luminance returns the relative luminance. Web Content Accessibility Guidelines 2.2, section "relative luminance".
func (c rgb) luminance() float64 {
	var l [3]float64
	for i, v := range c {
		if v /= 255; v <= 0.04045 {
			l[i] = v / 12.92
		} else {
			l[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
}

// contrast returns the contrast ratio of two colors, from 1 to 21.
func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
