package signin

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

// ShownPerNetwork bounds the challenges that are shown to a network in pages within passkey.ChallengeWindow. Each is a row until it ends.
// It is higher than the limit for applications, since an office shares an address; beyond it people still have their passwords.
const ShownPerNetwork = 60

// textPasskey is the text for every fault of a passkey or of the page that it came from.
const textPasskey = "That passkey was not accepted, or this page was open for too long. Try again, or sign in with your password."

// boundPasskey returns what the token of a passkey form is bound to.
func boundPasskey(q *request.Request, session string) string {
	return strings.Join([]string{q.Query, "passkey", session}, "\x00")
}

// passkeyForm makes the challenge of a sign-in page, bound to the browser, the request and the time. It returns nil if
// passkeys are off or no challenge can be made now. The page then signs in by password.
func (h *Pages) passkeyForm(r *http.Request, q *request.Request, visit string) *pages.Passkey {
	if h.Passkeys.Party == nil || h.Shown.Try(r.Context(), clientip.Network(r)) > 0 {
		return nil
	}
	ch, ends, err := h.Passkeys.NewChallenge(r.Context(), passkey.ForPage, q.Client.ID)
	var options []byte
	if err == nil {
		options, err = json.Marshal(ch.Options)
	}
	if err != nil {
		h.Journal.Down(r.Context(), "make challenge", err)
		return nil
	}
	return &pages.Passkey{
		Action: "/authorize/passkey?" + q.Query, Session: ch.AuthSession, Options: string(options),
		Token: h.Browsers.PageToken(visit, boundPasskey(q, ch.AuthSession), ends),
	}
}

// Passkey is the Step for the form that the sign-in page's script sends: an authenticator's answer. An authenticator verifies its user, so
// a passkey is both factors.
func (h *Pages) Passkey(w http.ResponseWriter, r *http.Request, q *request.Request, p oauth.Params) *store.SignIn {
	refused := func() *store.SignIn {
		h.failed(r, q, "", "passkey refused")
		h.Again(w, r, q, textPasskey)
		return nil
	}
	if why := h.Browsers.CheckPage(r, boundPasskey(q, p["session"]), p["token"]); why != "" {
		h.Journal.Warn(r.Context(), "passkey refused", slog.String("client", q.Client.ID), slog.String("why", "page"))
		return refused()
	}
	key, e := h.Passkeys.Used(r.Context(), passkey.Answer{
		Purpose: passkey.ForPage, ClientID: q.Client.ID, Session: p["session"], Response: p["response"],
		// The page is ours, so no other site may have asked: not even one of the client's.
		Origins: h.Passkeys.Party.Origins(store.Client{}), Address: clientip.Of(r),
	})
	if e != nil && e.Status == http.StatusServiceUnavailable {
		h.Pages.Fail(w, e)
		return nil
	}
	if e != nil {
		return refused()
	}
	user, err := h.Store.User(r.Context(), key.UserID)
	switch {
	case err != nil: // a deleted person has no passkeys
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "read user", err))
	case user.Blocked:
		h.failed(r, q, user.ID, policy.Blocked)
		h.Show(w, r, q, user.Email, http.StatusForbidden, textBlocked)
	default:
		return h.enter(w, r, q, h.Browsers.NewSignIn(user.ID, oauth.ByPasskey(), store.Basis{MethodID: key.ID}))
	}
	return nil
}
