package clienttests

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script runs a program of testdata in the folder of its packages, signed in as the administrator.
func (s *server) script(t testing.TB, name string, env ...string) string {
	t.Helper()
	folder := copied(t, os.Getenv("FORMGRAPH_NODE_CLIENTS"), "browser.mjs", name)
	env = append(env, "TENANT="+s.Tenant, "EMAIL="+s.Admin.Email, "PASSWORD="+s.Admin.Password)
	return strings.TrimSpace(node(t, s, env, filepath.Join(folder, name)))
}

// copied copies programs of testdata to a folder below that of their packages, where node finds these.
func copied(t testing.TB, packages string, names ...string) (folder string) {
	t.Helper()
	folder, err := os.MkdirTemp(packages, "script-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// openid-client 6.8.9 and oauth4webapi 3.8.8: pushed requests, proofs of possession, refresh, user info, revocation, resource and the
// metadata of RFC 8414. After an authorization is revoked, its access token is refused.
func TestOpenIDClients(t *testing.T) {
	s := start(t, "--tls-local")
	const callback = "https://app.example/callback"
	id, secret := s.application(t, `"name":"On a server","callbacks":["`+callback+`"]`)
	s.manage(t, "POST", "/client-grants",
		fmt.Sprintf(`{"client_id":"%s","audience":"%s/api/v2/","subject_type":"user","scope":["read:forms"]}`, id, s.Tenant))
	env := []string{"CLIENT=" + id, "SECRET=" + secret, "CALLBACK=" + callback}
	for name, want := range map[string]string{
		"openid-client.mjs": "plain bearer 401, pushed bearer 401, DPoP dpop 401",
		"oauth4webapi.mjs":  "true true 401",
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.script(t, name, env...); got != want {
				t.Errorf("the script says %q, want %q", got, want)
			}
		})
	}
}

// express-openid-connect 3.4.0 with its defaults, an ID token by form_post: the application needs the grant implicit.
func TestExpressOpenIDConnect(t *testing.T) {
	s := start(t, "--tls-local")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	id, _ := s.application(t, fmt.Sprintf(
		`"name":"Express","grant_types":["implicit"],"callbacks":["%[1]s/callback"],"allowed_logout_urls":["%[1]s"]`, base))
	// It first warns about plain http.
	want := "hello " + s.Admin.Email + "\n/oidc/logout"
	if got := s.script(t, "express-openid-connect.mjs", "CLIENT="+id, "BASE="+base); !strings.HasSuffix(got, want) {
		t.Errorf("the script says %q, want %q", got, want)
	}
}
