// Package sample is the protected sample API: a pattern for a team's own APIs that accept the tenant's tokens. It has no state and no
// sessions, calls only the tenant for its keys, and lets package guard decide which requests pass.
package sample

import (
	"encoding/json"
	"net/http"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/sample/guard"
)

// New returns the API. Other paths need no token, and their answer says so.
func New(g *guard.Guard) http.Handler {
	open := func(message string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w, map[string]string{"message": message}) })
	}
	// Routes are matched by the path as it was sent, whatever the method: http.ServeMux would redirect "//", and with routes for one method
	// the public route would serve the other methods.
	routes := map[string]http.Handler{
		// The credentials are ignored: the path is public whatever the token is.
		"/api/public":  open("Hello from a public endpoint! No token is needed here."),
		"/api/private": g.Require(http.HandlerFunc(private)),
		"/api/profile": g.Require(http.HandlerFunc(profile)),
		"/api/admin":   g.Require(http.HandlerFunc(private), "SCOPE_admin"),
		"/api/users":   g.Require(http.HandlerFunc(private), "SCOPE_read:users", "SCOPE_write:users"),
		"/healthz": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = w.Write([]byte("ok\n")) // fails only if the client has gone
		}),
	}
	other := open("Nothing is protected at this path.")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.EscapedPath()
		if h := routes[path]; h != nil {
			httpx.SetRoute(r, path)
			h.ServeHTTP(w, r)
			return
		}
		other.ServeHTTP(w, r)
	})
}

// private answers with the caller's name and scopes.
func private(w http.ResponseWriter, r *http.Request) {
	p := guard.FromContext(r.Context())
	answer(w, struct {
		Message string   `json:"message"`
		User    string   `json:"user"`
		Scopes  []string `json:"scopes"`
	}{"Hello from a private endpoint! Your access token is good.", p.Name, append([]string{}, p.Authorities...)})
}

// profile answers with the token's claims about its subject.
func profile(w http.ResponseWriter, r *http.Request) {
	p := guard.FromContext(r.Context())
	answer(w, struct {
		UserID   string   `json:"userId"`
		Email    *string  `json:"email"` // null if the token has none
		Scope    string   `json:"scope"`
		Issuer   string   `json:"issuer"`
		Audience []string `json:"audience"`
	}{p.Name, named(p.Email), p.Scope, p.Issuer, p.Audience})
}

func named(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// answer writes a value. It never sends a CORS header: pages of other sites can read nothing here.
func answer(w http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic("sample: " + err.Error()) // only for a wrong value in the program
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(append(text, '\n')) // fails only if the client has gone
}
