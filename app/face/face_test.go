package face_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/face"
)

func TestInitials(t *testing.T) {
	for name, want := range map[string]string{
		"ana maria lopez": "AM", "ana.lopez@example.org": "AL", "": "", "Ødegård": "Ø", "O’Neil-Smith": "ON", "李 明": "李明",
	} {
		if got := face.Initials(name); got != want {
			t.Errorf("%q has the initials %q, want %q", name, got, want)
		}
	}
}

// A person has one color, and all colors are used.
func TestHue(t *testing.T) {
	seen := map[int]bool{}
	for i := range 100 {
		sub := fmt.Sprintf("auth0|%d", i)
		h := face.Hue(sub)
		if h < 0 || h > 5 || h != face.Hue(sub) {
			t.Errorf("%s has the color %d", sub, h)
		}
		seen[h] = true
	}
	if len(seen) != 6 {
		t.Errorf("only the colors %v are used", seen)
	}
}
