package sqlite

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// clientColumns are the columns that rows.Client reads.
const clientColumns = `id, name, description, app_type, auth_method, secret_hash, public, first_party, global, grant_types,
	callbacks, logout_urls, created, secret_since, backchannel_uri, require_pushed, require_dpop, allowed_origins, web_origins`

// These statements run for every request.
const (
	clientByID    = `SELECT ` + clientColumns + ` FROM clients WHERE id = ?`
	originListed  = `SELECT EXISTS (SELECT 1 FROM client_origins WHERE origin = ?)`
	scopesOfGrant = `SELECT scopes FROM client_grants WHERE client_id = ? AND api_id = ? AND subject = ?`
)

// clients implements store.Clients.
type clients struct{ *runner }

func (d clients) Client(ctx context.Context, id string) (store.Client, error) {
	return one(ctx, d.runner, "get client", rows.Client, clientByID, id)
}

func (d clients) CreateClient(ctx context.Context, c store.Client) error {
	return d.exec(ctx, "create client", `INSERT INTO clients (`+clientColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.ID, c.Name, c.Description, c.AppType, c.AuthMethod, c.SecretHash, c.Public, c.FirstParty, c.Global, rows.Words(c.GrantTypes),
		rows.Words(c.Callbacks), rows.Words(c.LogoutURLs), rows.Millis(c.Created), rows.Millis(c.SecretSince),
		c.BackchannelURI, c.RequirePushed, c.RequireDPoP, rows.Words(c.AllowedOrigins), rows.Words(c.WebOrigins))
}

func (d clients) UpdateClient(ctx context.Context, id string, change func(*store.Client) error) (store.Client, error) {
	read := func(tx *runner) (store.Client, error) { return clients{tx}.Client(ctx, id) }
	return update(ctx, d.runner, "update client", read, change, func(old store.Client, c *store.Client) (string, []any) {
		rows.KeepClient(old, c)
		args := []any{
			c.Name, c.Description, c.AppType, c.AuthMethod, c.Public, c.FirstParty, rows.Words(c.GrantTypes),
			rows.Words(c.Callbacks), rows.Words(c.LogoutURLs), c.BackchannelURI, c.RequirePushed, c.RequireDPoP,
			rows.Words(c.AllowedOrigins), rows.Words(c.WebOrigins), id,
		}
		return `UPDATE clients SET name = ?, description = ?, app_type = ?, auth_method = ?, public = ?, first_party = ?, grant_types = ?,
			callbacks = ?, logout_urls = ?, backchannel_uri = ?, require_pushed = ?, require_dpop = ?,
			allowed_origins = ?, web_origins = ? WHERE id = ?`, args
	})
}

func (d clients) SetClientSecret(ctx context.Context, id string, hash []byte, since time.Time) error {
	return d.must(ctx, "set client secret", `UPDATE clients SET secret_hash = ?, secret_since = ? WHERE id = ?`, hash, rows.Millis(since), id)
}

func (d clients) SetClientGlobal(ctx context.Context, id string, global bool) error {
	return d.must(ctx, "set global", `UPDATE clients SET global = ? WHERE id = ?`, global, id)
}

func (d clients) ListClients(ctx context.Context, f store.Find, offset, limit int) ([]store.Client, int, error) {
	return list(ctx, d.runner, listing[store.Client]{
		name: store.ListOfClients, scan: rows.Client, columns: clientColumns, from: `clients`,
		search: lines("name", "description", "id"), order: []string{"created", "id"},
	}, f, offset, limit)
}

func (d clients) OriginListed(ctx context.Context, origin string) (bool, error) {
	return one(ctx, d.runner, "find origin", rows.Value[bool], originListed, origin)
}

// DeleteClient implements store.Clients. Foreign keys delete its grants and families.
func (d clients) DeleteClient(ctx context.Context, id string) error {
	return d.must(ctx, "delete client", `DELETE FROM clients WHERE id = ?`, id)
}

func (d clients) ClientGrant(ctx context.Context, clientID, apiID string, subject store.SubjectType) ([]string, error) {
	return one(ctx, d.runner, "get client grant", rows.Scopes, scopesOfGrant, clientID, apiID, string(subject))
}

// newGrantID is the SQL expression for the ID of a new grant: 28 characters.
const newGrantID = `'cgr_' || lower(hex(randomblob(12)))`

const grantColumns = `id, client_id, api_id, subject, scopes`

func (d clients) CreateClientGrant(ctx context.Context, g store.ClientGrant) (store.ClientGrant, error) {
	err := d.write.QueryRowContext(ctx, `INSERT INTO client_grants (`+grantColumns+`) VALUES (`+newGrantID+`, ?, ?, ?, ?) RETURNING id`,
		g.ClientID, g.APIID, string(g.Subject), rows.Words(g.Scopes)).Scan(&g.ID)
	return g, translate(err, "create client grant")
}

func (d clients) ClientGrantByID(ctx context.Context, id string) (store.ClientGrant, error) {
	return one(ctx, d.runner, "get client grant", rows.ClientGrant, `SELECT `+grantColumns+` FROM client_grants WHERE id = ?`, id)
}

func (d clients) UpdateClientGrant(ctx context.Context, id string, change func(*store.ClientGrant) error) (store.ClientGrant, error) {
	read := func(tx *runner) (store.ClientGrant, error) { return clients{tx}.ClientGrantByID(ctx, id) }
	return update(ctx, d.runner, "update client grant", read, change, func(old store.ClientGrant, g *store.ClientGrant) (string, []any) {
		rows.KeepClientGrant(old, g)
		return `UPDATE client_grants SET scopes = ? WHERE id = ?`, []any{rows.Words(g.Scopes), id}
	})
}

func (d clients) ListClientGrants(ctx context.Context, f store.GrantFilter, offset, limit int) ([]store.ClientGrant, int, error) {
	return list(ctx, d.runner, listing[store.ClientGrant]{
		name: store.ListOfGrants, scan: rows.ClientGrant, columns: grantColumns, from: `client_grants`,
		where: `?1 IN ('', client_id) AND ?2 IN ('', api_id) AND ?3 IN ('', subject)`, order: []string{"client_id", "api_id", "subject"},
		search: lines("client_id", `(SELECT c.name FROM clients c WHERE c.id = client_id)`,
			`(SELECT a.name || char(10) || a.identifier FROM apis a WHERE a.id = api_id)`),
	}, f.Find, offset, limit, f.ClientID, f.APIID, string(f.Subject))
}

func (d clients) DeleteClientGrant(ctx context.Context, id string) error {
	return d.must(ctx, "delete client grant", `DELETE FROM client_grants WHERE id = ?`, id)
}
