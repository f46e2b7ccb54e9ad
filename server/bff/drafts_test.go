package bff_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"
)

type draftKey struct{ ID, Key string }

func draftKeys(t *testing.T, b *browser) []draftKey {
	t.Helper()
	g := b.app("GET", "/bff/draft-keys", "")
	var answer struct{ Keys []draftKey }
	if err := json.Unmarshal([]byte(g.body), &answer); g.status != 200 || err != nil || g.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("got %d %v %s", g.status, g.header, g.body)
	}
	return answer.Keys
}

func TestDraftKeysBelongToThePerson(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	if g := b.app("GET", "/bff/draft-keys", ""); g.status != 401 || g.code() != "session_expired" {
		t.Errorf("signed out: got %d %s", g.status, g.body)
	}
	b.signIn()
	keys := draftKeys(t, b)
	if len(keys) != 2 || keys[0] == keys[1] {
		t.Fatalf("got %v, want two keys", keys)
	}
	for _, k := range keys {
		if raw, err := base64.RawURLEncoding.DecodeString(k.Key); err != nil || len(raw) != 32 || k.ID == "" {
			t.Errorf("key %+v: %d bytes, %v", k, len(raw), err)
		}
	}
	again := w.browser()
	again.signIn()
	if got := draftKeys(t, again); got[0] != keys[0] || got[1] != keys[1] {
		t.Errorf("the next session has other keys: %v, had %v", got, keys)
	}
	w.bend(func(s *stub) { s.claims = map[string]any{"sub": "somebody|else"} })
	other := w.browser()
	other.signIn()
	for i, k := range draftKeys(t, other) {
		if k.ID == keys[i].ID || k.Key == keys[i].Key {
			t.Errorf("another person has the key %v", k)
		}
	}
}
