package postgres

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// sessions implements store.Sessions. Every change is one statement, which decides who wins.
type sessions struct{ *runner }

func (d sessions) Session(ctx context.Context, id []byte) (store.Session, error) {
	return one(ctx, d.runner, "get session", rows.Session, `SELECT id, data, version, created, seen FROM sessions WHERE id = $1`, id)
}

func (d sessions) CreateSession(ctx context.Context, s store.Session) error {
	return d.exec(ctx, "create session",
		`INSERT INTO sessions (id, data, version, created, seen, person, sign_in) VALUES ($1, $2, 1, $3, $4, $5, $6)`,
		s.ID, s.Data, rows.Millis(s.Created), rows.Millis(s.Seen), s.Person, s.SignIn)
}

func (d sessions) UpdateSession(ctx context.Context, id []byte, version int64, data []byte) error {
	return d.change(ctx, "update session", id,
		`UPDATE sessions SET data = $3, version = version + 1 WHERE id = $1 AND version = $2`, version, data)
}

func (d sessions) TouchSession(ctx context.Context, id []byte, seen time.Time) error {
	return d.change(ctx, "touch session", id, `UPDATE sessions SET seen = greatest(seen, $2) WHERE id = $1`, rows.Millis(seen))
}

func (d sessions) DeleteSession(ctx context.Context, id []byte) error {
	return d.exec(ctx, "delete session", `DELETE FROM sessions WHERE id = $1`, id)
}

// EndSessions implements store.Sessions. Each of the statements finds its rows by an index.
func (d sessions) EndSessions(ctx context.Context, people, signIns [][]byte) (int64, error) {
	switch {
	case len(people) == 0 && len(signIns) == 0:
		return 0, nil
	case len(signIns) == 0:
		return d.count(ctx, "end sessions", `DELETE FROM sessions WHERE person = ANY($1)`, people)
	case len(people) == 0:
		return d.count(ctx, "end sessions", `DELETE FROM sessions WHERE sign_in = ANY($1)`, signIns)
	default:
		return d.count(ctx, "end sessions", `DELETE FROM sessions WHERE person = ANY($1) AND sign_in = ANY($2)`, people, signIns)
	}
}

func (d sessions) LeaseSession(ctx context.Context, id []byte, version int64, owner string, now, until time.Time) error {
	return d.change(ctx, "lease session", id,
		`UPDATE sessions SET lease_owner = $3, lease_until = $4 WHERE id = $1 AND version = $2 AND lease_until <= $5`,
		version, owner, rows.Millis(until), rows.Millis(now))
}

func (d sessions) ReleaseSession(ctx context.Context, id []byte, owner string) error {
	return d.exec(ctx, "release session",
		`UPDATE sessions SET lease_owner = '', lease_until = 0 WHERE id = $1 AND lease_owner = $2`, id, owner)
}

func (d sessions) SweepSessions(ctx context.Context, created, seen time.Time) (int64, error) {
	return d.sweep(ctx, "sessions", "id", `created < $1 OR seen < $2`, rows.Millis(created), rows.Millis(seen))
}

// change runs one conditional update, whose first parameter is id. If it changes no row, the error distinguishes a row that no longer
// exists from one that is not in the expected state.
func (d sessions) change(ctx context.Context, action string, id []byte, query string, args ...any) error {
	n, err := d.count(ctx, action, query, append([]any{id}, args...)...)
	if err != nil || n > 0 {
		return err
	}
	return d.found(ctx, action, `SELECT 1 FROM sessions WHERE id = $1`, id)
}
