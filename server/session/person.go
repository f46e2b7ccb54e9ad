package session

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"

	"github.com/gorilla/sessions"
)

// What a mark is of: a person and a sign-in of the same text must not look alike.
const (
	markPerson = "person "
	markSignIn = "sign-in "
)

// SetPerson says of whom ss is (claim sub) and of which sign-in at the tenant (claim sid, "" when the tenant
// names none), so that EndOf finds it. The first Save keeps it, and it cannot change later.
func (s *Store) SetPerson(ss *sessions.Session, person, signIn string) {
	st := begun(ss)
	st.person, st.signIn = person, signIn
}

// EndOf ends the sessions of a person, of a sign-in, or of a sign-in of that person when both are given,
// and returns how many there were; with neither it ends none. What the person of a session does next finds
// it gone. The error wraps ErrUnavailable. Sessions are found under every key that still opens them.
//
// Their refresh tokens are not revoked, which only the cookie could open: a tenant that reports the end of a sign-in has
// revoked them. OpenID Connect Back-Channel Logout 1.0, section 2.7.
func (s *Store) EndOf(ctx context.Context, person, signIn string) (int, error) {
	n, err := s.rows.EndSessions(ctx, s.ring.allMarks(markPerson, person), s.ring.allMarks(markSignIn, signIn))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return int(n), nil
}

// mark is what the store sees of a name: with a key of ours, since subjects can be guessed. nil for no name.
func (r *ring) mark(key int, of, name string) []byte {
	if name == "" {
		return nil
	}
	m := hmac.New(sha256.New, r.marks[key])
	m.Write([]byte(of + name))
	return m.Sum(nil)
}

// allMarks are the marks of a name under each key; none for no name.
func (r *ring) allMarks(of, name string) (out [][]byte) {
	if name == "" {
		return nil
	}
	for i := range r.marks {
		out = append(out, r.mark(i, of, name))
	}
	return out
}
