package signer_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/tenant/signer"
)

func newSet(t *testing.T) *keys.Set {
	t.Helper()
	set, err := keys.New(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func newSigner(t *testing.T, set *keys.Set) *signer.Signer {
	t.Helper()
	s, err := signer.New(set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// After a rotation the newest key signs, the old one still verifies, and both are published.
func TestRotation(t *testing.T) {
	old := newSet(t)
	token, err := newSigner(t, old).Sign("JWT", map[string]any{"sub": "u"})
	if err != nil {
		t.Fatal(err)
	}
	next := newSet(t)
	both := newSigner(t, &keys.Set{Signing: append(next.Signing[:1:1], old.Signing[0])})
	var got struct {
		Sub string `json:"sub"`
	}
	if typ, err := both.Verify(token, &got); err != nil || typ != "JWT" || got.Sub != "u" {
		t.Errorf("Verify of the old key's token = %q, %v, %+v, want JWT and u", typ, err, got)
	}
	fresh, err := both.Sign("JWT", map[string]any{"sub": "u"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newSigner(t, old).Verify(fresh, &got); err == nil {
		t.Error("the old key alone accepts a token of the new one")
	}
	if _, err := newSigner(t, next).Verify(fresh, &got); err != nil {
		t.Errorf("the newest key did not sign: %v", err)
	}
	b, err := json.Marshal(both.JWKS())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{next.Signing[0].ID, old.Signing[0].ID, `"alg":"RS256"`, `"use":"sig"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("JWKS %s lacks %s", b, want)
		}
	}
	for _, private := range []string{`"d":`, `"p":`, `"q":`} {
		if strings.Contains(string(b), private) {
			t.Errorf("JWKS %s holds a private part", b)
		}
	}
}

func TestNewWithoutKey(t *testing.T) {
	if _, err := signer.New(&keys.Set{}); err == nil {
		t.Error("New without a key = nil, want an error")
	}
}

// During a rotation while the tenant runs, the new key is published before it signs, and tokens of the old one are valid
// until they expire.
func TestFollow(t *testing.T) {
	old, next := newSet(t), newSet(t)
	created := old.Signing[0].Created
	now := created
	k := next.Signing[0]
	k.From = created.Add(keys.Lead)
	both := &keys.Set{Signing: []keys.Signing{k, old.Signing[0]}}
	current := old
	s := signer.Follow(func() *keys.Set { return current }, func() time.Time { return now })
	kid := func() string {
		t.Helper()
		token, err := s.Sign("JWT", map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		jws, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{signer.Algorithm})
		if err != nil {
			t.Fatal(err)
		}
		return jws.Signatures[0].Protected.KeyID
	}
	var into map[string]any
	token, err := s.Sign("JWT", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name      string
		set       *keys.Set
		after     time.Duration
		signs     keys.Signing
		published int
		good      bool // the first token
	}{
		{"before", old, 0, old.Signing[0], 1, true},
		{"rotated", both, 0, old.Signing[0], 2, true},
		{"just before it signs", both, keys.Lead - time.Second, old.Signing[0], 2, true},
		{"it signs", both, keys.Lead, k, 2, true},
		{"just before the old one ends", both, keys.Lead + keys.Keep - time.Second, k, 2, true},
		{"the old one ended", both, keys.Lead + keys.Keep, k, 1, false},
	} {
		current, now = tt.set, created.Add(tt.after)
		if got := kid(); got != tt.signs.ID {
			t.Errorf("%s: key %s signs, want %s", tt.name, got, tt.signs.ID)
		}
		if got := len(s.JWKS().Keys); got != tt.published {
			t.Errorf("%s: %d keys are published, want %d", tt.name, got, tt.published)
		}
		if _, err := s.Verify(token, &into); (err == nil) != tt.good {
			t.Errorf("%s: first token = %v, want good %v", tt.name, err, tt.good)
		}
	}
}
