package account

import (
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/factor"
)

// typePassword is the type of the password, which is not stored as a row but as a hash of the person.
const typePassword store.MethodType = "password"

// passwordID is the ID of a person's password. There is at most one, so the ID needs no random part.
const passwordID = string(typePassword) + "|own"

// method is one authentication method on the wire. Its members are those of the vendor's public API.
type method struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Name      string   `json:"name,omitempty"`
	Usage     []string `json:"usage"`
	Confirmed bool     `json:"confirmed"` // always true: only proven methods are stored
	Created   string   `json:"created_at,omitempty"`
	Used      string   `json:"last_auth_at,omitempty"`

	KeyID      string   `json:"key_id,omitempty"`     // of a passkey, in base64url like the other members
	PublicKey  string   `json:"public_key,omitempty"` // COSE
	AAGUID     string   `json:"aaguid,omitempty"`
	Transports []string `json:"transports,omitempty"`
	Device     string   `json:"credential_device_type,omitempty"` // single_device or multi_device
	BackedUp   *bool    `json:"credential_backed_up,omitempty"`
	RPID       string   `json:"relying_party_id,omitempty"`
}

// stamp formats a time for an answer; the zero time is "".
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return api.Time(t)
}

// methods implements the operations on the methods of a person.
type methods struct {
	h        *Handler
	passkeys *factor.RelyingParty // nil when passkeys are off
}

// view returns a method as its owner sees it, without its secret.
func (m *methods) view(row store.Method) (method, error) {
	v := method{
		ID: row.ID, Type: string(row.Type), Name: row.Name, Usage: usage(row.Type), Confirmed: true, Created: stamp(row.Created),
		Used: stamp(row.Used),
	}
	if row.Type != store.MethodPasskey {
		return v, nil
	}
	p, err := factor.ReadPasskey(row.Data)
	if err != nil {
		return method{}, err
	}
	b64 := base64.RawURLEncoding
	v.KeyID, v.PublicKey, v.AAGUID = b64.EncodeToString(row.Key), b64.EncodeToString(p.PublicKey), b64.EncodeToString(p.AAGUID)
	v.Transports, v.BackedUp, v.Device = p.Transports, &p.BackedUp, "single_device"
	if p.Synced {
		v.Device = "multi_device"
	}
	if m.passkeys != nil {
		v.RPID = m.passkeys.ID()
	}
	return v, nil
}

// all returns the methods of the person of a call, the password first.
func (m *methods) all(c *api.Call) ([]method, *api.Error) {
	rows, err := m.h.Store.Methods(c.Context(), c.User.ID)
	if err != nil {
		return nil, c.Down("list methods", err)
	}
	out := []method{}
	if c.User.PasswordHash != "" {
		out = append(out, method{ID: passwordID, Type: string(typePassword), Usage: usage(typePassword), Confirmed: true})
	}
	for _, row := range rows {
		v, err := m.view(row)
		if err != nil {
			return nil, c.Down("read method", err)
		}
		out = append(out, v)
	}
	return out, nil
}

// usage returns whether a method signs in alone or only together with another one.
func usage(t store.MethodType) []string {
	if t == typePassword || t == store.MethodPasskey {
		return []string{"primary"}
	}
	return []string{"secondary"}
}

// list is GET /authentication-methods: all methods, or those of one type.
func (m *methods) list(c *api.Call) *api.Error {
	out, e := m.all(c)
	if e != nil {
		return e
	}
	if t := c.Request.URL.Query().Get("type"); t != "" {
		out = slices.DeleteFunc(out, func(x method) bool { return x.Type != t })
	}
	return c.JSON(http.StatusOK, map[string]any{"authentication_methods": out})
}

// get is GET /authentication-methods/{id}.
func (m *methods) get(c *api.Call) *api.Error {
	out, e := m.all(c)
	if e != nil {
		return e
	}
	i := slices.IndexFunc(out, func(x method) bool { return x.ID == c.ID() })
	if i < 0 {
		return api.NotFound()
	}
	return c.JSON(http.StatusOK, out[i])
}

// rename is PATCH /authentication-methods/{id}: only the name can be changed. An empty name removes it.
func (m *methods) rename(c *api.Call) *api.Error {
	o, e := c.Fields(schema.Table{{Name: "name", Spec: schema.String{Max: maxName}, Required: true}}, nil)
	if e != nil {
		return e
	}
	if c.ID() == passwordID {
		return api.Conflict("A password has no name")
	}
	name := strings.TrimSpace(o.Text("name"))
	err := m.h.Store.RenameMethod(c.Context(), c.User.ID, c.ID(), name)
	if errors.Is(err, store.ErrNotFound) {
		return api.NotFound()
	}
	if err != nil {
		return c.Down("rename method", err)
	}
	m.h.audit(c, "method_renamed", "authentication_method", c.ID(), "")
	return m.get(c)
}

// maxName bounds a method's name in characters, so that it fits on one line of a list.
const maxName = 100

// errLast is returned for a change that would lock the person out.
var errLast = errors.New("it is the last way to sign in")

// keepWayIn refuses a change after which the person could no longer sign in.
func keepWayIn(u store.User, left []store.Method) error {
	passkey := func(m store.Method) bool { return m.Type == store.MethodPasskey }
	if u.PasswordHash == "" && !slices.ContainsFunc(left, passkey) {
		return errLast
	}
	return nil
}

// delete is DELETE /authentication-methods/{id}.
func (m *methods) delete(c *api.Call) *api.Error {
	var err error
	switch {
	case c.ID() != passwordID:
		err = m.h.Store.DeleteMethod(c.Context(), c.User.ID, c.ID(), keepWayIn)
	case c.User.PasswordHash == "":
		return api.NotFound()
	default:
		err = m.h.Store.SetPassword(c.Context(), c.User.ID, "", keepWayIn)
	}
	switch {
	case errors.Is(err, errLast):
		return api.Conflict("It is the last way to sign in, enrol another one first")
	case errors.Is(err, store.ErrNotFound):
		return api.NotFound()
	case err != nil:
		return c.Down("delete method", err)
	}
	m.h.audit(c, "method_deleted", "authentication_method", c.ID(), "")
	m.h.record(c, store.EventRemoved, c.ID()+" was removed by the person")
	return c.Done(http.StatusNoContent)
}
