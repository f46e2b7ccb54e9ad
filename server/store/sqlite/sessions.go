package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// Session implements store.Sessions.
func (d *DB) Session(ctx context.Context, id []byte) (store.Session, error) {
	s := store.Session{ID: id}
	var created, seen int64
	err := d.kept.session.QueryRowContext(ctx, id).Scan(&s.Data, &s.Version, &created, &seen)
	if err != nil {
		return store.Session{}, translate(err, "get session")
	}
	s.Created, s.Seen = instant(created), instant(seen)
	return s, nil
}

// CreateSession implements store.Sessions.
func (d *DB) CreateSession(ctx context.Context, s store.Session) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO sessions (id, data, version, created, seen, person, sign_in) VALUES (?, ?, 1, ?, ?, ?, ?)`,
		s.ID, s.Data, millis(s.Created), millis(s.Seen), s.Person, s.SignIn)
	return translate(err, "create session")
}

// UpdateSession implements store.Sessions.
func (d *DB) UpdateSession(ctx context.Context, id []byte, version int64, data []byte) error {
	return d.changeSession(ctx, "update session", id,
		`UPDATE sessions SET data = ?, version = version + 1 WHERE id = ? AND version = ?`, data, id, version)
}

// TouchSession implements store.Sessions.
func (d *DB) TouchSession(ctx context.Context, id []byte, seen time.Time) error {
	return d.changeSession(ctx, "touch session", id,
		`UPDATE sessions SET seen = max(seen, ?) WHERE id = ?`, millis(seen), id)
}

// DeleteSession implements store.Sessions.
func (d *DB) DeleteSession(ctx context.Context, id []byte) error {
	_, err := d.write.ExecContext(ctx, `DELETE FROM sessions WHERE id = ?`, id)
	return translate(err, "delete session")
}

// EndSessions implements store.Sessions.
func (d *DB) EndSessions(ctx context.Context, people, signIns [][]byte) (int64, error) {
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
	res, err := d.write.ExecContext(ctx, `DELETE FROM sessions WHERE `+strings.Join(where, ` AND `), args...)
	if err != nil {
		return 0, translate(err, "end sessions")
	}
	n, err := res.RowsAffected()
	return n, translate(err, "end sessions")
}

// LeaseSession implements store.Sessions.
func (d *DB) LeaseSession(ctx context.Context, id []byte, version int64, owner string, now, until time.Time) error {
	return d.changeSession(ctx, "lease session", id,
		`UPDATE sessions SET lease_owner = ?, lease_until = ? WHERE id = ? AND version = ? AND lease_until <= ?`,
		owner, millis(until), id, version, millis(now))
}

// ReleaseSession implements store.Sessions.
func (d *DB) ReleaseSession(ctx context.Context, id []byte, owner string) error {
	_, err := d.write.ExecContext(ctx, `UPDATE sessions SET lease_owner = '', lease_until = 0 WHERE id = ? AND lease_owner = ?`, id, owner)
	return translate(err, "release session")
}

// SweepSessions implements store.Sessions.
func (d *DB) SweepSessions(ctx context.Context, created, seen time.Time) (int64, error) {
	res, err := d.write.ExecContext(ctx, `DELETE FROM sessions WHERE created < ? OR seen < ?`, millis(created), millis(seen))
	if err != nil {
		return 0, translate(err, "sweep sessions")
	}
	n, err := res.RowsAffected()
	return n, translate(err, "sweep sessions")
}

// changeSession runs one conditional update. When it hits no row it tells
// whether the row is gone or only not in the state that was counted on.
func (d *DB) changeSession(ctx context.Context, action string, id []byte, update string, args ...any) error {
	res, err := d.write.ExecContext(ctx, update, args...)
	if err != nil {
		return translate(err, action)
	}
	n, err := res.RowsAffected()
	if err != nil || n > 0 {
		return translate(err, action)
	}
	var one int
	switch err := d.read.QueryRowContext(ctx, `SELECT 1 FROM sessions WHERE id = ?`, id).Scan(&one); {
	case err == nil:
		return translate(store.ErrConflict, action)
	case errors.Is(err, sql.ErrNoRows):
		return translate(store.ErrNotFound, action)
	default:
		return translate(err, action)
	}
}
