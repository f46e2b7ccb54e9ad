package remote

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/upstream"
)

const (
	// keepTime is how long a list of flows is answered from memory.
	keepTime = time.Minute
	// maxKept and maxKeptBytes bound what is remembered: the number of answers, and each in bytes.
	maxKept      = 64
	maxKeptBytes = 512 << 10
	// flightTime bounds a call that several wait for; the client's own limit is shorter.
	flightTime = time.Minute
)

// Holder is a TokenSource that knows whose right its tokens carry. The answers to one holder may be shown to all calls of the same holder.
type Holder interface {
	upstream.TokenSource

	// Holder names the holder; "" means that nothing may be shared.
	Holder() string
}

// Flows caches lists of flows for a minute, separately for each holder. Concurrent callers share one call. It passes on all other calls,
// and those of a TokenSource that does not implement Holder. It is safe for concurrent use.
type Flows struct {
	next   Caller
	now    func() time.Time
	flight singleflight.Group

	mu   sync.Mutex
	kept *recent.Map[string, keptList]
}

type keptList struct {
	answer *upstream.Response
	until  time.Time
}

// NewFlows returns Flows in front of next. now is the clock.
func NewFlows(next Caller, now func() time.Time) *Flows {
	return &Flows{next: next, now: now, kept: recent.New[string, keptList](maxKept)}
}

// Do implements Caller.
func (f *Flows) Do(ctx context.Context, r upstream.Request, tokens upstream.TokenSource) (*upstream.Response, error) {
	holder, ok := tokens.(Holder)
	if !ok || holder.Holder() == "" || r.Method != http.MethodGet || !slices.Equal(r.Path, []string{"flows"}) {
		return f.next.Do(ctx, r, tokens)
	}
	key := holder.Holder() + "\x00" + r.Query.Encode()
	if answer := f.recall(key); answer != nil {
		// The token itself is not needed. It shows that the session still has a right to the answer.
		if _, err := tokens.Token(ctx, ""); err != nil {
			return nil, err
		}
		return answer, nil
	}
	// The call continues even if the caller that made it leaves, since others may wait for it.
	done := f.flight.DoChan(key, func() (any, error) {
		flight, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightTime)
		defer cancel()
		res, err := f.next.Do(flight, r, tokens)
		if err == nil && res.Status == http.StatusOK && len(res.Body) <= maxKeptBytes {
			f.remember(key, res)
		}
		return res, err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-done:
		res, _ := result.Val.(*upstream.Response)
		if result.Err != nil || res == nil {
			return nil, result.Err
		}
		return shared(res), nil
	}
}

func (f *Flows) recall(key string) *upstream.Response {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept, ok := f.kept.Get(key)
	if !ok || !f.now().Before(kept.until) {
		f.kept.Delete(key)
		return nil
	}
	return shared(kept.answer)
}

func (f *Flows) remember(key string, res *upstream.Response) {
	res = shared(res)
	// What is left of the rate limit is no longer true when the answer is shown again.
	for name := range res.Header {
		if name != "Etag" {
			res.Header.Del(name)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept.Put(key, keptList{res, f.now().Add(keepTime)})
}

// shared returns a copy of an answer with a copy of its header. The body is shared, since nobody changes it.
func shared(res *upstream.Response) *upstream.Response {
	own := *res
	own.Header = res.Header.Clone()
	return &own
}
