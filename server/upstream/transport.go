package upstream

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/formgraph/formgraph/server/hosts"
)

// Limits of a call to a tenant.
const (
	dialTimeout   = 3 * time.Second
	tlsTimeout    = 5 * time.Second
	headerTimeout = 15 * time.Second
	maxHeader     = 64 << 10
	idleTimeout   = 90 * time.Second
	idlePerHost   = 16
)

// ErrTooLarge means that an answer is larger than its cap.
var ErrTooLarge = errors.New("answer is too large")

// errAddress refuses the addresses at which clouds hand out credentials. The configuration is checked for them too, but a name may later
// resolve to one.
var errAddress = errors.New("link-local and metadata addresses are not called")

// NewTransport returns the transport for a remote tenant. Every phase has a time limit. The transport ignores the environment's proxy,
// which would see tokens, and compression, so that a small answer stays small.
func NewTransport() *http.Transport {
	dialer := &net.Dialer{
		Timeout: dialTimeout,
		Control: func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !hosts.CallableAddr(to.Addr()) {
				return errAddress
			}
			return nil
		},
	}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    tlsTimeout,
		ResponseHeaderTimeout:  headerTimeout,
		MaxResponseHeaderBytes: maxHeader,
		IdleConnTimeout:        idleTimeout,
		MaxIdleConnsPerHost:    idlePerHost,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}
}

// Cap makes the bodies of answers fail with ErrTooLarge after limit bytes, for libraries that set no limit of their own.
func Cap(next http.RoundTripper, limit int64) http.RoundTripper {
	return capped{next, limit}
}

type capped struct {
	next  http.RoundTripper
	limit int64
}

func (c capped) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if res.ContentLength > c.limit {
		return nil, errors.Join(fmt.Errorf("%w: %d bytes", ErrTooLarge, res.ContentLength), res.Body.Close())
	}
	res.Body = &cappedBody{ReadCloser: res.Body, left: c.limit}
	return res, nil
}

type cappedBody struct {
	io.ReadCloser
	left int64
}

// Read allows one byte past the cap, to distinguish a body of exactly that size from a longer one.
func (b *cappedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n - 1, ErrTooLarge
	}
	return n, err
}
