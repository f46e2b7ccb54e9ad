package answer

import (
	"strings"
	"testing"
)

func TestChoicesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Choices {
		if c.Subject == "" || !strings.HasSuffix(c.Choice, ".") || seen[c.Subject] {
			t.Errorf("choice %+v", c)
		}
		seen[c.Subject] = true
	}
}
