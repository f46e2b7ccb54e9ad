package postgres

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// clientColumns are the columns that rows.Client reads.
const clientColumns = `id, name, description, app_type, auth_method, secret_hash, public, first_party, global, grant_types,
	callbacks, logout_urls, created, secret_since, backchannel_uri, require_pushed, require_dpop, allowed_origins, web_origins`

const clientByID = `SELECT ` + clientColumns + ` FROM clients WHERE id = $1`

// clients implements store.Clients.
type clients struct{ *runner }

func (d clients) Client(ctx context.Context, id string) (store.Client, error) {
	return one(ctx, d.runner, "get client", rows.Client, clientByID, id)
}

// foldedClient returns the columns folded and folded_name.
func foldedClient(c store.Client) (folded, name string) {
	return fold(c.Name, c.Description, c.ID), fold(c.Name, c.ID)
}

func (d clients) CreateClient(ctx context.Context, c store.Client) error {
	folded, name := foldedClient(c)
	return d.exec(ctx, "create client", `INSERT INTO clients (`+clientColumns+`, folded, folded_name)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
		c.ID, c.Name, c.Description, c.AppType, c.AuthMethod, c.SecretHash, c.Public, c.FirstParty, c.Global, rows.Words(c.GrantTypes),
		rows.Words(c.Callbacks), rows.Words(c.LogoutURLs), rows.Millis(c.Created), rows.Millis(c.SecretSince),
		c.BackchannelURI, c.RequirePushed, c.RequireDPoP, rows.Words(c.AllowedOrigins), rows.Words(c.WebOrigins), folded, name)
}

func (d clients) UpdateClient(ctx context.Context, id string, change func(*store.Client) error) (store.Client, error) {
	keep := func(old store.Client, c *store.Client) (string, []any) {
		rows.KeepClient(old, c)
		folded, name := foldedClient(*c)
		args := []any{
			id, c.Name, c.Description, c.AppType, c.AuthMethod, c.Public, c.FirstParty, rows.Words(c.GrantTypes),
			rows.Words(c.Callbacks), rows.Words(c.LogoutURLs), c.BackchannelURI, c.RequirePushed, c.RequireDPoP,
			rows.Words(c.AllowedOrigins), rows.Words(c.WebOrigins), folded, name,
		}
		return `UPDATE clients SET name = $2, description = $3, app_type = $4, auth_method = $5, public = $6, first_party = $7,
			grant_types = $8, callbacks = $9, logout_urls = $10, backchannel_uri = $11, require_pushed = $12, require_dpop = $13,
			allowed_origins = $14, web_origins = $15, folded = $16, folded_name = $17 WHERE id = $1`, args
	}
	return update(ctx, d.runner, "update client", rows.Client, clientByID, id, change, keep)
}

func (d clients) SetClientSecret(ctx context.Context, id string, hash []byte, since time.Time) error {
	return d.must(ctx, "set client secret", `UPDATE clients SET secret_hash = $2, secret_since = $3 WHERE id = $1`,
		id, hash, rows.Millis(since))
}

func (d clients) SetClientGlobal(ctx context.Context, id string, global bool) error {
	return d.must(ctx, "set global", `UPDATE clients SET global = $2 WHERE id = $1`, id, global)
}

func (d clients) ListClients(ctx context.Context, f store.Find, offset, limit int) ([]store.Client, int, error) {
	return list(ctx, d.runner, listing[store.Client]{
		name: store.ListOfClients, scan: rows.Client, columns: clientColumns, from: `clients`,
		search: "folded", order: []string{"created", "id"}, number: milliseconds,
	}, f, offset, limit)
}

// OriginListed implements store.Clients. Each list has an index of its words.
func (d clients) OriginListed(ctx context.Context, origin string) (bool, error) {
	return one(ctx, d.runner, "find origin", rows.Value[bool],
		`SELECT EXISTS (SELECT FROM clients WHERE allowed_origins ? $1 OR web_origins ? $1)`, origin)
}

// DeleteClient implements store.Clients. Foreign keys delete its grants and families.
func (d clients) DeleteClient(ctx context.Context, id string) error {
	return d.must(ctx, "delete client", `DELETE FROM clients WHERE id = $1`, id)
}

const grantColumns = `id, client_id, api_id, subject, scopes`

const grantByID = `SELECT ` + grantColumns + ` FROM client_grants WHERE id = $1`

func (d clients) ClientGrant(ctx context.Context, clientID, apiID string, subject store.SubjectType) ([]string, error) {
	return one(ctx, d.runner, "get client grant", rows.Scopes,
		`SELECT scopes FROM client_grants WHERE client_id = $1 AND api_id = $2 AND subject = $3`, clientID, apiID, string(subject))
}

func (d clients) CreateClientGrant(ctx context.Context, g store.ClientGrant) (store.ClientGrant, error) {
	g.ID = newGrantID()
	err := d.exec(ctx, "create client grant", `INSERT INTO client_grants (`+grantColumns+`) VALUES ($1, $2, $3, $4, $5)`,
		g.ID, g.ClientID, g.APIID, string(g.Subject), rows.Words(g.Scopes))
	return g, err
}

// newGrantID returns the ID of a new grant: 28 characters.
func newGrantID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // it never fails
	return "cgr_" + hex.EncodeToString(b[:])
}

func (d clients) ClientGrantByID(ctx context.Context, id string) (store.ClientGrant, error) {
	return one(ctx, d.runner, "get client grant", rows.ClientGrant, grantByID, id)
}

func (d clients) UpdateClientGrant(ctx context.Context, id string, change func(*store.ClientGrant) error) (store.ClientGrant, error) {
	return update(ctx, d.runner, "update client grant", rows.ClientGrant, grantByID, id, change,
		func(old store.ClientGrant, g *store.ClientGrant) (string, []any) {
			rows.KeepClientGrant(old, g)
			return `UPDATE client_grants SET scopes = $2 WHERE id = $1`, []any{id, rows.Words(g.Scopes)}
		})
}

func (d clients) ListClientGrants(ctx context.Context, f store.GrantFilter, offset, limit int) ([]store.ClientGrant, int, error) {
	return list(ctx, d.runner, listing[store.ClientGrant]{
		name: store.ListOfGrants, scan: rows.ClientGrant, columns: grantColumns, from: `client_grants`,
		where: `$1 IN ('', client_id) AND $2 IN ('', api_id) AND $3 IN ('', subject)`, order: []string{"client_id", "api_id", "subject"},
		search: `((SELECT c.folded_name FROM clients c WHERE c.id = client_id) || E'\n' ||
			(SELECT a.folded_name FROM apis a WHERE a.id = api_id))`,
	}, f.Find, offset, limit, f.ClientID, f.APIID, string(f.Subject))
}

func (d clients) DeleteClientGrant(ctx context.Context, id string) error {
	return d.must(ctx, "delete client grant", `DELETE FROM client_grants WHERE id = $1`, id)
}
