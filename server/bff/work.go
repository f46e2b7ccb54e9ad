package bff

import (
	"net/http"
	"sync"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/upstream"
)

const (
	// A session may use workBurst bytes of forms at once, and then workRate per second. That is enough to open and share the largest form, which takes
	// four times its size, and to save it every four seconds. A script may save a form of 100 KiB a thousand times in a row.
	workRate, workBurst = 1 << 20, 128 << 20
	// Reading readShare bytes counts as one byte.
	readShare = 8
	// maxSizes is the number of forms whose size is remembered.
	maxSizes = 4096
)

// work limits what each session makes this process do, in bytes of forms: bodies and answers of requests that read or change what is in forms, and
// shared forms. It is safe for concurrent use.
type work struct {
	volume *ratelimit.Volume

	mu    sync.Mutex
	sizes *recent.Map[string, int] // of forms, as they were answered last
}

func newWork(count ratelimit.Counting) *work {
	return &work{volume: count.Volume("work", workRate, workBurst), sizes: recent.New[string, int](maxSizes)}
}

// wait returns the problem to answer with if a session has asked for too much, else nil.
func (w *work) wait(r *http.Request, ss *sessions.Session) *httpx.Problem {
	wait := w.volume.Wait(r.Context(), ss.ID)
	if wait == 0 {
		return nil
	}
	return &httpx.Problem{
		Status: http.StatusTooManyRequests, Code: httpx.CodeRateLimited, RetryAfter: wait,
		Detail: "This browser sends and reads more than 1 MiB of forms per second. Wait a moment.",
	}
}

// spend counts bytes.
func (w *work) spend(ss *sessions.Session, n int) { w.volume.Spend(ss.ID, n) }

// called counts a call of the API about forms. To refuse a change of a large form takes the tenant as long as to make it.
func (w *work) called(ss *sessions.Session, c call, req upstream.Request, res *upstream.Response) {
	if c.resource != "forms" || c.me || c.admin || req.Asks {
		return
	}
	size := len(req.Body)
	if c.ofForm(req) {
		w.mu.Lock()
		if known, ok := w.sizes.Get(req.Path[1]); ok && res != nil && res.Status != http.StatusPreconditionFailed {
			size = max(size, known)
		}
		if res != nil && success(res) && len(res.Body) > 0 {
			size = max(size, len(res.Body))
			w.sizes.Put(req.Path[1], len(res.Body))
		}
		w.mu.Unlock()
	}
	if !c.changes() {
		size /= readShare
	}
	w.spend(ss, size)
}
