package face_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/face"
)

func TestInitials(t *testing.T) {
	for name, want := range map[string]string{
		"ana maria lopez": "AM", "ana.lopez@example.org": "AL", "": "", "Ødegård": "Ø", "O’Neil-Smith": "ON", "李 明": "李明",
		"e\u0301lodie o\u0308zil": "E\u0301O\u0308", "मीना": "मी", "שָׂרָה": "שָׂ", "😀 Ana": "A",
	} {
		if got := face.Initials(name); got != want {
			t.Errorf("%q has the initials %q, want %q", name, got, want)
		}
	}
}

// People in one place have different colors as long as there are enough, on every page, and keep their own if nobody else has it.
func TestHuesInOnePlace(t *testing.T) {
	var subs []string
	for i := range 13 {
		subs = append(subs, fmt.Sprintf("auth0|%d", i))
		hues := face.Hues(subs)
		back := slices.Clone(subs)
		slices.Reverse(back)
		if other := face.Hues(append(back, subs[0])); !maps.Equal(hues, other) {
			t.Errorf("%v and %v", hues, other)
		}
		count, own := map[int]int{}, map[int]bool{}
		for _, sub := range subs {
			count[hues[sub]]++
			own[face.Hue(sub)] = own[face.Hue(sub)] || hues[sub] == face.Hue(sub)
		}
		most := (len(subs) + 5) / 6
		for h, n := range count {
			if n > most {
				t.Errorf("%d of %d people have the color %d", n, len(subs), h)
			}
		}
		for h, kept := range own {
			if !kept {
				t.Errorf("nobody keeps the color %d", h)
			}
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

// People who are here have the same colors whoever was here before, and those who were take what they leave.
func TestHuesOfThoseWhoLeft(t *testing.T) {
	here, gone := []string{"y", "z"}, []string{} // who left comes first by subject
	for i := range 1000 {
		if sub := fmt.Sprint(i); face.Hue(sub) == face.Hue("z") && len(gone) < 3 {
			gone = append(gone, sub)
		}
	}
	hues, now := face.Hues(here, append(gone, "z")), face.Hues(here)
	seen := map[int]bool{}
	for _, sub := range slices.Concat(here, gone) {
		seen[hues[sub]] = true
	}
	if len(gone) != 3 || len(seen) != 5 || hues["y"] != now["y"] || hues["z"] != now["z"] {
		t.Errorf("%v have the colors %v; those who are here have %v", gone, hues, now)
	}
}
