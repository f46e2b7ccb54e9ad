package tokens_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/tenant/tokens"
	"github.com/formgraph/formgraph/server/tenant/tokens/tokenstest"
)

const endpoint = issuer + "/oauth/token"

// prover is a client with a DPoP key that counts its proofs, valid or not.
type prover struct {
	*tokenstest.Prover

	id int
}

func newProver(tb testing.TB) *prover { tb.Helper(); return &prover{Prover: tokenstest.New(tb)} }

// claims returns the claims of a valid proof, changed by pairs; nil removes one.
func (p *prover) claims(pairs ...any) map[string]any {
	p.id++
	c := map[string]any{"jti": fmt.Sprint(p.id), "htm": "POST", "htu": endpoint, "iat": noon().Unix()}
	for i := 0; i < len(pairs); i += 2 {
		k, _ := pairs[i].(string)
		if c[k] = pairs[i+1]; pairs[i+1] == nil {
			delete(c, k)
		}
	}
	return c
}

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// A proof is valid for one request. Every fault is refused. RFC 9449, section 4.3.
func TestProof(t *testing.T) {
	m := newMint(t)
	p, other := newProver(t), newProver(t)
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rsa := jose.JSONWebKey{Key: &m.set.Signing[0].Key.PublicKey}
	good := p.Sign(p.claims(), nil)
	parts := strings.Split(p.Sign(p.claims(), nil), ".")
	for _, tt := range []struct {
		name, proof string
		ok          bool
	}{
		{"good", good, true},
		{"again", good, false},
		{"another", p.Sign(p.claims(), nil), true},
		{"query and fragment", p.Sign(p.claims("htu", endpoint+"?a=1#b"), nil), true},
		{"host in upper case", p.Sign(p.claims("htu", "HTTP://LOCALHOST:8081/oauth/token"), nil), true},
		{"escaped letter", p.Sign(p.claims("htu", issuer+"/%6fauth/token"), nil), true},
		{"dots", p.Sign(p.claims("htu", issuer+"/x/../oauth/./token"), nil), true},
		{"fraction", p.Sign(p.claims("iat", float64(noon().Unix())+.5), nil), true},
		{"as old as may be", p.Sign(p.claims("iat", noon().Unix()-300), nil), true},
		{"as early as may be", p.Sign(p.claims("iat", noon().Unix()+30), nil), true},
		{"ended within the leeway", p.Sign(p.claims("exp", noon().Unix()-29), nil), true},
		{"begins within the leeway", p.Sign(p.claims("nbf", noon().Unix()+30), nil), true},
		{"more claims", p.Sign(p.claims("x", map[string]any{"y": 1}, "nonce", "of another server"), nil), true},

		{"empty", "", false},
		{"too old", p.Sign(p.claims("iat", noon().Unix()-301), nil), false},
		{"too early", p.Sign(p.claims("iat", noon().Unix()+31), nil), false},
		{"no iat", p.Sign(p.claims("iat", nil), nil), false},
		{"iat a string", p.Sign(p.claims("iat", fmt.Sprint(noon().Unix())), nil), false},
		{"iat huge", p.Sign([]byte(`{"jti":"h","htm":"POST","htu":"`+endpoint+`","iat":1e300}`), nil), false},
		{"over", p.Sign(p.claims("exp", noon().Unix()-30), nil), false},
		{"begins later", p.Sign(p.claims("nbf", noon().Unix()+31), nil), false},
		{"exp a string", p.Sign(p.claims("exp", "9999999999"), nil), false},
		{"nbf a string", p.Sign(p.claims("nbf", "0"), nil), false},
		{"no jti", p.Sign(p.claims("jti", nil), nil), false},
		{"empty jti", p.Sign(p.claims("jti", ""), nil), false},
		{"long jti", p.Sign(p.claims("jti", strings.Repeat("j", 257)), nil), false},
		{"jti a number", p.Sign(p.claims("jti", 1), nil), false},
		{"other method", p.Sign(p.claims("htm", "GET"), nil), false},
		{"method in lower case", p.Sign(p.claims("htm", "post"), nil), false},
		{"no method", p.Sign(p.claims("htm", nil), nil), false},
		{"other path", p.Sign(p.claims("htu", issuer+"/oauth/token/"), nil), false},
		{"path in upper case", p.Sign(p.claims("htu", issuer+"/oauth/Token"), nil), false},
		{"escaped slash", p.Sign(p.claims("htu", issuer+"/oauth%2Ftoken"), nil), false},
		{"other host", p.Sign(p.claims("htu", "http://localhost.evil:8081/oauth/token"), nil), false},
		{"other port", p.Sign(p.claims("htu", "http://localhost/oauth/token"), nil), false},
		{"other scheme", p.Sign(p.claims("htu", "https://localhost:8081/oauth/token"), nil), false},
		{"user info", p.Sign(p.claims("htu", "http://a@localhost:8081/oauth/token"), nil), false},
		{"no address", p.Sign(p.claims("htu", nil), nil), false},
		{"path alone", p.Sign(p.claims("htu", "/oauth/token"), nil), false},
		{"two jti", p.Sign([]byte(`{"jti":"a","jti":"b","htm":"POST","htu":"`+endpoint+`","iat":1}`), nil), false},
		{"other case", p.Sign([]byte(fmt.Sprintf(`{"jti":"case","HTM":"POST","htu":%q,"iat":%d}`, endpoint, noon().Unix())), nil), false},
		{"no object", p.Sign([]byte(`[]`), nil), false},
		{"no JSON", p.Sign([]byte(`{`), nil), false},
		{"no type", p.Sign(p.claims(), map[jose.HeaderKey]any{"typ": nil}), false},
		{"other type", p.Sign(p.claims(), map[jose.HeaderKey]any{"typ": "JWT"}), false},
		{"no key", p.Sign(p.claims(), map[jose.HeaderKey]any{"jwk": nil}), false},
		{"private key", p.Sign(p.claims(), map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: p.Key}}), false},
		{"other key", p.Sign(p.claims(), map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: &other.Key.PublicKey}}), false},
		{"key of P-384", p.Sign(p.claims(), map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: &p384.PublicKey}}), false},
		{"RSA key", p.Sign(p.claims(), map[jose.HeaderKey]any{"jwk": rsa}), false},
		{"shared secret", p.Sign(p.claims(), map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: []byte("secret")}}), false},
		{"kid alone", p.Sign(p.claims(), map[jose.HeaderKey]any{"jwk": nil, "kid": "x"}), false},
		{"critical", p.Sign(p.claims(), map[jose.HeaderKey]any{"crit": []string{"x"}, "x": 1}), false},
		{"RS256", m.forge(t, jose.RS256, map[jose.HeaderKey]any{"typ": "dpop+jwt", "jwk": rsa}, p.claims()), false},
		{"no algorithm", b64(`{"alg":"none","typ":"dpop+jwt"}`) + "." + parts[1] + ".", false},
		{"changed", parts[0] + "." + b64(`{"jti":"x"}`) + "." + parts[2], false},
		{"JSON serialization", fmt.Sprintf(`{"payload":%q,"protected":%q,"signature":%q}`, parts[1], parts[0], parts[2]), false},
		{"comma-joined", p.Sign(p.claims(), nil) + ", " + p.Sign(p.claims(), nil), false},
		{"long", p.Sign(p.claims("x", strings.Repeat("x", 4<<10)), nil), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			key, err := m.VerifyProof(t.Context(), tt.proof, "POST", endpoint, "")
			if tt.ok && (err != nil || len(key) != 43) || !tt.ok && !errors.Is(err, dpop.ErrProof) {
				t.Errorf("VerifyProof = %q, %v, want accepted %v", key, err, tt.ok)
			}
		})
	}
}

// The thumbprint is that of RFC 7638: the same for every proof with a key, and different for another key.
func TestProofKey(t *testing.T) {
	m := newMint(t)
	p, other := newProver(t), newProver(t)
	keyOf := func(p *prover) string {
		t.Helper()
		key, err := m.VerifyProof(t.Context(), p.Sign(p.claims(), nil), "POST", endpoint, "")
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	raw, err := p.Key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		t.Fatal(err)
	}
	enc := base64.RawURLEncoding.EncodeToString
	sum := sha256.Sum256([]byte(`{"crv":"P-256","kty":"EC","x":"` + enc(raw[1:33]) + `","y":"` + enc(raw[33:]) + `"}`))
	if got := keyOf(p); got != enc(sum[:]) || got != keyOf(p) || got == keyOf(other) {
		t.Errorf("thumbprint = %s, want %s for this key alone", got, enc(sum[:]))
	}
}

func TestProofToken(t *testing.T) {
	m := newMint(t)
	p := newProver(t)
	for _, tt := range []struct {
		name string
		hash any
		ok   bool
	}{
		{"its own", hashOf("token"), true},
		{"none", nil, false},
		{"of another", hashOf("other"), false},
		{"half", hashOf("token")[:20], false},
		{"a number", 1, false},
	} {
		if _, err := m.VerifyProof(t.Context(), p.Sign(p.claims("ath", tt.hash), nil), "POST", endpoint, "token"); (err == nil) != tt.ok {
			t.Errorf("ath %s: VerifyProof = %v, want accepted %v", tt.name, err, tt.ok)
		}
	}
}

// A proof works once, as long as its iat is in the window.
func TestProofReplay(t *testing.T) {
	m := newMint(t)
	p, other := newProver(t), newProver(t)
	verify := func(raw string) error { _, err := m.VerifyProof(t.Context(), raw, "POST", endpoint, ""); return err }
	raw := p.Sign(p.claims("jti", "same", "iat", noon().Unix()+30), nil)
	if err := verify(raw); err != nil {
		t.Fatal(err)
	}
	// The same jti with another key is another proof.
	if err := verify(other.Sign(other.claims("jti", "same"), nil)); err != nil {
		t.Errorf("another key's proof = %v, want nil", err)
	}
	for _, after := range []time.Duration{0, time.Second, 329 * time.Second, 330 * time.Second, 331 * time.Second, time.Hour} {
		m.now = noon().Add(after)
		if err := verify(raw); !errors.Is(err, dpop.ErrProof) {
			t.Errorf("after %v = %v, want ErrProof", after, err)
		}
	}
	// The same again, with proofs in between that rotate the memory.
	m.now = noon().Add(2 * time.Hour)
	at := m.now.Unix()
	if err := verify(p.Sign(p.claims("iat", at), nil)); err != nil {
		t.Fatal(err)
	}
	m.now = m.now.Add(329 * time.Second) // the end of a span
	late := p.Sign(p.claims("iat", m.now.Unix()), nil)
	if err := verify(late); err != nil {
		t.Fatal(err)
	}
	m.now = m.now.Add(time.Second) // the next span
	if err := verify(p.Sign(p.claims("iat", m.now.Unix()), nil)); err != nil {
		t.Fatal(err)
	}
	m.now = m.now.Add(298 * time.Second)
	if err := verify(late); !errors.Is(err, dpop.ErrProof) {
		t.Errorf("in the next span = %v, want ErrProof", err)
	}
}

func TestProofRace(t *testing.T) {
	m := newMint(t)
	p := newProver(t)
	raw := p.Sign(p.claims(), nil)
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if _, err := m.VerifyProof(t.Context(), raw, "POST", endpoint, ""); err == nil {
				won.Add(1)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 16 got through, want 1", won.Load())
	}
}

// A full memory accepts nothing, and has room again later.
func TestProofMemoryFull(t *testing.T) {
	m := newMint(t)
	m.LimitSeen(3)
	p := newProver(t)
	verify := func() error {
		_, err := m.VerifyProof(t.Context(), p.Sign(p.claims("iat", m.now.Unix()), nil), "POST", endpoint, "")
		return err
	}
	for i := range 3 {
		if err := verify(); err != nil {
			t.Fatalf("proof %d = %v, want nil", i+1, err)
		}
	}
	if err := verify(); !errors.Is(err, dpop.ErrBusy) {
		t.Errorf("proof 4 = %v, want ErrBusy", err)
	}
	// Invalid proofs take up no space.
	m.now = noon().Add(331 * time.Second)
	for range 5 {
		if _, err := m.VerifyProof(t.Context(), p.Sign(p.claims("iat", m.now.Unix(), "htm", "GET"), nil), "POST", endpoint,
			""); !errors.Is(err, dpop.ErrProof) {
			t.Errorf("bad proof = %v, want ErrProof", err)
		}
	}
	if err := verify(); err != nil {
		t.Errorf("a span later = %v, want nil", err)
	}
}

func TestNonce(t *testing.T) {
	m := newMint(t)
	p := newProver(t)
	if m.Nonce() != "" {
		t.Error("a tenant without nonces makes one")
	}
	m.NonceKeys = [][]byte{{1}, {2}}
	verify := func(nonce any) error {
		_, err := m.VerifyProof(t.Context(), p.Sign(p.claims("nonce", nonce, "iat", m.now.Unix()), nil), "POST", endpoint, "")
		return err
	}
	n := m.Nonce()
	old := &tokens.Tokens{Now: m.Now, NonceKeys: [][]byte{{2}}}
	foreign := &tokens.Tokens{Now: m.Now, NonceKeys: [][]byte{{3}}}
	for _, tt := range []struct {
		name  string
		nonce any
		after time.Duration
		want  error
	}{
		{"ours", n, 0, nil},
		{"again", n, time.Second, nil},
		{"of the key before", old.Nonce(), 0, nil},
		{"just before its end", n, 299 * time.Second, nil},
		{"at its end", n, 300 * time.Second, tokens.ErrNonce},
		{"from the future", n, -5 * time.Second, tokens.ErrNonce},
		{"none", nil, 0, tokens.ErrNonce},
		{"empty", "", 0, tokens.ErrNonce},
		{"of another", foreign.Nonce(), 0, tokens.ErrNonce},
		{"cut", n[:20], 0, tokens.ErrNonce},
		{"a number", 1, 0, dpop.ErrProof},
	} {
		m.now = noon().Add(tt.after)
		if err := verify(tt.nonce); !errors.Is(err, tt.want) {
			t.Errorf("%s: VerifyProof = %v, want %v", tt.name, err, tt.want)
		}
	}
	// A proof with another fault is not answered with a request for a nonce.
	m.now = noon()
	if _, err := m.VerifyProof(t.Context(), p.Sign(p.claims("htm", "GET"), nil), "POST", endpoint, ""); !errors.Is(err, dpop.ErrProof) {
		t.Errorf("bad proof without nonce = %v, want ErrProof", err)
	}
}

func FuzzProof(f *testing.F) {
	set := newMintOf(f)
	p := newProver(f)
	f.Add(p.Sign(p.claims(), nil), endpoint)
	f.Add(p.Sign(p.claims(), map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: p.Key}}), endpoint+"?a")
	f.Add(b64(`{"alg":"ES256","typ":"dpop+jwt","jwk":{"kty":"EC","crv":"P-256","x":"","y":""}}`)+"."+b64(`{}`)+".AA", "http://a/%2e%2E/%41")
	f.Add("..", "http://[::1%25]:/")
	f.Fuzz(func(t *testing.T, proof, address string) {
		if n := dpop.Address(address); n != "" && dpop.Address(n) != n {
			t.Errorf("normal form of %q is not normal: %q", address, n)
		}
		_, err := set.VerifyProof(t.Context(), proof, "POST", address, "")
		if err != nil && !errors.Is(err, dpop.ErrProof) && !errors.Is(err, dpop.ErrBusy) {
			t.Errorf("VerifyProof = %v, want one of ours", err)
		}
	})
}

// At another address the same keys sign. Tokens and proofs are for that address, and proofs are remembered in one place.
func TestAt(t *testing.T) {
	const login = "http://login.localhost:8081"
	m := newMint(t)
	m.NonceKeys, m.AccessLife = [][]byte{[]byte("k")}, time.Minute
	at := m.At(login).At(login)
	token, life, err := at.IssueAccess(tokens.Access{Subject: "ana", ClientID: "c", Audience: "a"})
	if err != nil || life != time.Minute {
		t.Fatalf("IssueAccess: %v for %v, want a minute", err, life)
	}
	if _, err := at.VerifyAccess(token, "a"); err != nil {
		t.Errorf("its token there: %v", err)
	}
	if _, err := m.VerifyAccess(token, "a"); !errors.Is(err, tokens.ErrInvalid) {
		t.Errorf("its token here: %v, want ErrInvalid", err)
	}
	p := newProver(t)
	claims := p.claims("htu", login+"/oauth/token", "nonce", at.Nonce())
	proof := p.Sign(claims, nil)
	if _, err := m.VerifyProof(t.Context(), proof, "POST", endpoint, ""); !errors.Is(err, dpop.ErrProof) {
		t.Errorf("a proof for the other address: %v, want ErrProof", err)
	}
	if _, err := at.VerifyProof(t.Context(), proof, "POST", login+"/oauth/token", ""); err != nil {
		t.Errorf("a proof for its address: %v", err)
	}
	claims["htu"] = endpoint
	if _, err := m.VerifyProof(t.Context(), p.Sign(claims, nil), "POST", endpoint, ""); !errors.Is(err, dpop.ErrProof) {
		t.Errorf("a proof whose jti was used at the other address: %v, want ErrProof", err)
	}
	m.LimitSeen(1)
	if _, err := at.VerifyProof(t.Context(), p.Sign(p.claims("htu", login+"/oauth/token", "nonce", at.Nonce()), nil), "POST",
		login+"/oauth/token", ""); !errors.Is(err, dpop.ErrBusy) {
		t.Errorf("a proof beyond the one memory: %v, want ErrBusy", err)
	}
	m.Seen = &dpop.Memory{} // what replicas share counts at every address
	proof = p.Sign(p.claims("htu", login+"/oauth/token", "nonce", at.Nonce()), nil)
	if _, err := at.VerifyProof(t.Context(), proof, "POST", login+"/oauth/token", ""); err != nil {
		t.Errorf("a proof with the memory of all: %v", err)
	}
	if _, err := m.At(login).VerifyProof(t.Context(), proof, "POST", login+"/oauth/token", ""); !errors.Is(err, dpop.ErrProof) {
		t.Errorf("the same proof again: %v, want ErrProof", err)
	}
}
