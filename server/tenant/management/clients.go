package management

import (
	"net/http"
	"slices"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Ways of a client to prove itself at the token endpoint. RFC 7591, section 2.
const (
	authNone = "none"
	authPost = "client_secret_post"
)

// clientTable is the body of POST /clients. Contract, section 3; other properties of the vendor's API
// are refused rather than dropped in silence, since many of them are about security.
func clientTable() schema.Table {
	return append(schema.Table{
		{Name: "name", Spec: schema.String{Min: 1, Max: 150}, Required: true},
		{Name: "description", Spec: schema.String{Max: 500}},
		{Name: "app_type", Spec: schema.Enum{"native", "spa", "regular_web", "non_interactive"}},
		{Name: "grant_types", Spec: schema.List{Item: schema.String{Min: 1, Max: 200}}},
		{Name: "callbacks", Spec: schema.List{Item: schema.String{Min: 1, Max: 2000, Format: addressFormat()}}},
		{Name: "allowed_logout_urls", Spec: schema.List{Item: schema.String{Min: 1, Max: 2000, Format: addressFormat()}}},
		{Name: "token_endpoint_auth_method", Spec: schema.Enum{authNone, authPost, "client_secret_basic"}},
		{Name: "is_first_party", Spec: schema.Bool{}},
		{Name: "global", Spec: schema.Bool{}},
	}, optionRows()...)
}

// clientBody is a client in an answer.
type clientBody struct {
	ID          string   `json:"client_id"`
	Secret      string   `json:"client_secret,omitempty"` // when it was just made, and never again
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	AppType     string   `json:"app_type,omitempty"`
	GrantTypes  []string `json:"grant_types"`
	Callbacks   []string `json:"callbacks"`
	LogoutURLs  []string `json:"allowed_logout_urls"`
	AuthMethod  string   `json:"token_endpoint_auth_method"`
	FirstParty  bool     `json:"is_first_party"`
	Global      bool     `json:"global"`
	Reserved    bool     `json:"is_reserved"` // ours: the tenant keeps it up itself
	Created     string   `json:"created_at"`

	Logout        logoutBody `json:"oidc_logout"`
	RequirePushed bool       `json:"require_pushed_authorization_requests"`
	RequireProof  bool       `json:"require_proof_of_possession"`

	SecretSince string `json:"secret_since,omitempty"` // ours
}

func (h *Handler) clientBody(c store.Client, secret string) clientBody {
	b := clientBody{
		ID: c.ID, Secret: secret, Name: c.Name, Description: c.Description, AppType: c.AppType, GrantTypes: some(c.GrantTypes),
		Callbacks: some(c.Callbacks), LogoutURLs: some(c.LogoutURLs), AuthMethod: c.AuthMethod, FirstParty: c.FirstParty,
		Global: c.Global, Reserved: slices.Contains(h.Reserved, c.ID), Created: c.Created.UTC().Format(timeFormat),
		RequirePushed: c.RequirePushed, RequireProof: c.RequireDPoP, Logout: logoutBody{Channels: []string{}},
	}
	if c.BackchannelURI != "" {
		b.Logout.Channels = append(b.Logout.Channels, c.BackchannelURI)
	}
	if b.AuthMethod == "" {
		b.AuthMethod = authPost
		if c.Public {
			b.AuthMethod = authNone
		}
	}
	if !c.Public {
		b.SecretSince = c.SecretSince.UTC().Format(timeFormat)
	}
	return b
}

// clients is /clients.
func (h *Handler) clients() *resource {
	return &resource{
		noun: "client", plural: "clients", prefix: "client_",
		list: map[string]operation{http.MethodGet: {"read", h.listClients}, http.MethodPost: {"create", h.createClient}},
		one: map[string]operation{
			http.MethodGet: {"read", h.getClient}, http.MethodPatch: {"update", h.patchClient}, http.MethodDelete: {"delete", h.deleteClient},
		},
		sub: map[string]map[string]operation{"rotate-secret": {http.MethodPost: {"update:client_keys", h.rotateSecret}}},
	}
}

func (h *Handler) listClients(c *call) *apiError {
	p, e := readPaging(c.r.URL.Query())
	if e != nil {
		return e
	}
	page, total, err := h.Store.ListClients(c.r.Context(), p.offset(), p.size)
	if err != nil {
		return h.down(c, "list clients", err)
	}
	list := make([]clientBody, len(page))
	for i, row := range page {
		list[i] = h.clientBody(row, "")
	}
	return answerList(h, c, p, "clients", list, total)
}

func (h *Handler) getClient(c *call) *apiError {
	row, err := h.Store.Client(c.r.Context(), c.id)
	if err != nil {
		return h.failed(c, err)
	}
	return h.answerJSON(c, http.StatusOK, h.clientBody(row, ""))
}

// NewClient returns a client as POST /clients makes it of a body, with its secret in clear. What is wrong
// with the body is the error.
func NewClient(o *schema.Object, now time.Time) (row store.Client, secret string, err error) {
	if ps := schema.Check(clientTable(), o); len(ps) > 0 {
		return store.Client{}, "", ps
	}
	row, secret = newClient(o, now)
	return row, secret, nil
}

// newClient returns a client as POST /clients makes it of a checked body, with its secret in clear, ""
// for a public one. A client that names no grants gets those of its kind; one that runs in a browser or
// on a device keeps no secret. Clients of administrators are first-party unless they say otherwise, as
// in the vendor's API.
func newClient(o *schema.Object, now time.Time) (row store.Client, secret string) {
	row = store.Client{ID: newID("client_"), FirstParty: true, AppType: "regular_web", Created: now, SecretSince: now}
	if t := o.Text("app_type"); t != "" {
		row.AppType = t
	}
	row.AuthMethod, row.GrantTypes = authPost, []string{"authorization_code", "refresh_token"}
	switch row.AppType {
	case "native", "spa":
		row.AuthMethod = authNone
	case "non_interactive":
		row.GrantTypes = []string{"client_credentials"}
	}
	return changeClient(row, o, now)
}

// changeClient puts the members of a checked body into a client. One that begins to need a secret gets
// a new one, and one that must not have one loses it.
func changeClient(row store.Client, o *schema.Object, now time.Time) (store.Client, string) {
	for key, to := range map[string]*string{
		"name": &row.Name, "description": &row.Description, "app_type": &row.AppType, "token_endpoint_auth_method": &row.AuthMethod,
	} {
		if o.Has(key) {
			*to = o.Text(key)
		}
	}
	for key, to := range map[string]*[]string{"grant_types": &row.GrantTypes, "callbacks": &row.Callbacks, "allowed_logout_urls": &row.LogoutURLs} {
		if o.Has(key) {
			*to = strs(o.List(key))
		}
	}
	row = changeOptions(row, o)
	row.FirstParty, row.Global = flag(o, "is_first_party", row.FirstParty), flag(o, "global", row.Global)
	if row.AuthMethod != "" {
		row.Public = row.AuthMethod == authNone
	}
	if row.Public {
		row.SecretHash = nil
		return row, ""
	}
	if len(row.SecretHash) > 0 {
		return row, ""
	}
	return NewSecret(row, now)
}

// NewSecret returns a client with a new secret, and the secret in clear: it is nowhere else.
func NewSecret(row store.Client, now time.Time) (store.Client, string) {
	secret := tokens.NewSecret()
	row.SecretHash, row.SecretSince = tokens.Hash(secret), now
	return row, secret
}

func (h *Handler) createClient(c *call) *apiError {
	o, e := fields(c, clientTable(), oneChannel)
	if e != nil {
		return e
	}
	row, secret := newClient(o, h.Now())
	if err := h.Store.PutClient(c.r.Context(), row); err != nil {
		return h.down(c, "create client", err)
	}
	h.audit(c, "created", row.ID)
	c.Header().Set("Location", c.r.URL.EscapedPath()+"/"+row.ID)
	return h.answerJSON(c, http.StatusCreated, h.clientBody(row, secret))
}

// ownClient returns the client of a path unless the tenant keeps it up itself: what is changed there
// would be gone at the next start, and the editor could not sign anybody in until then.
func (h *Handler) ownClient(c *call) (store.Client, *apiError) {
	row, err := h.Store.Client(c.r.Context(), c.id)
	if err != nil {
		return row, h.failed(c, err)
	}
	if slices.Contains(h.Reserved, c.id) {
		return row, notSupported("The tenant keeps this client up itself: it cannot be changed")
	}
	return row, nil
}

func (h *Handler) patchClient(c *call) *apiError {
	row, e := h.ownClient(c)
	if e != nil {
		return e
	}
	o, e := fields(c, optional(clientTable()), oneChannel)
	if e != nil {
		return e
	}
	row, secret := changeClient(row, o, h.Now())
	if err := h.Store.PutClient(c.r.Context(), row); err != nil {
		return h.failed(c, err)
	}
	h.audit(c, "updated", row.ID)
	return h.answerJSON(c, http.StatusOK, h.clientBody(row, secret))
}

func (h *Handler) deleteClient(c *call) *apiError {
	if _, e := h.ownClient(c); e != nil {
		return e
	}
	if c.id == c.token.ClientID {
		return notSupported("A client cannot delete itself")
	}
	if err := h.Store.DeleteClient(c.r.Context(), c.id); err != nil {
		return h.failed(c, err)
	}
	return h.gone(c)
}

// gone answers that a row was deleted.
func (h *Handler) gone(c *call) *apiError {
	h.audit(c, "deleted", c.id)
	c.WriteHeader(http.StatusNoContent)
	return nil
}

// rotateSecret is POST /clients/{id}/rotate-secret: the old secret ends at once.
func (h *Handler) rotateSecret(c *call) *apiError {
	row, e := h.ownClient(c)
	if e != nil {
		return e
	}
	if row.Public {
		return notSupported("A public client has no secret")
	}
	row, secret := NewSecret(row, h.Now())
	if err := h.Store.PutClient(c.r.Context(), row); err != nil {
		return h.failed(c, err)
	}
	h.audit(c, "secret rotated", row.ID)
	return h.answerJSON(c, http.StatusOK, h.clientBody(row, secret))
}
