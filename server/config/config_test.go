package config_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/server/config"
)

func load(t *testing.T, env map[string]string, args ...string) (*config.Config, error) {
	t.Helper()
	return config.Load(config.Input{
		Args:     args,
		Lookup:   func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		ReadFile: os.ReadFile,
	})
}

func remote(more ...string) []string {
	return append([]string{
		"--issuer", "https://tenant.example/", "--client-id", "c", "--client-secret", "s3cret-value",
		"--audience", "https://tenant.example/api/v2/", "--management-url", "https://tenant.example/api/v2",
	}, more...)
}

func TestDefaults(t *testing.T) {
	c, err := load(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := []any{c.Editor.Listen, c.Tenant.Listen, c.Editor.URL, c.Data, c.Keys, c.Dialect, c.LogLevel, c.Remote.Given(), c.PrintReady}
	want := []any{"127.0.0.1:8080", "127.0.0.1:8081", "", "data", filepath.Join("data", "keys"), "spec", slog.LevelInfo, false, false}
	if d := cmp.Diff(got, want); d != "" {
		t.Error(d)
	}
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4711}
	if got := c.PublicURL(c.Editor, addr); got != "http://localhost:4711" {
		t.Errorf("EditorURL = %q", got)
	}
}

func TestPrecedence(t *testing.T) {
	env := map[string]string{"FORMGRAPH_LISTEN": "127.0.0.1:1", "FORMGRAPH_DIALECT": "vendor", "FORMGRAPH_LOG_LEVEL": ""}
	c, err := load(t, env, "--listen=127.0.0.1:2", "-print-ready")
	if err != nil {
		t.Fatal(err)
	}
	if c.Editor.Listen != "127.0.0.1:2" {
		t.Errorf("a flag must beat the environment, got %q", c.Editor.Listen)
	}
	if c.Dialect != "vendor" {
		t.Errorf("the environment must beat the default, got %q", c.Dialect)
	}
	if !c.PrintReady {
		t.Error("a switch needs no value")
	}
}

func TestSecretFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("from the file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := load(t, map[string]string{"FORMGRAPH_ADMIN_PASSWORD_FILE": file})
	if err != nil {
		t.Fatal(err)
	}
	if c.Tenant.AdminPassword != "from the file" {
		t.Errorf("got %q", c.Tenant.AdminPassword)
	}
	for src, want := range map[string]string{
		"\ufeffß and more\r\n": "ß and more", "\xff\xfe\xdf\x00!\x00\r\x00\n\x00": "ß!", "\xdf and more": "", "\x01": "\x01", "": "",
	} {
		if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := load(t, map[string]string{"FORMGRAPH_ADMIN_PASSWORD_FILE": file})
		if src == "\xdf and more" && (err == nil || !strings.Contains(err.Error(), "must name a file of text in UTF-8")) {
			t.Errorf("%q: %v", src, err)
		} else if err == nil && c.Tenant.AdminPassword != want {
			t.Errorf("%q is read as %q", src, c.Tenant.AdminPassword)
		}
	}
	_, err = load(t, map[string]string{"FORMGRAPH_ADMIN_PASSWORD_FILE": file, "FORMGRAPH_ADMIN_PASSWORD": "both of them"})
	if err == nil || !strings.Contains(err.Error(), "together with FORMGRAPH_ADMIN_PASSWORD_FILE") {
		t.Errorf("got %v", err)
	}
	_, err = load(t, map[string]string{"FORMGRAPH_ADMIN_PASSWORD_FILE": file + ".none"})
	if err == nil || !strings.Contains(err.Error(), "can be read") {
		t.Errorf("got %v", err)
	}
}

// TestFaults: every fault of a configuration is reported, an unsafe address among them.
func TestFaults(t *testing.T) {
	const httpOnly = "must be https: http is accepted on loopback only"
	for _, c := range []struct {
		name string
		args []string
		env  map[string]string
		want []string
	}{
		{"unknown option", []string{"--nope", "x"}, nil, []string{"nope: is not an option"}},
		{"argument", []string{"x"}, nil, []string{"x: is not an option"}},
		{"no value", []string{"--listen"}, nil, []string{"listen: must have a value"}},
		{"empty", []string{"--data="}, nil, []string{"data: must not be empty"}},
		{"twice", []string{"--data", "a", "--data", "b"}, nil, []string{"data: must be given once"}},
		{"address", []string{"--listen", "8080"}, nil, []string{"listen: must be host:port"}},
		{"port", []string{"--listen", "localhost:70000"}, nil, []string{"listen: must have a port from 0 to 65535"}},
		{"choice", []string{"--dialect", "x"}, nil, []string{`dialect: must be one of spec, vendor, is "x"`}},
		{"switch", []string{"--signup=maybe"}, nil, []string{"signup: must be true or false"}},
		{"attack 98: http public address", []string{"--public-url", "http://forms.example"}, nil, []string{"public-url: " + httpOnly}},
		{"attack 98: http tenant address", []string{"--tenant-url", "http://10.0.0.7:8081"}, nil, []string{"tenant-url: " + httpOnly}},
		{
			"attack 98: outside listener without an address",
			[]string{"--listen", "192.0.2.4:8080"},
			nil,
			[]string{"public-url: must be given when --listen is not on loopback"},
		},
		{
			"every address, over http",
			[]string{"--listen", "0.0.0.0:8080", "--tenant-listen", "[::]:8081", "--sample-listen", ":8082"},
			nil,
			[]string{
				"tenant-listen: " + plainHTTP("tenant-url"), "sample-listen: " + plainHTTP("sample-url"), "listen: " + plainHTTP("public-url"),
			},
		},
		{
			"every address, named localhost",
			[]string{"--listen", ":8080", "--public-url", "http://localhost:8080"},
			nil,
			[]string{"listen: " + plainHTTP("public-url")},
		},
		{
			"outside listener, named localhost",
			[]string{"--listen", "192.0.2.4:8080", "--public-url", "http://localhost:8080"},
			nil,
			[]string{"listen: " + plainHTTP("public-url")},
		},
		{
			"outside listener with TLS and no address",
			[]string{"--listen", "192.0.2.4:8080", "--tls-local"},
			nil,
			[]string{"public-url: must be given when --listen is not on loopback"},
		},
		{
			"proxy that is not a network",
			[]string{"--trusted-proxy", "10.0.0.0/8", "--trusted-proxy", "proxy.example"},
			nil,
			[]string{"trusted-proxy: must be a network such as 10.0.0.0/8, or several separated by commas"},
		},
		{"public address with a path", []string{"--public-url", "https://a.example/x"}, nil, []string{"public-url: must have no path"}},
		{"no address at all", []string{"--public-url", "a.example"}, nil, []string{"public-url: must be an http or https address"}},
		{"query", []string{"--public-url", "https://a.example?x"}, nil, []string{"public-url: must have no query and no fragment"}},
		{"certificate without key", []string{"--tls-cert", "a"}, nil, []string{"tls-key: must be given together with --tls-cert"}},
		{"key without certificate", []string{"--tls-key", "a"}, nil, []string{"tls-cert: must be given together with --tls-key"}},
		{
			"two certificates",
			[]string{"--tls-key", "a", "--tls-cert", "b", "--tls-local"},
			nil,
			[]string{"tls-local: must not be given together with --tls-cert and --tls-key"},
		},
		{"http with TLS", []string{
			"--tls-local", "--public-url", "http://localhost:1", "--tenant-url", "http://localhost:2",
		}, nil, []string{
			"public-url: must be https: the listeners speak TLS", "tenant-url: must be https: the listeners speak TLS",
		}},
		{
			"attack 60: user info", remote("--management-url=x"), nil,
			[]string{"management-url: must be given once", "management-url: must be an http or https address"},
		},
		{"remote without its parts", []string{"--issuer", "https://t.example/"}, nil, []string{
			"client-id: must be given together with --issuer", "client-secret: must be given together with --issuer",
			"audience: must be given together with --issuer", "management-url: must be given together with --issuer",
		}},
		{
			"remote and embedded", remote("--tenant-listen", "localhost:0"), nil,
			[]string{"tenant-listen: must not be given together with --issuer: the embedded tenant does not start"},
		},
		{"account audience without issuer", []string{"--me-audience", "x"}, nil, []string{"me-audience: must not be given without --issuer"}},
		{"client without issuer", []string{"--client-id", "x"}, nil, []string{"client-id: must not be given without --issuer"}},
		{
			"short password", nil,
			map[string]string{"FORMGRAPH_ADMIN_PASSWORD": "short"},
			[]string{"admin-password: must be at least 8 characters, is 5"},
		},
		{
			"grant of the standards",
			[]string{"--webauthn-grant", "password"},
			nil,
			[]string{"webauthn-grant: must be an absolute URI in ASCII, such as urn:formgraph:params:oauth:grant-type:webauthn"},
		},
		{
			"grant with a space",
			[]string{"--webauthn-grant", "urn:a b"},
			nil,
			[]string{"webauthn-grant: must be an absolute URI in ASCII, such as urn:formgraph:params:oauth:grant-type:webauthn"},
		},
		{
			"long grant",
			[]string{"--webauthn-grant", "urn:" + strings.Repeat("x", 197)},
			nil,
			[]string{"webauthn-grant: must be at most 200 bytes, is 201"},
		},
		{
			"grant of a remote tenant", remote("--webauthn-grant", "urn:x"), nil,
			[]string{"webauthn-grant: must not be given together with --issuer: the embedded tenant does not start"},
		},
		{
			"sign-up of a remote tenant", remote("--signup"), nil,
			[]string{"signup: must not be given together with --issuer: the embedded tenant does not start"},
		},
		{"e-mail", []string{"--admin-email", "a"}, nil, []string{"admin-email: must be an e-mail address"}},
		{"one port for two", []string{"--tenant-listen", "127.0.0.1:8080"}, nil, []string{"tenant-listen: must differ from --listen"}},
		{
			"custom domain with a remote tenant", remote("--custom-url", "https://login.example"), nil,
			[]string{"custom-url: must not be given together with --issuer: the embedded tenant does not start"},
		},
		{"custom domain over http", []string{"--custom-url", "http://login.example"}, nil, []string{"custom-url: " + httpOnly}},
		{"custom domain with a path", []string{"--custom-url", "https://login.example/x"}, nil, []string{"custom-url: must have no path"}},
		{
			"custom domain of the tenant's host",
			[]string{"--tenant-url", "https://t.example", "--custom-url", "https://T.example:8443"},
			nil,
			[]string{"custom-url: must have another host than --tenant-url"},
		},
		{
			"custom domain of the derived host",
			[]string{"--custom-url", "http://localhost:9"},
			nil,
			[]string{"custom-url: must have another host than --tenant-url"},
		},
		{
			"custom domain over http with TLS",
			[]string{"--tls-local", "--custom-url", "http://login.localhost:8081"},
			nil,
			[]string{"custom-url: must be https: the listeners speak TLS"},
		},
		{"all at once", []string{"--listen", "x", "--dialect", "y", "--zzz"}, nil, []string{
			"zzz: is not an option", "listen: must be host:port", `dialect: must be one of spec, vendor, is "y"`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(t, c.env, c.args...)
			var faults config.Faults
			if !errors.As(err, &faults) {
				t.Fatalf("got %v, want faults", err)
			}
			var got []string
			for _, f := range faults {
				got = append(got, f.Option+": "+f.Detail)
			}
			if d := cmp.Diff(got, c.want); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestRemoteAddresses: a remote tenant's address has no user info, and is https or on loopback.
func TestRemoteAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"https://tenant.example/api/v2":                           "",
		"http://127.0.0.1:9/api/v2":                               "",
		"http://localhost:9/api/v2/":                              "",
		"https://u:p@tenant.example/api/v2":                       "must not hold a user name or password",
		"http://tenant.example/api/v2":                            "must be https",
		"https://169.254.169.254/api/v2":                          "link-local or metadata",
		"https://[fe80::1]/api/v2":                                "link-local or metadata",
		"https://[::ffff:169.254.169.254]/api/v2":                 "link-local or metadata",
		"https://[fd00:ec2::254]/api/v2":                          "link-local or metadata",
		"https://0.0.0.0/api/v2":                                  "link-local or metadata",
		"https://metadata.google.internal/api/v2":                 "metadata address",
		"https://tenant.example/v2":                               "must end with /api/v2",
		"https://tenant.example/api/v2?x=1":                       "no query",
		"ftp://tenant.example/api/v2":                             "must be an http or https address",
		"https:///api/v2":                                         "must be an http or https address",
		"https://tenant.example/api/v2#a":                         "no fragment",
		"https://tenant.example/%zz/api/v2":                       "must be an http or https address",
		"http://localhost.evil.example/api/v2":                    "must be https",
		"http://[::1]:9/api/v2":                                   "",
		"http://user@localhost:9/api/v2":                          "must not hold a user name or password",
		"https://tenant.example:443/deep/path/before/it/api/v2//": "",
	} {
		t.Run(address, func(t *testing.T) {
			args := remote()
			args[len(args)-1] = address
			_, err := load(t, nil, args...)
			if want == "" && err != nil {
				t.Errorf("got %v, want none", err)
			}
			if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

// The option names the passkey grant; without it the default counts.
func TestPasskeyGrant(t *testing.T) {
	const ours, theirs = "urn:formgraph:params:oauth:grant-type:webauthn", "urn:okta:params:oauth:grant-type:webauthn"
	for want, env := range map[string]map[string]string{ours: nil, theirs: {"FORMGRAPH_WEBAUTHN_GRANT": theirs}} {
		if c, err := load(t, env); err != nil || c.Tenant.PasskeyGrant != want {
			t.Errorf("with %v: %+v, %v, want %s", env, c, err, want)
		}
	}
}

func TestOriginsAreNormal(t *testing.T) {
	for given, want := range map[string]string{
		"https://Forms.Example/":      "https://forms.example",
		"https://forms.example:443":   "https://forms.example",
		"http://localhost:80":         "http://localhost",
		"https://forms.example:8443/": "https://forms.example:8443",
	} {
		c, err := load(t, nil, "--public-url", given)
		if err != nil {
			t.Fatal(err)
		}
		if c.Editor.URL != want {
			t.Errorf("%q gives %q, want %q", given, c.Editor.URL, want)
		}
	}
}

func TestSecretsAreMasked(t *testing.T) {
	c, err := load(t, nil, remote()...)
	if err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	if err := c.Print(&out); err != nil {
		t.Fatal(err)
	}
	slog.New(slog.NewJSONHandler(&log, nil)).Info("start", "config", c)
	for name, text := range map[string]string{"print": out.String(), "log": log.String()} {
		if strings.Contains(text, "s3cret-value") {
			t.Errorf("%s shows the secret: %s", name, text)
		}
	}
	for _, want := range []string{`client-secret = "********" (flag)`, `client-id = "c" (flag)`, `listen = "127.0.0.1:8080" (default)`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("print lacks %q:\n%s", want, out.String())
		}
	}
	_, err = load(t, nil, remote("--listen", "bad", "--client-secret=s3cret-value")...)
	if err == nil || strings.Contains(err.Error(), "s3cret-value") {
		t.Errorf("faults show the secret: %v", err)
	}
}

func TestHelp(t *testing.T) {
	if _, err := load(t, nil, "--listen", "bad", "--help"); !errors.Is(err, config.ErrHelp) {
		t.Errorf("got %v", err)
	}
	help := config.OptionsHelp(config.Options())
	for _, o := range config.Options() {
		if !strings.Contains(help, "--"+o.Name) || o.Help == "" {
			t.Errorf("help lacks --%s", o.Name)
		}
		if o.Secret && !strings.Contains(help, o.Env()+"_FILE") {
			t.Errorf("help lacks the file variable of --%s", o.Name)
		}
	}
}

// With TLS the derived addresses are https, and every name of the listeners is in the certificate.
func TestTLS(t *testing.T) {
	c, err := load(t, nil, "--tls-local", "--public-url", "https://Forms.example:8443", "--custom-url", "https://login.forms.example")
	if err != nil {
		t.Fatal(err)
	}
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4711}
	if got := c.PublicURL(c.Tenant.Listener, addr); !c.TLS.On() || got != "https://localhost:4711" {
		t.Errorf("TLS = %v, URL = %q", c.TLS.On(), got)
	}
	if d := cmp.Diff(c.Hosts(), []string{"localhost", "127.0.0.1", "::1", "forms.example", "login.forms.example"}); d != "" {
		t.Error(d)
	}
	if c, err = load(t, nil, "--tls-cert", "a.pem", "--tls-key", "b.pem"); err != nil || !c.TLS.On() {
		t.Errorf("a certificate with its key: %v", err)
	}
}

func TestCustomURL(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"": nil, "http://login.localhost:8081": {"FORMGRAPH_CUSTOM_URL": "http://Login.localhost:8081/"},
		"https://login.example": {"FORMGRAPH_CUSTOM_URL": "https://login.example:443"},
	} {
		if c, err := load(t, env); err != nil || c.Tenant.CustomURL != want {
			t.Errorf("with %v: %+v, %v, want %q", env, c, err, want)
		}
	}
}

func TestMeAudience(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{{remote("--me-audience", "urn:me"), "urn:me"}, {remote(), ""}, {nil, ""}} {
		if c, err := load(t, nil, tt.args...); err != nil || c.Remote.MeAudience != tt.want {
			t.Errorf("%v: %v, want %q", tt.args, err, tt.want)
		}
	}
}

func plainHTTP(public string) string {
	return "must be on loopback for plain http: give --tls-cert or --tls-local, or put a proxy with TLS in front, with https in --" +
		public + " and the proxy's network in --trusted-proxy"
}

// Containers listen on every address: with TLS of their own, or behind a proxy that has it.
func TestEveryAddressNeedsTLS(t *testing.T) {
	all := []string{"--listen", ":8080", "--tenant-listen", "0.0.0.0:8081", "--sample-listen", "[::]:8082"}
	behind := append([]string{
		"--public-url", "https://forms.example", "--tenant-url", "https://login.example", "--sample-url",
		"https://api.example",
	}, all...)
	for name, tt := range map[string]struct {
		args      []string
		unproxied bool
	}{
		"TLS":                     {append([]string{"--tls-local"}, all...), false},
		"proxy":                   {append([]string{"--trusted-proxy", "10.0.0.0/8"}, behind...), false},
		"proxy that is not named": {behind, true},
	} {
		c, err := load(t, nil, tt.args...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Unproxied() != tt.unproxied {
			t.Errorf("%s: unproxied is %v", name, c.Unproxied())
		}
	}
	if c, err := load(t, nil); err != nil || c.Unproxied() {
		t.Errorf("on loopback: %v, unproxied", err)
	}
}

func TestTrustedProxiesAreRepeatable(t *testing.T) {
	for name, load := range map[string]func() (*config.Config, error){
		"flags": func() (*config.Config, error) {
			return load(t, nil, "--trusted-proxy", "10.0.0.0/8", "--trusted-proxy=192.0.2.7")
		},
		"environment": func() (*config.Config, error) {
			return load(t, map[string]string{"FORMGRAPH_TRUSTED_PROXY": "10.0.0.0/8, 192.0.2.7"})
		},
	} {
		c, err := load()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := fmt.Sprint(c.TrustedProxies); got != "[10.0.0.0/8 192.0.2.7/32]" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
