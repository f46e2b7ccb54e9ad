package remote_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/server/remote"
	"github.com/formgraph/formgraph/server/upstream"
)

var flows = upstream.Request{Method: "GET", Path: []string{"flows"}}

// anyone is a token source without a holder, or one whose session has ended.
type anyone struct{ err error }

func (s anyone) Token(context.Context, string) (upstream.Credential, error) {
	return upstream.Credential{Token: "token"}, s.err
}

type ended struct{ anyone }

func (ended) Holder() string { return "a" }

// Flows are cached for a minute, separately for each holder and page, and only if the tenant returned them.
func TestFlowsAreRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, status := 0, 200
		f := remote.NewFlows(answers(func(upstream.Request) (*upstream.Response, error) {
			calls++
			res := says(status, []byte(fmt.Sprint(`[{"n":`, calls, `}]`)))
			res.Header.Set("X-Ratelimit-Remaining", "3")
			res.Header.Set("Etag", `"f"`)
			return res, nil
		}), time.Now)
		paged := flows
		paged.Query = url.Values{"page": {"1"}}
		step := func(name string, r upstream.Request, s upstream.TokenSource, want int) *upstream.Response {
			t.Helper()
			res, err := f.Do(t.Context(), r, s)
			if err != nil || calls != want {
				t.Fatalf("%s: got %+v, %v after %d calls, want %d", name, res, err, calls, want)
			}
			return res
		}
		first := step("first", flows, tokens("a"), 1)
		first.Header.Set("Etag", "changed by its caller")
		again := step("again", flows, tokens("a"), 1)
		if string(again.Body) != `[{"n":1}]` || again.Header.Get("Etag") != `"f"` || again.Header.Get("X-Ratelimit-Remaining") != "" {
			t.Errorf("got %+v", again)
		}
		step("another holder", flows, tokens("b"), 2)
		step("another page", paged, tokens("a"), 3)
		step("no holder", flows, anyone{}, 4)
		step("a holder without a name", flows, tokens(""), 5)
		step("not the list", upstream.Request{Method: "GET", Path: []string{"forms"}}, tokens("a"), 6)
		over := errors.New("session is over")
		if _, err := f.Do(t.Context(), flows, ended{anyone{over}}); !errors.Is(err, over) {
			t.Errorf("without a token: got %v", err)
		}
		<-time.After(time.Minute - 1)
		step("just before a minute", flows, tokens("a"), 6)
		<-time.After(time.Nanosecond)
		status = 500
		step("after a minute", flows, tokens("a"), 7)
		status = 200
		step("after a failure", flows, tokens("a"), 8)
		step("and then", flows, tokens("a"), 8)
	})
}

// Neither many pages nor a large one fills the memory.
func TestFlowsAreBounded(t *testing.T) {
	calls := 0
	size := 10
	f := remote.NewFlows(answers(func(upstream.Request) (*upstream.Response, error) {
		calls++
		return says(200, make([]byte, size)), nil
	}), time.Now)
	for i := range 100 {
		r := flows
		r.Query = url.Values{"page": {fmt.Sprint(i)}}
		do(t, f, r)
	}
	r := flows
	r.Query = url.Values{"page": {"0"}}
	if do(t, f, r); calls != 101 {
		t.Errorf("%d calls: the first page is still there", calls)
	}
	size = 1 << 20
	do(t, f, flows)
	if do(t, f, flows); calls != 103 {
		t.Errorf("%d calls: a large page was kept", calls)
	}
}

// Concurrent callers share a call, and it continues if the one that made it leaves.
func TestFlowsAreAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, hold := 0, make(chan struct{})
		f := remote.NewFlows(waiting(func(ctx context.Context) (*upstream.Response, error) {
			calls++
			select {
			case <-hold:
				return says(200, []byte(`[]`)), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}), time.Now)
		ctx, cancel := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := f.Do(ctx, flows, tokens("a")); !errors.Is(err, context.Canceled) {
				t.Errorf("the one that leaves: got %v", err)
			}
		})
		synctest.Wait()
		for range 5 {
			wait.Go(func() {
				if res := do(t, f, flows); res.Status != 200 {
					t.Errorf("got %+v", res)
				}
			})
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(hold)
		wait.Wait()
		if calls != 1 {
			t.Errorf("%d calls", calls)
		}
	})
}

type waiting func(context.Context) (*upstream.Response, error)

func (f waiting) Do(ctx context.Context, _ upstream.Request, _ upstream.TokenSource) (*upstream.Response, error) {
	return f(ctx)
}
