package rows

import (
	"slices"

	"github.com/formgraph/formgraph/server/store"
)

// family reads the caller's own columns and then id, client_id, user_id, sign_in_id, auth_time, acr, amr, audience, scope, expires,
// revoked, issuer, user_agent and ip of a family.
func family(row Scanner, own ...any) (store.Family, error) {
	var f store.Family
	var auth, expires int64
	err := row.Scan(append(own, &f.ID, &f.ClientID, &f.UserID, &f.SignInID, &auth, &f.ACR,
		(*Words)(&f.AMR), &f.Audience, (*Words)(&f.Scope), &expires, &f.Revoked, &f.Issuer, &f.Device.UserAgent, &f.Device.IP)...)
	f.AuthTime, f.Expires = Instant(auth), Instant(expires)
	return f, err
}

// CodeFamily is a code with its family.
type CodeFamily struct {
	Code   store.Code
	Family store.Family
}

// Code reads hash, family_id, redirect_uri, challenge, nonce, dpop_key, expires and uses of a code, and then its family.
func Code(row Scanner) (CodeFamily, error) {
	var c store.Code
	var expires int64
	f, err := family(row, &c.Hash, &c.FamilyID, &c.RedirectURI, &c.Challenge, &c.Nonce, &c.Key, &expires, &c.Uses)
	c.Expires = Instant(expires)
	return CodeFamily{c, f}, err
}

// RefreshFamily is a refresh token with its family.
type RefreshFamily struct {
	Refresh store.Refresh
	Family  store.Family
}

// Refresh reads hash, family_id, dpop_key, expires and used of a refresh token, and then its family.
func Refresh(row Scanner) (RefreshFamily, error) {
	var r store.Refresh
	var expires int64
	f, err := family(row, &r.Hash, &r.FamilyID, &r.Key, &expires, &r.Used)
	r.Expires = Instant(expires)
	return RefreshFamily{r, f}, err
}

// SignIn reads hash, id, user_id, auth_time, amr, expires, issuer, user_agent and ip.
func SignIn(row Scanner) (store.SignIn, error) {
	var s store.SignIn
	var auth, expires int64
	err := row.Scan(&s.Hash, &s.ID, &s.UserID, &auth, (*Words)(&s.AMR), &expires, &s.Issuer, &s.Device.UserAgent, &s.Device.IP)
	s.AuthTime, s.Expires = Instant(auth), Instant(expires)
	return s, err
}

// Consent reads id, user_id, client_id, audience, scope and given.
func Consent(row Scanner) (store.Consent, error) {
	var c store.Consent
	var given int64
	err := row.Scan(&c.ID, &c.UserID, &c.ClientID, &c.Audience, (*Words)(&c.Scope), &given)
	c.Given = Instant(given)
	return c, err
}

// AuthSession reads hash, purpose, client_id, user_id, data, expires and issuer.
func AuthSession(row Scanner) (store.AuthSession, error) {
	var s store.AuthSession
	var expires int64
	err := row.Scan(&s.Hash, &s.Purpose, &s.ClientID, &s.UserID, &s.Data, &expires, &s.Issuer)
	s.Expires = Instant(expires)
	return s, err
}

// Request reads hash, client_id, query, opened, expires and issuer of a pushed request.
func Request(row Scanner) (store.PushedRequest, error) {
	var r store.PushedRequest
	var expires int64
	err := row.Scan(&r.Hash, &r.ClientID, &r.Query, &r.Opened, &expires, &r.Issuer)
	r.Expires = Instant(expires)
	return r, err
}

// Recipient reads client_id, backchannel_uri and issuer.
func Recipient(row Scanner) (r store.Recipient, err error) {
	err = row.Scan(&r.ClientID, &r.URI, &r.Issuer)
	return r, err
}

// Logins collects the logins of a person from the rows of their sign-ins and families.
type Logins []store.Login

// Add reads id, auth_time, expires, client_id, user_agent and ip. Rows with an empty client_id are sign-ins of browsers. Rows come by
// auth_time, latest first, then by id, sign-ins first.
func (ls *Logins) Add(row Scanner) error {
	var id, client string
	var auth, expires int64
	var device store.Device
	if err := row.Scan(&id, &auth, &expires, &client, &device.UserAgent, &device.IP); err != nil {
		return err
	}
	i := slices.IndexFunc(*ls, func(l store.Login) bool { return l.ID == id })
	if i < 0 {
		i, *ls = len(*ls), append(*ls, store.Login{ID: id, AuthTime: Instant(auth), Device: device})
	}
	l := &(*ls)[i]
	if e := Instant(expires); e.After(l.Expires) {
		l.Expires = e
	}
	if client == "" {
		l.Browser = true
	} else if !slices.Contains(l.ClientIDs, client) {
		l.ClientIDs = append(l.ClientIDs, client)
		slices.Sort(l.ClientIDs)
	}
	return nil
}

// Authorizations collects the authorizations of a person from the rows of their families and consents.
type Authorizations []store.Authorization

// Add reads client_id, audience, scope and the time since when it holds. Rows come in the order of these columns, without the scope.
func (as *Authorizations) Add(row Scanner) error {
	var a store.Authorization
	var since int64
	if err := row.Scan(&a.ClientID, &a.Audience, (*Words)(&a.Scope), &since); err != nil {
		return err
	}
	a.Since = Instant(since)
	if n := len(*as); n > 0 && (*as)[n-1].ClientID == a.ClientID && (*as)[n-1].Audience == a.Audience {
		last := &(*as)[n-1]
		a.Scope, a.Since = append(last.Scope, a.Scope...), last.Since
		*as = (*as)[:n-1]
	}
	slices.Sort(a.Scope)
	a.Scope = slices.Compact(a.Scope)
	*as = append(*as, a)
	return nil
}
