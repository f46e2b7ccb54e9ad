package bff

import (
	"strconv"
	"testing"
)

// A full memory of logout tokens forgets the oldest and takes the new one.
func TestFullMemoryOfLogoutTokensForgetsTheOldest(t *testing.T) {
	m := newToldTokens()
	for i := range maxTold + 1 {
		m.add(strconv.Itoa(i))
	}
	if m.has("0") || !m.has("1") || !m.has(strconv.Itoa(maxTold)) {
		t.Error("the oldest token is still known, or another is not")
	}
}
