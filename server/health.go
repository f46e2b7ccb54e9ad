package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"

	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/hosts"
)

const (
	// healthPath is the page of every server that answers 200 while the process is alive.
	healthPath = "/healthz"
	// healthTime is how long health waits for an answer. It is shorter than the limits that container engines usually have.
	healthTime = 3 * time.Second
)

var healthTool = tool{
	name: "health", usage: []string{"[URL]"},
	about: `Asks a running server whether it is alive, for the health check of a container, which needs neither
a shell nor curl. Without a URL it asks the editor's listener on this machine, over https if the
listener uses TLS. A URL without a path means /healthz; /readyz also checks the database. The
certificate is not verified on loopback. Exits 0 if the answer is 200, 1 if it is not or does not
arrive within 3 seconds, and 2 if the arguments are wrong.`,
	options: healthOptions(),
}

// healthOptions returns the option of serve from which the address is derived.
func healthOptions() []config.Option {
	table := slices.DeleteFunc(config.Options(), func(o config.Option) bool { return o.Name != "listen" })
	table[0].Help = "address the editor of that server listens on"
	return table
}

// health asks a server for its health page.
func health(ctx context.Context, p process, args []string) int {
	a, code := p.arguments(healthTool, args)
	if a == nil {
		return code
	}
	var pages []*url.URL
	var err error
	switch len(a.Words) {
	case 0:
		pages, err = ownPages(a.Text("listen"))
	case 1:
		pages, err = onePage(a.Words[0])
	default:
		err = fmt.Errorf("health takes one URL, got %d", len(a.Words))
	}
	if err != nil {
		return p.fail(exitUnusable, err)
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	for _, page := range pages {
		if err = ask(ctx, page); !errors.Is(err, errScheme) {
			break
		}
	}
	if err != nil {
		return p.fail(exitFailed, err)
	}
	return exitOK
}

// ownPages returns the addresses of the health page of a listener on this machine, in the order in which to try them.
func ownPages(listen string) ([]*url.URL, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil || port == "0" {
		return nil, fmt.Errorf("the port of --listen %s is chosen at the start: give the URL instead", listen)
	}
	// A listener on all addresses is asked on loopback.
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "", err == nil && ip.Is4() && ip.IsUnspecified():
		host = "127.0.0.1"
	case err == nil && ip.IsUnspecified():
		host = "::1"
	}
	var pages []*url.URL
	for _, scheme := range []string{"http", "https"} {
		pages = append(pages, &url.URL{Scheme: scheme, Host: net.JoinHostPort(host, port), Path: healthPath})
	}
	return pages, nil
}

// onePage reads an address from the command line.
func onePage(text string) ([]*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		// The text is not repeated, since it may contain a password.
		return nil, errors.New("the URL must be an http or https address without a user name, such as http://127.0.0.1:8081/healthz")
	}
	if u.Path == "" {
		u.Path = healthPath
	}
	return []*url.URL{u}, nil
}

// errScheme is the error of ask for an answer that a TLS listener gives to plain http, which is also that to a bad request.
var errScheme = errors.New("400 Bad Request")

// ask returns nil if the answer to GET is 200. It follows no redirect and uses no proxy: only the server itself knows how it is.
func ask(ctx context.Context, page *url.URL) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page.String(), http.NoBody)
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	transport := healthTransport(page.Hostname())
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("no answer from %s: %w", page.Redacted(), err)
	}
	_ = res.Body.Close() // only the status counts
	switch res.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusBadRequest:
		return fmt.Errorf("%s answers %w", page.Redacted(), errScheme)
	}
	return fmt.Errorf("%s answers %s", page.Redacted(), res.Status)
}

// healthTransport returns the transport for a host. On loopback any certificate is accepted: it is made for the public address,
// and the connection does not leave this machine.
func healthTransport(host string) *http.Transport {
	if !hosts.Loopback(host) {
		return &http.Transport{}
	}
	return &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // the dialer connects to loopback only
		DialContext:     (&net.Dialer{Control: loopbackOnly}).DialContext,
	}
}

// loopbackOnly refuses addresses of other machines, to which a name such as localhost could resolve.
func loopbackOnly(_, address string, _ syscall.RawConn) error {
	if at, err := netip.ParseAddrPort(address); err != nil || !at.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s is not on this machine", address)
	}
	return nil
}
