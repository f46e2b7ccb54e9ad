package sqlite

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
	return all(ctx, d.runner, "list methods", rows.Method, `SELECT `+methodColumns+` WHERE user_id = ? ORDER BY seq`, userID)
}

func (d methods) MethodByKey(ctx context.Context, key []byte) (store.Method, error) {
	return one(ctx, d.runner, "get method", rows.Method, `SELECT `+methodColumns+` WHERE key = ?`, key)
}

func (d methods) CreateMethod(ctx context.Context, m store.Method, most int) error {
	return d.inTx(ctx, func(tx *runner) error {
		var n int
		if err := tx.row(ctx, `SELECT count(*) FROM methods WHERE user_id = ? AND type = ?`, m.UserID,
			string(m.Type)).Scan(&n); err != nil {
			return translate(err, "count methods")
		}
		if n >= most {
			return fmt.Errorf("create method: the person has %d of the type: %w", n, store.ErrConflict)
		}
		return methods{tx}.insert(ctx, m)
	})
}

func (d methods) insert(ctx context.Context, m store.Method) error {
	return d.exec(ctx, "create method", `INSERT INTO methods (id, user_id, type, name, key, data, count, created, used)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)`, m.ID, m.UserID, string(m.Type), m.Name, m.Key, m.Data, m.Count, rows.Millis(m.Created))
}

func (d methods) UseMethod(ctx context.Context, id string, from, to int64, data []byte, now time.Time) error {
	return d.inTx(ctx, func(tx *runner) error {
		var count int64
		if err := tx.row(ctx, `SELECT count FROM methods WHERE id = ?`, id).Scan(&count); err != nil {
			return translate(err, "use method")
		}
		if count != from {
			return fmt.Errorf("use method: its count has moved: %w", store.ErrConflict)
		}
		return tx.exec(ctx, "use method", `UPDATE methods SET count = ?, used = ?, data = coalesce(?, data) WHERE id = ?`,
			to, rows.Millis(now), data, id)
	})
}

func (d methods) RenameMethod(ctx context.Context, userID, id, name string) error {
	return d.must(ctx, "rename method", `UPDATE methods SET name = ? WHERE id = ? AND user_id = ?`, name, id, userID)
}

func (d methods) DeleteMethod(ctx context.Context, userID, id string, allow func(store.User, []store.Method) error) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := tx.must(ctx, "delete method", `DELETE FROM methods WHERE id = ? AND user_id = ?`, id, userID); err != nil {
			return err
		}
		return methods{tx}.ask(ctx, userID, allow)
	})
}

// onlyPassword is the SQL expression for a list amr from which the second factors are removed.
const onlyPassword = `CASE WHEN EXISTS (SELECT 1 FROM json_each(amr) WHERE value = 'pwd') THEN '["pwd"]' ELSE '[]' END`

func (d methods) TakeMethods(ctx context.Context, userID string, which func(store.Method) bool) ([]store.Method, error) {
	var taken []store.Method
	err := d.inTx(ctx, func(tx *runner) error {
		var one int
		if err := tx.row(ctx, `SELECT 1 FROM users WHERE id = ?`, userID).Scan(&one); err != nil {
			return translate(err, "take methods")
		}
		have, err := methods{tx}.Methods(ctx, userID)
		if err != nil {
			return err
		}
		for _, m := range have {
			if !which(m) {
				continue
			}
			if err := tx.exec(ctx, "take method", `DELETE FROM methods WHERE id = ?`, m.ID); err != nil {
				return err
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
			if err := tx.exec(ctx, "forget second factors", text, userID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

func (d methods) SetPassword(ctx context.Context, userID, hash string, allow func(store.User, []store.Method) error) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := (users{tx}).setPassword(ctx, userID, hash); err != nil {
			return err
		}
		return methods{tx}.ask(ctx, userID, allow)
	})
}

func (d methods) ChangePassword(ctx context.Context, userID, hash, keep string) (ended []string, err error) {
	err = d.inTx(ctx, func(tx *runner) error {
		if err := (users{tx}).setPassword(ctx, userID, hash); err != nil {
			return err
		}
		ended, err = all(ctx, tx, "list logins", rows.Value[string], `SELECT id FROM sign_ins WHERE user_id = ?1 AND id <> ?2
			UNION SELECT sign_in_id FROM families WHERE user_id = ?1 AND sign_in_id <> ?2 AND revoked = 0 ORDER BY 1`, userID, keep)
		if err != nil {
			return err
		}
		for _, text := range []string{
			`DELETE FROM sign_ins WHERE user_id = ? AND id <> ?`,
			`UPDATE families SET revoked = 1 WHERE user_id = ? AND sign_in_id <> ?`,
		} {
			if err := tx.exec(ctx, "end logins", text, userID, keep); err != nil {
				return err
			}
		}
		return tx.exec(ctx, "forget tickets", `DELETE FROM tickets WHERE user_id = ?`, userID)
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
