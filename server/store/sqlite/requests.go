package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// CreateRequest implements store.Requests.
func (d *DB) CreateRequest(ctx context.Context, r store.PushedRequest) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO pushed_requests (hash, client_id, query, expires, issuer) VALUES (?, ?, ?, ?, ?)`,
		r.Hash, r.ClientID, r.Query, millis(r.Expires), r.Issuer)
	return translate(err, "create request")
}

// OpenRequest implements store.Requests. One statement decides who opens it.
func (d *DB) OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (store.PushedRequest, error) {
	r, err := scanRequest(d.write.QueryRowContext(ctx, `UPDATE pushed_requests SET opened = 1, expires = ?
		WHERE hash = ? AND opened = 0 AND expires >= ? RETURNING hash, client_id, query, opened, expires, issuer`,
		millis(until), hash, millis(now)))
	return r, translate(err, "open request")
}

// Request implements store.Requests.
func (d *DB) Request(ctx context.Context, hash []byte, now time.Time) (store.PushedRequest, error) {
	r, err := scanRequest(d.read.QueryRowContext(ctx, `SELECT hash, client_id, query, opened, expires, issuer FROM pushed_requests
		WHERE hash = ? AND opened = 1 AND expires >= ?`, hash, millis(now)))
	return r, translate(err, "get request")
}

func scanRequest(row *sql.Row) (store.PushedRequest, error) {
	var r store.PushedRequest
	var expires int64
	if err := row.Scan(&r.Hash, &r.ClientID, &r.Query, &r.Opened, &expires, &r.Issuer); err != nil {
		return store.PushedRequest{}, err
	}
	r.Expires = instant(expires)
	return r, nil
}

// DeleteRequest implements store.Requests.
func (d *DB) DeleteRequest(ctx context.Context, hash []byte) error {
	_, err := d.write.ExecContext(ctx, `DELETE FROM pushed_requests WHERE hash = ?`, hash)
	return translate(err, "delete request")
}

// ClientOptions implements store.ClientFlows.
func (d *DB) ClientOptions(ctx context.Context, clientID string) (store.ClientOptions, error) {
	o := store.ClientOptions{ClientID: clientID}
	err := d.read.QueryRowContext(ctx, `SELECT backchannel_uri, require_pushed, require_dpop FROM client_options WHERE client_id = ?`, clientID).
		Scan(&o.BackchannelURI, &o.RequirePushed, &o.RequireDPoP)
	if errors.Is(err, sql.ErrNoRows) {
		return o, nil
	}
	return o, translate(err, "get client options")
}

// PutClientOptions implements store.ClientFlows.
func (d *DB) PutClientOptions(ctx context.Context, o store.ClientOptions) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO client_options (client_id, backchannel_uri, require_pushed, require_dpop) VALUES (?, ?, ?, ?)
		ON CONFLICT (client_id) DO UPDATE SET backchannel_uri = excluded.backchannel_uri,
		require_pushed = excluded.require_pushed, require_dpop = excluded.require_dpop`,
		o.ClientID, o.BackchannelURI, o.RequirePushed, o.RequireDPoP)
	return translate(err, "put client options")
}

// Recipients implements store.ClientFlows.
func (d *DB) Recipients(ctx context.Context, userID, signInID string) ([]store.Recipient, error) {
	rows, err := d.read.QueryContext(ctx, `SELECT DISTINCT o.client_id, o.backchannel_uri, f.issuer FROM families f
		JOIN client_options o ON o.client_id = f.client_id
		WHERE f.user_id = ? AND (? = '' OR f.sign_in_id = ?) AND o.backchannel_uri <> '' ORDER BY o.client_id, f.issuer`,
		userID, signInID, signInID)
	if err != nil {
		return nil, translate(err, "list recipients")
	}
	defer rows.Close() //nolint:errcheck // Err tells all that went wrong
	var all []store.Recipient
	for rows.Next() {
		var r store.Recipient
		if err := rows.Scan(&r.ClientID, &r.URI, &r.Issuer); err != nil {
			return nil, translate(err, "list recipients")
		}
		all = append(all, r)
	}
	return all, translate(rows.Err(), "list recipients")
}
