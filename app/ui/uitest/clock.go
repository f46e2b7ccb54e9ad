package uitest

import "time"

// clock returns a clock that advances by one second per call, so that no two edits are
// combined.
func clock() func() time.Time {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}
