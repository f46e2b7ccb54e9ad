package config_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/config"
)

func TestMetricsHaveTheirOwnAddress(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	for _, x := range []struct {
		args string
		want string // text of the error; "" for none
	}{
		{"", ""},
		{"--metrics-listen 127.0.0.1:9090", ""},
		{"--metrics-listen 127.0.0.1:0 --listen 127.0.0.1:0", ""},
		{"--metrics-listen 127.0.0.1:8080", "--metrics-listen: must differ from --listen"},
		{"--metrics-listen 127.0.0.1:8081", "--metrics-listen: must differ from --tenant-listen"},
		{"--metrics-listen 127.0.0.1:8082", "--metrics-listen: must differ from --sample-listen"},
		{"--metrics-listen 9090", "--metrics-listen: must be host:port"},
	} {
		got := ""
		if _, err := config.Load(config.Input{Args: strings.Fields(x.args), Lookup: none}); err != nil {
			got = err.Error()
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", x.args, got, x.want)
		}
	}
	if _, err := config.LoadTenant(config.Input{Args: strings.Fields("--metrics-listen 127.0.0.1:8081"), Lookup: none}); err == nil {
		t.Error("the tenant accepts the address of its own listener")
	}
}
