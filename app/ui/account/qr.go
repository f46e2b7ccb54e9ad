package account

import (
	"fmt"
	"strings"

	"rsc.io/qr/coding"
)

// quiet is the margin around a QR code, in modules. Readers cannot find a code without it. ISO/IEC 18004,
// section 6.3.8.
const quiet = 4

// qrPath returns a text as a QR code: the dark modules as the data of one SVG path, with one unit per
// module, and the width of the picture including its margin. The code uses the lowest level of error
// correction, which gives the largest modules and is enough on a clean screen. A text that is too long for
// any code is an error.
func qrPath(text string) (path string, width int, err error) {
	code, err := qrCode(text)
	if err != nil {
		return "", 0, err
	}
	var b strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; {
			run := 0
			for x+run < code.Size && code.Black(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", x+quiet, y+quiet, run, run)
			}
			x += max(run, 1)
		}
	}
	return b.String(), code.Size + 2*quiet, nil
}

// qrCode returns the smallest code that fits a text.
func qrCode(text string) (*coding.Code, error) {
	const level = coding.L
	data := coding.String(text)
	for v := coding.Version(coding.MinVersion); v <= coding.MaxVersion; v++ {
		if data.Bits(v) > v.DataBytes(level)*8 {
			continue
		}
		plan, err := coding.NewPlan(v, level, 0)
		if err != nil {
			return nil, err
		}
		return plan.Encode(data)
	}
	return nil, fmt.Errorf("a text of %d bytes is too long for a QR code", len(text))
}
