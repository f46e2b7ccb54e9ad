package account

import (
	"errors"
	"slices"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/factor"
)

// beginPassword tells what a password must be.
func (h *Handler) beginPassword(_ *call, out map[string]any) ([]byte, *apiError) {
	out["policy"] = map[string]any{"min_length": minPassword, "max_length": h.MaxPassword}
	return nil, nil
}

// provePassword hashes the new password. The old one is not asked for: the sign-in is fresh.
func (h *Handler) provePassword(c *call, _ store.AuthSession, o *schema.Object) (store.Method, *apiError) {
	password := o.Text("new_password")
	if len(password) > h.MaxPassword {
		return store.Method{}, invalidBody("Invalid request payload input", fieldError{"/new_password", "must be shorter"})
	}
	select {
	case h.hashing <- struct{}{}:
	case <-c.r.Context().Done():
		return store.Method{}, h.down(c, "hash password", c.r.Context().Err())
	}
	defer func() { <-h.hashing }()
	return store.Method{Data: []byte(h.HashPassword(password))}, nil
}

func (h *Handler) beginPasskey(c *call, out map[string]any) ([]byte, *apiError) {
	have, err := h.Store.Methods(c.r.Context(), c.user.ID)
	if err != nil {
		return nil, h.down(c, "list methods", err)
	}
	have = slices.DeleteFunc(have, func(m store.Method) bool { return m.Type != store.MethodPasskey })
	options, state, err := h.passkeys.BeginRegistration(factor.Person{ID: c.user.ID, Email: c.user.Email, Name: c.user.Name, Passkeys: have})
	if err != nil {
		return nil, h.down(c, "make challenge", err)
	}
	out["authn_params_public_key"] = options
	return state, nil
}

func (h *Handler) provePasskey(c *call, s store.AuthSession, o *schema.Object) (store.Method, *apiError) {
	client, err := h.Store.Client(c.r.Context(), c.token.ClientID)
	if err != nil {
		return store.Method{}, h.down(c, "read client", err)
	}
	m, err := h.passkeys.FinishRegistration(s.Data, c.user.ID, h.passkeys.Origins(client), schema.Encode(o.Object("authn_response")))
	if errors.Is(err, factor.ErrRefused) {
		h.recordRefused(c, store.MethodPasskey, "the authenticator's answer proves nothing")
		return m, refused()
	}
	if err != nil {
		return m, h.down(c, "check passkey", err)
	}
	return m, nil
}

// beginTOTP makes the secret and shows it; the session keeps it sealed.
func (h *Handler) beginTOTP(c *call, out map[string]any) ([]byte, *apiError) {
	secret := factor.NewTOTPSecret()
	sealed, err := factor.Seal(h.Master, c.user.ID, secret)
	if err != nil {
		return nil, h.down(c, "seal secret", err)
	}
	out["manual_input_code"], out["barcode_uri"] = factor.TOTPText(secret), factor.TOTPAddress(secret, "Formgraph", c.user.Email)
	return sealed, nil
}

// proveTOTP checks a code of the app. Its step counts as used, so that the first sign-in needs a new one.
func (h *Handler) proveTOTP(c *call, s store.AuthSession, o *schema.Object) (store.Method, *apiError) {
	m := store.Method{UserID: c.user.ID, Data: s.Data}
	step, ok, err := factor.CheckMethod(h.Master, m, o.Text("otp_code"), h.Now())
	if err != nil {
		return m, h.down(c, "open secret", err)
	}
	if !ok {
		h.recordRefused(c, store.MethodTOTP, "wrong code")
		return m, invalidBody("Invalid request payload input", fieldError{"/otp_code", "must be the code that the app shows now"})
	}
	m.Count = step
	return m, nil
}

// beginRecovery shows the code, once. What is kept is its hash.
func (h *Handler) beginRecovery(_ *call, out map[string]any) ([]byte, *apiError) {
	code, hash := factor.NewRecoveryCode()
	out["recovery_code"] = code
	return hash, nil
}

// proveRecovery takes the person's word that the code was put away.
func (h *Handler) proveRecovery(_ *call, s store.AuthSession, _ *schema.Object) (store.Method, *apiError) {
	return store.Method{Data: s.Data}, nil
}
