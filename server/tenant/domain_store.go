package tenant

import (
	"context"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// domainAccess is store.Access as seen by one domain, inside a transaction or outside.
type domainAccess struct {
	sharedAccess

	access store.Access
	domain access.Domain
}

var _ store.Access = domainAccess{}

func newDomainAccess(a store.Access, d access.Domain) domainAccess { return domainAccess{a, a, d} }

// domainStore is the store as seen by one domain. A row that begins at a domain carries the domain's name: sign-ins, codes, refresh tokens,
// pushed requests, first halves of exchanges, one-time links. Rows that began at the other domain, or at an earlier custom domain, do not
// exist here. Callers use the domain's own audiences and the store uses the names of the access model; see access.Domain.
type domainStore struct {
	domainAccess
	sharedStore

	tenant store.Tenant
}

var _ store.Tenant = domainStore{}

func newDomainStore(s store.Tenant, d access.Domain) domainStore {
	return domainStore{newDomainAccess(s, d), s, s}
}

// errOtherDomain is returned for an audience of the other domain.
var errOtherDomain = fmt.Errorf("audience of another address: %w", store.ErrNotFound)

// begunHere returns a row that began at the domain, and ErrNotFound for any other.
func begunHere[T any](d domainAccess, row T, issuer string, err error) (T, error) {
	if err == nil && issuer != d.domain.Key() {
		err = fmt.Errorf("begun at another address: %w", store.ErrNotFound)
	}
	if err != nil {
		var none T
		return none, err
	}
	return row, nil
}

// inward returns the store's name for an audience. An audience of the other domain is not an API here.
func (d domainAccess) inward(audience string) (string, error) {
	id, ok := d.domain.Identifier(audience)
	if !ok {
		return "", errOtherDomain
	}
	return id, nil
}

// API implements store.APIs. An audience of the other domain is not an API here.
func (d domainAccess) API(ctx context.Context, audience string) (store.API, error) {
	id, err := d.inward(audience)
	if err != nil {
		return store.API{}, err
	}
	return d.access.API(ctx, id)
}

func (d domainAccess) CreateTicket(ctx context.Context, t store.Ticket, now time.Time) error {
	t.Issuer = d.domain.Key()
	return d.access.CreateTicket(ctx, t, now)
}

// RedeemTicket implements store.Tickets. It checks the issuer first, as UseAuthSession does.
func (d domainAccess) RedeemTicket(ctx context.Context, hash []byte, now time.Time, passwordHash string) (string, error) {
	if _, err := d.Ticket(ctx, hash, now); err != nil {
		return "", err
	}
	return d.access.RedeemTicket(ctx, hash, now, passwordHash)
}

func (d domainAccess) Ticket(ctx context.Context, hash []byte, now time.Time) (store.Ticket, error) {
	t, err := d.access.Ticket(ctx, hash, now)
	return begunHere(d, t, t.Issuer, err)
}

// Standing implements store.Standings. For an audience of the other domain it is empty.
func (d domainAccess) Standing(ctx context.Context, c store.Caller) (store.Standing, error) {
	id, ok := d.domain.Identifier(c.Audience)
	if !ok {
		return store.Standing{}, nil
	}
	c.Audience = id
	return d.access.Standing(ctx, c)
}

// outward returns a family with its audience at the domain.
func (d domainStore) outward(f store.Family) store.Family {
	f.Audience = d.domain.Audience(f.Audience)
	return f
}

// family returns a family as it is stored: with this domain, and with the store's name for its audience.
func (d domainStore) family(f store.Family) (store.Family, error) {
	var err error
	f.Issuer = d.domain.Key()
	f.Audience, err = d.inward(f.Audience)
	return f, err
}

// InTx implements store.Administration. The domain has the same view inside a transaction as outside.
func (d domainStore) InTx(ctx context.Context, f func(store.Access) error) error {
	return d.tenant.InTx(ctx, func(a store.Access) error { return f(newDomainAccess(a, d.domain)) })
}

func (d domainStore) CreateSignIn(ctx context.Context, s store.SignIn) error {
	s.Issuer = d.domain.Key()
	return d.tenant.CreateSignIn(ctx, s)
}

func (d domainStore) SignIn(ctx context.Context, hash []byte) (store.SignIn, error) {
	s, err := d.tenant.SignIn(ctx, hash)
	return begunHere(d.domainAccess, s, s.Issuer, err)
}

func (d domainStore) CreateCode(ctx context.Context, f store.Family, c store.Code) error {
	f, err := d.family(f)
	if err != nil {
		return err
	}
	return d.tenant.CreateCode(ctx, f, c)
}

func (d domainStore) CreateFamily(ctx context.Context, f store.Family) error {
	f, err := d.family(f)
	if err != nil {
		return err
	}
	return d.tenant.CreateFamily(ctx, f)
}

func (d domainStore) Refresh(ctx context.Context, hash []byte) (store.Refresh, store.Family, error) {
	t, f, err := d.tenant.Refresh(ctx, hash)
	if t, err = begunHere(d.domainAccess, t, f.Issuer, err); err != nil {
		return store.Refresh{}, store.Family{}, err
	}
	return t, d.outward(f), nil
}

// UseCode implements store.Grants. A code presented at the wrong domain is used up, as by any other request that it was not issued for.
func (d domainStore) UseCode(ctx context.Context, hash []byte) (store.Code, store.Family, error) {
	c, f, err := d.tenant.UseCode(ctx, hash)
	if c, err = begunHere(d.domainAccess, c, f.Issuer, err); err != nil {
		return store.Code{}, store.Family{}, err
	}
	return c, d.outward(f), nil
}

// Consent implements store.Consents. Consent given at one domain is valid at both.
func (d domainStore) Consent(ctx context.Context, userID, clientID, audience string) (store.Consent, error) {
	id, err := d.inward(audience)
	if err != nil {
		return store.Consent{}, err
	}
	c, err := d.tenant.Consent(ctx, userID, clientID, id)
	if err == nil {
		c.Audience = audience
	}
	return c, err
}

func (d domainStore) UpdateConsent(ctx context.Context, c store.Consent, change func(*store.Consent) error) error {
	audience := c.Audience
	var err error
	if c.Audience, err = d.inward(audience); err != nil {
		return err
	}
	return d.tenant.UpdateConsent(ctx, c, func(kept *store.Consent) error {
		kept.Audience = audience
		return change(kept)
	})
}

func (d domainStore) CreateRequest(ctx context.Context, p store.PushedRequest, now time.Time) error {
	p.Issuer = d.domain.Key()
	return d.tenant.CreateRequest(ctx, p, now)
}

// OpenRequest implements store.Requests. Like a code, a request presented at the wrong domain is used up.
func (d domainStore) OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (store.PushedRequest, error) {
	p, err := d.tenant.OpenRequest(ctx, hash, now, until)
	return begunHere(d.domainAccess, p, p.Issuer, err)
}

func (d domainStore) Request(ctx context.Context, hash []byte, now time.Time) (store.PushedRequest, error) {
	p, err := d.tenant.Request(ctx, hash, now)
	return begunHere(d.domainAccess, p, p.Issuer, err)
}

// Recipients implements store.Recipients. A sign-out notifies the applications of both domains, each under the issuer that it knows, even
// if that is an earlier custom domain.
func (d domainStore) Recipients(ctx context.Context, userID, signInID string) ([]store.Recipient, error) {
	all, err := d.tenant.Recipients(ctx, userID, signInID)
	for i := range all {
		if all[i].Issuer == "" {
			all[i].Issuer = d.domain.Canonical
		}
	}
	return all, err
}

func (d domainStore) AuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	s, err := d.tenant.AuthSession(ctx, hash)
	return begunHere(d.domainAccess, s, s.Issuer, err)
}

func (d domainStore) CreateAuthSession(ctx context.Context, s store.AuthSession, now time.Time) error {
	s.Issuer = d.domain.Key()
	return d.tenant.CreateAuthSession(ctx, s, now)
}

// UseAuthSession implements store.AuthSessions. The issuer of a row never changes, so it can be checked before the row is used up.
func (d domainStore) UseAuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	if _, err := d.AuthSession(ctx, hash); err != nil {
		return store.AuthSession{}, err
	}
	return d.tenant.UseAuthSession(ctx, hash)
}
