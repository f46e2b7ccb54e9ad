package httpx_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/httpx"
)

// worked is a handler whose requests are worked on until they are let go, and then answer slowly.
type worked struct {
	mu     sync.Mutex
	begun  []string // the clients whose bodies were read
	let    map[string]chan struct{}
	answer chan struct{} // closed when the answers may end
}

func (h *worked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, p := httpx.ReadJSON(w, r, 4<<20); p != nil {
		p.Write(w, r)
		return
	}
	name := r.Header.Get("X-Name")
	h.mu.Lock()
	h.begun = append(h.begun, name)
	let := h.let[name]
	h.mu.Unlock()
	if let != nil {
		<-let
	}
	w.WriteHeader(http.StatusNoContent)
	<-h.answer
}

func (h *worked) has(names string) func() bool {
	return func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return strings.Join(h.begun, " ") == names
	}
}

// Few large requests are worked on at once, and one of a client, in their order. A turn ends when its answer begins, however long that takes.
func TestLargeRequestsTakeTurns(t *testing.T) {
	h := &worked{let: map[string]chan struct{}{}, answer: make(chan struct{})}
	turns := httpx.NewTurns(2)
	served := turns.Handler(func(r *http.Request) string { return r.Header.Get("X-Client") }, h)
	var all sync.WaitGroup
	answers := make(chan string, 20)
	send := func(ctx context.Context, client, name string, size int) {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(strings.Repeat(" ", size)))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Client", client)
		r.Header.Set("X-Name", name)
		all.Go(func() {
			w := httptest.NewRecorder()
			served.ServeHTTP(w, r)
			answers <- fmt.Sprint(name, " ", w.Code)
		})
	}
	for _, name := range []string{"a1", "b1", "c1"} {
		h.let[name] = make(chan struct{})
	}
	send(t.Context(), "a", "a1", httpx.LargeBody)
	waittest.Until(t, "a1", h.has("a1"))
	ending, end := context.WithCancel(t.Context())
	send(ending, "a", "a2", httpx.LargeBody)
	for n := range 3 {
		send(t.Context(), "a", fmt.Sprint("a", n+3), httpx.LargeBody)
	}
	waittest.Until(t, "the queue of a", func() bool { return turns.Of("a") == 5 })
	send(t.Context(), "a", "a6", httpx.LargeBody)
	if got := <-answers; got != "a6 429" {
		t.Errorf("one too many: %s", got)
	}
	send(t.Context(), "b", "b1", httpx.LargeBody)
	waittest.Until(t, "b1", h.has("a1 b1"))
	send(t.Context(), "c", "c1", httpx.LargeBody)
	send(t.Context(), "c", "small", httpx.LargeBody-1)
	waittest.Until(t, "the small one", h.has("a1 b1 small"))
	end()
	if got := <-answers; got != "a2 429" {
		t.Errorf("the client has gone: %s", got)
	}
	close(h.let["b1"]) // its answer begins, and goes on for long
	waittest.Until(t, "c1", h.has("a1 b1 small c1"))
	close(h.let["a1"])
	close(h.let["c1"])
	close(h.answer)
	all.Wait()
	if n := turns.Of("a") + turns.Of("b") + turns.Of("c"); n != 0 {
		t.Errorf("%d turns are left", n)
	}
}

// The bodies of few large requests of a client arrive at once. When many clients wait, each may have one more.
func TestBodiesArriveInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := httpx.NewTurns(1)
		release := make(chan struct{})
		served := turns.Handler(func(r *http.Request) string { return r.Header.Get("X-Client") }, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, p := httpx.ReadJSON(w, r, 4<<20); p != nil {
				p.Write(w, r)
				return
			}
			<-release
			w.WriteHeader(http.StatusNoContent)
		}))
		answers := make(chan int, 100)
		send := func(client string, body io.Reader) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", body)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Client", client)
			go func() {
				w := httptest.NewRecorder()
				served.ServeHTTP(w, r)
				answers <- w.Code
			}()
			synctest.Wait()
		}
		large := strings.Repeat(" ", httpx.LargeBody)
		var slow []*io.PipeWriter
		for range 5 {
			body, write := io.Pipe()
			send("slow", body)
			if _, err := io.WriteString(write, large); err != nil {
				t.Fatal(err)
			}
			slow = append(slow, write)
		}
		synctest.Wait()
		send("slow", strings.NewReader(large))
		if status := <-answers; status != http.StatusTooManyRequests {
			t.Errorf("the sixth of a client is %d, want 429", status)
		}
		for client := range 8 {
			for range 4 {
				send(fmt.Sprint("client", client), strings.NewReader(large))
			}
		}
		send("client0", strings.NewReader(large)) // there are 32
		if status := <-answers; status != http.StatusTooManyRequests {
			t.Errorf("another one of a client that waits is %d, want 429", status)
		}
		send("new", strings.NewReader(large))
		close(release)
		for range 8*4 + 1 {
			if status := <-answers; status != http.StatusNoContent {
				t.Errorf("%d, want 204", status)
			}
		}
		for _, write := range slow {
			_ = write.Close()
		}
		synctest.Wait()
		if n := turns.Of("slow") + turns.Of("client0") + turns.Of("new"); n != 0 {
			t.Errorf("%d places are left", n)
		}
	})
}

// Other work on large forms takes turns with the requests, unless it is for one that has a turn. It gives up when nobody waits for it any more.
func TestOtherLargeWorkTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := httpx.NewTurns(1)
		never := func() { t.Error("work was done out of turn") }
		done := false
		served := turns.Handler(func(*http.Request) string { return "a" }, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, p := httpx.ReadJSON(w, r, 4<<20); p != nil {
				p.Write(w, r)
				return
			}
			if turns.Do(r.Context(), httpx.LargeBody, func() { done = true }) != nil {
				t.Error("the work of a request that has a turn is not done")
			}
			if turns.Do(t.Context(), httpx.LargeBody, never) == nil {
				t.Error("other work is done meanwhile")
			}
		}))
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(strings.Repeat(" ", httpx.LargeBody)))
		r.Header.Set("Content-Type", "application/json")
		served.ServeHTTP(httptest.NewRecorder(), r)
		if !done {
			t.Error("the request was not worked on")
		}
		finish := make(chan struct{})
		go func() { _ = turns.Do(t.Context(), httpx.LargeBody, func() { <-finish }) }()
		synctest.Wait()
		if turns.Do(t.Context(), httpx.LargeBody-1, func() {}) != nil {
			t.Error("small work waits")
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if turns.Do(gone, httpx.LargeBody, never) == nil {
			t.Error("work is done for somebody who has gone")
		}
		next := false
		go func() { _ = turns.Do(t.Context(), httpx.LargeBody, func() { next = true }) }()
		synctest.Wait()
		if next {
			t.Error("two are worked on at once")
		}
		close(finish)
		synctest.Wait()
		if !next {
			t.Error("the next one has no turn")
		}
	})
}
