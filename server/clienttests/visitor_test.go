package clienttests

import (
	"bufio"
	"context"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// visitor is somebody who uses the editor as its pages do, without a browser.
type visitor struct {
	t      testing.TB
	editor string
	tenant string
	client *http.Client
}

func newVisitor(t testing.TB, editor, tenant string) *visitor {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	cookies := &jar{kept: map[string]map[string]string{}}
	return &visitor{t, editor, tenant, &http.Client{Jar: cookies, Transport: transport, Timeout: 5 * time.Minute}}
}

// jar keeps cookies by host and port, and sends them over http, too, as browsers do on this machine.
type jar struct {
	mu   sync.Mutex
	kept map[string]map[string]string
}

// SetCookies implements http.CookieJar.
func (j *jar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.kept[u.Host] == nil {
		j.kept[u.Host] = map[string]string{}
	}
	for _, c := range cookies {
		if j.kept[u.Host][c.Name] = c.Value; c.MaxAge < 0 {
			delete(j.kept[u.Host], c.Name)
		}
	}
}

// Cookies implements http.CookieJar.
func (j *jar) Cookies(u *url.URL) (all []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for name, value := range j.kept[u.Host] {
		all = append(all, &http.Cookie{Name: name, Value: value})
	}
	return all
}

// answered is the answer to a request.
type answered struct {
	status int
	header http.Header
	text   string
}

// tag returns the ETag as the editor's pages read it.
func (a answered) tag() string {
	if tag := a.header.Get("X-ETag"); tag != "" {
		return tag
	}
	return a.header.Get("ETag")
}

// send sends a request and follows redirects.
func (v *visitor) send(method, address, body string, headers ...string) answered {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatalf("%s %s: %v after %d bytes", method, address, err, len(text))
	}
	return answered{res.StatusCode, res.Header, string(text)}
}

// call sends a request as a page of the editor does.
func (v *visitor) call(method, path, body string, headers ...string) answered {
	v.t.Helper()
	headers = append(headers, "X-CSRF", "1", "Accept", "application/json", "Origin", v.editor, "Sec-Fetch-Site", "same-origin")
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	return v.send(method, v.editor+path, body, headers...)
}

// save sends a change as a page of the editor does, of what has a tag.
func (v *visitor) save(method, path, body, tag string, headers ...string) answered {
	v.t.Helper()
	return v.call(method, path, body, append(headers, "If-Match", tag, "X-If-Match", tag)...)
}

var (
	signInForm  = regexp.MustCompile(`<form[^>]*action="([^"]*)"`)
	hiddenField = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"`)
)

// signIn goes the way of a browser.
func (v *visitor) signIn(email, password string) answered {
	v.t.Helper()
	page := v.send(http.MethodGet, v.editor+"/bff/login", "", "Accept", "text/html")
	action := signInForm.FindStringSubmatch(page.text)
	if action == nil {
		v.t.Fatalf("there is no sign-in page: %d %.300s", page.status, page.text)
	}
	fields := url.Values{"email": {email}, "password": {password}}
	for _, m := range hiddenField.FindAllStringSubmatch(page.text, -1) {
		fields.Set(m[1], html.UnescapeString(m[2]))
	}
	v.send(http.MethodPost, v.tenant+html.UnescapeString(action[1]), fields.Encode(), "Content-Type", "application/x-www-form-urlencoded",
		"Accept", "text/html")
	return v.call(http.MethodGet, "/bff/user", "")
}

// event is an event of a stream.
type event struct{ kind, id, data string }

// quiet is how long a stream may tell nothing before a follower takes it for one that is kept back. The editor's pages wait longer.
const quiet = 2 * time.Second

// follower follows the events of a form as a page does: it opens a stream that has ended again, after the last event, and asks for streams
// that end by themselves where one tells nothing.
type follower struct {
	events chan event
	asks   atomic.Bool
	kept   chan struct{}      // closed when asks is set
	ends   chan time.Duration // how long each stream lasted
	stop   context.CancelFunc
}

// follow begins to follow a form; page is the page that is present, "" for none. It returns once a stream has begun.
func (v *visitor) follow(form, page string) *follower {
	v.t.Helper()
	ctx, stop := context.WithCancel(v.t.Context())
	v.t.Cleanup(stop)
	f := &follower{events: make(chan event, 1000), kept: make(chan struct{}), ends: make(chan time.Duration, 1000), stop: stop}
	go func() {
		last := event{}
		for ctx.Err() == nil {
			query := url.Values{"form": {form}}
			if last.id != "" {
				query.Set("after", last.id)
			}
			if f.asks.Load() {
				query.Set("once", "1")
			} else if page != "" {
				query.Set("page", page)
			}
			began := time.Now()
			if !f.stream(ctx, v, query, &last) && ctx.Err() == nil && !f.asks.Load() {
				f.asks.Store(true)
				close(f.kept)
			}
			f.ends <- time.Since(began)
		}
	}()
	select {
	case <-f.events: // the first is "hello"
	case <-f.kept:
	case <-time.After(time.Minute):
		v.t.Fatal("no stream begins")
	}
	return f
}

// stream takes the events of one stream. It returns false if that told nothing.
func (f *follower) stream(ctx context.Context, v *visitor, query url.Values, last *event) (told bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(quiet, func() {
		if !f.asks.Load() {
			cancel()
		}
	})
	defer silence.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, v.editor+"/bff/events?"+query.Encode(), nil)
	if err != nil {
		return false
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := v.client.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	var e event
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "event":
			e.kind = value
		case "id":
			e.id = value
		case "data":
			e.data = value
		case "":
			silence.Stop()
			if told = true; e.id != "" {
				*last = e
			}
			f.events <- e
			e = event{}
		}
	}
	return told
}

// until waits for an event, or for a stream that begins with the version that the event is about, "" for none: the save came before it.
func (f *follower) until(t testing.TB, kind, tag string) {
	t.Helper()
	for {
		select {
		case e := <-f.events:
			if e.kind == kind || e.kind == "hello" && tag != "" && strings.Contains(e.data, strings.Trim(tag, `"`)) {
				return
			}
		case <-time.After(time.Minute):
			t.Fatalf("no event %s", kind)
		}
	}
}
