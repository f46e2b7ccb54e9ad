package config

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/charset"
	"github.com/formgraph/formgraph/server/hosts"
)

// maxSecretFile bounds the size of a file named by a _FILE variable, in bytes.
const maxSecretFile = 64 << 10

// Input is the input from which a configuration is read.
type Input struct {
	// Args are the arguments after the command's name.
	Args []string
	// Lookup looks up an environment variable, like os.LookupEnv.
	Lookup func(name string) (string, bool)
	// ReadFile reads a secret file, like os.ReadFile.
	ReadFile func(name string) ([]byte, error)
}

// Fault is one wrong option. Detail never contains a secret's value.
type Fault struct {
	// Option is the flag's name, or the argument that is not an option.
	Option string
	// Source is where the value came from: "flag", the name of an environment variable, or "".
	Source string
	// Detail begins with a verb: "must be host:port".
	Detail string
}

// Faults are all faults of a configuration: first those of the command line itself, then those of options in the table's order.
type Faults []Fault

// Error lists the faults, each on its own line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, x := range f {
		lines[i] = dashed(x.Option) + ": " + x.Detail
		if x.Source != "" && x.Source != sourceFlag {
			lines[i] += " (from " + x.Source + ")"
		}
	}
	return strings.Join(lines, "\n")
}

// dashed writes the name of an option as it appears on the command line.
func dashed(name string) string {
	if name = strings.TrimLeft(name, "-"); len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

const (
	sourceFlag    = "flag"
	sourceDefault = "default"
)

// value is an option's text and its source.
type value struct{ text, source string }

func (v value) given() bool { return v.source != sourceDefault }

// Load reads the options. It returns ErrHelp when help is requested, and otherwise Faults with every error.
func Load(in Input) (*Config, error) { return loadTable(Options(), in) }

// CheckOptions returns the table of `formgraph check`: the options of serve, and json. The caller owns the slice.
func CheckOptions() []Option {
	table := slices.DeleteFunc(Options(), func(o Option) bool { return o.Name == "print-ready" })
	return append(table, Option{Name: "json", Kind: Switch, FlagOnly: true, Help: "print one JSON value"})
}

// LoadCheck reads the options of `formgraph check`, as Load does for serve. asJSON is the option json.
func LoadCheck(in Input) (c *Config, asJSON bool, err error) {
	if c, err = loadTable(CheckOptions(), in); err != nil {
		return nil, false, err
	}
	return c, c.values.On("json"), nil
}

func loadTable(table []Option, in Input) (*Config, error) {
	values, faults, err := readTable(table, in)
	if err != nil {
		return nil, err
	}
	c := &Config{values: values}
	c.fill()
	faults = append(faults, c.fillTrace(in)...)
	faults = append(faults, c.checkTogether(faults)...)
	if len(faults) > 0 {
		return nil, faults
	}
	return c, nil
}

// readTable reads the options of a table and checks each by itself.
func readTable(table []Option, in Input) (values, Faults, error) {
	return (&parser{table: table}).load(in)
}

func (p *parser) load(in Input) (values, Faults, error) {
	if err := p.parse(in.Args); err != nil {
		return nil, nil, err
	}
	got := make(values, len(p.table))
	for _, o := range p.table {
		v, fault := pick(o, p.given, in)
		if fault == "" {
			fault = checkValue(o, v)
		}
		if fault != "" {
			p.faults = append(p.faults, Fault{Option: o.Name, Source: v.source, Detail: fault})
		}
		got[o.Name] = v
	}
	return got, p.faults, nil
}

// pick takes the flag, else the environment variable, else the file that the _FILE variable names, else the default.
func pick(o Option, flags map[string]string, in Input) (v value, fault string) {
	if o.Kind == Switch && o.Default == "" {
		o.Default = "false"
	}
	if text, ok := flags[o.Name]; ok {
		return value{text, sourceFlag}, ""
	}
	env := o.Env()
	if env == "" {
		return value{o.Default, sourceDefault}, ""
	}
	text, ok := in.Lookup(env)
	ok = ok && text != ""
	if o.Secret {
		if name, named := in.Lookup(env + "_FILE"); named && name != "" {
			if ok {
				return value{"", env}, "must not be set together with " + env + "_FILE"
			}
			src, err := in.ReadFile(name)
			switch {
			case err != nil:
				return value{"", env + "_FILE"}, "must name a file that can be read"
			case len(src) > maxSecretFile:
				return value{"", env + "_FILE"}, fmt.Sprintf("must name a file of at most %d bytes", maxSecretFile)
			}
			text, err := charset.Text(src)
			if err != nil {
				return value{"", env + "_FILE"}, "must name a file of text in UTF-8"
			}
			return value{strings.TrimRight(text, "\r\n"), env + "_FILE"}, ""
		}
	}
	if ok && o.List {
		text = listed(text)
	}
	if ok {
		return value{text, env}, ""
	}
	return value{o.Default, sourceDefault}, ""
}

// listed separates the values of a List by line breaks. The environment separates them by commas, or by line breaks if there is one, so
// that a value may contain a comma. Spaces around a value and empty values are dropped.
func listed(text string) string {
	separator := ","
	if strings.Contains(text, "\n") {
		separator = "\n"
	}
	var out []string
	for v := range strings.SplitSeq(text, separator) {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return strings.Join(out, "\n")
}

// checkValue checks one value by itself and returns the fault, or "" if there is none.
func checkValue(o Option, v value) string {
	switch o.Kind {
	case Switch:
		if _, err := strconv.ParseBool(v.text); err != nil {
			return "must be true or false"
		}
	case Choice:
		if !slices.Contains(o.Choices, v.text) {
			return fmt.Sprintf("must be one of %s, is %q", strings.Join(o.Choices, ", "), v.text)
		}
	case Text, Address, URL, Folder: // rows of these kinds have their own check if they need one
	}
	if v.text == "" {
		if v.source == sourceFlag {
			return "must not be empty"
		}
		return ""
	}
	if o.check != nil {
		if err := o.check(v.text); err != nil {
			return err.Error()
		}
	}
	return ""
}

// checkTogether checks rules that involve several options. It does not check options that are already at fault.
func (c *Config) checkTogether(known Faults) Faults {
	var faults Faults
	add := func(name, detail string) {
		if !slices.ContainsFunc(known, func(f Fault) bool { return f.Option == name }) {
			faults = append(faults, Fault{Option: name, Source: c.values[name].source, Detail: detail})
		}
	}
	c.checkTLS(add)
	c.checkRemote(add)
	if !c.Remote.Given() {
		c.checkListener("tenant-listen", "tenant-url", add)
		c.checkCustom(add)
		c.checkMetrics(add, "tenant-listen", "sample-listen")
		c.checkListener("sample-listen", "sample-url", add)
		if (c.Sample.Listen == c.Editor.Listen || c.Sample.Listen == c.Tenant.Listen) && !strings.HasSuffix(c.Sample.Listen, ":0") {
			add("sample-listen", "must differ from --listen and --tenant-listen")
		}
		if c.Tenant.Listen == c.Editor.Listen && !strings.HasSuffix(c.Editor.Listen, ":0") {
			add("tenant-listen", "must differ from --listen")
		}
	}
	c.checkListener("listen", "public-url", add)
	c.checkMetrics(add, "listen")
	return faults
}

// checkListener checks a listener that other machines can reach. Passwords and tokens travel over it, so it needs TLS of its own or a TLS
// proxy in front, which an https public address implies. A listener beyond loopback is reached by a name that only its owner knows, so the
// public address cannot be derived.
func (c *Config) checkListener(listen, public string, add func(name, detail string)) {
	host, _, err := net.SplitHostPort(c.values[listen].text)
	if err != nil || hosts.Loopback(host) {
		return
	}
	address := c.values[public].text
	switch {
	case address == "" && !wildcardHost(host):
		add(public, "must be given when --"+listen+" is not on loopback")
	case !c.TLS.On() && !strings.HasPrefix(strings.ToLower(address), "https:"):
		add(listen, "must be on loopback for plain http: give --tls-cert or --tls-local, or put a proxy with TLS in front, with https in --"+
			public+" and the proxy's network in --trusted-proxy")
	}
}

// checkMetrics requires a separate address for the metrics, because the public must not read them.
func (c *Config) checkMetrics(add func(name, detail string), others ...string) {
	for _, name := range others {
		if c.Metrics != "" && c.Metrics == c.values[name].text && !strings.HasSuffix(c.Metrics, ":0") {
			add("metrics-listen", "must differ from --"+name)
			return
		}
	}
}

// checkCustom requires a different host for the custom domain: cookies and passkeys belong to hosts, not to ports.
func (c *Config) checkCustom(add func(name, detail string)) {
	tenant := hostOf(c.Tenant.URL)
	if tenant == "" {
		tenant = "localhost" // as PublicURL derives it
	}
	if strings.EqualFold(hostOf(c.Tenant.CustomURL), tenant) {
		add("custom-url", "must have another host than --tenant-url")
	}
}

// checkTLS checks that a certificate has its key, and that every public address uses TLS.
func (c *Config) checkTLS(add func(name, detail string)) {
	switch {
	case c.TLS.Local && c.TLS.Cert+c.TLS.Key != "":
		add("tls-local", "must not be given together with --tls-cert and --tls-key")
	case c.TLS.Cert != "" && c.TLS.Key == "":
		add("tls-key", "must be given together with --tls-cert")
	case c.TLS.Cert == "" && c.TLS.Key != "":
		add("tls-cert", "must be given together with --tls-key")
	}
	if !c.TLS.On() {
		return
	}
	for _, x := range []struct{ name, address string }{
		{"public-url", c.Editor.URL},
		{"tenant-url", c.Tenant.URL},
		{"custom-url", c.Tenant.CustomURL},
		{"sample-url", c.Sample.URL},
	} {
		if strings.HasPrefix(x.address, "http:") {
			add(x.name, "must be https: the listeners speak TLS")
		}
	}
}
