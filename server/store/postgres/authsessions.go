package postgres

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

const authSessionColumns = `hash, purpose, client_id, user_id, data, expires, issuer`

// authSessions implements store.AuthSessions.
type authSessions struct{ *runner }

// CreateAuthSession implements store.AuthSessions. The statement also deletes ended sessions, except those that
// another transaction is deleting.
func (d authSessions) CreateAuthSession(ctx context.Context, s store.AuthSession, now time.Time) error {
	return d.exec(ctx, "create auth session", `WITH ended AS (DELETE FROM auth_sessions WHERE hash IN
			(SELECT hash FROM auth_sessions WHERE expires < $8 AND hash <> $1 FOR UPDATE SKIP LOCKED))
		INSERT INTO auth_sessions (`+authSessionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		s.Hash, s.Purpose, s.ClientID, s.UserID, s.Data, rows.Millis(s.Expires), s.Issuer, rows.Millis(now))
}

func (d authSessions) AuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	return one(ctx, d.runner, "get auth session", rows.AuthSession,
		`SELECT `+authSessionColumns+` FROM auth_sessions WHERE hash = $1`, hash)
}

// UseAuthSession implements store.AuthSessions. One statement decides who gets the session.
func (d authSessions) UseAuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	return one(ctx, d.runner, "use auth session", rows.AuthSession,
		`DELETE FROM auth_sessions WHERE hash = $1 RETURNING `+authSessionColumns, hash)
}
