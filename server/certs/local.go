package certs

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// The names of the files of a local authority, below the data folder.
const (
	authorityFile    = "local-ca.pem" // 0644: for those who should trust it
	authorityKeyFile = "local-ca.key" // 0600
	certFile         = "local-tls.pem"
	keyFile          = "local-tls.key" // 0600
)

// Lifetimes, and how long before its end a certificate is renewed. Browsers accept a server's certificate for at most 398 days.
const (
	authorityLife = 10 * 365 * 24 * time.Hour
	certLife      = 390 * 24 * time.Hour
	renewBefore   = 60 * 24 * time.Hour
)

// LocalFiles are the files of a local authority and of the certificate that it issued.
type LocalFiles struct{ Authority, Cert, Key string }

// Local makes sure that folder has a certificate for the hosts, names or IP addresses, issued by an authority of its own, and that both
// stay valid for some time. Valid files are kept, so a browser that trusts the authority continues to. The authority may sign for these
// hosts only, so that a stolen key is useless for other sites. New hosts therefore require a new authority.
func Local(folder string, hosts []string, now time.Time) (LocalFiles, error) {
	f := LocalFiles{filepath.Join(folder, authorityFile), filepath.Join(folder, certFile), filepath.Join(folder, keyFile)}
	authorityKey := filepath.Join(folder, authorityKeyFile)
	authority, err := pair(f.Authority, authorityKey)
	if err != nil {
		return f, err
	}
	if authority == nil || now.Add(certLife).After(authority.Leaf.NotAfter) || !permits(authority.Leaf, hosts) {
		if authority, err = makeAuthority(f.Authority, authorityKey, hosts, now); err != nil {
			return f, err
		}
	}
	cert, err := pair(f.Cert, f.Key)
	if err != nil {
		return f, err
	}
	if cert != nil && now.Add(renewBefore).Before(cert.Leaf.NotAfter) && covers(cert.Leaf, hosts) &&
		cert.Leaf.CheckSignatureFrom(authority.Leaf) == nil {
		return f, nil
	}
	return f, makeCert(f, authority, hosts, now)
}

// pair reads a certificate with its key; it returns nil if one of the files does not exist.
func pair(cert, key string) (*tls.Certificate, error) {
	c, err := tls.LoadX509KeyPair(cert, key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // a missing file is not an error
	}
	if err != nil {
		return nil, fmt.Errorf("read local certificate %s: %w; remove it to have a new one made", cert, err)
	}
	return &c, nil
}

// names separates hosts into DNS names and addresses.
func names(hosts []string) (dns []string, ips []net.IP) {
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			ips = append(ips, ip)
		} else {
			dns = append(dns, h)
		}
	}
	return dns, ips
}

func covers(c *x509.Certificate, hosts []string) bool {
	return !slices.ContainsFunc(hosts, func(h string) bool { return c.VerifyHostname(h) != nil })
}

func permits(c *x509.Certificate, hosts []string) bool {
	dns, ips := names(hosts)
	for _, name := range dns {
		if !slices.Contains(c.PermittedDNSDomains, name) {
			return false
		}
	}
	for _, ip := range ips {
		if !slices.ContainsFunc(c.PermittedIPRanges, func(r *net.IPNet) bool { return r.Contains(ip) }) {
			return false
		}
	}
	return true
}

func makeAuthority(cert, key string, hosts []string, now time.Time) (*tls.Certificate, error) {
	dns, ips := names(hosts)
	t := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "Formgraph local authority of " + now.Format(time.DateOnly)},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(authorityLife),
		IsCA: true, MaxPathLenZero: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: dns,
	}
	for _, ip := range ips {
		if v4 := ip.To4(); v4 != nil {
			ip = v4
		}
		t.PermittedIPRanges = append(t.PermittedIPRanges, &net.IPNet{IP: ip, Mask: net.CIDRMask(8*len(ip), 8*len(ip))})
	}
	return issue(cert, key, t, nil)
}

func makeCert(f LocalFiles, authority *tls.Certificate, hosts []string, now time.Time) error {
	dns, ips := names(hosts)
	t := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "Formgraph on this machine"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certLife), DNSNames: dns, IPAddresses: ips,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	_, err := issue(f.Cert, f.Key, t, authority)
	return err
}

// issue makes a key, signs t with the authority's key or, without an authority, with its own, and writes both files. It writes the key
// first: a certificate without its key is ignored.
func issue(cert, key string, t *x509.Certificate, authority *tls.Certificate) (*tls.Certificate, error) {
	fail := func(err error) (*tls.Certificate, error) {
		return nil, fmt.Errorf("make local certificate %s: %w", cert, err)
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fail(err)
	}
	if t.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return fail(err)
	}
	parent, signer := t, crypto.PrivateKey(private)
	if authority != nil {
		parent, signer = authority.Leaf, authority.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, t, parent, &private.PublicKey, signer)
	if err != nil {
		return fail(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return fail(err)
	}
	err = errors.Join(
		write(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600),
		write(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644),
	)
	if err != nil {
		return fail(err)
	}
	return pair(cert, key)
}

// write replaces a file in one step.
func write(name string, content []byte, mode fs.FileMode) error {
	tmp := name + ".new"
	_ = os.Remove(tmp) // left by an interrupted run, perhaps with another mode
	if err := os.WriteFile(tmp, content, mode); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}
