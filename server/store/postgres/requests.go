package postgres

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// sweptRequests is how many ended requests are deleted for each new one, so that they never accumulate.
const sweptRequests = 10

const requestColumns = `hash, client_id, query, opened, expires, issuer`

// requests implements store.Requests.
type requests struct{ *runner }

func (d requests) CreateRequest(ctx context.Context, r store.PushedRequest, now time.Time) error {
	return d.inTx(ctx, free, func(tx *runner) error {
		err := tx.exec(ctx, "sweep requests", `DELETE FROM pushed_requests WHERE hash IN
			(SELECT hash FROM pushed_requests WHERE expires < $1 ORDER BY expires LIMIT $2 FOR UPDATE SKIP LOCKED)`,
			rows.Millis(now), sweptRequests)
		if err != nil {
			return err
		}
		err = tx.exec(ctx, "create request", `INSERT INTO pushed_requests (hash, client_id, query, expires, issuer) VALUES ($1, $2, $3, $4, $5)`,
			r.Hash, r.ClientID, r.Query, rows.Millis(r.Expires), r.Issuer)
		if err != nil {
			return err
		}
		return tx.exec(ctx, "bound requests", `WITH waiting AS (DELETE FROM pushed_requests WHERE hash IN
				(SELECT hash FROM pushed_requests WHERE client_id = $1 AND NOT opened ORDER BY expires DESC OFFSET $2))
			DELETE FROM pushed_requests WHERE hash IN
				(SELECT hash FROM pushed_requests WHERE client_id = $1 AND opened ORDER BY expires DESC OFFSET $3)`,
			r.ClientID, store.MaxWaiting, store.MaxOpened)
	})
}

// OpenRequest implements store.Requests. One statement decides who opens the request.
func (d requests) OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (store.PushedRequest, error) {
	return one(ctx, d.runner, "open request", rows.Request, `UPDATE pushed_requests SET opened = true, expires = $3
		WHERE hash = $1 AND NOT opened AND expires >= $2 RETURNING `+requestColumns, hash, rows.Millis(now), rows.Millis(until))
}

func (d requests) Request(ctx context.Context, hash []byte, now time.Time) (store.PushedRequest, error) {
	return one(ctx, d.runner, "get request", rows.Request, `SELECT `+requestColumns+` FROM pushed_requests
		WHERE hash = $1 AND opened AND expires >= $2`, hash, rows.Millis(now))
}

func (d requests) DeleteRequest(ctx context.Context, hash []byte) error {
	return d.exec(ctx, "delete request", `DELETE FROM pushed_requests WHERE hash = $1`, hash)
}

// recipients implements store.Recipients.
type recipients struct{ *runner }

func (d recipients) Recipients(ctx context.Context, userID, signInID string) ([]store.Recipient, error) {
	return all(ctx, d.runner, "list recipients", rows.Recipient,
		`SELECT DISTINCT c.id, c.backchannel_uri, f.issuer FROM families f JOIN clients c ON c.id = f.client_id
		WHERE f.user_id = $1 AND $2 IN ('', f.sign_in_id) AND c.backchannel_uri <> '' ORDER BY c.id, f.issuer`, userID, signInID)
}
