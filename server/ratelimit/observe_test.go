package ratelimit_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/ratelimit"
)

// An observer learns which counter refuses, but not which client is refused.
func TestRefusalsAreReported(t *testing.T) {
	var told []string
	count := ratelimit.Counting{Now: newClock().read, Observe: func(
		ctx context.Context, k observe.Kind, detail string,
	) (context.Context, func(string)) {
		return ctx, func(outcome string) { told = append(told, string(k)+" "+detail+" "+outcome) }
	}}
	limit, wrong := count.Limiter("requests", 1, 1), count.Failures("codes", 1, time.Minute)
	for range 2 {
		limit.Take(t.Context(), "192.0.2.7")
		wrong.Try(t.Context(), "ana")
	}
	if want := []string{"limit requests refused", "limit codes refused"}; !slices.Equal(told, want) {
		t.Errorf("reported %q, want %q", told, want)
	}
}
