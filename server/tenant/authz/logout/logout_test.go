package logout_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/logout"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// one finds one client.
type one struct{}

func (one) Recipients(context.Context, string, string) ([]store.Recipient, error) {
	return []store.Recipient{{ClientID: "app", URI: "https://app.example/out"}}, nil
}

// slow is a client that answers once block is closed.
type slow struct {
	begun, block chan struct{}
	calls        atomic.Int32
}

func (c *slow) RoundTrip(*http.Request) (*http.Response, error) {
	c.calls.Add(1)
	c.begun <- struct{}{}
	<-c.block
	w := httptest.NewRecorder()
	w.WriteHeader(http.StatusNoContent)
	return w.Result(), nil
}

// newNotifier returns the notifier of one client.
func newNotifier(t *testing.T, transport http.RoundTripper, log *slog.Logger, f observe.Func) *logout.Notifier {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	set, err := keys.New(now)
	if err != nil {
		t.Fatal(err)
	}
	s, err := signer.New(set)
	if err != nil {
		t.Fatal(err)
	}
	issuer := &tokens.Tokens{Issuer: "https://tenant.example", Signer: s, Now: func() time.Time { return now }}
	return logout.New(one{}, issuer, transport, log, f)
}

// A tenant that shuts down finishes the calls in progress and starts no others.
func TestClose(t *testing.T) {
	var log bytes.Buffer
	c := &slow{begun: make(chan struct{}, 20), block: make(chan struct{})}
	n := newNotifier(t, c, slog.New(slog.NewJSONHandler(&log, nil)), nil)
	for range 10 {
		if err := n.SignedOut(t.Context(), "ana", ""); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 { // as many as run at once
		<-c.begun
	}
	closed := make(chan error)
	go func() { closed <- n.Close() }()
	n.WaitDropped()
	close(c.block)
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if dropped := strings.Count(log.String(), "the tenant is stopping"); c.calls.Load() != 4 || dropped != 6 {
		t.Errorf("%d notified and %d not, want 4 and 6", c.calls.Load(), dropped)
	}
	if err := n.Close(); err != nil {
		t.Errorf("Close again = %v, want nil", err)
	}
}
