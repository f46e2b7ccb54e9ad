package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/formgraph/formgraph/server/store"
)

// pools collects the state of the store's connection pools on every scrape.
type pools struct {
	describe func() []store.Pool // nil for no store
}

func poolMetric(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"pool"}, nil)
}

var (
	poolMax   = poolMetric("formgraph_store_connections_max", "Maximum number of open connections of a store pool.")
	poolUsed  = poolMetric("formgraph_store_connections_used", "Store connections in use.")
	poolIdle  = poolMetric("formgraph_store_connections_idle", "Open store connections that are not in use.")
	poolWaits = poolMetric("formgraph_store_connection_waits_total", "Number of waits for a store connection.")
	poolTime  = poolMetric("formgraph_store_connection_wait_seconds_total", "Time spent waiting for store connections.")
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
