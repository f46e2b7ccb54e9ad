package remote_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/upstream"
)

// naive is a tenant without entity tags, which ignores If-Match: the last change wins.
type naive struct {
	mu    sync.Mutex
	forms map[string]map[string]any
	calls []string // method and If-Match
	// bend replaces an answer: before the call is made, or after it with what it answered. Nil results leave it.
	before, after func(r upstream.Request, n int) (*upstream.Response, error)
	n             int
}

func newNaive() *naive {
	return &naive{forms: map[string]map[string]any{"ap_1": {"id": "ap_1", "name": "A", "x": 0.0}}}
}

func (t *naive) Do(_ context.Context, r upstream.Request, _ upstream.TokenSource) (*upstream.Response, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	t.calls = append(t.calls, r.Method+r.IfMatch)
	if t.before != nil {
		if res, err := t.before(r, t.n); res != nil || err != nil {
			return res, err
		}
	}
	res := t.answer(r)
	if t.after != nil {
		if bent, err := t.after(r, t.n); bent != nil || err != nil {
			return bent, err
		}
	}
	return res, nil
}

func (t *naive) answer(r upstream.Request) *upstream.Response {
	if r.Method == http.MethodPost {
		return says(201, r.Body)
	}
	form, ok := t.forms[r.Path[1]]
	if !ok {
		return says(404, nil)
	}
	switch r.Method {
	case http.MethodDelete:
		delete(t.forms, r.Path[1])
		return says(200, []byte(`{"deleted":true}`))
	case http.MethodPatch:
		var patch map[string]any
		if err := json.Unmarshal(r.Body, &patch); err != nil {
			return says(400, nil)
		}
		form = maps.Clone(form)
		for k, v := range patch {
			if form[k] = v; v == nil {
				delete(form, k)
			}
		}
		t.forms[r.Path[1]] = form
	}
	form = maps.Clone(form)
	form["updated_at"] = fmt.Sprint(t.n) // differs in each answer
	body, err := json.Marshal(form)
	if err != nil {
		return says(500, nil)
	}
	return says(200, body)
}

func (t *naive) edit(change func(form map[string]any)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	form := maps.Clone(t.forms["ap_1"])
	change(form)
	t.forms["ap_1"] = form
}

func says(status int, body []byte) *upstream.Response {
	return &upstream.Response{Status: status, Header: http.Header{}, Body: body}
}

// tokens is a token source; its text is its holder.
type tokens string

func (tokens) Token(context.Context, string) (upstream.Credential, error) {
	return upstream.Credential{Token: "token"}, nil
}

func (s tokens) Holder() string { return string(s) }

func request(method, ifMatch, body string) upstream.Request {
	r := upstream.Request{Method: method, Path: []string{"forms", "ap_1"}, IfMatch: ifMatch}
	if body != "" {
		r.Body = []byte(body)
	}
	return r
}

type caller interface {
	Do(ctx context.Context, r upstream.Request, tokens upstream.TokenSource) (*upstream.Response, error)
}

// do makes a call that must be answered.
func do(t *testing.T, c caller, r upstream.Request) *upstream.Response {
	t.Helper()
	res, err := c.Do(t.Context(), r, tokens("a"))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// tag reads the form's entity tag.
func tag(t *testing.T, c caller) string {
	t.Helper()
	res := do(t, c, request("GET", "", ""))
	if res.Status != 200 || res.Header.Get("Etag") == "" {
		t.Fatalf("got %d %v", res.Status, res.Header)
	}
	return res.Header.Get("Etag")
}
