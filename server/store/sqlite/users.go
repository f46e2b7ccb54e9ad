package sqlite

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// userColumns are the columns that rows.User reads, from a table named u.
const userColumns = `u.id, u.email, u.name, u.password_hash, u.created, u.blocked, u.unverified,
	EXISTS (SELECT 1 FROM methods m WHERE m.user_id = u.id AND m.type = 'passkey')`

// userByID runs for every request.
const userByID = `SELECT ` + userColumns + ` FROM users u WHERE id = ?`

// users implements store.Users.
type users struct{ *runner }

func (d users) User(ctx context.Context, id string) (store.User, error) {
	return one(ctx, d.runner, "get user", rows.User, userByID, id)
}

func (d users) UserByEmail(ctx context.Context, email string) (store.User, error) {
	return one(ctx, d.runner, "get user", rows.User, `SELECT `+userColumns+` FROM users u WHERE email = ?`, email)
}

func (d users) CreateUser(ctx context.Context, u store.User) error {
	return d.inTx(ctx, func(tx *runner) error { return users{tx}.insert(ctx, u) })
}

func (d users) UpdateUser(ctx context.Context, id string, change func(*store.User) error) (store.User, error) {
	read := func(tx *runner) (store.User, error) { return users{tx}.User(ctx, id) }
	return update(ctx, d.runner, "update user", read, change, func(old store.User, u *store.User) (string, []any) {
		rows.KeepUser(old, u)
		return `UPDATE users SET email = ?, name = ?, unverified = ? WHERE id = ?`, []any{u.Email, u.Name, u.Unverified, id}
	})
}

// insert stores a new user with the preset roles. It must be called in a transaction.
func (d users) insert(ctx context.Context, u store.User) error {
	err := d.exec(ctx, "create user", `INSERT INTO users (id, email, name, password_hash, created, unverified) VALUES (?, ?, ?, ?, ?, ?)`,
		u.ID, u.Email, u.Name, u.PasswordHash, rows.Millis(u.Created), u.Unverified)
	if err != nil {
		return err
	}
	return d.exec(ctx, "give preset roles", `INSERT INTO user_roles (user_id, role_id) SELECT ?, id FROM roles WHERE preset`, u.ID)
}

func (d users) SignUp(ctx context.Context, u store.User, m store.Method) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := (users{tx}).insert(ctx, u); err != nil {
			return err
		}
		return methods{tx}.insert(ctx, m)
	})
}

// usersListing lists people of a table named u.
func usersListing(from, where string) listing[store.User] {
	return listing[store.User]{
		name: store.ListOfUsers, scan: rows.User, columns: userColumns, from: from, where: where,
		search: lines("u.name", "u.email", "u.id"), order: []string{"u.created", "u.id"},
	}
}

func (d users) ListUsers(ctx context.Context, f store.Find, offset, limit int) ([]store.User, int, error) {
	return list(ctx, d.runner, usersListing(`users u`, ""), f, offset, limit)
}

func (d users) SetBlocked(ctx context.Context, id string, blocked bool) error {
	return d.inTx(ctx, func(tx *runner) error {
		err := tx.must(ctx, "block user", `UPDATE users SET blocked = ? WHERE id = ?`, blocked, id)
		if err != nil || !blocked {
			return err
		}
		return users{tx}.endAll(ctx, id)
	})
}

func (d users) ResetPassword(ctx context.Context, id, passwordHash string) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := (users{tx}).setPassword(ctx, id, passwordHash); err != nil {
			return err
		}
		return users{tx}.endAll(ctx, id)
	})
}

// setPassword sets the hash of a password and nothing else.
func (d users) setPassword(ctx context.Context, id, hash string) error {
	return d.must(ctx, "set password", `UPDATE users SET password_hash = ? WHERE id = ?`, hash, id)
}

// endAll ends a user's sign-ins, families and one-time links. It must be called in a transaction.
func (d users) endAll(ctx context.Context, id string) error {
	for _, text := range []string{
		`DELETE FROM sign_ins WHERE user_id = ?`,
		`UPDATE families SET revoked = 1 WHERE user_id = ?`,
		`DELETE FROM tickets WHERE user_id = ?`,
	} {
		if err := d.exec(ctx, "end everything of a user", text, id); err != nil {
			return err
		}
	}
	return nil
}

// DeleteUser implements store.Users. Foreign keys delete everything that belongs to the user.
func (d users) DeleteUser(ctx context.Context, id string) error {
	return d.must(ctx, "delete user", `DELETE FROM users WHERE id = ?`, id)
}

func (d users) Permissions(ctx context.Context, userID, apiID string) ([]string, error) {
	return all(ctx, d.runner, "list permissions", rows.Value[string],
		`SELECT scope FROM permissions WHERE user_id = ? AND api_id = ? ORDER BY scope`, userID, apiID)
}
