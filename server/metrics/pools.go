package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/formgraph/formgraph/server/store"
)

// pools collects the state of the store's connections when it is asked for.
type pools struct {
	describe func() []store.Pool // nil for no store
}

func poolMetric(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"pool"}, nil)
}

var (
	poolMax   = poolMetric("formgraph_store_connections_max", "Most connections that a pool of the store opens.")
	poolUsed  = poolMetric("formgraph_store_connections_used", "Connections of the store in use.")
	poolIdle  = poolMetric("formgraph_store_connections_idle", "Open connections of the store that are not in use.")
	poolWaits = poolMetric("formgraph_store_connection_waits_total", "Times that work waited for a connection of the store.")
	poolTime  = poolMetric("formgraph_store_connection_wait_seconds_total", "Time that work waited for connections of the store.")
)

// Describe implements prometheus.Collector.
func (p *pools) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{poolMax, poolUsed, poolIdle, poolWaits, poolTime} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (p *pools) Collect(out chan<- prometheus.Metric) {
	if p.describe == nil {
		return
	}
	for _, pool := range p.describe() {
		for _, x := range []struct {
			desc  *prometheus.Desc
			kind  prometheus.ValueType
			value float64
		}{
			{poolMax, prometheus.GaugeValue, float64(pool.Max)},
			{poolUsed, prometheus.GaugeValue, float64(pool.Used)},
			{poolIdle, prometheus.GaugeValue, float64(pool.Idle)},
			{poolWaits, prometheus.CounterValue, float64(pool.Waits)},
			{poolTime, prometheus.CounterValue, pool.Waited.Seconds()},
		} {
			out <- prometheus.MustNewConstMetric(x.desc, x.kind, x.value, pool.Name)
		}
	}
}
