package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/formgraph/formgraph/server/store"
)

// saveTries bounds how often a save is retried because another writer came first.
const saveTries = 5

// records reads and writes the sealed rows of sessions.
type records struct {
	rows           store.Sessions
	ring           *ring
	idle, absolute time.Duration
	now            func() time.Time
	random         io.Reader
	log            *slog.Logger
}

func (s *records) create(ctx context.Context, st *state, values map[string]string) (*state, error) {
	secret := make([]byte, secretBytes)
	if _, err := io.ReadFull(s.random, secret); err != nil {
		return nil, fmt.Errorf("make session id: %w", err)
	}
	now := s.now().UTC().Truncate(store.Resolution)
	next := &state{secret: secret, id: rowID(secret), version: 1, seen: now, rec: record{Created: now, Values: values}}
	row := store.Session{ID: next.id, Created: now, Seen: now}
	if st != nil {
		next.rec.Grant = st.rec.Grant
		row.Person, row.SignIn = s.ring.mark(0, markPerson, st.person), s.ring.mark(0, markSignIn, st.signIn)
	}
	var err error
	if row.Data, err = s.seal(next, 1); err != nil {
		return nil, err
	}
	if err := s.rows.CreateSession(ctx, row); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return next, nil
}

// replace creates the row of a new session and then deletes the row of the session that it replaces. If either fails, the old session
// remains, and the secret of the new one is not sent.
func (s *records) replace(ctx context.Context, st *state, values map[string]string) (*state, error) {
	next, err := s.create(ctx, st, values)
	if err != nil || st == nil || st.replaces == nil {
		return next, err
	}
	if err := s.rows.DeleteSession(ctx, st.replaces); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return next, nil
}

func (s *records) update(ctx context.Context, st *state, values map[string]string) error {
	grant, dirty := st.rec.Grant, st.dirty
	return s.change(ctx, st, func(rec *record) {
		rec.Values = values
		if dirty {
			rec.Grant = grant
		}
	})
}

// change edits the current record of the row, and retries if another writer came first. On return st is the row as written.
func (s *records) change(ctx context.Context, st *state, edit func(*record)) error {
	for range saveTries {
		now, err := s.load(ctx, st.secret)
		if err != nil {
			return err
		}
		edit(&now.rec)
		data, err := s.seal(now, now.version+1)
		if err != nil {
			return err
		}
		switch err := s.rows.UpdateSession(ctx, now.id, now.version, data); {
		case err == nil:
			now.version++
			*st = *now
			return nil
		case errors.Is(err, store.ErrNotFound):
			return ErrExpired
		case !errors.Is(err, store.ErrConflict):
			return fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
	}
	return fmt.Errorf("%w: other writers came first %d times", ErrUnavailable, saveTries)
}

// load reads and decrypts a row. The error wraps ErrExpired or ErrUnavailable.
func (s *records) load(ctx context.Context, secret []byte) (*state, error) {
	id := rowID(secret)
	row, err := s.rows.Session(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, ErrExpired
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	plain, err := s.ring.open(infoSeal, secret, boundRow(id, row.Version), row.Data)
	st := &state{secret: secret, id: id, version: row.Version, seen: row.Seen}
	if err == nil {
		err = cbor.Unmarshal(plain, &st.rec)
	}
	if err != nil {
		s.log.WarnContext(ctx, "audit", "event", "seal", "session", shortID(id), "error", err)
		return nil, ErrExpired
	}
	now := s.now()
	if now.Sub(st.rec.Created) >= s.absolute || now.Sub(st.seen) >= s.idle {
		if err := s.rows.DeleteSession(ctx, id); err != nil {
			s.log.WarnContext(ctx, "delete session past its age", "error", err)
		}
		return nil, ErrExpired
	}
	return st, nil
}

func (s *records) seal(st *state, version int64) ([]byte, error) {
	plain, err := cbor.Marshal(st.rec)
	if err != nil {
		return nil, fmt.Errorf("encode session: %w", err)
	}
	return s.ring.seal(infoSeal, st.secret, boundRow(st.id, version), plain)
}

// end deletes a session whose token can no longer be refreshed.
func (s *records) end(ctx context.Context, st *state, why string) error {
	s.log.InfoContext(ctx, "audit", "event", "session_ended", "session", shortID(st.id), "reason", why)
	if err := s.rows.DeleteSession(ctx, st.id); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return ErrExpired
}
