package httpx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/httpx"
)

func logger() (*slog.Logger, *bytes.Buffer) {
	var b bytes.Buffer
	return slog.New(slog.NewJSONHandler(&b, nil)), &b
}

func serve(h http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestProblem(t *testing.T) {
	h := httpx.Identify(strings.NewReader("0123456789"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		(&httpx.Problem{
			Status: 429, Code: httpx.CodeRateLimited, Detail: "Slow down.", RetryAfter: 1500 * time.Millisecond, Scope: "read:forms",
			Problems: []int{1},
		}).Write(w, r)
	}))
	w := serve(h, http.MethodGet, "/")
	const want = `{"type":"about:blank","title":"Too Many Requests","status":429,"code":"rate_limited","detail":"Slow down.",` +
		`"request_id":"gaytemzugu3doobz","scope":"read:forms","retry_after_seconds":2,"problems":[1]}`
	if w.Body.String() != want || w.Code != 429 || w.Header().Get("Retry-After") != "2" ||
		w.Header().Get("Content-Type") != "application/problem+json" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %v %s", w.Code, w.Header(), w.Body)
	}
	broken := &httpx.Problem{Status: 400, Code: httpx.CodeInvalidBody, Problems: func() {}}
	rec := httptest.NewRecorder()
	broken.Write(rec, httptest.NewRequest(http.MethodGet, "/", nil))
	if !json.Valid(rec.Body.Bytes()) || rec.Code != 400 {
		t.Errorf("got %d %s", rec.Code, rec.Body)
	}
}

func TestIdentifyIgnoresClients(t *testing.T) {
	var inside string
	h := httpx.Identify(nil, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { inside = httpx.RequestID(r.Context()) }))
	a := serve(h, "GET", "/", "X-Request-Id", "mine").Header().Get("X-Request-Id")
	b := serve(h, "GET", "/", "X-Request-Id", "mine").Header().Get("X-Request-Id")
	if a == b || b != inside || len(b) != 16 || b == "mine" {
		t.Errorf("got %q, %q, inside %q", a, b, inside)
	}
	if httpx.RequestID(context.Background()) != "" {
		t.Error("outside of a request there is none")
	}
}

func TestAccessLog(t *testing.T) {
	log, out := logger()
	now := time.Unix(0, 0)
	tick := func() time.Time { now = now.Add(1500 * time.Microsecond); return now }
	h := httpx.AccessLog(log, tick, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "12345")
	}))
	serve(h, "POST", "/a%0d%0ab/"+strings.Repeat("x", 300)+"?code=secret-code", "Authorization", "Bearer secret-token", "Cookie",
		"secret-cookie", "User-Agent", "secret-agent")
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	path, _ := line["path"].(string)
	if line["method"] != "POST" || line["status"] != 201.0 || line["bytes"] != 5.0 || line["ms"] != 1.5 ||
		!strings.HasPrefix(path, "/a%0d%0ab/x") || len(path) != 256 {
		t.Errorf("got %s", out)
	}
	serve(h, "POST", "/short?code=secret-code")
	if strings.Contains(out.String(), "secret") {
		t.Errorf("got %s", out)
	}
}

func TestRecover(t *testing.T) {
	log, out := logger()
	w := serve(httpx.Recover(log, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("the inside") })), "GET", "/")
	if w.Code != 500 || !strings.Contains(w.Body.String(), `"internal"`) || strings.Contains(w.Body.String(), "the inside") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if !strings.Contains(out.String(), "the inside") || !strings.Contains(out.String(), "goroutine") {
		t.Errorf("logged %s", out)
	}
	for name, h := range map[string]http.HandlerFunc{
		"aborted on purpose": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"half an answer":     func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "half"); panic("late") },
	} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
					t.Errorf("%s: got %v", name, err)
				}
			}()
			serve(httpx.Recover(log, h), "GET", "/")
		}()
	}
}

func TestRecordersLetControllersThrough(t *testing.T) {
	log, _ := logger()
	var err error
	h := httpx.AccessLog(log, time.Now, httpx.Recover(log, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		err = http.NewResponseController(w).Flush()
	})))
	if serve(h, "GET", "/"); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestSecurityHeaders(t *testing.T) {
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	h := serve(httpx.SecurityHeaders("https://forms.example", next), "GET", "/").Header()
	if h.Get("Content-Security-Policy") != httpx.ContentSecurityPolicy || h.Get("X-Frame-Options") != "DENY" ||
		h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Strict-Transport-Security") == "" {
		t.Errorf("got %v", h)
	}
	if h := serve(httpx.SecurityHeaders("http://localhost:8080", next), "GET", "/").Header(); h.Get("Strict-Transport-Security") != "" {
		t.Error("a promise of https on http")
	}
}

// The atlas is in a closed sandbox, requests nothing, and is embedded by no page.
func TestAtlasHeaders(t *testing.T) {
	h := serve(httpx.SecurityHeaders("https://forms.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		httpx.SetAtlasHeaders(w.Header())
	})), "POST", "/bff/atlas").Header()
	const want = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; " +
		"frame-ancestors 'none'; require-trusted-types-for 'script'"
	if got := h.Values("Content-Security-Policy"); len(got) != 1 || got[0] != want {
		t.Errorf("got the policy %q, want %q", got, want)
	}
	if h.Get("X-Frame-Options") != "DENY" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Content-Type-Options") != "nosniff" ||
		h.Get("Cross-Origin-Resource-Policy") != "same-origin" || h.Get("X-DNS-Prefetch-Control") != "off" {
		t.Errorf("got %v", h)
	}
}

// The preview is in a sandbox without our origin, requests nothing, and is embedded by our own pages alone.
func TestPreviewHeaders(t *testing.T) {
	for _, images := range []bool{false, true} {
		h := serve(httpx.SecurityHeaders("https://forms.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			httpx.SetPreviewHeaders(w.Header(), "'sha256-x'", images)
		})), "GET", "/preview").Header()
		directives := map[string]string{}
		for d := range strings.SplitSeq(h.Get("Content-Security-Policy"), "; ") {
			name, value, _ := strings.Cut(d, " ")
			directives[name] = value
		}
		want := map[string]string{
			"sandbox": "allow-scripts", "default-src": "'none'", "script-src": "'sha256-x'", "style-src": "'unsafe-inline'", "img-src": "data:",
			"connect-src": "'none'", "form-action": "'none'", "base-uri": "'none'", "frame-src": "'none'", "frame-ancestors": "'self'",
			"require-trusted-types-for": "'script'", "trusted-types": "preview",
		}
		if images {
			want["img-src"] = "https: data:"
		}
		if !maps.Equal(directives, want) || len(h.Values("Content-Security-Policy")) != 1 {
			t.Errorf("got %v, want %v", directives, want)
		}
		if h.Get("X-Frame-Options") != "SAMEORIGIN" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Cross-Origin-Resource-Policy") != "same-origin" || h.Get("X-DNS-Prefetch-Control") != "off" {
			t.Errorf("got %v", h)
		}
	}
}

func TestGate(t *testing.T) {
	const origin = "https://forms.example"
	gate, err := httpx.NewGate(origin, "fg")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name, method string
		headers      []string
		ok           bool
	}{
		{"GET", "GET", nil, true},
		{"GET with a session", "GET", []string{"Cookie", "fg=x"}, true},
		{"GET cross-site", "GET", []string{"Sec-Fetch-Site", "cross-site"}, false},
		{"GET same-site", "GET", []string{"Sec-Fetch-Site", "same-site"}, false},
		{"PATCH without a session", "PATCH", nil, true},
		{"PATCH with a session and nothing", "PATCH", []string{"Cookie", "fg=x"}, false},
		{"PATCH same-origin", "PATCH", []string{"Cookie", "fg=x", "Sec-Fetch-Site", "same-origin"}, true},
		{"PATCH none", "PATCH", []string{"Cookie", "fg=x", "Sec-Fetch-Site", "none"}, false},
		{"PATCH exact origin", "PATCH", []string{"Cookie", "fg=x", "Origin", origin}, true},
		{"PATCH other origin", "PATCH", []string{"Cookie", "fg=x", "Origin", "https://evil.example"}, false},
		{"PATCH other origin without a session", "PATCH", []string{"Origin", "https://evil.example"}, false},
		{"PATCH origin with a user", "PATCH", []string{"Cookie", "fg=x", "Origin", "https://u@forms.example"}, false},
		{"PATCH null origin", "PATCH", []string{"Cookie", "fg=x", "Origin", "null"}, false},
		{"PATCH two sites", "PATCH", []string{"Cookie", "fg=x", "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Site", "cross-site"}, false},
		{"OPTIONS is not safe", "OPTIONS", []string{"Cookie", "fg=x"}, false},
	} {
		r := httptest.NewRequest(x.method, "https://behind-a-proxy.internal/bff/user", nil)
		for i := 0; i < len(x.headers); i += 2 {
			r.Header.Add(x.headers[i], x.headers[i+1])
		}
		if p := gate.Check(r); p == nil || p.Code != httpx.CodeCSRF || p.Status != 403 {
			t.Errorf("%s: passes without X-CSRF", x.name)
		}
		r.Header.Set("X-CSRF", "1")
		if p := gate.Check(r); (p == nil) != x.ok {
			t.Errorf("%s: got %v, want pass %v", x.name, p, x.ok)
		}
	}
	if _, err := httpx.NewGate("https://forms.example/path", "fg"); err == nil {
		t.Error("an origin with a path must be refused")
	}
}

// What a page of ours submits states our origin; a form has no header of its own.
func TestGateOfForms(t *testing.T) {
	const origin = "https://forms.example"
	gate, err := httpx.NewGate(origin, "fg")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		headers []string
		ok      bool
	}{
		{nil, false},
		{[]string{"X-CSRF", "1"}, false},
		{[]string{"Sec-Fetch-Site", "same-origin"}, true},
		{[]string{"Sec-Fetch-Site", "same-origin", "Origin", origin}, true},
		{[]string{"Origin", origin}, true},
		{[]string{"Origin", origin, "Origin", origin}, false},
		{[]string{"Origin", "null"}, false},
		{[]string{"Origin", "https://evil.example"}, false},
		{[]string{"Sec-Fetch-Site", "none"}, false},
		{[]string{"Sec-Fetch-Site", "none", "Origin", origin}, false},
		{[]string{"Sec-Fetch-Site", "same-site"}, false},
		{[]string{"Sec-Fetch-Site", "cross-site", "Origin", origin}, false},
		{[]string{"Sec-Fetch-Site", "same-origin", "Origin", "null"}, false},
		{[]string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Site", "cross-site"}, false},
	} {
		r := httptest.NewRequest(http.MethodPost, "https://behind-a-proxy.internal/bff/atlas", nil)
		for i := 0; i < len(x.headers); i += 2 {
			r.Header.Add(x.headers[i], x.headers[i+1])
		}
		if p := gate.CheckForm(r); (p == nil) != x.ok || p != nil && (p.Code != httpx.CodeCSRF || p.Status != 403) {
			t.Errorf("%q: got %v, want pass %v", x.headers, p, x.ok)
		}
	}
}

type pinger struct{ err error }

func (p pinger) Ping(context.Context) error { return p.err }

func TestHealth(t *testing.T) {
	log, _ := logger()
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for _, x := range []struct {
		method, path string
		ping         error
		want         int
	}{
		{"GET", "/healthz", errors.New("disk"), 200},
		{"GET", "/readyz", nil, 200},
		{"HEAD", "/readyz", nil, 200},
		{"GET", "/readyz", errors.New("disk"), 503},
		{"POST", "/healthz", nil, 405},
		{"GET", "/healthz/x", nil, 418},
		{"GET", "/", nil, 418},
	} {
		w := serve(httpx.Health(pinger{x.ping}, log, next), x.method, x.path)
		if w.Code != x.want || strings.Contains(w.Body.String(), "disk") {
			t.Errorf("%s %s: got %d %s", x.method, x.path, w.Code, w.Body)
		}
	}
}

// Every listener closes connections that send headers or a body too
// slowly.
func TestServerBounds(t *testing.T) {
	log, _ := logger()
	s := httpx.NewServer(http.NotFoundHandler(), log)
	got := [...]time.Duration{s.ReadHeaderTimeout, s.ReadTimeout, s.WriteTimeout, s.IdleTimeout, time.Duration(s.MaxHeaderBytes)}
	want := [...]time.Duration{5 * time.Second, 30 * time.Second, 60 * time.Second, 120 * time.Second, 16 << 10}
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestReadJSON(t *testing.T) {
	read := func(r *http.Request) ([]byte, *httpx.Problem, http.Header) {
		w := httptest.NewRecorder()
		body, p := httpx.ReadJSON(w, r, 10)
		return body, p, w.Header()
	}
	request := func(body string, length int64) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/", io.NopCloser(strings.NewReader(body)))
		r.ContentLength = length
		r.Header.Set("Content-Type", "application/json")
		return r
	}
	if body, p, _ := read(request("0123456789", 10)); p != nil || string(body) != "0123456789" {
		t.Errorf("got %q, %v", body, p)
	}
	for name, r := range map[string]*http.Request{"claimed": request("x", 100<<20), "sent": request("0123456789a", -1)} {
		if _, p, h := read(r); p == nil || p.Status != 413 || p.Code != httpx.CodeTooLarge || h.Get("Connection") != "close" {
			t.Errorf("%s: got %v %v", name, p, h)
		}
	}
	cut := request("", 5)
	cut.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), failing{io.ErrUnexpectedEOF}))
	if _, p, _ := read(cut); p == nil || p.Status != 400 {
		t.Errorf("cut: got %v", p)
	}
	slow := request("", 5)
	slow.Body = io.NopCloser(failing{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}})
	if _, p, _ := read(slow); p == nil || p.Status != 408 || p.Code != httpx.CodeTimeout {
		t.Errorf("slow: got %v", p)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
