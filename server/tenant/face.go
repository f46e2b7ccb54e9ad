package tenant

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz"
)

// face is the tenant at one of its addresses. What its parts count and remember is shared with the other.
type face struct {
	host    string // of requests for it, in lower case and without the scheme's own port
	scheme  string
	as      *authz.Handler
	api, me http.Handler
}

// errSameHost is told of two addresses that browsers would not tell apart: cookies and passkeys know hosts.
var errSameHost = errors.New("the custom domain must have a host of its own")

// faces returns the addresses of the tenant, the canonical one first; a custom one of "" is none.
func faces(canonical, custom string) ([]access.Face, error) {
	out := []access.Face{{Issuer: canonical, Canonical: canonical, Other: custom}}
	if custom == "" {
		return out, nil
	}
	a, err1 := url.Parse(canonical)
	b, err2 := url.Parse(custom)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("read addresses: %w", err)
	}
	if strings.EqualFold(a.Hostname(), b.Hostname()) {
		return nil, errSameHost
	}
	return append(out, access.Face{Issuer: custom, Canonical: canonical, Other: canonical}), nil
}

// hostOf returns how a request names the host of an address: in lower case, without the port that the
// scheme has by itself.
func hostOf(scheme, host string) string {
	port := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return strings.TrimSuffix(strings.ToLower(host), port)
}

// at returns the face that a request is for. The host is compared whole; every other host is the canonical
// face, since the tenant is also reached by names it does not know: a health check by address, a proxy.
// Headers that claim another host are not read. Whatever is said here, no token, link or address is made of
// it: those come of the configuration.
func (h *handler) at(r *http.Request) *face {
	for i := range h.faces[1:] {
		if f := &h.faces[i+1]; hostOf(f.scheme, r.Host) == f.host {
			return f
		}
	}
	return &h.faces[0]
}

// rows is the store as one face sees it. What is begun at the face says so, and what was begun at the other,
// or at a custom domain of before, does not exist: sign-ins, codes and refresh tokens, requests that were
// sent ahead, first halves of exchanges, one-time links. Audiences are the face's own on this side and names
// of the access model on the store's, by access.Face. A kind of row that is added to the store and that only
// the face may use which made it belongs here too.
type rows struct {
	store.Tenant

	face access.Face
}

// here returns a row that was begun at the face; ErrNotFound for another.
func here[T any](r rows, row T, issuer string, err error) (T, error) {
	if err == nil && issuer != r.face.Key() {
		err = fmt.Errorf("begun at another address: %w", store.ErrNotFound)
	}
	if err != nil {
		var none T
		return none, err
	}
	return row, nil
}

// inward and outward translate an audience. One of the other face is no API here.
func (r rows) inward(audience string) (string, error) {
	id, ok := r.face.Identifier(audience)
	if !ok {
		return "", errOtherFace
	}
	return id, nil
}

// errOtherFace is returned for an audience of the other face.
var errOtherFace = fmt.Errorf("audience of another address: %w", store.ErrNotFound)

func (r rows) outward(f store.Family) store.Family {
	f.Audience = r.face.Audience(f.Audience)
	return f
}

func (r rows) family(f store.Family) (store.Family, error) {
	var err error
	f.Issuer = r.face.Key()
	f.Audience, err = r.inward(f.Audience)
	return f, err
}

// InTx implements store.Administration: the face sees the same inside of a transaction as outside.
func (r rows) InTx(ctx context.Context, f func(store.Access) error) error {
	return r.Tenant.InTx(ctx, func(a store.Access) error { return f(inside{a, r.face}) })
}

// inside is the part of rows that a transaction has.
type inside struct {
	store.Access

	face access.Face
}

// API implements store.APIs. An audience of the other face is no API here.
func (i inside) API(ctx context.Context, audience string) (store.API, error) {
	id, ok := i.face.Identifier(audience)
	if !ok {
		return store.API{}, errOtherFace
	}
	return i.Access.API(ctx, id)
}

// Standing implements store.Standings. An audience of the other face has nothing to show.
func (i inside) Standing(ctx context.Context, c store.Caller) (store.Standing, error) {
	id, ok := i.face.Identifier(c.Audience)
	if !ok {
		return store.Standing{}, nil
	}
	c.Audience = id
	return i.Access.Standing(ctx, c)
}

// CreateTicket implements store.Tickets.
func (i inside) CreateTicket(ctx context.Context, t store.Ticket, now time.Time) error {
	t.Issuer = i.face.Key()
	return i.Access.CreateTicket(ctx, t, now)
}

// Ticket implements store.Tickets.
func (i inside) Ticket(ctx context.Context, hash []byte, now time.Time) (store.Ticket, error) {
	t, err := i.Access.Ticket(ctx, hash, now)
	if err == nil && t.Issuer != i.face.Key() {
		return store.Ticket{}, fmt.Errorf("begun at another address: %w", store.ErrNotFound)
	}
	return t, err
}

// RedeemTicket implements store.Tickets, looking first as UseAuthSession does.
func (i inside) RedeemTicket(ctx context.Context, hash []byte, now time.Time, passwordHash string) (string, error) {
	if _, err := i.Ticket(ctx, hash, now); err != nil {
		return "", err
	}
	return i.Access.RedeemTicket(ctx, hash, now, passwordHash)
}

// inside returns what the face sees of the rows that a transaction has, too.
func (r rows) inside() inside { return inside{r.Tenant, r.face} }

// API implements store.APIs.
func (r rows) API(ctx context.Context, audience string) (store.API, error) {
	return r.inside().API(ctx, audience)
}

// Standing implements store.Standings.
func (r rows) Standing(ctx context.Context, c store.Caller) (store.Standing, error) {
	return r.inside().Standing(ctx, c)
}

// SignIn implements store.SignIns.
func (r rows) SignIn(ctx context.Context, hash []byte) (store.SignIn, error) {
	s, err := r.Tenant.SignIn(ctx, hash)
	return here(r, s, s.Issuer, err)
}

// CreateSignIn implements store.SignIns.
func (r rows) CreateSignIn(ctx context.Context, s store.SignIn) error {
	s.Issuer = r.face.Key()
	return r.Tenant.CreateSignIn(ctx, s)
}

// CreateCode implements store.Grants.
func (r rows) CreateCode(ctx context.Context, f store.Family, c store.Code) error {
	f, err := r.family(f)
	if err != nil {
		return err
	}
	return r.Tenant.CreateCode(ctx, f, c)
}

// CreateFamily implements store.Grants.
func (r rows) CreateFamily(ctx context.Context, f store.Family) error {
	f, err := r.family(f)
	if err != nil {
		return err
	}
	return r.Tenant.CreateFamily(ctx, f)
}

// UseCode implements store.Grants. A code that is presented at the wrong face is burnt, as by any other
// request that it was not made for.
func (r rows) UseCode(ctx context.Context, hash []byte) (store.Code, store.Family, error) {
	c, f, err := r.Tenant.UseCode(ctx, hash)
	if c, err = here(r, c, f.Issuer, err); err != nil {
		return store.Code{}, store.Family{}, err
	}
	return c, r.outward(f), nil
}

// Refresh implements store.Grants.
func (r rows) Refresh(ctx context.Context, hash []byte) (store.Refresh, store.Family, error) {
	t, f, err := r.Tenant.Refresh(ctx, hash)
	if t, err = here(r, t, f.Issuer, err); err != nil {
		return store.Refresh{}, store.Family{}, err
	}
	return t, r.outward(f), nil
}

// Consent implements store.Consents. A person who agrees at one face has agreed.
func (r rows) Consent(ctx context.Context, userID, clientID, audience string) (store.Consent, error) {
	id, err := r.inward(audience)
	if err != nil {
		return store.Consent{}, err
	}
	c, err := r.Tenant.Consent(ctx, userID, clientID, id)
	if err == nil {
		c.Audience = audience
	}
	return c, err
}

// UpdateConsent implements store.Consents.
func (r rows) UpdateConsent(ctx context.Context, c store.Consent, change func(*store.Consent) error) error {
	audience := c.Audience
	var err error
	if c.Audience, err = r.inward(audience); err != nil {
		return err
	}
	return r.Tenant.UpdateConsent(ctx, c, func(kept *store.Consent) error {
		kept.Audience = audience
		return change(kept)
	})
}

// CreateRequest implements store.Requests.
func (r rows) CreateRequest(ctx context.Context, p store.PushedRequest, now time.Time) error {
	p.Issuer = r.face.Key()
	return r.Tenant.CreateRequest(ctx, p, now)
}

// OpenRequest implements store.Requests. As a code, a request is burnt at the wrong face.
func (r rows) OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (store.PushedRequest, error) {
	p, err := r.Tenant.OpenRequest(ctx, hash, now, until)
	return here(r, p, p.Issuer, err)
}

// Request implements store.Requests.
func (r rows) Request(ctx context.Context, hash []byte, now time.Time) (store.PushedRequest, error) {
	p, err := r.Tenant.Request(ctx, hash, now)
	return here(r, p, p.Issuer, err)
}

// CreateAuthSession implements store.AuthSessions.
func (r rows) CreateAuthSession(ctx context.Context, s store.AuthSession, now time.Time) error {
	s.Issuer = r.face.Key()
	return r.Tenant.CreateAuthSession(ctx, s, now)
}

// AuthSession implements store.AuthSessions.
func (r rows) AuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	s, err := r.Tenant.AuthSession(ctx, hash)
	return here(r, s, s.Issuer, err)
}

// UseAuthSession implements store.AuthSessions. The issuer of a row never changes, so it may be looked at
// before the row is used up.
func (r rows) UseAuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	if _, err := r.AuthSession(ctx, hash); err != nil {
		return store.AuthSession{}, err
	}
	return r.Tenant.UseAuthSession(ctx, hash)
}

// CreateTicket implements store.Tickets.
func (r rows) CreateTicket(ctx context.Context, t store.Ticket, now time.Time) error {
	return r.inside().CreateTicket(ctx, t, now)
}

// Ticket implements store.Tickets.
func (r rows) Ticket(ctx context.Context, hash []byte, now time.Time) (store.Ticket, error) {
	return r.inside().Ticket(ctx, hash, now)
}

// RedeemTicket implements store.Tickets.
func (r rows) RedeemTicket(ctx context.Context, hash []byte, now time.Time, passwordHash string) (string, error) {
	return r.inside().RedeemTicket(ctx, hash, now, passwordHash)
}

// Recipients implements store.Recipients. Whoever signs a person out tells the applications of both faces,
// each by the issuer it knows: one of a custom domain of before too.
func (r rows) Recipients(ctx context.Context, userID, signInID string) ([]store.Recipient, error) {
	all, err := r.Tenant.Recipients(ctx, userID, signInID)
	for i := range all {
		if all[i].Issuer == "" {
			all[i].Issuer = r.face.Canonical
		}
	}
	return all, err
}

// named is rows for the administration, where an API answers to its identifier, which lists show, and to
// the audience that the face has for it.
type named struct{ rows }

// API implements store.APIs.
func (n named) API(ctx context.Context, audience string) (store.API, error) {
	return namedInside{n.inside()}.API(ctx, audience)
}

// CreateAPI implements store.APIs.
func (n named) CreateAPI(ctx context.Context, a store.API) error {
	return namedInside{n.inside()}.CreateAPI(ctx, a)
}

// InTx implements store.Administration.
func (n named) InTx(ctx context.Context, f func(store.Access) error) error {
	return n.Tenant.InTx(ctx, func(a store.Access) error { return f(namedInside{inside{a, n.face}}) })
}

// namedInside is the part of named that a transaction has.
type namedInside struct{ inside }

// API implements store.APIs.
func (n namedInside) API(ctx context.Context, audience string) (store.API, error) {
	if id, ok := n.face.Identifier(audience); ok {
		audience = id
	}
	return n.Access.API(ctx, audience)
}

// CreateAPI implements store.APIs. The audiences of the tenant's own APIs at its other address are taken.
func (n namedInside) CreateAPI(ctx context.Context, a store.API) error {
	if id, ok := n.face.Identifier(a.Identifier); !ok || id != a.Identifier {
		return fmt.Errorf("create API: an audience of the tenant's own: %w", store.ErrConflict)
	}
	return n.Access.CreateAPI(ctx, a)
}
