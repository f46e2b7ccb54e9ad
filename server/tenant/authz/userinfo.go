package authz

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/store"
)

// userInfo is GET and POST /userinfo. OpenID Connect Core, section 5.3. Every live access token of
// ours with scope openid is accepted, whatever its audience: it was issued to learn about its user.
func (h *Handler) userInfo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	refuse := func(status int, challenge string, e *Error) {
		w.Header().Set("WWW-Authenticate", challenge)
		writeJSON(w, status, e)
	}
	invalid := func() {
		refuse(http.StatusUnauthorized, `Bearer error="invalid_token"`, &Error{Code: "invalid_token", Description: "the token is missing or not accepted"})
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		invalid()
		return
	}
	a, err := h.Tokens.VerifyAccess(token, "")
	if err != nil {
		invalid()
		return
	}
	if !slices.Contains(a.Scope, scopeOpenID) {
		refuse(http.StatusForbidden, `Bearer error="insufficient_scope", scope="openid"`, &Error{Code: "insufficient_scope", Description: "the token must carry openid"})
		return
	}
	u, err := h.Store.User(r.Context(), a.Subject)
	if errors.Is(err, store.ErrNotFound) {
		invalid()
		return
	}
	if err != nil {
		h.down(r.Context(), "read user", err)
		writeError(w, unavailable())
		return
	}
	if u.Blocked {
		invalid()
		return
	}
	claims := map[string]any{"sub": u.ID}
	if slices.Contains(a.Scope, scopeProfile) {
		claims["name"] = u.Name
	}
	if slices.Contains(a.Scope, scopeEmail) {
		claims["email"], claims["email_verified"] = u.Email, true
	}
	writeJSON(w, http.StatusOK, claims)
}
