package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// kind is one type of method that can be enrolled.
type kind struct {
	of   store.MethodType
	most int // how many a person may have
	// body lists the members that verify takes besides auth_session.
	body schema.Table
	// check checks rules that a table cannot express; nil if there are none.
	check func(*schema.Object) schema.Problems
	// retry allows another answer after a wrong one: the expected answer is not a secret from the person.
	retry bool
	proof
}

// proof implements the enrolment of a kind: how it begins and how it is proven.
type proof interface {
	// begin returns the state that the session stores until the proof, and adds to the answer what the person needs.
	begin(c *api.Call, out map[string]any) (state []byte, e *api.Error)
	// prove checks the body that verify received, and returns a method to store. For a password, the method holds the hash.
	prove(c *api.Call, s store.AuthSession, o *schema.Object) (m store.Method, e *api.Error)
}

// enrolment implements the operations that add a method to a person.
type enrolment struct {
	h       *Handler
	methods *methods
	kinds   []kind // in the order in which they are listed
}

// The maximum number of methods of each type: enough for every device, and few enough for a list.
const (
	mostPasskeys = 20
	mostTOTP     = 5
)

func newEnrolment(m *methods) *enrolment {
	h := m.h
	chosen := api.PasswordRow(fieldPassword)
	chosen.Required = true
	code := schema.Row{Name: "otp_code", Required: true, Spec: schema.String{Min: 1, Max: 20, Secret: true}}
	e := &enrolment{h: h, methods: m, kinds: []kind{{
		of: typePassword, most: 1, body: schema.Table{chosen, {Name: keyEndOthers, Spec: schema.Bool{}}}, check: api.PasswordBytes(fieldPassword),
		retry: true, proof: newPassword{h},
	}}}
	if m.passkeys != nil {
		e.kinds = append(e.kinds, kind{
			of: store.MethodPasskey, most: mostPasskeys, body: schema.Table{{Name: "authn_response", Required: true, Spec: schema.Open{}}},
			proof: passkey{h, m.passkeys},
		})
	}
	e.kinds = append(
		e.kinds,
		kind{of: store.MethodTOTP, most: mostTOTP, body: schema.Table{code}, retry: true, proof: totp{h}},
		kind{of: store.MethodRecoveryCode, most: 1, proof: recovery{}},
	)
	return e
}

// fieldPassword is the member of a body that holds a new password.
const fieldPassword = "new_password"

// keyEndOthers tells, together with a new password, whether every other login ends, so that somebody who learned the old password does not
// stay signed in. They end unless it is false. A new or removed second factor ends none: nobody can have learned it, and its owner has just
// signed in. The name is our choice.
const keyEndOthers = "end_other_sessions"

func (e *enrolment) kind(t string) (kind, bool) {
	i := slices.IndexFunc(e.kinds, func(k kind) bool { return string(k.of) == t })
	if i < 0 {
		return kind{}, false
	}
	return e.kinds[i], true
}

// factors is GET /factors: the kinds that can be enrolled here.
func (e *enrolment) factors(c *api.Call) *api.Error {
	type factor struct {
		Type  string   `json:"type"`
		Usage []string `json:"usage"`
	}
	out := []factor{}
	for _, k := range e.kinds {
		out = append(out, factor{string(k.of), usage(k.of)})
	}
	return c.JSON(http.StatusOK, map[string]any{"factors": out})
}

// newSuffix ends the ID of a method that does not exist yet. The session identifies the method.
const newSuffix = "|new"

// purpose returns the purpose of a kind's sessions.
func (k kind) purpose() string { return "enrol " + string(k.of) }

// begin is POST /authentication-methods: the first half. Until a method is proven, only the session is stored, which expires by itself.
// connection and identity_user_id are accepted because the vendor's public API has them, and are ignored, since there is only one of each
// here.
func (e *enrolment) begin(c *api.Call) *api.Error {
	types := make(schema.Enum, 0, len(e.kinds))
	for _, k := range e.kinds {
		types = append(types, string(k.of))
	}
	o, refused := c.Fields(schema.Table{
		{Name: "type", Required: true, Spec: types},
		{Name: "connection", Spec: schema.String{Max: 200}},
		{Name: "identity_user_id", Spec: schema.String{Max: 200}},
	}, nil)
	if refused != nil {
		return refused
	}
	k, _ := e.kind(o.Text("type"))
	have, err := e.h.Store.Methods(c.Context(), c.User.ID)
	if err != nil {
		return c.Down("list methods", err)
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
	state, refused := k.begin(c, out)
	if refused != nil {
		return refused
	}
	secret, now := tokens.NewSecret(), e.h.Now()
	err = e.h.Store.CreateAuthSession(c.Context(), store.AuthSession{
		Hash: tokens.Hash(secret), Purpose: k.purpose(), ClientID: c.Token.ClientID, UserID: c.User.ID, Data: state,
		Expires: now.Add(factor.Life),
	}, now)
	if errors.Is(err, store.ErrNotFound) {
		return presented(tokens.Unaccepted(c.Token)) // the token's client no longer exists
	}
	if err != nil {
		return c.Down("keep session", err)
	}
	id := string(k.of) + newSuffix
	out["auth_session"], out["id"] = secret, id
	c.Header().Set("Location", e.h.Issuer+Prefix+"/authentication-methods/"+strings.ReplaceAll(id, "|", "%7C"))
	return c.JSON(http.StatusAccepted, out)
}

func full() *api.Error {
	return api.Conflict("There are too many methods of this type, delete one first")
}

// verify is POST /authentication-methods/{type}|new/verify: the second half.
func (e *enrolment) verify(c *api.Call) *api.Error {
	t, isNew := strings.CutSuffix(c.ID(), newSuffix)
	k, ok := e.kind(t)
	if !ok || !isNew {
		return api.NotFound()
	}
	o, refused := c.Fields(append(schema.Table{{Name: "auth_session", Required: true, Spec: schema.String{Min: 1, Max: 200, Secret: true}}},
		k.body...), k.check)
	if refused != nil {
		return refused
	}
	if wait := e.h.wrong.Try(c.Request.Context(), c.User.ID); wait > 0 {
		return api.TooMany(textWait, wait)
	}
	hash := tokens.Hash(o.Text("auth_session"))
	look := e.h.Store.UseAuthSession
	if k.retry {
		look = e.h.Store.AuthSession
	}
	s, refused := e.session(c, k, hash, look)
	if refused != nil {
		return refused
	}
	m, refused := k.prove(c, s, o)
	if refused != nil {
		return refused
	}
	if k.retry {
		// If two correct answers arrive at once, one gets the session.
		if _, refused := e.session(c, k, hash, e.h.Store.UseAuthSession); refused != nil {
			return refused
		}
	}
	e.h.wrong.Succeed(c.Request.Context(), c.User.ID)
	if k.of == typePassword {
		others, _ := o.Get(keyEndOthers)
		return e.keepPassword(c, string(m.Data), others != false)
	}
	return e.keep(c, k, m)
}

// session returns the session that a caller names, if it is the caller's and alive.
func (e *enrolment) session(c *api.Call, k kind, hash []byte,
	look func(context.Context, []byte) (store.AuthSession, error),
) (store.AuthSession, *api.Error) {
	s, err := look(c.Context(), hash)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return s, c.Down("read session", err)
	}
	if err != nil || s.Purpose != k.purpose() || s.ClientID != c.Token.ClientID || s.UserID != c.User.ID || !e.h.Now().Before(s.Expires) {
		e.h.recordRefused(c, k.of, "the challenge is unknown, used or has ended")
		return s, refused()
	}
	return s, nil
}

// keep stores a proven method and answers with it.
func (e *enrolment) keep(c *api.Call, k kind, m store.Method) *api.Error {
	m.ID, m.UserID, m.Type, m.Created = string(k.of)+"|"+tokens.NewSecret()[:22], c.User.ID, k.of, e.h.Now()
	err := e.h.Store.CreateMethod(c.Context(), m, k.most)
	if errors.Is(err, store.ErrConflict) {
		return full()
	}
	if err != nil {
		return c.Down("keep method", err)
	}
	v, err := e.methods.view(m)
	if err != nil {
		return c.Down("read method", err)
	}
	e.h.audit(c, "method_enrolled", "authentication_method", m.ID, "")
	e.h.record(c, store.EventEnrolled, m.ID)
	return c.JSON(http.StatusCreated, v)
}

// keepPassword sets the hash of the person's password and answers. If others is set, it ends every login except the one that the token came
// from, and notifies applications.
func (e *enrolment) keepPassword(c *api.Call, hash string, others bool) *api.Error {
	var ended []string
	var err error
	if others {
		ended, err = e.h.Store.ChangePassword(c.Context(), c.User.ID, hash, c.Token.SignInID)
	} else {
		err = e.h.Store.SetPassword(c.Context(), c.User.ID, hash, nil)
	}
	if errors.Is(err, store.ErrNotFound) {
		return presented(tokens.Unaccepted(c.Token)) // the person no longer exists
	}
	if err != nil {
		return c.Down("set password", err)
	}
	for _, id := range ended {
		e.h.notify(c, id)
	}
	e.h.audit(c, "method_enrolled", "authentication_method", passwordID, fmt.Sprint("other sign-ins ended: ", len(ended)))
	e.h.record(c, eventPassword, "set by the person")
	return c.JSON(http.StatusCreated, method{ID: passwordID, Type: string(typePassword), Usage: usage(typePassword), Confirmed: true})
}
