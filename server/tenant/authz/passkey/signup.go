package passkey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// textSignUpOff tells a client's developer how the operator of the tenant can turn on sign-up. It is off by default.
const textSignUpOff = "sign-up is off: the operator of the tenant can turn it on with the option --signup"

// Types of events in the sign-in log, as in the vendor's public log.
const (
	eventSignedUp     = "ss"
	eventSignUpFailed = "fs"
)

// newcomer is a person between the two halves of a sign-up. It is stored only in the challenge.
type newcomer struct {
	State json.RawMessage `json:"state"` // of the registration
	Email string          `json:"email"`
	Name  string          `json:"name"`
}

// ServeRegister is POST /passkey/register: the first half of a sign-up. It looks nobody up, so the answer is the same whether or not an
// address has an account. It accepts realm, as ServeChallenge does.
func (ps *Passkeys) ServeRegister(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if ps.SignUp == nil {
		oauth.WriteError(w, oauth.NewError(http.StatusNotFound, "not_found", textSignUpOff))
		return
	}
	c, p, ok := ps.request(w, r)
	if !ok {
		return
	}
	e := ps.mayUse(c, p)
	if e == nil {
		e = maySignUp(c)
	}
	var user store.User
	if e == nil {
		user, e = ps.newUser(p)
	}
	if e != nil {
		oauth.WriteError(w, e)
		return
	}
	ch, err := ps.newRegistration(r.Context(), c.ID, user)
	if err != nil {
		oauth.WriteError(w, ps.Journal.Unavailable(r.Context(), "make challenge", err))
		return
	}
	oauth.WriteJSON(w, http.StatusOK, ch)
}

// maySignUp refuses third-party clients, which would create accounts here without anybody's consent.
func maySignUp(c store.Client) *oauth.Error {
	if c.FirstParty {
		return nil
	}
	return oauth.NewError(http.StatusBadRequest, "unauthorized_client", "only a first-party client may sign people up")
}

// newUser checks the profile of a sign-up.
func (ps *Passkeys) newUser(p oauth.Params) (store.User, *oauth.Error) {
	profile, e := readProfile(p)
	if e != nil {
		return store.User{}, e
	}
	u, err := ps.SignUp(profile, ps.Now())
	if err != nil {
		return store.User{}, oauth.InvalidRequest("user_profile must have an e-mail address as email, and may have a name")
	}
	return u, nil
}

// readProfile returns the profile of a sign-up: a JSON object, or in a form, members in brackets: user_profile[email]=a. It refuses members
// other than an address and a name, except null, which counts as absent.
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
			return nil, oauth.InvalidRequest("user_profile may only have email and name")
		}
	}
	return out, nil
}

// newRegistration makes and stores the challenge of a sign-up.
func (ps *Passkeys) newRegistration(ctx context.Context, clientID string, u store.User) (Challenge, error) {
	options, state, err := ps.Party.BeginRegistration(factor.Person{ID: u.ID, Email: u.Email, Name: u.Name})
	if err != nil {
		return Challenge{}, err
	}
	data, err := json.Marshal(newcomer{state, u.Email, u.Name})
	if err != nil {
		return Challenge{}, err
	}
	ch, _, err := ps.keep(ctx, options, store.AuthSession{Purpose: forSignUp, ClientID: clientID, UserID: u.ID, Data: data})
	return ch, err
}

// SignsUp reports whether an authenticator's answer is an answer to a registration. It never is while sign-up is off.
func (ps *Passkeys) SignsUp(response string) bool {
	tree, _ := schema.Decode([]byte(response))
	o, _ := tree.(*schema.Object)
	return ps.SignUp != nil && o.Object("response").Has("attestationObject")
}

// Newcomer uses up the challenge of a sign-up, creates the person and returns the passkey. Every refusal, including that of an address that
// already has an account, is the error for a passkey that is not accepted.
func (ps *Passkeys) Newcomer(ctx context.Context, c store.Client, audience string, asked []string, a Answer) (store.Method, *oauth.Error) {
	if e := maySignUp(c); e != nil {
		return store.Method{}, e
	}
	// An audience that refuses everybody is refused first: a request that fails must not create an account.
	if e := ps.Policy.Open(ctx, c, audience, asked); e != nil {
		return store.Method{}, e
	}
	a.Purpose = forSignUp
	m, err := ps.newcomer(ctx, a)
	var why refusal
	switch {
	case errors.As(err, &why):
		ps.Journal.Warn(ctx, "sign-up refused", slog.String("client", c.ID), slog.String("why", string(why)))
		ps.Journal.RecordAt(ctx, store.Event{Type: eventSignUpFailed, ClientID: c.ID, Address: a.Address, Description: string(why)})
		return store.Method{}, errPasskey()
	case err != nil:
		return store.Method{}, ps.Journal.Unavailable(ctx, "sign up", err)
	}
	ps.Journal.Info(ctx, "signed up", slog.String("user", m.UserID), slog.String("client", c.ID))
	ps.Journal.RecordAt(ctx, store.Event{
		Type: eventSignedUp, UserID: m.UserID, ClientID: c.ID, Address: a.Address, Description: "with a passkey",
	})
	return m, nil
}

func (ps *Passkeys) newcomer(ctx context.Context, a Answer) (store.Method, error) {
	row, err := ps.spend(ctx, a)
	if err != nil {
		return store.Method{}, err
	}
	var n newcomer
	if err := json.Unmarshal(row.Data, &n); err != nil {
		return store.Method{}, fmt.Errorf("read sign-up: %w", err)
	}
	m, err := ps.Party.FinishRegistration(n.State, row.UserID, a.Origins, []byte(a.Response))
	if errors.Is(err, factor.ErrRefused) {
		return m, refusal("the authenticator's answer proves nothing")
	}
	if err != nil {
		return m, err
	}
	m.ID, m.Created = string(store.MethodPasskey)+"|"+tokens.NewSecret()[:22], ps.Now()
	u := store.User{ID: row.UserID, Email: n.Email, Name: n.Name, Created: m.Created, Unverified: true}
	err = ps.Store.SignUp(ctx, u, m)
	if errors.Is(err, store.ErrConflict) {
		return m, refusal("the e-mail address has an account")
	}
	if err != nil {
		return m, fmt.Errorf("keep person: %w", err)
	}
	return m, nil
}
