package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/config"
)

func TestTrace(t *testing.T) {
	const url = "http://collector:4318/v1/traces"
	for _, x := range []struct {
		name, args string
		env        map[string]string
		endpoint   string
		key        string
		fault      string
	}{
		{"none", "", nil, "", "", ""},
		{"flag", "--trace-endpoint " + url, nil, url, "", ""},
		{"variable", "", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": url}, url, "", ""},
		{"base", "", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318/"}, url, "", ""},
		{"own before base", "", map[string]string{
			"OTEL_EXPORTER_OTLP_ENDPOINT": "http://other:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": url,
		}, url, "", ""},
		{"off", "", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_SDK_DISABLED": "true"}, "", "", ""},
		{"other exporter", "", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": url, "OTEL_TRACES_EXPORTER": "none"}, "", "", ""},
		{"flag before off", "--trace-endpoint " + url, map[string]string{"OTEL_SDK_DISABLED": "true"}, url, "", ""},
		{"headers", "--trace-endpoint " + url, map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "a=1, api-key=x%2Cy"}, url, "x,y", ""},
		{"scheme", "--trace-endpoint collector:4317", nil, "", "", "--trace-endpoint: must be an http or https address"},
		{
			"scheme of base", "",
			map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "grpc://collector:4317"},
			"", "",
			"--trace-endpoint: must be an http or https address (from OTEL_EXPORTER_OTLP_ENDPOINT)",
		},
		{"password", "--trace-endpoint http://a:secret@collector/", nil, "", "", "--trace-endpoint: must not contain a user name or password: " +
			"pass a header with --trace-headers"},
	} {
		t.Run(x.name, func(t *testing.T) {
			in := config.Input{
				Args: strings.Fields(x.args), Lookup: func(n string) (string, bool) { v, ok := x.env[n]; return v, ok },
			}
			c, err := config.Load(in)
			if x.fault != "" {
				if err == nil || err.Error() != x.fault {
					t.Errorf("error %v, want %s", err, x.fault)
				}
				return
			}
			if err != nil || c.Trace.Endpoint != x.endpoint || c.Trace.Headers.Get("Api-Key") != x.key {
				t.Errorf("got %+v, %v", c.Trace, err)
			}
			if c, err = config.LoadTenant(in); err != nil || c.Trace.Endpoint != x.endpoint {
				t.Errorf("tenant: got %+v, %v", c, err)
			}
		})
	}
}

// A malformed header may contain a secret.
func TestTraceHeadersAreSecret(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	_, err := config.Load(config.Input{Args: []string{"--trace-headers", "api-key: sesame"}, Lookup: none})
	if faults := (config.Faults{}); !errors.As(err, &faults) || strings.Contains(err.Error(), "sesame") {
		t.Errorf("error %v", err)
	}
	c, err := config.Load(config.Input{Args: []string{"--trace-headers", "api-key=sesame"}, Lookup: none})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := c.Print(&out); err != nil || strings.Contains(out.String(), "sesame") {
		t.Errorf("printed %s, %v", out.String(), err)
	}
}
