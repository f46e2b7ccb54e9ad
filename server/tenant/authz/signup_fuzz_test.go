package authz_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Whatever an authenticator answers to a registration, the server does not fail. A non-empty object replaces the attestation
// of a valid answer; otherwise response is the whole answer.
func FuzzSignUp(f *testing.F) {
	fx := signUpFixture(f)
	s, c, a := fx.register("eva@example.com")
	good := a.Register(c)
	inner, _ := good["response"].(map[string]any)
	text, _ := inner["attestationObject"].(string)
	object, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		f.Fatal(err)
	}
	kept, err := fx.store.UseAuthSession(f.Context(), tokens.Hash(s))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("", object)
	f.Add("", bytes.Replace(object, []byte("dnone"), []byte("fpacked"), 1))
	f.Add(`{"response":{"attestationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg","clientDataJSON":"e30"}}`, []byte(nil))
	f.Add(`{"id":"AA","rawId":"AA","type":"public-key","response":{"attestationObject":"","clientDataJSON":"","transports":[]}}`, []byte(nil))
	f.Add(`{"response":{"attestationObject":{}}}`, []byte(nil))
	f.Fuzz(func(t *testing.T, response string, object []byte) {
		if len(object) > 0 {
			inner["attestationObject"] = base64.RawURLEncoding.EncodeToString(object)
			b, err := json.Marshal(good)
			if err != nil {
				t.Fatal(err)
			}
			response = string(b)
		}
		w := fx.answerAs(t, kept, response)
		u, err := fx.store.UserByEmail(t.Context(), "eva@example.com")
		if made := err == nil; made != (w.Code == http.StatusOK) {
			t.Errorf("%d %s, and somebody is made: %v", w.Code, w.Body, made)
		} else if made {
			if err := fx.store.DeleteUser(t.Context(), u.ID); err != nil {
				t.Fatal(err)
			}
		}
	})
}
