package ratelimit_test

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
)

type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) read() time.Time { return c.now }

func TestLimiter(t *testing.T) {
	c := newClock()
	l := ratelimit.Counting{Now: c.read}.Limiter("requests", 2, 3)
	for i, tt := range []struct {
		after     time.Duration
		allowed   bool
		remaining int
		wait      time.Duration
	}{
		{0, true, 2, 500 * time.Millisecond},
		{0, true, 1, time.Second},
		{0, true, 0, 1500 * time.Millisecond},
		{0, false, 0, 500 * time.Millisecond},
		{250 * time.Millisecond, false, 0, 250 * time.Millisecond},
		{250 * time.Millisecond, true, 0, 1500 * time.Millisecond},
		{time.Hour, true, 2, 500 * time.Millisecond},
	} {
		c.now = c.now.Add(tt.after)
		s := l.Take(t.Context(), "a")
		if s.Allowed != tt.allowed || s.Remaining != tt.remaining || s.Limit != 3 || s.Wait != tt.wait || !s.Reset.Equal(c.now.Add(tt.wait)) {
			t.Errorf("request %d: %+v, want allowed %v, %d remaining, %v to wait", i, s, tt.allowed, tt.remaining, tt.wait)
		}
	}
	if s := l.Take(t.Context(), "b"); s.Remaining != 2 {
		t.Errorf("another key has %d remaining, want 2", s.Remaining)
	}
}

func TestHeaders(t *testing.T) {
	c := newClock()
	l := ratelimit.Counting{Now: c.read}.Limiter("requests", 1, 1)
	for _, want := range []map[string]string{
		{"X-RateLimit-Limit": "1", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": strconv.FormatInt(c.now.Unix()+1, 10), "Retry-After": ""},
		{"X-RateLimit-Limit": "1", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": strconv.FormatInt(c.now.Unix()+1, 10), "Retry-After": "1"},
	} {
		h := http.Header{}
		l.Take(t.Context(), "a").Write(h)
		for k, v := range want {
			if got := h.Get(k); got != v {
				t.Errorf("%s = %q, want %q", k, got, v)
			}
		}
	}
}

// Strangers cannot make the limiter grow, nor free a busy key by using many others once.
func TestFullLimiterForgetsTheLeastRecentlyUsed(t *testing.T) {
	c := newClock()
	l := ratelimit.Counting{Now: c.read}.Limiter("requests", 1, 2)
	for i := range 9_999 {
		l.Take(t.Context(), strconv.Itoa(i))
	}
	l.Take(t.Context(), "busy")
	l.Take(t.Context(), "busy")
	for i := range 9_999 {
		l.Take(t.Context(), "more"+strconv.Itoa(i))
	}
	if s := l.Take(t.Context(), "busy"); s.Allowed {
		t.Error("a busy key was forgotten while keys that were used before it were there")
	}
	if s := l.Take(t.Context(), "0"); s.Remaining != 1 {
		t.Error("the key that was used least recently is still known")
	}
}

func TestFailures(t *testing.T) {
	c := newClock()
	f := ratelimit.Counting{Now: c.read}.Failures("wrong", 2, 15*time.Minute)
	want := func(name string, wait time.Duration) {
		t.Helper()
		if got := f.Try(t.Context(), "a"); got != wait {
			t.Errorf("%s: Try = %v, want %v", name, got, wait)
		}
	}
	want("first", 0)
	c.now = c.now.Add(5 * time.Minute)
	want("second", 0)
	want("third", 10*time.Minute)
	want("waiting is not a failure", 10*time.Minute)
	if got := f.Try(t.Context(), "b"); got != 0 {
		t.Errorf("another key: Try = %v, want 0", got)
	}
	c.now = c.now.Add(10 * time.Minute)
	want("next window", 0)
	f.Succeed(t.Context(), "a")
	want("after a success", 0)
	want("and one more", 0)
	want("again too many", 15*time.Minute)
	f.Clear(t.Context(), "a")
	want("cleared", 0)
	f.Succeed(t.Context(), "nobody")
}

func TestFailuresAtOnce(t *testing.T) {
	f := ratelimit.Counting{Now: newClock().read}.Failures("wrong", 5, time.Minute)
	var passed atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if f.Try(t.Context(), "a") == 0 {
				passed.Add(1)
			}
		})
	}
	wg.Wait()
	if passed.Load() != 5 {
		t.Errorf("%d attempts at once passed, want 5", passed.Load())
	}
}

func TestFullFailuresForgetTheLeastRecentlyUsed(t *testing.T) {
	f := ratelimit.Counting{Now: newClock().read}.Failures("wrong", 1, time.Minute)
	for i := range 9_999 {
		f.Try(t.Context(), strconv.Itoa(i))
	}
	f.Try(t.Context(), "busy")
	f.Try(t.Context(), "one more")
	if f.Try(t.Context(), "busy") == 0 || !f.Spent(t.Context(), "busy") {
		t.Error("a key in its window was forgotten while keys that were used before it were there")
	}
	if f.Spent(t.Context(), "0") {
		t.Error("the key that was used least recently is still known")
	}
}
