package upstream_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/upstream"
)

type answers func(*http.Request) (*http.Response, error)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

func TestObservedOutcomes(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	for _, x := range []struct {
		status int
		err    error
		want   string
	}{
		{200, nil, "2xx"},
		{304, nil, "3xx"},
		{404, nil, "4xx"},
		{429, nil, "429"},
		{503, nil, "5xx"},
		{0, ended.Err(), "canceled"},
		{0, late.Err(), "timeout"},
		{0, errors.New("connection refused"), "unreachable"},
	} {
		var told string
		f := func(ctx context.Context, k observe.Kind, detail string) (context.Context, func(string)) {
			return context.WithValue(ctx, observe.Call, "of the observer"), func(outcome string) { told = string(k) + " " + detail + " " + outcome }
		}
		next := answers(func(r *http.Request) (*http.Response, error) {
			if r.Context().Value(observe.Call) != nil {
				t.Error("the request has the context of the observer")
			}
			if x.err != nil {
				return nil, x.err
			}
			return &http.Response{StatusCode: x.status, Body: http.NoBody}, nil
		})
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, "https://tenant.example/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		res, err := upstream.Observed(f, next).RoundTrip(r)
		if !errors.Is(err, x.err) || told != "call PATCH "+x.want {
			t.Errorf("status %d, error %v: reported %q, error %v", x.status, x.err, told, err)
		}
		if res != nil {
			_ = res.Body.Close()
		}
	}
}
