package sqlite

import (
	"context"
	"database/sql"

	"github.com/formgraph/formgraph/server/store"
)

// userColumns is what scanUser reads, from a table named u.
const userColumns = `u.id, u.email, u.name, u.password_hash, u.created, u.blocked, u.unverified,
	EXISTS (SELECT 1 FROM methods m WHERE m.user_id = u.id AND m.type = 'passkey')`

// userByID is of every request.
const userByID = `SELECT ` + userColumns + ` FROM users u WHERE id = ?`

// User implements store.Users.
func (d *access) User(ctx context.Context, id string) (store.User, error) {
	return scanUser(d.row(ctx, userByID, id))
}

// UserByEmail implements store.Users.
func (d *access) UserByEmail(ctx context.Context, email string) (store.User, error) {
	return scanUser(d.read.QueryRowContext(ctx, `SELECT `+userColumns+` FROM users u WHERE email = ?`, email))
}

func scanUser(row scanner) (store.User, error) {
	var u store.User
	var created int64
	if err := row.Scan(&u.ID, &u.Email, &u.Name, &u.PasswordHash, &created, &u.Blocked, &u.Unverified, &u.Passkey); err != nil {
		return store.User{}, translate(err, "get user")
	}
	u.Created = instant(created)
	return u, nil
}

// CreateUser implements store.Users.
func (d *access) CreateUser(ctx context.Context, u store.User) error {
	return d.inTx(ctx, func(tx *sql.Tx) error { return insertUser(ctx, tx, u) })
}

// UpdateUser implements store.Users.
func (d *access) UpdateUser(ctx context.Context, id string, change func(*store.User) error) (store.User, error) {
	read := func(tx *sql.Tx) (store.User, error) { return scanUser(tx.QueryRowContext(ctx, userByID, id)) }
	return update(ctx, d, "update user", read, change, func(old store.User, u *store.User) (string, []any) {
		email, name, unverified := u.Email, u.Name, u.Unverified
		*u = old
		u.Email, u.Name, u.Unverified = email, name, unverified
		return `UPDATE users SET email = ?, name = ?, unverified = ? WHERE id = ?`, []any{u.Email, u.Name, u.Unverified, id}
	})
}

func insertUser(ctx context.Context, tx *sql.Tx, u store.User) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO users (id, email, name, password_hash, created, unverified) VALUES (?, ?, ?, ?, ?, ?)`,
		u.ID, u.Email, u.Name, u.PasswordHash, millis(u.Created), u.Unverified)
	if err != nil {
		return translate(err, "create user")
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO user_roles (user_id, role_id) SELECT ?, id FROM roles WHERE preset`, u.ID)
	return translate(err, "give preset roles")
}

// SignUp implements store.Users.
func (d *access) SignUp(ctx context.Context, u store.User, m store.Method) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		if err := insertUser(ctx, tx, u); err != nil {
			return err
		}
		return insertMethod(ctx, tx, m)
	})
}

// usersListing lists people of a table named u.
func usersListing(from, where string) listing[store.User] {
	return listing[store.User]{
		name: store.ListOfUsers, scan: scanUser, columns: userColumns, from: from, where: where,
		search: lines("u.name", "u.email", "u.id"), order: []string{"u.created", "u.id"},
	}
}

// ListUsers implements store.Users.
func (d *access) ListUsers(ctx context.Context, f store.Find, offset, limit int) ([]store.User, int, error) {
	return list(ctx, d.runner, usersListing(`users u`, ""), f, offset, limit)
}

// SetBlocked implements store.Users.
func (d *access) SetBlocked(ctx context.Context, id string, blocked bool) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE users SET blocked = ? WHERE id = ?`, blocked, id)
		if err != nil {
			return translate(err, "block user")
		}
		if err := affected(res, "block user", store.ErrNotFound); err != nil || !blocked {
			return err
		}
		return endUser(ctx, tx, id)
	})
}

// ResetPassword implements store.Users.
func (d *access) ResetPassword(ctx context.Context, id, passwordHash string) error {
	return d.inTx(ctx, func(tx *sql.Tx) error { return setPassword(ctx, tx, id, passwordHash) })
}

func setPassword(ctx context.Context, tx *sql.Tx, id, passwordHash string) error {
	res, err := tx.ExecContext(ctx, `UPDATE users SET password_hash = ? WHERE id = ?`, passwordHash, id)
	if err != nil {
		return translate(err, "set password")
	}
	if err := affected(res, "set password", store.ErrNotFound); err != nil {
		return err
	}
	return endUser(ctx, tx, id)
}

// endUser ends all that a user began: sign-ins, families and one-time links.
func endUser(ctx context.Context, tx *sql.Tx, id string) error {
	for _, text := range []string{
		`DELETE FROM sign_ins WHERE user_id = ?`,
		`UPDATE families SET revoked = 1 WHERE user_id = ?`,
		`DELETE FROM tickets WHERE user_id = ?`,
	} {
		if _, err := tx.ExecContext(ctx, text, id); err != nil {
			return translate(err, "end what a user began")
		}
	}
	return nil
}

// DeleteUser implements store.Users. All that belongs to the user goes too, by foreign key.
func (d *access) DeleteUser(ctx context.Context, id string) error {
	return d.must(ctx, "delete user", `DELETE FROM users WHERE id = ?`, id)
}

// Permissions implements store.Users.
func (d *access) Permissions(ctx context.Context, userID, apiID string) ([]string, error) {
	return d.scopes(ctx, `SELECT scope FROM permissions WHERE user_id = ? AND api_id = ? ORDER BY scope`, userID, apiID)
}

// scopes reads one column of words.
func (d *access) scopes(ctx context.Context, query string, args ...any) ([]string, error) {
	return all(ctx, d.runner, "list permissions", func(row scanner) (s string, err error) {
		err = row.Scan(&s)
		return s, translate(err, "list permissions")
	}, query, args...)
}
