package authz

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// passkeySignUp is the purpose of a challenge that leads to a new person.
const passkeySignUp = "passkey sign-up"

// textSignUpOff tells the developer of a client what the operator of the tenant has to do: sign-up is off by default.
const textSignUpOff = "sign-up is off: the operator of the tenant can turn it on with the option --signup"

// newcomer is what waits between the two halves of a sign-up: a person that is nowhere yet.
type newcomer struct {
	State json.RawMessage `json:"state"` // of the registration
	Email string          `json:"email"`
	Name  string          `json:"name"`
}

// passkeyRegister is POST /passkey/register: the first half of a sign-up. Nobody is looked up, so that the
// answer is the same for an address that has an account and one that has none. realm is accepted and
// means nothing, as for POST /passkey/challenge.
func (h *Handler) passkeyRegister(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if h.SignUp == nil {
		oauth.WriteError(w, oauth.NewError(http.StatusNotFound, "not_found", textSignUpOff))
		return
	}
	c, p, ok := h.challengeRequest(w, r)
	if !ok {
		return
	}
	e := h.mayUsePasskeys(c, p)
	if e == nil {
		e = maySignUp(c)
	}
	var user store.User
	if e == nil {
		user, e = h.newPerson(p)
	}
	if e != nil {
		oauth.WriteError(w, e)
		return
	}
	ch, err := h.newRegistration(r.Context(), c.ID, user)
	if err != nil {
		oauth.WriteError(w, h.journal.Unavailable(r.Context(), "make challenge", err))
		return
	}
	oauth.WriteJSON(w, http.StatusOK, ch)
}

// maySignUp refuses the client of a stranger: it would make people here without their consent to anything.
func maySignUp(c store.Client) *oauth.Error {
	if c.FirstParty {
		return nil
	}
	return oauth.NewError(http.StatusBadRequest, "unauthorized_client", "only a first-party client may sign people up")
}

// newPerson checks the profile of a sign-up.
func (h *Handler) newPerson(p oauth.Params) (store.User, *oauth.Error) {
	profile, e := readProfile(p)
	if e != nil {
		return store.User{}, e
	}
	u, err := h.SignUp(profile, h.Now())
	if err != nil {
		return store.User{}, oauth.InvalidRequest("user_profile must hold an e-mail address as email, and may hold a name")
	}
	return u, nil
}

// readProfile returns the profile of a sign-up: an object as JSON, or in a form in brackets, user_profile[email]=a.
// What it has beside an address and a name is refused rather than dropped, but for null, which is absent.
func readProfile(p oauth.Params) (*schema.Object, *oauth.Error) {
	given, text := schema.NewObject(), p[oauth.ProfileKey]
	if text != "" {
		tree, problems := schema.Decode([]byte(text))
		o, ok := tree.(*schema.Object)
		if !ok || len(problems) > 0 {
			return nil, oauth.InvalidRequest("user_profile must be an object")
		}
		given = o
	}
	for key, value := range p {
		inner, opened := strings.CutPrefix(key, oauth.ProfileKey+"[")
		if !opened {
			continue
		}
		inner, closed := strings.CutSuffix(inner, "]")
		if text != "" || !closed {
			return nil, oauth.InvalidRequest("user_profile is given in two ways, or its brackets do not close")
		}
		given = given.With(inner, value)
	}
	out := schema.NewObject()
	for _, m := range given.Members() {
		switch {
		case m.Value == nil:
		case m.Key == "email" || m.Key == "name":
			out = out.With(m.Key, m.Value)
		default:
			return nil, oauth.InvalidRequest("user_profile takes email and name only")
		}
	}
	return out, nil
}

// newRegistration makes and keeps the challenge of a sign-up.
func (h *Handler) newRegistration(ctx context.Context, clientID string, u store.User) (challenge, error) {
	options, state, err := h.passkeys.BeginRegistration(factor.Person{ID: u.ID, Email: u.Email, Name: u.Name})
	if err != nil {
		return challenge{}, err
	}
	data, err := json.Marshal(newcomer{state, u.Email, u.Name})
	if err != nil {
		return challenge{}, err
	}
	secret, now := tokens.NewSecret(), h.Now()
	err = h.Store.CreateAuthSession(ctx, store.AuthSession{
		Hash: tokens.Hash(secret), Purpose: passkeySignUp, ClientID: clientID, UserID: u.ID, Data: data, Expires: now.Add(factor.Life),
	}, now)
	return challenge{secret, options}, err
}

// signsUp tells the answer to a registration from that to a sign-in. While sign-up is off no answer is one.
func (h *Handler) signsUp(p oauth.Params) bool {
	tree, _ := schema.Decode([]byte(p["authn_response"]))
	o, _ := tree.(*schema.Object)
	return h.SignUp != nil && o.Object("response").Has("attestationObject")
}

// newcomerOf uses up the challenge of a sign-up, creates the person and returns the passkey. Every fault, an
// address that already has an account among them, gets the answer of a passkey that is not accepted.
func (h *Handler) newcomerOf(ctx context.Context, c store.Client, audience string, asked []string, a passkeyAnswer) (store.Method, *oauth.Error) {
	if e := maySignUp(c); e != nil {
		return store.Method{}, e
	}
	a.purpose = passkeySignUp
	// An audience that refuses everybody is refused first: nobody gets an account by a request that fails.
	if e := h.policy.Open(ctx, c, audience, asked); e != nil {
		return store.Method{}, e
	}
	refused := func(why string) (store.Method, *oauth.Error) {
		h.journal.Warn(ctx, "sign-up refused", slog.String("client", c.ID), slog.String("why", why))
		h.journal.RecordAt(ctx, store.Event{Type: eventSignUpFailed, ClientID: c.ID, Address: a.address, Description: why})
		return store.Method{}, errPasskey()
	}
	down := func(action string, err error) (store.Method, *oauth.Error) {
		return store.Method{}, h.journal.Unavailable(ctx, action, err)
	}
	s, err := h.usedChallenge(ctx, a)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return refused("the challenge is unknown, used, expired or for another client")
	case err != nil:
		return down("use challenge", err)
	}
	var n newcomer
	if err := json.Unmarshal(s.Data, &n); err != nil {
		return down("read sign-up", err)
	}
	m, err := h.passkeys.FinishRegistration(n.State, s.UserID, a.origins, []byte(a.response))
	if errors.Is(err, factor.ErrRefused) {
		return refused("the authenticator's answer proves nothing")
	}
	if err != nil {
		return down("check passkey", err)
	}
	now := h.Now()
	m.ID, m.Created = newMethodID(store.MethodPasskey), now
	u := store.User{ID: s.UserID, Email: n.Email, Name: n.Name, Created: now, Unverified: true}
	switch err := h.Store.SignUp(ctx, u, m); {
	case errors.Is(err, store.ErrConflict):
		return refused("the e-mail address has an account")
	case err != nil:
		return down("keep person", err)
	}
	h.journal.Info(ctx, "signed up", slog.String("user", u.ID), slog.String("client", c.ID))
	h.journal.RecordAt(ctx, store.Event{Type: eventSignedUp, UserID: u.ID, ClientID: c.ID, Address: a.address, Description: "with a passkey"})
	return m, nil
}

// newMethodID returns the id of a method that is made now.
func newMethodID(t store.MethodType) string { return string(t) + "|" + tokens.NewSecret()[:22] }
