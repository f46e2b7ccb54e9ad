package certs_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/certs"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func hosts() []string { return []string{"localhost", "127.0.0.1", "::1", "forms.example"} }

// verify checks a certificate as a client that trusts the authority does.
func verify(t *testing.T, f certs.LocalFiles, host string, at time.Time) error {
	t.Helper()
	pool, err := certs.Trust(f.Authority)
	if err != nil {
		t.Fatal(err)
	}
	_, err = leaf(t, f.Cert).Verify(x509.VerifyOptions{DNSName: host, Roots: pool, CurrentTime: at})
	return err
}

func leaf(t *testing.T, file string) *x509.Certificate {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := pem.Decode(text)
	c, err := x509.ParseCertificate(b.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func local(t *testing.T, folder string, hosts []string, at time.Time) certs.LocalFiles {
	t.Helper()
	f, err := certs.Local(folder, hosts, at)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLocal(t *testing.T) {
	folder := t.TempDir()
	f := local(t, folder, hosts(), noon)
	for _, host := range hosts() {
		if err := verify(t, f, host, noon); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	if verify(t, f, "other.example", noon) == nil {
		t.Error("the certificate is good for another host")
	}
	for _, name := range []string{"local-ca.key", "local-tls.key"} {
		if fi, err := os.Stat(filepath.Join(folder, name)); err != nil || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v, want mode 0600", name, fi, err)
		}
	}
	// What is good stays; near its end the certificate is made anew, and the authority stays.
	was, authority := leaf(t, f.Cert), leaf(t, f.Authority)
	local(t, folder, hosts(), noon.Add(300*24*time.Hour))
	if !leaf(t, f.Cert).Equal(was) {
		t.Error("a good certificate was made anew")
	}
	later := noon.Add(335 * 24 * time.Hour)
	local(t, folder, hosts(), later)
	if leaf(t, f.Cert).Equal(was) || !leaf(t, f.Authority).Equal(authority) {
		t.Error("near its end: want a new certificate by the old authority")
	}
	if err := verify(t, f, "localhost", later.Add(389*24*time.Hour)); err != nil {
		t.Error(err)
	}
	// Another host needs an authority that may sign for it.
	local(t, folder, append(hosts(), "new.example"), later)
	if err := verify(t, f, "new.example", later); err != nil {
		t.Error(err)
	}
	if leaf(t, f.Authority).Equal(authority) {
		t.Error("the authority signs for a host that it was not made for")
	}
	// An authority near its end goes, and its certificate with it.
	end := later.Add(9 * 365 * 24 * time.Hour)
	local(t, folder, hosts(), end)
	if err := verify(t, f, "localhost", end.Add(380*24*time.Hour)); err != nil {
		t.Error(err)
	}
}

// The authority's key cannot sign certificates of other sites.
func TestAuthorityIsBound(t *testing.T) {
	folder := t.TempDir()
	f := local(t, folder, hosts(), noon)
	authority, err := tls.LoadX509KeyPair(f.Authority, filepath.Join(folder, "local-ca.key"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*x509.Certificate{
		"a name":     {DNSNames: []string{"bank.example"}},
		"an address": {IPAddresses: []net.IP{net.IPv4(192, 0, 2, 1)}},
	} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(1), noon, noon.Add(time.Hour)
		der, err := x509.CreateCertificate(rand.Reader, c, authority.Leaf, &key.PublicKey, authority.PrivateKey)
		if err != nil {
			t.Fatal(err)
		}
		made, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		pool := x509.NewCertPool()
		pool.AddCert(authority.Leaf)
		if _, err := made.Verify(x509.VerifyOptions{
			Roots: pool, CurrentTime: noon,
			KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
		}); err == nil {
			t.Errorf("%s that the authority was not made for is taken", name)
		}
	}
}

func TestLocalBroken(t *testing.T) {
	folder := t.TempDir()
	f := local(t, folder, hosts(), noon)
	if err := os.WriteFile(f.Cert, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := certs.Local(folder, hosts(), noon)
	if err == nil || !strings.Contains(err.Error(), f.Cert) || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a broken file: %v, want its name and what to do", err)
	}
}

// A renewed certificate is used without a restart; a wrong one leaves the old one in use.
func TestFilesFollowed(t *testing.T) {
	folder := t.TempDir()
	now := noon
	var log bytes.Buffer
	f := local(t, folder, hosts(), now)
	s, err := certs.Files(f.Cert, f.Key, func() time.Time { return now }, slog.New(slog.NewJSONHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if want := leaf(t, f.Cert).NotAfter; !s.Expiry().Equal(want) {
		t.Errorf("expires at %v, want %v", s.Expiry(), want)
	}
	shown := func() *x509.Certificate {
		t.Helper()
		c, err := s.Config().GetCertificate(&tls.ClientHelloInfo{})
		if err != nil {
			t.Fatal(err)
		}
		return c.Leaf
	}
	touch := func(at time.Time) {
		t.Helper()
		for _, name := range []string{f.Cert, f.Key} {
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	first := shown()
	now = now.Add(335 * 24 * time.Hour)
	local(t, folder, hosts(), now)
	touch(now)
	second := shown()
	if second.Equal(first) || !second.Equal(leaf(t, f.Cert)) {
		t.Error("the renewed certificate is not shown")
	}
	now = now.Add(time.Hour)
	if err := os.WriteFile(f.Cert, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	touch(now)
	if !shown().Equal(second) || !strings.Contains(log.String(), "keeping the old one") {
		t.Errorf("a broken file: %s, want the old certificate and a line in the log", log.String())
	}
}

func TestFilesRefused(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	f, g := local(t, folder, hosts(), noon), local(t, other, hosts(), noon)
	for name, tt := range map[string]struct {
		cert, key string
		at        time.Time
	}{
		"another key": {f.Cert, g.Key, noon},
		"no file":     {filepath.Join(folder, "none"), f.Key, noon},
		"past":        {f.Cert, f.Key, noon.Add(400 * 24 * time.Hour)},
		"to come":     {f.Cert, f.Key, noon.Add(-2 * time.Hour)},
	} {
		if _, err := certs.Files(tt.cert, tt.key, func() time.Time { return tt.at }, slog.New(slog.DiscardHandler)); err == nil ||
			!strings.Contains(err.Error(), tt.cert) {
			t.Errorf("%s: %v, want an error that names the file", name, err)
		}
	}
	if _, err := certs.Trust(f.Key); err == nil {
		t.Error("a file without certificates is trusted")
	}
}
