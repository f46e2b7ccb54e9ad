package saver

import (
	"testing"
	"time"
)

// A form is saved two seconds after the last edit, after ten while the typing goes on, and not while it is held up.
func TestPace(t *testing.T) {
	at := func(seconds float64) time.Time {
		return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second)))
	}
	for _, tt := range []struct {
		name  string
		edits []float64
		now   float64
		held  bool
		want  time.Duration
	}{
		{"after an edit", []float64{0}, 0, false, 2 * time.Second},
		{"during the pause", []float64{0}, 1.5, false, 500 * time.Millisecond},
		{"after the pause", []float64{0}, 2, false, 0},
		{"after another edit", []float64{0, 1.5}, 2, false, 1500 * time.Millisecond},
		{"while the typing goes on", []float64{0, 1.9, 3.8, 5.7, 7.6, 9.5}, 9.6, false, 400 * time.Millisecond},
		{"when it has gone on", []float64{0, 1.9, 3.8, 5.7, 7.6, 9.5}, 10, false, 0},
		{"held", []float64{0}, 5, true, holdPause},
		{"held before it is due", []float64{0}, 1, true, time.Second},
		{"after a sleep", []float64{0}, 3600, false, 0},
	} {
		var p pace
		if p.waits() {
			t.Error("the zero pace waits")
		}
		for _, e := range tt.edits {
			p.edited(at(e))
		}
		if got := p.next(at(tt.now), tt.held); got != tt.want || !p.waits() {
			t.Errorf("%s: wait %v, want %v", tt.name, got, tt.want)
		}
		if p.rest(); p.waits() {
			t.Errorf("%s: it waits after everything is saved", tt.name)
		}
	}
}
