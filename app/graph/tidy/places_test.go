package tidy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph/graphtest"
)

func TestTidyPlaces(t *testing.T) {
	tests := []struct {
		name string
		form []string
		want string
	}{
		{"chain", []string{"$start: a", "a: b", "b: $ending"}, "$ending 900,0 $start 0,0 a 180,0 b 540,0"},
		{"start leads nowhere", nil, "$ending 180,0 $start 0,0"},
		{"loop", []string{"$start: a", "a: b", "b: a"}, "$ending 900,0 $start 0,0 a 180,0 b 540,0"},
		{
			"rules in order",
			[]string{"$start: r", "r: a b c", "a: -", "b: -", "c: -"},
			"$ending 900,0 $start 0,0 a 540,38 b 540,154 c 540,270 r 180,0",
		},
		{"two in a row below", []string{"$start: -", "b: -", "a: -"}, "$ending 180,0 $start 0,0 a 360,120 b 0,120"},
		{
			"a root stands by what it leads to",
			[]string{"$start: -", "a: b", "b: c", "c: d", "d: -", "x: d"},
			"$ending 180,0 $start 0,0 a 0,120 b 360,120 c 720,120 d 1080,236 x 720,236",
		},
		{
			"many edges of steps",
			[]string{"$start: r", "r: a b c d e f g h", "a: z", "b: z", "c: z", "d: z", "e: z", "f: z", "g: z", "h: z", "z: -"},
			"$ending 1340,0 $start 0,0 a 580,38 b 580,154 c 580,270 d 580,386 e 580,502 f 580,618 g 580,734 h 580,850 r 180,0 z 980,38",
		},
		{"room for rules", []string{"$start: r", "r: a a a a a a a a", "a: -"}, "$ending 900,0 $start 0,0 a 540,38 r 180,0"},
		{
			"loops of a step",
			[]string{"$start: r", "r: - - - - - s", "s: r r r r r -"},
			"$ending 900,0 $start 0,0 r 180,0 s 540,178",
		},
		{"a router with loops", []string{"$start: q", "q: r s", "r: r r r -", "s: -"}, "$ending 900,0 $start 0,0 q 180,0 r 540,38 s 540,238"},
		{
			"two ways and a merge",
			[]string{"$start: r", "r: a b", "a: c", "b: c", "c: $ending"},
			"$ending 1260,38 $start 0,0 a 540,38 b 540,154 c 900,38 r 180,0",
		},
		{"ending right of what is loose", []string{"$start: -", "a: b", "b: $ending"}, "$ending 720,0 $start 0,0 a 0,120 b 360,120"},
		{"a short way", []string{"$start: r", "r: a b", "a: b", "b: -"}, "$ending 1260,0 $start 0,0 a 540,38 b 900,38 r 180,0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := tidied(t, graphtest.Flow(t, test.form...), nil)
			var got []string
			for _, c := range s.Cards() {
				got = append(got, fmt.Sprintf("%s %g,%g", c.ID, c.Rect.X, c.Rect.Y))
			}
			slices.Sort(got)
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// A selection without Start begins with the cards that nothing in it leads to, and a cycle with the first card in the form.
func TestTidyOnlyPlaces(t *testing.T) {
	f := graphtest.Flow(t, "$start: x", "x: a", "c: a", "a: b", "b: c", "y: c", "p: q", "q: p", "s: s q")
	for _, test := range []struct{ ids, want string }{
		{"a b c", "c 0,0 a 360,0 b 720,0"},
		{"x a b c", "x 0,0 c 1080,0 a 360,0 b 720,0"},
		{"a b $ending", "$ending 720,0 a 0,0 b 360,0"},
		{"c a y", "c 360,0 a 720,0 y 0,0"},
		{"x y", "x 0,0 y 360,0"},
		{"p q s", "p 720,66 q 360,66 s 0,0"},
	} {
		only := make(map[string]bool)
		for id := range strings.FieldsSeq(test.ids) {
			only[id] = true
		}
		s := tidied(t, f, only)
		var got []string
		for _, c := range s.Cards() {
			if only[c.ID] {
				got = append(got, fmt.Sprintf("%s %g,%g", c.ID, c.Rect.X, c.Rect.Y))
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.ids, got, test.want)
		}
	}
}

// A router's targets are in the order of its rules.
func TestTidyKeepsRuleOrder(t *testing.T) {
	for n := 2; n < 12; n++ {
		lines := []string{"$start: r"}
		router := "r:"
		for i := range n {
			router += fmt.Sprintf(" t%d", i)
			lines = append(lines, fmt.Sprintf("t%d: $ending", i))
		}
		rand.New(rand.NewPCG(1, uint64(n))).Shuffle(n, func(i, j int) { lines[1+i], lines[1+j] = lines[1+j], lines[1+i] })
		s := tidied(t, graphtest.Flow(t, append(lines, router)...), nil)
		for i := 1; i < n; i++ {
			a, b := s.Card(fmt.Sprintf("t%d", i-1)).Rect, s.Card(fmt.Sprintf("t%d", i)).Rect
			if a.X != b.X || a.Bottom()+40 > b.Y {
				t.Errorf("%d rules: t%d at %v, t%d at %v", n, i-1, a, i, b)
			}
		}
	}
}
