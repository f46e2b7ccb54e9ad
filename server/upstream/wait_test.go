package upstream_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/upstream"
)

// A wait after a 429 is reported as answered. While no requests remain, the next read is held before it is sent.
func TestWaitsAreReported(t *testing.T) {
	var told []string
	statuses := []int{429, 200, 200}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c, err := upstream.NewClient(upstream.Config{
		BaseURL: "https://tenant.example/api/v2", Shared: true, Now: func() time.Time { return now },
		Wait: func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil },
		Observe: func(ctx context.Context, k observe.Kind, detail string) (context.Context, func(string)) {
			return ctx, func(outcome string) { told = append(told, string(k)+" "+detail+" "+outcome) }
		},
		Transport: answers(func(*http.Request) (*http.Response, error) {
			h := http.Header{"Content-Type": {"application/json"}, "X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset": {"2"}}
			status := statuses[0]
			statuses = statuses[1:]
			return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader("{}"))}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{http.MethodPatch, http.MethodGet} {
		if res, err := c.Do(t.Context(), upstream.Request{Method: method, Path: []string{"forms"}}, fixed{}); err != nil || res.Status != 200 {
			t.Fatalf("%s: %+v, %v", method, res, err)
		}
	}
	if want := []string{"wait answered waited", "wait held waited"}; !slices.Equal(told, want) {
		t.Errorf("reported %q, want %q", told, want)
	}
}
