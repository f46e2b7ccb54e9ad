// Package contrast measures how well a text can be read on a color: the contrast of the Web Content Accessibility Guidelines 2.2.
package contrast

import (
	"math"
	"strconv"
	"strings"
)

// Hex returns the parts of a color such as #1f7a4d or #fff, from 0 to 255.
func Hex(s string) (parts [3]float64, ok bool) {
	digits, found := strings.CutPrefix(s, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if !found || err != nil || len(digits) != 6 {
		return parts, false
	}
	return [3]float64{float64(n >> 16), float64(n >> 8 & 255), float64(n & 255)}, true
}

// Luminance returns the relative luminance of a color, from 0 to 1. Section "relative luminance".
func Luminance(parts [3]float64) float64 {
	for i, v := range parts {
		if v /= 255; v <= 0.04045 {
			parts[i] = v / 12.92
		} else {
			parts[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*parts[0] + 0.7152*parts[1] + 0.0722*parts[2]
}

// Ratio returns the contrast ratio of two luminances, from 1 to 21. Section "contrast ratio".
func Ratio(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }
