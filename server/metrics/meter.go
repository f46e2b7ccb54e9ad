package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/formgraph/formgraph/server/observe"
)

// meter measures one kind of work.
type meter struct {
	detail string // the name of the detail's label; "" for none
	single bool   // there is only one outcome, so there is no label for it

	total    *prometheus.CounterVec
	duration *prometheus.HistogramVec // nil if durations are not measured
	// seconds is the sum of the durations by detail, if a histogram for each detail would be too many; otherwise nil.
	seconds *prometheus.CounterVec
	open    prometheus.Gauge // unfinished work; nil if not measured
}

// newMeters returns a meter for each kind of work.
func newMeters() map[observe.Kind]*meter {
	return map[observe.Kind]*meter{
		observe.Save: counting("formgraph_saves_total", "Changes to forms by outcome: saved, conflict, refused, failed (nothing was changed), "+
			"unknown.", "change").timed("formgraph_save_duration_seconds", "Duration of changes to a form by the tenant."),
		observe.Token: counting("formgraph_token_requests_total", "Token requests at the embedded tenant by grant type and outcome: issued, "+
			"client_refused, or an OAuth error code.", "grant"),
		observe.SignIn: counting("formgraph_sign_ins_total", "Completed sign-ins by outcome, at the tenant's pages and then at the "+
			"editor: signed_in, or the reason for the failure.", "at"),
		observe.Refresh: counting("formgraph_session_refreshes_total", "Renewals of a session's access token by outcome: renewed, revoked, "+
			"failed, lost.", "").timed("formgraph_session_refresh_duration_seconds", "Duration of renewals."),
		observe.Call: counting("formgraph_tenant_calls_total", "Requests to a remote tenant by method and outcome: the class of the status, "+
			"429, timeout, unreachable, canceled.", "method").
			timed("formgraph_tenant_call_duration_seconds", "Time until a remote tenant responds."),
		observe.Wait: counting("formgraph_tenant_rate_limit_waits_total", "Waits for the rate limit of a remote tenant: after a 429 "+
			"(answered), or before a call (held).", "reason").
			timed("formgraph_tenant_rate_limit_wait_seconds", "Time spent waiting for the rate limit of a remote tenant."),
		observe.Statement: counting("formgraph_store_statements_total", "Database statements by action and outcome: ok, not_found, "+
			"conflict, canceled, failed.", "action").
			summed("formgraph_store_statement_seconds_total", "Total duration of the statements of an action.").
			timed("formgraph_store_statement_duration_seconds", "Duration of statements, including the wait for a connection."),
		observe.Transaction: counting("formgraph_store_transactions_total", "Database transactions by outcome.", "").
			timed("formgraph_store_transaction_duration_seconds", "Duration of transactions, including the wait for their turn."),
		observe.Limit: counted("formgraph_rate_limit_refusals_total", "Requests refused by rate limits and failure limits, by counter.",
			"counter"),
		observe.Notice: counting("formgraph_logout_notices_total", "Sign-out notices to clients by outcome: sent, failed, dropped.", "").
			waiting("formgraph_logout_notices_waiting", "Sign-out notices that are waiting or being sent."),
		observe.Stream: counting("formgraph_event_streams_total", "Streams of events that have ended, by outcome: left (by the browser), cut "+
			"(the browser does not read), asked (for its first events alone), missed (it reads too slowly), session_ended, rights_ended, "+
			"form_deleted, shutdown.", "").
			waiting("formgraph_event_streams_open", "Open streams of events."),
		observe.Event: counting("formgraph_events_total", "Events for open editors by kind and outcome: published, failed, refused (for good) or dropped "+
			"(too many were waiting), and sent for each stream.", "kind"),
		observe.Version: counting("formgraph_versions_total", "What the versions of forms were told, by kind (saved, seen, deleted) and outcome: "+
			"recorded, failed or dropped (too much was waiting).", "kind"),
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

// waiting adds a gauge of unfinished work.
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

// begin starts measuring work. The result must be called with the outcome when the work ends.
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
