package servicetoken_test

import (
	"crypto/elliptic"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/servicetoken"
)

// claims returns the text of the claims of a proof.
func claims(t *testing.T, proof string) string {
	t.Helper()
	parts := strings.Split(proof, ".")
	if len(parts) != 3 {
		t.Fatalf("proof %q", proof)
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func bound(c *servicetoken.Config) { c.DPoP = true }

func TestTokenIsBoundToOneKeyOfTheProcess(t *testing.T) {
	s := newTenant(t)
	s.algorithms, s.answer = []string{"ES256"}, map[string]any{"token_type": "dpop"}
	src := s.source(bound)
	first, err := src.Token(t.Context(), "")
	if err != nil || first.Key == nil || s.asked() != 2 {
		t.Fatalf("got %v, %v after %d requests", first, err, s.asked())
	}
	s.move(time.Hour)
	second, err := src.Token(t.Context(), "")
	if err != nil || second.Token == first.Token || second.Key != first.Key || s.asked() != 3 {
		t.Errorf("got %v, %v after %d requests", second, err, s.asked())
	}
}

// The answer decides how the token is presented, whatever was offered and proved.
func TestTypeOfTheServiceToken(t *testing.T) {
	for name, x := range map[string]struct {
		on         bool
		algorithms []string
		typ        string
		proved     bool
		fault      error
	}{
		"off":           {false, []string{"ES256"}, "Bearer", false, nil},
		"not offered":   {true, nil, "Bearer", false, nil},
		"other offers":  {true, []string{"RS256", "EdDSA"}, "bearer", false, nil},
		"bearer anyway": {true, []string{"ES256"}, "bearer", true, nil},
		"bound unasked": {true, nil, "DPoP", false, servicetoken.ErrClient},
		"other type":    {true, []string{"ES256"}, "mac", true, servicetoken.ErrClient},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTenant(t)
			s.algorithms, s.answer = x.algorithms, map[string]any{"token_type": x.typ}
			got, err := s.source(func(c *servicetoken.Config) { c.DPoP = x.on }).Token(t.Context(), "")
			if !errors.Is(err, x.fault) || got.Key != nil || slices.ContainsFunc(s.proofs, func(p string) bool { return p != "" }) != x.proved {
				t.Errorf("got %v, %v, proofs %q", got, err, s.proofs)
			}
		})
	}
}

// A tenant that remembers assertions would refuse one that is sent twice.
func TestAssertionIsMadeAnewWithTheNonce(t *testing.T) {
	s := newTenant(t)
	s.algorithms, s.answer = []string{"ES256"}, map[string]any{"token_type": "DPoP"}
	der, err := x509.MarshalECPrivateKey(ecKey(t, elliptic.P256()))
	key, err := servicetoken.ParseKey(block("EC PRIVATE KEY", der, err))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.source(bound, func(c *servicetoken.Config) { c.Secret, c.Key = "", key }).Check(t.Context()); err != nil || len(s.forms) != 2 {
		t.Fatalf("%v after %d requests", err, len(s.forms))
	}
	if s.forms[0].Get("client_assertion") == s.forms[1].Get("client_assertion") {
		t.Error("the assertion was sent twice")
	}
}

func TestRefusedProofNamesTheRemedy(t *testing.T) {
	s := newTenant(t)
	s.algorithms = []string{"ES256"}
	s.refuse(400, "invalid_dpop_proof")
	err := s.source(bound).Check(t.Context())
	if !errors.Is(err, servicetoken.ErrUnavailable) || !strings.Contains(err.Error(), "--upstream-dpop off") {
		t.Errorf("got %v", err)
	}
}
