package answer

import (
	"strings"
	"testing"
)

func TestCallingCodes(t *testing.T) {
	seen := map[string]bool{}
	codes := strings.Fields(callingCodes)
	for _, c := range codes {
		iso, code := c[:2], c[2:]
		if seen[iso] || !digits(code) || code == "" || len(code) > 3 || strings.ToUpper(iso) != iso {
			t.Errorf("entry %s", c)
		}
		seen[iso] = true
		for _, other := range codes {
			if other[2:] != code && strings.HasPrefix(other[2:], code) {
				t.Errorf("the code of %s begins that of %s", c, other)
			}
		}
		if got := countryOf(code + "1234567"); got != code {
			t.Errorf("a number of %s is of %q", c, got)
		}
	}
	t.Logf("%d countries", len(codes))
}
