package saver

import (
	"testing"
	"time"
)

func TestRetriesBecomeRareAndNeverEnd(t *testing.T) {
	last := time.Duration(0)
	for tries := range 100 {
		wait := retryAfter(tries)
		if wait < last || wait < time.Second || wait > 30*time.Second {
			t.Errorf("after %d tries it waits %v, before it %v", tries, wait, last)
		}
		last = wait
	}
	if last != 30*time.Second {
		t.Errorf("in the end it waits %v", last)
	}
}
