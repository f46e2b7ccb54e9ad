package bff

import (
	"context"
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/httpx"
)

// revokeTime bounds the call that a sign-out waits for.
const revokeTime = 3 * time.Second

// logout ends the session here, revokes its refresh token if the tenant can be
// reached, and names the tenant's own sign-out page. It succeeds when nobody is
// signed in, since that is what was asked for.
func (b *Handler) logout(w http.ResponseWriter, r *http.Request) {
	ss, err := b.sessions.Of(r)
	if err != nil {
		b.storeDown(r.Context(), err).Write(w, r)
		return
	}
	if !ss.IsNew {
		subject, refresh := ss.Values[keySubject], b.sessions.GrantOf(ss).Refresh
		ss.Options.MaxAge = -1
		if err := b.sessions.Save(r, w, ss); err != nil {
			b.storeDown(r.Context(), err).Write(w, r)
			return
		}
		b.audit(r.Context(), "signed_out", "sub", subject)
		b.revoke(r.Context(), refresh)
	} else if len(r.CookiesNamed(b.sessions.CookieName())) > 0 {
		b.sessions.Forget(w)
	}
	ctx, cancel := context.WithTimeout(r.Context(), revokeTime)
	defer cancel()
	answer := struct {
		LogoutURL string `json:"logout_url"`
	}{b.identity.LogoutURL(ctx, b.public.String()+"/")}
	if err := httpx.WriteJSON(w, http.StatusOK, answer); err != nil {
		b.log.ErrorContext(r.Context(), "write sign-out", "error", err)
	}
}

// revoke ends a refresh token of a session that is gone; "" does nothing. A browser
// that leaves must not keep its token alive, and a tenant that cannot be reached
// must not keep the person from going on.
func (b *Handler) revoke(ctx context.Context, refreshToken string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), revokeTime)
	defer cancel()
	if err := b.identity.Revoke(ctx, refreshToken); err != nil {
		b.log.WarnContext(ctx, "revoke refresh token", "request_id", httpx.RequestID(ctx), "error", err)
	}
}
