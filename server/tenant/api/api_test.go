package api_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

const audience = "https://api.example/"

// fixture is an API of which each operation answers its name and the ids of the path.
type fixture struct {
	api.API

	t     *testing.T
	token string
	key   string // that the last request was counted by; "" for the network
}

func newFixture(t *testing.T, burst int, routes ...string) *fixture {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	set, err := keys.New(now)
	if err != nil {
		t.Fatal(err)
	}
	s, err := signer.New(set)
	if err != nil {
		t.Fatal(err)
	}
	issued := &tokens.Tokens{Issuer: "https://api.example", Signer: s, Now: clock}
	f := &fixture{t: t}
	if f.token, _, err = issued.IssueAccess(tokens.Access{Subject: "ana", ClientID: "app", Audience: audience}); err != nil {
		t.Fatal(err)
	}
	id := func(escaped string) (string, *api.Error) {
		if id, ok := api.ReadID(escaped); ok {
			return id, nil
		}
		return "", &api.Error{Status: http.StatusBadRequest, Code: "invalid_uri"}
	}
	all := api.Routes{}
	for _, r := range routes {
		method, pattern, _ := strings.Cut(r, " ")
		if all[pattern] == nil {
			all[pattern] = map[string]api.Operation{}
		}
		all[pattern][method] = api.Operation{Do: func(c *api.Call) *api.Error {
			return c.JSON(http.StatusOK, r+" id="+c.ID()+" of="+c.Param("of"))
		}}
	}
	all["/body"] = map[string]api.Operation{http.MethodPost: {Do: func(c *api.Call) *api.Error {
		o, e := c.Fields(schema.Table{{Name: "name", Spec: schema.String{Max: 4}, Required: true}, {Name: "n", Spec: schema.Bool{}}}, nil)
		if e != nil {
			return e
		}
		return c.JSON(http.StatusOK, o.Text("name"))
	}}}
	f.API = api.API{
		Audience: audience, Tokens: issued, Log: slog.New(slog.DiscardHandler), Limit: ratelimit.Counting{Now: clock}.Limiter("test", 1, burst), MaxBody: 64,
		Key: func(a tokens.Access) string { f.key = a.Subject; return f.key },
		Admit: func(_ *api.Call, refusal *tokens.Refusal) *api.Error {
			if refusal != nil {
				return &api.Error{Status: refusal.Status, Code: refusal.Code, Refusal: refusal}
			}
			return nil
		},
		Authorize: func(*api.Call) *api.Error { return nil },
		Routes:    api.NewRouter("/v1", map[string]api.Param{"id": id, "of": id}, all),
		Errors: api.Style{Realm: "test", ContentType: "application/json", Body: func(e *api.Error) any {
			parts := []string{e.Code}
			for _, p := range e.Problems {
				parts = append(parts, p.Path.String()+" "+string(p.Code))
			}
			return strings.Join(parts, ", ")
		}},
	}
	return f
}

// send returns the answer and the one string that its body is.
func (f *fixture) send(method, path, body string, header ...string) (*httptest.ResponseRecorder, string) {
	f.t.Helper()
	f.key = ""
	r := httptest.NewRequestWithContext(f.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+f.token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	var text string
	if err := json.Unmarshal(w.Body.Bytes(), &text); err != nil {
		f.t.Fatalf("%s %s: %v in %q", method, path, err, w.Body)
	}
	return w, text
}

// A path is compared as it was sent, word by word, and a literal word goes before an id.
func TestRoutes(t *testing.T) {
	f := newFixture(t, 100,
		"GET /things", "GET /things/{id}", "PUT /things/{id}", "GET /things/special", "GET /things/{id}/parts/{of...}",
		"GET /rest/{id...}", "GET /rest/deep/known",
	)
	for _, x := range []struct {
		request string
		status  int
		want    string
	}{
		{"GET /v1/things", 200, "GET /things id= of="},
		{"HEAD /v1/things", 200, "GET /things id= of="},
		{"GET /v1/things/a", 200, "GET /things/{id} id=a of="},
		{"GET /v1/things/a%7Cb", 200, "GET /things/{id} id=a|b of="},
		{"GET /v1/things/special", 200, "GET /things/special id= of="},
		{"GET /v1/things/a/parts/b", 200, "GET /things/{id}/parts/{of...} id=a of=b"},
		{"GET /v1/rest/deep/known", 200, "GET /rest/deep/known id= of="},
		{"GET /v1/rest/a", 200, "GET /rest/{id...} id=a of="},
		{"GET /v1/rest/a/b", 400, "invalid_uri"},
		{"GET /v1/rest/deep", 200, "GET /rest/{id...} id=deep of="},
		{"GET /v1/rest/deep/known/more", 400, "invalid_uri"},
		{"GET /v1/things/a/parts/b/c", 400, "invalid_uri"},
		{"GET /v1/things/a%2Fparts%2Fb", 400, "invalid_uri"},
		{"GET /v1/things/..%2Fspecial", 400, "invalid_uri"},
		{"GET /v1/things/../things", 404, "not_found"},
		{"GET /v1/things/", 400, "invalid_uri"},
		{"GET /v1/things/a/parts", 404, "not_found"},
		{"GET /v1//things", 404, "not_found"},
		{"GET /v1", 404, "not_found"},
		{"GET /v2/things", 404, "not_found"},
		{"DELETE /v1/things/a", 405, "method_not_allowed"},
	} {
		method, path, _ := strings.Cut(x.request, " ")
		if a, text := f.send(method, path, ""); a.Code != x.status || text != x.want {
			t.Errorf("%s = %d %s, want %d %s", x.request, a.Code, text, x.status, x.want)
		}
	}
	if a, _ := f.send(http.MethodDelete, "/v1/things/a", ""); a.Header().Get("Allow") != "GET, PUT" {
		t.Errorf("Allow = %q, want GET, PUT", a.Header().Get("Allow"))
	}
}

// A pattern whose id nothing reads is a mistake of the program, found at its start.
func TestRoutesWithoutReader(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a router was made of a pattern whose id nothing reads")
		}
	}()
	api.NewRouter("", nil, api.Routes{"/a/{id}": nil})
}

// A good token is counted for its holder, everything else for the network; what is too much is refused before
// anything is looked for.
func TestRequestsAreCounted(t *testing.T) {
	f := newFixture(t, 1, "GET /a")
	if a, _ := f.send(http.MethodGet, "/v1/none", ""); a.Code != 404 || f.key != "ana" {
		t.Errorf("the first request = %d, counted for %q; want 404 and ana", a.Code, f.key)
	}
	if a, _ := f.send(http.MethodGet, "/v1/a", "", "Authorization", "Bearer x"); a.Code != 401 || f.key != "" {
		t.Errorf("a bad token = %d, counted for %q; want 401 and the network", a.Code, f.key)
	}
	for _, header := range [][]string{nil, {"Authorization", "Bearer x"}} {
		a, code := f.send(http.MethodGet, "/v1/none", "", header...)
		if a.Code != http.StatusTooManyRequests || code != "too_many_requests" ||
			a.Header().Get("Retry-After") != "1" || a.Header().Get("X-RateLimit-Remaining") != "0" {
			t.Errorf("one more with %v = %d %s %v, want 429 with its headers", header, a.Code, code, a.Header())
		}
	}
}

func TestBodies(t *testing.T) {
	f := newFixture(t, 100)
	for _, x := range []struct {
		body, header, value string
		status              int
		want                string
	}{
		{`{"name":"a"}`, "", "", 200, "a"},
		{`{"name":"a"}`, "Content-Type", "application/json; charset=UTF-8", 200, "a"},
		{`{"name":"a"}`, "Content-Encoding", "identity", 200, "a"},
		{`{"name":"a"}`, "Content-Encoding", "gzip", 415, "unsupported_media_type"},
		{`{"name":"a"}`, "Content-Type", "application/json; charset=latin1", 415, "unsupported_media_type"},
		{`name=a`, "Content-Type", "application/x-www-form-urlencoded", 415, "unsupported_media_type"}, // no Form
		{`{"name":`, "", "", 400, "invalid_body,  syntax"},
		{`{"n":1,"n":2}`, "", "", 400, "invalid_body, name required, n duplicate_key, n type"},
		{`{"name":"` + strings.Repeat("a", 64) + `"}`, "", "", 413, "payload_too_large"},
	} {
		a, got := f.send(http.MethodPost, "/v1/body", x.body, x.header, x.value)
		if a.Code != x.status || got != x.want {
			t.Errorf("%s with %s %s = %d %q, want %d %q", x.body, x.header, x.value, a.Code, got, x.status, x.want)
		}
	}
}
