package saver

import "time"

// retryAfter returns how long the page waits before it retries a save that could
// not reach the server, after a number of tries: a short time at first, then
// half a minute.
func retryAfter(tries int) time.Duration {
	return min(2*time.Second<<min(tries, 4), 30*time.Second)
}
