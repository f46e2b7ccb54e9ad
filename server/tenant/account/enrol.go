package account

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// kind is one type of method: how it is begun and how it is proven.
type kind struct {
	of   store.MethodType
	most int // a person may have
	// body lists what verify takes beside auth_session.
	body schema.Table
	// begin returns what the session keeps until then, and adds to the answer what the person needs.
	begin func(c *call, out map[string]any) (state []byte, e *apiError)
	// prove judges the body that verify got. With keep set it is a method to be kept; the password keeps
	// itself.
	prove func(c *call, s store.AuthSession, o *schema.Object) (m store.Method, e *apiError)
	// retry allows another answer after a wrong one: what is asked is not a secret from the person.
	retry bool
}

// Most methods of a type: enough for every device, few enough for a list.
const (
	mostPasskeys = 20
	mostTOTP     = 5
	minPassword  = 8
)

func (h *Handler) allKinds() []kind {
	text := func(name string, least, most int) schema.Row {
		return schema.Row{Name: name, Required: true, Spec: schema.String{Min: least, Max: most, Secret: true}}
	}
	out := []kind{{
		of: typePassword, most: 1, body: schema.Table{text("new_password", minPassword, h.MaxPassword), {Name: keyEndOthers, Spec: schema.Bool{}}},
		begin: h.beginPassword, prove: h.provePassword, retry: true,
	}}
	if h.passkeys != nil {
		out = append(out, kind{
			of: store.MethodPasskey, most: mostPasskeys, body: schema.Table{{Name: "authn_response", Required: true, Spec: schema.Open{}}},
			begin: h.beginPasskey, prove: h.provePasskey,
		})
	}
	return append(
		out,
		kind{of: store.MethodTOTP, most: mostTOTP, body: schema.Table{text("otp_code", 1, 20)}, begin: h.beginTOTP, prove: h.proveTOTP, retry: true},
		kind{of: store.MethodRecoveryCode, most: 1, begin: h.beginRecovery, prove: h.proveRecovery},
	)
}

// keyEndOthers asks, beside a new password, to end every other login, so that nobody who learned the old password stays signed in.
// The name is ours.
const keyEndOthers = "end_other_sessions"

func (h *Handler) kind(t string) (kind, bool) {
	for _, k := range h.kinds {
		if string(k.of) == t {
			return k, true
		}
	}
	return kind{}, false
}

// newSuffix ends the id of a method that is not there yet: the session says which one it is.
const newSuffix = "|new"

// purpose names the sessions of a kind.
func (k kind) purpose() string { return "enrol " + string(k.of) }

// enrol is POST /authentication-methods: the first half. Nothing is kept of a method until it is proven
// but the session, which ends by itself. connection and identity_user_id are taken from the vendor's
// public API and mean nothing, as there is one of each here.
func (h *Handler) enrol(c *call) *apiError {
	types := make(schema.Enum, 0, len(h.kinds))
	for _, k := range h.kinds {
		types = append(types, string(k.of))
	}
	o, e := read(c, schema.Table{
		{Name: "type", Required: true, Spec: types},
		{Name: "connection", Spec: schema.String{Max: 200}},
		{Name: "identity_user_id", Spec: schema.String{Max: 200}},
	})
	if e != nil {
		return e
	}
	k, _ := h.kind(o.Text("type"))
	have, err := h.Store.Methods(c.r.Context(), c.user.ID)
	if err != nil {
		return h.down(c, "list methods", err)
	}
	n := 0
	for _, m := range have {
		if m.Type == k.of {
			n++
		}
	}
	if n >= k.most {
		return full()
	}
	out := map[string]any{}
	state, e := k.begin(c, out)
	if e != nil {
		return e
	}
	secret, now := tokens.NewSecret(), h.Now()
	err = h.Store.CreateAuthSession(c.r.Context(), store.AuthSession{
		Hash: tokens.Hash(secret), Purpose: k.purpose(), ClientID: c.token.ClientID, UserID: c.user.ID, Data: state, Expires: now.Add(factor.Life),
	}, now)
	if errors.Is(err, store.ErrNotFound) {
		return presented(tokens.Unaccepted(c.token)) // the client of the token is gone
	}
	if err != nil {
		return h.down(c, "keep session", err)
	}
	id := string(k.of) + newSuffix
	out["auth_session"], out["id"] = secret, id
	c.Header().Set("Location", h.Issuer+Prefix+"/authentication-methods/"+strings.ReplaceAll(id, "|", "%7C"))
	return answer(c, http.StatusAccepted, out)
}

func full() *apiError { return conflict("There are too many methods of this type, delete one first") }

// verify is POST /authentication-methods/{type}|new/verify: the second half.
func (h *Handler) verify(c *call) *apiError {
	t, isNew := strings.CutSuffix(c.id, newSuffix)
	k, ok := h.kind(t)
	if !ok || !isNew {
		return notFound()
	}
	o, e := read(c, append(schema.Table{{Name: "auth_session", Required: true, Spec: schema.String{Min: 1, Max: 200, Secret: true}}}, k.body...))
	if e != nil {
		return e
	}
	if wait := h.wrong.Try(c.user.ID); wait > 0 {
		return tooMany(wait)
	}
	hash := tokens.Hash(o.Text("auth_session"))
	look := h.Store.UseAuthSession
	if k.retry {
		look = h.Store.AuthSession
	}
	s, e := h.session(c, k, hash, look)
	if e != nil {
		return e
	}
	m, e := k.prove(c, s, o)
	if e != nil {
		return e
	}
	if k.retry {
		// Of two right answers at once one gets it.
		if _, e := h.session(c, k, hash, h.Store.UseAuthSession); e != nil {
			return e
		}
	}
	h.wrong.Succeed(c.user.ID)
	if k.of == typePassword {
		others, _ := o.Get(keyEndOthers)
		return h.keepPassword(c, string(m.Data), others == true)
	}
	return h.keep(c, k, m)
}

// session returns the session that a caller names, when it is theirs and alive.
func (h *Handler) session(c *call, k kind, hash []byte, look func(context.Context, []byte) (store.AuthSession, error)) (store.AuthSession, *apiError) {
	s, err := look(c.r.Context(), hash)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return s, h.down(c, "read session", err)
	}
	if err != nil || s.Purpose != k.purpose() || s.ClientID != c.token.ClientID || s.UserID != c.user.ID || !h.Now().Before(s.Expires) {
		h.recordRefused(c, k.of, "the challenge is unknown, used or has ended")
		return s, refused()
	}
	return s, nil
}

// keep keeps what was proven and answers with it.
func (h *Handler) keep(c *call, k kind, m store.Method) *apiError {
	m.ID, m.UserID, m.Type, m.Created = string(k.of)+"|"+tokens.NewSecret()[:22], c.user.ID, k.of, h.Now()
	err := h.Store.CreateMethod(c.r.Context(), m, k.most)
	if errors.Is(err, store.ErrConflict) {
		return full()
	}
	if err != nil {
		return h.down(c, "keep method", err)
	}
	v, err := h.view(m)
	if err != nil {
		return h.down(c, "read method", err)
	}
	h.audit(c, "method enrolled", slog.String("method", m.ID))
	h.record(c, store.EventEnrolled, m.ID)
	return answer(c, http.StatusCreated, v)
}

// keepPassword sets the hash of the person's password and answers. With others set it ends every login but the
// one that the token came of, and lets applications know.
func (h *Handler) keepPassword(c *call, hash string, others bool) *apiError {
	var ended []string
	var err error
	if others {
		ended, err = h.Store.ChangePassword(c.r.Context(), c.user.ID, hash, c.token.SignInID)
	} else {
		err = h.Store.SetPassword(c.r.Context(), c.user.ID, hash, nil)
	}
	if errors.Is(err, store.ErrNotFound) {
		return presented(tokens.Unaccepted(c.token)) // the person is gone
	}
	if err != nil {
		return h.down(c, "set password", err)
	}
	for _, id := range ended {
		h.tell(c, id)
	}
	h.audit(c, "method enrolled", slog.String("method", passwordID), slog.Int("ended", len(ended)))
	h.record(c, eventPassword, "set by the person")
	return answer(c, http.StatusCreated, method{ID: passwordID, Type: string(typePassword), Usage: usage(typePassword), Confirmed: true})
}
