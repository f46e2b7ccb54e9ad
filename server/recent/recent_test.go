package recent_test

import (
	"testing"

	"github.com/formgraph/formgraph/server/recent"
)

func TestFullMapForgetsTheLeastRecentlyUsed(t *testing.T) {
	m := recent.New[string, int](2)
	m.Put("a", 1)
	m.Put("b", 2)
	m.Get("a")
	m.Put("c", 3)
	if _, ok := m.Get("b"); ok {
		t.Error("b was used least recently and is still there")
	}
	for key, want := range map[string]int{"a": 1, "c": 3} {
		if got, ok := m.Get(key); !ok || got != want {
			t.Errorf("%s is %d, %v, want %d", key, got, ok, want)
		}
	}
	m.Put("a", 4)
	m.Put("d", 5)
	if got, _ := m.Get("a"); got != 4 || m.Len() != 2 {
		t.Errorf("a is %d of %d keys, want 4 of 2", got, m.Len())
	}
	m.Delete("a")
	m.Delete("a")
	if _, ok := m.Get("a"); ok || m.Len() != 1 {
		t.Errorf("a deleted key is there, or %d keys are, want 1", m.Len())
	}
}
