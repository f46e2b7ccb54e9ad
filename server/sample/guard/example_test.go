package guard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/sample/guard"
)

// exampleConfig is shared by the examples. In your own API omit Transport and Now: here they provide a tenant that answers in this process,
// at a fixed time.
func exampleConfig() guard.Config {
	f := newTenant()
	return guard.Config{Domain: domain, Audience: audience, PublicURL: "https://api.example", Transport: f.tenant, Now: f.clock}
}

// exampleCall calls a handler and prints its answer.
func exampleCall(h http.Handler, path string, headers ...string) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String())) //nolint:forbidigo // the output of an example
}

// A handler that only valid access tokens of the tenant reach.
func Example() {
	g, err := guard.New(exampleConfig())
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("GET /orders", g.Require(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, "three orders")
	})))

	token := newTenant().bearer(nil)
	exampleCall(mux, "/orders")
	exampleCall(mux, "/orders", "Authorization", "Bearer "+token)
	exampleCall(mux, "/orders", "Authorization", "Bearer "+token+"x")
	// Output:
	// 401 {"message":"An access token is required."}
	// 200 three orders
	// 401 {"error":"invalid_token","message":"The access token is not accepted: it is not a JWS in compact form."}
}

// The principal of a request.
func ExampleFromContext() {
	g, err := guard.New(exampleConfig())
	if err != nil {
		fmt.Println(err)
		return
	}
	h := g.Require(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := guard.FromContext(r.Context())
		_, _ = fmt.Fprintln(w, p.Name, p.Email, p.Authorities)
	}))

	exampleCall(h, "/me", "Authorization", "Bearer "+newTenant().bearer(nil))
	// Output: 200 ana ana@example.com [SCOPE_read:users SCOPE_openid]
}

// A handler that requires a scope: any one of those named.
func ExampleGuard_Require() {
	g, err := guard.New(exampleConfig())
	if err != nil {
		fmt.Println(err)
		return
	}
	h := g.Require(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, "all users")
	}), "SCOPE_read:users", "SCOPE_write:users")

	at := newTenant()
	exampleCall(h, "/users", "Authorization", "Bearer "+at.bearer(object{"scope": "openid read:users"}))
	exampleCall(h, "/users", "Authorization", "Bearer "+at.bearer(object{"scope": "openid"}))
	// Output:
	// 200 all users
	// 403 {"error":"insufficient_scope","message":"The access token must carry read:users or write:users."}
}

// An API that accepts tokens only with a proof of the key to which they are bound. For replicas, set Seen to a memory that they share, such
// as dpop.Shared over a database.
func ExampleNew_required() {
	c := exampleConfig()
	c.Mode = guard.Required
	c.Seen = &dpop.Memory{}
	g, err := guard.New(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	h := g.Require(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, "paid")
	}))

	at := newTenant()
	token := at.bound(nil)
	proof := at.proof(token, "/pay", nil, nil)
	exampleCall(h, "/pay", "Authorization", "Bearer "+at.bearer(nil))
	exampleCall(h, "/pay", "Authorization", "DPoP "+token, "DPoP", proof)
	exampleCall(h, "/pay", "Authorization", "DPoP "+token, "DPoP", proof) // again
	// Output:
	// 401 {"message":"An access token is required."}
	// 200 paid
	// 401 {"error":"invalid_dpop_proof","message":"The proof is not accepted: jti was used before."}
}
