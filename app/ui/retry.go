package ui

import "time"

// slowAfter is how long a save may take before the page says more than "Saving…"
// and offers to cancel it.
const slowAfter = 6 * time.Second

// retryAfter is how long the page waits before it tries a save again by itself
// that found no server, after some tries: soon at first, then every half minute.
func retryAfter(tries int) time.Duration {
	return min(2*time.Second<<min(tries, 4), 30*time.Second)
}
