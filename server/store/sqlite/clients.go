package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"github.com/formgraph/formgraph/server/store"
)

// words is a list kept as a JSON array.
type words []string

// Value writes the list; nil is the empty list.
func (w words) Value() (driver.Value, error) {
	if w == nil {
		return "[]", nil
	}
	b, err := json.Marshal([]string(w))
	return string(b), err
}

// Scan reads the list back; the empty list is nil.
func (w *words) Scan(v any) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("read list: have %T, want text", v)
	}
	*w = nil
	if s == "[]" {
		return nil
	}
	return json.Unmarshal([]byte(s), (*[]string)(w))
}

// Client implements store.Clients.
func (d *DB) Client(ctx context.Context, id string) (store.Client, error) {
	var c store.Client
	var created, since int64
	err := d.kept.client.QueryRowContext(ctx, id).Scan(
		&c.ID, &c.Name, &c.SecretHash, &c.Public, &c.FirstParty, &c.Global, (*words)(&c.GrantTypes),
		(*words)(&c.Callbacks), (*words)(&c.LogoutURLs), &created, &since)
	if err != nil {
		return store.Client{}, translate(err, "get client")
	}
	c.Created, c.SecretSince = instant(created), instant(since)
	return c, nil
}

// PutClient implements store.Clients.
func (d *DB) PutClient(ctx context.Context, c store.Client) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO clients (id, name, secret_hash, public, first_party, global,
		grant_types, callbacks, logout_urls, created, secret_since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, secret_hash = excluded.secret_hash,
		public = excluded.public, first_party = excluded.first_party, global = excluded.global,
		grant_types = excluded.grant_types, callbacks = excluded.callbacks, logout_urls = excluded.logout_urls,
		secret_since = excluded.secret_since`,
		c.ID, c.Name, c.SecretHash, c.Public, c.FirstParty, c.Global, words(c.GrantTypes),
		words(c.Callbacks), words(c.LogoutURLs), millis(c.Created), millis(c.SecretSince))
	return translate(err, "put client")
}

// ClientGrant implements store.Clients.
func (d *DB) ClientGrant(ctx context.Context, clientID, apiID string, subject store.SubjectType) ([]string, error) {
	var scopes []string
	err := d.read.QueryRowContext(ctx, `SELECT scopes FROM client_grants WHERE client_id = ? AND api_id = ? AND subject = ?`,
		clientID, apiID, string(subject)).Scan((*words)(&scopes))
	return scopes, translate(err, "get client grant")
}

// PutClientGrant implements store.Clients.
func (d *DB) PutClientGrant(ctx context.Context, clientID, apiID string, subject store.SubjectType, scopes []string) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO client_grants (client_id, api_id, subject, scopes) VALUES (?, ?, ?, ?)
		ON CONFLICT (client_id, api_id, subject) DO UPDATE SET scopes = excluded.scopes`,
		clientID, apiID, string(subject), words(scopes))
	return translate(err, "put client grant")
}

// API implements store.APIs.
func (d *DB) API(ctx context.Context, audience string) (store.API, error) {
	var a store.API
	err := d.read.QueryRowContext(ctx, `SELECT id, identifier, name, scopes, user_policy, client_policy FROM apis
		WHERE identifier = ?`, audience).Scan(&a.ID, &a.Identifier, &a.Name, (*words)(&a.Scopes), &a.UserPolicy, &a.ClientPolicy)
	if err != nil {
		return store.API{}, translate(err, "get API")
	}
	return a, nil
}

// PutAPI implements store.APIs.
func (d *DB) PutAPI(ctx context.Context, a store.API) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO apis (id, identifier, name, scopes, user_policy, client_policy)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET identifier = excluded.identifier, name = excluded.name,
		scopes = excluded.scopes, user_policy = excluded.user_policy, client_policy = excluded.client_policy`,
		a.ID, a.Identifier, a.Name, words(a.Scopes), string(a.UserPolicy), string(a.ClientPolicy))
	return translate(err, "put API")
}
