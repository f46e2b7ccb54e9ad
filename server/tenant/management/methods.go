package management

import (
	"encoding/base64"
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/factor"
)

// methodBody is a person's passkey or second factor in the vendor's shape, without its secrets.
type methodBody struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	Name       string   `json:"name,omitempty"`
	Confirmed  bool     `json:"confirmed"` // always true: only proven methods are stored
	Created    string   `json:"created_at"`
	Enrolled   string   `json:"enrolled_at"`
	Used       string   `json:"last_auth_at,omitempty"`
	KeyID      string   `json:"key_id,omitempty"`
	PublicKey  string   `json:"public_key,omitempty"`
	AAGUID     string   `json:"aaguid,omitempty"`
	Transports []string `json:"transports,omitempty"`
	Device     string   `json:"credential_device_type,omitempty"`
	BackedUp   *bool    `json:"credential_backed_up,omitempty"`
}

func newMethodBody(m store.Method) (methodBody, error) {
	at := api.Time(m.Created)
	b := methodBody{ID: m.ID, Type: string(m.Type), Name: m.Name, Confirmed: true, Created: at, Enrolled: at}
	if !m.Used.IsZero() {
		b.Used = api.Time(m.Used)
	}
	if m.Type != store.MethodPasskey {
		return b, nil
	}
	p, err := factor.ReadPasskey(m.Data)
	b64 := base64.RawURLEncoding
	b.KeyID, b.PublicKey, b.AAGUID = b64.EncodeToString(m.Key), b64.EncodeToString(p.PublicKey), b64.EncodeToString(p.AAGUID)
	b.Transports, b.BackedUp, b.Device = p.Transports, &p.BackedUp, "single_device"
	if p.Synced {
		b.Device = "multi_device"
	}
	return b, err
}

// readMethodID reads the ID of a method as it appears in a path.
func readMethodID(escaped string) (string, *api.Error) {
	id, ok := api.ReadID(escaped)
	if !ok {
		return "", invalidMethodID()
	}
	return id, nil
}

func invalidMethodID() *api.Error {
	return &api.Error{
		Status: http.StatusBadRequest, Code: "invalid_uri",
		Message: "Path validation error: 'must be 1 to 100 letters, digits, |, _ or -' on property authentication_method_id",
	}
}

func inexistentMethod() *api.Error {
	return &api.Error{Status: http.StatusNotFound, Code: "inexistent_authentication_method", Message: "Authentication method not found"}
}

// methods implements /users/{id}/authentication-methods: the ways in which people authenticate.
type methods struct{ resource }

func newMethods(h *Handler) methods { return methods{resource{h, "user", "/users"}} }

func (m methods) routes() api.Routes {
	op := func(verb string, do func(*api.Call) *api.Error) api.Operation {
		return api.Operation{Scope: verb + ":authentication_methods", Do: do}
	}
	all := m.path + "/{id}/authentication-methods"
	return api.Routes{
		all:                             {http.MethodGet: op("read", m.list), http.MethodDelete: op("delete", m.takeAll)},
		all + "/{method...}":            {http.MethodGet: op("read", m.get), http.MethodDelete: op("delete", m.takeOne)},
		m.path + "/{id}/authenticators": {http.MethodDelete: op("delete", m.takeSeconds)},
	}
}

// all returns the methods of a call's person, without the password. Administrators change the password by PATCH /users/{id} or a one-time
// link.
func (m methods) all(c *api.Call) ([]methodBody, *api.Error) {
	if _, err := m.h.Store.User(c.Context(), c.ID()); err != nil {
		return nil, m.failed(c, err)
	}
	rows, err := m.h.Store.Methods(c.Context(), c.ID())
	if err != nil {
		return nil, c.Down("list methods", err)
	}
	list := make([]methodBody, len(rows))
	for i, row := range rows {
		if list[i], err = newMethodBody(row); err != nil {
			return nil, c.Down("read method", err)
		}
	}
	return list, nil
}

// list is GET /users/{id}/authentication-methods. With totals, the member that holds the list is named authenticators, as in the vendor's
// API.
func (m methods) list(c *api.Call) *api.Error {
	p, e := readPaging(c.Request.URL.Query())
	if e != nil {
		return e
	}
	list, e := m.all(c)
	if e != nil {
		return e
	}
	return answerList(c, p, "authenticators", window(list, p), len(list))
}

// get is GET /users/{id}/authentication-methods/{method id}.
func (m methods) get(c *api.Call) *api.Error {
	list, e := m.all(c)
	if e != nil {
		return e
	}
	i := slices.IndexFunc(list, func(b methodBody) bool { return b.ID == c.Param("method") })
	if i < 0 {
		return inexistentMethod()
	}
	return c.JSON(http.StatusOK, list[i])
}

// Second reports whether a method is useful only together with another one, as the app and the recovery code are. A passkey signs in alone.
func Second(m store.Method) bool { return m.Type != store.MethodPasskey }

// takeOne is DELETE /users/{id}/authentication-methods/{method id}. An administrator may remove a person's last method: a one-time link
// restores access.
func (m methods) takeOne(c *api.Call) *api.Error {
	return m.take(c, true, func(x store.Method) bool { return x.ID == c.Param("method") })
}

// takeAll is DELETE /users/{id}/authentication-methods: all except the password.
func (m methods) takeAll(c *api.Call) *api.Error {
	return m.take(c, false, func(store.Method) bool { return true })
}

// takeSeconds is DELETE /users/{id}/authenticators, the vendor's older name for all second factors.
func (m methods) takeSeconds(c *api.Call) *api.Error { return m.take(c, false, Second) }

// take removes methods and answers; if some is set, it is an error if there was none to remove. The person stays signed in, but no browser
// counts as signed in by more than a password any more, so requests for a second factor ask again. That is our choice: a person who lost a
// phone should not be signed out, and one who must be signed out can be blocked.
func (m methods) take(c *api.Call, some bool, which func(store.Method) bool) *api.Error {
	var taken []store.Method
	err := m.h.change(c, func(a *act) (err error) {
		if err := a.mayUser(c.Context(), c.ID()); err != nil {
			return err
		}
		taken, err = a.TakeMethods(c.Context(), c.ID(), which)
		return err
	})
	if err != nil {
		return m.failed(c, err)
	}
	if some && len(taken) == 0 {
		return inexistentMethod()
	}
	for _, row := range taken {
		m.audit(c, "method removed", c.ID(), row.ID)
		c.Record(m.h.Store, m.h.Now(), store.Event{Type: store.EventRemoved, UserID: c.ID(), Description: TakenText(row, c.Token.Subject)})
	}
	return c.Done(http.StatusNoContent)
}

// TakenText returns the description in the sign-in log for a method that was removed, by an administrator or a command.
func TakenText(m store.Method, by string) string { return m.ID + " was removed by " + by }
