package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/foreigntest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// metricsAddress matches the log line with the address of the metrics.
var metricsAddress = regexp.MustCompile(`"msg":"metrics","address":"([^"]+)"`)

// samples are the values of a scrape, keyed by metric and labels in the Prometheus text format.
type samples map[string]float64

// scrape returns the metrics of a server.
func (r *running) scrape() samples {
	r.t.Helper()
	found := metricsAddress.FindStringSubmatch(r.log.String())
	if found == nil {
		r.t.Fatalf("the log does not contain the address of the metrics:\n%s", r.log)
	}
	status, _, body := r.person().send(http.MethodGet, "http://"+found[1]+"/metrics", "")
	if status != http.StatusOK {
		r.t.Fatalf("metrics: %d %s", status, body)
	}
	out := samples{}
	for line := range strings.Lines(body) {
		if i := strings.LastIndexByte(line, ' '); i > 0 && line[0] != '#' {
			n, err := strconv.ParseFloat(strings.TrimSpace(line[i+1:]), 64)
			if err != nil {
				r.t.Fatal(err)
			}
			out[line[:i]] = n
		}
	}
	return out
}

func (s samples) want(t *testing.T, values map[string]float64) {
	t.Helper()
	for name, want := range values {
		if got, ok := s[name]; !ok || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

func TestMetricsCountWhatHappens(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { countRun(t, "read") })
	t.Run("PostgreSQL", func(t *testing.T) { countRun(t, "all", "--database", postgrestest.URL(t)) })
}

// countRun signs in, changes forms with every outcome, signs out and checks the metrics.
func countRun(t *testing.T, pool string, args ...string) {
	t.Helper()
	r := start(t, newData(t), append(args, "--metrics-listen", "127.0.0.1:0")...)
	f, p := r.first(), r.person()
	_, _, page := p.send(http.MethodGet, r.at.Editor+"/bff/login", "", "Accept", "text/html")
	p.submit(page, f.Admin.Email, "a wrong password")
	p.signIn(f.Admin.Email, f.Admin.Password)
	_, _, body := p.app(http.MethodPost, "/bff/api/forms", `{"name":"A"}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil {
		t.Fatal(err)
	}
	path := "/bff/api/forms/" + made.ID
	_, h, _ := p.app(http.MethodGet, path, "")
	p.app(http.MethodPatch, path, `{"name":"B"}`, "If-Match", h.Get("ETag"))
	p.app(http.MethodPatch, path, `{"name":"C"}`, "If-Match", h.Get("ETag"))
	p.app(http.MethodPatch, path, `{"name":""}`)
	p.app(http.MethodDelete, path, "")
	p.send(http.MethodPost, r.at.Tenant+"/oauth/token", "grant_type=client_credentials&client_id=nobody", "Content-Type",
		"application/x-www-form-urlencoded")
	if status, _, _ := p.send(http.MethodGet, r.at.Sample+"/api/public", ""); status != http.StatusOK {
		t.Errorf("sample: %d", status)
	}
	if status, _, body := p.app(http.MethodPost, "/bff/logout", ""); status != http.StatusOK && status != http.StatusNoContent {
		t.Errorf("sign-out: %d %s", status, body)
	}
	var got samples
	used := `formgraph_store_connections_used{pool="` + pool + `"}`
	waittest.Until(t, "the audit log is stored", func() bool { // which happens beside the calls
		got = r.scrape()
		return got[used] == 0
	})
	const forms = `route="/bff/api/forms/{id}"`
	got.want(t, map[string]float64{
		`formgraph_saves_total{change="form_created",outcome="saved"}`:                                                    1,
		`formgraph_saves_total{change="form_saved",outcome="saved"}`:                                                      1,
		`formgraph_saves_total{change="form_saved",outcome="conflict"}`:                                                   1,
		`formgraph_saves_total{change="form_saved",outcome="refused"}`:                                                    1,
		`formgraph_saves_total{change="form_deleted",outcome="saved"}`:                                                    1,
		`formgraph_save_duration_seconds_count{change="form_saved"}`:                                                      3,
		`formgraph_sign_ins_total{at="tenant",outcome="wrong_password"}`:                                                  1,
		`formgraph_sign_ins_total{at="tenant",outcome="signed_in"}`:                                                       1,
		`formgraph_sign_ins_total{at="editor",outcome="signed_in"}`:                                                       1,
		`formgraph_token_requests_total{grant="authorization_code",outcome="issued"}`:                                     1,
		`formgraph_token_requests_total{grant="other",outcome="client_refused"}`:                                          1,
		`formgraph_http_requests_total{listener="editor",method="PATCH",` + forms + `,status="2xx"}`:                      1,
		`formgraph_http_requests_total{listener="editor",method="PATCH",` + forms + `,status="4xx"}`:                      2,
		`formgraph_http_request_duration_seconds_count{listener="editor",` + forms + `}`:                                  5,
		`formgraph_http_requests_total{listener="in-process",method="DELETE",route="/api/v2/forms/{id...}",status="2xx"}`: 1,
		`formgraph_http_requests_total{listener="tenant",method="POST",route="/authorize/password",status="3xx"}`:         1,
		`formgraph_http_requests_total{listener="tenant",method="POST",route="/oauth/token",status="4xx"}`:                1,
		`formgraph_http_requests_total{listener="sample",method="GET",route="/api/public",status="2xx"}`:                  1,
		`formgraph_http_requests_in_flight{listener="editor"}`:                                                            0,
		`formgraph_store_statements_total{action="create form",outcome="ok"}`:                                             4, // three examples
		used: 0,
		`formgraph_certificate_expiry_timestamp_seconds`: 0,
	})
	for name := range got {
		if strings.Contains(name, made.ID) || strings.Contains(name, f.Admin.Email) {
			t.Errorf("%s has a label chosen by a client", name)
		}
	}
	for _, name := range []string{"go_goroutines", "process_cpu_seconds_total", "formgraph_store_transaction_duration_seconds_count"} {
		if got[name] == 0 {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestMetricsCountCallsToRemoteTenant(t *testing.T) {
	tenant := foreigntest.Start(t, foreigntest.Traits{}, foreigntest.Person{Subject: "s1", Email: "ana@team.example", Verified: true})
	r := atForeign(t, newData(t), tenant, false, "--metrics-listen", "127.0.0.1:0")
	p := r.person()
	p.enter()
	before := r.scrape()
	p.workOn("A")
	after := r.scrape()
	for _, method := range []string{"POST", "PATCH", "DELETE"} {
		name := `formgraph_tenant_calls_total{method="` + method + `",outcome="2xx"}`
		if after[name]-before[name] != 1 {
			t.Errorf("%s has grown by %v", name, after[name]-before[name])
		}
	}
}

// The public listeners never serve metrics or profiles, with or without the option.
func TestPublicListenersServeNoMetrics(t *testing.T) {
	for _, more := range [][]string{nil, {"--metrics-listen", "127.0.0.1:0"}} {
		r := start(t, newData(t), more...)
		for _, at := range []string{r.at.Editor, r.at.Tenant} {
			for _, path := range []string{"/metrics", "/metrics/", "/debug/pprof/", "/debug/pprof/heap", "/debug/vars"} {
				if status, _, _ := r.person().send(http.MethodGet, at+path, ""); status != http.StatusNotFound {
					t.Errorf("%s%s: status %d", at, path, status)
				}
			}
		}
		if _, _, body := r.person().send(http.MethodGet, r.at.Sample+"/metrics", ""); strings.Contains(body, "formgraph_") {
			t.Errorf("the sample API serves metrics: %s", body)
		}
		if off := !strings.Contains(r.log.String(), `"msg":"metrics"`); off != (len(more) == 0) {
			t.Errorf("with %v the metrics are off: %v", more, off)
		}
	}
}

func TestMetricsBeyondLoopbackWarn(t *testing.T) {
	const warning = "other machines can read the metrics"
	r := start(t, newData(t), "--metrics-listen", "0.0.0.0:0")
	if !strings.Contains(r.log.String(), warning) {
		t.Errorf("no warning:\n%s", r.log)
	}
	r = start(t, newData(t), "--metrics-listen", "127.0.0.1:0")
	if strings.Contains(r.log.String(), warning) {
		t.Errorf("a warning for loopback:\n%s", r.log)
	}
}

// A trace follows a save from the browser to the database, and no trace context reaches a remote tenant.
func TestTraces(t *testing.T) {
	var mu sync.Mutex
	var sent []byte
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if sent = append(sent, body...); err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("%s: %v", r.URL, err)
		}
	}))
	defer collector.Close()
	traced := func(r *running) string {
		if code := r.stop(); code != exitOK { // which sends the last spans
			t.Errorf("ended with %d\n%s", code, r.log)
		}
		mu.Lock()
		defer mu.Unlock()
		defer func() { sent = nil }()
		return string(sent)
	}
	r := start(t, newData(t), "--trace-endpoint", collector.URL+"/v1/traces")
	f, p := r.first(), r.person()
	p.signIn(f.Admin.Email, f.Admin.Password)
	p.app(http.MethodPost, "/bff/api/forms", `{"name":"A form of Ana"}`)
	got := traced(r)
	for _, want := range []string{"POST /bff/api/forms", "change form", "form_created", "POST /api/v2/forms", "store transaction"} {
		if !strings.Contains(got, want) {
			t.Errorf("no span contains %q", want)
		}
	}
	for _, secret := range []string{f.Admin.Email, "A form of Ana", "127.0.0.1", "code=", "Bearer"} {
		if strings.Contains(got, secret) {
			t.Errorf("a span contains %q", secret)
		}
	}

	tenant := foreigntest.Start(t, foreigntest.Traits{})
	r = atForeign(t, newData(t), tenant, false, "--trace-endpoint", collector.URL+"/v1/traces")
	p = r.person()
	p.enter()
	p.workOn("B")
	if got := traced(r); !strings.Contains(got, "call tenant") || strings.Contains(got, "ana@team.example") {
		t.Errorf("the spans are %q", got)
	}
	for _, name := range tenant.Headers() {
		if name == "Traceparent" || name == "Tracestate" || name == "Baggage" {
			t.Errorf("the tenant got the header %s", name)
		}
	}
	if !slices.Contains(tenant.Headers(), "X-Request-Id") {
		t.Errorf("the tenant got only %v", tenant.Headers())
	}
}

func TestTenantAloneServesMetrics(t *testing.T) {
	r := &running{t: t, log: &safeBuffer{}}
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, process{stdout: in, stderr: r.log, lookup: noEnv}, []string{
			"tenant", "--data", filepath.Join(t.TempDir(), "data"), "--tenant-listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--print-ready",
		})
		_ = in.Close()
	}()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("no ready line: %v\n%s", err, r.log)
	}
	if got := r.scrape(); got[`formgraph_store_statements_total{action="create client",outcome="ok"}`] == 0 {
		t.Errorf("the first start is not counted: %v", got)
	}
	stop()
	if got := <-code; got != exitOK {
		t.Errorf("ended with %d\n%s", got, r.log)
	}
}
