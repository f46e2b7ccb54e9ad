package postgres

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
		`SELECT id, auth_time, expires, '' AS client, user_agent, ip FROM sign_ins WHERE user_id = $1 AND expires > $2
		UNION ALL SELECT sign_in_id, auth_time, expires, client_id, user_agent, ip
		FROM families f WHERE user_id = $1 AND NOT revoked AND expires > $2
		AND EXISTS (SELECT FROM refresh_tokens t WHERE t.family_id = f.id AND NOT t.used AND t.expires > $2)
		ORDER BY auth_time DESC, id, client`, userID, rows.Millis(now))
	return out, err
}

// EndLogin implements store.Logins. It is alone, so that it sees every family that was begun in the login.
func (d logins) EndLogin(ctx context.Context, userID, id string) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		return tx.mustEither(ctx, "end login",
			`DELETE FROM sign_ins WHERE user_id = $1 AND id = $2`,
			`UPDATE families SET revoked = true WHERE user_id = $1 AND sign_in_id = $2 AND NOT revoked`, userID, id)
	})
}

func (d logins) EndLogins(ctx context.Context, userID string) error {
	return d.exec(ctx, "end logins", `WITH s AS (DELETE FROM sign_ins WHERE user_id = $1)
		UPDATE families SET revoked = true WHERE user_id = $1`, userID)
}

func (d logins) Authorizations(ctx context.Context, userID string, now time.Time) ([]store.Authorization, error) {
	var out rows.Authorizations
	err := d.each(ctx, "list authorizations", out.Add,
		`SELECT client_id, audience, scope, auth_time AS since FROM families WHERE user_id = $1 AND NOT revoked AND expires > $2
		UNION ALL SELECT client_id, audience, scope, given FROM consents WHERE user_id = $1
		ORDER BY client_id, audience, since`, userID, rows.Millis(now))
	return out, err
}

func (d logins) EndAuthorizations(ctx context.Context, userID, clientID string) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		return tx.mustEither(ctx, "end authorizations",
			`DELETE FROM consents WHERE user_id = $1 AND client_id = $2`,
			`UPDATE families SET revoked = true WHERE user_id = $1 AND client_id = $2 AND NOT revoked`, userID, clientID)
	})
}
