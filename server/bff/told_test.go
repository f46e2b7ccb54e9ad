package bff

import (
	"strconv"
	"testing"
	"time"
)

// The memory of logout tokens is bounded: what is over goes first, and nothing goes that is not when there is room.
func TestToldTokens(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m := &toldTokens{until: map[string]time.Time{}}
	m.add("over", now.Add(-maxLogoutAge-time.Second), now)
	m.add("just not", now.Add(-maxLogoutAge), now)
	for i := range maxTold - 2 {
		m.add("t"+strconv.Itoa(i), now, now)
	}
	if !m.has("over") || !m.has("just not") || !m.has("t0") {
		t.Fatal("there is room, and one is gone")
	}
	m.add("one more", now, now)
	if m.has("over") || !m.has("just not") || !m.has("one more") {
		t.Error("of a full memory what is over must go, and nothing else")
	}
	m.add("another", now, now)
	if m.has("just not") || !m.has("t0") || !m.has("another") || len(m.until) != maxTold {
		t.Errorf("the one that ends first must go, and one alone: %d are there", len(m.until))
	}
}
