package guard

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/jwks"
)

// fetchTime bounds the handshake of the guard's own transport.
const fetchTime = 5 * time.Second

// errNoKeys means that the tenant's keys have never been available, so nothing can be verified.
var errNoKeys = jwks.ErrNoKeys

// keySet holds the signing keys of a tenant, cached by package jwks. It is safe for concurrent use.
type keySet struct {
	base   string // scheme and host of the tenant
	client *http.Client
	set    *jwks.Set
}

func newKeySet(base string, client *http.Client, now func() time.Time, log *slog.Logger) *keySet {
	s := &keySet{base: base, client: client}
	s.set = jwks.New(s.load, now, log)
	return s
}

// key returns the key with an ID, nil if the tenant has none, and errNoKeys if that is not known. iss is the issuer in the token; for an
// issuer other than the tenant's there is no key.
func (s *keySet) key(ctx context.Context, kid, iss string) (*rsa.PublicKey, error) {
	// This comes before any fetch: a token of another tenant must not cause a call.
	if iss != s.base && iss != s.base+"/" {
		return nil, nil //nolint:nilnil // no key is a valid answer
	}
	keys, issuer, err := s.set.Find(ctx, kid)
	if err != nil || len(keys) == 0 || iss != issuer { // the issuers differ in the trailing slash
		return nil, err
	}
	return keys[0].Public, nil
}

func (s *keySet) load(ctx context.Context) (jwks.Document, error) {
	var about struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	err := jwks.Get(ctx, s.client, s.base+"/.well-known/openid-configuration", &about)
	if errors.Is(err, jwks.ErrNowhere) {
		// A tenant without metadata: the vendor's own libraries assume these two addresses. Metadata that was read earlier still counts,
		// since the tenant may be about to start.
		about.Issuer, about.Keys, err = s.named(), s.base+"/.well-known/jwks.json", nil
	}
	if err != nil {
		return jwks.Document{}, err
	}
	if strings.TrimSuffix(about.Issuer, "/") != s.base {
		return jwks.Document{}, fmt.Errorf("read metadata: the issuer is %q, want %s", about.Issuer, s.base)
	}
	// Keys at another host are not the tenant's.
	at, err := url.Parse(about.Keys)
	if err != nil || at.Scheme+"://"+at.Host != s.base {
		return jwks.Document{}, fmt.Errorf("read metadata: the keys are at %q, want an address of %s", about.Keys, s.base)
	}
	keys, err := jwks.Fetch(ctx, s.client, about.Keys)
	keys = slices.DeleteFunc(keys, func(k jwks.Key) bool { return k.ID == "" }) // a token must name its key
	return jwks.Document{Issuer: about.Issuer, Keys: keys}, err
}

// named returns the issuer that the tenant last named, or until then the issuer that the vendor's tenants would have.
func (s *keySet) named() string {
	if issuer := s.set.Issuer(); issuer != "" {
		return issuer
	}
	return s.base + "/"
}
