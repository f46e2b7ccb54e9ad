package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/server/password"
)

// Kind determines how the text of an option is read.
type Kind string

// The kinds of options. A Switch takes no value on the command line, and "true" or "false" elsewhere.
const (
	Text    Kind = "text"
	Address Kind = "address"
	URL     Kind = "url"
	Folder  Kind = "path"
	Choice  Kind = "choice"
	Switch  Kind = "switch"
)

// Option is one row of the table.
type Option struct {
	// Name is the flag without its dashes.
	Name string
	// Kind determines how the text is read.
	Kind Kind
	// Default is used when neither flag nor environment has a value; a Switch without one is off.
	Default string
	// Secret options are masked wherever the configuration is printed. They may come from a file, named by the environment variable with
	// _FILE appended.
	Secret bool
	// Repeat options may occur several times; their values are joined by commas, as in the environment.
	Repeat bool
	// List options may occur several times; their values may contain commas and are joined by line breaks. See listed for the environment.
	List bool
	// FlagOnly options control what this run prints; they have no environment name.
	FlagOnly bool
	// Choices are the values of a Choice.
	Choices []string
	// Means, NAME=VALUE, makes a Switch an abbreviation for a value of another option.
	Means string
	// Value names the value in the help text; "" means the name of its Kind.
	Value string
	// Help is the help text, without a final period.
	Help string

	check func(value string) error
	env   string // "" means the name derived from Name
}

// Env returns the option's environment name, or "" for a flag-only option.
func (o Option) Env() string {
	if o.FlagOnly {
		return ""
	}
	if o.env != "" {
		return o.env
	}
	return "FORMGRAPH_" + strings.ToUpper(strings.ReplaceAll(o.Name, "-", "_"))
}

// Options returns the whole table of `formgraph serve` in the order in which it is printed. The caller owns the slice.
func Options() []Option {
	return slices.Concat(listenOptions(), remoteOptions(), otherOptions(), traceOptions())
}

// listenOptions lists the addresses, the data and the certificates.
func listenOptions() []Option {
	return []Option{
		{
			Name: "listen", Kind: Address, Default: "127.0.0.1:8080", Help: "address the editor listens on; port 0 picks a free port",
			check: checkAddress,
		},
		{
			Name: "public-url", Kind: URL, Help: "address of the editor in browsers (default localhost with the port of --listen; https with TLS)",
			check: checkOrigin,
		},
		{
			Name: "tenant-listen", Kind: Address, Default: "127.0.0.1:8081",
			Help: "address the embedded tenant listens on; port 0 picks a free port", check: checkAddress,
		},
		{Name: "tenant-url", Kind: URL, Help: "address of the embedded tenant in browsers (default localhost with its port)", check: checkOrigin},
		{Name: "custom-url", Kind: URL, Help: "custom domain: a second address of the embedded tenant, at another host; a token is valid only " +
			"at the address that issued it", check: checkOrigin},
		sampleListen(), sampleURL(), dpopMode(), dpopOffset(), dpopLeeway(),
		{Name: "data", Kind: Folder, Default: "data", Help: "folder of the database, the keys and first-start.json"},
		DatabaseOption(),
		{Name: "keys", Kind: Folder, Help: "file of the signing and encryption keys (default the file keys in --data)"},
		{
			Name: "tls-cert", Kind: Folder,
			Help: "PEM file of the TLS certificate of all listeners, followed by its chain; read again when it is renewed",
		},
		{Name: "tls-key", Kind: Folder, Help: "PEM file of the certificate's private key"},
		{
			Name: "tls-local", Kind: Switch,
			Help: "create a TLS certificate, signed by an authority of this data folder; clients must trust its local-ca.pem",
		},
		trustedProxy(),
	}
}

// otherOptions lists the embedded tenant's options and those of all.
func otherOptions() []Option {
	return []Option{
		{Name: "admin-email", Kind: Text, Help: "e-mail address of the administrator created at the first start", check: checkEmail},
		{
			Name: "admin-password", Kind: Text, Secret: true,
			Help: fmt.Sprintf("password of that administrator, at least %d characters (default a random one)", password.Min), check: password.Check,
		},
		{
			Name: "dialect", Kind: Choice, Default: "spec", Choices: []string{"spec", "vendor"},
			Help: "names of new widgets: neutral ones (spec) or the vendor's (vendor)",
		},
		{
			Name: "webauthn-grant", Kind: Text, Default: defaultPasskeyGrant, Help: "name of the passkey grant type of the embedded tenant",
			check: checkGrant,
		},
		{Name: "signup", Kind: Switch, Help: "let people create accounts at the embedded tenant with a passkey (POST /passkey/register)"},
		auditRetention(),
		drainSeconds(),
		{
			Name: "metrics-listen", Kind: Address, check: checkAddress,
			Help: "address that serves Prometheus metrics, at /metrics and without authentication; port 0 picks a free port (default none)",
		},
		logLevel(),
		{
			Name: "print-ready", Kind: Switch, FlagOnly: true,
			Help: "print one line of JSON with the addresses once all listeners accept connections",
		},
		{Name: "print-config", Kind: Switch, FlagOnly: true, Help: "print the configuration with secrets masked, then exit"},
	}
}

// DatabaseOption returns the row of the PostgreSQL database.
func DatabaseOption() Option {
	return Option{
		Name: "database", Kind: URL, Secret: true, check: checkDatabase,
		Help: "PostgreSQL database such as postgres://user:password@host/formgraph, which several replicas may share (default a SQLite file in " +
			"--data)",
	}
}

// StoreOption returns an option that names a store: the URL of a PostgreSQL database, or a data folder with a SQLite file.
func StoreOption(name, help string) Option {
	return Option{
		Name: name, Kind: Text, Value: "URL|DIR", Secret: true, Help: help,
		check: func(v string) error {
			if strings.Contains(v, "://") {
				return checkDatabase(v)
			}
			return nil
		},
	}
}

func trustedProxy() Option {
	return Option{
		Name: "trusted-proxy", Kind: Text, Repeat: true, check: checkProxies,
		Help: "network of a reverse proxy, such as 10.0.0.0/8, whose Forwarded or X-Forwarded-For header is trusted; repeatable",
	}
}

// maxDrain bounds the option drain-seconds. A server that takes longer to stop is usually killed.
const maxDrain = 60

func drainSeconds() Option {
	return Option{
		Name: "drain-seconds", Kind: Text, Default: "0", check: checkDrain,
		Help: "how long requests are still accepted after SIGTERM while /readyz answers 503, so that proxies send them to other replicas",
	}
}

func checkDrain(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 0 || n > maxDrain {
		return fmt.Errorf("must be a whole number of seconds from 0 to %d", maxDrain)
	}
	return nil
}

// maxRetention is the maximum of the option audit-retention, in days: a hundred years.
const maxRetention = 36_500

func auditRetention() Option {
	return Option{
		Name: "audit-retention", Kind: Text, Value: "DAYS", Default: "90", check: checkRetention,
		Help: "number of days that audit log entries are kept in the database; 0 keeps them forever",
	}
}

func checkRetention(v string) error {
	if n, err := strconv.Atoi(v); err != nil || n < 0 || n > maxRetention {
		return fmt.Errorf("must be a whole number of days from 0 to %d", maxRetention)
	}
	return nil
}

func logLevel() Option {
	return Option{
		Name: "log-level", Kind: Choice, Default: "info", Choices: []string{"debug", "info", "warn", "error"},
		Help: "lowest level that is logged",
	}
}

// OptionsHelp returns the help text for the options of a table.
func OptionsHelp(table []Option) string {
	var b strings.Builder
	for _, o := range table {
		first, more, _ := strings.Cut(o.Help, "\n")
		fmt.Fprintf(&b, "  %s%s\n      %s%s\n", dashed(o.Name), placeholder(o), first, defaultText(o))
		for line := range strings.Lines(more) {
			fmt.Fprintf(&b, "      %s\n", strings.TrimSuffix(line, "\n"))
		}
		if env := o.Env(); env != "" {
			b.WriteString("      " + env)
			if o.Repeat {
				b.WriteString(", separated by commas")
			}
			if o.List {
				b.WriteString(", separated by commas or line breaks")
			}
			if o.Secret {
				b.WriteString(" or " + env + "_FILE")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func placeholder(o Option) string {
	switch {
	case o.Kind == Switch:
		return ""
	case o.Value != "":
		return " " + o.Value
	case o.Kind == Choice:
		return " " + strings.Join(o.Choices, "|")
	default:
		return " " + strings.ToUpper(string(o.Kind))
	}
}

func defaultText(o Option) string {
	if o.Default == "" || o.Kind == Switch {
		return ""
	}
	return " (default " + o.Default + ")"
}
