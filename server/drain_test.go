package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// While a server drains it is not ready, answers requests on all listeners, and keeps no connection. Its tasks end after its requests.
func TestDrainAcceptsRequests(t *testing.T) {
	t.Parallel()
	entered, leave, left := make(chan struct{}), make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			close(entered)
			<-leave
			close(left)
		}
	})
	early := make(chan bool, 1)
	s := &parts{log: slog.New(slog.DiscardHandler), drain: time.Second}
	s.tasks = append(s.tasks, func(ctx context.Context) {
		<-ctx.Done()
		select {
		case <-left:
			early <- false
		default:
			early <- true
		}
	})
	var listeners []listener
	var urls []string
	for _, name := range []string{"editor", "tenant"} {
		socket, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		must(t, err)
		listeners, urls = append(listeners, listener{name, socket, handler}), append(urls, "http://"+socket.Addr().String())
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.serveUntil(ctx, listeners, func() error { return nil }) }()
	get := func(url string) (status int, closes bool) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
		must(t, err)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		must(t, res.Body.Close())
		return res.StatusCode, res.Close
	}
	ready := func(url string) bool { status, _ := get(url + "/readyz"); return status == http.StatusOK }
	slow := make(chan int, 1)
	go func() { status, _ := get(urls[0] + "/slow"); slow <- status }()
	<-entered
	stop()
	for i, url := range urls {
		for i == 0 && ready(url) {
			continue // draining has not begun
		}
		if ready(url) {
			t.Errorf("%s is ready", url)
		}
		if status, closes := get(url); status != http.StatusOK || !closes {
			t.Errorf("%s = %d, closes %v, want 200 and a connection that closes", url, status, closes)
		}
	}
	close(leave)
	if status := <-slow; status != http.StatusOK {
		t.Errorf("the slow request is answered %d", status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if <-early {
		t.Error("a task ended before the requests")
	}
}

// formgraph sample accepts requests while it is not ready, as serve does.
func TestSampleDrains(t *testing.T) {
	t.Parallel()
	s := startSample(t, map[string]string{"FORMGRAPH_DRAIN_SECONDS": "1"}, "--domain", "tenant.example", "--audience", "a")
	get := func(path string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.at+path, http.NoBody)
		must(t, err)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err) // it ended without draining
		}
		must(t, res.Body.Close())
		return res.StatusCode
	}
	ended := make(chan int, 1)
	go func() { ended <- s.stop() }()
	for get("/readyz") == http.StatusOK {
		continue // draining has not begun
	}
	if ready, public := get("/readyz"), get("/api/public"); ready != http.StatusServiceUnavailable || public != http.StatusOK {
		t.Errorf("/readyz = %d, /api/public = %d, want 503 and 200", ready, public)
	}
	if code := <-ended; code != exitOK {
		t.Errorf("ended with %d", code)
	}
}

// Work in the background that does not end delays the end of the process by a few seconds only.
func TestTheBackgroundEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := endsIn(tasksTime, func() { time.Sleep(tasksTime - time.Second) }); err != nil {
			t.Error(err)
		}
		stuck := make(chan struct{})
		err := endsIn(tasksTime, func() { <-stuck })
		if took := time.Since(began); err == nil || took != 2*tasksTime-time.Second {
			t.Errorf("%v after %v", err, took)
		}
		close(stuck)
		synctest.Wait()
	})
}
