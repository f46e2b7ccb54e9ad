// Package certs provides the certificates of the listeners. They are files that other tools write, which are followed when they are
// renewed, or come from a local authority for one machine.
package certs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/formgraph/formgraph/server/watch"
)

// lookEvery is the minimum time between two checks of the files.
const lookEvery = 30 * time.Second

// Source is a certificate with its key in two PEM files. It follows changes to them, so that tools that renew certificates need not restart
// the server. It is safe for concurrent use.
type Source struct{ files *watch.Files[tls.Certificate] }

// Files reads a certificate, followed by its chain, and its key. Both must exist, match, and be valid now. If the files are missing or
// wrong later, the certificate read last stays in use, and the reason is logged.
func Files(cert, key string, now func() time.Time, log *slog.Logger) (*Source, error) {
	files, err := watch.Follow(watch.Source[tls.Certificate]{
		Paths: []string{cert, key}, Every: lookEvery, Now: now,
		Read: func() (*tls.Certificate, error) { return read(cert, key, now()) },
		Changed: func(c *tls.Certificate, err error) {
			if err != nil {
				log.LogAttrs(context.Background(), slog.LevelError, "certificate cannot be read, keeping the old one", slog.Any("error", err))
				return
			}
			log.LogAttrs(context.Background(), slog.LevelInfo, "certificate renewed", slog.Time("until", c.Leaf.NotAfter))
		},
	})
	return &Source{files}, err
}

// Config returns the TLS configuration of a listener: version 1.2 or later, with HTTP/2.
func (s *Source) Config() *tls.Config {
	get := func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.files.Get(), nil }
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: get, NextProtos: []string{"h2", "http/1.1"}}
}

// Expiry returns when the current certificate expires.
func (s *Source) Expiry() time.Time { return s.files.Get().Leaf.NotAfter }

func read(cert, key string, now time.Time) (*tls.Certificate, error) {
	c, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("read certificate %s with key %s: %w", cert, key, err)
	}
	switch {
	case c.Leaf == nil:
		return nil, fmt.Errorf("read certificate %s: it is not a certificate", cert)
	case now.After(c.Leaf.NotAfter):
		return nil, fmt.Errorf("read certificate %s: it expired on %s", cert, c.Leaf.NotAfter.Format(time.DateOnly))
	case now.Before(c.Leaf.NotBefore):
		return nil, fmt.Errorf("read certificate %s: it is not valid before %s", cert, c.Leaf.NotBefore.Format(time.DateOnly))
	}
	return &c, nil
}

// Trust returns the system's certificates together with those in a PEM file.
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
