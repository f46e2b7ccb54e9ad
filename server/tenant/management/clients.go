package management

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Authentication methods of clients at the token endpoint. RFC 7591, section 2.
const (
	authNone = "none"
	authPost = "client_secret_post"
)

// clientTable is the body of POST /clients. Other properties of the vendor's API are refused and not silently dropped, since many of them
// concern security.
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
	Secret      string   `json:"client_secret,omitempty"` // only when it was just created
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	AppType     string   `json:"app_type,omitempty"`
	GrantTypes  []string `json:"grant_types"`
	Callbacks   []string `json:"callbacks"`
	LogoutURLs  []string `json:"allowed_logout_urls"`
	AuthMethod  string   `json:"token_endpoint_auth_method"`
	FirstParty  bool     `json:"is_first_party"`
	Global      bool     `json:"global"`
	Reserved    bool     `json:"is_reserved"` // ours: the tenant manages it itself
	Created     string   `json:"created_at"`

	Logout        logoutBody `json:"oidc_logout"`
	RequirePushed bool       `json:"require_pushed_authorization_requests"`
	RequireProof  bool       `json:"require_proof_of_possession"`

	AllowedOrigins []string `json:"allowed_origins"`
	WebOrigins     []string `json:"web_origins"`

	SecretSince string `json:"secret_since,omitempty"` // ours
}

// body returns a client for an answer, with its secret if that was just created.
func (k clients) body(made clientRow) clientBody {
	c := made.Client
	b := clientBody{
		ID: c.ID, Secret: made.secret, Name: c.Name, Description: c.Description, AppType: c.AppType, GrantTypes: some(c.GrantTypes),
		Callbacks: some(c.Callbacks), LogoutURLs: some(c.LogoutURLs), AuthMethod: c.AuthMethod, FirstParty: c.FirstParty,
		Global: c.Global, Reserved: slices.Contains(k.h.Reserved, c.ID), Created: api.Time(c.Created),
		RequirePushed: c.RequirePushed, RequireProof: c.RequireDPoP, Logout: logoutBody{Channels: []string{}},
		AllowedOrigins: some(c.AllowedOrigins), WebOrigins: some(c.WebOrigins),
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
		b.SecretSince = api.Time(c.SecretSince)
	}
	return b
}

// clientRow is a client, and its secret in clear text if that was just created.
type clientRow struct {
	store.Client

	secret string
}

// clients implements /clients.
type clients struct {
	*rows[clientRow, clientBody]
}

func newClients(h *Handler) clients {
	k := clients{&rows[clientRow, clientBody]{
		resource: resource{h, "client", "/clients"},
		list: func(ctx context.Context, f store.Find, offset, limit int) ([]clientRow, int, error) {
			page, total, err := h.Store.ListClients(ctx, f, offset, limit)
			return bodiesOf(page, func(c store.Client) clientRow { return clientRow{Client: c} }), total, err
		},
		get: func(ctx context.Context, id string) (clientRow, error) {
			c, err := h.Store.Client(ctx, id)
			return clientRow{Client: c}, err
		},
		table: clientTable(), patch: optional(clientTable()), check: oneChannel,
		id: func(c clientRow) string { return c.ID },
	}}
	k.bodies, k.create, k.update, k.remove = each(k.body), k.make, k.change, k.drop
	return k
}

func (k clients) routes() api.Routes {
	routes := k.rows.routes()
	routes[k.path+"/{id}/rotate-secret"] = map[string]api.Operation{http.MethodPost: {Scope: "update:client_keys", Do: k.rotate}}
	return routes
}

// NewClient returns the client that POST /clients would create from a body, with its secret in clear text. The error describes the faults
// of the body.
func NewClient(o *schema.Object, now time.Time) (row store.Client, secret string, err error) {
	if ps := schema.Check(clientTable(), o); len(ps) > 0 {
		return store.Client{}, "", ps
	}
	row, secret = newClient(o, now)
	return row, secret, nil
}

// newClient returns the client that POST /clients creates from a checked body, with its secret in clear text, or "" for a public client. A
// client that names no grants gets those of its kind; one that runs in a browser or on a device has no secret. Clients of administrators
// are first-party unless they say otherwise, as in the vendor's API.
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
	row.Global = flag(o, "global", false)
	if row = changeClient(row, o); row.Public {
		return row, ""
	}
	secret = tokens.NewSecret()
	row.SecretHash = tokens.Hash(secret)
	return row, secret
}

// changeClient sets the members of a checked body in a client, except global.
func changeClient(row store.Client, o *schema.Object) store.Client {
	for key, to := range map[string]*string{
		"name": &row.Name, "description": &row.Description, "app_type": &row.AppType, "token_endpoint_auth_method": &row.AuthMethod,
	} {
		if o.Has(key) {
			*to = o.Text(key)
		}
	}
	for key, to := range map[string]*[]string{
		"grant_types": &row.GrantTypes, "callbacks": &row.Callbacks, "allowed_logout_urls": &row.LogoutURLs,
		keyAllowed: &row.AllowedOrigins, keyWeb: &row.WebOrigins,
	} {
		if o.Has(key) {
			*to = strs(o.List(key))
		}
	}
	row = changeOptions(row, o)
	row.FirstParty = flag(o, "is_first_party", row.FirstParty)
	if row.AuthMethod != "" {
		row.Public = row.AuthMethod == authNone
	}
	return row
}

// ErrPublic is returned for a client that has no secret.
var ErrPublic = errors.New("a public client has no secret")

// RotateSecret gives a client a new secret inside a transaction, and returns the client and the secret in clear text, which is stored
// nowhere. The old secret ends at once. It returns ErrPublic for a public client, and store.ErrNotFound if there is no such client.
func RotateSecret(ctx context.Context, rows store.Access, id string, now time.Time) (store.Client, string, error) {
	row, err := rows.Client(ctx, id)
	if err != nil {
		return row, "", err
	}
	if row.Public {
		return row, "", ErrPublic
	}
	secret := tokens.NewSecret()
	if err := rows.SetClientSecret(ctx, id, tokens.Hash(secret), now); err != nil {
		return row, "", err
	}
	row, err = rows.Client(ctx, id)
	return row, secret, err
}

func (k clients) make(ctx context.Context, o *schema.Object) func(*act) (clientRow, error) {
	row, secret := newClient(o, k.h.Now())
	return func(a *act) (clientRow, error) {
		if err := a.mayOpen(ctx, row); err != nil {
			return clientRow{}, err
		}
		return clientRow{row, secret}, a.CreateClient(ctx, row)
	}
}

// may refuses changes to a client that can do more than the caller may do, and to one that the tenant manages itself: such changes would be
// lost at the next start, and until then the editor could not sign anybody in.
func (k clients) may(ctx context.Context, a *act, id string) error {
	if slices.Contains(k.h.Reserved, id) {
		return notSupported("The tenant manages this client itself: it cannot be changed")
	}
	return a.mayClient(ctx, id)
}

// change writes the members of a checked body, and changes nothing else of the client except its secret: a client that now needs one gets
// it, and one that must not have one loses it.
func (k clients) change(ctx context.Context, a *act, id string, o *schema.Object) (clientRow, error) {
	if err := k.may(ctx, a, id); err != nil {
		return clientRow{}, err
	}
	row, err := a.UpdateClient(ctx, id, func(c *store.Client) error { *c = changeClient(*c, o); return nil })
	if err != nil {
		return clientRow{}, err
	}
	if err := a.mayOpen(ctx, row); err != nil {
		return clientRow{}, err
	}
	if o.Has("global") {
		if err := a.SetClientGlobal(ctx, id, flag(o, "global", false)); err != nil {
			return clientRow{}, err
		}
	}
	secret := ""
	switch has := len(row.SecretHash) > 0; {
	case has && row.Public:
		err = a.SetClientSecret(ctx, id, nil, row.SecretSince)
	case !has && !row.Public:
		_, secret, err = RotateSecret(ctx, a, id, k.h.Now())
	}
	if err != nil {
		return clientRow{}, err
	}
	row, err = a.Client(ctx, id)
	return clientRow{row, secret}, err
}

func (k clients) drop(c *api.Call, a *act) error {
	if c.ID() == c.Token.ClientID {
		return notSupported("A client cannot delete itself")
	}
	if err := k.may(c.Context(), a, c.ID()); err != nil {
		return err
	}
	return a.DeleteClient(c.Context(), c.ID())
}

// rotate is POST /clients/{id}/rotate-secret: the old secret ends at once.
func (k clients) rotate(c *api.Call) *api.Error {
	var made clientRow
	err := k.h.change(c, func(a *act) (err error) {
		if err := k.may(c.Context(), a, c.ID()); err != nil {
			return err
		}
		if made.Client, made.secret, err = RotateSecret(c.Context(), a, c.ID(), k.h.Now()); errors.Is(err, ErrPublic) {
			err = notSupported("A public client has no secret")
		}
		return err
	})
	if err != nil {
		return k.failed(c, err)
	}
	k.audit(c, "secret rotated", made.ID, "")
	return k.answer(c, http.StatusOK, made)
}
