package factor_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
)

func masters(ids ...byte) []keys.Master {
	var out []keys.Master
	for _, id := range ids {
		out = append(out, keys.Master{ID: id, Secret: bytes.Repeat([]byte{id}, keys.SecretBytes)})
	}
	return out
}

func TestSeal(t *testing.T) {
	secret := []byte("a secret of twenty b")
	sealed, err := factor.Seal(masters(1), "ana", secret)
	if err != nil || bytes.Contains(sealed, secret) {
		t.Fatalf("Seal = %x, %v, want it hidden", sealed, err)
	}
	again, err := factor.Seal(masters(1), "ana", secret)
	if err != nil || bytes.Equal(sealed, again) {
		t.Error("two seals of one secret are the same")
	}
	if got, err := factor.Open(masters(2, 1), "ana", sealed); err != nil || !bytes.Equal(got, secret) {
		t.Errorf("Open with an older key = %q, %v, want the secret", got, err)
	}
	spoilt := bytes.Clone(sealed)
	spoilt[len(spoilt)-1] ^= 1
	renamed := bytes.Clone(sealed)
	renamed[0] = 2
	for name, open := range map[string]func() ([]byte, error){
		"of another person": func() ([]byte, error) { return factor.Open(masters(1), "bob", sealed) },
		"by an unknown key": func() ([]byte, error) { return factor.Open(masters(2), "ana", sealed) },
		"changed":           func() ([]byte, error) { return factor.Open(masters(1), "ana", spoilt) },
		"under another name": func() ([]byte, error) {
			return factor.Open([]keys.Master{{ID: 2, Secret: masters(1)[0].Secret}}, "ana", renamed)
		},
		"empty": func() ([]byte, error) { return factor.Open(masters(1), "ana", nil) },
	} {
		if got, err := open(); err == nil {
			t.Errorf("Open %s = %q, want an error", name, got)
		}
	}
}

// RFC 6238, appendix B, the rows of SHA-1, cut to six digits.
func TestTOTPVectors(t *testing.T) {
	for at, code := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		step, ok := factor.CheckTOTP([]byte("12345678901234567890"), code, 0, time.Unix(at, 0))
		if !ok || step != at/30 {
			t.Errorf("code %s at %d = %d, %v, want step %d", code, at, step, ok, at/30)
		}
	}
}

func TestTOTPWindow(t *testing.T) {
	secret, code := []byte("12345678901234567890"), "287082" // of step 1: seconds 30 to 59
	for _, tt := range []struct {
		name string
		at   int64
		last int64
		code string
		want bool
	}{
		{"a step early", 0, 0, code, true},
		{"in time", 30, 0, code, true},
		{"a step late", 89, 0, code, true},
		{"two steps late", 90, 0, code, false},
		{"used", 30, 1, code, false},
		{"older than one used", 60, 2, code, false},
		{"wrong", 30, 0, "287083", false},
		{"short", 30, 0, "28708", false},
		{"long", 30, 0, code + "0", false},
		{"empty", 30, 0, "", false},
	} {
		if _, ok := factor.CheckTOTP(secret, tt.code, tt.last, time.Unix(tt.at, 0)); ok != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, ok, tt.want)
		}
	}
}

func TestTOTPAddress(t *testing.T) {
	secret := []byte("12345678901234567890")
	u, err := url.Parse(factor.TOTPAddress(secret, "Form graph", "a/b?c@example.com"))
	if err != nil || u.Scheme != "otpauth" || u.Host != "totp" || u.Path != "/Form graph:a/b?c@example.com" {
		t.Fatalf("address = %v, %v", u, err)
	}
	q := u.Query()
	if q.Get("secret") != "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" || q.Get("issuer") != "Form graph" || q.Get("digits") != "6" ||
		q.Get("period") != "30" {
		t.Errorf("parameters = %v", q)
	}
	if a, b := factor.NewTOTPSecret(), factor.NewTOTPSecret(); len(a) != 20 || bytes.Equal(a, b) {
		t.Errorf("secrets = %x, %x, want two of 20 bytes", a, b)
	}
}

func TestCheckMethod(t *testing.T) {
	sealed, err := factor.Seal(masters(1), "ana", []byte("12345678901234567890"))
	if err != nil {
		t.Fatal(err)
	}
	m := store.Method{UserID: "ana", Data: sealed}
	if step, ok, err := factor.CheckMethod(masters(1), m, "287082", time.Unix(59, 0)); step != 1 || !ok || err != nil {
		t.Errorf("CheckMethod = %d, %v, %v, want 1, true, nil", step, ok, err)
	}
	m.Count = 1
	if _, ok, err := factor.CheckMethod(masters(1), m, "287082", time.Unix(59, 0)); ok || err != nil {
		t.Errorf("CheckMethod of a used code = %v, %v, want false, nil", ok, err)
	}
	m.UserID = "bob"
	if _, ok, err := factor.CheckMethod(masters(1), m, "287082", time.Unix(59, 0)); ok || err == nil {
		t.Errorf("CheckMethod of a copied row = %v, %v, want an error", ok, err)
	}
}

func TestRecoveryCode(t *testing.T) {
	code, hash := factor.NewRecoveryCode()
	other, _ := factor.NewRecoveryCode()
	if len(code) != 24+5 || code == other || bytes.Contains(hash, []byte(code)) {
		t.Fatalf("codes = %s, %s", code, other)
	}
	for _, typed := range []string{
		code, strings.ToLower(code), strings.ReplaceAll(code, "-", ""),
		strings.ReplaceAll(code, "-", " "), strings.NewReplacer("0", "o", "1", "l").Replace(code),
	} {
		if !factor.CheckRecoveryCode(hash, typed) {
			t.Errorf("%q is not accepted for %q", typed, code)
		}
	}
	for _, typed := range []string{"", other, code[:len(code)-1], code + "0"} {
		if factor.CheckRecoveryCode(hash, typed) {
			t.Errorf("%q is accepted for %q", typed, code)
		}
	}
}

func TestRelyingParty(t *testing.T) {
	for issuer, want := range map[string]string{
		"http://localhost:8081": "localhost", "https://ID.Example.com": "id.example.com", "http://127.0.0.1:8081": "",
		"http://[::1]:8081": "", "": "",
	} {
		got := ""
		if p := factor.NewRelyingParty(issuer, "x"); p != nil {
			got = p.ID()
		}
		if got != want {
			t.Errorf("RP ID of %q = %q, want %q", issuer, got, want)
		}
	}
	p := factor.NewRelyingParty("https://example.com", "x")
	got := p.Origins(store.Client{Callbacks: []string{
		"https://Forms.example.com/cb", "https://forms.example.com/other", "https://notexample.com/cb", "http://plain.example.com/cb",
		"https://example.com.evil.test/cb", "app://example.com/cb", "https://example.com:444/cb", "::",
	}})
	if want := []string{"https://example.com", "https://forms.example.com", "https://example.com:444"}; !slices.Equal(got, want) {
		t.Errorf("origins = %v, want %v", got, want)
	}
}

// register makes a passkey as an authenticator and a tenant do; change alters the answer.
func register(t *testing.T, change func(*factortest.Authenticator), spoil func(map[string]any)) (store.Method,
	*factortest.Authenticator, error,
) {
	t.Helper()
	p := factor.NewRelyingParty("http://localhost:8081", "x")
	options, state, err := p.BeginRegistration(factor.Person{ID: "ana", Email: "ana@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	a := factortest.New(t, "localhost", "http://localhost:8081", "ana")
	if change != nil {
		change(a)
	}
	r := a.Register(member(t, options, "challenge"))
	if spoil != nil {
		spoil(r)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.FinishRegistration(state, "ana", []string{"http://localhost:8081"}, b)
	return m, a, err
}

func member(t *testing.T, options any, name string) string {
	t.Helper()
	b, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	var o map[string]any
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	s, _ := o[name].(string)
	return s
}

func TestRegistration(t *testing.T) {
	m, a, err := register(t, func(a *factortest.Authenticator) {
		a.Counter, a.Flags = 5, a.Flags|factortest.BackupEligible|factortest.BackedUp
	}, nil)
	if err != nil || !bytes.Equal(m.Key, a.ID) || m.Count != 5 || m.Type != store.MethodPasskey || m.UserID != "ana" {
		t.Fatalf("method = %+v, %v", m, err)
	}
	if p, err := factor.ReadPasskey(m.Data); err != nil || !p.Synced || !p.BackedUp ||
		!slices.Equal(p.Transports, []string{"internal"}) || len(p.PublicKey) == 0 {
		t.Errorf("passkey = %+v, %v", p, err)
	}
	for at, want := range map[string]bool{
		"http://localhost:8081": true, "https://localhost": true,
		"http://login.localhost:8081": false, "http://127.0.0.1:8081": false,
	} {
		if got := factor.NewRelyingParty(at, "x").Takes(m.Data); got != want {
			t.Errorf("the passkey of localhost at %s: %v, want %v", at, got, want)
		}
	}
	if p := factor.NewRelyingParty("http://login.localhost:8081", "x"); !p.Takes([]byte(`{}`)) || p.Takes([]byte(`x`)) {
		t.Error("Takes must accept a passkey that does not say where it was made, and nothing else")
	}
	options, _, err := factor.NewRelyingParty("http://localhost:8081",
		"x").BeginRegistration(factor.Person{ID: "ana", Email: "ana@example.com", Passkeys: []store.Method{m}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		RP     struct{ ID string }
		User   struct{ ID, Name, DisplayName string }
		Params []struct{ Alg int } `json:"pubKeyCredParams"`
		Select struct {
			ResidentKey, UserVerification string
		} `json:"authenticatorSelection"`
		Exclude []struct{ ID string } `json:"excludeCredentials"`
		Timeout int
	}
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	if o.RP.ID != "localhost" || o.User.ID != "YW5h" || o.User.Name != "ana@example.com" ||
		o.User.DisplayName != "ana@example.com" || len(o.Params) != 3 ||
		o.Params[0].Alg != -8 || o.Params[1].Alg != -7 || o.Params[2].Alg != -257 || o.Select.ResidentKey != "required" ||
		o.Select.UserVerification != "required" || len(o.Exclude) != 1 || o.Timeout != 300000 {
		t.Errorf("options = %s", b)
	}
}

func TestRegistrationRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*factortest.Authenticator)
		spoil  func(map[string]any)
	}{
		"origin":               {change: func(a *factortest.Authenticator) { a.Origin = "http://localhost:9999" }},
		"framed":               {change: func(a *factortest.Authenticator) { a.CrossOrigin = true }},
		"rpId":                 {change: func(a *factortest.Authenticator) { a.RPID = "evil.test" }},
		"no user verification": {change: func(a *factortest.Authenticator) { a.Flags = factortest.UserPresent }},
		"no user presence":     {change: func(a *factortest.Authenticator) { a.Flags = factortest.UserVerified }},
		"another id":           {spoil: func(r map[string]any) { r["id"], r["rawId"] = "AAAA", "AAAA" }},
		"no answer":            {spoil: func(r map[string]any) { r["response"] = map[string]any{} }},
		"no object":            {spoil: func(r map[string]any) { r["response"] = 1 }},
	} {
		if _, _, err := register(t, tt.change, tt.spoil); !errors.Is(err, factor.ErrRefused) {
			t.Errorf("%s: error = %v, want ErrRefused", name, err)
		}
	}
	// An answer to another challenge.
	p := factor.NewRelyingParty("http://localhost:8081", "x")
	_, state, err := p.BeginRegistration(factor.Person{ID: "ana", Email: "a"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(factortest.New(t, "localhost", "http://localhost:8081", "ana").Register("AAAAAAAAAAAAAAAAAAAAAA"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.FinishRegistration(state, "ana", []string{"http://localhost:8081"}, b); !errors.Is(err, factor.ErrRefused) {
		t.Errorf("another challenge: error = %v, want ErrRefused", err)
	}
	if _, err := p.FinishRegistration(state, "bob", []string{"http://localhost:8081"}, b); !errors.Is(err, factor.ErrRefused) {
		t.Errorf("another person: error = %v, want ErrRefused", err)
	}
}

// Errors of the store are returned unchanged, so that our own failure does not look like a wrong passkey.
func TestAssertionStoreDown(t *testing.T) {
	p := factor.NewRelyingParty("http://localhost:8081", "x")
	options, state, err := p.BeginAssertion()
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(factortest.New(t, "localhost", "http://localhost:8081", "ana").Assert(member(t, options, "challenge")))
	if err != nil {
		t.Fatal(err)
	}
	down := errors.New("down")
	if _, err := p.FinishAssertion(state, []string{"http://localhost:8081"}, b,
		func([]byte) (store.Method, error) { return store.Method{}, down }); !errors.Is(err, down) {
		t.Errorf("error = %v, want the store's", err)
	}
}

func FuzzRegistration(f *testing.F) {
	p := factor.NewRelyingParty("http://localhost:8081", "x")
	options, state, err := p.BeginRegistration(factor.Person{ID: "ana", Email: "a"})
	if err != nil {
		f.Fatal(err)
	}
	b, err := json.Marshal(options)
	if err != nil {
		f.Fatal(err)
	}
	var o struct{ Challenge string }
	if err := json.Unmarshal(b, &o); err != nil {
		f.Fatal(err)
	}
	a := factortest.New(f, "localhost", "http://localhost:8081", "ana")
	good, err := json.Marshal(a.Register(o.Challenge))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"id":"AA","rawId":"AA","type":"public-key","response":{"attestationObject":"o2NmbXRkbm9uZQ","clientDataJSON":"e30"}}`))
	f.Fuzz(func(t *testing.T, response []byte) {
		m, err := p.FinishRegistration(state, "ana", []string{"http://localhost:8081"}, response)
		if err != nil && !errors.Is(err, factor.ErrRefused) {
			t.Errorf("error = %v, want ErrRefused or nil", err)
		}
		if err == nil && len(m.Key) == 0 {
			t.Error("a passkey without an id")
		}
	})
}
