package postgres

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// userColumns are the columns that rows.User reads, from a table named u.
const userColumns = `u.id, u.email, u.name, u.password_hash, u.created, u.blocked, u.unverified,
	EXISTS (SELECT FROM methods m WHERE m.user_id = u.id AND m.type = 'passkey')`

const userByID = `SELECT ` + userColumns + ` FROM users u WHERE id = $1`

// users implements store.Users.
type users struct{ *runner }

func (d users) User(ctx context.Context, id string) (store.User, error) {
	return one(ctx, d.runner, "get user", rows.User, userByID, id)
}

func (d users) UserByEmail(ctx context.Context, email string) (store.User, error) {
	return one(ctx, d.runner, "get user", rows.User, `SELECT `+userColumns+` FROM users u WHERE email = $1`, email)
}

// foldedUser returns the column folded.
func foldedUser(u store.User) string { return fold(u.Name, u.Email, u.ID) }

// CreateUser implements store.Users. One statement stores the user with the preset roles.
func (d users) CreateUser(ctx context.Context, u store.User) error {
	return d.exec(ctx, "create user", `WITH created AS (
			INSERT INTO users (id, email, name, password_hash, created, unverified, folded) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id)
		INSERT INTO user_roles (user_id, role_id) SELECT c.id, r.id FROM created c, roles r WHERE r.preset`,
		u.ID, u.Email, u.Name, u.PasswordHash, rows.Millis(u.Created), u.Unverified, foldedUser(u))
}

func (d users) UpdateUser(ctx context.Context, id string, change func(*store.User) error) (store.User, error) {
	return update(ctx, d.runner, "update user", rows.User, userByID, id, change, func(old store.User, u *store.User) (string, []any) {
		rows.KeepUser(old, u)
		return `UPDATE users SET email = $2, name = $3, unverified = $4, folded = $5 WHERE id = $1`,
			[]any{id, u.Email, u.Name, u.Unverified, foldedUser(*u)}
	})
}

func (d users) SignUp(ctx context.Context, u store.User, m store.Method) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		if err := (users{tx}).CreateUser(ctx, u); err != nil {
			return err
		}
		return methods{tx}.insert(ctx, m)
	})
}

// usersListing lists people of a table named u.
func usersListing(from, where string) listing[store.User] {
	return listing[store.User]{
		name: store.ListOfUsers, scan: rows.User, columns: userColumns, from: from, where: where,
		search: "u.folded", order: []string{"u.created", "u.id"}, number: milliseconds,
	}
}

func (d users) ListUsers(ctx context.Context, f store.Find, offset, limit int) ([]store.User, int, error) {
	return list(ctx, d.runner, usersListing(`users u`, ""), f, offset, limit)
}

func (d users) SetBlocked(ctx context.Context, id string, blocked bool) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		err := tx.must(ctx, "block user", `UPDATE users SET blocked = $2 WHERE id = $1`, id, blocked)
		if err != nil || !blocked {
			return err
		}
		return users{tx}.endAll(ctx, id)
	})
}

func (d users) ResetPassword(ctx context.Context, id, passwordHash string) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		if err := (users{tx}).setPassword(ctx, id, passwordHash); err != nil {
			return err
		}
		return users{tx}.endAll(ctx, id)
	})
}

// setPassword sets the hash of a password and nothing else.
func (d users) setPassword(ctx context.Context, id, hash string) error {
	return d.must(ctx, "set password", `UPDATE users SET password_hash = $2 WHERE id = $1`, id, hash)
}

// endAll ends a user's sign-ins, families and one-time links. It must be called in a transaction that is alone, so that no row is missed
// that another has not committed.
func (d users) endAll(ctx context.Context, id string) error {
	return d.exec(ctx, "end everything of a user", `WITH s AS (DELETE FROM sign_ins WHERE user_id = $1),
		f AS (UPDATE families SET revoked = true WHERE user_id = $1)
		DELETE FROM tickets WHERE user_id = $1`, id)
}

// DeleteUser implements store.Users. Foreign keys delete everything that belongs to the user.
func (d users) DeleteUser(ctx context.Context, id string) error {
	return d.must(ctx, "delete user", `DELETE FROM users WHERE id = $1`, id)
}

func (d users) Permissions(ctx context.Context, userID, apiID string) ([]string, error) {
	return all(ctx, d.runner, "list permissions", rows.Value[string],
		`SELECT scope FROM permissions WHERE user_id = $1 AND api_id = $2 ORDER BY scope`, userID, apiID)
}
