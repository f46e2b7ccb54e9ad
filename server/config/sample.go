package config

import (
	"errors"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
)

// Proofs are the sample API's rules for sender-constrained tokens.
type Proofs struct {
	Mode         string        // DISABLED, ALLOWED or REQUIRED
	Past, Future time.Duration // how far iat may be before and after now
}

// Sample is the checked configuration of `formgraph sample`.
type Sample struct {
	SampleAPI

	Domain   string // of the tenant, without a scheme
	Audience string
	TLS      TLS
	// TLSTrust is a PEM file of authorities to trust in addition to the system's, "" for none. If it is set, the tenant is called over
	// https even on loopback.
	TLSTrust string
	// TrustedProxies are the networks whose headers are trusted to name the address of a client, in the log.
	TrustedProxies clientip.Proxies
	LogLevel       slog.Level
	// Drain is how long requests are still accepted after shutdown begins.
	Drain time.Duration
	// PrintReady prints the address as one line of JSON.
	PrintReady bool
}

func sampleListen() Option {
	return Option{
		Name: "sample-listen", Kind: Address, Default: "127.0.0.1:8082",
		Help: "address the sample API listens on; port 0 picks a free port", check: checkAddress,
	}
}

func sampleURL() Option {
	return Option{
		Name: "sample-url", Kind: URL,
		Help: "address of the sample API for clients, which DPoP proofs must name (default localhost with its port)", check: checkOrigin,
	}
}

func dpopMode() Option {
	return Option{
		Name: "dpop-mode", Kind: Choice, Default: "ALLOWED", Choices: []string{"DISABLED", "ALLOWED", "REQUIRED"},
		Help: "sample API: whether access tokens may or must be bound to a key (DPoP)",
	}
}

func dpopOffset() Option {
	return Option{
		Name: "dpop-iat-offset-seconds", Kind: Text, Default: "300", Help: "sample API: maximum age of a DPoP proof",
		check: checkSeconds,
	}
}

func dpopLeeway() Option {
	return Option{
		Name: "dpop-iat-leeway-seconds", Kind: Text, Default: "30",
		Help: "sample API: how far in the future a DPoP proof may be dated", check: checkSeconds,
	}
}

// maxSeconds bounds the window of proofs: each is remembered that long.
const maxSeconds = 3600

func checkSeconds(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 1 || n > maxSeconds {
		return errors.New("must be a whole number of seconds from 1 to 3600")
	}
	return nil
}

// checkDomain accepts a host with an optional port, and nothing else.
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

// SampleOptions returns the table of `formgraph sample`. The first two options have the vendor's environment names.
func SampleOptions() []Option {
	return []Option{
		{
			Name: "domain", Kind: Text, Help: "domain of the tenant, without a scheme; on loopback it is called over http", check: checkDomain,
			env: "AUTH0_DOMAIN",
		},
		{Name: "audience", Kind: Text, Help: "identifier of this API, which must be an audience of every token", env: "AUTH0_AUDIENCE"},
		dpopMode(), dpopOffset(), dpopLeeway(), sampleListen(), sampleURL(),
		{
			Name: "tls-cert", Kind: Folder,
			Help: "PEM file of the listener's TLS certificate, followed by its chain; read again when it is renewed",
		},
		{Name: "tls-key", Kind: Folder, Help: "PEM file of the certificate's private key"},
		{Name: "tls-trust", Kind: Folder, Help: "PEM file of authorities to trust besides the system's, such as local-ca.pem of a tenant with " +
			"--tls-local; the tenant is then called over https on loopback too"},
		trustedProxy(), drainSeconds(), logLevel(),
		{
			Name: "print-ready", Kind: Switch, FlagOnly: true,
			Help: "print one line of JSON with the address once the listener accepts connections",
		},
	}
}

// LoadSample reads the options of `formgraph sample`, as Load does for serve.
func LoadSample(in Input) (*Sample, error) {
	values, faults, err := readTable(SampleOptions(), in)
	if err != nil {
		return nil, err
	}
	text := values.Text
	for _, name := range []string{"domain", "audience"} {
		if text(name) == "" {
			faults = append(faults, Fault{Option: name, Detail: "must be given"})
		}
	}
	c := &Config{values: values, TLS: TLS{Cert: text("tls-cert"), Key: text("tls-key")}, Sample: sampleAPI(values)}
	add := func(name, detail string) { faults = append(faults, Fault{Option: name, Detail: detail}) }
	c.checkListener("sample-listen", "sample-url", add)
	c.checkTLS(add)
	if len(faults) > 0 {
		return nil, faults
	}
	return &Sample{
		SampleAPI: c.Sample, Domain: text("domain"), Audience: text("audience"), TLS: c.TLS, TLSTrust: text("tls-trust"),
		TrustedProxies: proxies(text("trusted-proxy")), LogLevel: level(text("log-level")),
		Drain: values.seconds("drain-seconds"), PrintReady: values.On("print-ready"),
	}, nil
}

// seconds returns the duration that an option gives as a number of seconds.
func (v values) seconds(name string) time.Duration {
	n, _ := strconv.Atoi(v[name].text) // checked before
	return time.Duration(n) * time.Second
}

// sampleAPI reads the options that serve and sample share.
func sampleAPI(values values) SampleAPI {
	return SampleAPI{
		Listener: Listener{values.Text("sample-listen"), origin(values.Text("sample-url"))},
		Proofs: Proofs{
			Mode: values.Text("dpop-mode"), Past: values.seconds("dpop-iat-offset-seconds"),
			Future: values.seconds("dpop-iat-leeway-seconds"),
		},
	}
}
