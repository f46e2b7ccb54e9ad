package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// sweptRequests is how many requests that ended go for each that comes, so that they never pile up.
const sweptRequests = 10

// CreateRequest implements store.Requests.
func (d *DB) CreateRequest(ctx context.Context, r store.PushedRequest, now time.Time) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM pushed_requests WHERE hash IN
			(SELECT hash FROM pushed_requests WHERE expires < ? ORDER BY expires LIMIT ?)`, millis(now), sweptRequests)
		if err != nil {
			return translate(err, "sweep requests")
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO pushed_requests (hash, client_id, query, expires, issuer) VALUES (?, ?, ?, ?, ?)`,
			r.Hash, r.ClientID, r.Query, millis(r.Expires), r.Issuer)
		if err != nil {
			return translate(err, "create request")
		}
		for opened, most := range []int{store.MaxWaiting, store.MaxOpened} {
			_, err := tx.ExecContext(ctx, `DELETE FROM pushed_requests WHERE hash IN (SELECT hash FROM pushed_requests
				WHERE client_id = ? AND opened = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)`, r.ClientID, opened, most)
			if err != nil {
				return translate(err, "bound requests")
			}
		}
		return nil
	})
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

// Recipients implements store.Recipients.
func (d *DB) Recipients(ctx context.Context, userID, signInID string) ([]store.Recipient, error) {
	rows, err := d.read.QueryContext(ctx, `SELECT DISTINCT c.id, c.backchannel_uri, f.issuer FROM families f
		JOIN clients c ON c.id = f.client_id
		WHERE f.user_id = ? AND (? = '' OR f.sign_in_id = ?) AND c.backchannel_uri <> '' ORDER BY c.id, f.issuer`,
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
