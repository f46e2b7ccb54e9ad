package logout_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/observe"
)

// turns responds to calls with each error in turn; nil is a successful response.
type turns struct {
	mu   sync.Mutex
	errs []error
}

func (c *turns) RoundTrip(*http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.errs[0]
	c.errs = c.errs[1:]
	if err != nil {
		return nil, err
	}
	return httptest.NewRecorder().Result(), nil
}

func TestNoticesAreReported(t *testing.T) {
	var mu sync.Mutex
	told, open := map[string]int{}, 0
	f := func(ctx context.Context, k observe.Kind, _ string) (context.Context, func(string)) {
		mu.Lock()
		defer mu.Unlock()
		open++
		return ctx, func(outcome string) {
			mu.Lock()
			defer mu.Unlock()
			open--
			told[string(k)+" "+outcome]++
		}
	}
	n := newNotifier(t, &turns{errs: []error{nil, errors.New("refused"), nil}}, slog.New(slog.DiscardHandler), f)
	for range 3 {
		if err := n.SignedOut(t.Context(), "ana", ""); err != nil {
			t.Fatal(err)
		}
	}
	n.Wait()
	if want := map[string]int{"notice sent": 2, "notice failed": 1}; !maps.Equal(told, want) || open != 0 {
		t.Errorf("reported %v and %d open, want %v", told, open, want)
	}
}
