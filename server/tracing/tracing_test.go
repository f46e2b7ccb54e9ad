package tracing_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/tracing"
)

// collector stores the spans that it receives.
type collector struct {
	mu     sync.Mutex
	status int
	header http.Header
	all    []byte
	spans  []*tracepb.Span
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	c.mu.Lock()
	defer c.mu.Unlock()
	var data tracepb.TracesData
	if err != nil || proto.Unmarshal(body, &data) != nil || r.URL.Path != "/v1/traces" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.header, c.all = r.Header, append(c.all, body...)
	for _, rs := range data.GetResourceSpans() {
		for _, ss := range rs.GetScopeSpans() {
			c.spans = append(c.spans, ss.GetSpans()...)
		}
	}
	w.WriteHeader(c.status)
}

// span returns the span with a name.
func (c *collector) span(t *testing.T, name string) *tracepb.Span {
	t.Helper()
	i := slices.IndexFunc(c.spans, func(s *tracepb.Span) bool { return s.GetName() == name })
	if i < 0 {
		t.Fatalf("there is no span %q in %v", name, c.spans)
	}
	return c.spans[i]
}

func newTracer(t *testing.T, status int) (*tracing.Tracer, *collector, *bytes.Buffer) {
	t.Helper()
	c, log := &collector{status: status}, &bytes.Buffer{}
	s := httptest.NewServer(c)
	t.Cleanup(s.Close)
	tr, err := tracing.New(t.Context(), tracing.Config{
		Endpoint: s.URL + "/v1/traces", Headers: http.Header{"Api-Key": {"k"}}, Release: "1.2.3", Transport: http.DefaultTransport,
		Log: slog.New(slog.NewJSONHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return tr, c, log
}

const (
	traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
	parent  = "00-" + traceID + "-00f067aa0ba902b7-01"
)

func TestSpans(t *testing.T) {
	tr, c, _ := newTracer(t, http.StatusOK)
	proxies, err := clientip.ParseProxies("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	f := observe.Func(tr.Observe)
	inner := httpx.Observe(tr.Requests(tracing.InProcess), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		httpx.SetRoute(r, "/api/v2/forms/{id}")
		f.Count(r.Context(), observe.Transaction, "", "failed")
		f.Count(r.Context(), observe.Statement, "get form", "ok")
	}))
	h := clientip.Locate(proxies, httpx.Identify(nil, httpx.Observe(tr.Requests("editor"), http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			httpx.SetRoute(r, "/forms/{id}")
			ctx, end := f.Begin(r.Context(), observe.Save, "form_saved")
			inner.ServeHTTP(w, r.WithContext(ctx))
			end("conflict")
		}))))
	send := func(from, path string) string {
		r := httptest.NewRequest(http.MethodPatch, path, strings.NewReader("secret content"))
		r.RemoteAddr = from
		r.Header.Set("Traceparent", parent)
		r.Header.Set("Authorization", "Bearer secret-token")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Header().Get("X-Request-Id")
	}
	id := send("10.1.2.3:4000", "/forms/secret-id?secret=query")
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	editor, save := c.span(t, "PATCH /forms/{id}"), c.span(t, "change form")
	tenant, tx := c.span(t, "PATCH /api/v2/forms/{id}"), c.span(t, "store transaction")
	if got := editor.GetTraceId(); !strings.EqualFold(hexOf(got), traceID) {
		t.Errorf("the trace of the proxy became %x", got)
	}
	for child, of := range map[*tracepb.Span]*tracepb.Span{save: editor, tenant: save, tx: tenant} {
		if !bytes.Equal(child.GetParentSpanId(), of.GetSpanId()) {
			t.Errorf("%s is not below %s", child.GetName(), of.GetName())
		}
	}
	if len(c.spans) != 4 || tx.GetStatus().GetCode() != tracepb.Status_STATUS_CODE_ERROR ||
		save.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR {
		t.Errorf("spans: %v", c.spans)
	}
	if c.header.Get("Api-Key") != "k" || c.header.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("posted with %v", c.header)
	}
	if !bytes.Contains(c.all, []byte(id)) || !bytes.Contains(c.all, []byte("1.2.3")) {
		t.Error("the ID of the request or the version is missing")
	}
	if bytes.Contains(c.all, []byte("secret")) || bytes.Contains(c.all, []byte("10.1.2.3")) {
		t.Errorf("a span contains a secret or an address: %q", c.all)
	}
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	var s strings.Builder
	for _, x := range b {
		s.WriteByte(digits[x>>4])
		s.WriteByte(digits[x&15])
	}
	return s.String()
}

// An untrusted client cannot join a trace or force sampling.
func TestUntrustedClientsStartNewTraces(t *testing.T) {
	tr, c, _ := newTracer(t, http.StatusOK)
	h := clientip.Locate(nil, httpx.Observe(tr.Requests("editor"), http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Traceparent", parent)
	h.ServeHTTP(httptest.NewRecorder(), r)
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := c.span(t, "GET"); hexOf(s.GetTraceId()) == traceID || len(s.GetParentSpanId()) != 0 {
		t.Errorf("the span belongs to trace %x", s.GetTraceId())
	}
}

// A failing collector causes one log line and nothing else.
func TestCollectorFails(t *testing.T) {
	tr, _, log := newTracer(t, http.StatusServiceUnavailable)
	f := observe.Func(tr.Observe)
	f.Count(context.Background(), observe.Refresh, "", "renewed")
	if err := tr.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "status 503") {
		t.Errorf("logged %s", got)
	}
}
