package session

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"

	"github.com/gorilla/sessions"
)

// Prefixes of the text hashed into a mark: a person and a sign-in with the same name must have different marks.
const (
	markPerson = "person "
	markSignIn = "sign-in "
)

// SetPerson sets the person of ss (claim sub) and the sign-in at the tenant (claim sid, "" if the tenant names none), so that EndOf finds
// ss. The first Save stores both, and they cannot change later.
func (s *Store) SetPerson(ss *sessions.Session, person, signIn string) {
	st := begun(ss)
	st.person, st.signIn = person, signIn
}

// EndOf ends the sessions of a person, of a sign-in, or, if both are given, of that sign-in of that person. It returns how many sessions it
// ended; with neither it ends none. The error wraps ErrUnavailable. Sessions are found under every key that still opens them.
//
// Their refresh tokens are not revoked: only the cookie could decrypt them, and a tenant that reports the end of a sign-in has
// revoked them. OpenID Connect Back-Channel Logout 1.0, section 2.7.
func (s *Store) EndOf(ctx context.Context, person, signIn string) (int, error) {
	n, err := s.rows.EndSessions(ctx, s.ring.allMarks(markPerson, person), s.ring.allMarks(markSignIn, signIn))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return int(n), nil
}

// mark returns the store's form of a name: a keyed hash, since subjects can be guessed. It is nil for "".
func (r *ring) mark(key int, of, name string) []byte {
	if name == "" {
		return nil
	}
	m := hmac.New(sha256.New, r.marks[key])
	m.Write([]byte(of + name))
	return m.Sum(nil)
}

// allMarks returns the marks of a name under each key, and none for "".
func (r *ring) allMarks(of, name string) (out [][]byte) {
	if name == "" {
		return nil
	}
	for i := range r.marks {
		out = append(out, r.mark(i, of, name))
	}
	return out
}
