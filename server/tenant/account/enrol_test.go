package account_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/account"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

func authenticator(f *fixture) *factortest.Authenticator {
	f.t.Helper()
	return factortest.New(f.t, "localhost", "http://localhost:8080", "ana") // asked on the editor's page
}

func challengeOf(a answer) string {
	o, _ := a.json()["authn_params_public_key"].(map[string]any)
	c, _ := o["challenge"].(string)
	return c
}

// passkey enrols one for Ana and returns its id.
func (f *fixture) passkey() string {
	f.t.Helper()
	a := f.begin(f.token(), "passkey")
	got := f.verify(f.token(), "passkey", object{
		"auth_session":   a.text("auth_session"),
		"authn_response": authenticator(f).Register(challengeOf(a)),
	})
	if got.StatusCode != http.StatusCreated {
		f.t.Fatalf("verify passkey: %d %s", got.StatusCode, got.body)
	}
	return got.text("id")
}

// code is what an app shows for a secret at the fixture's time.
func (f *fixture) code(text string) string {
	f.t.Helper()
	return factortest.Code(f.t, text, f.clock())
}

func TestEnrolPasskey(t *testing.T) {
	f := newFixture(t)
	a := f.begin(f.token(), "passkey")
	if a.text("id") != "passkey|new" || a.Header.Get("Location") != issuer+"/me/v1/authentication-methods/passkey%7Cnew" {
		t.Errorf("enrol: %s, Location %q", a.body, a.Header.Get("Location"))
	}
	auth := authenticator(f)
	got := f.verify(f.token(), "passkey", object{"auth_session": a.text("auth_session"), "authn_response": auth.Register(challengeOf(a))})
	if got.StatusCode != http.StatusCreated || !strings.HasPrefix(got.text("id"), "passkey|") || got.text("relying_party_id") != "localhost" ||
		got.text("credential_device_type") != "single_device" || got.text("key_id") == "" || got.text("public_key") == "" ||
		got.json()["confirmed"] != true {
		t.Fatalf("verify: %d %s", got.StatusCode, got.body)
	}
	one := f.do(f.token(), http.MethodGet, methodsPath+"/"+strings.ReplaceAll(got.text("id"), "|", "%7C"), nil)
	if one.StatusCode != http.StatusOK || one.body != got.body {
		t.Errorf("get: %d %s, want what verify answered", one.StatusCode, one.body)
	}
	m, err := f.store.MethodByKey(t.Context(), auth.ID)
	if err != nil || m.UserID != "ana" || m.ID != got.text("id") {
		t.Errorf("kept = %+v, %v", m, err)
	}
	// The same authenticator again, for another person.
	a = f.begin(f.token(as("bob")), "passkey")
	f.verify(f.token(as("bob")), "passkey", object{"auth_session": a.text("auth_session"), "authn_response": auth.Register(challengeOf(a))}).
		want(t, "taken credential", http.StatusConflict, "conflict")
}

// A session of an enrolment counts once, for its person and in time, and so does the answer to it.
func TestEnrolFaults(t *testing.T) {
	f := newFixture(t)
	for name, try := range map[string]func(session, challenge string) answer{
		"25 another client": func(s, c string) answer {
			return f.verify(f.token(by("other")), "passkey", object{"auth_session": s, "authn_response": authenticator(f).Register(c)})
		},
		"25 another person": func(s, c string) answer {
			return f.verify(f.token(as("bob")), "passkey", object{"auth_session": s, "authn_response": authenticator(f).Register(c)})
		},
		"25 five minutes": func(s, c string) answer {
			f.wait(5 * time.Minute)
			return f.verify(f.token(), "passkey", object{"auth_session": s, "authn_response": authenticator(f).Register(c)})
		},
		"25 another type": func(s, _ string) answer { return f.verify(f.token(), "recovery-code", object{"auth_session": s}) },
		"25 unknown":      func(_, _ string) answer { return f.verify(f.token(), "recovery-code", object{"auth_session": "x"}) },
		"25 replay": func(s, c string) answer {
			r := authenticator(f).Register(c)
			f.verify(f.token(), "passkey", object{"auth_session": s, "authn_response": r})
			return f.verify(f.token(), "passkey", object{"auth_session": s, "authn_response": r})
		},
		"25 replay after a fault": func(s, c string) answer {
			f.verify(f.token(), "passkey", object{"auth_session": s, "authn_response": object{}})
			return f.verify(f.token(), "passkey", object{"auth_session": s, "authn_response": authenticator(f).Register(c)})
		},
		"26 origin": func(s, c string) answer {
			a := authenticator(f)
			a.Origin = "http://localhost:9999"
			return f.verify(f.token(), "passkey", object{"auth_session": s, "authn_response": a.Register(c)})
		},
		"26 no user verification": func(s, c string) answer {
			a := authenticator(f)
			a.Flags = factortest.UserPresent
			return f.verify(f.token(), "passkey", object{"auth_session": s, "authn_response": a.Register(c)})
		},
		"26 challenge": func(s, _ string) answer {
			return f.verify(f.token(), "passkey", object{"auth_session": s, "authn_response": authenticator(f).Register("AAAA")})
		},
	} {
		f.wait(15 * time.Minute) // what was mistyped is forgotten
		before := f.list()
		a := f.begin(f.token(), "passkey")
		got := try(a.text("auth_session"), challengeOf(a))
		got.want(t, name, http.StatusForbidden, "verification_failed")
		if after := f.list(); !slices.Equal(before, after) && name != "25 replay" {
			t.Errorf("%s: methods %v, want %v", name, after, before)
		}
	}
}

// A session is for the person who began it, at the address where it began: here nothing else would stand in the way.
func TestEnrolSessionIsBound(t *testing.T) {
	f := newFixture(t)
	session := f.begin(f.token(), "recovery-code").text("auth_session")
	f.verify(f.token(by("other")), "recovery-code", object{"auth_session": session}).want(t, "used up by another client", http.StatusForbidden,
		"verification_failed")
	f.verify(f.token(), "recovery-code", object{"auth_session": session}).want(t, "after that", http.StatusForbidden, "verification_failed")
	session = f.begin(f.token(), "recovery-code").text("auth_session")
	f.verify(f.token(as("bob")), "recovery-code", object{"auth_session": session}).want(t, "another person", http.StatusForbidden,
		"verification_failed")
	session = f.begin(f.token(), "recovery-code").text("auth_session")
	f.wait(5*time.Minute - time.Second)
	f.verify(f.token(), "recovery-code", object{"auth_session": session}).want(t, "in time", http.StatusCreated, "")
}

func TestEnrolTOTP(t *testing.T) {
	f := newFixture(t)
	a := f.begin(f.token(), "totp")
	secret, session := a.text("manual_input_code"), a.text("auth_session")
	if !strings.HasPrefix(a.text("barcode_uri"), "otpauth://totp/Formgraph:ana@example.com?") ||
		!strings.Contains(a.text("barcode_uri"), secret) {
		t.Errorf("barcode = %s", a.text("barcode_uri"))
	}
	code := f.code(secret)
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	bad := f.verify(f.token(), "totp", object{"auth_session": session, "otp_code": wrong})
	bad.want(t, "wrong code", http.StatusBadRequest, "invalid_body")
	if !strings.Contains(bad.body, `"pointer":"/otp_code"`) {
		t.Errorf("wrong code: %s, want its pointer", bad.body)
	}
	got := f.verify(f.token(), "totp", object{"auth_session": session, "otp_code": code})
	got.want(t, "right code after a wrong one", http.StatusCreated, "")
	f.verify(f.token(), "totp", object{"auth_session": session, "otp_code": code}).want(t, "replay", http.StatusForbidden,
		"verification_failed")

	set, err := signingSet()
	if err != nil {
		t.Fatal(err)
	}
	ms, err := f.store.Methods(t.Context(), "ana")
	if err != nil || len(ms) != 1 || ms[0].Type != store.MethodTOTP {
		t.Fatalf("kept = %+v, %v", ms, err)
	}
	if strings.Contains(string(ms[0].Data), secret) {
		t.Error("the secret is kept in clear")
	}
	if _, ok, err := factor.CheckMethod(set.Master, ms[0], code, f.clock()); ok || err != nil {
		t.Errorf("the code of the enrolment signs in: %v, %v", ok, err)
	}
	f.wait(time.Minute)
	if _, ok, err := factor.CheckMethod(set.Master, ms[0], f.code(secret), f.clock()); !ok || err != nil {
		t.Errorf("a later code does not: %v, %v", ok, err)
	}
	// What was typed wrong counts, whichever session it was for.
	for range 5 {
		f.verify(f.token(), "totp", object{"auth_session": f.begin(f.token(), "totp").text("auth_session"), "otp_code": "x"})
	}
	f.verify(f.token(), "totp", object{"auth_session": "x", "otp_code": "x"}).want(t, "guessing", http.StatusTooManyRequests,
		"too_many_requests")
	if strings.Contains(f.log.String(), secret) || strings.Contains(f.log.String(), session) {
		t.Error("the log holds a secret")
	}
}

func TestEnrolRecoveryCode(t *testing.T) {
	f := newFixture(t)
	a := f.begin(f.token(), "recovery-code")
	code := a.text("recovery_code")
	if ids := f.list(); !slices.Equal(ids, []string{"password|own"}) {
		t.Errorf("methods before verify = %v", ids)
	}
	f.verify(f.token(), "recovery-code", object{"auth_session": a.text("auth_session")}).want(t, "verify", http.StatusCreated, "")
	ms, err := f.store.Methods(t.Context(), "ana")
	if err != nil || len(ms) != 1 || !factor.CheckRecoveryCode(ms[0].Data, code) || strings.Contains(string(ms[0].Data), code) {
		t.Errorf("kept = %+v, %v, want the hash of the code", ms, err)
	}
	f.do(f.token(), http.MethodPost, methodsPath, object{"type": "recovery-code"}).want(t, "second", http.StatusConflict, "conflict")
	if strings.Contains(f.log.String(), code) {
		t.Error("the log holds the code")
	}
}

func TestEnrolPassword(t *testing.T) {
	f := newFixture(t)
	bob := f.token(as("bob"))
	a := f.begin(bob, "password")
	for _, short := range []string{"", "1234567", strings.Repeat("x", 1025), strings.Repeat("ä", 600)} {
		f.verify(bob, "password", object{"auth_session": a.text("auth_session"), "new_password": short}).want(t, "password "+short,
			http.StatusBadRequest, "invalid_body")
	}
	f.verify(bob, "password", object{"auth_session": a.text("auth_session"), "new_password": "a new password"}).want(t, "verify",
		http.StatusCreated, "")
	f.verify(bob, "password", object{"auth_session": a.text("auth_session"), "new_password": "another password"}).want(t, "replay",
		http.StatusForbidden, "verification_failed")
	for id, want := range map[string]string{"bob": "hash of a new password", "ana": "$old"} {
		if u, err := f.store.User(t.Context(), id); err != nil || u.PasswordHash != want || u.Name == "" && id == "ana" {
			t.Errorf("user %s = %+v, %v, want the hash %q", id, u, err, want)
		}
	}
	// A password that is there is changed in the same way, and a right answer does not count as a guess.
	for range 7 {
		f.wait(time.Second)
		a = f.begin(f.token(), "password")
		f.verify(f.token(), "password", object{"auth_session": a.text("auth_session"), "new_password": "changed password"}).want(t, "change",
			http.StatusCreated, "")
	}
	if u, err := f.store.User(t.Context(), "ana"); err != nil || u.PasswordHash != "hash of changed password" {
		t.Errorf("user = %+v, %v", u, err)
	}
}

// The sign-in must be fresh to enrol and to delete, and for nothing else. RFC 9470.
func TestStepUp(t *testing.T) {
	f := newFixture(t)
	id := strings.ReplaceAll(f.passkey(), "|", "%7C")
	for name, old := range map[string]func(*tokens.Access){
		"old":  func(a *tokens.Access) { a.AuthTime = f.clock().Add(-account.Fresh - time.Second) },
		"none": func(a *tokens.Access) { a.AuthTime = time.Time{} },
	} {
		token := f.token(old)
		for _, a := range []answer{
			f.do(token, http.MethodPost, methodsPath, object{"type": "totp"}), f.do(token, http.MethodDelete, methodsPath+"/"+id, nil),
		} {
			a.want(t, name, http.StatusUnauthorized, "insufficient_user_authentication")
			if got := a.Header.Get("WWW-Authenticate"); !strings.Contains(got, `error="insufficient_user_authentication"`) ||
				!strings.Contains(got, `max_age="300"`) {
				t.Errorf("challenge = %s", got)
			}
		}
		f.do(token, http.MethodPatch, methodsPath+"/"+id, object{"name": "x"}).want(t, "rename", http.StatusOK, "")
		f.do(token, http.MethodDelete, "/sessions", nil).want(t, "sign out everywhere", http.StatusNoContent, "")
	}
	f.begin(f.token(func(a *tokens.Access) { a.AuthTime = f.clock().Add(-account.Fresh) }), "totp")
}

// Of many that verify one session at once, one gets a method.
func TestEnrolRace(t *testing.T) {
	for _, kind := range []string{"recovery-code", "password"} {
		t.Run(kind, func(t *testing.T) {
			f := newFixture(t)
			body := object{"auth_session": f.begin(f.token(), kind).text("auth_session")}
			if kind == "password" {
				body["new_password"] = "a new password"
			}
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			token := f.token()
			var codes [5]int // more would be too many wrong ones
			var wg sync.WaitGroup
			for i := range codes {
				wg.Go(func() {
					r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, account.Prefix+methodsPath+"/"+kind+"%7Cnew/verify",
						strings.NewReader(string(text)))
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set("Authorization", "Bearer "+token)
					w := httptest.NewRecorder()
					f.ServeHTTP(w, r)
					codes[i] = w.Code
				})
			}
			wg.Wait()
			slices.Sort(codes[:])
			if codes[0] != http.StatusCreated || codes[1] != http.StatusForbidden || codes[4] != http.StatusForbidden {
				t.Errorf("statuses = %v, want one 201 and the others 403", codes)
			}
		})
	}
}

func FuzzBodies(f *testing.F) {
	fx := newFixture(f)
	f.Add(0, `{"type":"totp"}`)
	f.Add(1, `{"auth_session":"x","otp_code":"1"}`)
	f.Add(2, `{"auth_session":"x","authn_response":{"id":"AA","rawId":"AA","type":"public-key","response":{}}}`)
	f.Add(3, `{"auth_session":"x","new_password":"12345678"}`)
	f.Add(4, `{"name":"\u0000"}`)
	f.Add(5, `{"name":null,"name":1}`)
	id := strings.ReplaceAll(fx.passkey(), "|", "%7C")
	f.Fuzz(func(t *testing.T, route int, body string) {
		method, path := http.MethodPost, methodsPath
		switch route % 6 {
		case 1:
			path += "/totp%7Cnew/verify"
		case 2:
			path += "/passkey%7Cnew/verify"
		case 3:
			path += "/password%7Cnew/verify"
		case 4:
			method, path = http.MethodPatch, path+"/"+id
		case 5:
			path += "/recovery-code%7Cnew/verify"
		}
		fx.wait(20 * time.Minute)
		r := httptest.NewRequestWithContext(t.Context(), method, account.Prefix+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		token, _, err := fx.tokens.IssueAccess(tokens.Access{
			Subject: "ana", ClientID: "editor", Audience: access.SelfServiceAudience(issuer), Scope: access.SelfServiceScopes(),
			AuthTime: fx.clock(),
		})
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		fx.ServeHTTP(w, r)
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s %q = %d %s", method, path, body, w.Code, w.Body)
		}
		if w.Code == http.StatusCreated {
			t.Errorf("%s: a method came of %q", path, body)
		}
	})
}
