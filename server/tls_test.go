package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/signintest"
)

// keeps checks the cookies of both listeners. WebKit keeps no Secure cookie of plain http, not even on loopback, and no browser keeps the prefix
// without Secure.
func (p *person) keeps(secure bool) {
	p.r.t.Helper()
	jar, ok := p.client.Jar.(*signintest.Jar)
	if !ok {
		p.r.t.Fatal("the jar tells no attributes")
	}
	for listener, want := range map[string][]string{p.r.at.Editor: {"fg"}, p.r.at.Tenant: {"fg-tenant", "fg-tenant-known", "fg-tenant-visit"}} {
		var got []string
		for _, c := range jar.Kept(mustURL(p.r.t, listener).Host) {
			if c.Secure != secure || strings.HasPrefix(c.Name, "__Host-") != secure || !c.HttpOnly || c.SameSite == 0 || c.Path != "/" {
				p.r.t.Errorf("%s: cookie %s %+v", listener, c.Name, c)
			}
			got = append(got, strings.TrimPrefix(strings.TrimPrefix(c.Name, "__Host-"), "Http-"))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			p.r.t.Errorf("%s: cookies %v, want %v", listener, got, want)
		}
	}
}

func TestCookiesOfPlainHTTP(t *testing.T) {
	r := start(t, newData(t))
	p, first := r.person(), r.first()
	p.signIn(first.Admin.Email, first.Admin.Password)
	p.keeps(false)
}

// With TLS everything works for clients that trust the authority: sign-in, list, discovery, HTTP/2; for others
// and for plain HTTP nothing does.
func TestServeTLS(t *testing.T) {
	folder := newData(t)
	r := start(t, folder, "--tls-local")
	if !strings.HasPrefix(r.at.Editor, "https://localhost:") || !strings.HasPrefix(r.at.Tenant, "https://localhost:") {
		t.Fatalf("addresses are %v", r.at)
	}
	text, err := os.ReadFile(filepath.Join(folder, "local-ca.pem"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	p := r.person()
	p.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	first := r.first()
	p.signIn(first.Admin.Email, first.Admin.Password)
	if status, _, body := p.app("GET", "/bff/api/forms", ""); status != 200 {
		t.Errorf("forms: %d %s", status, body)
	}
	p.keeps(true)
	if _, _, body := p.send("GET", r.at.Tenant+"/.well-known/openid-configuration", ""); !strings.Contains(body, `"issuer":"`+r.at.Tenant) {
		t.Errorf("discovery: %s", body)
	}
	get := func(c *http.Client, address string) (*http.Response, error) {
		req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.Do(req)
	}
	res, err := get(p.client, r.at.Editor+"/healthz")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.Proto != "HTTP/2.0" || res.TLS.Version < tls.VersionTLS12 {
		t.Errorf("%s, TLS %x", res.Proto, res.TLS.Version)
	}
	if res, err := get(&http.Client{Transport: &http.Transport{}}, r.at.Editor+"/healthz"); err == nil {
		_ = res.Body.Close()
		t.Error("a client that does not trust the authority is served")
	}
	if res, err := get(http.DefaultClient, strings.Replace(r.at.Editor, "https:", "http:", 1)+"/healthz"); err == nil {
		_ = res.Body.Close()
		if res.StatusCode == http.StatusOK {
			t.Error("plain HTTP is served")
		}
	}
}
