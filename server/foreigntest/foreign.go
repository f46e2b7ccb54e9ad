// Package foreigntest is a foreign tenant for tests: an authorization server and a management API for forms. It shares no code with the
// embedded tenant and differs from it on purpose. Its Traits are what real tenants do differently.
package foreigntest

import (
	"crypto/rand"
	"encoding/base64"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys/keystest"
)

// Traits are the differences from the embedded tenant. The zero value is a plain tenant: no ETags, opaque access tokens, and people who
// hold the scopes of forms.
type Traits struct {
	// ETags makes the API send ETags and honor If-Match.
	ETags bool
	// Extra adds properties to what it stores: visible to each component, and social_connections and links to the form.
	Extra bool
	// Drops removes the property hint of components, and shortens names and aliases to 20 characters.
	Drops bool
	// Strict refuses patches of nodes without start and ending, and unknown nodes, with errors in the style of a validation library.
	Strict bool
	// TextDelete answers DELETE with 200 and the text OK.
	TextDelete bool
	// NoScope leaves scope out of token answers, although people get no more than they hold.
	NoScope bool
	// PeopleAreStrangers gives people's tokens read:current_user only, so that only a service client can work.
	PeopleAreStrangers bool
	// KnownScopes refuses sign-ins that request other scopes than those of OpenID Connect, forms and flows.
	KnownScopes bool
	// NoRefresh issues no refresh tokens, and access tokens that live for TokenLife.
	NoRefresh bool
	// TokenLife is the life of access tokens; 0 means an hour.
	TokenLife time.Duration
	// PerSecond limits the requests of the API; 0 means no limit. Quiet leaves the headers out of the 429.
	PerSecond int
	Quiet     bool
	// OddIDs gives forms ids such as "form|65f1.2".
	OddIDs bool
	// List is the shape of lists: "" for an array, "totals", or "whole" for an array of whole forms.
	List string
	// IgnoresPages answers every page of a list with the first.
	IgnoresPages bool
	// LosesAnswers cuts the connection after every third PATCH that it has carried out, and before every fifth.
	LosesAnswers bool
	// ThinIDTokens leaves the e-mail address to the UserInfo endpoint.
	ThinIDTokens bool
	// Excess grants the service client more scopes than it asks for.
	Excess []string
	// NoFlows grants nobody read:flows.
	NoFlows bool
	// Vague refuses codes without an error code of OAuth.
	Vague bool
	// OffersDPoP binds tokens to the key of a request that proves one, with nonces (RFC 9449). DPoP does so too, and refuses requests that
	// prove none; refresh tokens are bound then.
	OffersDPoP, DPoP bool
}

// Person is somebody who can sign in. The sign-in page has a button for each.
type Person struct {
	Subject, Email string
	Verified       bool
	Claims         map[string]any // further claims of the ID token
}

// The clients of a tenant. Each has the secret Secret.
const (
	SignInClient  = "sign-in"
	ServiceClient = "service"
	Secret        = "s3cret-of-a-client"
)

// setup is what the parts of a tenant share.
type setup struct {
	URL    string // without a trailing slash; the issuer has one
	Traits Traits
}

// Tenant is a running tenant. Its API has the methods with which tests read and change its forms.
type Tenant struct {
	*setup
	*api

	mu    sync.Mutex
	heads map[string]bool // names of the headers of all requests
}

// Call is a request that the API answered.
type Call struct {
	Method, Path, IfMatch string
	Scheme, Token         string // of the header Authorization
	Status                int
}

// Start starts a tenant that ends with the test. It lets the given people in, or Ana if there are none.
func Start(tb testing.TB, traits Traits, people ...Person) *Tenant {
	tb.Helper()
	if len(people) == 0 {
		people = []Person{{Subject: "auth0|ana", Email: "ana@team.example", Verified: true}}
	}
	shared := &setup{Traits: traits}
	auth := newAuthServer(shared, keystest.RSA(tb), people)
	t := &Tenant{setup: shared, heads: map[string]bool{}, api: &api{
		setup: shared, auth: auth,
		flows: []map[string]any{{"id": "af_welcome", "name": "Welcome mail"}, {"id": "af_verify", "name": "Verify"}},
	}}
	mux := http.NewServeMux()
	auth.register(mux)
	t.register(mux)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.note(r.Header)
		mux.ServeHTTP(w, r)
	}))
	tb.Cleanup(server.Close)
	shared.URL = server.URL
	return t
}

// Issuer is the issuer, with the slash that many tenants have.
func (s *setup) Issuer() string { return s.URL + "/" }

// Audience is the audience of the management API.
func (s *setup) Audience() string { return s.URL + "/api/v2/" }

// Options are the options with which formgraph serve uses the tenant; service selects the service client.
func (t *Tenant) Options(service bool) []string {
	o := []string{
		"--issuer", t.Issuer(), "--client-id", SignInClient, "--client-secret", Secret, "--audience", t.Audience(),
		"--management-url", t.URL + "/api/v2",
	}
	if service {
		o = append(o, "--management-auth", "client", "--management-client-id", ServiceClient, "--management-client-secret", Secret)
	}
	return o
}

func (t *Tenant) note(h http.Header) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name := range h {
		t.heads[name] = true
	}
}

// Headers returns the sorted names of the headers of all requests to the tenant.
func (t *Tenant) Headers() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.heads))
}

func random() string {
	raw := make([]byte, 18)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}
