package session

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/gorilla/securecookie"
	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
)

// Defaults of Config.Idle and Config.Absolute.
const (
	DefaultIdle     = 60 * time.Minute
	DefaultAbsolute = 12 * time.Hour
)

// touchStep is how far Seen may lag behind: the row of a session in use is written once per step, not for every request.
const touchStep = time.Minute

// ErrUnavailable means that the session store cannot be reached. The session has not ended, so its cookie must stay.
var ErrUnavailable = errors.New("session store is unavailable")

// ErrExpired means that the session has ended or never existed.
var ErrExpired = errors.New("session has ended")

// Config configures a Store. Zero values of Idle, Absolute, Now, Random and Owner mean the defaults.
type Config struct {
	Rows store.Sessions
	// Keys are the master keys, newest first.
	Keys []Key
	// Plain means that browsers reach the editor over http, which is only for loopback. It omits Secure and the prefix of the cookies'
	// names: WebKit keeps no Secure cookie of plain http, not even on loopback.
	Plain bool
	// Idle and Absolute are how long a session lasts without use, and in total.
	Idle, Absolute time.Duration
	Now            func() time.Time
	Random         io.Reader
	Log            *slog.Logger
	// Owner names this process among those that share the store.
	Owner string
	// Counts remembers finished sign-ins for all replicas; nil means that this process remembers its own.
	Counts ratelimit.Store
	// Observe observes refreshes; may be nil.
	Observe observe.Func
}

// Store keeps sessions. It implements sessions.Store and is safe for concurrent use.
type Store struct {
	*refresher

	cookies cookies
	logins  *Logins
}

var _ sessions.Store = (*Store)(nil)

// NewStore returns a Store. It refuses keys that are missing or too short.
func NewStore(c Config) (*Store, error) {
	ring, err := newRing(c.Keys)
	if err != nil {
		return nil, err
	}
	if c.Idle == 0 {
		c.Idle = DefaultIdle
	}
	if c.Absolute == 0 {
		c.Absolute = DefaultAbsolute
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Owner == "" {
		raw := make([]byte, 8)
		if _, err := io.ReadFull(c.Random, raw); err != nil {
			return nil, fmt.Errorf("name this process: %w", err)
		}
		c.Owner = hex.EncodeToString(raw)
	}
	named := newCookies(c.Plain)
	kept := &records{rows: c.Rows, ring: ring, idle: c.Idle, absolute: c.Absolute, now: c.Now, random: c.Random, log: c.Log}
	used := ratelimit.Counting{Now: c.Now, Store: c.Counts, Observe: c.Observe}.Failures("sign-ins", 1, LoginTime)
	return &Store{
		refresher: &refresher{records: kept, owner: c.Owner, observe: c.Observe}, cookies: named,
		logins: &Logins{cookies: named, ring: ring, now: c.Now, used: used},
	}, nil
}

// CookieName is the name of the session cookie.
func (s *Store) CookieName() string { return s.cookies.session }

// Logins returns the pending sign-ins, whose cookies are protected by the same keys.
func (s *Store) Logins() *Logins { return s.logins }

// Of returns the request's session. New runs once for each request; see sessions.Registry.
func (s *Store) Of(r *http.Request) (*sessions.Session, error) { return s.Get(r, s.CookieName()) }

// Get implements sessions.Store. The only error wraps ErrUnavailable.
func (s *Store) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New implements sessions.Store. If a cookie does not verify, or its row is missing, too old or unreadable, New returns a new session
// without an ID and no error; nothing that the browser sent is used again. If there are several cookies of that name, the first one that
// verifies counts, as for Named: others cannot make several clients of one.
func (s *Store) New(r *http.Request, name string) (*sessions.Session, error) {
	ss := sessions.NewSession(s, name)
	ss.IsNew = true
	ss.Options = &sessions.Options{
		Path: "/", MaxAge: int(s.absolute.Seconds()), Secure: s.cookies.secure, HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	}
	secret := s.secret(r, name)
	if secret == nil {
		return ss, nil
	}
	st, err := s.load(r.Context(), secret)
	if errors.Is(err, ErrExpired) {
		return ss, nil
	}
	if err != nil {
		return ss, err
	}
	attach(ss, st)
	for k, v := range st.rec.Values {
		ss.Values[k] = v
	}
	return ss, nil
}

// Named returns the ID of the session that a request names, without reading the session: it may have ended. It returns "" if no cookie verifies.
func (s *Store) Named(r *http.Request) string {
	if secret := s.secret(r, s.CookieName()); secret != nil {
		return hex.EncodeToString(rowID(secret))
	}
	return ""
}

// secret returns the secret in the first cookie of a name that verifies, nil if there is none.
func (s *Store) secret(r *http.Request, name string) []byte {
	for _, c := range r.CookiesNamed(name) {
		var secret []byte
		if securecookie.DecodeMulti(name, c.Value, &secret, s.ring.codecs...) == nil && len(secret) == secretBytes {
			return secret
		}
	}
	return nil
}

// Save implements sessions.Store: it writes the string values and, after SetGrant, the grant. Tokens that another request has refreshed
// meanwhile stay. A negative MaxAge deletes the row and the cookie. Only string keys and values are kept.
func (s *Store) Save(r *http.Request, w http.ResponseWriter, ss *sessions.Session) error {
	if ss.Options.MaxAge < 0 {
		if st := stateOf(ss); st != nil {
			if err := s.rows.DeleteSession(r.Context(), st.id); err != nil {
				return fmt.Errorf("%w: %w", ErrUnavailable, err)
			}
			detach(ss)
		}
		s.Forget(w)
		return nil
	}
	values := map[string]string{}
	for k, v := range ss.Values {
		key, isKey := k.(string)
		text, isText := v.(string)
		if isKey && isText {
			values[key] = text
		}
	}
	st := stateOf(ss)
	var err error
	if st == nil || st.id == nil {
		st, err = s.replace(r.Context(), st, values)
	} else {
		err = s.update(r.Context(), st, values)
	}
	if err != nil {
		return err
	}
	attach(ss, st)
	text, err := securecookie.EncodeMulti(s.CookieName(), st.secret, s.ring.codecs[0])
	if err != nil {
		return fmt.Errorf("sign session cookie: %w", err)
	}
	http.SetCookie(w, s.cookies.cookie(s.CookieName(), text, ss.Options.MaxAge, http.SameSiteStrictMode))
	return nil
}

// Forget makes the browser drop the session cookie. The row stays.
func (s *Store) Forget(w http.ResponseWriter) {
	http.SetCookie(w, s.cookies.cookie(s.CookieName(), "", -1, http.SameSiteStrictMode))
}

// Renew empties ss and gives it a new ID at its next Save, which then deletes the row of the old one. Call it at every sign-in, so that an
// ID planted earlier is worthless. If that Save fails, the old session remains.
func (s *Store) Renew(ss *sessions.Session) {
	var replaces []byte
	if st := stateOf(ss); st != nil {
		replaces = st.id
	}
	detach(ss)
	clear(ss.Values)
	begun(ss).replaces = replaces
}

// SetGrant sets the tokens of ss; Save stores them.
func (s *Store) SetGrant(ss *sessions.Session, g Grant) {
	st := begun(ss)
	st.rec.Grant, st.dirty = g, true
}

// GrantOf returns the tokens of ss as this request read them.
func (s *Store) GrantOf(ss *sessions.Session) Grant {
	if st := stateOf(ss); st != nil {
		return st.rec.Grant
	}
	return Grant{}
}

// EditToken changes the token of ss for audience in its row, if there is one. It uses the row as it is now, so a refresh by another request
// is kept. The error wraps ErrExpired or ErrUnavailable.
func (s *Store) EditToken(ctx context.Context, ss *sessions.Session, audience string, edit func(*Token)) error {
	st := stateOf(ss)
	if st == nil || st.id == nil {
		return ErrExpired
	}
	return s.change(ctx, st, func(rec *record) {
		if t, ok := rec.Grant.Tokens[audience]; ok {
			edit(&t)
			rec.Grant.Tokens[audience] = t
		}
	})
}

// Touch records that the session is in use, which postpones its idle end. It writes at most once a minute. It only logs a failure, since
// the request itself can continue.
func (s *Store) Touch(ctx context.Context, ss *sessions.Session) {
	st := stateOf(ss)
	now := s.now()
	if st == nil || st.id == nil || now.Sub(st.seen) < touchStep {
		return
	}
	if err := s.rows.TouchSession(ctx, st.id, now); err != nil {
		s.log.WarnContext(ctx, "touch session", "error", err)
		return
	}
	st.seen = now
}

// Left returns how long ss will last if it is not used again, and zero for a new session.
func (s *Store) Left(ss *sessions.Session) time.Duration {
	st := stateOf(ss)
	if st == nil || st.id == nil {
		return 0
	}
	end := st.seen.Add(s.idle)
	if last := st.rec.Created.Add(s.absolute); last.Before(end) {
		end = last
	}
	return max(end.Sub(s.now()), 0)
}

// Sweep deletes sessions that are too old to be used again.
func (s *Store) Sweep(ctx context.Context) error {
	now := s.now()
	n, err := s.rows.SweepSessions(ctx, now.Add(-s.absolute), now.Add(-s.idle))
	if err != nil {
		return fmt.Errorf("sweep sessions: %w", err)
	}
	if n > 0 {
		s.log.InfoContext(ctx, "sessions swept", "count", n)
	}
	return nil
}

// stateKey is the key of a request's state among the session's values. Save skips it, since it is not a string.
type stateKey struct{}

func stateOf(ss *sessions.Session) *state {
	st, _ := ss.Values[stateKey{}].(*state)
	return st
}

// begun returns the state of ss like stateOf, but creates it for a session that is not saved yet.
func begun(ss *sessions.Session) *state {
	st := stateOf(ss)
	if st == nil {
		st = &state{}
		ss.Values[stateKey{}] = st
	}
	return st
}

func attach(ss *sessions.Session, st *state) {
	ss.Values[stateKey{}] = st
	ss.ID = hex.EncodeToString(st.id)
	ss.IsNew = false
}

func detach(ss *sessions.Session) {
	delete(ss.Values, stateKey{})
	ss.ID = ""
	ss.IsNew = true
}

// shortID identifies a row in the log, with just enough characters to distinguish rows.
func shortID(id []byte) string { return hex.EncodeToString(id[:6]) }
