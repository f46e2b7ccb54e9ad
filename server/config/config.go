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

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/hosts"
)

// mask stands for a secret wherever the configuration is printed.
const mask = "********"

// Config is the checked configuration of `formgraph serve`.
type Config struct {
	// Listen and TenantListen are host:port; port 0 takes a free port.
	Listen, TenantListen string
	// PublicURL and TenantURL are without a trailing slash; "" means that they
	// follow from the listeners, see EditorURL and EmbeddedURL.
	PublicURL, TenantURL string
	// CustomURL is the embedded tenant's second address, as TenantURL; "" for none.
	CustomURL string
	// SampleListen, SampleURL and Proofs are those of the sample API beside the embedded tenant.
	SampleListen, SampleURL string
	Proofs                  Proofs
	// Data is the folder of the state; Keys the file of the keys, never "".
	Data, Keys string
	// TLSCert and TLSKey are both "" or both given; TLSLocal has them made.
	TLSCert, TLSKey string
	TLSLocal        bool
	// TrustedProxies are the networks whose word is taken for the address of a client.
	TrustedProxies clientip.Proxies
	// Issuer is "" for the embedded tenant. It is kept as given: an issuer is
	// compared by its exact characters (OpenID Connect Core, section 3.1.3.7).
	Issuer, ClientID, ClientSecret, Audience string
	// MeAudience is the audience of the remote tenant's self-service account API.
	MeAudience string
	// ManagementURL ends with /api/v2.
	ManagementURL string
	// AdminEmail and AdminPassword are "" where the first start chooses.
	AdminEmail, AdminPassword string
	// Dialect is "spec" or "vendor".
	Dialect string
	// PasskeyGrant is the grant type of the embedded tenant's passkey login, never "".
	PasskeyGrant string
	// SignUp lets people make their own accounts at the embedded tenant.
	SignUp bool
	// InsecureCookie drops Secure and the prefix of cookies; loopback only.
	InsecureCookie bool
	// LogLevel is the lowest level that is logged.
	LogLevel slog.Level
	// PrintReady and PrintConfig say what this run prints.
	PrintReady, PrintConfig bool

	values values
}

// Remote reports whether the tenant is a remote one.
func (c *Config) Remote() bool { return c.Issuer != "" }

// TLS reports whether the listeners speak TLS.
func (c *Config) TLS() bool { return c.TLSLocal || c.TLSCert != "" }

// Unproxied reports whether a listener speaks plain http beyond loopback, which only a proxy may do, while no proxy is
// trusted: then all people look as if they came from the proxy's address, and share its limits.
func (c *Config) Unproxied() bool {
	if c.TLS() || len(c.TrustedProxies) > 0 {
		return false
	}
	return slices.ContainsFunc([]string{c.Listen, c.TenantListen, c.SampleListen}, func(address string) bool {
		host, _, err := net.SplitHostPort(address)
		return err == nil && !hosts.Loopback(host)
	})
}

// Hosts returns the names under which the listeners are reached on this machine and from others, for a
// certificate made here.
func (c *Config) Hosts() []string {
	hosts := []string{"localhost", "127.0.0.1", "::1"}
	for _, address := range []string{c.PublicURL, c.TenantURL, c.CustomURL, c.SampleURL} {
		if h := hostOf(address); h != "" && !slices.Contains(hosts, h) {
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// EditorURL returns the editor's public address without a trailing slash, given
// the address its listener really has.
func (c *Config) EditorURL(bound net.Addr) string { return c.publicAddress(c.PublicURL, bound) }

// EmbeddedURL returns the embedded tenant's public address without a trailing
// slash, given the address its listener really has.
func (c *Config) EmbeddedURL(bound net.Addr) string { return c.publicAddress(c.TenantURL, bound) }

// SampleAddress returns the sample API's public address without a trailing slash, given the address its
// listener really has.
func (c *Config) SampleAddress(bound net.Addr) string { return c.publicAddress(c.SampleURL, bound) }

// publicAddress derives http://localhost:port, or https with TLS: browsers treat localhost as a secure
// context and passkeys need a name, which 127.0.0.1 is not.
func (c *Config) publicAddress(given string, bound net.Addr) string {
	if given != "" {
		return given
	}
	scheme := "http"
	if c.TLS() {
		scheme = "https"
	}
	_, port, err := net.SplitHostPort(bound.String())
	if err != nil {
		return scheme + "://localhost"
	}
	return scheme + "://localhost:" + port
}

// Print writes every option as "name = value", secrets masked, with the place
// the value came from.
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

// LogValue keeps secrets out of a log that is handed a whole configuration.
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
	c.Listen, c.TenantListen = text("listen"), text("tenant-listen")
	c.PublicURL, c.TenantURL = origin(text("public-url")), origin(text("tenant-url"))
	c.CustomURL = origin(text("custom-url"))
	c.SampleListen, c.SampleURL, c.Proofs = text("sample-listen"), origin(text("sample-url")), proofs(c.values)
	c.Data, c.Keys = text("data"), text("keys")
	if c.Keys == "" {
		c.Keys = filepath.Join(c.Data, "keys")
	}
	c.TLSCert, c.TLSKey, c.TLSLocal = text("tls-cert"), text("tls-key"), on("tls-local")
	c.TrustedProxies = proxies(text("trusted-proxy"))
	c.Issuer, c.ClientID, c.ClientSecret, c.Audience = text("issuer"), text("client-id"), text("client-secret"), text("audience")
	if c.MeAudience = text("me-audience"); c.MeAudience == "" && c.Issuer != "" {
		c.MeAudience = strings.TrimRight(c.Issuer, "/") + "/me/"
	}
	c.ManagementURL = strings.TrimRight(text("management-url"), "/")
	c.AdminEmail, c.AdminPassword = text("admin-email"), text("admin-password")
	c.Dialect = text("dialect")
	c.PasskeyGrant, c.SignUp = text("webauthn-grant"), on("signup")
	c.InsecureCookie = on("insecure-cookie")
	c.PrintReady, c.PrintConfig = on("print-ready"), on("print-config")
	c.LogLevel = level(text("log-level"))
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

// origin writes an address as browsers write an origin: lower case and without
// the scheme's own port, since the Origin header is compared with it.
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
