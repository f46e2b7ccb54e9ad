package bff

import (
	"strconv"
	"testing"
)

// A full memory of logout tokens forgets the oldest and takes the new one.
func TestFullMemoryOfLogoutTokensForgetsTheOldest(t *testing.T) {
	m := newUsedTokens()
	for i := range maxUsedTokens + 1 {
		m.add(strconv.Itoa(i))
	}
	if m.has("0") || !m.has("1") || !m.has(strconv.Itoa(maxUsedTokens)) {
		t.Error("the oldest token is still known, or another is not")
	}
}
