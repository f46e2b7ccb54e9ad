package servicetoken

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/upstream"
)

// Errors of a Source. Their texts name the remedy for the log.
var (
	// ErrClient means that the tenant refuses the service client or gives it too little. Waiting does not help.
	ErrClient = errors.New("the service client is not set up")
	// ErrReadForms means that its token lacks the scope without which nothing works.
	ErrReadForms = fmt.Errorf("%w: its token lacks %s", ErrClient, ReadForms)
	// ErrPowers means that the token holds power over the tenant that it must not have. It is not used.
	ErrPowers = fmt.Errorf("%w: its token holds too much", ErrClient)
	// ErrUnavailable means that the issuer cannot be reached now.
	ErrUnavailable = errors.New("no token for the service client now")
)

const (
	// early is how long before its end a token is renewed; a token that lasts less than shortLife is renewed at half of its life.
	early     = time.Minute
	shortLife = 2 * time.Minute
	// unknownLife is the assumed lifetime of a token whose answer states none.
	unknownLife = 5 * time.Minute
	maxLife     = 24 * time.Hour
	// pause is how long a failure is remembered, and how soon after its issue a refused token is replaced. The tenant is not asked in the
	// meantime, however many people call. maxPause bounds a pause that the tenant requests.
	pause    = time.Second
	maxPause = time.Minute
)

// Config configures a Source.
type Config struct {
	Issuer   *issuer.Server
	ClientID string
	// Secret and Key prove the client's identity; exactly one is given.
	Secret string
	Key    *Key
	// Audience is that of the management API.
	Audience string
	// DPoP binds the token to a key of this Source if the issuer offers that (RFC 9449).
	DPoP bool
	Now  func() time.Time
	Log  *slog.Logger
}

// Source supplies the service client's token. All callers share one token and one request for it. It is kept in memory only. A Source is
// safe for concurrent use.
type Source struct {
	c      Config
	key    func() (*dpop.Key, error) // returns the same key each time
	flight singleflight.Group

	mu     sync.Mutex
	token  token
	failed error     // the latest failure; nil after a success
	again  time.Time // when the tenant may be asked again after it
	// scopes are those of the latest token, even if it has expired; nil before the first.
	scopes []string
	// refused are scopes that the API refused although the token should hold them.
	refused []string
	warned  string // the extra scopes of the latest warning
}

// token is an access token. The zero token has expired.
type token struct {
	upstream.Credential

	issued, renew, ends time.Time
}

// New returns a Source. It makes no calls.
func New(c Config) *Source { return &Source{c: c, key: sync.OnceValues(dpop.NewKey)} }

// Token returns a token. refused is one that the API has just refused, or "". The request for a new token continues if the caller leaves,
// since others wait for it. The error wraps ErrClient or ErrUnavailable, or is that of ctx.
func (s *Source) Token(ctx context.Context, refused string) (upstream.Credential, error) {
	if t, ok := s.usable(refused); ok {
		return t, nil
	}
	// At most two rounds: a request that began before refused was refused may return that very token.
	for range 2 {
		ch := s.flight.DoChan("", func() (any, error) { return s.renew(context.WithoutCancel(ctx), refused) })
		select {
		case <-ctx.Done():
			return upstream.Credential{}, ctx.Err()
		case res := <-ch:
			if res.Err != nil {
				return upstream.Credential{}, res.Err
			}
			if c, ok := res.Val.(upstream.Credential); ok && c.Token != refused {
				return c, nil
			}
		}
	}
	return upstream.Credential{}, fmt.Errorf("%w: the API refuses its token; check that --audience names this API", ErrClient)
}

// Holder names the service client: all calls carry its rights.
func (s *Source) Holder() string { return "service client " + s.c.ClientID }

// Check fetches a token now, so that a start can report what is wrong.
func (s *Source) Check(ctx context.Context) error {
	_, err := s.Token(ctx, "")
	return err
}

// Scopes returns what the service client may do as far as is known. Before the first token, it is assumed to hold what it needs.
func (s *Source) Scopes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scopes == nil {
		return Scopes()
	}
	return slices.DeleteFunc(slices.Clone(s.scopes), func(x string) bool { return slices.Contains(s.refused, x) })
}

// Holds reports whether the latest token holds a scope, whatever the API said about it.
func (s *Source) Holds(scope string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scopes == nil || slices.Contains(s.scopes, scope)
}

// Learn records whether the API accepted a call that needs a scope. A refused scope is missing from Scopes until a call that needs it
// succeeds or a new token arrives.
func (s *Source) Learn(scope string, accepted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = slices.DeleteFunc(s.refused, func(x string) bool { return x == scope })
	if !accepted {
		s.refused = append(s.refused, scope)
	}
}

// usable returns the current token while it need not be renewed.
func (s *Source) usable(refused string) (upstream.Credential, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.token
	return t.Credential, t.Token != "" && t.Token != refused && s.c.Now().Before(t.renew)
}

// renew returns a new token, or the old one if there is no new one and the old one is still valid. Only one call runs at a time.
func (s *Source) renew(ctx context.Context, refused string) (upstream.Credential, error) {
	if t, ok := s.usable(refused); ok { // a request that has just ended
		return t, nil
	}
	s.mu.Lock()
	old, failed, again := s.token, s.failed, s.again
	s.mu.Unlock()
	now := s.c.Now()
	valid := old.Token != "" && old.Token != refused && now.Before(old.ends)
	switch {
	case refused != "" && old.Token == refused && now.Before(old.issued.Add(pause)):
		return old.Credential, nil // it is new, so another one would be refused as well
	case failed != nil && now.Before(again) && valid:
		return old.Credential, nil
	case failed != nil && now.Before(again):
		return upstream.Credential{}, failed
	}
	next, scopes, err := s.fetch(ctx)
	if err != nil {
		s.c.Log.WarnContext(ctx, "token of the service client", "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.token, s.scopes, s.refused, s.failed = next, scopes, nil, nil
		return next.Credential, nil
	}
	s.failed, s.again = err, s.c.Now().Add(wait(err))
	if valid && !errors.Is(err, ErrPowers) {
		return old.Credential, nil
	}
	s.token = token{} // refused, expired, or of a client that must not be used
	return upstream.Credential{}, err
}
