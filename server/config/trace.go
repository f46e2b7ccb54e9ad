package config

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// Trace configures where traces are sent.
type Trace struct {
	Endpoint string      // the URL of the collector; "" disables traces
	Headers  http.Header // sent with every request to Endpoint
}

// tracePath is the path for traces, relative to the base URL of a collector.
const tracePath = "/v1/traces"

// traceOptions lists the trace options. Their variables are those that OpenTelemetry defines for all programs:
// https://opentelemetry.io/docs/specs/otel/protocol/exporter/.
func traceOptions() []Option {
	return []Option{
		{
			Name: "trace-endpoint", Kind: URL, env: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", check: checkTraceEndpoint,
			Help: "URL of the OpenTelemetry collector that receives traces, such as http://localhost:4318/v1/traces (default " +
				"OTEL_EXPORTER_OTLP_ENDPOINT followed by /v1/traces, or no traces)",
		},
		{
			Name: "trace-headers", Kind: Text, Value: "NAME=VALUE,...", Secret: true, env: "OTEL_EXPORTER_OTLP_HEADERS", check: checkTraceHeaders,
			Help: "headers to send to the collector, such as an API key; a comma in a value is written %2C",
		},
	}
}

func checkTraceEndpoint(v string) error {
	u, err := url.Parse(v)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return errors.New("must be an http or https address")
	case u.User != nil:
		return errors.New("must not contain a user name or password: pass a header with --trace-headers")
	case u.Fragment != "":
		return errors.New("must not have a fragment")
	}
	return nil
}

func checkTraceHeaders(v string) error {
	_, err := parseHeaders(v)
	return err
}

// parseHeaders parses headers in the format of W3C Baggage, whose values are percent-encoded. Its errors never quote a value.
func parseHeaders(text string) (http.Header, error) {
	out := http.Header{}
	for pair := range strings.SplitSeq(text, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		name = strings.TrimSpace(name)
		if !ok || err != nil || name == "" || strings.ContainsAny(name, " :\t\r\n") || strings.ContainsAny(value, "\r\n\x00") {
			return nil, errors.New("must be NAME=VALUE, or several separated by commas, with percent-encoded values")
		}
		out.Add(name, value)
	}
	return out, nil
}

// baseVariable names the variable with the base URL of a collector for all kinds of telemetry.
const baseVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"

// trace reads the trace options, which have been checked. The variables OTEL_TRACES_EXPORTER=none and OTEL_SDK_DISABLED=true override other
// variables, but not command-line options.
func (c *Config) trace(in Input) (t Trace, err error) {
	get := func(name string) string { text, _ := in.Lookup(name); return text }
	given := c.values["trace-endpoint"]
	off := strings.EqualFold(get("OTEL_SDK_DISABLED"), "true") || get("OTEL_TRACES_EXPORTER") == "none"
	switch base := strings.TrimRight(get(baseVariable), "/"); {
	case off && given.source != sourceFlag:
		return Trace{}, nil
	case given.text != "":
		t.Endpoint = given.text
	case base != "":
		if err := checkTraceEndpoint(base); err != nil {
			return Trace{}, err
		}
		t.Endpoint = base + tracePath
	default:
		return Trace{}, nil
	}
	t.Headers, _ = parseHeaders(c.values.Text("trace-headers")) // its error has been reported
	return t, nil
}

// fillTrace sets the field Trace.
func (c *Config) fillTrace(in Input) Faults {
	var err error
	if c.Trace, err = c.trace(in); err != nil {
		return Faults{{Option: "trace-endpoint", Source: baseVariable, Detail: err.Error()}}
	}
	return nil
}
