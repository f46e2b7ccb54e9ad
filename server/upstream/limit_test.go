package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/server/upstream"
)

// trip answers calls without a network, so that a bubble's clock runs.
type trip func(*http.Request) *http.Response

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

// says is an answer with a JSON body and headers.
func says(status int, headers ...string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(`{}`)), ContentLength: 2}
}

func remote(t *testing.T, shared bool, f trip) *upstream.Client {
	t.Helper()
	c, err := upstream.NewClient(upstream.Config{BaseURL: "http://tenant.example", Transport: f, Shared: shared})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var read = upstream.Request{Method: http.MethodGet, Path: []string{"forms", "ap_1"}}

// fixed is a token source without state.
type fixed struct{}

func (fixed) Token(context.Context, string) (upstream.Credential, error) {
	return upstream.Credential{Token: "token"}, nil
}

// unix returns a point in time, from now on, in seconds since 1970.
func unix(d time.Duration) string { return fmt.Sprint(time.Now().Add(d).Unix()) }

// A 429 is answered by the same call later: after the time that the tenant names, in whichever way, or after a growing pause.
func TestRateLimitIsWaitedFor(t *testing.T) {
	for _, x := range []struct {
		name     string
		headers  func() []string
		min, max time.Duration
		after    time.Duration // of an answer that is not waited for; 0 means that the second call succeeds
	}{
		{"reset in 1 s", func() []string { return []string{"X-RateLimit-Reset", unix(time.Second)} }, time.Second, 1500 * time.Millisecond, 0},
		{
			"reset in 9 s", func() []string { return []string{"X-RateLimit-Reset", unix(9 * time.Second)} }, 9 * time.Second,
			9500 * time.Millisecond, 0,
		},
		{
			"reset in 10 s", func() []string { return []string{"X-RateLimit-Reset", unix(10 * time.Second)} }, 10 * time.Second, 10 * time.Second,
			0,
		},
		{"reset in 11 s", func() []string { return []string{"X-RateLimit-Reset", unix(11 * time.Second)} }, 0, 0, 11 * time.Second},
		{"Retry-After in seconds", func() []string { return []string{"Retry-After", "3"} }, 3 * time.Second, 3500 * time.Millisecond, 0},
		{"Retry-After as a date", func() []string {
			return []string{"Retry-After", time.Now().Add(4 * time.Second).UTC().Format(http.TimeFormat)}
		}, 4 * time.Second, 4500 * time.Millisecond, 0},
		{"Retry-After before the reset", func() []string {
			return []string{"Retry-After", "2", "X-RateLimit-Reset", unix(time.Hour)}
		}, 2 * time.Second, 2500 * time.Millisecond, 0},
		{
			"RateLimit-Reset in seconds from now", func() []string { return []string{"RateLimit-Reset", "2"} }, 2 * time.Second,
			2500 * time.Millisecond, 0,
		},
		{
			"RateLimit of one policy", func() []string { return []string{"RateLimit", `"default";r=0;t=2`} }, 2 * time.Second,
			2500 * time.Millisecond, 0,
		},
		{"RateLimit of several policies", func() []string {
			return []string{"RateLimit", `"burst";r=3;t=1, "hour";r=0;t=3600`}
		}, 0, 0, time.Minute}, // and then the tenant is asked again
		{
			"RateLimit of an old draft", func() []string { return []string{"RateLimit", "limit=100, remaining=0, reset=5"} }, 5 * time.Second,
			5500 * time.Millisecond, 0,
		},
		{"a clock of the tenant's own", func() []string {
			there := time.Now().Add(-3 * time.Hour)
			return []string{"Date", there.UTC().Format(http.TimeFormat), "X-RateLimit-Reset", fmt.Sprint(there.Add(2 * time.Second).Unix())}
		}, 2 * time.Second, 2500 * time.Millisecond, 0},
		{"no header", func() []string { return nil }, 0, 500 * time.Millisecond, 0},
		{"a reset in the past", func() []string { return []string{"X-RateLimit-Reset", unix(-time.Minute)} }, 0, 500 * time.Millisecond, 0},
		{"nonsense", func() []string {
			return []string{"X-RateLimit-Reset", "soon", "Retry-After", "-1", "RateLimit", ";;=r,"}
		}, 0, 500 * time.Millisecond, 0},
	} {
		for _, r := range []upstream.Request{read, patch} {
			for _, shared := range []bool{true, false} {
				t.Run(fmt.Sprint(x.name, " ", r.Method, " shared ", shared), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						calls, began := 0, time.Now()
						c := remote(t, shared, func(*http.Request) *http.Response {
							if calls++; calls > 1 {
								return says(200)
							}
							return says(429, x.headers()...)
						})
						res, err := c.Do(t.Context(), r, fixed{})
						took := time.Since(began)
						if x.after > 0 {
							if err != nil || res.Status != 429 || res.RetryAfter != x.after || calls != 1 || took != 0 {
								t.Errorf("got %+v, %v after %d calls and %v, want to be told to wait %v", res, err, calls, took, x.after)
							}
							return
						}
						if err != nil || res.Status != 200 || calls != 2 || took < x.min || took > x.max {
							t.Errorf("got %+v, %v after %d calls and %v, want a pause of %v to %v", res, err, calls, took, x.min, x.max)
						}
					})
				})
			}
		}
	}
}

// A tenant that always refuses is called twice, with a random pause in between.
func TestRateLimitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var longest time.Duration
		for range 200 {
			var at []time.Time
			c := remote(t, true, func(*http.Request) *http.Response { at = append(at, time.Now()); return says(429) })
			res, err := c.Do(t.Context(), patch, fixed{})
			if err != nil || res.Status != 429 || res.RetryAfter != 0 || len(at) != 2 {
				t.Fatalf("got %+v, %v after %d calls", res, err, len(at))
			}
			longest = max(longest, at[1].Sub(at[0]))
		}
		if longest > 500*time.Millisecond || longest < 250*time.Millisecond {
			t.Errorf("the pauses are at most %v, want up to 500ms", longest)
		}
	})
}

// Calls that share their retries repeat one of them, and together wait for no more than ten seconds.
func TestRetriesAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refusals, calls := 0, 0
		c := remote(t, true, func(*http.Request) *http.Response {
			if calls++; calls == 2 {
				return says(200)
			}
			refusals++
			return says(429)
		})
		shared := &upstream.Retries{}
		for _, r := range []upstream.Request{read, patch} {
			r.Retries = shared
			want := map[string]int{http.MethodGet: 200, http.MethodPatch: 429}[r.Method]
			if res, err := c.Do(t.Context(), r, fixed{}); err != nil || res.Status != want {
				t.Errorf("%s: %+v, %v, want %d", r.Method, res, err, want)
			}
		}
		if refusals != 2 {
			t.Errorf("the tenant refuses %d calls, want 2", refusals)
		}
	})
}

// far are words about a rate limit that would hold reads for longer than a minute, or say nothing that can be obeyed.
func far() map[string][]string {
	day := time.Now().Add(24 * time.Hour)
	far := map[string][]string{}
	for name, value := range map[string]string{
		"a day": "86400", "three days": "259200", "milliseconds": fmt.Sprint(day.UnixMilli()), "nanoseconds": fmt.Sprint(day.UnixNano()),
		"the largest number": "9223372036854775807", "more than a number": strings.Repeat("9", 30), "the end of duration": "9223372036",
		"a point in time": fmt.Sprint(day.Unix()), "a date": day.UTC().Format(http.TimeFormat), "a far date": "Fri, 31 Dec 9999 23:59:59 GMT",
		"a past date": "Mon, 01 Jan 1990 00:00:00 GMT", "past": "1", "zero": "0", "negative": "-5", "a word": "soon", "a fraction": "1e9",
	} {
		far["Retry-After: "+name] = []string{"Retry-After", value}
		far["X-RateLimit-Reset: "+name] = []string{"X-RateLimit-Reset", value, "X-RateLimit-Remaining", "0", "X-RateLimit-Limit", "1000"}
		far["RateLimit-Reset: "+name] = []string{"RateLimit-Reset", value, "RateLimit-Remaining", "0"}
		far["RateLimit: "+name] = []string{"RateLimit", `"all";r=0;t=` + value}
	}
	far["another day there"] = []string{"Date", "Mon, 01 Jan 1990 00:00:00 GMT", "X-RateLimit-Reset", unix(time.Second), "X-RateLimit-Remaining", "0"}
	return far
}

// One answer holds nobody for longer than a minute, whatever it says and with which status: then one read asks the tenant, whose next answer
// counts in place of it. Nobody is told to wait for longer either.
func TestAnAnswerHoldsReadsForAMinuteAtMost(t *testing.T) {
	for name, headers := range far() {
		for _, status := range []int{200, 429} {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				c := remote(t, true, func(*http.Request) *http.Response {
					if calls++; calls == 1 {
						return says(status, headers...)
					}
					return says(200)
				})
				if res, err := c.Do(t.Context(), read, fixed{}); err != nil || res.RetryAfter > time.Minute {
					t.Errorf("%s: got %+v, %v", name, res, err)
				}
				first := calls
				if res, err := c.Do(t.Context(), read, fixed{}); err != nil || res.RetryAfter > time.Minute {
					t.Errorf("%s with %d: the next read got %+v, %v, want at most a minute", name, status, res, err)
				}
				<-time.After(time.Minute)
				for range 3 { // the first of them asks; without a word in its answer, there is no limit
					began := time.Now()
					if res, err := c.Do(t.Context(), read, fixed{}); err != nil || res.Status != 200 || time.Since(began) > 0 {
						t.Errorf("%s with %d: a minute later got %+v, %v after %v", name, status, res, err, time.Since(began))
					}
				}
				if calls < first+3 {
					t.Errorf("%s with %d: the tenant was called %d times", name, status, calls)
				}
			})
		}
	}
}

// A tenant that goes on to refuse is asked once a minute.
func TestARefusingTenantIsAskedOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		began := time.Now()
		c := remote(t, true, func(*http.Request) *http.Response {
			at = append(at, time.Since(began))
			return says(429, "Retry-After", "86400", "X-RateLimit-Limit", "1000")
		})
		for range 300 {
			if res, err := c.Do(t.Context(), read, fixed{}); err != nil || res.Status != 429 || res.RetryAfter > time.Minute {
				t.Fatalf("got %+v, %v", res, err)
			}
			<-time.After(time.Second)
		}
		for i, call := range at {
			if call != time.Duration(i)*time.Minute {
				t.Errorf("call %d is made after %v", i, call)
			}
		}
		if len(at) < 5 {
			t.Errorf("called at %v, want five times", at)
		}
	})
}

// A 429 that names no time to come is not obeyed: the next read is sent at once.
func TestAnUnreadableResetIsNotObeyed(t *testing.T) {
	for _, value := range []string{"", "soon", "-1", "0", "1", "900000000", strings.Repeat("9", 30)} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			c := remote(t, true, func(*http.Request) *http.Response {
				calls++
				reset := value
				if reset == "1" { // in the past by its own clock
					reset = unix(-time.Second)
				}
				return says(429, "X-RateLimit-Reset", reset, "X-RateLimit-Remaining", "0")
			})
			for want := 2; want <= 8; want += 2 {
				began := time.Now()
				res, err := c.Do(t.Context(), read, fixed{})
				if err != nil || res.Held || res.RetryAfter != 0 || calls != want || time.Since(began) > 500*time.Millisecond {
					t.Errorf("%q: got %+v, %v after %d calls and %v", value, res, err, calls, time.Since(began))
				}
			}
		})
	}
}

// The success of a call that was sent while reads are held shows that the tenant serves again.
func TestASuccessLiftsAHold(t *testing.T) {
	for first, headers := range map[int][]string{429: {"Retry-After", "50"}, 200: {"RateLimit-Remaining", "0", "RateLimit-Reset", "50"}} {
		for _, status := range []int{200, 201, 204, 404, 500} {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				c := remote(t, true, func(*http.Request) *http.Response {
					switch calls++; calls {
					case 1:
						return says(first, headers...)
					case 2:
						return says(status)
					}
					return says(200)
				})
				for _, x := range []struct {
					r     upstream.Request
					calls int
				}{{read, 1}, {read, 1}, {patch, 2}, {read, 3}, {read, 4}} {
					if _, err := c.Do(t.Context(), x.r, fixed{}); err != nil {
						t.Fatal(err)
					}
					if status < 300 && calls != x.calls || calls > 2 && status >= 300 {
						t.Errorf("%s, held by a %d, around a change with %d: %d calls, want %d", x.r.Method, first, status, calls, x.calls)
					}
				}
			})
		}
	}
}

// silence is a body that never arrives.
type silence struct{ r *http.Request }

func (s silence) Read([]byte) (int, error) { <-s.r.Context().Done(); return 0, s.r.Context().Err() }
func (s silence) Close() error             { return nil }

// A call to a tenant that sends no response, or never finishes one, times out after half a minute, and a change is sent only once.
func TestSlowAnswers(t *testing.T) {
	for name, answer := range map[string]func(r *http.Request) *http.Response{
		"headers": func(r *http.Request) *http.Response { <-r.Context().Done(); return nil },
		"body": func(r *http.Request) *http.Response {
			res := says(200)
			res.Body, res.ContentLength = silence{r}, -1
			return res
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			c, err := upstream.NewClient(upstream.Config{BaseURL: "http://tenant.example", Transport: slowTrip(func(r *http.Request) (*http.Response, error) {
				calls++
				if res := answer(r); res != nil {
					return res, nil
				}
				return nil, r.Context().Err()
			})})
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			_, err = c.Do(t.Context(), patch, fixed{})
			if took := time.Since(began); !errors.Is(err, upstream.ErrTimeout) || took != 30*time.Second || calls != 1 {
				t.Errorf("%s: %v after %v and %d calls, want ErrTimeout after 30 s", name, err, took, calls)
			}
		})
	}
}

// slowTrip responds to calls, or never does.
type slowTrip func(*http.Request) (*http.Response, error)

func (f slowTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRateLimitEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c := remote(t, true, func(*http.Request) *http.Response { return says(429, "Retry-After", "5") })
		for _, r := range []upstream.Request{patch, read} {
			if _, err := c.Do(ctx, r, fixed{}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v", r.Method, err)
			}
		}
	})
}

// bucket is a tenant that allows some calls in each window of two seconds.
type bucket struct {
	mu      sync.Mutex
	allowed int
	left    int
	until   time.Time
	refused int
	order   []string
}

func (b *bucket) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := time.Now(); !now.Before(b.until) {
		b.left, b.until = b.allowed, now.Truncate(time.Second).Add(2*time.Second)
	}
	status := 200
	if b.left == 0 {
		b.refused++
		status = 429
	} else {
		b.left--
		b.order = append(b.order, r.URL.Path)
	}
	return says(status, "X-RateLimit-Limit", fmt.Sprint(b.allowed), "X-RateLimit-Remaining", fmt.Sprint(b.left),
		"X-RateLimit-Reset", fmt.Sprint(b.until.Unix())), nil
}

// Reads share what is left of the limit: none is refused, and they are served in the order in which they came.
func TestReadsShareTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tenant := &bucket{allowed: 2}
		c, err := upstream.NewClient(upstream.Config{BaseURL: "http://tenant.example", Transport: tenant, Shared: true})
		if err != nil {
			t.Fatal(err)
		}
		call := func(name string) *upstream.Response {
			res, err := c.Do(t.Context(), upstream.Request{Method: http.MethodGet, Path: []string{name}}, fixed{})
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		call("0") // shows the limit
		var wait sync.WaitGroup
		want := []string{"/0"}
		for i := 1; i <= 9; i++ {
			name := fmt.Sprint(i)
			want = append(want, "/"+name)
			wait.Go(func() {
				if res := call(name); res.Status != 200 {
					t.Errorf("call %s: status %d", name, res.Status)
				}
			})
			synctest.Wait()
		}
		wait.Wait()
		if tenant.refused > 0 || len(tenant.order) != len(want) {
			t.Errorf("%d refused, order %v, want %v", tenant.refused, tenant.order, want)
		}
		// Two calls are let go at once, and either may arrive first.
		for at, path := range tenant.order {
			if i := slices.Index(want, path); i < at-1 || i > at+1 {
				t.Errorf("order %v, want %v", tenant.order, want)
			}
		}
	})
}

// A read that would have to wait too long gets a 429 without a call. A change is not delayed, and an abandoned read does not block others.
func TestHeldReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		c := remote(t, true, func(*http.Request) *http.Response {
			calls++
			return says(200, "RateLimit-Limit", "5", "RateLimit-Remaining", "0", "RateLimit-Reset", "20")
		})
		if _, err := c.Do(t.Context(), read, fixed{}); err != nil {
			t.Fatal(err)
		}
		res, err := c.Do(t.Context(), read, fixed{})
		if err != nil || res.Status != 429 || res.RetryAfter != 20*time.Second || calls != 1 {
			t.Errorf("got %+v, %v after %d calls, want to be told to wait 20 s", res, err, calls)
		}
		if res, err := c.Do(t.Context(), patch, fixed{}); err != nil || res.Status != 200 {
			t.Errorf("a change: got %+v, %v", res, err)
		}
		<-time.After(15 * time.Second)
		began := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := c.Do(ctx, read, fixed{}); !errors.Is(err, context.Canceled) {
				t.Errorf("the read that leaves: got %v", err)
			}
		})
		synctest.Wait()
		wait.Go(func() {
			if res, err := c.Do(t.Context(), read, fixed{}); err != nil || res.Status != 200 || time.Since(began) != 5*time.Second {
				t.Errorf("the next read: got %+v, %v after %v", res, err, time.Since(began))
			}
		})
		synctest.Wait()
		cancel()
		wait.Wait()
	})
}

// noToken is a token source that fails.
type noToken struct{ err error }

func (s noToken) Token(context.Context, string) (upstream.Credential, error) {
	return upstream.Credential{}, s.err
}
