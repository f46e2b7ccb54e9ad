package authz

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// revoke is POST /oauth/revoke: a refresh token ends with its whole family, and the tenant refuses the
// family's access tokens. APIs that check tokens by themselves take those until they expire, within minutes.
// Any token that is not the client's is answered as if it had been revoked. RFC 7009, section 2.
func (h *Handler) revoke(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	c, p, ok := h.clients.Request(w, r)
	if !ok {
		return
	}
	if p["token"] == "" {
		oauth.WriteError(w, oauth.InvalidRequest("token is missing"))
		return
	}
	_, f, err := h.Store.Refresh(r.Context(), tokens.Hash(p["token"]))
	if errors.Is(err, store.ErrNotFound) || err == nil && f.ClientID != c.ID {
		w.WriteHeader(http.StatusOK)
		return
	}
	if err == nil {
		err = h.Store.RevokeFamily(r.Context(), f.ID)
	}
	if err != nil {
		oauth.WriteError(w, h.journal.Unavailable(r.Context(), "revoke token", err))
		return
	}
	h.journal.Info(r.Context(), "token revoked", slog.String("client", c.ID), slog.String("user", f.UserID))
	w.WriteHeader(http.StatusOK)
}
