package bff_test

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/formgraph/formgraph/server/store"
)

// switchable is a store that can be taken down. It counts how often a session is read.
type switchable struct {
	store.Sessions
	down  atomic.Bool
	reads atomic.Int32
}

func (s *switchable) Session(ctx context.Context, id []byte) (store.Session, error) {
	s.reads.Add(1)
	if s.down.Load() {
		return store.Session{}, errors.New("disk is gone")
	}
	return s.Sessions.Session(ctx, id)
}

func (s *switchable) EndSessions(ctx context.Context, people, signIns [][]byte) (int64, error) {
	if s.down.Load() {
		return 0, errors.New("disk is gone")
	}
	return s.Sessions.EndSessions(ctx, people, signIns)
}
