package rows

import "github.com/formgraph/formgraph/server/store"

// Client reads id, name, description, app_type, auth_method, secret_hash, public, first_party, global, grant_types, callbacks,
// logout_urls, created, secret_since, backchannel_uri, require_pushed, require_dpop, allowed_origins and web_origins.
func Client(row Scanner) (store.Client, error) {
	var c store.Client
	var created, since int64
	err := row.Scan(&c.ID, &c.Name, &c.Description, &c.AppType, &c.AuthMethod, &c.SecretHash, &c.Public, &c.FirstParty, &c.Global,
		(*Words)(&c.GrantTypes), (*Words)(&c.Callbacks), (*Words)(&c.LogoutURLs), &created, &since,
		&c.BackchannelURI, &c.RequirePushed, &c.RequireDPoP,
		(*Words)(&c.AllowedOrigins), (*Words)(&c.WebOrigins))
	c.Created, c.SecretSince = Instant(created), Instant(since)
	return c, err
}

// Scopes reads the scopes of a client grant.
func Scopes(row Scanner) ([]string, error) {
	w, err := Value[Words](row)
	return w, err
}

// ClientGrant reads id, client_id, api_id, subject and scopes.
func ClientGrant(row Scanner) (g store.ClientGrant, err error) {
	err = row.Scan(&g.ID, &g.ClientID, &g.APIID, &g.Subject, (*Words)(&g.Scopes))
	return g, err
}

// API reads id, identifier, name, scopes, scope_texts, user_policy, client_policy and inactive.
func API(row Scanner) (a store.API, err error) {
	err = row.Scan(&a.ID, &a.Identifier, &a.Name, (*Words)(&a.Scopes), (*Texts)(&a.ScopeTexts), &a.UserPolicy, &a.ClientPolicy, &a.Inactive)
	return a, err
}

// User reads id, email, name, password_hash, created, blocked, unverified and whether the person has a passkey.
func User(row Scanner) (store.User, error) {
	var u store.User
	var created int64
	err := row.Scan(&u.ID, &u.Email, &u.Name, &u.PasswordHash, &created, &u.Blocked, &u.Unverified, &u.Passkey)
	u.Created = Instant(created)
	return u, err
}

// Role reads id, name, description, preset and created.
func Role(row Scanner) (store.Role, error) {
	var r store.Role
	var created int64
	err := row.Scan(&r.ID, &r.Name, &r.Description, &r.Preset, &created)
	r.Created = Instant(created)
	return r, err
}

// Permission reads api_id and scope.
func Permission(row Scanner) (p store.Permission, err error) {
	err = row.Scan(&p.APIID, &p.Scope)
	return p, err
}

// Ticket reads hash, user_id, expires and issuer.
func Ticket(row Scanner) (store.Ticket, error) {
	var t store.Ticket
	var expires int64
	err := row.Scan(&t.Hash, &t.UserID, &expires, &t.Issuer)
	t.Expires = Instant(expires)
	return t, err
}

// Method reads id, user_id, type, name, key, data, count, created and used, which is 0 until the first use.
func Method(row Scanner) (store.Method, error) {
	var m store.Method
	var created, used int64
	err := row.Scan(&m.ID, &m.UserID, &m.Type, &m.Name, &m.Key, &m.Data, &m.Count, &created, &used)
	m.Created = Instant(created)
	if used != 0 {
		m.Used = Instant(used)
	}
	return m, err
}

// Standing reads global and first_party of the client; whether the user is active; id, scopes, user_policy, client_policy and inactive of
// the API, all empty if there is none; whether there is a grant, and its scopes; the scope of the consent; and whether the user holds the
// scope that is asked for.
func Standing(row Scanner) (store.Standing, error) {
	var s store.Standing
	var a store.API
	err := row.Scan(&s.Global, &s.FirstParty, &s.Active,
		&a.ID, (*Words)(&a.Scopes), &a.UserPolicy, &a.ClientPolicy, &a.Inactive,
		&s.HasGrant, (*Words)(&s.Grant), (*Words)(&s.Consent), &s.Held)
	if a.ID != "" {
		s.API = &a
	}
	return s, err
}
