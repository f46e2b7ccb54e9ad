package httpx

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// LargeBody is the size, in bytes, from which on a request needs a turn.
	LargeBody = 128 << 10
	// A client may have maxOwnTurns large requests, whose bodies are in memory. Once maxTurns of all have a turn or wait for one, a client may have one.
	maxOwnTurns, maxTurns = 5, 32
	// turnTime is how long a request waits for its turn. With the time of its work, it leaves time to send the answer.
	turnTime = 20 * time.Second
)

// Turns bounds how many large forms are worked on at once, since one of 4 MiB takes more than 100 MiB of memory and a second of a processor, for which
// all other requests would wait. Requests with large bodies take turns: a few in all, and one of each client, so that no client can use up the turns.
// They are served in order. The turn of a request begins when its body has arrived and ends when its answer begins, so that slow clients hold none; a
// client has few large requests whose bodies arrive.
// Other work on large forms takes turns by Do. It is safe for concurrent use.
type Turns struct {
	free chan struct{}

	mu      sync.Mutex
	own     map[string]*ownTurns
	waiting int
}

// ownTurns are the turns of a client. They are forgotten when there are none.
type ownTurns struct {
	free chan struct{}
	all  int // large requests of the client
}

// NewTurns returns Turns for so many large forms at once.
func NewTurns(atOnce int) *Turns {
	return &Turns{free: make(chan struct{}, atOnce), own: map[string]*ownTurns{}}
}

// Handler makes the requests of a handler take turns. It applies to bodies that are read with ReadJSON and ReadForm, and to Do. client names the
// client of a request.
func (t *Turns) Handler(client func(*http.Request) string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		of := &turn{turns: t, client: sync.OnceValue(func() string { return client(r) })}
		defer of.end()
		next.ServeHTTP(&turnWriter{w, of}, r.WithContext(context.WithValue(r.Context(), turnKey{}, of)))
	})
}

// UnknownSize stands for the size of a form when it is not known.
const UnknownSize = -1

// Do does work on a form of a size in bytes, such as one that is stored. If it is large, the work takes a turn of the request to which ctx belongs,
// unless that has one, or a turn of nobody. If its size is not known, it only counts among the few large requests of its client. Do returns a problem
// if the work was not done: ctx ended before its turn came, or that took too long, or the client has too many.
func (t *Turns) Do(ctx context.Context, size int, work func()) *Problem {
	of, ok := ctx.Value(turnKey{}).(*turn)
	switch {
	case ok && of.release != nil:
	case ok && size == UnknownSize:
		if p := of.takePlace(); p != nil {
			return p
		}
		defer of.end()
	case size < LargeBody:
	case ok:
		defer of.end()
		if p := of.begin(ctx); p != nil {
			return p
		}
	default:
		ctx, cancel := context.WithTimeout(ctx, turnTime)
		defer cancel()
		if !taken(ctx, t.free) {
			return busyTurns()
		}
		defer func() { <-t.free }()
	}
	work()
	return nil
}

// turn is that of a request. It is used by one goroutine.
type turn struct {
	turns   *Turns
	client  func() string
	own     *ownTurns // where it has a place; nil while it has none
	release func()    // nil while it is not its turn
}

type turnKey struct{}

// turnOf returns the turn of a request, nil if it takes none.
func turnOf(r *http.Request) *turn {
	of, _ := r.Context().Value(turnKey{}).(*turn)
	return of
}

// takePlace counts a request whose body is large while that arrives, or returns why there may be no more. t may be nil.
func (t *turn) takePlace() (p *Problem) {
	if t != nil && t.own == nil {
		t.own, p = t.turns.enter(t.client())
	}
	return p
}

// begin waits for the turn. It returns a problem if that takes too long.
func (t *turn) begin(ctx context.Context) *Problem {
	if p := t.takePlace(); p != nil {
		return p
	}
	if !t.turns.queue(t.own) {
		return busyTurns()
	}
	ctx, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	if !taken(ctx, t.own.free) {
		t.turns.unqueue()
		return busyTurns()
	}
	if !taken(ctx, t.turns.free) {
		<-t.own.free
		t.turns.unqueue()
		return busyTurns()
	}
	t.release = func() {
		<-t.turns.free
		<-t.own.free
		t.turns.unqueue()
	}
	return nil
}

// end ends the turn, if there is one, and gives the place back.
func (t *turn) end() {
	if t.release != nil {
		t.release()
		t.release = nil
	}
	if t.own != nil {
		t.turns.leave(t.client())
		t.own = nil
	}
}

// taken takes a place, and reports whether there was one before the context ended.
func taken(ctx context.Context, free chan struct{}) bool {
	select {
	case free <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// enter counts a large request of a client, or returns why there may be no more.
func (t *Turns) enter(client string) (*ownTurns, *Problem) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.own[client]
	switch {
	case own == nil:
		own = &ownTurns{free: make(chan struct{}, 1)}
		t.own[client] = own
	case own.all >= maxOwnTurns:
		return nil, &Problem{
			Status: http.StatusTooManyRequests, Code: CodeRateLimited, RetryAfter: time.Second, Outcome: OutcomeNotSent,
			Detail: fmt.Sprintf("This browser has sent %d large requests that are not answered yet. Wait for them.", own.all),
		}
	}
	own.all++
	return own, nil
}

func (t *Turns) leave(client string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.own[client]; own.all > 1 {
		own.all--
	} else {
		delete(t.own, client)
	}
}

// queue counts a request that waits for its turn, and reports whether it may. The only large request of a client always may, so that a few clients
// cannot take all places.
func (t *Turns) queue(own *ownTurns) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting >= maxTurns && own.all > 1 {
		return false
	}
	t.waiting++
	return true
}

func (t *Turns) unqueue() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting--
}

func busyTurns() *Problem {
	return &Problem{
		Status: http.StatusTooManyRequests, Code: CodeBusy, RetryAfter: time.Second, Outcome: OutcomeNotSent,
		Detail: "The server is working on other large requests. Nothing has been changed; try again.",
	}
}

// turnWriter ends a turn when the answer begins.
type turnWriter struct {
	http.ResponseWriter

	turn *turn
}

func (w *turnWriter) WriteHeader(status int) {
	w.turn.end()
	w.ResponseWriter.WriteHeader(status)
}

func (w *turnWriter) Write(b []byte) (int, error) {
	w.turn.end()
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *turnWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
