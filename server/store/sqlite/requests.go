package sqlite

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// sweptRequests is how many ended requests are deleted for each new one, so that they never accumulate.
const sweptRequests = 10

// requests implements store.Requests.
type requests struct{ *runner }

func (d requests) CreateRequest(ctx context.Context, r store.PushedRequest, now time.Time) error {
	return d.inTx(ctx, func(tx *runner) error {
		err := tx.exec(ctx, "sweep requests", `DELETE FROM pushed_requests WHERE hash IN
			(SELECT hash FROM pushed_requests WHERE expires < ? ORDER BY expires LIMIT ?)`, rows.Millis(now), sweptRequests)
		if err != nil {
			return err
		}
		err = tx.exec(ctx, "create request", `INSERT INTO pushed_requests (hash, client_id, query, expires, issuer) VALUES (?, ?, ?, ?, ?)`,
			r.Hash, r.ClientID, r.Query, rows.Millis(r.Expires), r.Issuer)
		if err != nil {
			return err
		}
		for opened, most := range []int{store.MaxWaiting, store.MaxOpened} {
			err := tx.exec(ctx, "bound requests", `DELETE FROM pushed_requests WHERE hash IN (SELECT hash FROM pushed_requests
				WHERE client_id = ? AND opened = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)`, r.ClientID, opened, most)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// OpenRequest implements store.Requests. A single statement decides who opens the request.
func (d requests) OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (store.PushedRequest, error) {
	r, err := rows.Request(d.write.QueryRowContext(ctx, `UPDATE pushed_requests SET opened = 1, expires = ?
		WHERE hash = ? AND opened = 0 AND expires >= ? RETURNING hash, client_id, query, opened, expires, issuer`,
		rows.Millis(until), hash, rows.Millis(now)))
	return r, translate(err, "open request")
}

func (d requests) Request(ctx context.Context, hash []byte, now time.Time) (store.PushedRequest, error) {
	return one(ctx, d.runner, "get request", rows.Request, `SELECT hash, client_id, query, opened, expires, issuer FROM pushed_requests
		WHERE hash = ? AND opened = 1 AND expires >= ?`, hash, rows.Millis(now))
}

func (d requests) DeleteRequest(ctx context.Context, hash []byte) error {
	return d.exec(ctx, "delete request", `DELETE FROM pushed_requests WHERE hash = ?`, hash)
}

// recipients implements store.Recipients.
type recipients struct{ *runner }

func (d recipients) Recipients(ctx context.Context, userID, signInID string) ([]store.Recipient, error) {
	return all(ctx, d.runner, "list recipients", rows.Recipient,
		`SELECT DISTINCT c.id, c.backchannel_uri, f.issuer FROM families f JOIN clients c ON c.id = f.client_id
		WHERE f.user_id = ? AND (? = '' OR f.sign_in_id = ?) AND c.backchannel_uri <> '' ORDER BY c.id, f.issuer`,
		userID, signInID, signInID)
}
