package authz

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
)

// textUsePasskey is told to a person whose second factor is a passkey alone.
const textUsePasskey = "This application asks for more than a password. Sign in with your passkey."

// seconds are what a person has beside the password.
type seconds struct {
	apps     []store.Method // TOTP
	recovery []store.Method
	passkey  bool // one that can be used here
}

// needed reports whether a password alone is not enough. A recovery code stands in for an app: without one
// it protects nothing, and it would lock the person out once it is used.
func (s seconds) needed() bool { return len(s.apps) > 0 }

func (h *Handler) second(ctx context.Context, userID string) (seconds, error) {
	var s seconds
	ms, err := h.Store.Methods(ctx, userID)
	for _, m := range ms {
		switch m.Type {
		case store.MethodTOTP:
			s.apps = append(s.apps, m)
		case store.MethodRecoveryCode:
			s.recovery = append(s.recovery, m)
		case store.MethodPasskey:
			s.passkey = s.passkey || h.passkeys.Party.Takes(m.Data)
		}
	}
	return s, err
}

// afterPassword continues with a person whose password was right. Nobody is signed in yet.
func (h *Handler) afterPassword(w http.ResponseWriter, r *http.Request, q *request.Request, user store.User) {
	have, err := h.second(r.Context(), user.ID)
	switch {
	case err != nil:
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "list methods", err))
	case have.needed():
		h.askCode(w, r, q, user, "")
	case q.ACR != "":
		h.unmet(w, r, q, user, have)
	default:
		h.enter(w, r, q, h.browsers.NewSignIn(user.ID, oauth.ByPassword(), store.Basis{PasswordHash: user.PasswordHash}))
	}
}

// stepUp asks a signed-in person for what the sign-in lacks for the request: the code of an app, without
// the password once more, or a passkey.
func (h *Handler) stepUp(w http.ResponseWriter, r *http.Request, q *request.Request, s store.SignIn) {
	user, err := h.Store.User(r.Context(), s.UserID)
	var have seconds
	if err == nil {
		have, err = h.second(r.Context(), s.UserID)
	}
	switch {
	case err != nil:
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "read user", err))
	case q.Prompt.None && (have.needed() || have.passkey):
		h.requests.Refuse(w, r, &request.Refusal{Err: oauth.LoginRequired("the second factor has to be asked for"), Req: q})
	case have.needed():
		h.askCode(w, r, q, user, s.ID)
	default:
		h.unmet(w, r, q, user, have)
	}
}

// unmet is the answer to a request for a second factor by a person without an app: the sign-in page for
// their passkey, and a refusal when there is none either.
func (h *Handler) unmet(w http.ResponseWriter, r *http.Request, q *request.Request, user store.User, have seconds) {
	if have.passkey {
		h.showSignIn(w, r, q, user.Email, http.StatusOK, textUsePasskey)
		return
	}
	h.journal.Info(r.Context(), "no second factor", slog.String("user", user.ID), slog.String("client", q.Client.ID))
	h.requests.Refuse(w, r, &request.Refusal{Err: oauth.Unmet(), Req: q})
}
