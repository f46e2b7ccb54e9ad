package session

import (
	"maps"
	"time"
)

// Token is an access token for one audience.
type Token struct {
	Access string    `cbor:"access"`
	Type   string    `cbor:"type"`
	Expiry time.Time `cbor:"expiry"`
	// Scope is the granted scope, words separated by spaces.
	Scope string `cbor:"scope"`
	// Denied lists words of Scope that the API refused nevertheless, separated by spaces: some answers overstate the scope.
	Denied string `cbor:"denied,omitempty"`
}

// Grant is the result of a sign-in or a refresh: one refresh token for all audiences, and access tokens by audience.
type Grant struct {
	Refresh string           `cbor:"refresh"`
	Tokens  map[string]Token `cbor:"tokens"`
	// Key is the secret of the key to which tokens of type DPoP are bound (RFC 9449); nil if there is none. It never changes.
	Key []byte `cbor:"key,omitempty"`
}

// with returns the grant after a refresh; g does not change. If the answer has no refresh token or no scope, the old one stays (RFC 6749,
// sections 5.1 and 6), and so does what is known about the scope.
func (g Grant) with(audience string, t Token, refresh string) Grant {
	next := Grant{Refresh: g.Refresh, Key: g.Key, Tokens: make(map[string]Token, len(g.Tokens)+1)}
	maps.Copy(next.Tokens, g.Tokens)
	if t.Scope == "" {
		t.Scope, t.Denied = g.Tokens[audience].Scope, g.Tokens[audience].Denied
	}
	next.Tokens[audience] = t
	if refresh != "" {
		next.Refresh = refresh
	}
	return next
}

// record is the plain text of a row, in CBOR: every request decodes one with all its tokens, and decoding JSON took as long as reading the
// row. Times are kept to the second. Created is included since anyone who can write to the database could change a column.
type record struct {
	Created time.Time         `cbor:"created"`
	Values  map[string]string `cbor:"values"`
	Grant   Grant             `cbor:"grant"`
}

// state is the state of a session's row as one request knows it.
type state struct {
	secret  []byte
	id      []byte
	version int64
	seen    time.Time
	rec     record
	dirty   bool // the grant was set and is not yet saved
	// person and signIn identify the person and the sign-in of a session that is not yet saved.
	person, signIn string
	// replaces is the ID of the session that ends when this one is saved; nil for none.
	replaces []byte
}
