// Package request reads authorization requests, from a browser or pushed by a client, and answers them. It examines the client and nothing
// of the person.
package request

import (
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/clientauth"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
)

// Request is a checked authorization request. OpenID Connect Core, section 3.1.2.1.
type Request struct {
	Query    string // the whole request, which is checked again when a page comes back
	Client   store.Client
	Redirect string
	Audience string // resolved
	Scope    []string
	Bound    Bound
	IDToken  bool // response_type id_token in place of code
	Prompt   Prompt
	MaxAge   time.Duration // of a sign-in; negative if any age will do
	Hint     string        // login_hint
	ACR      string        // the first of acr_values that we know; "" if none is asked for

	state    string
	formPost bool   // response_mode form_post: a page sends the answer, not an address
	pushed   string // secret of the request_uri of a pushed request
}

// Bound is what binds the answer to its request.
type Bound struct {
	Nonce     string
	Challenge string // PKCE; "" if a confidential client sent none
	Key       string // dpop_jkt: thumbprint of the DPoP key to which the code is bound; "" if it is not bound
}

// Prompt selects the pages that a client wants. OpenID Connect Core, section 3.1.2.1.
type Prompt struct {
	Login   bool // ask even a person who is signed in
	Consent bool // ask even a person who has agreed
	None    bool // never show a page
}

// Satisfied reports whether a sign-in is as strong as the request requires. The standard lets a server answer with less than acr_values. We
// do not, since a client that requires a second factor would have to check again.
func (q *Request) Satisfied(s store.SignIn) bool { return q.ACR == "" || oauth.Multi(s.AMR) }

// Met returns the claim acr of a sign-in for the request.
func (q *Request) Met(s store.SignIn) string {
	switch {
	case !oauth.Multi(s.AMR):
		return ""
	case q.ACR != "":
		return q.ACR
	}
	return oauth.ACRMulti
}

// Refusal is an authorization request that cannot be granted. If Req is set, the client learns the error by redirect. Otherwise the person
// does, since the redirect URI is not trusted.
type Refusal struct {
	Err *oauth.Error
	Req *Request
}

// Store holds clients and pushed requests.
type Store interface {
	store.Clients
	store.Requests
}

// Requests are the authorization requests at one address of the tenant. All fields are required. It is safe for
// concurrent use.
type Requests struct {
	Issuer  string
	Store   Store
	Policy  *policy.Policy
	Clients *clientauth.Authenticator
	Pushes  *ratelimit.Limiter // pushed requests of public clients, by client and network
	Pages   *pages.Pages
	Journal *journal.Journal
	Now     func() time.Time
}

// FromPage reads a form sent by one of our pages. The address holds the authorization request, which is checked again as if it were new,
// and the body holds the fields. If one of them is refused, FromPage answers and returns false.
func (rs *Requests) FromPage(w http.ResponseWriter, r *http.Request) (*Request, oauth.Params, bool) {
	q, f := rs.Parse(r.Context(), r.URL.RawQuery)
	if f != nil {
		rs.Refuse(w, r, f)
		return nil, nil, false
	}
	p, e := oauth.ReadPage(w, r)
	if e != nil {
		rs.Pages.Fail(w, e)
		return nil, nil, false
	}
	return q, p, true
}

// Reply sends the browser back to the client with values, state and the issuer: in the address, or through a page that posts them. RFC
// 9207, section 2.
func (rs *Requests) Reply(w http.ResponseWriter, r *http.Request, q *Request, values url.Values) {
	u, err := url.Parse(q.Redirect)
	if err != nil { // a registered address that does not parse: the client cannot be informed
		rs.Pages.Fail(w, oauth.InvalidRequest("the address to return to is not valid"))
		return
	}
	rs.answered(r.Context(), q)
	if q.state != "" {
		values.Set("state", q.state)
	}
	values.Set("iss", rs.Issuer)
	if q.formPost {
		rs.Pages.Render(w, http.StatusOK, pages.FormPost, pages.Page{
			Title: "Signing in", FormTo: pages.Origin(q.Redirect), Form: pages.Form{Action: q.Redirect},
			Notice: pages.Notice{Text: "You are on your way back to " + q.Client.Name + ".", Fields: values},
		})
		return
	}
	all := u.Query()
	maps.Copy(all, values)
	u.RawQuery = all.Encode()
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, u.String(), http.StatusSeeOther) // #nosec G710 -- check compared it with the registered ones
}

// Refuse answers a request that cannot be granted.
func (rs *Requests) Refuse(w http.ResponseWriter, r *http.Request, f *Refusal) {
	if f.Req == nil {
		rs.Pages.Fail(w, f.Err)
		return
	}
	rs.Reply(w, r, f.Req, url.Values{"error": {f.Err.Code}, "error_description": {f.Err.Description}})
}
