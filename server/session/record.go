package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"
)

// Token is an access token of one audience.
type Token struct {
	Access string    `json:"access"`
	Type   string    `json:"type"`
	Expiry time.Time `json:"expiry"`
	// Scope is what was granted, words separated by spaces.
	Scope string `json:"scope"`
}

// Grant is what a sign-in or a refresh brought: one refresh token for all
// audiences, and access tokens by audience.
type Grant struct {
	Refresh string           `json:"refresh"`
	Tokens  map[string]Token `json:"tokens"`
}

// with returns the grant after a refresh; g stays as it is. An answer without a
// refresh token leaves the old one in use, and one without a scope the old scope
// (RFC 6749, sections 5.1 and 6).
func (g Grant) with(audience string, t Token, refresh string) Grant {
	next := Grant{Refresh: g.Refresh, Tokens: make(map[string]Token, len(g.Tokens)+1)}
	maps.Copy(next.Tokens, g.Tokens)
	if t.Scope == "" {
		t.Scope = g.Tokens[audience].Scope
	}
	next.Tokens[audience] = t
	if refresh != "" {
		next.Refresh = refresh
	}
	return next
}

// record is the plain text of a row. Created stands in it too, sealed: the
// column alone could be moved by whoever can write to the database.
type record struct {
	Created time.Time         `json:"created"`
	Values  map[string]string `json:"values"`
	Grant   Grant             `json:"grant"`
}

// state is what one request knows of its session's row.
type state struct {
	secret  []byte
	id      []byte
	version int64
	seen    time.Time
	rec     record
	dirty   bool // the grant was set and is not yet saved
	// person and signIn say of whom a session is that is not yet saved.
	person, signIn string
}

func (s *Store) sealRecord(st *state, version int64) ([]byte, error) {
	plain, err := json.Marshal(st.rec)
	if err != nil {
		return nil, fmt.Errorf("encode session: %w", err)
	}
	return s.ring.seal(infoSeal, st.secret, boundRow(st.id, version), plain)
}
