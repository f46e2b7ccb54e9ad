package sqlite

import (
	"context"
	"database/sql"

	"github.com/formgraph/formgraph/server/store"
)

// User implements store.Users.
func (d *DB) User(ctx context.Context, id string) (store.User, error) {
	return user(d.read.QueryRowContext(ctx, `SELECT id, email, name, password_hash, created FROM users WHERE id = ?`, id))
}

// UserByEmail implements store.Users.
func (d *DB) UserByEmail(ctx context.Context, email string) (store.User, error) {
	return user(d.read.QueryRowContext(ctx, `SELECT id, email, name, password_hash, created FROM users WHERE email = ?`, email))
}

func user(row *sql.Row) (store.User, error) {
	var u store.User
	var created int64
	if err := row.Scan(&u.ID, &u.Email, &u.Name, &u.PasswordHash, &created); err != nil {
		return store.User{}, translate(err, "get user")
	}
	u.Created = instant(created)
	return u, nil
}

// PutUser implements store.Users.
func (d *DB) PutUser(ctx context.Context, u store.User) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO users (id, email, name, password_hash, created) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET email = excluded.email, name = excluded.name, password_hash = excluded.password_hash`,
		u.ID, u.Email, u.Name, u.PasswordHash, millis(u.Created))
	return translate(err, "put user")
}

// Permissions implements store.Users.
func (d *DB) Permissions(ctx context.Context, userID, apiID string) ([]string, error) {
	rows, err := d.read.QueryContext(ctx, `SELECT scope FROM permissions WHERE user_id = ? AND api_id = ? ORDER BY scope`, userID, apiID)
	if err != nil {
		return nil, translate(err, "list permissions")
	}
	defer rows.Close() //nolint:errcheck // Err tells all that went wrong
	var scopes []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, translate(err, "list permissions")
		}
		scopes = append(scopes, s)
	}
	return scopes, translate(rows.Err(), "list permissions")
}

// PutPermissions implements store.Users.
func (d *DB) PutPermissions(ctx context.Context, userID, apiID string, scopes []string) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		// Setting no scope for a user or an API that does not exist is refused too.
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT 1 FROM users, apis WHERE users.id = ? AND apis.id = ?`, userID, apiID).Scan(&n); err != nil {
			return translate(err, "put permissions")
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM permissions WHERE user_id = ? AND api_id = ?`, userID, apiID); err != nil {
			return translate(err, "put permissions")
		}
		for _, s := range scopes {
			if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO permissions (user_id, api_id, scope) VALUES (?, ?, ?)`, userID, apiID, s); err != nil {
				return translate(err, "put permissions")
			}
		}
		return nil
	})
}

// SignIn implements store.SignIns.
func (d *DB) SignIn(ctx context.Context, hash []byte) (store.SignIn, error) {
	var s store.SignIn
	var auth, expires int64
	err := d.read.QueryRowContext(ctx, `SELECT hash, id, user_id, auth_time, expires FROM sign_ins WHERE hash = ?`, hash).
		Scan(&s.Hash, &s.ID, &s.UserID, &auth, &expires)
	if err != nil {
		return store.SignIn{}, translate(err, "get sign-in")
	}
	s.AuthTime, s.Expires = instant(auth), instant(expires)
	return s, nil
}

// CreateSignIn implements store.SignIns.
func (d *DB) CreateSignIn(ctx context.Context, s store.SignIn) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO sign_ins (hash, id, user_id, auth_time, expires) VALUES (?, ?, ?, ?, ?)`,
		s.Hash, s.ID, s.UserID, millis(s.AuthTime), millis(s.Expires))
	return translate(err, "create sign-in")
}

// DeleteSignIn implements store.SignIns.
func (d *DB) DeleteSignIn(ctx context.Context, hash []byte) error {
	_, err := d.write.ExecContext(ctx, `DELETE FROM sign_ins WHERE hash = ?`, hash)
	return translate(err, "delete sign-in")
}
