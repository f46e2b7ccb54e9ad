package main

import (
	"bufio"
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
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
	late := time.After(waittest.Limit(time.Minute))
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
		waittest.Until(t, "save "+name, func() bool { // a connection may be found to be dead only by its use
			status, _, body := p.app("PATCH", form, `{"name":"`+name+`"}`, "X-Tab", name)
			if status != http.StatusOK && status != http.StatusServiceUnavailable && status != http.StatusBadGateway {
				t.Fatalf("save at %d: %d %s", at, status, body)
			}
			return status == http.StatusOK
		})
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

// The pages of a form share it through two replicas, of which one goes away.
func TestReplicasShareForms(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t, postgrestest.Options{})
	r := startReplicasOn(t, server.URL(t), 2)
	p := r.servers[0].person()
	form := p.signedIn(r.servers[0].first())
	both := r.editor.targets
	ask := func(at int, method, path, body, page string) string {
		t.Helper()
		r.editor.set(both[at])
		status, _, answer := p.app(method, path, body, "X-Tab", page)
		if status != http.StatusOK {
			t.Fatalf("%s %s at %d: %d %s", method, path, at, status, answer)
		}
		return answer
	}
	var streams [2]<-chan string
	for i, page := range []string{"a", "b"} {
		r.editor.set(both[i])
		streams[i] = p.stream(path.Base(form) + "&page=" + page)
		hears(t, streams[i], "event: hello")
	}
	hears(t, streams[0], `"page":"b"`)
	_, header, saved := p.app("GET", form, "")
	opened := ask(0, "POST", form+"/live", fmt.Sprintf(`{"saved":%s,"etag":%q}`, saved, header.Get("ETag")), "a")
	_, room, _ := strings.Cut(opened, `"room":"`)
	room, _, _ = strings.Cut(room, `"`)
	entry := func(number int, name string) string {
		return fmt.Sprintf(`{"room":%q,"entry":{"number":%d,"serial":%[2]d,"edits":[{"at":"name","to":%q}]}}`, room, number, name)
	}
	if answer := ask(0, "POST", form+"/live", entry(1, "B"), "a"); !strings.Contains(answer, `"accepted":true`) {
		t.Fatal(answer)
	}
	for _, s := range streams {
		hears(t, s, `"to":"B"`)
	}
	if answer := ask(1, "POST", form+"/live", entry(1, "C"), "b"); strings.Contains(answer, "accepted") || !strings.Contains(answer, `"to":"B"`) {
		t.Fatalf("a number twice: %s", answer)
	}
	server.Restart(t)
	waittest.Until(t, "an entry after the restart", func() bool { // a connection may be found to be dead only by its use
		r.editor.set(both[1])
		status, _, answer := p.app("POST", form+"/live", entry(2, "D"), "X-Tab", "b")
		if status == http.StatusOK && !strings.Contains(answer, `"number":2`) {
			t.Fatal(answer)
		}
		return status == http.StatusOK
	})
	for _, s := range streams {
		hears(t, s, `"to":"D"`)
	}
	if code := r.servers[0].stop(); code != 0 {
		t.Errorf("the first replica ended with %d: %s", code, r.servers[0].log)
	}
	r.tenant.set(r.tenant.targets[1:]...)
	hears(t, streams[1], `"left":true`)
	if answer := ask(1, "GET", form+"/live?room="+room+"&after=1", "", "b"); !strings.Contains(answer, `"to":"D"`) {
		t.Errorf("after the first replica: %s", answer)
	}
}
