package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/hosts"
)

func checkAddress(v string) error {
	_, port, err := net.SplitHostPort(v)
	if err != nil {
		return errors.New("must be host:port")
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return errors.New("must have a port from 0 to 65535")
	}
	return nil
}

// checkOrigin accepts an address as people type it: scheme and host, no path. http is for loopback only, since session cookies and
// passwords travel over it.
func checkOrigin(v string) error {
	u, err := plainURL(v)
	if err != nil {
		return err
	}
	if u.Path != "" && u.Path != "/" {
		return errors.New("must have no path")
	}
	return nil
}

func checkProxies(v string) error {
	if _, err := clientip.ParseProxies(v); err != nil {
		return errors.New("must be a network such as 10.0.0.0/8, or several separated by commas")
	}
	return nil
}

// proxies parses a value that checkProxies has accepted.
func proxies(v string) clientip.Proxies {
	p, err := clientip.ParseProxies(v)
	if err != nil {
		return nil
	}
	return p
}

func checkRemote(v string) error {
	u, err := plainURL(v)
	if err != nil {
		return err
	}
	return hosts.Callable(u.Hostname())
}

func checkManagement(v string) error {
	if err := checkRemote(v); err != nil {
		return err
	}
	if !strings.HasSuffix(strings.TrimRight(v, "/"), "/api/v2") {
		return errors.New("must end with /api/v2")
	}
	return nil
}

func plainURL(v string) (*url.URL, error) {
	u, err := url.Parse(v)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("must be an http or https address")
	case u.User != nil:
		return nil, errors.New("must not hold a user name or password")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("must have no query and no fragment")
	case u.Scheme == "http" && !hosts.Loopback(u.Hostname()):
		return nil, errors.New("must be https: http is accepted on loopback only")
	}
	return u, nil
}

// checkDatabase accepts the URL of a PostgreSQL database. Its errors do not quote it, since it may contain a password.
func checkDatabase(v string) error {
	u, err := url.Parse(v)
	switch {
	case err != nil:
		return errors.New("must be a URL such as postgres://user:password@host/formgraph, with special characters of the password encoded")
	case u.Scheme != "postgres" && u.Scheme != "postgresql":
		return errors.New("must begin with postgres://; without it, a SQLite file in --data is used")
	case strings.Trim(u.Path, "/") == "":
		return errors.New("must name a database, as in postgres://host/formgraph")
	}
	return nil
}

func checkEmail(v string) error {
	local, domain, ok := strings.Cut(v, "@")
	if !ok || local == "" || domain == "" || strings.ContainsAny(v, " \t\r\n") || len(v) > 254 {
		return errors.New("must be an e-mail address")
	}
	return nil
}

// defaultPasskeyGrant is the name of the grant that registers and signs in with a passkey; see server/API.md.
const defaultPasskeyGrant = "urn:formgraph:params:oauth:grant-type:webauthn" //nolint:gosec // a name, no secret

// maxGrant is the length limit of a grant's name in bytes; every client that may use the grant repeats it.
const maxGrant = 200

// checkGrant accepts an absolute URI, so that the name cannot replace a standard grant such as authorization_code. RFC 6749,
// section 4.5.
func checkGrant(v string) error {
	u, err := url.Parse(v)
	switch {
	case err != nil || !u.IsAbs() || strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("must be an absolute URI in ASCII, such as " + defaultPasskeyGrant)
	case len(v) > maxGrant:
		return fmt.Errorf("must be at most %d bytes, is %d", maxGrant, len(v))
	}
	return nil
}

// wildcardHost reports whether a listener's host stands for all interfaces.
func wildcardHost(host string) bool {
	if host == "" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsUnspecified()
}
