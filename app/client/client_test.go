package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// sent is a request as the server saw it.
type sent struct {
	method, target, body string
	header               http.Header
}

// server replaces the real server, in the same process, and records requests.
type server struct {
	t      *testing.T
	answer http.HandlerFunc
	sent   []sent
}

// Fetch implements client.Fetcher.
func (s *server) Fetch(ctx context.Context, r client.Request) (client.Response, error) {
	s.t.Helper()
	var body io.Reader
	if r.Body != nil {
		body = bytes.NewReader(r.Body)
	}
	req := httptest.NewRequestWithContext(ctx, r.Method, r.Path, body)
	for k, v := range r.Header {
		req.Header.Set(k, v)
	}
	s.sent = append(s.sent, sent{r.Method, r.Path, string(r.Body), req.Header.Clone()})
	rec := httptest.NewRecorder()
	s.answer(rec, req)
	return client.Response{Status: rec.Code, Header: rec.Header().Get, Body: rec.Body.Bytes()}, nil
}

// answering returns a client of a server that gives every request the same answer. Headers
// are written as "Name: value".
func answering(t *testing.T, status int, body string, headers ...string) (*client.Client, *server) {
	t.Helper()
	s := &server{t: t, answer: func(w http.ResponseWriter, _ *http.Request) {
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}}
	return client.New(s), s
}

// never is a Fetcher that does not answer before the context ends.
type never struct{ began time.Time }

func (n *never) Fetch(ctx context.Context, _ client.Request) (client.Response, error) {
	n.began = time.Now()
	<-ctx.Done()
	return client.Response{}, ctx.Err()
}

// broken is a Fetcher that cannot reach a server.
type broken struct{ err error }

func (b broken) Fetch(context.Context, client.Request) (client.Response, error) {
	return client.Response{}, b.err
}

// object is an answer that calls for one object can read.
const object = `{"id":"ap_1","name":"Stored"}`

// calls is every call of the client.
var calls = map[string]func(context.Context, *client.Client) error{
	"user":       func(ctx context.Context, c *client.Client) error { _, err := c.User(ctx); return err },
	"draft keys": func(ctx context.Context, c *client.Client) error { _, err := c.DraftKeys(ctx); return err },
	"sign out":   func(ctx context.Context, c *client.Client) error { _, err := c.SignOut(ctx); return err },
	"do": func(ctx context.Context, c *client.Client) error {
		_, _, err := c.Do(ctx, client.Request{
			Method: "PATCH", Path: "/bff/api/things/1", Header: map[string]string{"If-Match": `"v7"`}, Body: []byte(object),
		})
		return err
	},
	"object": func(ctx context.Context, c *client.Client) error {
		_, err := c.Object(ctx, "/bff/api/things/1")
		return err
	},
	"objects": func(ctx context.Context, c *client.Client) error {
		_, err := c.Objects(ctx, "/bff/api/things")
		return err
	},
	"find": func(ctx context.Context, c *client.Client) error {
		_, err := c.Find(ctx, "/bff/api/things", "", "", 5)
		return err
	},
	"send": func(ctx context.Context, c *client.Client) error {
		_, err := c.Send(ctx, "POST", "/bff/api/things", schema.NewObject(schema.Member{Key: "name", Value: "New"}))
		return err
	},
	"delete": func(ctx context.Context, c *client.Client) error {
		_, err := c.Send(ctx, "DELETE", "/bff/api/things/1", nil)
		return err
	},
}

// Every call turns every failure into an Error with its status, code and text. Both ends of
// the range of success statuses are covered.
func TestAnswersThatAreNoSuccess(t *testing.T) {
	problem := func(status int, code, more string) string {
		return fmt.Sprintf(`{"type":"about:blank","title":"T","status":%d,"code":%q,"detail":"What happened."%s}`, status, code, more)
	}
	for _, tt := range []struct {
		name    string
		status  int
		body    string
		headers []string
		want    client.Error
	}{
		{"session ended", 401, problem(401, "session_expired", ""), nil, client.Error{
			Status: 401, Code: "session_expired",
			Detail: "What happened.",
		}},
		{"scope", 403, problem(403, "scope", `,"scope":"update:forms"`), nil, client.Error{Status: 403, Code: "scope", Detail: "What happened."}},
		{"no such form", 404, problem(404, "not_found", ""), nil, client.Error{Status: 404, Code: "not_found", Detail: "What happened."}},
		{"conflict", 409, problem(409, "conflict", ""), nil, client.Error{Status: 409, Code: "conflict", Detail: "What happened."}},
		{"precondition", 412, problem(412, "conflict", ""), nil, client.Error{Status: 412, Code: "conflict", Detail: "What happened."}},
		{"too large", 413, problem(413, "too_large", ""), nil, client.Error{Status: 413, Code: "too_large", Detail: "What happened."}},
		{"slow down", 429, problem(429, "rate_limited", ""), []string{"Retry-After: 7"}, client.Error{
			Status: 429, Code: "rate_limited",
			Detail: "What happened.", RetryAfter: 7 * time.Second,
		}},
		{
			"slow down until a date", 429, problem(429, "rate_limited", ""),
			[]string{"Retry-After: Wed, 21 Oct 2026 07:28:00 GMT"},
			client.Error{Status: 429, Code: "rate_limited", Detail: "What happened."},
		},
		{"slow down since", 429, problem(429, "rate_limited", ""), []string{"Retry-After: -1"}, client.Error{
			Status: 429, Code: "rate_limited",
			Detail: "What happened.",
		}},
		{"upstream", 502, problem(502, "upstream_unavailable", ""), nil, client.Error{
			Status: 502, Code: "upstream_unavailable",
			Detail: "What happened.",
		}},
		{"problems", 400, problem(400, "invalid_body", `,"problems":[
{"path":"nodes[0].id","code":"format","detail":"must be"},7,{"code":"required"}]`), nil, client.Error{
			Status: 400, Code: "invalid_body", Detail: "What happened.",
			Problems: []client.Problem{{Path: "nodes[0].id", Code: "format", Detail: "must be"}, {Code: "required"}},
		}},
		{
			"page of a proxy", 503, "<!doctype html><title>503</title>",
			[]string{"Content-Type: text/html", "Retry-After: 120"},
			client.Error{
				Status: 503, Code: client.CodeOffline, Detail: "the server, or a proxy before it, answered with status 503",
				RetryAfter: 2 * time.Minute,
			},
		},
		{
			"page in place of a conflict", 412, "<html>", nil,
			client.Error{Status: 412, Code: client.CodeConflict, Detail: "the server, or a proxy before it, answered with status 412"},
		},
		{"page in place of a refusal", 403, "<html>", nil, client.Error{Status: 403, Detail: "the server, or a proxy before it, answered with status 403"}},
		{
			"page of a network", 200, "\n<!doctype html><title>Sign in to the network</title>",
			[]string{"Content-Type: text/html; charset=utf-8"},
			client.Error{Code: client.CodeOffline, Detail: "the network answered with a page in place of the server. It may ask for a sign-in"},
		},
		{"nothing", 500, "", nil, client.Error{Status: 500, Detail: "the server, or a proxy before it, answered with status 500"}},
		{"broken JSON", 500, `{"code":"session_exp`, nil, client.Error{Status: 500, Detail: "the server, or a proxy before it, answered with status 500"}},
		{"other JSON", 500, `["code"]`, nil, client.Error{Status: 500, Detail: "the server, or a proxy before it, answered with status 500"}},
		{"other types", 500, `{"code":7,"detail":null,"problems":{}}`, nil, client.Error{
			Status: 500,
			Detail: "the server, or a proxy before it, answered with status 500",
		}},
		{"not modified", 304, "", nil, client.Error{Status: 304, Detail: "the server, or a proxy before it, answered with status 304"}},
		{"redirect", 300, object, nil, client.Error{Status: 300, Detail: "the server, or a proxy before it, answered with status 300"}},
		{"information", 199, object, nil, client.Error{Status: 199, Detail: "the server, or a proxy before it, answered with status 199"}},
	} {
		for name, call := range calls {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				c, s := answering(t, tt.status, tt.body, tt.headers...)
				err := call(t.Context(), c)
				got, ok := errors.AsType[*client.Error](err)
				if !ok || !reflect.DeepEqual(*got, tt.want) {
					t.Fatalf("the error is %+v, want %+v", err, tt.want)
				}
				if got := client.CodeOf(fmt.Errorf("save: %w", err)); got != tt.want.Code {
					t.Errorf("the code is %q, want %q", got, tt.want.Code)
				}
				if err.Error() != tt.want.Detail {
					t.Errorf("the text is %q, want %q", err, tt.want.Detail)
				}
				if len(s.sent) != 1 {
					t.Errorf("%d requests were sent, want one: nothing is tried again by itself", len(s.sent))
				}
			})
		}
	}
	if got := client.CodeOf(io.EOF); got != "" {
		t.Errorf("another error has the code %q", got)
	}
}

// Some servers confirm a deletion in words.
func TestAnswerToADeletionIsIgnored(t *testing.T) {
	for _, body := range []string{"", "Deleted", `{"id":"ap_1"}`} {
		c, _ := answering(t, 200, body)
		if o, err := c.Send(t.Context(), "DELETE", "/bff/api/forms/ap_1", nil); o != nil || err != nil {
			t.Errorf("the answer %q gave %v, %v", body, o, err)
		}
	}
}

// A success whose body is not what was asked for is an error, never an empty
// result that could be taken for the truth.
func TestAnswersThatCannotBeRead(t *testing.T) {
	for _, body := range []string{
		"", "{", `{"id":"ap_1"}{}`, `{"id":"ap_1","id":"ap_1"}`, "\ufeff" + object,
		`"text"`, "null", "7",
	} {
		for name, call := range calls {
			if name == "send" || name == "delete" {
				continue // no answer is needed
			}
			t.Run(name+"/"+body, func(t *testing.T) {
				c, _ := answering(t, 200, body)
				err := call(t.Context(), c)
				if err == nil || client.CodeOf(err) != "" {
					t.Errorf("the error is %v with code %q, want one without", err, client.CodeOf(err))
				}
			})
		}
	}
	for name, body := range map[string]string{
		"user": "[]", "draft keys": "[]", "sign out": "[]", "do": "[]", "object": "[]", "objects": `{"flows":{}}`, "find": "[]",
		"send": "{",
	} {
		c, _ := answering(t, 200, body)
		if err := calls[name](t.Context(), c); err == nil || client.CodeOf(err) != "" {
			t.Errorf("%s took %s for an answer: %v", name, body, err)
		}
	}
}

// Without an answer the error says that the server was not reached, and why.
func TestNoAnswer(t *testing.T) {
	for name, call := range calls {
		err := call(t.Context(), client.New(broken{errors.New("Failed to fetch")}))
		got, ok := errors.AsType[*client.Error](err)
		if !ok || got.Code != client.CodeOffline || got.Status != 0 || !strings.Contains(got.Detail, "Failed to fetch") {
			t.Errorf("%s: the error is %+v, want offline", name, err)
		}
	}
}

// Every call times out: reads after 35 s, writes after 65 s, both longer than the 30 s that
// the server itself waits for the tenant.
func TestTimeOut(t *testing.T) {
	for name, call := range calls {
		synctest.Test(t, func(t *testing.T) {
			n := &never{}
			err := call(t.Context(), client.New(n))
			if client.CodeOf(err) != client.CodeOffline {
				t.Errorf("%s: the error is %v, want offline", name, err)
			}
			want := 35 * time.Second
			switch name {
			case "do", "sign out", "send", "delete":
				want = 65 * time.Second
			}
			if got := time.Since(n.began); got != want {
				t.Errorf("%s ended after %v, want %v", name, got, want)
			}
		})
	}
}

// Leaving a page cancels its calls.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		n := &never{}
		if err := calls["send"](ctx, client.New(n)); client.CodeOf(err) != client.CodeOffline {
			t.Errorf("the error is %v, want offline", err)
		}
		if got := time.Since(n.began); got != time.Second {
			t.Errorf("it ended after %v, want when it was cancelled", got)
		}
	})
}

// The request of each call, as described in server/API.md.
func TestRequests(t *testing.T) {
	for _, tt := range []struct {
		name         string
		status       int
		answer       string
		method, path string
		body         string // "" for none
		match        string
	}{
		{"user", 200, `{}`, "GET", "/bff/user", "", ""},
		{"draft keys", 200, `{}`, "GET", "/bff/draft-keys", "", ""},
		{"sign out", 200, `{}`, "POST", "/bff/logout", "", ""},
		{"do", 200, `{}`, "PATCH", "/bff/api/things/1", object, `"v7"`},
		{"object", 200, `{}`, "GET", "/bff/api/things/1", "", ""},
		{"objects", 200, `[]`, "GET", "/bff/api/things?per_page=100&page=0", "", ""},
		{"find", 200, `{}`, "GET", "/bff/api/things?per_page=5&include_totals=true", "", ""},
		{"send", 201, object, "POST", "/bff/api/things", `{"name":"New"}`, ""},
		{"delete", 204, "", "DELETE", "/bff/api/things/1", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, s := answering(t, tt.status, tt.answer)
			if err := calls[tt.name](t.Context(), c); err != nil {
				t.Fatal(err)
			}
			if len(s.sent) != 1 {
				t.Fatalf("%d requests were sent, want one", len(s.sent))
			}
			want := http.Header{"X-Csrf": {"1"}, "Accept": {"application/json"}}
			if tt.body != "" {
				want.Set("Content-Type", "application/json")
			}
			if tt.match != "" {
				want.Set("If-Match", tt.match)
			}
			if got := s.sent[0]; got.method != tt.method || got.target != tt.path || got.body != tt.body || !reflect.DeepEqual(got.header, want) {
				t.Errorf("sent %+v, want %s %s %s with %v", got, tt.method, tt.path, tt.body, want)
			}
		})
	}
}

// A change returns the object that was answered, and nothing where there is none.
func TestAnswerToAChange(t *testing.T) {
	for answer, want := range map[string]string{object: "Stored", "": "", "[]": ""} {
		c, _ := answering(t, 200, answer)
		if o, err := c.Send(t.Context(), "POST", "/bff/api/things", nil); err != nil || (o == nil) != (want == "") || o.Text("name") != want {
			t.Errorf("%q: %v (%v), want %q", answer, o, err, want)
		}
	}
}

// An object comes with the whole response, whose headers contain the version.
func TestAnswerHasItsHeaders(t *testing.T) {
	c, _ := answering(t, 200, object, `ETag: "v8"`)
	o, res, err := c.Do(t.Context(), client.Request{Method: "GET", Path: "/bff/api/things/1"})
	if err != nil || o.Text("name") != "Stored" || res.Header("ETag") != `"v8"` || res.Status != 200 {
		t.Errorf("the answer is %v with %+v (%v)", o, res, err)
	}
}

// The keys come in their order, since the first one seals. What is not a key is left out.
func TestDraftKeys(t *testing.T) {
	c, _ := answering(t, 200, `{"keys":[{"id":"2","key":"b"},7,{"id":"1","key":"a"}]}`)
	got, err := c.DraftKeys(t.Context())
	if want := []client.DraftKey{{ID: "2", Key: "b"}, {ID: "1", Key: "a"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the keys are %v (%v), want %v", got, err, want)
	}
}

func TestUser(t *testing.T) {
	for _, tt := range []struct {
		body string
		want client.User
	}{
		{`{"sub":"s|1","name":"Ada","email":"ada@example.org","scopes":["read:forms","update:forms"],
"expires_in":3,"logout_url":"/"}`, client.User{Sub: "s|1", Name: "Ada", Email: "ada@example.org", Scopes: []string{
			"read:forms",
			"update:forms",
		}}},
		{`{"sub":"s","scopes":"read:forms  update:forms"}`, client.User{Sub: "s", Scopes: []string{"read:forms", "update:forms"}}},
		{`{"sub":"s","scopes":["read:forms",7,null]}`, client.User{Sub: "s", Scopes: []string{"read:forms"}}},
		{`{"sub":"s","scopes":""}`, client.User{Sub: "s"}},
		{`{}`, client.User{}},
	} {
		c, _ := answering(t, 200, tt.body)
		got, err := c.User(t.Context())
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v (%v), want %+v", tt.body, got, err, tt.want)
		}
		if got.Can("update:forms") != (len(tt.want.Scopes) == 2) || got.Can("update") || got.Can("") {
			t.Errorf("%s: what the user can is not what the scopes say", tt.body)
		}
	}
}

func TestSignOut(t *testing.T) {
	for body, want := range map[string]string{`{"logout_url":"https://tenant.example/out"}`: "https://tenant.example/out", `{}`: ""} {
		c, _ := answering(t, 200, body)
		if got, err := c.SignOut(t.Context()); err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", body, got, err, want)
		}
	}
}

// paging answers with pages of a list of total elements.
func paging(t *testing.T, total int) (*client.Client, *server) {
	t.Helper()
	s := &server{t: t}
	s.answer = func(w http.ResponseWriter, r *http.Request) {
		var page, size int
		if _, err := fmt.Sscan(r.FormValue("page")+" "+r.FormValue("per_page"), &page, &size); err != nil {
			t.Error(err)
		}
		list := []map[string]any{}
		for i := page * size; i < min(total, (page+1)*size); i++ {
			list = append(list, map[string]any{"id": fmt.Sprint("ap_", i)})
		}
		if err := json.NewEncoder(w).Encode(list); err != nil {
			t.Error(err)
		}
	}
	return client.New(s), s
}

// A list is read in order until a page is not full.
func TestPaging(t *testing.T) {
	for _, tt := range []struct{ total, requests int }{{0, 1}, {1, 1}, {99, 1}, {100, 2}, {101, 2}, {250, 3}} {
		c, s := paging(t, tt.total)
		list, err := c.Objects(t.Context(), "/bff/api/things")
		if err != nil || len(list) != tt.total || len(s.sent) != tt.requests {
			t.Errorf("%d of %d entries came in %d requests (%v), want %d requests", len(list), tt.total, len(s.sent), err, tt.requests)
		}
		for i, o := range list {
			if want := fmt.Sprint("ap_", i); o.Text("id") != want {
				t.Fatalf("entry %d is %s, want %s", i, o.Text("id"), want)
			}
		}
	}
}

// A tenant that always has another full page does not keep the browser busy forever, and a page that fails does not end
// the list.
func TestPagingEnds(t *testing.T) {
	c, s := paging(t, 1<<20)
	if list, err := c.Objects(t.Context(), "/bff/api/things"); err != nil || len(list) != 10_000 || len(s.sent) != 100 {
		t.Errorf("%d entries came in %d requests (%v), want 10000 in 100", len(list), len(s.sent), err)
	}
	c, s = paging(t, 250)
	full := s.answer
	s.answer = func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("page") == "2" {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		full(w, r)
	}
	if list, err := c.Objects(t.Context(), "/bff/api/things"); err == nil || list != nil {
		t.Errorf("%d entries came although a page failed (%v), want an error", len(list), err)
	}
}

// List elements that are not objects are omitted.
func TestOddElements(t *testing.T) {
	c, _ := answering(t, 200, `[7,{"id":"ap_1","name":"n"},null]`)
	if list, err := c.Objects(t.Context(), "/bff/api/things"); err != nil || len(list) != 1 || list[0].Text("id") != "ap_1" {
		t.Errorf("the list is %v (%v), want one entry", list, err)
	}
}

// A request for a part of a list contains the words, size and cursor, and the answer the
// next cursor.
func TestFind(t *testing.T) {
	c, s := answering(t, 200, `{"start":0,"limit":2,"total":12,"users":[{"user_id":"a"},7,{"user_id":"b"}],"next":"p-1"}`)
	part, err := c.Find(t.Context(), "/bff/api/admin/logs?type=s", "  Zoë\t x& ", "", 2)
	if err != nil || part.Total != 12 || part.Next != "p-1" || len(part.Rows) != 2 || part.Rows[1].Text("user_id") != "b" {
		t.Errorf("%+v, %v", part, err)
	}
	if _, err := c.Find(t.Context(), "/bff/api/admin/users", "", "p-1", 5); err != nil {
		t.Error(err)
	}
	for i, want := range []string{
		"/bff/api/admin/logs?type=s&per_page=2&include_totals=true&q=Zo%C3%AB+x%26", "/bff/api/admin/users?from=p-1&take=5&include_totals=true",
	} {
		if got := s.sent[i].target; got != want {
			t.Errorf("request %d is %s, want %s", i, got, want)
		}
	}
	c, _ = answering(t, 200, `[]`)
	if _, err := c.Find(t.Context(), "/bff/api/admin/users", "", "", 5); err == nil {
		t.Error("an answer without a place is a part of a list")
	}
}
