package guard

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Bounds of what is fetched from the tenant.
const (
	fetchTime   = 5 * time.Second
	fetchEvery  = 30 * time.Second // at most, whatever is asked for
	keyLife     = 10 * time.Minute // after which keys are fetched anew, so that one that is withdrawn goes
	maxDocument = 1 << 20
	minKeyBits  = 2048
	maxKeys     = 64
)

// errNoKeys means that the tenant's keys were never to be had: nothing can be judged.
var errNoKeys = errors.New("the tenant's keys are not known")

// errNowhere means that the tenant has nothing at an address.
var errNowhere = errors.New("the tenant has nothing there")

// keySet has the signing keys of a tenant. It fetches them when a key is asked for that it does not have,
// at most every fetchEvery, and beside the requests when they are older than keyLife. What it has stays
// while the tenant cannot be reached. It is safe for concurrent use.
type keySet struct {
	base   string // scheme and host of the tenant
	client *http.Client
	now    func() time.Time
	log    *slog.Logger

	mu      sync.Mutex
	keys    map[string]*rsa.PublicKey // nil until they were fetched once
	issuer  string                    // as the tenant names itself; "" until then
	fetched time.Time                 // when a fetch began last
	flight  chan struct{}             // closed when the fetch under way is done; nil for none
}

// key returns the key of a name, nil when the tenant has none of it, and errNoKeys when that cannot be
// known. iss is what the token says of its issuer; one that is not the tenant's has no key.
func (s *keySet) key(ctx context.Context, kid, iss string) (*rsa.PublicKey, error) {
	// Before anything is fetched: nobody makes us call by a token of another tenant.
	if iss != s.base && iss != s.base+"/" {
		return nil, nil //nolint:nilnil // no key is an answer
	}
	for {
		k, wait, err := s.look(ctx, kid, iss)
		if wait == nil {
			return k, err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, errors.Join(errNoKeys, ctx.Err())
		}
	}
}

// look answers for key by what is known, or returns the end of a fetch to wait for.
func (s *keySet) look(ctx context.Context, kid, iss string) (*rsa.PublicKey, <-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, k := s.now(), s.keys[kid]
	since := now.Sub(s.fetched)
	switch {
	case k != nil:
		if s.flight == nil && since >= keyLife {
			s.begin(ctx, now)
		}
		if iss != s.issuer {
			return nil, nil, nil // it differs by the slash at its end
		}
		return k, nil, nil
	case s.flight != nil:
		return nil, s.flight, nil
	case s.fetched.IsZero() || since >= fetchEvery || since < 0:
		s.begin(ctx, now)
		return nil, s.flight, nil
	case s.keys == nil:
		return nil, nil, errNoKeys
	}
	return nil, nil, nil // no key is an answer
}

// begin starts a fetch. It goes on when its caller leaves: others wait for it.
func (s *keySet) begin(ctx context.Context, now time.Time) {
	s.flight, s.fetched = make(chan struct{}), now
	go s.fetch(context.WithoutCancel(ctx), s.flight)
}

// fetch asks for the tenant's metadata and keys, once.
func (s *keySet) fetch(ctx context.Context, done chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	issuer, keys, err := s.load(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "keys of the tenant cannot be fetched, those at hand stay", slog.Any("error", err))
	} else {
		s.issuer, s.keys = issuer, keys
	}
	s.flight = nil
	close(done)
}

func (s *keySet) load(ctx context.Context) (issuer string, keys map[string]*rsa.PublicKey, err error) {
	var about struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	err = s.get(ctx, s.base+"/.well-known/openid-configuration", &about)
	if errors.Is(err, errNowhere) {
		// A tenant that does not describe itself: the vendor's own libraries take these two for granted.
		// What it once called itself still counts: it may be about to start.
		about.Issuer, about.Keys, err = s.named(), s.base+"/.well-known/jwks.json", nil
	}
	if err != nil {
		return "", nil, err
	}
	if strings.TrimSuffix(about.Issuer, "/") != s.base {
		return "", nil, fmt.Errorf("read metadata: the issuer is %q, want %s", about.Issuer, s.base)
	}
	// The keys of another host would be another's word.
	at, err := url.Parse(about.Keys)
	if err != nil || at.Scheme+"://"+at.Host != s.base {
		return "", nil, fmt.Errorf("read metadata: the keys are at %q, want an address of %s", about.Keys, s.base)
	}
	var set jose.JSONWebKeySet
	if err := s.get(ctx, about.Keys, &set); err != nil {
		return "", nil, err
	}
	keys = map[string]*rsa.PublicKey{}
	for _, k := range set.Keys {
		public, ok := k.Key.(*rsa.PublicKey)
		good := ok && k.KeyID != "" && (k.Use == "" || k.Use == "sig") && (k.Algorithm == "" || k.Algorithm == string(jose.RS256)) && public.N.BitLen() >= minKeyBits
		if good && len(keys) < maxKeys {
			keys[k.KeyID] = public
		}
	}
	if len(keys) == 0 {
		return "", nil, errors.New("read keys: none is an RSA key for RS256 with a name")
	}
	return about.Issuer, keys, nil
}

// named is what the tenant called itself last; before that what the vendor's tenants are called.
func (s *keySet) named() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.issuer != "" {
		return s.issuer
	}
	return s.base + "/"
}

func (s *keySet) get(ctx context.Context, address string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", address, err)
	}
	r.Header.Set("Accept", "application/json")
	res, err := s.client.Do(r)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", address, err)
	}
	defer res.Body.Close() //nolint:errcheck // what was read decides
	if res.StatusCode == http.StatusNotFound {
		return fmt.Errorf("fetch %s: %w", address, errNowhere)
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("fetch %s: the tenant answers %s", address, res.Status)
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
