package authz

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/passkey"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
)

// shownPerAddress bounds the challenges that an address is shown within challengeWindow in pages; each is
// a row until it ends. It is more than for POST /passkey/challenge, since an office shares an address, and
// beyond it people still have their passwords.
const shownPerAddress = 60

// textPasskey is the one text for all that can be wrong with a passkey and the page it came from.
const textPasskey = "That passkey was not accepted, or this page was open for too long. Try again, or sign in with your password."

// boundPasskey is what the token of a passkey form is bound to.
func boundPasskey(q *request.Request, session string) string {
	return strings.Join([]string{q.Query, "passkey", session}, "\x00")
}

// askPasskey makes the challenge of a sign-in page, bound to the browser, the request and the time. It
// returns nil where passkeys are off, and when none can be made now: the page signs in by password then.
func (h *Handler) askPasskey(r *http.Request, q *request.Request, visit string) *pages.Passkey {
	if h.passkeys.Party == nil || h.shown.Try(clientip.Network(r)) > 0 {
		return nil
	}
	ch, ends, err := h.passkeys.NewChallenge(r.Context(), passkey.ForPage, q.Client.ID)
	var options []byte
	if err == nil {
		options, err = json.Marshal(ch.Options)
	}
	if err != nil {
		h.journal.Down(r.Context(), "make challenge", err)
		return nil
	}
	return &pages.Passkey{
		Action: "/authorize/passkey?" + q.Query, Session: ch.AuthSession, Options: string(options),
		Token: h.browsers.PageToken(visit, boundPasskey(q, ch.AuthSession), ends),
	}
}

// passkeyIn is POST /authorize/passkey: the script of the sign-in page sends what an authenticator
// answered. An authenticator verifies its user, so a passkey is both factors.
func (h *Handler) passkeyIn(w http.ResponseWriter, r *http.Request) {
	q, p, ok := h.requests.FromPage(w, r)
	if !ok {
		return
	}
	refused := func() {
		h.journal.Record(r, store.Event{Type: eventFailed, ClientID: q.Client.ID, Description: "passkey refused"})
		h.showSignIn(w, r, q, q.Hint, http.StatusForbidden, textPasskey)
	}
	if why := h.browsers.CheckPage(r, boundPasskey(q, p["session"]), p["token"]); why != "" {
		h.journal.Warn(r.Context(), "passkey refused", slog.String("client", q.Client.ID), slog.String("why", "page"))
		refused()
		return
	}
	key, e := h.passkeys.Used(r.Context(), passkey.Answer{
		Purpose: passkey.ForPage, ClientID: q.Client.ID, Session: p["session"], Response: p["response"],
		// The page is ours, so no other site may have asked: not even one of the client's.
		Origins: h.passkeys.Party.Origins(store.Client{}), Address: clientip.Of(r),
	})
	if e != nil && e.Status == http.StatusServiceUnavailable {
		h.pages.Fail(w, e)
		return
	}
	if e != nil {
		refused()
		return
	}
	user, err := h.Store.User(r.Context(), key.UserID)
	switch {
	case err != nil: // a deleted person has no passkeys
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "read user", err))
	case user.Blocked:
		h.journal.Record(r, store.Event{Type: eventFailed, UserID: user.ID, ClientID: q.Client.ID, Description: policy.Blocked})
		h.showSignIn(w, r, q, user.Email, http.StatusForbidden, textBlocked)
	default:
		h.enter(w, r, q, h.browsers.NewSignIn(user.ID, oauth.ByPasskey(), store.Basis{MethodID: key.ID}))
	}
}
