package account

import (
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/factor"
)

// timeFormat is how dates are written: RFC 3339 with milliseconds, in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z"

// typePassword is the type of the password, which is not a row but a hash of the person.
const typePassword store.MethodType = "password"

// passwordID is the id of a person's password. There is one at most, so it needs no random part.
const passwordID = string(typePassword) + "|own"

// method is one authentication method on the wire. Members as in the vendor's public API.
type method struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Name      string   `json:"name,omitempty"`
	Usage     []string `json:"usage"`
	Confirmed bool     `json:"confirmed"` // always: nothing is kept that was not proven
	Created   string   `json:"created_at,omitempty"`
	Used      string   `json:"last_auth_at,omitempty"`

	KeyID      string   `json:"key_id,omitempty"`     // of a passkey, base64url as the others
	PublicKey  string   `json:"public_key,omitempty"` // COSE
	AAGUID     string   `json:"aaguid,omitempty"`
	Transports []string `json:"transports,omitempty"`
	Device     string   `json:"credential_device_type,omitempty"` // single_device or multi_device
	BackedUp   *bool    `json:"credential_backed_up,omitempty"`
	RPID       string   `json:"relying_party_id,omitempty"`
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeFormat)
}

// view is a method as its owner sees it, without what proves.
func (h *Handler) view(m store.Method) (method, error) {
	v := method{
		ID: m.ID, Type: string(m.Type), Name: m.Name, Usage: usage(m.Type), Confirmed: true, Created: stamp(m.Created), Used: stamp(m.Used),
	}
	if m.Type != store.MethodPasskey {
		return v, nil
	}
	p, err := factor.ReadPasskey(m.Data)
	if err != nil {
		return method{}, err
	}
	b64 := base64.RawURLEncoding
	v.KeyID, v.PublicKey, v.AAGUID = b64.EncodeToString(m.Key), b64.EncodeToString(p.PublicKey), b64.EncodeToString(p.AAGUID)
	v.Transports, v.BackedUp, v.Device = p.Transports, &p.BackedUp, "single_device"
	if p.Synced {
		v.Device = "multi_device"
	}
	if h.passkeys != nil {
		v.RPID = h.passkeys.ID()
	}
	return v, nil
}

// all returns the methods of the person of a call, the password first.
func (h *Handler) all(c *call) ([]method, *apiError) {
	ms, err := h.Store.Methods(c.r.Context(), c.user.ID)
	if err != nil {
		return nil, h.down(c, "list methods", err)
	}
	out := []method{}
	if c.user.PasswordHash != "" {
		out = append(out, method{ID: passwordID, Type: string(typePassword), Usage: usage(typePassword), Confirmed: true})
	}
	for _, m := range ms {
		v, err := h.view(m)
		if err != nil {
			return nil, h.down(c, "read method", err)
		}
		out = append(out, v)
	}
	return out, nil
}

// factors is GET /factors: what can be enrolled here.
func (h *Handler) factors(c *call) *apiError {
	type factor struct {
		Type  string   `json:"type"`
		Usage []string `json:"usage"`
	}
	out := []factor{}
	for _, k := range h.kinds {
		out = append(out, factor{string(k.of), usage(k.of)})
	}
	return answer(c, http.StatusOK, map[string]any{"factors": out})
}

// usage reports whether a method signs in by itself or beside another one.
func usage(t store.MethodType) []string {
	if t == typePassword || t == store.MethodPasskey {
		return []string{"primary"}
	}
	return []string{"secondary"}
}

// listMethods is GET /authentication-methods, all or those of one type.
func (h *Handler) listMethods(c *call) *apiError {
	out, e := h.all(c)
	if e != nil {
		return e
	}
	if t := c.r.URL.Query().Get("type"); t != "" {
		out = slices.DeleteFunc(out, func(m method) bool { return m.Type != t })
	}
	return answer(c, http.StatusOK, map[string]any{"authentication_methods": out})
}

// getMethod is GET /authentication-methods/{id}.
func (h *Handler) getMethod(c *call) *apiError {
	out, e := h.all(c)
	if e != nil {
		return e
	}
	i := slices.IndexFunc(out, func(m method) bool { return m.ID == c.id })
	if i < 0 {
		return notFound()
	}
	return answer(c, http.StatusOK, out[i])
}

// renameMethod is PATCH /authentication-methods/{id}: the name is all that can be changed. An empty one
// is none.
func (h *Handler) renameMethod(c *call) *apiError {
	o, e := read(c, schema.Table{{Name: "name", Spec: schema.String{Max: maxName}, Required: true}})
	if e != nil {
		return e
	}
	if c.id == passwordID {
		return conflict("A password has no name")
	}
	name := strings.TrimSpace(o.Text("name"))
	err := h.Store.RenameMethod(c.r.Context(), c.user.ID, c.id, name)
	if errors.Is(err, store.ErrNotFound) {
		return notFound()
	}
	if err != nil {
		return h.down(c, "rename method", err)
	}
	h.audit(c, "method renamed", slog.String("method", c.id))
	return h.getMethod(c)
}

// maxName is the length of a method's name in characters: a line of a list.
const maxName = 100

// errLast is returned when a person would be locked out.
var errLast = errors.New("it is the last way to sign in")

// keepWayIn refuses a change after which nobody could sign in as the person.
func keepWayIn(u store.User, left []store.Method) error {
	passkey := func(m store.Method) bool { return m.Type == store.MethodPasskey }
	if u.PasswordHash == "" && !slices.ContainsFunc(left, passkey) {
		return errLast
	}
	return nil
}

// deleteMethod is DELETE /authentication-methods/{id}.
func (h *Handler) deleteMethod(c *call) *apiError {
	var err error
	switch {
	case c.id != passwordID:
		err = h.Store.DeleteMethod(c.r.Context(), c.user.ID, c.id, keepWayIn)
	case c.user.PasswordHash == "":
		return notFound()
	default:
		err = h.Store.SetPassword(c.r.Context(), c.user.ID, "", keepWayIn)
	}
	switch {
	case errors.Is(err, errLast):
		return conflict("It is the last way to sign in, enrol another one first")
	case errors.Is(err, store.ErrNotFound):
		return notFound()
	case err != nil:
		return h.down(c, "delete method", err)
	}
	h.audit(c, "method deleted", slog.String("method", c.id))
	h.record(c, store.EventRemoved, c.id+" was removed by the person")
	return done(c)
}
