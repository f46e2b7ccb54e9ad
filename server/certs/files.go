// Package certs has the certificates that the listeners show: files of somebody else's making, which are
// followed as they are renewed, or a local authority's of our own for one machine.
package certs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// lookEvery is how often the files are looked at, at most.
const lookEvery = 30 * time.Second

// Source is a certificate with its key in two PEM files, followed as they change: tools that renew
// certificates need not restart the server. It owns no goroutine and is safe for concurrent use.
type Source struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger
	current   atomic.Pointer[tls.Certificate]

	mu     sync.Mutex
	looked time.Time
	seen   [2]time.Time // when the files were written
}

// Files reads a certificate, its chain after it, and its key. Both must be there, belong to each other,
// and be valid at this time.
func Files(cert, key string, now func() time.Time, log *slog.Logger) (*Source, error) {
	s := &Source{cert: cert, key: key, now: now, log: log, looked: now()}
	// The times are taken first: a change between the two is seen the next time.
	s.seen = s.written()
	c, err := s.read()
	if err != nil {
		return nil, err
	}
	s.current.Store(c)
	return s, nil
}

// Config returns how a listener speaks TLS: version 1.2 or later, HTTP/2 offered.
func (s *Source) Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.get, NextProtos: []string{"h2", "http/1.1"}}
}

// get returns the certificate as it is now. While the files are missing or wrong, that is the one that was
// read last, and the log says why.
func (s *Source) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if s.mu.TryLock() { // whoever comes meanwhile takes what is there
		defer s.mu.Unlock()
		if now := s.now(); now.Sub(s.looked) >= lookEvery || now.Before(s.looked) {
			s.looked = now
			s.look()
		}
	}
	return s.current.Load(), nil
}

func (s *Source) look() {
	written := s.written()
	if written == s.seen {
		return
	}
	s.seen = written
	c, err := s.read()
	if err != nil {
		s.log.LogAttrs(context.Background(), slog.LevelError, "certificate cannot be read, keeping the old one", slog.Any("error", err))
		return
	}
	s.current.Store(c)
	s.log.LogAttrs(context.Background(), slog.LevelInfo, "certificate renewed", slog.Time("until", c.Leaf.NotAfter))
}

// written returns when the two files were written, the zero time for one that is not there.
func (s *Source) written() (at [2]time.Time) {
	for i, name := range []string{s.cert, s.key} {
		if fi, err := os.Stat(name); err == nil {
			at[i] = fi.ModTime()
		}
	}
	return at
}

func (s *Source) read() (*tls.Certificate, error) {
	c, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return nil, fmt.Errorf("read certificate %s with key %s: %w", s.cert, s.key, err)
	}
	switch now := s.now(); {
	case c.Leaf == nil:
		return nil, fmt.Errorf("read certificate %s: it is not a certificate", s.cert)
	case now.After(c.Leaf.NotAfter):
		return nil, fmt.Errorf("read certificate %s: it expired on %s", s.cert, c.Leaf.NotAfter.Format(time.DateOnly))
	case now.Before(c.Leaf.NotBefore):
		return nil, fmt.Errorf("read certificate %s: it is not valid before %s", s.cert, c.Leaf.NotBefore.Format(time.DateOnly))
	}
	return &c, nil
}

// Trust returns the certificates that a PEM file holds, to trust them beside those of the system.
func Trust(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file) //nolint:gosec // the configuration names the file
	if err != nil {
		return nil, fmt.Errorf("read authority: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, errors.New("read authority: " + file + " holds no certificate")
	}
	return pool, nil
}
