package bff

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"sync"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/upstream"
)

const (
	// A person may use workBurst bytes of forms at once, and then workRate per second. That is enough to open and share the largest form, which takes
	// four times its size, and to save it every four seconds. A script may save a form of 100 KiB a thousand times in a row.
	workRate, workBurst = 1 << 20, 128 << 20
	// New forms stay, so a person may create newBurst bytes of them at once, and then newRate per second. That is enough to import a thousand forms of
	// 64 KiB, and two gigabytes a day.
	newRate, newBurst = 32 << 10, 64 << 20
	// Reading readShare bytes counts as one byte.
	readShare = 8
	// maxSizes is the number of forms whose size is remembered.
	maxSizes = 4096
)

// work limits what each person makes this process do, in bytes of forms: bodies and answers of requests that read or change what is in forms, and
// shared forms. It is safe for concurrent use.
type work struct {
	volume *ratelimit.Volume
	news   *ratelimit.Volume // of new forms
	turns  *httpx.Turns

	mu    sync.Mutex
	sizes *recent.Map[string, int] // of forms, as they were answered last
}

func newWork(count ratelimit.Counting, turns *httpx.Turns) *work {
	return &work{
		volume: count.Volume("work", workRate, workBurst), news: count.Volume("new_forms", newRate, newBurst), turns: turns,
		sizes: recent.New[string, int](maxSizes),
	}
}

// begin is wait for a request with a body, and counts what is read of that.
func (w *work) begin(r *http.Request, ss *sessions.Session) *httpx.Problem {
	p := w.wait(r, ss)
	if p == nil {
		r.Body = &countedBody{r.Body, func(n int) { w.spend(ss, n) }}
	}
	return p
}

// countedBody is a body that tells how much of it is read.
type countedBody struct {
	io.ReadCloser

	read func(n int)
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read(n)
	return n, err
}

// wait returns the problem to answer with if a person has asked for too much, else nil.
func (w *work) wait(r *http.Request, ss *sessions.Session) *httpx.Problem {
	return tooMuch(r, w.volume, ss, "You send and read more than 1 MiB of forms per second. Wait a moment.")
}

// room returns the problem to answer with if a person has created too much, else nil.
func (w *work) room(r *http.Request, ss *sessions.Session) *httpx.Problem {
	return tooMuch(r, w.news, ss, "You can create 64 MiB of forms at once, and then 32 KiB per second. Wait a moment.")
}

// tooMuch returns a problem with a detail if a person has spent too much of a volume, else nil.
func tooMuch(r *http.Request, volume *ratelimit.Volume, ss *sessions.Session, detail string) *httpx.Problem {
	wait := volume.Wait(r.Context(), workerOf(ss))
	if wait == 0 {
		return nil
	}
	return &httpx.Problem{Status: http.StatusTooManyRequests, Code: httpx.CodeRateLimited, RetryAfter: wait, Detail: detail}
}

// spend counts bytes.
func (w *work) spend(ss *sessions.Session, n int) { w.volume.Spend(workerOf(ss), n) }

// workerOf identifies the person of a session, so that signing in again resets no limit.
func workerOf(ss *sessions.Session) string { return cmp.Or(who(ss).ID, ss.ID) }

// inTurn makes a call of the API that changes a form, in turn with other work on large forms if the form is large; see [httpx.Turns.Do].
func (w *work) inTurn(ctx context.Context, c call, req upstream.Request, do func()) *httpx.Problem {
	if !c.changes() || !c.ofForm(req) {
		do()
		return nil
	}
	return w.turns.Do(ctx, w.sizeOf(req.Path[1]), do)
}

// sizeOf returns the size of a form as it was answered last.
func (w *work) sizeOf(form string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if size, ok := w.sizes.Get(form); ok {
		return size
	}
	return httpx.UnknownSize
}

// called counts a call of the API about forms, without what begin has counted of its body. A refused change counts as much as one that is made,
// because it takes the tenant as long; so does one whose browser has left, because the tenant may still make it.
func (w *work) called(ss *sessions.Session, c call, req upstream.Request, res *upstream.Response) {
	if c.resource != "forms" || c.me || c.admin || req.Asks {
		return
	}
	size := len(req.Body)
	if c.ofForm(req) {
		w.mu.Lock()
		if known, ok := w.sizes.Get(req.Path[1]); ok && (res == nil || res.Status != http.StatusPreconditionFailed) {
			size = max(size, known)
		}
		if res != nil && success(res) && len(res.Body) > 0 {
			size = max(size, len(res.Body))
			w.sizes.Put(req.Path[1], len(res.Body))
		}
		w.mu.Unlock()
	}
	if c.creates() && res != nil && success(res) {
		w.news.Spend(workerOf(ss), max(len(req.Body), len(res.Body)))
	}
	if c.changes() {
		size -= len(req.Body)
	} else {
		size /= readShare
	}
	w.spend(ss, size)
}
