package postgres

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// signIns implements store.SignIns.
type signIns struct{ *runner }

func (d signIns) SignIn(ctx context.Context, hash []byte) (store.SignIn, error) {
	return one(ctx, d.runner, "get sign-in", rows.SignIn,
		`SELECT hash, id, user_id, auth_time, amr, expires, issuer, user_agent, ip FROM sign_ins WHERE hash = $1`, hash)
}

func (d signIns) CreateSignIn(ctx context.Context, s store.SignIn) error {
	return d.inTx(ctx, beside, func(tx *runner) error {
		if err := checkBasis(ctx, tx, s.UserID, s.Basis); err != nil {
			return err
		}
		if err := tx.exec(ctx, "replace sign-in", `DELETE FROM sign_ins WHERE hash = $1`, s.Replaces); err != nil {
			return err
		}
		return tx.exec(ctx, "create sign-in", `INSERT INTO sign_ins (hash, id, user_id, auth_time, amr, expires, issuer, user_agent, ip)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, s.Hash, s.ID, s.UserID, rows.Millis(s.AuthTime), rows.Words(s.AMR),
			rows.Millis(s.Expires), s.Issuer, s.Device.UserAgent, s.Device.IP)
	})
}

// checkBasis returns store.ErrNotFound if b no longer holds for a user. It must be called in a transaction with a turn, so that b still
// holds when the transaction is committed.
func checkBasis(ctx context.Context, tx *runner, userID string, b store.Basis) error {
	if b.PasswordHash == "" && b.MethodID == "" && b.SignInID == "" {
		return nil
	}
	_, err := one(ctx, tx, "check the basis of a sign-in", rows.Value[int], `SELECT 1 FROM users u WHERE u.id = $1 AND NOT u.blocked
		AND ($2 = '' OR u.password_hash = $2)
		AND ($3 = '' OR EXISTS (SELECT FROM methods WHERE id = $3 AND user_id = u.id))
		AND ($4 = '' OR EXISTS (SELECT FROM sign_ins WHERE id = $4 AND user_id = u.id AND amr = $5))`,
		userID, b.PasswordHash, b.MethodID, b.SignInID, rows.Words(b.AMR))
	return err
}

func (d signIns) DeleteSignIn(ctx context.Context, hash []byte) error {
	return d.exec(ctx, "delete sign-in", `DELETE FROM sign_ins WHERE hash = $1`, hash)
}
