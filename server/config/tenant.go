package config

import "slices"

// defaultEditor is the editor's address at the default of --listen.
const defaultEditor = "http://localhost:8080"

// tenantNames are the options of serve that `formgraph tenant` accepts, with the same meaning.
var tenantNames = []string{
	"tenant-listen", "tenant-url", "custom-url", "public-url", "data", "database", "keys", "tls-cert", "tls-key", "tls-local", "trusted-proxy",
	"admin-email", "admin-password", "webauthn-grant", "signup", "audit-retention", "drain-seconds", "metrics-listen", "trace-endpoint",
	"trace-headers", "log-level", "print-ready", "print-config",
}

// TenantOptions returns the table of `formgraph tenant`: the options of serve that concern the tenant, and the address of its editor. The
// caller owns the slice.
func TenantOptions() []Option {
	table := slices.DeleteFunc(Options(), func(o Option) bool { return !slices.Contains(tenantNames, o.Name) })
	for i := range table {
		if table[i].Name == "public-url" {
			table[i].Help = "address in browsers of the editor that signs in here (default " + defaultEditor + ")"
		}
	}
	return table
}

// LoadTenant reads the options of `formgraph tenant`, as Load does for serve. The fields of the Config for other parts are empty.
func LoadTenant(in Input) (*Config, error) {
	values, faults, err := readTable(TenantOptions(), in)
	if err != nil {
		return nil, err
	}
	c := &Config{values: values}
	c.fill()
	faults = append(faults, c.fillTrace(in)...)
	if c.Editor.URL == "" {
		c.Editor.URL = defaultEditor
	}
	known := faults
	add := func(name, detail string) {
		// The editor has a listener of its own, which may not use TLS.
		if name != "public-url" && !slices.ContainsFunc(known, func(f Fault) bool { return f.Option == name }) {
			faults = append(faults, Fault{Option: name, Source: values[name].source, Detail: detail})
		}
	}
	c.checkTLS(add)
	c.checkListener("tenant-listen", "tenant-url", add)
	c.checkCustom(add)
	c.checkMetrics(add, "tenant-listen")
	if len(faults) > 0 {
		return nil, faults
	}
	return c, nil
}

// options returns the table from which the configuration was read.
func (c *Config) options() []Option {
	return slices.DeleteFunc(Options(), func(o Option) bool { _, ok := c.values[o.Name]; return !ok })
}
