package authz

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/cors"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// DefaultPasskeyGrant is the grant type of the passkey login unless Config.PasskeyGrants names others.
const DefaultPasskeyGrant = "urn:formgraph:params:oauth:grant-type:webauthn" //nolint:gosec // a name, no secret

// passkeySignIn is the purpose of a challenge that leads to tokens, passkeyPage that of one which stands
// in a sign-in page.
const (
	passkeySignIn = "passkey sign-in"
	passkeyPage   = "passkey page"
)

// Challenges that one address may ask for; each is a row until it ends.
const (
	challengesPerAddress = 10
	challengeWindow      = time.Minute
)

// challenge is the answer to a request for one. The options are what a browser's
// navigator.credentials.get takes, without a wrapper.
type challenge struct {
	AuthSession string `json:"auth_session"`
	Options     any    `json:"authn_params_public_key"`
}

// passkeyGrants returns the names of the passkey grant, the first one the tenant's own.
func (h *Handler) passkeyGrants() []string {
	if len(h.PasskeyGrants) == 0 {
		return []string{DefaultPasskeyGrant}
	}
	return h.PasskeyGrants
}

// passkeyChallenge is POST /passkey/challenge: the first half of the passkey login. Nobody is named, so
// nothing can be learned about anybody. realm is accepted and means nothing, as there is one only.
func (h *Handler) passkeyChallenge(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	c, p, ok := h.challengeRequest(w, r)
	if !ok {
		return
	}
	if e := h.mayUsePasskeys(c, p); e != nil {
		oauth.WriteError(w, e)
		return
	}
	ch, _, err := h.newChallenge(r.Context(), passkeySignIn, c.ID)
	if err != nil {
		oauth.WriteError(w, h.journal.Unavailable(r.Context(), "make challenge", err))
		return
	}
	oauth.WriteJSON(w, http.StatusOK, ch)
}

// challengeRequest is clientauth.Authenticator.Request for a request for a challenge. Every such request is counted by network. One too
// many is refused, and its client is read only so that its pages can see the refusal.
func (h *Handler) challengeRequest(w http.ResponseWriter, r *http.Request) (store.Client, oauth.Params, bool) {
	wait := h.challenges.Try(clientip.Network(r))
	if wait == 0 {
		return h.clients.Request(w, r)
	}
	if p, e := oauth.ReadBody(w, r); e == nil {
		c, _ := h.clients.Authenticate(r, p)
		cors.Allow(w.Header(), r, c)
	}
	oauth.WriteError(w, oauth.TooMany("too many challenges", wait))
	return store.Client{}, nil, false
}

// newChallenge makes and keeps a challenge, and returns it with its end.
func (h *Handler) newChallenge(ctx context.Context, purpose, clientID string) (challenge, time.Time, error) {
	options, state, err := h.passkeys.BeginAssertion()
	if err != nil {
		return challenge{}, time.Time{}, err
	}
	secret, now := tokens.NewSecret(), h.Now()
	ends := now.Add(factor.Life)
	err = h.Store.CreateAuthSession(ctx, store.AuthSession{
		Hash: tokens.Hash(secret), Purpose: purpose, ClientID: clientID, Data: state, Expires: ends,
	}, now)
	return challenge{secret, options}, ends, err
}

// mayUsePasskeys returns why a client gets no challenge.
func (h *Handler) mayUsePasskeys(c store.Client, p oauth.Params) *oauth.Error {
	if h.passkeys == nil {
		return oauth.NewError(http.StatusNotFound, "not_found", "passkeys need a tenant whose address is a name")
	}
	may := func(grant string) bool { return slices.Contains(c.GrantTypes, grant) }
	if !slices.ContainsFunc(h.passkeyGrants(), may) {
		return oauth.NewError(http.StatusBadRequest, "unauthorized_client", "the client may not use passkeys")
	}
	if p["organization"] != "" {
		return oauth.InvalidRequest("the organization is not known")
	}
	return nil
}

// passkeyGrant is the second half of the passkey login: the answer of the authenticator. The vendor's
// public API has it; its faults are 403 there and here.
type passkeyGrant struct{ h *Handler }

// errPasskey is the one answer to all that can be wrong with a proof, so that nobody learns which
// passkeys and people there are.
func errPasskey() *oauth.Error {
	return oauth.NewError(http.StatusForbidden, "invalid_grant", "the passkey was not accepted")
}

func (g passkeyGrant) prove(ctx context.Context, c store.Client, p oauth.Params, from caller) (*proof, *oauth.Error) {
	h := g.h
	if h.passkeys == nil {
		return nil, oauth.NewError(http.StatusNotFound, "not_found", "passkeys need a tenant whose address is a name")
	}
	if p["auth_session"] == "" || p["authn_response"] == "" {
		return nil, oauth.InvalidRequest("auth_session and authn_response are both needed")
	}
	asked, e := policy.AskedScope(p)
	if e != nil {
		return nil, e
	}
	audience := h.policy.Audience(p["audience"])
	a := passkeyAnswer{
		purpose: passkeySignIn, client: c.ID, session: p["auth_session"], response: p["authn_response"], origins: h.passkeys.Origins(c),
		address: from.device.IP,
	}
	var key store.Method
	if h.signsUp(p) {
		key, e = h.newcomerOf(ctx, c, audience, asked, a)
	} else {
		key, e = h.passkeyUsed(ctx, a)
	}
	if e != nil {
		return nil, e
	}
	// What a refresh token may be turned into is fixed now, as a code's is at the authorization endpoint.
	scope, e := h.policy.Granted(ctx, c, key.UserID, audience, asked)
	if e != nil {
		return nil, e
	}
	return h.direct(store.Family{
		ClientID: c.ID, UserID: key.UserID, ACR: oauth.ACRMulti, AMR: oauth.ByPasskey(), Audience: audience, Scope: scope,
		Basis: store.Basis{MethodID: key.ID},
	}, from), nil
}

// passkeyAnswer is an authenticator's answer to a challenge of this server.
type passkeyAnswer struct {
	purpose, client   string   // what the challenge must have been made for
	session, response string   // as sent
	origins           []string // where the authenticator may have been asked
	address           string   // of the sender
}

// usedChallenge uses up the challenge of an answer, whatever becomes of it. One that has ended, or was made
// for another client or purpose, is store.ErrNotFound.
func (h *Handler) usedChallenge(ctx context.Context, a passkeyAnswer) (store.AuthSession, error) {
	s, err := h.Store.UseAuthSession(ctx, tokens.Hash(a.session))
	if err == nil && (s.Purpose != a.purpose || s.ClientID != a.client || !h.Now().Before(s.Expires)) {
		err = fmt.Errorf("challenge is expired or for another client: %w", store.ErrNotFound)
	}
	return s, err
}

// passkeyUsed uses up a challenge and returns the passkey that answered it. The challenge is gone even if the
// answer is refused; only the log says why it was.
func (h *Handler) passkeyUsed(ctx context.Context, a passkeyAnswer) (store.Method, *oauth.Error) {
	refused := func(why string) (store.Method, *oauth.Error) {
		h.journal.Warn(ctx, "passkey refused", slog.String("client", a.client), slog.String("why", why))
		return store.Method{}, errPasskey()
	}
	down := func(action string, err error) (store.Method, *oauth.Error) {
		return store.Method{}, h.journal.Unavailable(ctx, action, err)
	}
	s, err := h.usedChallenge(ctx, a)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return refused("session")
	case err != nil:
		return down("use challenge", err)
	}
	use, err := h.passkeys.FinishAssertion(s.Data, a.origins, []byte(a.response), func(key []byte) (store.Method, error) {
		return h.Store.MethodByKey(ctx, key)
	})
	switch {
	case errors.Is(err, factor.ErrCloned):
		// Somebody may hold a copy of the key: an administrator should look at it.
		h.Log.LogAttrs(ctx, slog.LevelError, "passkey may be cloned", slog.String("user", use.Method.UserID), slog.String("method", use.Method.ID))
		h.journal.RecordAt(ctx, store.Event{
			Type: store.EventCloned, UserID: use.Method.UserID, ClientID: a.client, Address: a.address,
			Description: "the counter of " + use.Method.ID + " did not increase: there may be a copy of it",
		})
		return refused("counter")
	case errors.Is(err, factor.ErrRefused):
		return refused("answer")
	case err != nil:
		return down("check passkey", err)
	}
	err = h.Store.UseMethod(ctx, use.Method.ID, use.Method.Count, use.To, use.Data, h.Now())
	if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) {
		return refused("used at once or deleted")
	}
	if err != nil {
		return down("note use of passkey", err)
	}
	h.journal.Info(ctx, "passkey proven", slog.String("user", use.Method.UserID), slog.String("client", a.client))
	return use.Method, nil
}
