package config

import (
	"errors"
	"io"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Proofs says how the sample API takes sender-constrained tokens. Spec, section Protected sample API,
// configuration.
type Proofs struct {
	Mode         string        // DISABLED, ALLOWED or REQUIRED
	Past, Future time.Duration // how far iat may lie before and after now
}

// Sample is the checked configuration of `formgraph sample`.
type Sample struct {
	Listen   string // host:port; port 0 takes a free one
	URL      string // without a trailing slash; "" means http and the address of the listener
	Domain   string // of the tenant, without a scheme
	Audience string
	Proofs   Proofs
	LogLevel slog.Level
	// PrintReady says that one JSON line tells the address.
	PrintReady bool
}

func sampleListen() Option {
	return Option{Name: "sample-listen", Kind: Address, Default: "127.0.0.1:8082", Help: "address of the sample API; port 0 takes a free one", check: checkAddress}
}

func sampleURL() Option {
	return Option{Name: "sample-url", Kind: URL, Help: "address of the sample API as clients see it, which proofs must name (default localhost and its port)", check: checkOrigin}
}

func dpopMode() Option {
	return Option{Name: "dpop-mode", Kind: Choice, Default: "ALLOWED", Choices: []string{"DISABLED", "ALLOWED", "REQUIRED"}, Help: "sample API: whether tokens may or must be bound to a key of their sender"}
}

func dpopOffset() Option {
	return Option{Name: "dpop-iat-offset-seconds", Kind: Text, Default: "300", Help: "sample API: how old a proof may be", check: checkSeconds}
}

func dpopLeeway() Option {
	return Option{Name: "dpop-iat-leeway-seconds", Kind: Text, Default: "30", Help: "sample API: how far in the future a proof may be", check: checkSeconds}
}

// maxSeconds bounds the window of proofs: each is remembered that long.
const maxSeconds = 3600

func checkSeconds(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 1 || n > maxSeconds {
		return errors.New("must be a whole number of seconds from 1 to 3600")
	}
	return nil
}

// checkDomain accepts a host with a port if need be, and nothing else.
func checkDomain(v string) error {
	if strings.Contains(v, "://") {
		return errors.New("must be without a scheme, such as tenant.example")
	}
	u, err := url.Parse("//" + v)
	if err != nil || u.Host != v || u.Hostname() == "" || u.User != nil {
		return errors.New("must be a host, such as tenant.example or localhost:8081")
	}
	return nil
}

// SampleOptions returns the table of `formgraph sample`. The names of the first two in the environment are
// the vendor's. Contract, section 6.
func SampleOptions() []Option {
	log := Option{Name: "log-level", Kind: Choice, Default: "info", Choices: []string{"debug", "info", "warn", "error"}, Help: "least level that is logged"}
	return []Option{
		{Name: "domain", Kind: Text, Help: "the tenant's domain without a scheme; on loopback it is reached over http", check: checkDomain, env: "AUTH0_DOMAIN"},
		{Name: "audience", Kind: Text, Help: "the identifier of this API, which a token must name exactly", env: "AUTH0_AUDIENCE"},
		dpopMode(), dpopOffset(), dpopLeeway(), sampleListen(), sampleURL(), log,
		{Name: "print-ready", Kind: Switch, Default: "false", FlagOnly: true, Help: "print one JSON line with the address once the listener accepts"},
	}
}

// PrintSampleHelp writes the table for people to w.
func PrintSampleHelp(w io.Writer) error { return printHelp(w, "sample", SampleOptions()) }

// LoadSample reads the options of `formgraph sample`, as Load does those of serve.
func LoadSample(in Input) (*Sample, error) {
	values, faults, err := readTable(SampleOptions(), in)
	if err != nil {
		return nil, err
	}
	text := func(name string) string { return values[name].text }
	for _, name := range []string{"domain", "audience"} {
		if text(name) == "" {
			faults = append(faults, Fault{Option: name, Detail: "must be given"})
		}
	}
	c := &Config{values: values}
	c.judgeListener("sample-listen", "sample-url", func(name, detail string) { faults = append(faults, Fault{Option: name, Detail: detail}) })
	if len(faults) > 0 {
		return nil, faults
	}
	ready, err := strconv.ParseBool(text("print-ready"))
	return &Sample{
		Listen: text("sample-listen"), URL: origin(text("sample-url")), Domain: text("domain"), Audience: text("audience"),
		Proofs: proofs(values), LogLevel: level(text("log-level")), PrintReady: err == nil && ready,
	}, nil
}

func proofs(values map[string]value) Proofs {
	seconds := func(name string) time.Duration {
		n, _ := strconv.Atoi(values[name].text) // checked
		return time.Duration(n) * time.Second
	}
	return Proofs{Mode: values["dpop-mode"].text, Past: seconds("dpop-iat-offset-seconds"), Future: seconds("dpop-iat-leeway-seconds")}
}
