// Package passkey makes challenges for passkeys, checks the answers of authenticators, and signs people up with a passkey. Its result is a
// person, not a token or a session.
package passkey

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/clientauth"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/cors"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Purposes of challenges.
const (
	ForTokens = "passkey sign-in" // for an application
	ForPage   = "passkey page"    // shown in a sign-in page
	forSignUp = "passkey sign-up"
)

// Limits of the challenges that a network may request. Each is a row until it ends.
const (
	ChallengesPerNetwork = 10
	ChallengeWindow      = time.Minute
)

// Store holds people, passkeys and challenges.
type Store interface {
	store.Users
	store.Methods
	store.AuthSessions
}

// Passkeys are the passkeys at one address of the tenant. All fields but Party and SignUp are required. It is safe for
// concurrent use.
type Passkeys struct {
	Party   *factor.RelyingParty // nil if passkeys are off
	Grants  []string             // names of the passkey grant
	Store   Store
	Policy  *policy.Policy
	Clients *clientauth.Authenticator
	Limit   *ratelimit.Failures // challenges requested by a network
	Journal *journal.Journal
	Now     func() time.Time
	// SignUp makes a user from the profile given at a sign-up. nil turns sign-up off.
	SignUp func(profile *schema.Object, now time.Time) (store.User, error)
}

// Challenge is a challenge for an authenticator. The options are the argument of a browser's navigator.credentials.get, without a wrapper.
type Challenge struct {
	AuthSession string `json:"auth_session"`
	Options     any    `json:"authn_params_public_key"`
}

// Answer is an authenticator's answer to a challenge of this server.
type Answer struct {
	Purpose, ClientID string   // what the challenge must have been issued for
	Session, Response string   // as sent
	Origins           []string // origins at which the authenticator may have been asked
	Address           string   // of the sender
}

// ServeChallenge is POST /passkey/challenge: the first half of the passkey login. It names nobody, so it reveals nothing about anybody. It
// accepts realm and ignores it, since there is only one.
func (ps *Passkeys) ServeChallenge(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	c, p, ok := ps.request(w, r)
	if !ok {
		return
	}
	if e := ps.mayUse(c, p); e != nil {
		oauth.WriteError(w, e)
		return
	}
	ch, _, err := ps.NewChallenge(r.Context(), ForTokens, c.ID)
	if err != nil {
		oauth.WriteError(w, ps.Journal.Unavailable(r.Context(), "make challenge", err))
		return
	}
	oauth.WriteJSON(w, http.StatusOK, ch)
}

// request receives a client's request for a challenge. It counts every such request by network. If there are too many, it refuses the
// request, and reads the client only so that its pages can see the refusal.
func (ps *Passkeys) request(w http.ResponseWriter, r *http.Request) (store.Client, oauth.Params, bool) {
	wait := ps.Limit.Try(r.Context(), clientip.Network(r))
	if wait == 0 {
		return ps.Clients.Request(w, r)
	}
	if p, e := oauth.ReadBody(w, r); e == nil {
		c, _ := ps.Clients.Authenticate(r, p)
		cors.Allow(w.Header(), r, c)
	}
	oauth.WriteError(w, oauth.TooMany("too many challenges", wait))
	return store.Client{}, nil, false
}

// mayUse returns why a client gets no challenge, or nil.
func (ps *Passkeys) mayUse(c store.Client, p oauth.Params) *oauth.Error {
	if ps.Party == nil {
		return oauth.NewError(http.StatusNotFound, "not_found", "passkeys need a tenant whose address is a name")
	}
	may := func(grant string) bool { return slices.Contains(c.GrantTypes, grant) }
	if !slices.ContainsFunc(ps.Grants, may) {
		return oauth.NewError(http.StatusBadRequest, "unauthorized_client", "the client may not use passkeys")
	}
	if p["organization"] != "" {
		return oauth.InvalidRequest("the organization is not known")
	}
	return nil
}

// NewChallenge makes and stores a challenge, and returns it with its end.
func (ps *Passkeys) NewChallenge(ctx context.Context, purpose, clientID string) (Challenge, time.Time, error) {
	options, state, err := ps.Party.BeginAssertion()
	if err != nil {
		return Challenge{}, time.Time{}, err
	}
	return ps.keep(ctx, options, store.AuthSession{Purpose: purpose, ClientID: clientID, Data: state})
}

// keep stores a challenge as row, whose purpose, client, user and data the caller has set.
func (ps *Passkeys) keep(ctx context.Context, options any, row store.AuthSession) (Challenge, time.Time, error) {
	secret, now := tokens.NewSecret(), ps.Now()
	row.Hash, row.Expires = tokens.Hash(secret), now.Add(factor.Life)
	err := ps.Store.CreateAuthSession(ctx, row, now)
	return Challenge{secret, options}, row.Expires, err
}

// refusal is the reason why an answer is refused. It is only logged.
type refusal string

func (r refusal) Error() string { return string(r) }

// errPasskey returns the single error for every fault of an answer, so that nobody learns which passkeys and people exist.
func errPasskey() *oauth.Error {
	return oauth.NewError(http.StatusForbidden, "invalid_grant", "the passkey was not accepted")
}

// Used uses up a challenge and returns the passkey that answered it. The challenge is used up even if the answer is refused.
func (ps *Passkeys) Used(ctx context.Context, a Answer) (store.Method, *oauth.Error) {
	m, err := ps.used(ctx, a)
	var why refusal
	switch {
	case errors.As(err, &why):
		ps.Journal.Warn(ctx, "passkey refused", slog.String("client", a.ClientID), slog.String("why", string(why)))
		return store.Method{}, errPasskey()
	case err != nil:
		return store.Method{}, ps.Journal.Unavailable(ctx, "check passkey", err)
	}
	ps.Journal.Info(ctx, "passkey proven", slog.String("user", m.UserID), slog.String("client", a.ClientID))
	return m, nil
}

func (ps *Passkeys) used(ctx context.Context, a Answer) (store.Method, error) {
	row, err := ps.spend(ctx, a)
	if err != nil {
		return store.Method{}, err
	}
	use, err := ps.Party.FinishAssertion(row.Data, a.Origins, []byte(a.Response), func(key []byte) (store.Method, error) {
		return ps.Store.MethodByKey(ctx, key)
	})
	m := use.Method
	switch {
	case errors.Is(err, factor.ErrCloned):
		// Somebody may hold a copy of the key: an administrator should look at it.
		ps.Journal.Log.LogAttrs(ctx, slog.LevelError, "passkey may be cloned", slog.String("user", m.UserID), slog.String("method", m.ID))
		ps.Journal.RecordAt(ctx, store.Event{
			Type: store.EventCloned, UserID: m.UserID, ClientID: a.ClientID, Address: a.Address,
			Description: "the counter of " + m.ID + " did not increase: there may be a copy of it",
		})
		return m, refusal("counter")
	case errors.Is(err, factor.ErrRefused):
		return m, refusal("answer")
	case err != nil:
		return m, err
	}
	err = ps.Store.UseMethod(ctx, m.ID, m.Count, use.To, use.Data, ps.Now())
	if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) {
		return m, refusal("used at once or deleted")
	}
	if err != nil {
		return m, fmt.Errorf("note use: %w", err)
	}
	return m, nil
}

// spend uses up the challenge of an answer, whether or not the answer is accepted.
func (ps *Passkeys) spend(ctx context.Context, a Answer) (store.AuthSession, error) {
	row, err := ps.Store.UseAuthSession(ctx, tokens.Hash(a.Session))
	if err == nil && (row.Purpose != a.Purpose || row.ClientID != a.ClientID || !ps.Now().Before(row.Expires)) {
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) {
		return row, refusal("the challenge is unknown, used, expired or for another client")
	}
	if err != nil {
		return row, fmt.Errorf("use challenge: %w", err)
	}
	return row, nil
}
