package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// The statements of every request and every save. They are prepared once: a
// write empties the page cache of the connections that read, and to prepare a
// statement then reads the tables' definitions again, which took longer than to
// run it.
const (
	sessionByID = `SELECT data, version, created, seen FROM sessions WHERE id = ?`
	// clientColumns is what scanClient reads.
	clientColumns = `id, name, description, app_type, auth_method, secret_hash, public, first_party, global, grant_types,
		callbacks, logout_urls, created, secret_since, backchannel_uri, require_pushed, require_dpop, allowed_origins, web_origins`
	clientByID = `SELECT ` + clientColumns + ` FROM clients WHERE id = ?`
	userByID   = `SELECT ` + userColumns + ` FROM users u WHERE id = ?`
	apiByName  = `SELECT ` + apiColumns + ` FROM apis WHERE identifier = ?`
	familyLive = `SELECT EXISTS (SELECT 1 FROM families WHERE id = ? AND revoked = 0)`
	// holdsAll begins with those who hold the first scope, and asks of each only until a scope is not held.
	holdsAll = `SELECT EXISTS (SELECT 1 FROM users u WHERE NOT u.blocked
		AND (u.password_hash <> '' OR EXISTS (SELECT 1 FROM methods m WHERE m.user_id = u.id AND m.type = 'passkey'))
		AND u.id IN (SELECT user_id FROM permissions WHERE api_id = ?1 AND scope = json_extract(?2, '$[0]')
			UNION SELECT r.user_id FROM role_permissions p JOIN user_roles r ON r.role_id = p.role_id
			WHERE p.api_id = ?1 AND p.scope = json_extract(?2, '$[0]'))
		AND NOT EXISTS (SELECT 1 FROM json_each(?2) s
			WHERE NOT EXISTS (SELECT 1 FROM permissions WHERE user_id = u.id AND api_id = ?1 AND scope = s.value)
			AND NOT EXISTS (SELECT 1 FROM user_roles r JOIN role_permissions p ON p.role_id = r.role_id
				WHERE r.user_id = u.id AND p.api_id = ?1 AND p.scope = s.value)))`
	originListed = `SELECT EXISTS (SELECT 1 FROM client_origins WHERE origin = ?)`
	scopesOfOne  = `SELECT scopes FROM client_grants WHERE client_id = ? AND api_id = ? AND subject = ?`
	insertEvent  = `INSERT INTO events (at, type, user_id, client_id, address, audience, scope, description) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	manyEvents   = `DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - ?`
	forgetEvents = `DELETE FROM events WHERE at < ?`
)

// prepared are statements of a DB. Its pools close them. A statement that is kept
// holds no snapshot: each use reads what was committed before, by other processes
// too, as long as its rows are closed.
type prepared struct {
	session, live                                        *sql.Stmt
	client, user, api, scopes, standing, origin, holders statement
	// Of every token, inside of a transaction.
	insertEvent, manyEvents, forgetEvents *sql.Stmt
	// Of every request with a proof, inside of a transaction.
	forgetProofs, insertProof *sql.Stmt
	forms, flows              preparedDocuments
}

// statement reads rows of store.Access outside of a transaction, and inside of one.
type statement struct{ read, tx *sql.Stmt }

// preparedDocuments are statements of one kind of document. get reads outside of
// a transaction, getTx and put run inside of one.
type preparedDocuments struct{ get, getTx, put *sql.Stmt }

// prepare needs the tables, so it comes after the migrations.
func (d *DB) prepare(ctx context.Context) error {
	var err error
	on := func(pool *sql.DB, text string) *sql.Stmt {
		if err != nil {
			return nil
		}
		var s *sql.Stmt
		s, err = pool.PrepareContext(ctx, text)
		return s
	}
	read, write := d.pools.read, d.pools.write
	documents := func(o *documents) preparedDocuments {
		return preparedDocuments{get: on(read, o.get), getTx: on(write, o.get), put: on(write, o.put)}
	}
	both := func(text string) statement { return statement{read: on(read, text), tx: on(write, text)} }
	d.kept = &prepared{
		session: on(read, sessionByID), live: on(read, familyLive),
		client: both(clientByID), user: both(userByID), api: both(apiByName), scopes: both(scopesOfOne),
		standing: both(standingOf), origin: both(originListed), holders: both(holdsAll),
		insertEvent: on(write, insertEvent), manyEvents: on(write, manyEvents), forgetEvents: on(write, forgetEvents),
		forgetProofs: on(write, forgetProofs), insertProof: on(write, insertProof),
		forms: documents(d.documents("form", preparedDocuments{})), flows: documents(d.documents("flow", preparedDocuments{})),
	}
	if err != nil {
		return fmt.Errorf("prepare statements: %w", err)
	}
	return nil
}
