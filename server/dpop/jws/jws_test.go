package jws_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/dpop/jws"
)

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

func compact(head, body string) string {
	return encode(head) + "." + encode(body) + "." + encode("sig")
}

func TestParse(t *testing.T) {
	good := compact(`{"alg":"RS256"}`, `{"a":[1,{"b":2}]}`)
	m, err := jws.Parse(good)
	if err != nil || m.Header.Text("alg") != "RS256" || len(m.Body.List("a")) != 2 {
		t.Errorf("%v, %v", m, err)
	}
	for name, text := range map[string]string{
		"empty":                    "",
		"one part":                 encode("{}"),
		"two parts":                encode("{}") + "." + encode("{}"),
		"four parts":               good + "." + encode("x"),
		"JWE":                      good + ".a.b",
		"no header":                "." + encode("{}") + ".AA",
		"no body":                  encode("{}") + "..AA",
		"padding":                  encode("{}") + "==." + encode("{}") + ".AA",
		"padding of the signature": good + "=",
		"another spelling":         encode("{}") + "." + encode("{}") + ".AB",
		"common base64":            encode("{}") + "." + encode("{}") + ".+/",
		"a line's end":             encode("{}") + "." + encode("{}") + ".A\nA",
		"a return":                 encode("{}") + "." + encode("{}") + ".A\rA",
		"a space":                  " " + good,
		"JSON form":                `{"protected":"e30","payload":"e30","signature":"AA"}`,
		"header is a list":         compact(`[]`, `{}`),
		"header is null":           compact(`null`, `{}`),
		"body is a list":           compact(`{}`, `[{}]`),
		"body is a text":           compact(`{}`, `"x"`),
		"two values":               compact(`{}`, `{}{}`),
		"a name twice in it":       compact(`{"alg":"RS256","alg":"none"}`, `{}`),
		"a name twice":             compact(`{}`, `{"aud":"a","aud":"b"}`),
		"a name twice, deep":       compact(`{}`, `{"a":{"b":1,"b":2}}`),
		"a name twice, escaped":    compact(`{}`, `{"aud":"a","\u0061ud":"b"}`),
		"bad characters":           compact(`{}`, "{\"a\":\"\xff\"}"),
		"byte order mark":          compact(`{}`, "\ufeff{}"),
		"crit":                     compact(`{"crit":["b64"]}`, `{}`),
		"empty crit":               compact(`{"crit":[]}`, `{}`),
		"crit null":                compact(`{"crit":null}`, `{}`),
		"b64":                      compact(`{"b64":false}`, `{}`),
		"deep":                     compact(`{}`, `{"a":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)+`}`),
	} {
		if _, err := jws.Parse(text); !errors.Is(err, jws.ErrForm) {
			t.Errorf("%s: %v, want ErrForm", name, err)
		}
	}
}

func TestSignatures(t *testing.T) {
	rk, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ek, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	byRSA := func(input string) []byte {
		sum := sha256.Sum256([]byte(input))
		sig, err := rsa.SignPKCS1v15(nil, rk, crypto.SHA256, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		return sig
	}
	byEC := func(input string) []byte {
		sum := sha256.Sum256([]byte(input))
		r, s, err := ecdsa.Sign(rand.Reader, ek, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		return append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	}
	der := func(input string) []byte {
		sum := sha256.Sum256([]byte(input))
		sig, err := ecdsa.SignASN1(rand.Reader, ek, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		return sig
	}
	for _, tt := range []struct {
		name, alg string
		sign      func(string) []byte
		rs, es    bool
	}{
		{"RS256", `"RS256"`, byRSA, true, false},
		{"ES256", `"ES256"`, byEC, false, true},
		{"RS256 that says ES256", `"ES256"`, byRSA, false, false},
		{"ES256 that says RS256", `"RS256"`, byEC, false, false},
		{"RS256 that says RS384", `"RS384"`, byRSA, false, false},
		{"RS256 in small letters", `"rs256"`, byRSA, false, false},
		{"RS256 that says none", `"none"`, byRSA, false, false},
		{"alg is a number", `256`, byRSA, false, false},
		{"no signature", `"RS256"`, func(string) []byte { return nil }, false, false},
		{"no signature of ES256", `"ES256"`, func(string) []byte { return nil }, false, false},
		{"zeros", `"ES256"`, func(string) []byte { return make([]byte, 64) }, false, false},
		{"ES256 as ASN.1", `"ES256"`, der, false, false},
		{"ES256 and more", `"ES256"`, func(s string) []byte { return append(byEC(s), 0) }, false, false},
		{"ES256 with a zero in between", `"ES256"`, func(s string) []byte { sig := byEC(s); return slices.Insert(sig, 32, 0) }, false, false},
		{"of another text", `"RS256"`, func(s string) []byte { return byRSA(s + "x") }, false, false},
	} {
		input := encode(`{"alg":`+tt.alg+`}`) + "." + encode(`{}`)
		m, err := jws.Parse(input + "." + base64.RawURLEncoding.EncodeToString(tt.sign(input)))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if m.RS256(&rk.PublicKey) != tt.rs || m.ES256(&ek.PublicKey) != tt.es || m.ES256(&other.PublicKey) {
			t.Errorf("%s: RS256 %v, ES256 %v, want %v and %v", tt.name, m.RS256(&rk.PublicKey), m.ES256(&ek.PublicKey), tt.rs, tt.es)
		}
	}
}

// FuzzParse checks that a parsed text is a compact JWS of two objects as a plain reader sees them.
func FuzzParse(f *testing.F) {
	f.Add(compact(`{"alg":"RS256"}`, `{"a":1}`))
	f.Add(compact(`{"alg":"RS256","alg":"x"}`, `{"a":1,"a":2}`) + "=")
	f.Add("..")
	f.Add(compact(`{}`, "{}\n") + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := jws.Parse(text)
		if err != nil {
			return
		}
		parts := strings.Split(text, ".")
		if len(parts) != 3 || strings.ContainsAny(text, "=\r\n ") {
			t.Fatalf("%q is taken", text)
		}
		for i, o := range []interface{ Len() int }{m.Header, m.Body} {
			raw, err := base64.RawURLEncoding.DecodeString(parts[i])
			var plain map[string]json.RawMessage
			if err != nil || json.Unmarshal(raw, &plain) != nil || len(plain) != o.Len() {
				t.Errorf("part %d of %q: %d members, encoding/json reads %d", i, text, o.Len(), len(plain))
			}
		}
	})
}
