package sqlite

import (
	"context"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// sessionByID runs for every request.
const sessionByID = `SELECT id, data, version, created, seen FROM sessions WHERE id = ?`

// sessions implements store.Sessions.
type sessions struct{ *runner }

func (d sessions) Session(ctx context.Context, id []byte) (store.Session, error) {
	return one(ctx, d.runner, "get session", rows.Session, sessionByID, id)
}

func (d sessions) CreateSession(ctx context.Context, s store.Session) error {
	return d.exec(ctx, "create session",
		`INSERT INTO sessions (id, data, version, created, seen, person, sign_in) VALUES (?, ?, 1, ?, ?, ?, ?)`,
		s.ID, s.Data, rows.Millis(s.Created), rows.Millis(s.Seen), s.Person, s.SignIn)
}

func (d sessions) UpdateSession(ctx context.Context, id []byte, version int64, data []byte) error {
	return d.change(ctx, "update session", id,
		`UPDATE sessions SET data = ?, version = version + 1 WHERE id = ? AND version = ?`, data, id, version)
}

func (d sessions) TouchSession(ctx context.Context, id []byte, seen time.Time) error {
	return d.change(ctx, "touch session", id,
		`UPDATE sessions SET seen = max(seen, ?) WHERE id = ?`, rows.Millis(seen), id)
}

func (d sessions) DeleteSession(ctx context.Context, id []byte) error {
	return d.exec(ctx, "delete session", `DELETE FROM sessions WHERE id = ?`, id)
}

func (d sessions) EndSessions(ctx context.Context, people, signIns [][]byte) (int64, error) {
	var where []string
	var args []any
	for _, by := range []struct {
		column string
		values [][]byte
	}{{"person", people}, {"sign_in", signIns}} {
		if len(by.values) == 0 {
			continue
		}
		where = append(where, by.column+` IN (?`+strings.Repeat(`, ?`, len(by.values)-1)+`)`)
		for _, v := range by.values {
			args = append(args, v)
		}
	}
	if len(where) == 0 {
		return 0, nil
	}
	return d.count(ctx, "end sessions", `DELETE FROM sessions WHERE `+strings.Join(where, ` AND `), args...)
}

func (d sessions) LeaseSession(ctx context.Context, id []byte, version int64, owner string, now, until time.Time) error {
	return d.change(ctx, "lease session", id,
		`UPDATE sessions SET lease_owner = ?, lease_until = ? WHERE id = ? AND version = ? AND lease_until <= ?`,
		owner, rows.Millis(until), id, version, rows.Millis(now))
}

func (d sessions) ReleaseSession(ctx context.Context, id []byte, owner string) error {
	return d.exec(ctx, "release session", `UPDATE sessions SET lease_owner = '', lease_until = 0 WHERE id = ? AND lease_owner = ?`, id, owner)
}

func (d sessions) SweepSessions(ctx context.Context, created, seen time.Time) (int64, error) {
	return d.count(ctx, "sweep sessions", `DELETE FROM sessions WHERE created < ? OR seen < ?`, rows.Millis(created), rows.Millis(seen))
}

// change runs one conditional update. If it changes no row, the error distinguishes a row that no longer exists from one that is not in the
// expected state.
func (d sessions) change(ctx context.Context, action string, id []byte, query string, args ...any) error {
	n, err := d.count(ctx, action, query, args...)
	if err != nil || n > 0 {
		return err
	}
	var one int
	err = d.row(ctx, `SELECT 1 FROM sessions WHERE id = ?`, id).Scan(&one)
	if err == nil {
		err = store.ErrConflict
	}
	return translate(err, action)
}
