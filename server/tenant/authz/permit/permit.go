// Package permit lets applications act for people. It has the authorization endpoint, the person's consent, and the codes and ID tokens
// that are sent to the application.
package permit

import (
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/authz/token"
)

// Store holds authorizations and consents, and the names that the consent page shows.
type Store interface {
	store.Users
	store.APIs
	store.Grants
	store.Consents
}

// Handler serves the authorization endpoint at one address of the tenant. All fields are required. It is safe for
// concurrent use.
type Handler struct {
	Store    Store
	Requests *request.Requests
	SignIn   *signin.Pages
	Browsers *browser.Browsers
	Policy   *policy.Policy
	IDs      *token.IDTokens
	Pages    *pages.Pages
	Sweeper  *Sweeper
	Journal  *journal.Journal
	Now      func() time.Time
}

// ServeHTTP is GET and POST /authorize: a signed-in person goes straight back to the application with a code, and anybody else sees the
// sign-in page. OpenID Connect Core, section 3.1.2.1.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.RawQuery
	if r.Method == http.MethodPost {
		var e *oauth.Error
		if query, e = postedQuery(w, r); e != nil {
			h.Pages.Fail(w, e)
			return
		}
		// A browser sends no cookies with a form from another site, but does with the request after a redirect.
		if r.Header.Get("Sec-Fetch-Site") == "cross-site" && len(query) <= request.MaxQuery {
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, r, "/authorize?"+query, http.StatusSeeOther) // #nosec G710 -- to our own path
			return
		}
	}
	f := h.Requests.Open(r.Context(), query)
	var q *request.Request
	if f == nil {
		q, f = h.Requests.Parse(r.Context(), query)
	}
	if f != nil {
		h.Requests.Refuse(w, r, f)
		return
	}
	s, ok, err := h.Browsers.Current(r)
	if err != nil {
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "read sign-in", err))
		return
	}
	if ok && !q.Prompt.Login && (q.MaxAge < 0 || h.Now().Sub(s.AuthTime) <= q.MaxAge) {
		if !q.Satisfied(s) {
			h.SignIn.StepUp(w, r, q, s)
			return
		}
		h.complete(w, r, q, s)
		return
	}
	if q.Prompt.None {
		h.Requests.Refuse(w, r, &request.Refusal{Err: oauth.LoginRequired("nobody is signed in"), Req: q})
		return
	}
	h.SignIn.Show(w, r, q, q.Hint, http.StatusOK, "")
}

// postedQuery returns the parameters of an authorization request that was sent as a form, as a query.
func postedQuery(w http.ResponseWriter, r *http.Request) (string, *oauth.Error) {
	if r.URL.RawQuery != "" {
		return "", oauth.InvalidRequest("the parameters of a form belong in its body")
	}
	p, e := oauth.ReadPage(w, r)
	if e != nil {
		return "", e
	}
	return p.Encode(), nil
}

// Texts for a sign-in that ended while a request was answered with it: for the application, and on the sign-in page.
const (
	errSignedOut  = "the person was signed out, or a factor of the sign-in was removed"
	textSignedOut = "You were signed out. Sign in again to continue."
)

// After serves a form of one of the sign-in pages, and continues with the request if the form results in a sign-in.
func (h *Handler) After(do signin.Step) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q, p, ok := h.Requests.FromPage(w, r)
		if !ok {
			return
		}
		if s := do(w, r, q, p); s != nil {
			h.complete(w, r, q, *s)
		}
	}
}

// complete sends the browser back with a code for the signed-in person, or asks for consent first.
func (h *Handler) complete(w http.ResponseWriter, r *http.Request, q *request.Request, s store.SignIn) {
	ask := false
	scope, e := h.Policy.Granted(r.Context(), q.Client, s.UserID, q.Audience, q.Scope)
	if e == nil {
		ask, e = h.mustAsk(r.Context(), q, s.UserID, scope)
	}
	if e == nil && ask && q.Prompt.None {
		e = oauth.NewError(http.StatusBadRequest, "consent_required", "the person has not agreed yet")
	}
	switch {
	case e != nil:
		h.Requests.Refuse(w, r, &request.Refusal{Err: e, Req: q})
	case ask:
		h.showConsent(w, r, q, s, scope, http.StatusOK, "")
	default:
		h.finish(w, r, q, s, scope)
	}
}
