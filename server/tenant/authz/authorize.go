package authz

import (
	"context"
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// authorize is GET /authorize: a person who is signed in goes straight back to the application with a
// code, another one sees the sign-in page.
func (h *Handler) authorize(w http.ResponseWriter, r *http.Request) {
	f := h.openPushed(r.Context(), r.URL.RawQuery)
	var q *request
	if f == nil {
		q, f = h.parseRequest(r.Context(), r.URL.RawQuery)
	}
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
		if !q.satisfied(s) {
			h.stepUp(w, r, q, s)
			return
		}
		h.complete(w, r, q, s)
		return
	}
	if q.none {
		h.refuse(w, r, &refusal{err: newError(http.StatusBadRequest, "login_required", "nobody is signed in"), req: q})
		return
	}
	h.showSignIn(w, r, q, q.hint, http.StatusOK, "")
}

// complete sends the browser back with a code for the signed-in person, or asks for consent first.
func (h *Handler) complete(w http.ResponseWriter, r *http.Request, q *request, s store.SignIn) {
	ask := false
	scope, e := h.granted(r.Context(), q.client, s.UserID, q.audience, q.scope)
	if e == nil {
		ask, e = h.mustAsk(r.Context(), q, s.UserID, scope)
	}
	if e == nil && ask && q.none {
		e = newError(http.StatusBadRequest, "consent_required", "the person has not agreed yet")
	}
	switch {
	case e != nil:
		h.refuse(w, r, &refusal{err: e, req: q})
	case ask:
		h.showConsent(w, r, q, s, scope, http.StatusOK, "")
	default:
		h.finish(w, r, q, s, scope)
	}
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
		ID: tokens.NewSecret(), ClientID: q.client.ID, UserID: s.UserID, SignInID: s.ID, AuthTime: s.AuthTime, ACR: q.met(s), AMR: s.AMR,
		Audience: q.audience, Scope: scope, Expires: now.Add(life), Device: s.Device,
	}
	err := h.Store.CreateCode(ctx, family, store.Code{
		Hash: tokens.Hash(code), FamilyID: family.ID, RedirectURI: q.redirect, Challenge: q.challenge,
		Nonce: q.nonce, Key: q.key, Expires: now.Add(codeLife),
	})
	if err != nil {
		h.down(ctx, "create code", err)
		return "", unavailable()
	}
	return code, nil
}
