package authz

import (
	"context"
	"errors"
	"net/http"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// authorize is GET and POST /authorize: a person who is signed in goes straight back to the application with a
// code, another one sees the sign-in page. OpenID Connect Core, section 3.1.2.1.
func (h *Handler) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.RawQuery
	if r.Method == http.MethodPost {
		var e *oauth.Error
		if query, e = postedQuery(w, r); e != nil {
			h.pages.Fail(w, e)
			return
		}
		// A browser sends no cookies with a form of another site, but it does with the request after a redirect.
		if r.Header.Get("Sec-Fetch-Site") == "cross-site" && len(query) <= request.MaxQuery {
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, r, "/authorize?"+query, http.StatusSeeOther)
			return
		}
	}
	f := h.requests.Open(r.Context(), query)
	var q *request.Request
	if f == nil {
		q, f = h.requests.Parse(r.Context(), query)
	}
	if f != nil {
		h.requests.Refuse(w, r, f)
		return
	}
	s, ok, err := h.browsers.Current(r)
	if err != nil {
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "read sign-in", err))
		return
	}
	if ok && !q.Prompt.Login && (q.MaxAge < 0 || h.Now().Sub(s.AuthTime) <= q.MaxAge) {
		if !q.Satisfied(s) {
			h.signIn.StepUp(w, r, q, s)
			return
		}
		h.complete(w, r, q, s)
		return
	}
	if q.Prompt.None {
		h.requests.Refuse(w, r, &request.Refusal{Err: oauth.LoginRequired("nobody is signed in"), Req: q})
		return
	}
	h.signIn.Show(w, r, q, q.Hint, http.StatusOK, "")
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

// What is said when a sign-in ended while a request by it was answered: to the application, and on the sign-in page.
const (
	errSignedOut  = "the person was signed out, or a factor of the sign-in was removed"
	textSignedOut = "You were signed out. Sign in again to continue."
)

// step serves a form of one of our pages, and continues with the request when it leads to a sign-in.
func (h *Handler) step(do signin.Step) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q, p, ok := h.requests.FromPage(w, r)
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
	scope, e := h.policy.Granted(r.Context(), q.Client, s.UserID, q.Audience, q.Scope)
	if e == nil {
		ask, e = h.mustAsk(r.Context(), q, s.UserID, scope)
	}
	if e == nil && ask && q.Prompt.None {
		e = oauth.NewError(http.StatusBadRequest, "consent_required", "the person has not agreed yet")
	}
	switch {
	case e != nil:
		h.requests.Refuse(w, r, &request.Refusal{Err: e, Req: q})
	case ask:
		h.showConsent(w, r, q, s, scope, http.StatusOK, "")
	default:
		h.finish(w, r, q, s, scope)
	}
}

// newCode keeps a new authorization and returns its code.
func (h *Handler) newCode(ctx context.Context, q *request.Request, s store.SignIn, scope []string) (string, *oauth.Error) {
	code, family := tokens.NewSecret(), newFamily(q, s, scope, h.Now())
	err := h.Store.CreateCode(ctx, family, store.Code{
		Hash: tokens.Hash(code), FamilyID: family.ID, RedirectURI: q.Redirect, Challenge: q.Bound.Challenge,
		Nonce: q.Bound.Nonce, Key: q.Bound.Key, Expires: h.Now().Add(codeLife),
	})
	if errors.Is(err, store.ErrNotFound) {
		return "", oauth.LoginRequired(errSignedOut)
	}
	if err != nil {
		return "", h.journal.Unavailable(ctx, "create code", err)
	}
	return code, nil
}
