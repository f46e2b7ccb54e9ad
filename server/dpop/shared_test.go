package dpop_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
)

// rows keeps proofs for replicas, counts, and can be down.
type rows struct {
	used  map[string]time.Time
	asked int
	err   error
}

func (r *rows) UseProof(ctx context.Context, id []byte, _, end time.Time) (bool, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		return false, errors.New("there is no end to wait for")
	}
	r.asked++
	if r.err != nil {
		return true, r.err
	}
	_, used := r.used[string(id)]
	r.used[string(id)] = end
	return !used, nil
}

func TestShared(t *testing.T) {
	at := &rows{used: map[string]time.Time{}}
	one, two := &dpop.Shared{Rows: at, Name: "api"}, &dpop.Shared{Rows: at, Name: "api"}
	other := &dpop.Shared{Rows: at, Name: "tenant"}
	now := time.Unix(1_000_000, 0)
	end := now.Add(time.Minute)
	for i, tt := range []struct {
		seen  *dpop.Shared
		id    byte
		want  error
		asked int
	}{
		{one, 1, nil, 1},
		{one, 1, dpop.ErrProof, 1}, // the memory in front knows
		{two, 1, dpop.ErrProof, 2}, // the store knows
		{two, 1, dpop.ErrProof, 2},
		{two, 2, nil, 3},
		{one, 2, dpop.ErrProof, 4},
		{other, 1, nil, 5},
	} {
		if err := tt.seen.Use(t.Context(), [32]byte{tt.id}, now, end); !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) ||
			at.asked != tt.asked {
			t.Errorf("use %d: %v and %d calls, want %v and %d", i, err, at.asked, tt.want, tt.asked)
		}
	}
	for id, until := range at.used {
		if len(id) != 32 || !until.Equal(end) {
			t.Errorf("row %x until %v", id, until)
		}
	}
}

// A proof that cannot be remembered is not accepted: the store fails, or the memory is full.
func TestSharedRefuses(t *testing.T) {
	down := errors.New("down")
	at := &rows{used: map[string]time.Time{}, err: down}
	s := &dpop.Shared{Rows: at}
	now := time.Unix(1_000_000, 0)
	if err := s.Use(t.Context(), [32]byte{1}, now, now); !errors.Is(err, dpop.ErrBusy) || !errors.Is(err, down) ||
		errors.Is(err, dpop.ErrProof) {
		t.Errorf("a store that fails: %v", err)
	}
	at.err = nil
	s = &dpop.Shared{Rows: at, Memory: dpop.Memory{Limit: 1}}
	if err := s.Use(t.Context(), [32]byte{2}, now, now); err != nil {
		t.Error(err)
	}
	asked := at.asked
	if err := s.Use(t.Context(), [32]byte{3}, now, now); !errors.Is(err, dpop.ErrBusy) || at.asked != asked {
		t.Errorf("a full memory: %v and %d calls more", err, at.asked-asked)
	}
}
