package authz_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// safe checks what must hold for every answer: the server does not fail, and does not redirect to an unregistered address.
func safe(t *testing.T, a *http.Response) {
	t.Helper()
	if a.StatusCode >= 500 {
		t.Errorf("answer is %d", a.StatusCode)
	}
	if to := a.Header.Get("Location"); to != "" && !strings.HasPrefix(to, callback+"?") {
		t.Errorf("redirect to %q", to)
	}
}

func FuzzAuthorize(f *testing.F) {
	fx := newFixture(f)
	f.Add(query())
	f.Add(query("client_id", "spa", "prompt", "none"))
	f.Add(query("redirect_uri", callback+"?x=1", "max_age", "0"))
	f.Add("client_id=web&redirect_uri=" + callback + "&state=%00%0d%0a&response_type=code")
	f.Add(query("response_mode", "form_post", "resource", api))
	f.Add("a=1&a=2;%zz&=&&")
	f.Fuzz(func(t *testing.T, q string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/authorize", nil)
		r.URL.RawQuery = q
		w := httptest.NewRecorder()
		fx.ServeHTTP(w, r)
		safe(t, w.Result())
		form := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/authorize", strings.NewReader(q))
		form.Header.Set("Content-Type", formType)
		w = httptest.NewRecorder()
		fx.ServeHTTP(w, form)
		safe(t, w.Result())
		post := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/authorize/password",
			strings.NewReader("token=x&email=a&password=b"))
		post.Header.Set("Content-Type", formType)
		post.URL.RawQuery = q
		w = httptest.NewRecorder()
		fx.ServeHTTP(w, post)
		safe(t, w.Result())
	})
}

func FuzzToken(f *testing.F) {
	fx := newFixture(f)
	f.Add("application/json", `{"grant_type":"client_credentials","client_id":"robot","client_secret":"robot-secret","audience":"/api/v2/"}`)
	f.Add("application/json", `{"grant_type":"refresh_token","client_id":"spa","refresh_token":"x","scope":"a b"}`)
	f.Add("application/json", `{"grant_type":["x"],"a":{},"a":1e999}`)
	f.Add(formType, "grant_type=authorization_code&client_id=spa&code=x&code_verifier=y&redirect_uri=z")
	f.Add(formType+"; charset=utf-16", "grant_type=%ff&%zz")
	f.Fuzz(func(t *testing.T, kind, body string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/oauth/token", strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		fx.wait(time.Second)
		fx.ServeHTTP(w, r)
		safe(t, w.Result())
		if w.Code == http.StatusOK && !strings.Contains(body, "robot-secret") && !strings.Contains(body, "robot") {
			t.Errorf("tokens for %q", body)
		}
	})
}

// Pushed requests with any proof.
func FuzzPush(f *testing.F) {
	fx := newFlows(f)
	p := fx.prover()
	f.Add(formType, query("client_id", "spa"), "")
	f.Add(formType, query()+"&client_secret=web-secret", p.proof("POST", "/oauth/par"))
	f.Add("application/json", `{"client_id":"spa","response_type":"code",`+
		`"redirect_uri":"`+callback+`","offline_access":true,"dpop_jkt":"x"}`, "a.b.c")
	f.Add(formType, "client_id=spa&request_uri=urn:ietf:params:oauth:request_uri:x&prompt=none+consent", "..")
	f.Fuzz(func(t *testing.T, kind, body, proof string) {
		for _, path := range []string{"/oauth/par", "/oauth/token"} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
			r.Header.Set("Content-Type", kind)
			if proof != "" {
				r.Header["Dpop"] = []string{proof}
			}
			w := httptest.NewRecorder()
			fx.wait(time.Second)
			fx.ServeHTTP(w, r)
			safe(t, w.Result())
			if w.Code != http.StatusCreated {
				continue
			}
			// The request can be opened, and leads to a page or back to the application.
			uri := answer{body: w.Body.String()}.text("request_uri")
			for _, id := range []string{"spa", "web"} {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/authorize", nil)
				r.URL.RawQuery = "client_id=" + id + "&request_uri=" + uri
				w := httptest.NewRecorder()
				fx.ServeHTTP(w, r)
				safe(t, w.Result())
			}
		}
	})
}
