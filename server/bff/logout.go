package bff

import (
	"context"
	"net/http"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
)

// signOut ends sessions, for a person in a browser and for the tenant's back-channel logout.
type signOut struct {
	identity *Identity
	sessions signedIn
	home     string              // where a browser returns to from the tenant's sign-out
	used     *ratelimit.Failures // logout tokens by ID, which may be used once
	log      journal
}

// logout ends the session here, revokes its refresh token if the tenant can be reached, and names the tenant's own sign-out
// page. It succeeds even if nobody is signed in.
func (s *signOut) logout(w http.ResponseWriter, r *http.Request) {
	ss, err := s.sessions.Of(r)
	if err != nil {
		s.sessions.storeDown(r.Context(), err).Write(w, r)
		return
	}
	if !ss.IsNew {
		e, refresh := personOf(ss), s.sessions.GrantOf(ss).Refresh
		ss.Options.MaxAge = -1
		if err := s.sessions.Save(r, w, ss); err != nil {
			s.sessions.storeDown(r.Context(), err).Write(w, r)
			return
		}
		e.Event = "signed_out"
		s.log.audit(r, e)
		s.identity.release(r.Context(), refresh)
	} else {
		s.sessions.forget(w, r)
	}
	ctx, cancel := context.WithTimeout(r.Context(), revokeTime)
	defer cancel()
	answer := struct {
		LogoutURL string `json:"logout_url"`
	}{s.identity.LogoutURL(ctx, s.home)}
	if err := httpx.WriteJSON(w, http.StatusOK, answer); err != nil {
		s.log.fail(r.Context(), "write sign-out", err)
	}
}
