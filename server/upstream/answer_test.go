package upstream_test

import (
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/upstream"
)

// Where the media type of an answer says little, its content decides.
func TestAnswersAsTenantsGiveThem(t *testing.T) {
	const form = `{"id":"ap_1"}`
	for _, x := range []struct {
		name, method string
		status       int
		kind, body   string
		want, text   string
		fails        bool
	}{
		{"deleted with a word", "DELETE", 200, "text/plain", "OK", "", "", false},
		{"deleted with a page", "DELETE", 200, "text/html", "<p>Gone", "", "", false},
		{"deleted with the form", "DELETE", 200, "application/json", form, form, "", false},
		{"deleted with our token", "DELETE", 200, "application/json", `["token-1"]`, "", "", false},
		{"deleted with broken JSON", "DELETE", 202, "application/json", `{"`, "", "", false},
		{"deleted without a body", "DELETE", 204, "", "", "", "", false},
		{"another JSON type", "GET", 200, "application/vnd.tenant+json; charset=utf-8", form, form, "", false},
		{"no type", "GET", 200, "", form, form, "", false},
		{"text that is JSON", "PATCH", 200, "text/plain; charset=utf-8", form, form, "", false},
		{"a byte order mark", "GET", 200, "application/json", "\ufeff" + form, form, "", false},
		{"text that is a number", "GET", 200, "text/plain", "12", "", "", true},
		{"text", "PATCH", 200, "text/plain", "OK", "", "", true},
		{"a page", "GET", 200, "text/html", form, "", "", true},
		{"broken JSON", "GET", 200, "", `{"id":`, "", "", true},
		{"refused in words", "PATCH", 400, "text/plain", "Error in nodes.0.config", "", "Error in nodes.0.config", false},
		{"refused in JSON without a type", "PATCH", 400, "", `{"message":"no"}`, `{"message":"no"}`, "", false},
		{"refused with a page", "PATCH", 400, "text/html", "<p>no", "", "", false},
		{"refused at length", "PATCH", 400, "text/plain", strings.Repeat("ü", 4000), "", strings.Repeat("ü", 2048), false},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := start(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = nil
				if x.kind != "" {
					w.Header().Set("Content-Type", x.kind)
				}
				w.WriteHeader(x.status)
				_, _ = io.WriteString(w, x.body)
			})
			res, err := client(t, s.url, nil).Do(t.Context(), upstream.Request{Method: x.method, Path: []string{"forms", "ap_1"}}, &tokens{})
			if x.fails {
				if !errors.Is(err, upstream.ErrAnswer) {
					t.Errorf("got %+v, %v", res, err)
				}
				return
			}
			if err != nil || res.Status != x.status || string(res.Body) != x.want || res.Text != x.text {
				t.Errorf("got %+v, %v", res, err)
			}
		})
	}
}

// A list keeps its shape, and its items keep the members that are neither objects nor arrays.
func TestSummaries(t *testing.T) {
	const whole = `{"id":"a","name":"A","nodes":[{"id":"n","type":"STEP"}],"flow_count":2,"style":{},"updated_at":"t","x":null,"y":true}`
	const short = `{"id":"a","name":"A","flow_count":2,"updated_at":"t","x":null,"y":true}`
	for _, x := range []struct{ name, given, want string }{
		{"array", "[" + whole + "," + whole + "]", "[" + short + "," + short + "]"},
		{"empty array", `[]`, `[]`},
		{"nothing", ``, ``},
		{"byte order mark", "\ufeff[" + whole + "]", "[" + short + "]"},
		{
			"totals", `{"forms":[` + whole + `],"start":0,"limit":50,"total":1,"next":null,"links":{"self":["/forms"]}}`,
			`{"forms":[` + short + `],"start":0,"limit":50,"total":1,"next":null,"links":{"self":["/forms"]}}`,
		},
		{"items that are no objects", `[1,"a",[{}],` + whole + `]`, `[1,"a",[{}],` + short + `]`},
		{
			"escapes and numbers", `[{"na\u006de":"\u00e4\/","n":1.50e2,"big":12345678901234567890}]`,
			`[{"na\u006de":"\u00e4\/","n":1.50e2,"big":12345678901234567890}]`,
		},
		{"a name twice", `[{"a":1,"a":[2]}]`, `[{"a":1}]`},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := start(t, answer(200, x.given))
			res, err := client(t, s.url, nil).Do(t.Context(), list, &tokens{})
			if err != nil || strings.TrimSpace(string(res.Body)) != x.want {
				t.Errorf("got %s, %v, want %s", res.Body, err, x.want)
			}
		})
	}
	for _, broken := range []string{`[{"id":}]`, `[{"id":"a"}`, `[] []`, `{"forms":[}`, `[{"nodes":[}]`, "[\"\xff\"]", `<html>`} {
		s := start(t, answer(200, broken))
		if res, err := client(t, s.url, nil).Do(t.Context(), list, &tokens{}); !errors.Is(err, upstream.ErrAnswer) {
			t.Errorf("%s: got %+v, %v", broken, res, err)
		}
	}
}

var list = upstream.Request{Method: http.MethodGet, Path: []string{"forms"}, Summaries: true}

// A list of whole forms may be much larger than any other answer, and does not fill the memory.
func TestLargeList(t *testing.T) {
	node := `{"id":"n","config":"` + strings.Repeat("x", 1000) + `"},`
	form := `{"id":"ap_1","nodes":[` + strings.Repeat(node, 1000) + `{}],"name":"A"},`
	s := start(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "[")
		for range 64 {
			_, _ = io.WriteString(w, form)
		}
		_, _ = io.WriteString(w, "{}]")
	})
	c := client(t, s.url, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := c.Do(t.Context(), list, &tokens{})
	runtime.ReadMemStats(&after)
	if err != nil || strings.Count(string(res.Body), `"name":"A"`) != 64 {
		t.Fatalf("got %d bytes, %v", len(res.Body), err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
		t.Errorf("%d MiB were allocated", grown>>20)
	}
	s = start(t, answer(200, `[{"nodes":"`+strings.Repeat("x", 9<<20)+`"}]`))
	if _, err := client(t, s.url, nil).Do(t.Context(), list, &tokens{}); !errors.Is(err, upstream.ErrAnswer) {
		t.Errorf("an item over the limit: got %v", err)
	}
	s = start(t, answer(200, "["+strings.Repeat(`{"id":"`+strings.Repeat("x", 1<<20)+`"},`, 10)+"{}]"))
	if _, err := client(t, s.url, nil).Do(t.Context(), list, &tokens{}); !errors.Is(err, upstream.ErrAnswer) {
		t.Errorf("more than can be kept: got %v", err)
	}
	s = start(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `[{"id":"a","nodes":[1,`)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	if _, err := client(t, s.url, nil).Do(t.Context(), list, &tokens{}); !errors.Is(err, upstream.ErrUnreachable) {
		t.Errorf("a cut list: got %v", err)
	}
}

// An error distinguishes a change that was never sent from one whose answer is missing.
func TestWhatIsKnownAfterAFailure(t *testing.T) {
	closed := start(t, answer(200, `{}`))
	cut := start(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	for _, x := range []struct {
		name   string
		url    string
		tokens *tokens
		unsent bool
	}{
		{"no listener", "http://127.0.0.1:1", &tokens{}, true},
		{"no such host", "http://tenant.invalid", &tokens{}, true},
		{"cut", cut.url, &tokens{}, false},
	} {
		_, err := client(t, x.url, nil).Do(t.Context(), patch, x.tokens)
		if !errors.Is(err, upstream.ErrUnreachable) || errors.Is(err, upstream.ErrNotSent) != x.unsent {
			t.Errorf("%s: got %v", x.name, err)
		}
	}
	over := errors.New("session is over")
	_, err := client(t, closed.url, nil).Do(t.Context(), patch, noToken{over})
	if !errors.Is(err, over) || !errors.Is(err, upstream.ErrNotSent) {
		t.Errorf("without a token: got %v", err)
	}
}
