package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

const authSessionColumns = `SELECT hash, purpose, client_id, user_id, data, expires, issuer FROM auth_sessions WHERE hash = ?`

func authSession(row *sql.Row, action string) (store.AuthSession, error) {
	var s store.AuthSession
	var expires int64
	if err := row.Scan(&s.Hash, &s.Purpose, &s.ClientID, &s.UserID, &s.Data, &expires, &s.Issuer); err != nil {
		return store.AuthSession{}, translate(err, action)
	}
	s.Expires = instant(expires)
	return s, nil
}

// CreateAuthSession implements store.AuthSessions.
func (d *DB) CreateAuthSession(ctx context.Context, s store.AuthSession, now time.Time) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM auth_sessions WHERE expires < ?`, millis(now)); err != nil {
			return translate(err, "sweep auth sessions")
		}
		if s.Data == nil {
			s.Data = []byte{}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO auth_sessions (hash, purpose, client_id, user_id, data, expires, issuer) VALUES (?, ?, ?, `+
			`?, ?, ?, ?)`,
			s.Hash, s.Purpose, s.ClientID, s.UserID, s.Data, millis(s.Expires), s.Issuer)
		return translate(err, "create auth session")
	})
}

// AuthSession implements store.AuthSessions.
func (d *DB) AuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	return authSession(d.read.QueryRowContext(ctx, authSessionColumns, hash), "get auth session")
}

// UseAuthSession implements store.AuthSessions. The transaction holds the only writer, so no one else
// reads the row before it is gone.
func (d *DB) UseAuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	var s store.AuthSession
	err := d.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		if s, err = authSession(tx.QueryRowContext(ctx, authSessionColumns, hash), "use auth session"); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM auth_sessions WHERE hash = ?`, hash)
		return translate(err, "use auth session")
	})
	if err != nil {
		return store.AuthSession{}, err
	}
	return s, nil
}
