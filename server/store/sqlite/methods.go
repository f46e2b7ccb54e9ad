package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

const methodColumns = `id, user_id, type, name, key, data, count, created, used FROM methods`

func scanMethod(row interface{ Scan(...any) error }) (store.Method, error) {
	var m store.Method
	var created, used int64
	if err := row.Scan(&m.ID, &m.UserID, &m.Type, &m.Name, &m.Key, &m.Data, &m.Count, &created, &used); err != nil {
		return store.Method{}, err
	}
	m.Created = instant(created)
	if used != 0 {
		m.Used = instant(used)
	}
	return m, nil
}

// Methods implements store.Methods.
func (d *access) Methods(ctx context.Context, userID string) ([]store.Method, error) {
	return methodsOf(ctx, d.read, userID)
}

func methodsOf(ctx context.Context, q conn, userID string) ([]store.Method, error) {
	rows, err := q.QueryContext(ctx, `SELECT `+methodColumns+` WHERE user_id = ? ORDER BY seq`, userID)
	if err != nil {
		return nil, translate(err, "list methods")
	}
	defer rows.Close() //nolint:errcheck // Err tells all that went wrong
	var out []store.Method
	for rows.Next() {
		m, err := scanMethod(rows)
		if err != nil {
			return nil, translate(err, "list methods")
		}
		out = append(out, m)
	}
	return out, translate(rows.Err(), "list methods")
}

// MethodByKey implements store.Methods.
func (d *access) MethodByKey(ctx context.Context, key []byte) (store.Method, error) {
	m, err := scanMethod(d.read.QueryRowContext(ctx, `SELECT `+methodColumns+` WHERE key = ?`, key))
	return m, translate(err, "get method")
}

// CreateMethod implements store.Methods.
func (d *access) CreateMethod(ctx context.Context, m store.Method, most int) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM methods WHERE user_id = ? AND type = ?`, m.UserID,
			string(m.Type)).Scan(&n); err != nil {
			return translate(err, "count methods")
		}
		if n >= most {
			return fmt.Errorf("create method: the person has %d of the type: %w", n, store.ErrConflict)
		}
		return insertMethod(ctx, tx, m)
	})
}

func insertMethod(ctx context.Context, tx *sql.Tx, m store.Method) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO methods (id, user_id, type, name, key, data, count, created, used)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)`, m.ID, m.UserID, string(m.Type), m.Name, m.Key, m.Data, m.Count, millis(m.Created))
	return translate(err, "create method")
}

// UseMethod implements store.Methods.
func (d *access) UseMethod(ctx context.Context, id string, from, to int64, data []byte, now time.Time) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		var count int64
		if err := tx.QueryRowContext(ctx, `SELECT count FROM methods WHERE id = ?`, id).Scan(&count); err != nil {
			return translate(err, "use method")
		}
		if count != from {
			return fmt.Errorf("use method: its count has moved: %w", store.ErrConflict)
		}
		_, err := tx.ExecContext(ctx, `UPDATE methods SET count = ?, used = ?, data = coalesce(?, data) WHERE id = ?`, to, millis(now), data, id)
		return translate(err, "use method")
	})
}

// RenameMethod implements store.Methods.
func (d *access) RenameMethod(ctx context.Context, userID, id, name string) error {
	res, err := d.write.ExecContext(ctx, `UPDATE methods SET name = ? WHERE id = ? AND user_id = ?`, name, id, userID)
	if err != nil {
		return translate(err, "rename method")
	}
	return affected(res, "rename method", store.ErrNotFound)
}

// DeleteMethod implements store.Methods.
func (d *access) DeleteMethod(ctx context.Context, userID, id string, allow func(store.User, []store.Method) error) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM methods WHERE id = ? AND user_id = ?`, id, userID)
		if err != nil {
			return translate(err, "delete method")
		}
		if err := affected(res, "delete method", store.ErrNotFound); err != nil {
			return err
		}
		return judge(ctx, tx, userID, allow)
	})
}

// onlyPassword is what is left of a list amr when a second factor is taken.
const onlyPassword = `CASE WHEN EXISTS (SELECT 1 FROM json_each(amr) WHERE value = 'pwd') THEN '["pwd"]' ELSE '[]' END`

// TakeMethods implements store.Methods.
func (d *access) TakeMethods(ctx context.Context, userID string, which func(store.Method) bool) ([]store.Method, error) {
	var taken []store.Method
	err := d.inTx(ctx, func(tx *sql.Tx) error {
		var one int
		if err := tx.QueryRowContext(ctx, `SELECT 1 FROM users WHERE id = ?`, userID).Scan(&one); err != nil {
			return translate(err, "take methods")
		}
		have, err := methodsOf(ctx, tx, userID)
		if err != nil {
			return err
		}
		for _, m := range have {
			if !which(m) {
				continue
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM methods WHERE id = ?`, m.ID); err != nil {
				return translate(err, "take method")
			}
			taken = append(taken, m)
		}
		if len(taken) == 0 {
			return nil
		}
		for _, text := range []string{
			`UPDATE sign_ins SET amr = ` + onlyPassword + ` WHERE user_id = ?`,
			`UPDATE families SET acr = '', amr = ` + onlyPassword + ` WHERE user_id = ?`,
		} {
			if _, err := tx.ExecContext(ctx, text, userID); err != nil {
				return translate(err, "forget second factors")
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// SetPassword implements store.Methods.
func (d *access) SetPassword(ctx context.Context, userID, hash string, allow func(store.User, []store.Method) error) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE users SET password_hash = ? WHERE id = ?`, hash, userID)
		if err != nil {
			return translate(err, "set password")
		}
		if err := affected(res, "set password", store.ErrNotFound); err != nil {
			return err
		}
		return judge(ctx, tx, userID, allow)
	})
}

// ChangePassword implements store.Methods.
func (d *access) ChangePassword(ctx context.Context, userID, hash, keep string) (ended []string, err error) {
	err = d.inTx(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE users SET password_hash = ? WHERE id = ?`, hash, userID)
		if err != nil {
			return translate(err, "change password")
		}
		if err := affected(res, "change password", store.ErrNotFound); err != nil {
			return err
		}
		inside := &access{&runner{read: tx, write: tx, tx: tx, prepared: d.prepared}}
		ended, err = inside.scopes(ctx, `SELECT id FROM sign_ins WHERE user_id = ?1 AND id <> ?2
			UNION SELECT sign_in_id FROM families WHERE user_id = ?1 AND sign_in_id <> ?2 AND revoked = 0 ORDER BY 1`, userID, keep)
		if err != nil {
			return err
		}
		for _, text := range []string{
			`DELETE FROM sign_ins WHERE user_id = ? AND id <> ?`,
			`UPDATE families SET revoked = 1 WHERE user_id = ? AND sign_in_id <> ?`,
		} {
			if _, err := tx.ExecContext(ctx, text, userID, keep); err != nil {
				return translate(err, "end logins")
			}
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM tickets WHERE user_id = ?`, userID)
		return translate(err, "forget tickets")
	})
	return ended, err
}

// judge asks allow about a person after a change that can still be rolled back.
func judge(ctx context.Context, tx *sql.Tx, userID string, allow func(store.User, []store.Method) error) error {
	if allow == nil {
		return nil
	}
	u, err := scanUser(tx.QueryRowContext(ctx, userByID, userID))
	if err != nil {
		return err
	}
	left, err := methodsOf(ctx, tx, userID)
	if err != nil {
		return err
	}
	return allow(u, left)
}
