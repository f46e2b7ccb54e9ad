// Package jwks caches a tenant's signing keys and fetches them sparingly. A stranger who sends key IDs that do not exist must not make a
// server call the tenant again and again. The caller knows where the keys are.
package jwks

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Limits of fetches from a tenant.
const (
	fetchTime   = 5 * time.Second
	fetchEvery  = 30 * time.Second // at most, whatever keys are requested
	keyLife     = 10 * time.Minute // keys are fetched again after this time, so that withdrawn ones disappear
	maxDocument = 1 << 20
	minKeyBits  = 2048
	maxKeys     = 64
)

var (
	// ErrNoKeys means that the tenant's keys have never been available, so nothing can be verified.
	ErrNoKeys = errors.New("the tenant's keys are not known")
	// ErrNowhere means that the tenant answers 404 at an address.
	ErrNowhere = errors.New("the tenant has nothing there")
)

// Key is a signing key.
type Key struct {
	ID     string // "" for a key without an ID
	Public *rsa.PublicKey
}

// Document is the result of a fetch: the keys, and the tenant's issuer if the caller fetched it.
type Document struct {
	Issuer string
	Keys   []Key
}

// Set holds a tenant's signing keys. It fetches them when it is asked for an unknown key, at most every 30 seconds, and in the background
// when they are older than ten minutes. If the tenant cannot be reached, it keeps the keys that it has. It is safe for concurrent use.
type Set struct {
	load func(ctx context.Context) (Document, error)
	now  func() time.Time
	log  *slog.Logger

	mu      sync.Mutex
	found   *Document     // nil until the first successful fetch
	fetched time.Time     // when the last fetch began
	flight  chan struct{} // closed when the fetch under way is done; nil for none
}

// New returns a set whose keys are fetched by load. New itself makes no calls; load has five seconds and runs once at a time.
func New(load func(ctx context.Context) (Document, error), now func() time.Time, log *slog.Logger) *Set {
	return &Set{load: load, now: now, log: log}
}

// Find returns the keys with an ID, "" for every key, and the tenant's issuer. If it returns no keys, the tenant has none with the ID. The
// error wraps ErrNoKeys if the tenant's keys are not available.
func (s *Set) Find(ctx context.Context, id string) (keys []Key, issuer string, err error) {
	for {
		keys, issuer, wait, err := s.look(ctx, id)
		if wait == nil {
			return keys, issuer, err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, "", errors.Join(ErrNoKeys, ctx.Err())
		}
	}
}

// Issuer returns the tenant's issuer as last fetched, or "" before the first fetch.
func (s *Set) Issuer() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found == nil {
		return ""
	}
	return s.found.Issuer
}

// look answers Find from the known keys, or returns a channel that is closed when the fetch to wait for ends.
func (s *Set) look(ctx context.Context, id string) ([]Key, string, <-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	keys, issuer := s.found.find(id)
	since := now.Sub(s.fetched)
	switch {
	case len(keys) > 0:
		if s.flight == nil && since >= keyLife {
			s.begin(ctx, now)
		}
		return keys, issuer, nil, nil
	case s.flight != nil:
		return nil, "", s.flight, nil
	case s.fetched.IsZero() || since >= fetchEvery || since < 0:
		s.begin(ctx, now)
		return nil, "", s.flight, nil
	case s.found == nil:
		return nil, "", nil, ErrNoKeys
	}
	return nil, issuer, nil, nil // no key is a valid answer
}

func (d *Document) find(id string) ([]Key, string) {
	if d == nil {
		return nil, ""
	}
	if id == "" {
		return d.Keys, d.Issuer
	}
	var out []Key
	for _, k := range d.Keys {
		if k.ID == id {
			out = append(out, k)
		}
	}
	return out, d.Issuer
}

// begin starts a fetch. It continues if its caller leaves: others wait for it.
func (s *Set) begin(ctx context.Context, now time.Time) {
	s.flight, s.fetched = make(chan struct{}), now
	go s.fetch(context.WithoutCancel(ctx), s.flight)
}

func (s *Set) fetch(ctx context.Context, done chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	found, err := s.load(ctx)
	if err == nil && len(found.Keys) == 0 {
		err = errors.New("read keys: there is no RSA key for RS256")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "the tenant's keys cannot be fetched, keeping the known ones", slog.Any("error", err))
	} else {
		s.found = &found
	}
	s.flight = nil
	close(done)
}

// Fetch reads a key set from its address: the RSA keys of at least 2048 bits for RS256, at most 64.
func Fetch(ctx context.Context, client *http.Client, address string) ([]Key, error) {
	var set jose.JSONWebKeySet
	if err := Get(ctx, client, address, &set); err != nil {
		return nil, err
	}
	var keys []Key
	for _, k := range set.Keys {
		public, ok := k.Key.(*rsa.PublicKey)
		signs := (k.Use == "" || k.Use == "sig") && (k.Algorithm == "" || k.Algorithm == string(jose.RS256))
		if ok && signs && public.N.BitLen() >= minKeyBits && len(keys) < maxKeys {
			keys = append(keys, Key{k.KeyID, public})
		}
	}
	return keys, nil
}

// Get reads a JSON document of at most 1 MiB. The error wraps ErrNowhere for an answer of 404.
func Get(ctx context.Context, client *http.Client, address string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", address, err)
	}
	r.Header.Set("Accept", "application/json")
	res, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", address, err)
	}
	defer res.Body.Close() //nolint:errcheck // what was read decides
	if res.StatusCode == http.StatusNotFound {
		return fmt.Errorf("fetch %s: %w", address, ErrNowhere)
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("fetch %s: the tenant answered %s", address, res.Status)
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxDocument+1))
	if err != nil {
		return fmt.Errorf("fetch %s: %w", address, err)
	}
	if len(text) > maxDocument {
		return fmt.Errorf("fetch %s: the answer is longer than %d bytes", address, maxDocument)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("fetch %s: %w", address, err)
	}
	return nil
}
