package httpx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/httpx"
)

func TestTrustedProxyAssignsRequestID(t *testing.T) {
	proxies, err := clientip.ParseProxies("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	h := clientip.Locate(proxies, httpx.Identify(nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Inside", httpx.RequestID(r.Context()))
	})))
	const uuid = "3f0c9e5e-8d1b-4e7a-9c39-0d6a6a5d9a11"
	for _, x := range []struct {
		name, from string
		sent       []string
		kept       bool
	}{
		{"proxy", "10.1.2.3:4000", []string{uuid}, true},
		{"stranger", "192.0.2.7:4000", []string{uuid}, false},
		{"two", "10.1.2.3:4000", []string{uuid, uuid}, false},
		{"short", "10.1.2.3:4000", []string{"1234567"}, false},
		{"shortest", "10.1.2.3:4000", []string{"12345678"}, true},
		{"longest", "10.1.2.3:4000", []string{strings.Repeat("a", 64)}, true},
		{"long", "10.1.2.3:4000", []string{strings.Repeat("a", 65)}, false},
		{"line break", "10.1.2.3:4000", []string{"12345678\n{\"level\":\"ERROR\"}"}, false},
		{"escape", "10.1.2.3:4000", []string{"12345678\x1b[31m"}, false},
		{"quote", "10.1.2.3:4000", []string{`12345678"`}, false},
		{"empty", "10.1.2.3:4000", []string{""}, false},
		{"none", "10.1.2.3:4000", nil, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr, r.Header["X-Request-Id"] = x.from, x.sent
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			id := w.Header().Get("X-Request-Id")
			if kept := len(x.sent) > 0 && id == x.sent[0]; kept != x.kept {
				t.Errorf("answered %q to %q", id, x.sent)
			}
			if !x.kept && len(id) != 16 || w.Header().Get("Inside") != id {
				t.Errorf("answered %q, inside %q", id, w.Header().Get("Inside"))
			}
		})
	}
}

// A call within the process belongs to the request that led to it.
func TestIdentifyKeepsIDFromContext(t *testing.T) {
	var outer, inner string
	called := httpx.Identify(nil, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		inner = httpx.RequestID(r.Context())
	}))
	h := httpx.Identify(nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		outer = httpx.RequestID(r.Context())
		called.ServeHTTP(w, r)
	}))
	if id := serve(h, "GET", "/").Header().Get("X-Request-Id"); id != outer || inner != outer || len(id) != 16 {
		t.Errorf("answered %q, outside %q, inside %q", id, outer, inner)
	}
}

func TestEveryLineOfRequestHasItsID(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(httpx.LogRequestID(slog.NewJSONHandler(&out, nil))).With("listener", "test")
	h := httpx.Identify(strings.NewReader("0123456789"), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		log.InfoContext(r.Context(), "plain")
		log.WarnContext(context.WithoutCancel(r.Context()), "afterwards")
		log.InfoContext(r.Context(), "given", "request_id", httpx.RequestID(r.Context()))
		log.Info("outside")
	}))
	serve(h, "GET", "/")
	for line := range strings.Lines(out.String()) {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		want := 1
		if got["msg"] == "outside" {
			want = 0
		}
		if strings.Count(line, `"request_id":"gaytemzugu3doobz"`) != want || strings.Count(line, "request_id") != want || got["listener"] != "test" {
			t.Errorf("got %s", line)
		}
	}
	if n := strings.Count(out.String(), "\n"); n != 4 {
		t.Errorf("%d lines", n)
	}
}

func TestCallPassesRequestID(t *testing.T) {
	var sent []string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("X-Request-Id"))
	}))
	defer s.Close()
	client := &http.Client{Transport: httpx.PassRequestID(http.DefaultTransport)}
	call := func(ctx context.Context) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if r.Header.Get("X-Request-Id") != "" {
			t.Error("the caller's request was changed")
		}
	}
	h := httpx.Identify(strings.NewReader("0123456789"), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { call(r.Context()) }))
	serve(h, "GET", "/")
	call(t.Context())
	if len(sent) != 2 || sent[0] != "gaytemzugu3doobz" || sent[1] != "" {
		t.Errorf("sent %q", sent)
	}
}
