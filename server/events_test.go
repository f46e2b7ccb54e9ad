package main

import (
	"bufio"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// stream opens the stream of events of a form, and returns its lines as they arrive. The channel is closed at its end.
func (p *person) stream(form string) <-chan string {
	p.r.t.Helper()
	r, err := http.NewRequestWithContext(p.r.t.Context(), http.MethodGet, p.r.at.Editor+"/bff/events?form="+form, nil)
	must(p.r.t, err)
	res, err := p.client.Do(r) //nolint:bodyclose // closed below
	must(p.r.t, err)
	if res.StatusCode != http.StatusOK {
		p.r.t.Fatalf("stream: %d", res.StatusCode)
	}
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		defer res.Body.Close() //nolint:errcheck // the stream has ended
		for s := bufio.NewScanner(res.Body); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// hears waits for a line of a stream that contains a text.
func hears(t *testing.T, lines <-chan string, text string) {
	t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatalf("the stream ends before %q", text)
			}
			if strings.Contains(line, text) {
				return
			}
		case <-late:
			t.Fatalf("the stream does not tell %q", text)
		}
	}
}

// A save at one replica is told at the other, also after the database has been away.
func TestReplicasTellEachOtherOfSaves(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t, postgrestest.Options{})
	r := startReplicasOn(t, server.URL(t), 2)
	p := r.servers[0].person()
	form := p.signedIn(r.servers[0].first())
	both := r.editor.targets
	save := func(at int, name string) {
		t.Helper()
		r.editor.set(both[at])
		for { // a connection may be found to be dead only by its use
			status, _, body := p.app("PATCH", form, `{"name":"`+name+`"}`, "X-Tab", name)
			if status == http.StatusOK {
				return
			}
			if status != http.StatusServiceUnavailable && status != http.StatusBadGateway {
				t.Fatalf("save at %d: %d %s", at, status, body)
			}
			<-time.After(10 * time.Millisecond)
		}
	}
	var streams [2]<-chan string
	for i := range streams {
		r.editor.set(both[i])
		streams[i] = p.stream(path.Base(form))
		hears(t, streams[i], "event: hello")
	}
	for _, step := range []struct {
		name   string
		before func()
	}{
		{"at-rest", func() {}},
		{"restarted", func() { server.Restart(t) }},
		{"killed", func() { server.Kill(t); server.Resume(t) }},
	} {
		step.before()
		for at := range both {
			name := step.name + "-" + both[at][strings.LastIndex(both[at], ":")+1:]
			save(at, name)
			for _, s := range streams {
				hears(t, s, `"tab":"`+name+`"`)
			}
		}
	}
	// A replica that shuts down ends its streams at once. The other continues.
	if code := r.servers[0].stop(); code != 0 || strings.Contains(r.servers[0].log.String(), "requests were interrupted") {
		t.Errorf("the replica with a stream ended with %d: %s", code, r.servers[0].log)
	}
	for range streams[0] {
		continue
	}
	r.tenant.set(r.tenant.targets[1:]...)
	save(1, "alone")
	hears(t, streams[1], `"tab":"alone"`)
}
