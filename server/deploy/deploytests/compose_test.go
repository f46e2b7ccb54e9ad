package deploytests

import (
	"maps"
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// project loads compose.yaml as Compose does: unknown fields are errors.
func project(t *testing.T, env ...string) *types.Project {
	t.Helper()
	o, err := cli.NewProjectOptions([]string{filepath.Join("..", "compose", "compose.yaml")}, cli.WithEnv(env))
	if err != nil {
		t.Fatal(err)
	}
	p, err := o.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// variables returns the environment of a service.
func variables(s types.ServiceConfig) settings {
	out := settings{}
	for k, v := range s.Environment {
		if v != nil {
			out[k] = *v
		}
	}
	return out
}

// imageVariables returns the environment that the image sets.
func imageVariables(t *testing.T) settings {
	t.Helper()
	out := settings{}
	for _, m := range regexp.MustCompile(`(FORMGRAPH_[A-Z_]+)=(\S+)`).FindAllStringSubmatch(read(t, "..", "..", "Dockerfile"), -1) {
		out[m[1]] = m[2]
	}
	return out
}

func TestComposeServices(t *testing.T) {
	p := project(t)
	for name, s := range p.Services {
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.Privileged {
			t.Errorf("%s is not confined", name)
		}
		if s.Restart == "" || s.HealthCheck == nil || s.Deploy.Resources.Limits == nil || s.Deploy.Resources.Limits.MemoryBytes == 0 {
			t.Errorf("%s has no restart policy, health check or limits", name)
		}
		if s.Build == nil && !pinned(s.Image) {
			t.Errorf("%s: image %s has no exact version", name, s.Image)
		}
		if len(s.Ports) > 0 && name != "proxy" {
			t.Errorf("%s publishes ports", name)
		}
		for on, d := range s.DependsOn {
			if d.Condition != types.ServiceConditionHealthy {
				t.Errorf("%s waits for %s until it is %s", name, on, d.Condition)
			}
		}
	}
	for _, port := range p.Services["proxy"].Ports {
		if port.HostIP != "127.0.0.1" {
			t.Errorf("port %s is open to other machines by default", port.Published)
		}
	}
}

func TestComposeReplicas(t *testing.T) {
	p := project(t)
	const address = "postgres://formgraph:secret@postgres:5432/formgraph?sslmode=disable"
	data := map[string]string{}
	for _, name := range []string{"formgraph-1", "formgraph-2"} {
		s := p.Services[name]
		env := imageVariables(t)
		maps.Copy(env, variables(s))
		secrets := map[string]string{}
		for _, secret := range s.Secrets {
			secrets["/run/secrets/"+secret.Source] = address
		}
		cfg := env.check(t, secrets)
		if cfg.Database != address {
			t.Errorf("%s uses the database %q", name, cfg.Database)
		}
		var front netip.Prefix
		for _, pool := range p.Networks["front"].Ipam.Config {
			front = netip.MustParsePrefix(pool.Subnet)
			if netip.MustParsePrefix(pool.IPRange).Contains(cfg.TrustedProxies[0].Addr()) {
				t.Error("a replica could get the proxy's address")
			}
		}
		at := p.Services["proxy"].Networks["front"].Ipv4Address
		proxy := netip.MustParseAddr(at)
		if !slices.Equal(cfg.TrustedProxies, []netip.Prefix{netip.PrefixFrom(proxy, 32)}) || !front.Contains(proxy) {
			t.Errorf("%s trusts %v, and the proxy has %s", name, cfg.TrustedProxies, at)
		}
		leave, err := time.ParseDuration(*s.Environment["FORMGRAPH_DRAIN_SECONDS"] + "s")
		if err != nil || s.StopGracePeriod == nil || time.Duration(*s.StopGracePeriod) <= leave+drain {
			t.Errorf("%s is killed after %v, and drains for %v and %v (%v)", name, s.StopGracePeriod, leave, drain, err)
		}
		if s.User != "65532:65532" {
			t.Errorf("%s runs as %s", name, s.User)
		}
		for _, v := range s.Volumes {
			data[name+v.Target] = v.Source
		}
		if data[name+cfg.Data] == "" || data[name+filepath.Dir(cfg.Keys)] == "" {
			t.Errorf("%s: %s or %s is not a volume", name, cfg.Data, cfg.Keys)
		}
	}
	if data["formgraph-1/keys"] != data["formgraph-2/keys"] || data["formgraph-1/data"] == data["formgraph-2/data"] {
		t.Errorf("replicas share the keys and nothing else, have %v", data)
	}
	if _, ok := p.Services["formgraph-2"].DependsOn["formgraph-1"]; !ok {
		t.Error("both replicas could do the first start")
	}
}

// A domain of one's own reaches every place that names it.
func TestComposeOwnDomain(t *testing.T) {
	p := project(t, "EDITOR_HOST=forms.example.com", "TENANT_HOST=login.example.com", "SAMPLE_HOST=api.example.com", "BIND=0.0.0.0")
	replica, proxy := variables(p.Services["formgraph-2"]), variables(p.Services["proxy"])
	file := read(t, "compose", "Caddyfile")
	for name, url := range map[string]string{
		"EDITOR_HOST": "FORMGRAPH_PUBLIC_URL", "TENANT_HOST": "FORMGRAPH_TENANT_URL", "SAMPLE_HOST": "FORMGRAPH_SAMPLE_URL",
	} {
		if !strings.HasSuffix(proxy[name], ".example.com") || replica[url] != "https://"+proxy[name] {
			t.Errorf("%s is %s, and %s is %s", name, proxy[name], url, replica[url])
		}
		if !strings.Contains(file, "\n{$"+name+"} {\n") {
			t.Errorf("the Caddyfile has no site %s", name)
		}
	}
	if p.Services["proxy"].Ports[0].HostIP != "0.0.0.0" {
		t.Error("BIND has no effect")
	}
}

// The proxy sends requests to each listener of both replicas, with the limits of the server and a margin.
func TestComposeProxy(t *testing.T) {
	file := read(t, "compose", "Caddyfile")
	image := imageVariables(t)
	for site, listen := range map[string]string{"EDITOR": "LISTEN", "TENANT": "TENANT_LISTEN", "SAMPLE": "SAMPLE_LISTEN"} {
		port := strings.TrimPrefix(image["FORMGRAPH_"+listen], ":")
		if port == "" || !strings.Contains(file, "{$"+site+"_HOST} {\n\timport formgraph "+port+" /") {
			t.Errorf("{$%s_HOST} does not lead to port %s", site, port)
		}
	}
	for _, want := range []string{
		"reverse_proxy formgraph-1:{args[0]} formgraph-2:{args[0]} {", "header_up -Forwarded", "max_size 5MiB", "response_header_timeout 70s",
		"flush_interval -1", // events arrive at once
	} {
		if !strings.Contains(file, want) {
			t.Errorf("the Caddyfile does not contain %q", want)
		}
	}
	if strings.Contains(file, "\t\t\twrite ") {
		t.Error("a limit for writing would end streams of events")
	}
	if strings.Contains(file, "lb_retry_match") {
		t.Error("lb_retry_match would send other requests than GET again")
	}
}
