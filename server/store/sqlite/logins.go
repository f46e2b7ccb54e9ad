package sqlite

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// logins implements store.Logins.
type logins struct{ *runner }

func (d logins) Logins(ctx context.Context, userID string, now time.Time) ([]store.Login, error) {
	var out rows.Logins
	err := d.each(ctx, "list logins", out.Add,
		`SELECT id, auth_time, expires, '' AS client, user_agent, ip FROM sign_ins WHERE user_id = ?1 AND expires > ?2
		UNION ALL SELECT sign_in_id, auth_time, expires, client_id, user_agent, ip
		FROM families f WHERE user_id = ?1 AND revoked = 0 AND expires > ?2
		AND EXISTS (SELECT 1 FROM refresh_tokens t WHERE t.family_id = f.id AND t.used = 0 AND t.expires > ?2)
		ORDER BY auth_time DESC, 1, client`, userID, rows.Millis(now))
	return out, err
}

func (d logins) EndLogin(ctx context.Context, userID, id string) error {
	return d.inTx(ctx, func(tx *runner) error {
		return tx.mustEither(ctx, "end login",
			`DELETE FROM sign_ins WHERE user_id = ? AND id = ?`,
			`UPDATE families SET revoked = 1 WHERE user_id = ? AND sign_in_id = ? AND revoked = 0`, userID, id)
	})
}

func (d logins) EndLogins(ctx context.Context, userID string) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := tx.exec(ctx, "end logins", `DELETE FROM sign_ins WHERE user_id = ?`, userID); err != nil {
			return err
		}
		return tx.exec(ctx, "end logins", `UPDATE families SET revoked = 1 WHERE user_id = ?`, userID)
	})
}

func (d logins) Authorizations(ctx context.Context, userID string, now time.Time) ([]store.Authorization, error) {
	var out rows.Authorizations
	err := d.each(ctx, "list authorizations", out.Add,
		`SELECT client_id, audience, scope, auth_time AS since FROM families WHERE user_id = ?1 AND revoked = 0 AND expires > ?2
		UNION ALL SELECT client_id, audience, scope, given FROM consents WHERE user_id = ?1
		ORDER BY client_id, audience, since`, userID, rows.Millis(now))
	return out, err
}

func (d logins) EndAuthorizations(ctx context.Context, userID, clientID string) error {
	return d.inTx(ctx, func(tx *runner) error {
		return tx.mustEither(ctx, "end authorizations",
			`DELETE FROM consents WHERE user_id = ? AND client_id = ?`,
			`UPDATE families SET revoked = 1 WHERE user_id = ? AND client_id = ? AND revoked = 0`, userID, clientID)
	})
}
