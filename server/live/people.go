package live

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// How long people are there.
const (
	// beatTime is how often a process says that its pages are there.
	beatTime = 10 * time.Second
	// absentAfter is after which silence of their process pages are gone: it was killed.
	absentAfter = 35 * time.Second
	// storeTime bounds a statement that no request waits for.
	storeTime = 5 * time.Second
)

// PeopleConfig configures People.
type PeopleConfig struct {
	Stored  store.Presences
	Process string // names this process; no other process has the same name
	Now     func() time.Time
	Log     *slog.Logger
	// Came is called when a page has come or shows something else, and Left when it has left.
	Came func(store.Presence)
	Left func(form, page string)
}

// People knows who has which form open. It is safe for concurrent use.
type People struct {
	PeopleConfig

	mu    sync.Mutex
	pages map[place]int // the number of the latest stream of each page of this process
	last  int
	told  time.Time // when the store last learnt that the pages of this process are there
}

// ErrTaken means that a page belongs to another session.
var ErrTaken = errors.New("the page belongs to another session")

// place is a page of a form. Pages of two owners that have the same name are two places.
type place struct{ form, page, owner string }

// NewPeople returns People, whose pages stay while its Run method is running.
func NewPeople(c PeopleConfig) *People {
	return &People{PeopleConfig: c, pages: map[place]int{}, told: c.Now()}
}

// Enter records that a page has a form open, until leave is called. Who of the others is there is in others. The error is ErrTaken if the page
// belongs to another owner.
func (s *People) Enter(ctx context.Context, p store.Presence) (others []store.Presence, leave func(), err error) {
	p.Process, p.Seen = s.Process, s.Now()
	p.Since = p.Seen
	at := place{p.Form, p.Page, p.Owner}
	s.mu.Lock()
	s.last++
	mine := s.last
	s.pages[at] = mine
	s.mu.Unlock()
	leave = func() { s.leave(ctx, at, mine) }
	// It is there before it looks for others: of two pages that come at once, at least one sees the other.
	if err = s.Stored.Enter(ctx, p, s.present()); err == nil {
		others, err = s.There(ctx, p.Form)
	}
	if errors.Is(err, store.ErrConflict) {
		err = ErrTaken
	}
	if err != nil {
		leave()
		return nil, nil, err
	}
	s.Came(p)
	return slices.DeleteFunc(others, func(o store.Presence) bool { return o.Page == p.Page }), leave, nil
}

// leave ends the stream of a page with a number, if it is the latest one.
func (s *People) leave(ctx context.Context, at place, stream int) {
	s.mu.Lock()
	latest := s.pages[at] == stream
	if latest {
		delete(s.pages, at)
	}
	s.mu.Unlock()
	if !latest {
		return // the page has another stream by now
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	left, err := s.Stored.Leave(ctx, at.form, at.page, at.owner, s.Process)
	if err != nil {
		s.Log.WarnContext(ctx, "a page cannot leave", "error", err)
	} else if left {
		s.Left(at.form, at.page)
	}
}

// Check returns ErrTaken if a page is there and belongs to another owner.
func (s *People) Check(ctx context.Context, form, page, owner string) error {
	is, err := s.Stored.Owner(ctx, form, page, s.present())
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err == nil && is != owner:
		return ErrTaken
	}
	return err
}

// Tell records what a page shows to others. If the page of this owner is not there, it does nothing: its stream has ended.
func (s *People) Tell(ctx context.Context, p store.Presence) error {
	there, err := s.Stored.Tell(ctx, p.Form, p.Page, p.Owner, p.State)
	if err == nil && there {
		s.Came(p)
	}
	return err
}

// present returns the time since which pages that are there were seen. While this process cannot tell the store that its pages are there, the
// other processes cannot either, so the time stands still: otherwise a slow database would make everybody absent, and close their rooms.
func (s *People) present() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	if late := s.told.Add(2 * beatTime); late.Before(now) {
		now = late
	}
	return now.Add(-absentAfter)
}

// There returns the pages that have a form open.
func (s *People) There(ctx context.Context, form string) ([]store.Presence, error) {
	return s.Stored.List(ctx, form, s.present())
}

// Run says that the pages of this process are there until ctx ends, and forgets those of processes that no longer say so.
func (s *People) Run(ctx context.Context) {
	tick := time.NewTicker(beatTime)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.beat(ctx)
		}
	}
}

func (s *People) beat(ctx context.Context) {
	s.mu.Lock()
	some := len(s.pages) > 0
	s.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	var err error
	now := s.Now()
	if some {
		err = s.Stored.Beat(limited, s.Process, now)
	}
	if err == nil {
		var gone []store.Presence
		gone, err = s.Stored.Sweep(limited, now.Add(-2*absentAfter))
		for _, p := range gone {
			s.Left(p.Form, p.Page)
		}
	}
	if err == nil {
		s.mu.Lock()
		s.told = now
		s.mu.Unlock()
		return
	}
	if ctx.Err() == nil {
		s.Log.WarnContext(ctx, "presence is not stored", "error", err)
	}
}
