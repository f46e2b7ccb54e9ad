package dpop_test

import (
	"crypto"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/dpop"
)

var proofTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newKey(t *testing.T) *dpop.Key {
	t.Helper()
	k, err := dpop.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func proof(t *testing.T, k *dpop.Key, method, address, token, nonce string) string {
	t.Helper()
	p, err := k.Proof(method, address, token, nonce, proofTime)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMadeProofsAreAccepted(t *testing.T) {
	k := newKey(t)
	var nonce string
	c := &dpop.Checker{
		Now: func() time.Time { return proofTime }, Seen: &dpop.Memory{}, Past: dpop.DefaultPast, Future: dpop.DefaultFuture,
		Nonce: func(got string) error {
			if got != nonce {
				return fmt.Errorf("nonce %q: %w", got, dpop.ErrProof)
			}
			return nil
		},
	}
	for _, x := range []struct{ method, made, called, token, nonce string }{
		{"POST", "https://login.example/oauth/token", "https://login.example/oauth/token", "", ""},
		{"GET", "https://api.example/forms?page=1", "https://api.example/forms", "token", "n-1"},
		{"PATCH", "HTTPS://API.example:443/forms/auth0%7c1", "https://api.example/forms/auth0%7C1", "token", "n-1"},
	} {
		nonce = x.nonce
		key, err := c.Check(t.Context(), proof(t, k, x.method, x.made, x.token, x.nonce), x.method, x.called, x.token)
		if err != nil || key != k.Thumbprint() {
			t.Errorf("%s %s: %q, %v", x.method, x.made, key, err)
		}
		for name, bad := range map[string]string{
			"method":  proof(t, k, "PUT", x.made, x.token, x.nonce),
			"address": proof(t, k, x.method, x.called+"/x", x.token, x.nonce),
			"token":   proof(t, k, x.method, x.made, "other", x.nonce),
			"nonce":   proof(t, k, x.method, x.made, x.token, "other"),
		} {
			_, err := c.Check(t.Context(), bad, x.method, x.called, x.token)
			if refused := x.token != "" || name != "token"; refused != errors.Is(err, dpop.ErrProof) {
				t.Errorf("%s %s with another %s: %v", x.method, x.made, name, err)
			}
		}
	}
}

// A library that is not ours reads a proof as RFC 9449, section 4.2 has it.
func TestMadeProofIsAsTheStandardSays(t *testing.T) {
	k := newKey(t)
	signed, err := jose.ParseSignedCompact(proof(t, k, "GET", "https://api.example/forms?q=1", "token", "n-1"),
		[]jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	h := signed.Signatures[0].Protected
	if h.ExtraHeaders["typ"] != "dpop+jwt" || h.JSONWebKey == nil || !h.JSONWebKey.IsPublic() || h.KeyID != "" {
		t.Fatalf("header %+v", h)
	}
	body, err := signed.Verify(h.JSONWebKey)
	if err != nil {
		t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(body, &c); err != nil {
		t.Fatal(err)
	}
	id, err := base64.RawURLEncoding.DecodeString(c["jti"].(string))
	if err != nil || len(id) != 16 {
		t.Errorf("jti %v", c["jti"])
	}
	delete(c, "jti")
	want := map[string]any{
		"htm": "GET", "htu": "https://api.example/forms", "iat": float64(proofTime.Unix()), "nonce": "n-1",
		"ath": "PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A", // printf token | sha256sum
	}
	if fmt.Sprint(c) != fmt.Sprint(want) {
		t.Errorf("claims %v, want %v", c, want)
	}
	sum, err := h.JSONWebKey.Thumbprint(crypto.SHA256)
	if err != nil || base64.RawURLEncoding.EncodeToString(sum) != k.Thumbprint() {
		t.Errorf("thumbprint %q, %v", k.Thumbprint(), err)
	}
}

func TestEachProofIsNew(t *testing.T) {
	k := newKey(t)
	c := dpop.Checker{Now: func() time.Time { return proofTime }, Seen: &dpop.Memory{}}
	for range 2 {
		if _, err := c.Check(t.Context(), proof(t, k, "GET", "https://x.example/", "", ""), "GET", "https://x.example/", ""); err != nil {
			t.Error(err)
		}
	}
	for _, address := range []string{"", "/forms", "ftp://x.example/", "https://user@x.example/"} {
		if p, err := k.Proof("GET", address, "", "", proofTime); err == nil {
			t.Errorf("%q: made %s", address, p)
		}
	}
}

func TestKeyIsKeptInThirtyTwoBytes(t *testing.T) {
	k := newKey(t)
	raw := k.Bytes()
	if len(raw) != 32 {
		t.Fatalf("%d bytes", len(raw))
	}
	again, err := dpop.ParseKey(raw)
	if err != nil || again.Thumbprint() != k.Thumbprint() {
		t.Errorf("read %v, %v", again, err)
	}
	for _, bad := range [][]byte{nil, raw[:31], make([]byte, 32), append([]byte{0}, raw...)} {
		if k, err := dpop.ParseKey(bad); err == nil {
			t.Errorf("%d bytes were read as %v", len(bad), k)
		}
	}
}

func TestKeyIsNeverPrinted(t *testing.T) {
	k := newKey(t)
	raw := k.Bytes()
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", k)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", k)
	text := log.String() + fmt.Sprintf("%v %+v %#v %s", k, k, k, k)
	for _, secret := range []string{fmt.Sprintf("%x", raw), fmt.Sprintf("%d", raw), base64.RawURLEncoding.EncodeToString(raw)} {
		if strings.Contains(text, secret) {
			t.Errorf("the secret is in %s", text)
		}
	}
	if !strings.Contains(text, k.Thumbprint()) {
		t.Errorf("printed %s", text)
	}
}

func TestNonce(t *testing.T) {
	var n dpop.Nonce
	if n.Get() != "" || n.Learn("") != "" || n.Learn(strings.Repeat("a", 1<<10+1)) != "" || n.Get() != "" {
		t.Errorf("nonce %q", n.Get())
	}
	if n.Learn("a") != "a" || n.Learn("b") != "b" || n.Learn("") != "" || n.Get() != "b" {
		t.Errorf("nonce %q", n.Get())
	}
}

func BenchmarkProof(b *testing.B) {
	k, err := dpop.NewKey()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := k.Proof("PATCH", "https://api.example/forms/ap_1", "token", "n-1", proofTime); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseKey(b *testing.B) {
	k, err := dpop.NewKey()
	if err != nil {
		b.Fatal(err)
	}
	raw := k.Bytes()
	for b.Loop() {
		if _, err := dpop.ParseKey(raw); err != nil {
			b.Fatal(err)
		}
	}
}
