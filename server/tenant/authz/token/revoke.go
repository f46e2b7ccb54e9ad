package token

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Revoke is POST /oauth/revoke: it ends a refresh token with its whole family, and the tenant refuses the family's access tokens. APIs that
// check tokens by themselves accept those until they expire, within minutes. A token of another client gets the same answer as a revoked
// one. RFC 7009, section 2.
func (t *Endpoint) Revoke(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	c, p, ok := t.clients.Request(w, r)
	if !ok {
		return
	}
	if p["token"] == "" {
		oauth.WriteError(w, oauth.InvalidRequest("token is missing"))
		return
	}
	_, f, err := t.store.Refresh(r.Context(), tokens.Hash(p["token"]))
	if errors.Is(err, store.ErrNotFound) || err == nil && f.ClientID != c.ID {
		w.WriteHeader(http.StatusOK)
		return
	}
	if err == nil {
		err = t.store.RevokeFamily(r.Context(), f.ID)
	}
	if err != nil {
		oauth.WriteError(w, t.journal.Unavailable(r.Context(), "revoke token", err))
		return
	}
	t.journal.Info(r.Context(), "token revoked", slog.String("client", c.ID), slog.String("user", f.UserID))
	w.WriteHeader(http.StatusOK)
}
