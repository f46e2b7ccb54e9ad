package management

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/factor"
)

// methodsNoun ends the scopes of people's ways to prove who they are.
const methodsNoun = "authentication_methods"

// methodBody is a passkey or a second factor of a person, in the vendor's shape, without what proves.
type methodBody struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	Name       string   `json:"name,omitempty"`
	Confirmed  bool     `json:"confirmed"` // always: nothing is kept that was not proven
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
	at := m.Created.UTC().Format(timeFormat)
	b := methodBody{ID: m.ID, Type: string(m.Type), Name: m.Name, Confirmed: true, Created: at, Enrolled: at}
	if !m.Used.IsZero() {
		b.Used = m.Used.UTC().Format(timeFormat)
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

// methodID reads the id of a method as it stands in a path: its bar comes escaped or not.
func methodID(escaped string) (string, bool) {
	id, err := url.PathUnescape(escaped)
	if err != nil || id == "" || len(id) > 100 {
		return "", false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '|':
		default:
			return "", false
		}
	}
	return id, true
}

func invalidMethodID() *apiError {
	return &apiError{
		status: http.StatusBadRequest, code: "invalid_uri",
		message: "Path validation error: 'must be 1 to 100 letters, digits, |, _ or -' on property authentication_method_id",
	}
}

func inexistentMethod() *apiError {
	return &apiError{status: http.StatusNotFound, code: "inexistent_authentication_method", message: "Authentication method not found"}
}

// methods returns the methods of the person of a call. The password is not one of them: PATCH /users/{id} and
// the one-time link are its ways.
func (h *Handler) methods(c *call) ([]methodBody, *apiError) {
	if _, err := h.Store.User(c.r.Context(), c.id); err != nil {
		return nil, h.failed(c, err)
	}
	rows, err := h.Store.Methods(c.r.Context(), c.id)
	if err != nil {
		return nil, h.down(c, "list methods", err)
	}
	list := make([]methodBody, len(rows))
	for i, m := range rows {
		if list[i], err = newMethodBody(m); err != nil {
			return nil, h.down(c, "read method", err)
		}
	}
	return list, nil
}

// listMethods is GET /users/{id}/authentication-methods. With totals the list is called authenticators, as
// in the vendor's API.
func (h *Handler) listMethods(c *call) *apiError {
	p, e := readPaging(c.r.URL.Query())
	if e != nil {
		return e
	}
	list, e := h.methods(c)
	if e != nil {
		return e
	}
	return answerList(h, c, p, "authenticators", window(list, p), len(list))
}

// getMethod is GET /users/{id}/authentication-methods/{method id}.
func (h *Handler) getMethod(c *call) *apiError {
	list, e := h.methods(c)
	if e != nil {
		return e
	}
	i := slices.IndexFunc(list, func(m methodBody) bool { return m.ID == c.inner })
	if i < 0 {
		return inexistentMethod()
	}
	return h.answerJSON(c, http.StatusOK, list[i])
}

// Second reports whether a method is of use beside another one only: the app and the recovery code, and not
// the passkey, which signs in by itself.
func Second(m store.Method) bool { return m.Type != store.MethodPasskey }

// takeMethod is DELETE /users/{id}/authentication-methods/{method id}. An administrator may take a person's
// last way to sign in: a one-time link leads back.
func (h *Handler) takeMethod(c *call) *apiError {
	taken, e := h.take(c, func(m store.Method) bool { return m.ID == c.inner })
	if e == nil && taken == 0 {
		return inexistentMethod()
	}
	return e
}

// takeMethods is DELETE /users/{id}/authentication-methods: all but the password.
func (h *Handler) takeMethods(c *call) *apiError {
	_, e := h.take(c, func(store.Method) bool { return true })
	return e
}

// takeSeconds is DELETE /users/{id}/authenticators, the vendor's older name for all second factors.
func (h *Handler) takeSeconds(c *call) *apiError {
	_, e := h.take(c, Second)
	return e
}

// take removes methods and answers, unless there was none. The person stays signed in; no browser counts as
// signed in by more than a password any more, so that what asks for a second factor asks anew. That is our
// choice: who lost a phone is not thrown out, and who must be is blocked.
func (h *Handler) take(c *call, which func(store.Method) bool) (int, *apiError) {
	var taken []store.Method
	err := h.change(c, func(a *act) (err error) {
		if err := a.mayUser(c.r.Context(), c.id); err != nil {
			return err
		}
		taken, err = a.TakeMethods(c.r.Context(), c.id, which)
		return err
	})
	if err != nil {
		return 0, h.failed(c, err)
	}
	for _, m := range taken {
		h.audit(c, "lost "+m.ID, c.id)
		h.record(c, store.Event{Type: store.EventRemoved, UserID: c.id, Description: TakenText(m, c.token.Subject)})
	}
	if len(taken) > 0 || c.inner == "" {
		c.WriteHeader(http.StatusNoContent)
	}
	return len(taken), nil
}

// TakenText is what the sign-in log says of a method that an administrator took.
func TakenText(m store.Method, by string) string { return m.ID + " was taken by " + by }
