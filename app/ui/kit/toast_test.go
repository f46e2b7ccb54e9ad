package kit

import (
	"slices"
	"testing"
	"time"
)

// A message stays while a dialog or the mouse is over it. After a dialog there is time to read it and to press its button.
func TestMessageStaysWhileItIsCoveredOrHeld(t *testing.T) {
	type at struct{ covered, held bool }
	for _, tt := range []struct {
		name string
		at   []at // at each end of its time
		want []time.Duration
	}{
		{"nothing is over it", []at{{}}, []time.Duration{0}},
		{"the mouse is on it", []at{{held: true}, {held: true}, {}}, []time.Duration{time.Second, time.Second, 0}},
		{
			"a dialog is over it",
			[]at{{covered: true}, {covered: true, held: true}, {}, {}},
			[]time.Duration{time.Second, time.Second, toastTime, 0},
		},
	} {
		var toast Toast
		var got []time.Duration
		for _, a := range tt.at {
			got = append(got, toast.more(a.covered, a.held))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: it stays for %v more, want %v", tt.name, got, tt.want)
		}
	}
}
