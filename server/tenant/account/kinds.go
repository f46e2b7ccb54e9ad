package account

import (
	"errors"
	"slices"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/factor"
)

// newPassword enrols a password.
type newPassword struct{ h *Handler }

// begin returns the rules for a password.
func (p newPassword) begin(_ *api.Call, out map[string]any) ([]byte, *api.Error) {
	out["policy"] = map[string]any{"min_length": password.Min, "max_length": password.Max}
	return nil, nil
}

// prove hashes the new password. The old one is not required: the sign-in is recent.
func (p newPassword) prove(c *api.Call, _ store.AuthSession, o *schema.Object) (store.Method, *api.Error) {
	select {
	case p.h.hashing <- struct{}{}:
	case <-c.Context().Done():
		return store.Method{}, c.Down("hash password", c.Context().Err())
	}
	defer func() { <-p.h.hashing }()
	return store.Method{Data: []byte(p.h.HashPassword(o.Text(fieldPassword)))}, nil
}

// passkey enrols a passkey or a security key.
type passkey struct {
	h        *Handler
	passkeys *factor.RelyingParty
}

func (p passkey) begin(c *api.Call, out map[string]any) ([]byte, *api.Error) {
	have, err := p.h.Store.Methods(c.Context(), c.User.ID)
	if err != nil {
		return nil, c.Down("list methods", err)
	}
	have = slices.DeleteFunc(have, func(m store.Method) bool { return m.Type != store.MethodPasskey })
	options, state, err := p.passkeys.BeginRegistration(factor.Person{ID: c.User.ID, Email: c.User.Email, Name: c.User.Name, Passkeys: have})
	if err != nil {
		return nil, c.Down("make challenge", err)
	}
	out["authn_params_public_key"] = options
	return state, nil
}

func (p passkey) prove(c *api.Call, s store.AuthSession, o *schema.Object) (store.Method, *api.Error) {
	client, err := p.h.Store.Client(c.Context(), c.Token.ClientID)
	if err != nil {
		return store.Method{}, c.Down("read client", err)
	}
	m, err := p.passkeys.FinishRegistration(s.Data, c.User.ID, p.passkeys.Origins(client), schema.Encode(o.Object("authn_response")))
	if errors.Is(err, factor.ErrRefused) {
		p.h.recordRefused(c, store.MethodPasskey, "the authenticator's answer proves nothing")
		return m, refused()
	}
	if err != nil {
		return m, c.Down("check passkey", err)
	}
	return m, nil
}

// totp enrols an authenticator app.
type totp struct{ h *Handler }

// begin creates the secret and shows it; the session stores it encrypted.
func (t totp) begin(c *api.Call, out map[string]any) ([]byte, *api.Error) {
	secret := factor.NewTOTPSecret()
	sealed, err := factor.Seal(t.h.Master, c.User.ID, secret)
	if err != nil {
		return nil, c.Down("seal secret", err)
	}
	out["manual_input_code"], out["barcode_uri"] = factor.TOTPText(secret), factor.TOTPAddress(secret, "Formgraph", c.User.Email)
	return sealed, nil
}

// prove checks a code of the app. The code's time step counts as used, so the first sign-in needs a new code.
func (t totp) prove(c *api.Call, s store.AuthSession, o *schema.Object) (store.Method, *api.Error) {
	m := store.Method{UserID: c.User.ID, Data: s.Data}
	step, ok, err := factor.CheckMethod(t.h.Master, m, o.Text("otp_code"), t.h.Now())
	if err != nil {
		return m, c.Down("open secret", err)
	}
	if !ok {
		t.h.recordRefused(c, store.MethodTOTP, "wrong code")
		return m, api.InvalidBody(api.Fault(schema.CodeEnum, "must be the code that the app shows now", schema.Key("otp_code")))
	}
	m.Count = step
	return m, nil
}

// recovery enrols a recovery code.
type recovery struct{}

// begin shows the code, once. Only its hash is stored.
func (recovery) begin(_ *api.Call, out map[string]any) ([]byte, *api.Error) {
	code, hash := factor.NewRecoveryCode()
	out["recovery_code"] = code
	return hash, nil
}

// prove trusts the person that the code was saved.
func (recovery) prove(_ *api.Call, s store.AuthSession, _ *schema.Object) (store.Method, *api.Error) {
	return store.Method{Data: s.Data}, nil
}
