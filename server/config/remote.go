package config

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/server/admission"
)

// Remote is a remote tenant.
type Remote struct {
	// Issuer is "" for the embedded tenant. It is kept as given, since issuers are compared character by character (OpenID
	// Connect Core, section 3.1.3.7).
	Issuer                           string
	ClientID, ClientSecret, Audience string
	MeAudience                       string // of the self-service account API
	ManagementURL                    string // ends with /api/v2
	// Service is the client with which the server calls the management API; nil when people's own tokens are forwarded.
	Service *Service
	// DPoP reports whether calls may be bound to a key of the server (RFC 9449) if the tenant supports that.
	DPoP bool
}

// Given reports whether the tenant is a remote one.
func (r Remote) Given() bool { return r.Issuer != "" }

// Service is the client with which the server calls the management API, and the rules of who may use it.
type Service struct {
	Issuer, ClientID string
	// Secret or KeyFile, the PEM file of a private key, proves the client's identity; one of them is "".
	Secret, KeyFile string
	Rules           admission.Rules
}

// byClient is the value of --management-auth for a service client.
const byClient = "client"

func remoteOptions() []Option {
	return append([]Option{
		{Name: "issuer", Kind: URL, Help: "remote tenant: its issuer; the embedded tenant is not started", check: checkRemote},
		{Name: "client-id", Kind: Text, Help: "remote tenant: client ID of the editor"},
		{Name: "client-secret", Kind: Text, Secret: true, Help: "remote tenant: client secret of the editor"},
		{Name: "audience", Kind: Text, Help: "remote tenant: audience of the management API"},
		{
			Name: "management-url", Kind: URL, check: checkManagement,
			Help: "remote tenant: base address of the management API, ending in /api/v2 (default --audience if it is such an address)",
		},
		{Name: "me-audience", Kind: Text, Help: "remote tenant: audience of its self-service account API; without it there is no account page"},
		{
			Name: "management-auth", Kind: Choice, Default: "user", Choices: []string{"user", byClient},
			Help: "remote tenant: call the management API with the token of the signed-in user, or with that of a service client; then only " +
				"people whom a rule fits may use the editor",
		},
		{Name: "management-issuer", Kind: URL, Help: "service client: its issuer (default --issuer)", check: checkRemote},
		{Name: "management-client-id", Kind: Text, Help: "service client: its client ID (default --client-id)"},
		{
			Name: "management-client-secret", Kind: Text, Secret: true,
			Help: "service client: its client secret (default --client-secret if the client is the same)",
		},
		{
			Name: "management-client-key", Kind: Folder,
			Help: "service client: PEM file of its private key (RSA or P-256), used instead of a secret",
		},
		{
			Name: "upstream-dpop", Kind: Choice, Default: "auto", Choices: []string{"auto", "off"},
			Help: "remote tenant: bind access tokens to a key of the server (DPoP) if the tenant supports it (auto), or never (off)",
		},
	}, ruleOptions()...)
}

// rules lists the kinds of rules. Each is an option for people who may edit, allow-, and one for people who may only look, view-.
var rules = []struct {
	name, value, who string
	parse            func(string) (admission.Rule, error)
}{
	{"email", "ADDRESS", "the person with this verified e-mail address", admission.Email},
	{"email-domain", "DOMAIN", "people with a verified e-mail address of this domain; subdomains are not included", admission.EmailDomain},
	{"claim", "NAME=VALUE", "people whose claim has this value, or is a list that contains it", admission.Claim},
	{"subject", "SUBJECT", "the person with this subject, the claim sub", admission.Subject},
}

func ruleOptions() []Option {
	var out []Option
	for _, level := range []struct{ prefix, may string }{{"allow-", "may edit"}, {"view-", "may look"}} {
		for _, r := range rules {
			out = append(out, Option{
				Name: level.prefix + r.name, Kind: Text, List: true, Value: r.value, Help: "who " + level.may + ": " + r.who + "; repeatable",
				check: func(text string) error {
					for v := range strings.SplitSeq(text, "\n") {
						if _, err := r.parse(v); err != nil {
							return fmt.Errorf("%w, is %q", err, v)
						}
					}
					return nil
				},
			})
		}
	}
	return out
}

// rulesOf parses the rules of one level, which their check has accepted.
func (v values) rulesOf(prefix string) (out []admission.Rule) {
	for _, r := range rules {
		for text := range strings.SplitSeq(v.Text(prefix+r.name), "\n") {
			if rule, err := r.parse(text); err == nil {
				out = append(out, rule)
			}
		}
	}
	return out
}

func (v values) remote() Remote {
	text := v.Text
	r := Remote{
		Issuer: text("issuer"), ClientID: text("client-id"), ClientSecret: text("client-secret"), Audience: text("audience"),
		MeAudience: text("me-audience"), ManagementURL: strings.TrimRight(text("management-url"), "/"), DPoP: text("upstream-dpop") == "auto",
	}
	if r.ManagementURL == "" && r.Audience != "" && checkManagement(r.Audience) == nil {
		r.ManagementURL = strings.TrimRight(r.Audience, "/")
	}
	if text("management-auth") != byClient {
		return r
	}
	s := &Service{
		Issuer: text("management-issuer"), ClientID: text("management-client-id"), Secret: text("management-client-secret"),
		KeyFile: text("management-client-key"), Rules: admission.Rules{Edit: v.rulesOf("allow-"), View: v.rulesOf("view-")},
	}
	if s.Issuer == "" {
		s.Issuer = r.Issuer
	}
	if s.ClientID == "" && s.Issuer == r.Issuer {
		s.ClientID = r.ClientID
	}
	// The secret is sent only to the issuer that gave it.
	if s.Secret+s.KeyFile == "" && s.ClientID == r.ClientID && s.Issuer == r.Issuer {
		s.Secret = r.ClientSecret
	}
	r.Service = s
	return r
}

// checkRemote checks the options of a remote tenant together, or that none is given without one.
func (c *Config) checkRemote(add func(name, detail string)) {
	if !c.Remote.Given() {
		for _, o := range remoteOptions() {
			if c.values[o.Name].given() {
				add(o.Name, "must not be given without --issuer")
			}
		}
		return
	}
	for _, name := range []string{"client-id", "client-secret", "audience"} {
		if c.values[name].text == "" {
			add(name, "must be given together with --issuer")
		}
	}
	switch {
	case c.Remote.ManagementURL != "":
	case c.Remote.Audience == "":
		add("management-url", "must be given together with --issuer")
	default:
		add("management-url", "must be given together with --issuer, since --audience is not an address ending in /api/v2")
	}
	for _, name := range []string{
		"tenant-listen", "tenant-url", "custom-url", "sample-listen", "sample-url", "admin-email", "admin-password",
		"webauthn-grant", "signup",
	} {
		if c.values[name].given() {
			add(name, "must not be given together with --issuer: the embedded tenant does not start")
		}
	}
	c.checkService(add)
}

// checkService checks the service client and its rules.
func (c *Config) checkService(add func(name, detail string)) {
	has := func(name string) bool { return c.values.Text(name) != "" }
	s := c.Remote.Service
	if s == nil {
		for _, o := range remoteOptions() {
			if (o.List || strings.HasPrefix(o.Name, "management-client-") || o.Name == "management-issuer") && has(o.Name) {
				add(o.Name, "must be given together with --management-auth client")
			}
		}
		return
	}
	var allowed bool
	for _, r := range rules {
		allowed = allowed || has("allow-"+r.name)
	}
	if !allowed {
		add("management-auth", "must not be client without a rule of who may edit: give --allow-email, --allow-email-domain, --allow-claim or "+
			"--allow-subject")
	}
	if has("me-audience") {
		add("me-audience", "must not be given together with --management-auth client: people have no tokens of their own then")
	}
	switch {
	case s.Secret != "" && s.KeyFile != "":
		add("management-client-key", "must not be given together with --management-client-secret")
	case s.ClientID == "" && has("client-id"):
		add("management-client-id", "must be given together with --management-issuer, where --client-id is not known")
	case s.Secret+s.KeyFile == "" && has("client-secret"):
		add("management-client-secret", "must be given, or --management-client-key, for another client than --client-id")
	}
}
