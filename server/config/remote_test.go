package config_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/admission"
)

// service returns the options of a remote tenant that is called by a service client.
func service(more ...string) []string {
	return append(remote("--management-auth", "client", "--allow-subject", "s1"), more...)
}

func TestRemoteTenantIsCalledByPeopleByDefault(t *testing.T) {
	c, err := load(t, nil, remote()...)
	if err != nil || c.Remote.Service != nil || !c.Remote.DPoP {
		t.Errorf("remote = %+v, %v", c.Remote, err)
	}
	if c, err = load(t, nil, remote("--upstream-dpop", "off", "--management-auth", "user")...); err != nil || c.Remote.DPoP {
		t.Errorf("remote = %+v, %v", c.Remote, err)
	}
}

func TestServiceClient(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		env  map[string]string
		want string // issuer, client ID, secret, key file
	}{
		{"client of the sign-in", service(), nil, "https://tenant.example/ c s3cret-value "},
		{"another secret", service("--management-client-secret", "x"), nil, "https://tenant.example/ c x "},
		{"secret of the environment", service(), map[string]string{"FORMGRAPH_MANAGEMENT_CLIENT_SECRET": "x"}, "https://tenant.example/ c x "},
		{"key", service("--management-client-key", "key.pem"), nil, "https://tenant.example/ c  key.pem"},
		{
			"another client", service("--management-client-id", "m", "--management-client-secret", "x"), nil,
			"https://tenant.example/ m x ",
		},
		{
			"another issuer",
			service("--management-issuer", "https://other.example", "--management-client-id", "m", "--management-client-key", "k"),
			nil, "https://other.example m  k",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := load(t, tt.env, tt.args...)
			if err != nil {
				t.Fatal(err)
			}
			s := c.Remote.Service
			if got := strings.Join([]string{s.Issuer, s.ClientID, s.Secret, s.KeyFile}, " "); got != tt.want {
				t.Errorf("service = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestManagementURLFollowsTheAudience(t *testing.T) {
	args := func(more ...string) []string {
		return append([]string{"--issuer", "https://t.example/", "--client-id", "c", "--client-secret", "s"}, more...)
	}
	for _, tt := range []struct{ audience, given, want string }{
		{"https://t.example/api/v2/", "", "https://t.example/api/v2"},
		{"https://t.example/api/v2", "", "https://t.example/api/v2"},
		{"https://t.example/api/v2/", "https://api.example/tenant/api/v2/", "https://api.example/tenant/api/v2"},
	} {
		more := []string{"--audience", tt.audience}
		if tt.given != "" {
			more = append(more, "--management-url", tt.given)
		}
		if c, err := load(t, nil, args(more...)...); err != nil || c.Remote.ManagementURL != tt.want {
			t.Errorf("%v: %+v, %v", tt, c, err)
		}
	}
	for _, audience := range []string{"urn:management", "http://t.example/api/v2/", "https://t.example/", "https://169.254.169.254/api/v2/"} {
		_, err := load(t, nil, args("--audience", audience)...)
		if err == nil || !strings.Contains(err.Error(), "--management-url: must be given") {
			t.Errorf("%s: %v", audience, err)
		}
	}
}

// judge returns the level of a person by the rules of a configuration.
func judge(t *testing.T, env map[string]string, claims string, args ...string) admission.Level {
	t.Helper()
	c, err := load(t, env, args...)
	if err != nil {
		t.Fatal(err)
	}
	person, err := admission.ParseClaims([]byte(claims))
	if err != nil {
		t.Fatal(err)
	}
	return c.Remote.Service.Rules.Level(person)
}

func TestRulesKeepCommas(t *testing.T) {
	ana, comma, group := `{"sub":"ana"}`, `{"sub":"a,b"}`, `{"groups":["CN=forms,OU=x"]}`
	for _, tt := range []struct {
		name, person string
		env          map[string]string
		args         []string
		want         admission.Level
	}{
		{"flag", ana, nil, service("--allow-subject", "ana"), admission.Edit},
		{"comma in a flag", comma, nil, service("--allow-subject", "a,b", "--allow-subject", "c"), admission.Edit},
		{"half of a flag with a comma", `{"sub":"a"}`, nil, service("--allow-subject", "a,b"), admission.None},
		{"claim with a comma", group, nil, service("--allow-claim", "groups=CN=forms,OU=x"), admission.Edit},
		{"first of two", `{"sub":"s1"}`, nil, service("--allow-subject", "s2"), admission.Edit},
		{"viewer", ana, nil, service("--view-subject", "x", "--view-subject", "ana"), admission.View},
		{
			"environment", ana,
			map[string]string{"FORMGRAPH_ALLOW_EMAIL": "b@x.test, c@x.test", "FORMGRAPH_VIEW_SUBJECT": "x, ana,"},
			service(), admission.View,
		},
		{"lines of the environment", comma, map[string]string{"FORMGRAPH_VIEW_SUBJECT": "\n x\r\n  a,b\r\n"}, service(), admission.View},
		{"line with a comma", `{"sub":"a"}`, map[string]string{"FORMGRAPH_VIEW_SUBJECT": "x\na,b\n"}, service(), admission.None},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := judge(t, tt.env, tt.person, tt.args...); got != tt.want {
				t.Errorf("level %v, want %v", got, tt.want)
			}
		})
	}
	everyone := remote(
		"--management-auth", "client", "--allow-email", "ana@x.test", "--view-email-domain", "y.test", "--allow-claim", "role=editor",
	)
	for claims, want := range map[string]admission.Level{
		`{"email":"Ana@x.test","email_verified":true}`: admission.Edit,
		`{"email":"ben@y.test","email_verified":true}`: admission.View,
		`{"role":["editor"]}`:                          admission.Edit,
		`{"sub":"s1"}`:                                 admission.None,
	} {
		if got := judge(t, nil, claims, everyone...); got != want {
			t.Errorf("%s: level %v, want %v", claims, got, want)
		}
	}
}

func TestFaultsOfServiceClients(t *testing.T) {
	const (
		alone = "must be given together with --management-auth client"
		rule  = "management-auth: must not be client without a rule of who may edit: give --allow-email, --allow-email-domain, " +
			"--allow-claim or --allow-subject"
	)
	for _, tt := range []struct {
		name string
		args []string
		env  map[string]string
		want []string
	}{
		{"no rule", remote("--management-auth", "client"), nil, []string{rule}},
		{"viewers alone", remote("--management-auth", "client", "--view-subject", "s"), nil, []string{rule}},
		{"empty rule", remote("--management-auth", "client"), map[string]string{"FORMGRAPH_ALLOW_EMAIL": " , "}, []string{rule}},
		{"empty flag", remote("--management-auth", "client", "--allow-email", ""), nil, []string{rule, "allow-email: must not be empty"}},
		{"rules without a client", remote("--allow-subject", "s", "--view-claim", "a=b"), nil, []string{
			"allow-subject: " + alone, "view-claim: " + alone,
		}},
		{"client without its mode", remote(
			"--management-client-id", "m", "--management-client-secret", "x", "--management-client-key", "k", "--management-issuer", "https://x.example",
		), nil, []string{
			"management-issuer: " + alone, "management-client-id: " + alone, "management-client-secret: " + alone, "management-client-key: " + alone,
		}},
		{"embedded tenant", []string{"--management-auth", "user", "--upstream-dpop", "auto", "--allow-subject", "s"}, nil, []string{
			"management-auth: must not be given without --issuer", "upstream-dpop: must not be given without --issuer",
			"allow-subject: must not be given without --issuer",
		}},
		{"secret and key", service("--management-client-secret", "x", "--management-client-key", "k"), nil, []string{
			"management-client-key: must not be given together with --management-client-secret",
		}},
		{"client without secret", service("--management-client-id", "m"), nil, []string{
			"management-client-secret: must be given, or --management-client-key, for another client than --client-id",
		}},
		{"issuer without client", service("--management-issuer", "https://x.example"), nil, []string{
			"management-client-id: must be given together with --management-issuer, where --client-id is not known",
		}},
		{"metadata address", service("--management-issuer", "https://169.254.169.254"), nil, []string{
			"management-issuer: must not be a link-local or metadata address",
			"management-client-id: must be given together with --management-issuer, where --client-id is not known",
		}},
		{"account page", service("--me-audience", "urn:me"), nil, []string{
			"me-audience: must not be given together with --management-auth client: people have no tokens of their own then",
		}},
		{"unknown mode", remote("--management-auth", "both"), nil, []string{`management-auth: must be one of user, client, is "both"`}},
		{"malformed rules", service(
			"--allow-email", "ana@x.test", "--allow-email", "ana", "--allow-email-domain", "@x.test", "--view-email-domain", "https://x.test",
			"--view-claim", "roles", "--allow-claim", "a=*", "--view-subject", "*",
		), nil, []string{
			`allow-email: must be an e-mail address, is "ana"`,
			`allow-email-domain: must be a domain without @, such as example.com, is "@x.test"`,
			`view-email-domain: must be a domain, such as example.com, is "https://x.test"`,
			`view-claim: must be NAME=VALUE, is "roles"`,
			`allow-claim: must name one value: * does not stand for every value, is "a=*"`,
			`view-subject: must be the subject of one person, is "*"`,
		}},
		{"several addresses in one flag", service("--allow-email", "a@x.test,b@x.test"), nil, []string{
			`allow-email: must be an e-mail address, is "a@x.test,b@x.test"`,
		}},
		{"empty one of several", service("--allow-subject", ""), nil, []string{`allow-subject: must be the subject of one person, is ""`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(t, tt.env, tt.args...)
			lines := strings.Split(fmt.Sprint(err), "\n")
			if len(lines) != len(tt.want) {
				t.Errorf("faults:\n%v\nwant %d", err, len(tt.want))
			}
			for _, want := range tt.want {
				if !strings.Contains(fmt.Sprint(err), "--"+want) {
					t.Errorf("faults:\n%v\nlack %q", err, want)
				}
			}
		})
	}
}

func TestServiceSecretIsNeverPrinted(t *testing.T) {
	const secret = "management-secret-value"
	c, err := load(t, nil, service("--management-client-id", "m", "--management-client-secret", secret)...)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := c.Print(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `management-client-secret = "********" (flag)`) {
		t.Errorf("printed %s", out.String())
	}
	_, err = load(t, nil, service("--management-client-secret", secret, "--management-client-key", "k")...)
	if text := out.String() + fmt.Sprint(c.LogValue()) + fmt.Sprint(err); strings.Contains(text, secret) || err == nil {
		t.Errorf("the secret is in %s", text)
	}
}
