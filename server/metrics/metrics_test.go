package metrics_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/metrics"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
)

// scrape returns the lines that m serves.
func scrape(t *testing.T, m *metrics.Metrics) []string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, metrics.Path, nil))
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("got %d %v", w.Code, w.Header())
	}
	return strings.Split(w.Body.String(), "\n")
}

func TestScrape(t *testing.T) {
	m := metrics.New(metrics.Config{
		Release: "1.2.3", Build: "abc", Expiry: func() time.Time { return time.Unix(1_800_000_000, 0) },
		Pools: func() []store.Pool {
			return []store.Pool{{Name: "all", Max: 8, Used: 3, Idle: 2, Waits: 5, Waited: 2 * time.Second}}
		},
	})
	f := observe.Func(m.Observe)
	for _, x := range []struct {
		kind            observe.Kind
		detail, outcome string
	}{
		{observe.Save, "form_saved", "saved"},
		{observe.Save, "form_saved", "saved"},
		{observe.Save, "form_saved", "conflict"},
		{observe.Token, "refresh_token", "invalid_grant"},
		{observe.SignIn, "tenant", "signed_in"},
		{observe.Refresh, "", "renewed"},
		{observe.Call, "GET", "429"},
		{observe.Wait, "held", "waited"},
		{observe.Statement, "get form", "ok"},
		{observe.Transaction, "", "failed"},
		{observe.Limit, "login", "refused"},
		{observe.Notice, "", "dropped"},
		{observe.Stream, "", "left"},
		{observe.Event, "saved", "sent"},
		{observe.Version, "saved", "recorded"},
		{"unknown kind", "a", "b"},
	} {
		f.Count(t.Context(), x.kind, x.detail, x.outcome)
	}
	_, _ = f.Begin(t.Context(), observe.Notice, "")
	h := httpx.Observe(m.Requests("editor"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/secret-id" {
			httpx.SetRoute(r, "/forms/{id}")
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/forms/secret-id", nil))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/secret-id", nil))
	lines := scrape(t, m)
	for _, want := range []string{
		`formgraph_saves_total{change="form_saved",outcome="saved"} 2`,
		`formgraph_saves_total{change="form_saved",outcome="conflict"} 1`,
		`formgraph_save_duration_seconds_count{change="form_saved"} 3`,
		`formgraph_token_requests_total{grant="refresh_token",outcome="invalid_grant"} 1`,
		`formgraph_sign_ins_total{at="tenant",outcome="signed_in"} 1`,
		`formgraph_session_refreshes_total{outcome="renewed"} 1`,
		`formgraph_session_refresh_duration_seconds_count 1`,
		`formgraph_tenant_calls_total{method="GET",outcome="429"} 1`,
		`formgraph_tenant_call_duration_seconds_count{method="GET"} 1`,
		`formgraph_tenant_rate_limit_waits_total{outcome="waited",reason="held"} 1`,
		`formgraph_tenant_rate_limit_wait_seconds_count{reason="held"} 1`,
		`formgraph_store_statements_total{action="get form",outcome="ok"} 1`,
		`formgraph_store_statement_duration_seconds_count 1`,
		`formgraph_store_transactions_total{outcome="failed"} 1`,
		`formgraph_store_transaction_duration_seconds_count 1`,
		`formgraph_rate_limit_refusals_total{counter="login"} 1`,
		`formgraph_logout_notices_total{outcome="dropped"} 1`,
		`formgraph_logout_notices_waiting 1`,
		`formgraph_event_streams_total{outcome="left"} 1`,
		`formgraph_event_streams_open 0`,
		`formgraph_events_total{kind="saved",outcome="sent"} 1`,
		`formgraph_versions_total{kind="saved",outcome="recorded"} 1`,
		`formgraph_http_requests_total{listener="editor",method="GET",route="/forms/{id}",status="4xx"} 1`,
		`formgraph_http_requests_total{listener="editor",method="GET",route="other",status="4xx"} 1`,
		`formgraph_http_request_duration_seconds_count{listener="editor",route="/forms/{id}"} 1`,
		`formgraph_http_requests_in_flight{listener="editor"} 0`,
		`formgraph_build_info{build="abc",version="1.2.3"} 1`,
		`formgraph_certificate_expiry_timestamp_seconds 1.8e+09`,
		`formgraph_store_connections_max{pool="all"} 8`,
		`formgraph_store_connections_used{pool="all"} 3`,
		`formgraph_store_connections_idle{pool="all"} 2`,
		`formgraph_store_connection_waits_total{pool="all"} 5`,
		`formgraph_store_connection_wait_seconds_total{pool="all"} 2`,
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	all := strings.Join(lines, "\n")
	if strings.Contains(all, "secret-id") {
		t.Error("a path is a label")
	}
	for _, prefix := range []string{"go_goroutines ", "process_start_time_seconds "} {
		if !strings.Contains(all, "\n"+prefix) {
			t.Errorf("the metrics lack %s", prefix)
		}
	}
}

// A request whose answer is cut off counts too.
func TestCutAnswer(t *testing.T) {
	m := metrics.New(metrics.Config{})
	h := httpx.Observe(m.Requests("tenant"), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	func() {
		defer func() { _ = recover() }()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/", nil))
	}()
	if !slices.Contains(scrape(t, m), `formgraph_http_requests_total{listener="tenant",method="POST",route="other",status="cut"} 1`) {
		t.Error("the request is not counted")
	}
}

func TestOnlyMetricsAreServed(t *testing.T) {
	h := metrics.New(metrics.Config{}).Handler()
	for request, want := range map[string]int{
		"GET /metrics": 200, "HEAD /metrics": 200, "POST /metrics": 405, "GET /": 404, "GET /debug/pprof/": 404, "GET /metrics/": 404,
	} {
		method, path, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", request, w.Code, want)
		}
	}
}

func TestNames(t *testing.T) {
	names := metrics.New(metrics.Config{}).Names()
	for _, want := range []string{"formgraph_saves_total", "formgraph_store_connections_used", "formgraph_http_requests_in_flight"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not in %v", want, names)
		}
	}
	if !slices.IsSorted(names) {
		t.Error("the names are not sorted")
	}
}

// A stream is counted when it ends, and its duration is not measured: it would hide those of the other requests.
func TestStreamsHaveNoDuration(t *testing.T) {
	m := metrics.New(metrics.Config{})
	h := httpx.Observe(m.Requests("editor"), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		httpx.SetRoute(r, "/stream")
		httpx.SetStream(r)
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	text := strings.Join(scrape(t, m), "\n")
	if !strings.Contains(text, `formgraph_http_requests_total{listener="editor",method="GET",route="/stream",status="2xx"} 1`) ||
		strings.Contains(text, `formgraph_http_request_duration_seconds_count{listener="editor",route="/stream"}`) {
		t.Errorf("the stream is not counted, or its duration is measured:\n%s", text)
	}
}
