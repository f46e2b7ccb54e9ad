package deploytests

import (
	"encoding/json"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"

	"github.com/formgraph/formgraph/server/metrics"
)

// rules is the format of a rule file: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/
type rules struct {
	Groups []struct {
		Name  string `json:"name"`
		Rules []struct {
			Alert       string            `json:"alert"`
			Expr        string            `json:"expr"`
			For         string            `json:"for"`
			Labels      map[string]string `json:"labels"`
			Annotations map[string]string `json:"annotations"`
		} `json:"rules"`
	} `json:"groups"`
}

func alerts(t *testing.T) rules {
	t.Helper()
	var r rules
	if err := yaml.UnmarshalStrict([]byte(read(t, "prometheus", "alerts.yaml")), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// dashboard is the part of a Grafana dashboard that the tests check.
type dashboard struct {
	Panels []struct {
		ID      int    `json:"id"`
		Title   string `json:"title"`
		Type    string `json:"type"`
		Targets []struct {
			Expr string `json:"expr"`
		} `json:"targets"`
		GridPos struct{ X, Y, W, H int } `json:"gridPos"`
	} `json:"panels"`
	Templating struct {
		List []struct {
			Name string `json:"name"`
		} `json:"list"`
	} `json:"templating"`
}

func panels(t *testing.T) dashboard {
	t.Helper()
	var d dashboard
	if err := json.Unmarshal([]byte(read(t, "grafana", "dashboard.json")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// selected returns the names of the metrics in an expression. The expression must parse.
func selected(t *testing.T, where, expr string) []string {
	t.Helper()
	// Grafana expands its variables before it sends an expression.
	e, err := parser.NewParser(parser.Options{}).ParseExpr(strings.NewReplacer("$__rate_interval", "5m", "$instance", ".*").Replace(expr))
	if err != nil {
		t.Errorf("%s: %v in %s", where, err, expr)
		return nil
	}
	var out []string
	parser.Inspect(e, func(n parser.Node, _ []parser.Node) error {
		if v, ok := n.(*parser.VectorSelector); ok {
			name := v.Name
			for _, m := range v.LabelMatchers {
				if m.Name == labels.MetricName {
					name = m.Value
				}
			}
			out = append(out, name)
		}
		return nil
	})
	return out
}

// base returns the name of the metric that a sample belongs to, without the suffix of a histogram sample.
func base(name string) string {
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

func checkNames(t *testing.T, where, expr string, used map[string]bool) {
	t.Helper()
	known := metrics.New(metrics.Config{}).Names()
	for _, name := range selected(t, where, expr) {
		if name != "up" && !slices.Contains(known, base(name)) { // Prometheus itself generates "up"
			t.Errorf("%s: the server has no metric %s", where, name)
		}
		used[base(name)] = true
	}
}

func TestAlerts(t *testing.T) {
	seen := map[string]bool{}
	page := read(t, "..", "RUNNING.md")
	for _, g := range alerts(t).Groups {
		for _, r := range g.Rules {
			if seen[r.Alert] || !strings.HasPrefix(r.Alert, "Formgraph") {
				t.Errorf("alert %q does not have a unique name", r.Alert)
			}
			seen[r.Alert] = true
			checkNames(t, r.Alert, r.Expr, map[string]bool{})
			if s := r.Labels["severity"]; s != "warning" && s != "critical" {
				t.Errorf("%s has the severity %q", r.Alert, s)
			}
			if r.Annotations["summary"] == "" {
				t.Errorf("%s has no summary", r.Alert)
			}
			if strings.Count(page, "| `"+r.Alert+"` |") != 1 {
				t.Errorf("RUNNING.md does not describe exactly once what to do about %s", r.Alert)
			}
		}
	}
	if n := strings.Count(page, "| `Formgraph"); n != len(seen) {
		t.Errorf("RUNNING.md describes %d alerts, but there are %d", n, len(seen))
	}
}

// The dashboard shows every metric that the server itself defines.
func TestDashboard(t *testing.T) {
	d := panels(t)
	used, ids := map[string]bool{}, map[int]bool{}
	for i, p := range d.Panels {
		if ids[p.ID] || p.Title == "" || p.Type == "" || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("panel %d %q is not placed, or its id is taken", p.ID, p.Title)
		}
		ids[p.ID] = true
		for _, q := range d.Panels[:i] {
			a, b := p.GridPos, q.GridPos
			if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				t.Errorf("panels %q and %q overlap", q.Title, p.Title)
			}
		}
		if (p.Type == "row") != (len(p.Targets) == 0) {
			t.Errorf("panel %q shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			checkNames(t, p.Title, target.Expr, used)
		}
	}
	for _, name := range metrics.New(metrics.Config{}).Names() {
		if strings.HasPrefix(name, "formgraph_") && !used[name] {
			t.Errorf("the dashboard does not show %s", name)
		}
	}
	if len(d.Templating.List) != 2 || d.Templating.List[0].Name != "datasource" || d.Templating.List[1].Name != "instance" {
		t.Errorf("variables: %+v", d.Templating.List)
	}
}

// RUNNING.md names every metric.
func TestRunningNamesMetrics(t *testing.T) {
	page := read(t, "..", "RUNNING.md")
	for _, name := range metrics.New(metrics.Config{}).Names() {
		if strings.HasPrefix(name, "formgraph_") && !strings.Contains(page, "`"+name+"`") {
			t.Errorf("RUNNING.md does not name %s", name)
		}
	}
}

// Prometheus scrapes the metrics listener of each replica in Compose, which the proxy does not expose.
func TestComposeMetrics(t *testing.T) {
	var c struct {
		Rules  []string `json:"rule_files"`
		Scrape []struct {
			Job     string `json:"job_name"`
			Targets []struct {
				Targets []string `json:"targets"`
			} `json:"static_configs"`
		} `json:"scrape_configs"`
	}
	if err := yaml.Unmarshal([]byte(read(t, "prometheus", "prometheus.yaml")), &c); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Rules, []string{"alerts.yaml"}) || c.Scrape[0].Job != "formgraph" {
		t.Errorf("prometheus.yaml has %+v", c)
	}
	p := project(t)
	var want []string
	for _, name := range []string{"formgraph-1", "formgraph-2"} {
		_, port, err := net.SplitHostPort(variables(p.Services[name])["FORMGRAPH_METRICS_LISTEN"])
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, name+":"+port)
		if strings.Contains(read(t, "compose", "Caddyfile"), port) {
			t.Errorf("the proxy forwards to port %s", port)
		}
	}
	if got := c.Scrape[0].Targets[0].Targets; !slices.Equal(got, want) {
		t.Errorf("Prometheus scrapes %v, but the replicas are %v", got, want)
	}
}

// Prometheus finds the pods by their annotations and may connect to the port. No service or ingress exposes it.
func TestKubernetesMetrics(t *testing.T) {
	c := manifests(t)
	notes := c.deployment.Spec.Template.Annotations
	_, port, err := net.SplitHostPort(c.environment(t)["FORMGRAPH_METRICS_LISTEN"])
	if err != nil {
		t.Fatal(err)
	}
	if notes["prometheus.io/scrape"] != "true" || notes["prometheus.io/port"] != port || notes["prometheus.io/path"] != metrics.Path {
		t.Errorf("annotations %v, but the metrics are at %s%s", notes, port, metrics.Path)
	}
	at := slices.IndexFunc(c.container(t).Ports, func(p corev1.ContainerPort) bool { return p.Name == "metrics" })
	if at < 0 || c.port(t, intstr.FromString("metrics")) == 0 {
		t.Fatal("the container has no port metrics")
	}
	for _, s := range c.services {
		for _, p := range s.Spec.Ports {
			if p.TargetPort.StrVal == "metrics" {
				t.Errorf("service %s exposes the metrics", s.Name)
			}
		}
	}
	for i, in := range c.policy.Spec.Ingress {
		for _, p := range in.Ports {
			if (p.Port.StrVal == "metrics") != (i == 1) || len(in.From) == 0 {
				t.Errorf("rule %d lets %v in to %s", i, in.From, p.Port.StrVal)
			}
		}
	}
	if peers := c.policy.Spec.Ingress[1].From; len(peers) != 1 || !monitoring(peers[0]) {
		t.Errorf("the metrics are open to %v", peers)
	}
}

func monitoring(p networkingv1.NetworkPolicyPeer) bool {
	return p.NamespaceSelector != nil && p.NamespaceSelector.MatchLabels["kubernetes.io/metadata.name"] == "monitoring"
}
