package session_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// forgetful is a store that loses a session while its token is refreshed.
type forgetful struct{ store.Sessions }

func (forgetful) UpdateSession(context.Context, []byte, int64, []byte) error {
	return store.ErrNotFound
}

func TestRefreshOutcomes(t *testing.T) {
	for _, x := range []struct {
		want string
		err  error
		lose bool
	}{
		{"renewed", nil, false},
		{"revoked", session.ErrRevoked, false},
		{"failed", errors.New("500"), false},
		{"lost", nil, true},
	} {
		t.Run(x.want, func(t *testing.T) {
			var rows store.Sessions = sqlitetest.Open(t)
			c := newClock()
			ck := begin(t, newStore(t, rows, c, nil), "ana", grant(c.Now().Add(-time.Minute)))
			if x.lose {
				rows = forgetful{rows}
			}
			var told []string
			f := func(ctx context.Context, k observe.Kind, detail string) (context.Context, func(string)) {
				return ctx, func(outcome string) { told = append(told, string(k)+" "+outcome) }
			}
			s, err := session.NewStore(session.Config{
				Rows: rows, Keys: []session.Key{key(1)}, Now: c.Now, Log: slog.New(slog.DiscardHandler), Observe: f,
			})
			if err != nil {
				t.Fatal(err)
			}
			n := &tenant{valid: "refresh-0", clock: c}
			_, err = s.Access(t.Context(), read(t, s, ck), "api", "", func(
				ctx context.Context, audience string, g session.Grant,
			) (session.Token, string, error) {
				if x.err != nil {
					return session.Token{}, "", x.err
				}
				return n.refresh(ctx, audience, g)
			})
			if (err == nil) != (x.want == "renewed") || len(told) != 1 || told[0] != "refresh "+x.want {
				t.Errorf("reported %q, error %v", told, err)
			}
		})
	}
}
