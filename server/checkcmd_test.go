package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/foreigntest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// checked runs formgraph check and returns its exit code and its lines by the name of the check.
func checked(t *testing.T, args ...string) (code int, lines map[string]string, out string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"check"}, args...)
	if !slices.Contains(args, "--data") {
		args = append(args, "--data", filepath.Join(t.TempDir(), "data"))
	}
	code = run(t.Context(), process{stdout: &stdout, stderr: &stderr, lookup: noEnv}, args)
	out = stdout.String() + stderr.String()
	lines = map[string]string{}
	for line := range strings.Lines(stdout.String()) {
		if words := strings.Fields(line); len(words) > 1 {
			lines[words[1]] = strings.TrimSpace(line)
		}
	}
	if strings.Contains(out, foreigntest.Secret) {
		t.Errorf("a secret is printed: %s", out)
	}
	return code, lines, out
}

const someRule = "--allow-email-domain=team.example"

// with returns the options of a tenant with others; a later option replaces an earlier one.
func with(tenant *foreigntest.Tenant, service bool, more ...string) []string {
	args := tenant.Options(service)
	if service {
		args = append(args, someRule)
	}
	for i := 0; i < len(more); i += 2 {
		if i == len(more)-1 {
			args = append(args, more[i]) // a switch
		} else if at := slices.Index(args, more[i]); at >= 0 {
			args[at+1] = more[i+1]
		} else {
			args = append(args, more[i], more[i+1])
		}
	}
	return args
}

func TestCheckOfARemoteTenant(t *testing.T) {
	for _, x := range []struct {
		name    string
		traits  foreigntest.Traits
		service bool
		more    []string
		code    int
		want    map[string][]string // words of the line of a check; the first is its status
	}{
		{"people", foreigntest.Traits{KnownScopes: true}, false, nil, 0, map[string][]string{
			"configuration": {"ok", "signed-in person"}, "discovery": {"ok", "DPoP not offered"}, "keys": {"ok", "1 key for RS256"},
			"callback": {"ok", "http://localhost:8080/bff/callback"}, "token": {"ok", "accepts the client sign-in"},
			"list": {"skip", "needs a signed-in person"}, "flows": {"skip"}, "clock": {"ok"}, "address": {"ok"}, "proxy": {"ok"},
			"data": {"ok", "first start"},
		}},
		{"service", foreigntest.Traits{KnownScopes: true, PeopleAreStrangers: true, PerSecond: 9}, true, nil, 0, map[string][]string{
			"configuration": {"ok", "service client service", "1 rule for who may edit"}, "callback": {"ok"}, "client": {"ok"},
			"token": {"ok", "update:forms"}, "list": {"ok", "without an ETag", "rate limit 9"}, "flows": {"ok", "2 flows on the first page"},
		}},
		{"ETags", foreigntest.Traits{ETags: true}, true, nil, 0, map[string][]string{"list": {"ok", "with an ETag"}}},
		{"lists with totals", foreigntest.Traits{List: "totals"}, true, nil, 0, map[string][]string{"list": {"ok", "1 form on the first page"}}},
		{"whole lists", foreigntest.Traits{List: "whole", OddIDs: true}, true, nil, 0, map[string][]string{"list": {"ok", "1 form on the first page"}}},
		{"no flows", foreigntest.Traits{NoFlows: true}, true, nil, 0, map[string][]string{
			"token": {"warn", "lacks read:flows"}, "flows": {"warn", "IDs of flows"},
		}},
		{"harmless excess", foreigntest.Traits{Excess: []string{"read:logs"}}, true, nil, 0, map[string][]string{
			"token": {"warn", "more than it needs: read:logs"}, "list": {"ok"},
		}},
		{"power", foreigntest.Traits{Excess: []string{"create:users"}}, true, nil, 1, map[string][]string{
			"token": {"fail", "create:users", "--management-client-id"}, "list": {"skip"}, "flows": {"skip"},
		}},
		{"wrong secret", foreigntest.Traits{}, false, []string{"--client-secret", "wrong"}, 1, map[string][]string{
			"token": {"fail", "as the client", "--client-secret"}, "callback": {"ok"},
		}},
		{"wrong secret of the service client", foreigntest.Traits{}, true, []string{"--management-client-secret", "wrong"}, 1, map[string][]string{
			"client": {"ok"}, "token": {"fail", "invalid_client", "--management-client-id"}, "list": {"skip"},
		}},
		{"wrong secret beside a service client", foreigntest.Traits{}, true, []string{"--client-secret", "wrong"}, 1, map[string][]string{
			"client": {"fail", "not the service client"}, "token": {"ok"},
		}},
		{"errors without a code", foreigntest.Traits{Vague: true}, true, nil, 0, map[string][]string{
			"client": {"warn", "answered 403 without an error code", "sign in"}, "token": {"ok"},
		}},
		{"wrong client", foreigntest.Traits{}, false, []string{"--client-id", "other"}, 1, map[string][]string{
			"callback": {"fail", "http://localhost:8080/bff/callback", "other"}, "token": {"fail"},
		}},
		{"wrong audience", foreigntest.Traits{}, false, []string{"--audience", "https://x.example/api/v2/"}, 1, map[string][]string{
			"callback": {"fail", "audience", "https://x.example/api/v2/ (--audience)"},
		}},
		{
			"wrong audience of the service client",
			foreigntest.Traits{},
			true,
			[]string{"--audience", "https://x.example/api/v2/"},
			1,
			map[string][]string{"callback": {"ok"}, "token": {"fail", "https://x.example/api/v2/"}},
		},
		{"unknown scope", foreigntest.Traits{KnownScopes: true}, false, []string{"--me-audience", "https://x.example/me/"}, 1, map[string][]string{
			"callback": {"fail", "scope", "read:me:"},
		}},
		{"wrong issuer", foreigntest.Traits{}, false, []string{"--issuer", "SLASH"}, 1, map[string][]string{
			"discovery": {"fail", "--issuer"}, "keys": {"skip"}, "callback": {"skip"}, "token": {"skip"},
		}},
		{"wrong address of the API", foreigntest.Traits{}, true, []string{"--management-url", "WRONG"}, 1, map[string][]string{
			"list": {"fail", "--management-url"},
		}},
		{"no trusted proxy", foreigntest.Traits{}, false, []string{"--public-url", "https://forms.example"}, 0, map[string][]string{
			"address": {"ok", "https://forms.example"}, "proxy": {"warn", "--trusted-proxy"}, "callback": {"ok", "https://forms.example/bff/callback"},
		}},
		{"port 0", foreigntest.Traits{}, false, []string{"--listen", "127.0.0.1:0"}, 0, map[string][]string{
			"address": {"skip"}, "callback": {"skip", "--public-url"},
		}},
		{"DPoP", foreigntest.Traits{DPoP: true}, false, nil, 0, map[string][]string{
			"discovery": {"ok", "DPoP offered"}, "token": {"ok", "accepts the client"},
		}},
		{"DPoP of the service client", foreigntest.Traits{DPoP: true}, true, nil, 0, map[string][]string{
			"client": {"ok"}, "token": {"ok"}, "list": {"ok"}, "flows": {"ok"},
		}},
		{"DPoP and a wrong secret", foreigntest.Traits{DPoP: true}, false, []string{"--client-secret", "wrong"}, 1, map[string][]string{
			"token": {"fail", "--client-secret"},
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			tenant := foreigntest.Start(t, x.traits)
			tenant.Add(`{"name":"A form"}`)
			more := slices.Clone(x.more)
			for i, v := range more {
				switch v {
				case "SLASH":
					more[i] = tenant.URL
				case "WRONG":
					more[i] = tenant.URL + "/wrong/api/v2"
				}
			}
			code, lines, out := checked(t, with(tenant, x.service, more...)...)
			if x.code >= 0 && code != x.code {
				t.Errorf("exit code %d, want %d\n%s", code, x.code, out)
			}
			for name, words := range x.want {
				if !strings.HasPrefix(lines[name], words[0]+" ") {
					t.Errorf("%s: got %q, want %s\n%s", name, lines[name], words[0], out)
				}
				for _, word := range words[1:] {
					if !strings.Contains(lines[name], word) {
						t.Errorf("%s: %q does not say %s", name, lines[name], word)
					}
				}
			}
			for _, c := range tenant.Calls() {
				if c.Method != http.MethodGet {
					t.Errorf("the check calls %s %s", c.Method, c.Path)
				}
			}
		})
	}
}

func TestCheckOfClocks(t *testing.T) {
	for apart, want := range map[time.Duration]string{
		0: "ok", 20 * time.Second: "ok", 45 * time.Second: "warn", -45 * time.Second: "warn", 2 * time.Minute: "fail", -2 * time.Minute: "fail",
	} {
		tenant := foreigntest.Start(t, foreigntest.Traits{})
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(apart).UTC().Format(http.TimeFormat))
			http.Redirect(w, r, tenant.URL+r.URL.String(), http.StatusTemporaryRedirect)
		}))
		t.Cleanup(front.Close)
		_, lines, out := checked(t, with(tenant, true, "--management-url", front.URL+"/api/v2")...)
		if !strings.HasPrefix(lines["clock"], want+" ") {
			t.Errorf("%v: %s", apart, out)
		}
	}
}

func TestCheckAsJSON(t *testing.T) {
	tenant := foreigntest.Start(t, foreigntest.Traits{})
	for _, x := range []struct {
		args []string
		code int
	}{{with(tenant, true), 0}, {with(tenant, true, "--client-secret", "wrong"), 1}} {
		code, _, out := checked(t, append(x.args, "--json")...)
		var got struct {
			OK     bool
			Checks []struct{ Name, Status, Detail, Remedy string }
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != x.code || got.OK != (code == 0) || len(got.Checks) != 13 {
			t.Errorf("got %d %s, %v", code, out, err)
		}
		for _, c := range got.Checks {
			if c.Name == "" || c.Status == "" || c.Detail == "" || c.Status == "fail" && c.Remedy == "" {
				t.Errorf("got %+v", c)
			}
		}
	}
}

func TestCheckOfAWrongConfiguration(t *testing.T) {
	for _, args := range [][]string{
		{"--issuer", "https://t.example/"},
		{"--client-id", "x"},
		{"--nonsense"},
		{"--print-ready"},
		{
			"--issuer", "https://t.example/", "--client-id", "c", "--client-secret", "s", "--audience", "https://t.example/api/v2/",
			"--management-auth", "client",
		},
	} {
		if code, lines, out := checked(t, args...); code != 2 || len(lines) > 0 {
			t.Errorf("%v: exit code %d\n%s", args, code, out)
		}
	}
}

func TestCheckOfTheEmbeddedTenant(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	code, lines, out := checked(t, "--data", folder)
	if code != 0 || !strings.Contains(lines["configuration"], "nothing to check at a tenant") || !strings.HasPrefix(lines["data"], "ok ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("the check made the data folder")
	}
	start(t, folder).stop()
	if code, lines, out = checked(t, "--data", folder); code != 0 || !strings.HasPrefix(lines["data"], "ok ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if err := os.Remove(filepath.Join(folder, "keys")); err != nil {
		t.Fatal(err)
	}
	if code, lines, out = checked(t, "--data", folder); code != 1 || !strings.Contains(lines["data"], "Restore the keys") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if _, err := os.Stat(filepath.Join(folder, "keys")); err == nil {
		t.Error("the check made keys")
	}
	if code, lines, out = checked(t, "--data", folder, "--database", postgrestest.URL(t)); code != 0 ||
		!strings.Contains(lines["data"], "copy the keys of another replica") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, lines, out = checked(t, "--data", file); code != 1 || !strings.HasPrefix(lines["data"], "fail ") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestInterruptedCheckFails(t *testing.T) {
	tenant := foreigntest.Start(t, foreigntest.Traits{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	args := append([]string{"check", "--data", t.TempDir()}, with(tenant, false)...)
	if code := run(ctx, process{stdout: &out, stderr: &out, lookup: noEnv}, args); code != 1 || !strings.Contains(out.String(), "interrupted") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
}
