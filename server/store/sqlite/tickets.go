package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// CreateTicket implements store.Tickets.
func (d *access) CreateTicket(ctx context.Context, t store.Ticket, now time.Time) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		if err := exec(ctx, tx, "sweep tickets", `DELETE FROM tickets WHERE user_id = ? OR expires <= ?`,
			[]any{t.UserID, millis(now)}); err != nil {
			return err
		}
		return exec(ctx, tx, "create ticket", `INSERT INTO tickets (hash, user_id, expires, issuer) VALUES (?, ?, ?, ?)`,
			[]any{t.Hash, t.UserID, millis(t.Expires), t.Issuer})
	})
}

// liveTicket finds a ticket that still works.
const liveTicket = `SELECT t.user_id, t.expires, t.issuer FROM tickets t JOIN users u ON u.id = t.user_id WHERE t.hash = ? AND ` +
	`t.expires > ? AND NOT u.blocked`

// Ticket implements store.Tickets.
func (d *access) Ticket(ctx context.Context, hash []byte, now time.Time) (store.Ticket, error) {
	t := store.Ticket{Hash: hash}
	var expires int64
	if err := d.read.QueryRowContext(ctx, liveTicket, hash, millis(now)).Scan(&t.UserID, &expires, &t.Issuer); err != nil {
		return store.Ticket{}, translate(err, "get ticket")
	}
	t.Expires = instant(expires)
	return t, nil
}

// RedeemTicket implements store.Tickets.
func (d *access) RedeemTicket(ctx context.Context, hash []byte, now time.Time, passwordHash string) (userID string, err error) {
	err = d.inTx(ctx, func(tx *sql.Tx) error {
		var expires int64
		var issuer string
		if err := tx.QueryRowContext(ctx, liveTicket, hash, millis(now)).Scan(&userID, &expires, &issuer); err != nil {
			return translate(err, "redeem ticket")
		}
		return setPassword(ctx, tx, userID, passwordHash)
	})
	return userID, err
}
