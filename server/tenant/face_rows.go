package tenant

import (
	"context"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// rows is the store as one face sees it. What is begun at the face says so, and what was begun at the other,
// or at an earlier custom domain, does not exist: sign-ins, codes and refresh tokens, requests that were
// sent ahead, first halves of exchanges, one-time links. Audiences are the face's own on this side and names
// of the access model on the store's, by access.Face. Each method of store.Tenant stands here or at inside, so
// that one which is added does not compile until somebody decides whether both faces share what it reaches.
type rows struct {
	inside

	tenant store.Tenant
}

var _ store.Tenant = rows{}

func newRows(s store.Tenant, f access.Face) rows { return rows{inside{s, f}, s} }

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

// inward and outward translate an audience. One of the other face is not an API here.
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
	return r.tenant.InTx(ctx, func(a store.Access) error { return f(inside{a, r.face}) })
}

// A sign-in is good at the face that began it. Ending one needs its secret, and is harmless at the other.

// CreateSignIn implements store.SignIns.
func (r rows) CreateSignIn(ctx context.Context, s store.SignIn) error {
	s.Issuer = r.face.Key()
	return r.tenant.CreateSignIn(ctx, s)
}

func (r rows) DeleteSignIn(ctx context.Context, hash []byte) error {
	return r.tenant.DeleteSignIn(ctx, hash)
}

// SignIn implements store.SignIns.
func (r rows) SignIn(ctx context.Context, hash []byte) (store.SignIn, error) {
	s, err := r.tenant.SignIn(ctx, hash)
	return here(r, s, s.Issuer, err)
}

// Codes and refresh tokens are good at the face that began their family. What follows a look at one, and names the
// family or the token, needs no second look; sweeping ends what has expired at any face.

// CreateCode implements store.Grants.
func (r rows) CreateCode(ctx context.Context, f store.Family, c store.Code) error {
	f, err := r.family(f)
	if err != nil {
		return err
	}
	return r.tenant.CreateCode(ctx, f, c)
}

// CreateFamily implements store.Grants.
func (r rows) CreateFamily(ctx context.Context, f store.Family) error {
	f, err := r.family(f)
	if err != nil {
		return err
	}
	return r.tenant.CreateFamily(ctx, f)
}

func (r rows) CreateRefresh(ctx context.Context, t store.Refresh) error {
	return r.tenant.CreateRefresh(ctx, t)
}

func (r rows) FamilyLive(ctx context.Context, id string) (bool, error) {
	return r.tenant.FamilyLive(ctx, id)
}

// Refresh implements store.Grants.
func (r rows) Refresh(ctx context.Context, hash []byte) (store.Refresh, store.Family, error) {
	t, f, err := r.tenant.Refresh(ctx, hash)
	if t, err = here(r, t, f.Issuer, err); err != nil {
		return store.Refresh{}, store.Family{}, err
	}
	return t, r.outward(f), nil
}

func (r rows) RevokeFamily(ctx context.Context, id string) error {
	return r.tenant.RevokeFamily(ctx, id)
}

func (r rows) Rotate(ctx context.Context, old []byte, next store.Refresh) error {
	return r.tenant.Rotate(ctx, old, next)
}

func (r rows) Sweep(ctx context.Context, now time.Time) error { return r.tenant.Sweep(ctx, now) }

// UseCode implements store.Grants. A code that is presented at the wrong face is burnt, as by any other
// request that it was not made for.
func (r rows) UseCode(ctx context.Context, hash []byte) (store.Code, store.Family, error) {
	c, f, err := r.tenant.UseCode(ctx, hash)
	if c, err = here(r, c, f.Issuer, err); err != nil {
		return store.Code{}, store.Family{}, err
	}
	return c, r.outward(f), nil
}

// Consents are kept by the name of the API and asked for by its audience.

// Consent implements store.Consents. A person who agrees at one face has agreed.
func (r rows) Consent(ctx context.Context, userID, clientID, audience string) (store.Consent, error) {
	id, err := r.inward(audience)
	if err != nil {
		return store.Consent{}, err
	}
	c, err := r.tenant.Consent(ctx, userID, clientID, id)
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
	return r.tenant.UpdateConsent(ctx, c, func(kept *store.Consent) error {
		kept.Audience = audience
		return change(kept)
	})
}

// A request that was sent ahead is good at the face that took it. Deleting one follows a look at it.

// CreateRequest implements store.Requests.
func (r rows) CreateRequest(ctx context.Context, p store.PushedRequest, now time.Time) error {
	p.Issuer = r.face.Key()
	return r.tenant.CreateRequest(ctx, p, now)
}

func (r rows) DeleteRequest(ctx context.Context, hash []byte) error {
	return r.tenant.DeleteRequest(ctx, hash)
}

// OpenRequest implements store.Requests. As a code, a request is used up at the wrong face.
func (r rows) OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (store.PushedRequest, error) {
	p, err := r.tenant.OpenRequest(ctx, hash, now, until)
	return here(r, p, p.Issuer, err)
}

// Request implements store.Requests.
func (r rows) Request(ctx context.Context, hash []byte, now time.Time) (store.PushedRequest, error) {
	p, err := r.tenant.Request(ctx, hash, now)
	return here(r, p, p.Issuer, err)
}

// Recipients implements store.Recipients. Whoever signs a person out tells the applications of both faces,
// each by the issuer it knows, also that of an earlier custom domain.
func (r rows) Recipients(ctx context.Context, userID, signInID string) ([]store.Recipient, error) {
	all, err := r.tenant.Recipients(ctx, userID, signInID)
	for i := range all {
		if all[i].Issuer == "" {
			all[i].Issuer = r.face.Canonical
		}
	}
	return all, err
}

// Marks are about the tenant as a whole.

func (r rows) Mark(ctx context.Context, name string) (string, error) { return r.tenant.Mark(ctx, name) }

func (r rows) PutMark(ctx context.Context, name, value string) error {
	return r.tenant.PutMark(ctx, name, value)
}

// The first half of an exchange is good at the face that began it.

// AuthSession implements store.AuthSessions.
func (r rows) AuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	s, err := r.tenant.AuthSession(ctx, hash)
	return here(r, s, s.Issuer, err)
}

// CreateAuthSession implements store.AuthSessions.
func (r rows) CreateAuthSession(ctx context.Context, s store.AuthSession, now time.Time) error {
	s.Issuer = r.face.Key()
	return r.tenant.CreateAuthSession(ctx, s, now)
}

// UseAuthSession implements store.AuthSessions. The issuer of a row never changes, so it may be looked at
// before the row is used up.
func (r rows) UseAuthSession(ctx context.Context, hash []byte) (store.AuthSession, error) {
	if _, err := r.AuthSession(ctx, hash); err != nil {
		return store.AuthSession{}, err
	}
	return r.tenant.UseAuthSession(ctx, hash)
}

// People see and end where they are signed in, at both faces.

func (r rows) Authorizations(ctx context.Context, userID string, now time.Time) ([]store.Authorization, error) {
	return r.tenant.Authorizations(ctx, userID, now)
}

func (r rows) EndAuthorizations(ctx context.Context, userID, clientID string) error {
	return r.tenant.EndAuthorizations(ctx, userID, clientID)
}

func (r rows) EndLogin(ctx context.Context, userID, id string) error {
	return r.tenant.EndLogin(ctx, userID, id)
}

func (r rows) EndLogins(ctx context.Context, userID string) error {
	return r.tenant.EndLogins(ctx, userID)
}

func (r rows) Logins(ctx context.Context, userID string, now time.Time) ([]store.Login, error) {
	return r.tenant.Logins(ctx, userID, now)
}

// The log is one.

func (r rows) AddEvent(ctx context.Context, e store.Event) error { return r.tenant.AddEvent(ctx, e) }

func (r rows) Event(ctx context.Context, id string) (store.Event, error) {
	return r.tenant.Event(ctx, id)
}

func (r rows) ListEvents(ctx context.Context, f store.EventFilter, offset, limit int) (page []store.Event, total int, err error) {
	return r.tenant.ListEvents(ctx, f, offset, limit)
}

// A proof names its address, so none fits both faces; one memory serves both.

func (r rows) UseProof(ctx context.Context, id []byte, now, end time.Time) (first bool, err error) {
	return r.tenant.UseProof(ctx, id, now, end)
}

// Forms and flows are those of the tenant.

func (r rows) Forms() store.Documents { return r.tenant.Forms() }

func (r rows) Flows() store.Documents { return r.tenant.Flows() }

func (r rows) Ping(ctx context.Context) error { return r.tenant.Ping(ctx) }
