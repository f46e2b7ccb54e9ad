package authz

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// authorize is GET /authorize: a person who is signed in goes straight back to the application with a
// code, another one sees the sign-in page.
func (h *Handler) authorize(w http.ResponseWriter, r *http.Request) {
	q, f := h.parseRequest(r.Context(), r.URL.RawQuery)
	if f != nil {
		h.refuse(w, r, f)
		return
	}
	s, ok, err := h.current(r)
	if err != nil {
		h.down(r.Context(), "read sign-in", err)
		h.fail(w, r, unavailable())
		return
	}
	if ok && !q.login && (q.maxAge < 0 || h.Now().Sub(s.AuthTime) <= q.maxAge) {
		h.complete(w, r, q, s)
		return
	}
	if q.none {
		h.refuse(w, r, &refusal{err: &Error{http.StatusBadRequest, "login_required", "nobody is signed in"}, req: q})
		return
	}
	h.showSignIn(w, r, q, q.hint, http.StatusOK, "")
}

// complete makes a code for the signed-in person and sends the browser back with it.
func (h *Handler) complete(w http.ResponseWriter, r *http.Request, q *request, s store.SignIn) {
	scope, e := h.granted(r.Context(), q.client, s.UserID, q.audience, q.scope)
	if e == nil {
		var code string
		if code, e = h.newCode(r.Context(), q, s, scope); e == nil {
			h.sweeper.run(r.Context())
			h.redirectTo(w, r, q, url.Values{"code": {code}})
			return
		}
	}
	h.refuse(w, r, &refusal{err: e, req: q})
}

// newCode keeps a new authorization and returns its code.
func (h *Handler) newCode(ctx context.Context, q *request, s store.SignIn, scope []string) (string, *Error) {
	now := h.Now()
	life := onlineLife
	if slices.Contains(scope, scopeOffline) {
		life = familyLife
	}
	code := tokens.NewSecret()
	family := store.Family{
		ID: tokens.NewSecret(), ClientID: q.client.ID, UserID: s.UserID, SignInID: s.ID, AuthTime: s.AuthTime,
		Audience: q.audience, Scope: scope, Expires: now.Add(life),
	}
	err := h.Store.CreateCode(ctx, family, store.Code{
		Hash: tokens.Hash(code), FamilyID: family.ID, RedirectURI: q.redirect, Challenge: q.challenge,
		Nonce: q.nonce, Expires: now.Add(codeLife),
	})
	if err != nil {
		h.down(ctx, "create code", err)
		return "", unavailable()
	}
	return code, nil
}
