package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

const methodColumns = `id, user_id, type, name, key, data, count, created, used FROM methods`

// methods implements store.Methods.
type methods struct{ *runner }

func (d methods) Methods(ctx context.Context, userID string) ([]store.Method, error) {
	return all(ctx, d.runner, "list methods", rows.Method, `SELECT `+methodColumns+` WHERE user_id = $1 ORDER BY seq`, userID)
}

func (d methods) MethodByKey(ctx context.Context, key []byte) (store.Method, error) {
	return one(ctx, d.runner, "get method", rows.Method, `SELECT `+methodColumns+` WHERE key = $1`, key)
}

func (d methods) CreateMethod(ctx context.Context, m store.Method, most int) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		n, err := one(ctx, tx, "count methods", rows.Value[int], `SELECT count(*) FROM methods WHERE user_id = $1 AND type = $2`,
			m.UserID, string(m.Type))
		if err != nil {
			return err
		}
		if n >= most {
			return fmt.Errorf("create method: the person has %d of the type: %w", n, store.ErrConflict)
		}
		return methods{tx}.insert(ctx, m)
	})
}

func (d methods) insert(ctx context.Context, m store.Method) error {
	return d.exec(ctx, "create method", `INSERT INTO methods (id, user_id, type, name, key, data, count, created)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, m.ID, m.UserID, string(m.Type), m.Name, m.Key, m.Data, m.Count, rows.Millis(m.Created))
}

// UseMethod implements store.Methods. It runs at every sign-in with a second factor, so it does not wait for others: one statement decides
// who changes the count.
func (d methods) UseMethod(ctx context.Context, id string, from, to int64, data []byte, now time.Time) error {
	return d.inTx(ctx, beside, func(tx *runner) error {
		n, err := tx.count(ctx, "use method", `UPDATE methods SET count = $3, used = $4, data = coalesce($5, data)
			WHERE id = $1 AND count = $2`, id, from, to, rows.Millis(now), data)
		if err != nil || n > 0 {
			return err
		}
		return tx.found(ctx, "use method", `SELECT 1 FROM methods WHERE id = $1`, id)
	})
}

func (d methods) RenameMethod(ctx context.Context, userID, id, name string) error {
	return d.must(ctx, "rename method", `UPDATE methods SET name = $3 WHERE id = $1 AND user_id = $2`, id, userID, name)
}

func (d methods) DeleteMethod(ctx context.Context, userID, id string, allow func(store.User, []store.Method) error) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		if err := tx.must(ctx, "delete method", `DELETE FROM methods WHERE id = $1 AND user_id = $2`, id, userID); err != nil {
			return err
		}
		return methods{tx}.ask(ctx, userID, allow)
	})
}

// onlyPassword is the SQL expression for a list amr from which the second factors are removed.
const onlyPassword = `CASE WHEN amr ? 'pwd' THEN '["pwd"]' ELSE '[]' END::jsonb` //nolint:gosec // no credentials

func (d methods) TakeMethods(ctx context.Context, userID string, which func(store.Method) bool) (taken []store.Method, err error) {
	err = d.inTx(ctx, alone, func(tx *runner) error {
		if _, err := one(ctx, tx, "take methods", rows.Value[int], `SELECT 1 FROM users WHERE id = $1`, userID); err != nil {
			return err
		}
		have, err := methods{tx}.Methods(ctx, userID)
		if err != nil {
			return err
		}
		taken = nil
		var ids []string
		for _, m := range have {
			if which(m) {
				taken, ids = append(taken, m), append(ids, m.ID)
			}
		}
		if len(taken) == 0 {
			return nil
		}
		return tx.exec(ctx, "take methods", `WITH s AS (UPDATE sign_ins SET amr = `+onlyPassword+` WHERE user_id = $1),
			f AS (UPDATE families SET acr = '', amr = `+onlyPassword+` WHERE user_id = $1)
			DELETE FROM methods WHERE id = ANY($2)`, userID, ids)
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

func (d methods) SetPassword(ctx context.Context, userID, hash string, allow func(store.User, []store.Method) error) error {
	return d.inTx(ctx, alone, func(tx *runner) error {
		if err := (users{tx}).setPassword(ctx, userID, hash); err != nil {
			return err
		}
		return methods{tx}.ask(ctx, userID, allow)
	})
}

func (d methods) ChangePassword(ctx context.Context, userID, hash, keep string) (ended []string, err error) {
	err = d.inTx(ctx, alone, func(tx *runner) error {
		if err := (users{tx}).setPassword(ctx, userID, hash); err != nil {
			return err
		}
		ended, err = all(ctx, tx, "list logins", rows.Value[string], `SELECT id FROM sign_ins WHERE user_id = $1 AND id <> $2
			UNION SELECT sign_in_id FROM families WHERE user_id = $1 AND sign_in_id <> $2 AND NOT revoked ORDER BY 1`, userID, keep)
		if err != nil {
			return err
		}
		return tx.exec(ctx, "end logins", `WITH s AS (DELETE FROM sign_ins WHERE user_id = $1 AND id <> $2),
			f AS (UPDATE families SET revoked = true WHERE user_id = $1 AND sign_in_id <> $2)
			DELETE FROM tickets WHERE user_id = $1`, userID, keep)
	})
	return ended, err
}

// ask calls allow with a person after a change that can still be rolled back.
func (d methods) ask(ctx context.Context, userID string, allow func(store.User, []store.Method) error) error {
	if allow == nil {
		return nil
	}
	u, err := users(d).User(ctx, userID)
	if err != nil {
		return err
	}
	left, err := d.Methods(ctx, userID)
	if err != nil {
		return err
	}
	return allow(u, left)
}
