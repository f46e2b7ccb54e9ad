package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/formgraph/formgraph/server/observe"
)

// meter measures one kind of work.
type meter struct {
	detail string // the label of the detail; "" for none
	single bool   // there is only one outcome, which is no label

	total    *prometheus.CounterVec
	duration *prometheus.HistogramVec // nil if the work takes no time
	// seconds adds up the durations by detail, where histograms would be too many; else nil.
	seconds *prometheus.CounterVec
	open    prometheus.Gauge // work that has begun and not ended; nil if nobody asks
}

// newMeters returns a meter for each kind of work.
func newMeters() map[observe.Kind]*meter {
	return map[observe.Kind]*meter{
		observe.Save: counting("formgraph_saves_total", "Changes of forms by outcome: saved, conflict, refused, failed (nothing was changed), "+
			"unknown.", "change").timed("formgraph_save_duration_seconds", "Time that the tenant takes to change a form."),
		observe.Token: counting("formgraph_token_requests_total", "Token requests at the embedded tenant by grant type and outcome: issued, "+
			"client_refused, or an error code of OAuth.", "grant"),
		observe.SignIn: counting("formgraph_sign_ins_total", "Ended sign-ins by outcome, at the tenant's pages and at the editor, which "+
			"follows: signed_in, or why not.", "at"),
		observe.Refresh: counting("formgraph_session_refreshes_total", "Renewals of a session's access token by outcome: renewed, revoked, "+
			"failed, lost.", "").timed("formgraph_session_refresh_duration_seconds", "Time that a renewal takes."),
		observe.Call: counting("formgraph_tenant_calls_total", "Requests to a remote tenant by method and outcome: the class of the status, "+
			"429, timeout, unreachable, canceled.", "method").
			timed("formgraph_tenant_call_duration_seconds", "Time until a remote tenant answers."),
		observe.Wait: counting("formgraph_tenant_rate_limit_waits_total", "Waits for the rate limit of a remote tenant: after a 429 "+
			"(answered), or before a call (held).", "reason").
			timed("formgraph_tenant_rate_limit_wait_seconds", "Time that calls wait for the rate limit of a remote tenant."),
		observe.Statement: counting("formgraph_store_statements_total", "Statements of the database by action and outcome: ok, not_found, "+
			"conflict, canceled, failed.", "action").
			summed("formgraph_store_statement_seconds_total", "Time that statements of an action took together.").
			timed("formgraph_store_statement_duration_seconds", "Time that a statement takes, with the wait for a connection."),
		observe.Transaction: counting("formgraph_store_transactions_total", "Transactions of the database by outcome.", "").
			timed("formgraph_store_transaction_duration_seconds", "Time that a transaction takes, with the wait for its turn."),
		observe.Limit: counted("formgraph_rate_limit_refusals_total", "What rate limits and counts of failures have refused, by counter.",
			"counter"),
		observe.Notice: counting("formgraph_logout_notices_total", "Notices of sign-outs to clients by outcome: sent, failed, dropped.", "").
			waiting("formgraph_logout_notices_waiting", "Notices of sign-outs that are waiting or being sent."),
	}
}

// counting returns a meter that counts work by detail and outcome.
func counting(name, help, detail string) *meter {
	m := &meter{detail: detail}
	m.total = prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, append(m.labels(), "outcome"))
	return m
}

// counted returns a meter of work with one outcome.
func counted(name, help, detail string) *meter {
	m := &meter{detail: detail, single: true}
	m.total = prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, m.labels())
	return m
}

// timed adds a histogram of durations, by detail unless they are summed.
func (m *meter) timed(name, help string) *meter {
	labels := m.labels()
	if m.seconds != nil {
		labels = nil
	}
	m.duration = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets()}, labels)
	return m
}

// summed adds the sum of durations by detail.
func (m *meter) summed(name, help string) *meter {
	m.seconds = prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, m.labels())
	return m
}

// waiting adds the number of unfinished works.
func (m *meter) waiting(name, help string) *meter {
	m.open = prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	return m
}

func (m *meter) labels() []string {
	if m.detail == "" {
		return nil
	}
	return []string{m.detail}
}

func (m *meter) collectors() []prometheus.Collector {
	out := []prometheus.Collector{m.total}
	if m.duration != nil {
		out = append(out, m.duration)
	}
	if m.seconds != nil {
		out = append(out, m.seconds)
	}
	if m.open != nil {
		out = append(out, m.open)
	}
	return out
}

// begin measures work that begins now.
func (m *meter) begin(detail string) func(outcome string) {
	began := time.Now()
	if m.open != nil {
		m.open.Inc()
	}
	return func(outcome string) {
		var values []string
		if m.detail != "" {
			values = []string{detail}
		}
		if m.open != nil {
			m.open.Dec()
		}
		took := time.Since(began).Seconds()
		if m.seconds != nil {
			m.seconds.WithLabelValues(values...).Add(took)
		}
		if m.duration != nil {
			at := values
			if m.seconds != nil {
				at = nil
			}
			m.duration.WithLabelValues(at...).Observe(took)
		}
		if !m.single {
			values = append(values, outcome)
		}
		m.total.WithLabelValues(values...).Inc()
	}
}
