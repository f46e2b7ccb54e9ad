package postgres

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// tickets implements store.Tickets.
type tickets struct{ *runner }

func (d tickets) CreateTicket(ctx context.Context, t store.Ticket, now time.Time) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		if err := tx.exec(ctx, "sweep tickets", `DELETE FROM tickets WHERE user_id = $1 OR expires <= $2`,
			t.UserID, rows.Millis(now)); err != nil {
			return err
		}
		return tx.exec(ctx, "create ticket", `INSERT INTO tickets (hash, user_id, expires, issuer) VALUES ($1, $2, $3, $4)`,
			t.Hash, t.UserID, rows.Millis(t.Expires), t.Issuer)
	})
}

func (d tickets) Ticket(ctx context.Context, hash []byte, now time.Time) (store.Ticket, error) {
	return one(ctx, d.runner, "get ticket", rows.Ticket, `SELECT t.hash, t.user_id, t.expires, t.issuer
		FROM tickets t JOIN users u ON u.id = t.user_id WHERE t.hash = $1 AND t.expires > $2 AND NOT u.blocked`, hash, rows.Millis(now))
}

func (d tickets) RedeemTicket(ctx context.Context, hash []byte, now time.Time, passwordHash string) (userID string, err error) {
	err = d.inTx(ctx, alone, func(tx *runner) error {
		t, err := tickets{tx}.Ticket(ctx, hash, now)
		if err != nil {
			return err
		}
		userID = t.UserID
		return users{tx}.ResetPassword(ctx, userID, passwordHash)
	})
	return userID, err
}
