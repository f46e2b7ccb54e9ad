package config

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/hosts"
)

// mask replaces a secret wherever the configuration is printed.
const mask = "********"

// Config is the checked configuration of `formgraph serve`.
type Config struct {
	Editor Listener
	Tenant Embedded  // unused with a remote tenant
	Sample SampleAPI // beside the embedded tenant
	Remote Remote
	TLS    TLS

	State
	Telemetry

	// TrustedProxies are the networks whose headers are trusted to name the address of a client.
	TrustedProxies clientip.Proxies
	Dialect        string // "spec" or "vendor"
	// Drain is how long requests are accepted after the end has begun.
	Drain time.Duration
	// PrintReady and PrintConfig select what this run prints.
	PrintReady, PrintConfig bool

	values values
}

// State describes where the server stores persistent data.
type State struct {
	Data, Keys string // the data folder, and the path of the keys file, which is never ""
	Database   string // the URL of a PostgreSQL database; "" for the file in Data
	// AuditRetention is how long audit log entries are kept; 0 keeps them forever.
	AuditRetention time.Duration
}

// Telemetry is what the server reports about itself.
type Telemetry struct {
	LogLevel slog.Level
	Metrics  string // the address of the listener for metrics, host:port; "" for none
	Trace    Trace
}

// Listener is one listener and its public address.
type Listener struct {
	Listen string // host:port; port 0 takes a free port
	URL    string // without a trailing slash; "" means that it is derived from the listener, see Config.PublicURL
}

// Embedded is the embedded tenant.
type Embedded struct {
	Listener

	CustomURL string // the second address, without a trailing slash; "" for none
	// AdminEmail and AdminPassword are "" if the server chooses them at its first start.
	AdminEmail, AdminPassword string
	PasskeyGrant              string // the grant type of the passkey login, never ""
	SignUp                    bool   // lets people make their own accounts
}

// SampleAPI is the sample API's listener and its rules for sender-constrained tokens.
type SampleAPI struct {
	Listener

	Proofs Proofs
}

// TLS selects the certificate of the listeners.
type TLS struct {
	Cert, Key string // files; both "" or both given
	Local     bool   // the server makes a certificate
}

// On reports whether the listeners speak TLS.
func (t TLS) On() bool { return t.Local || t.Cert != "" }

// Unproxied reports whether a listener speaks plain http beyond loopback, which is allowed only behind a proxy, while no proxy is trusted.
// All people would then seem to come from the proxy's address and share its limits.
func (c *Config) Unproxied() bool {
	if c.TLS.On() || len(c.TrustedProxies) > 0 {
		return false
	}
	return slices.ContainsFunc([]Listener{c.Editor, c.Tenant.Listener, c.Sample.Listener}, func(l Listener) bool {
		host, _, err := net.SplitHostPort(l.Listen)
		return err == nil && !hosts.Loopback(host)
	})
}

// Hosts returns the names under which this machine and others reach the listeners, for a locally created certificate.
func (c *Config) Hosts() []string {
	hosts := []string{"localhost", "127.0.0.1", "::1"}
	for _, address := range []string{c.Editor.URL, c.Tenant.URL, c.Tenant.CustomURL, c.Sample.URL} {
		if h := hostOf(address); h != "" && !slices.Contains(hosts, h) {
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// PublicURL returns the public address of a listener without a trailing slash, given the address to which it is bound. If no option names
// it, it is at localhost: browsers treat that as a secure context, and passkeys need a name, which 127.0.0.1 is not.
func (c *Config) PublicURL(l Listener, bound net.Addr) string {
	if l.URL != "" {
		return l.URL
	}
	scheme := "http"
	if c.TLS.On() {
		scheme = "https"
	}
	_, port, err := net.SplitHostPort(bound.String())
	if err != nil {
		return scheme + "://localhost"
	}
	return scheme + "://localhost:" + port
}

// Print writes every option as "name = value", secrets masked, with the source of the value.
func (c *Config) Print(w io.Writer) error {
	var b strings.Builder
	for _, o := range c.options() {
		v := c.values[o.Name]
		text := v.text
		if o.Secret && text != "" {
			text = mask
		}
		fmt.Fprintf(&b, "%s = %s (%s)\n", o.Name, strconv.Quote(text), v.source)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// LogValue keeps secrets out of logs if a whole configuration is logged.
func (c *Config) LogValue() slog.Value {
	var attrs []slog.Attr
	for _, o := range c.options() {
		if v := c.values[o.Name]; v.given() && !o.Secret {
			attrs = append(attrs, slog.String(o.Name, v.text))
		}
	}
	return slog.GroupValue(attrs...)
}

func (c *Config) fill() {
	text, on := c.values.Text, c.values.On
	c.Editor = Listener{text("listen"), origin(text("public-url"))}
	c.Tenant = Embedded{
		Listener: Listener{text("tenant-listen"), origin(text("tenant-url"))}, CustomURL: origin(text("custom-url")),
		AdminEmail: text("admin-email"), AdminPassword: text("admin-password"),
		PasskeyGrant: text("webauthn-grant"), SignUp: on("signup"),
	}
	c.Sample = sampleAPI(c.values)
	c.Remote = c.values.remote()
	c.TLS = TLS{text("tls-cert"), text("tls-key"), on("tls-local")}
	c.Data, c.Keys, c.Database = text("data"), text("keys"), text("database")
	if c.Keys == "" {
		c.Keys = filepath.Join(c.Data, "keys")
	}
	c.TrustedProxies = proxies(text("trusted-proxy"))
	c.Dialect = text("dialect")
	c.PrintReady, c.PrintConfig = on("print-ready"), on("print-config")
	c.LogLevel = level(text("log-level"))
	c.Metrics = text("metrics-listen")
	days, _ := strconv.Atoi(text("audit-retention")) // checked before
	c.AuditRetention = time.Duration(days) * 24 * time.Hour
	c.Drain = c.values.seconds("drain-seconds")
}

func level(name string) slog.Level {
	switch name {
	case "debug":
		return slog.LevelDebug
	case "warn":
		return slog.LevelWarn
	case "error":
		return slog.LevelError
	}
	return slog.LevelInfo
}

// origin normalizes an address to the form that browsers use in the Origin header, with which it is compared: in lower case and without the
// scheme's default port.
func origin(v string) string {
	u, err := url.Parse(v)
	if err != nil || u.Host == "" {
		return strings.TrimRight(v, "/")
	}
	host := strings.ToLower(u.Host)
	if (u.Scheme == "http" && u.Port() == "80") || (u.Scheme == "https" && u.Port() == "443") {
		host = strings.TrimSuffix(host, ":"+u.Port())
	}
	return u.Scheme + "://" + host
}

func hostOf(v string) string {
	u, err := url.Parse(v)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
