package saver

import "time"

// retryAfter is how long the page waits before it retries a save
// that found no server, after some tries: soon at first, then every half minute.
func retryAfter(tries int) time.Duration {
	return min(2*time.Second<<min(tries, 4), 30*time.Second)
}
