// Package metrics measures the server for Prometheus. It is the only package that uses the client library: other parts report their work
// through package observe or httpx.Observe. No client can choose the value of a label.
package metrics

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
)

// Path is the only path of the handler.
const Path = "/metrics"

// other is the label value for anything without a name, such as a request that no route serves.
const other = "other"

// buckets returns the upper bounds of duration histograms in seconds, from a database read to the longest call.
func buckets() []float64 {
	return []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
}

// Config configures Metrics.
type Config struct {
	Release, Build string // of the program
	// Pools returns the state of the store's connection pools; nil without a store.
	Pools func() []store.Pool
	// Expiry returns when the certificate of the listeners expires; nil without a certificate.
	Expiry func() time.Time
}

// Metrics holds the metrics of one server. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	meters   map[observe.Kind]*meter

	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	flying    *prometheus.GaugeVec
}

// New returns the metrics of a server.
func New(c Config) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), meters: newMeters()}
	m.requests = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "formgraph_http_requests_total",
		Help: "Requests by listener, route, method and class of the status. The listener in-process stands for the editor's calls to the " +
			"embedded tenant. The status cut means that the response was cut off or the client disconnected before it.",
	}, []string{"listener", "route", "method", "status"})
	m.durations = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "formgraph_http_request_duration_seconds", Help: "Time until the end of the response, by listener and route, without streams.", Buckets: buckets(),
	}, []string{"listener", "route"})
	m.flying = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "formgraph_http_requests_in_flight", Help: "Requests being served, by listener.",
	}, []string{"listener"})
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "formgraph_build_info", Help: "Always 1, labeled with the version of the program.",
	}, []string{"version", "build"})
	build.WithLabelValues(c.Release, c.Build).Set(1)
	m.registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.requests, m.durations, m.flying, build, &pools{c.Pools},
	)
	for _, meter := range m.meters {
		m.registry.MustRegister(meter.collectors()...)
	}
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "formgraph_certificate_expiry_timestamp_seconds",
		Help: "When the certificate of the listeners expires, in seconds since 1970; 0 without a certificate.",
	}, func() float64 {
		if c.Expiry == nil {
			return 0
		}
		return float64(c.Expiry().Unix())
	}))
	return m
}

// Handler serves the metrics at Path, and 404 elsewhere.
func (m *Metrics) Handler() http.Handler {
	metrics := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case r.URL.Path != Path:
			http.Error(w, "the metrics are at "+Path, http.StatusNotFound)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "use GET", http.StatusMethodNotAllowed)
		default:
			metrics.ServeHTTP(w, r)
		}
	})
}

// Requests returns the observer of the requests of a listener.
func (m *Metrics) Requests(listener string) httpx.Observer {
	flying := m.flying.WithLabelValues(listener)
	return func(r *http.Request) (context.Context, func(httpx.Exchange)) {
		began := time.Now()
		flying.Inc()
		return r.Context(), func(x httpx.Exchange) {
			flying.Dec()
			route, status := x.Route, "cut"
			if route == "" {
				route = other
			}
			if x.Status != 0 {
				status = strconv.Itoa(x.Status/100) + "xx"
			}
			m.requests.WithLabelValues(listener, route, x.Method, status).Inc()
			if !x.Stream {
				m.durations.WithLabelValues(listener, route).Observe(time.Since(began).Seconds())
			}
		}
	}
}

// Observe implements observe.Func.
func (m *Metrics) Observe(ctx context.Context, k observe.Kind, detail string) (context.Context, func(outcome string)) {
	meter, ok := m.meters[k]
	if !ok {
		return ctx, func(string) {}
	}
	return ctx, meter.begin(detail)
}

// nameOf matches the name in a metric's description. The library has no accessor for it.
var nameOf = regexp.MustCompile(`fqName: "([^"]+)"`)

// Names returns the names of all metrics of the server, sorted, whether or not they have a value yet. A histogram has the suffixes _bucket,
// _sum and _count.
func (m *Metrics) Names() []string {
	found := make(chan *prometheus.Desc)
	go func() {
		m.registry.Describe(found)
		close(found)
	}()
	var out []string
	for d := range found {
		out = append(out, nameOf.FindStringSubmatch(d.String())[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}
