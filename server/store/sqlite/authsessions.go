package sqlite

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

const authSessionByHash = `SELECT hash, purpose, client_id, user_id, data, expires, issuer FROM auth_sessions WHERE hash = ?`

// authSessions implements store.AuthSessions.
type authSessions struct{ *runner }

func (d authSessions) CreateAuthSession(ctx context.Context, s store.AuthSession, now time.Time) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := tx.exec(ctx, "sweep auth sessions", `DELETE FROM auth_sessions WHERE expires < ?`, rows.Millis(now)); err != nil {
			return err
		}
		if s.Data == nil {
			s.Data = []byte{}
		}
		return tx.exec(ctx, "create auth session", `INSERT INTO auth_sessions (hash, purpose, client_id, user_id, data, expires, issuer)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			s.Hash, s.Purpose, s.ClientID, s.UserID, s.Data, rows.Millis(s.Expires), s.Issuer)
	})
}

func (d authSessions) AuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	return one(ctx, d.runner, "get auth session", rows.AuthSession, authSessionByHash, hash)
}

// UseAuthSession implements store.AuthSessions. The transaction is the only writer, so nobody else reads the row before it is deleted.
func (d authSessions) UseAuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	var s store.AuthSession
	err := d.inTx(ctx, func(tx *runner) error {
		var err error
		if s, err = (authSessions{tx}).AuthSession(ctx, hash); err != nil {
			return err
		}
		return tx.exec(ctx, "use auth session", `DELETE FROM auth_sessions WHERE hash = ?`, hash)
	})
	if err != nil {
		return store.AuthSession{}, err
	}
	return s, nil
}
