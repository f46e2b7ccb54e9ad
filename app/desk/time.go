package desk

import (
	"strconv"
	"time"

	"github.com/formgraph/formgraph/app/markup"
)

// Exact is the layout of an exact time.
const Exact = "2 January 2006, 15:04:05"

// Time writes how long ago a time is, with the exact time on hover.
func Time(w *markup.Writer, now, at time.Time) {
	w.Leaf("time datetime=% title=%", Ago(at, now), at.UTC().Format(time.RFC3339), at.Local().Format(Exact))
}

// Ago says how long ago a time is.
func Ago(at, now time.Time) string {
	several := func(n int, unit string) string {
		if n != 1 {
			unit += "s"
		}
		return strconv.Itoa(n) + " " + unit + " ago"
	}
	switch d := now.Sub(at); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return several(int(d/time.Minute), "minute")
	case d < 24*time.Hour:
		return several(int(d/time.Hour), "hour")
	case d < 14*24*time.Hour:
		return several(int(d/(24*time.Hour)), "day")
	}
	return at.Local().Format("2 January 2006")
}
