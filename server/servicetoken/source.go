package servicetoken

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
	"golang.org/x/sync/singleflight"

	"github.com/formgraph/formgraph/server/issuer"
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
	Now      func() time.Time
	Log      *slog.Logger
}

// Source supplies the service client's token. All callers share one token and one request for it. It is kept in memory only. A Source is
// safe for concurrent use.
type Source struct {
	c      Config
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
	access              string
	issued, renew, ends time.Time
}

// New returns a Source. It makes no calls.
func New(c Config) *Source { return &Source{c: c} }

// Token returns a token. refused is one that the API has just refused, or "". The request for a new token continues if the caller leaves,
// since others wait for it. The error wraps ErrClient or ErrUnavailable, or is that of ctx.
func (s *Source) Token(ctx context.Context, refused string) (string, error) {
	if t, ok := s.usable(refused); ok {
		return t, nil
	}
	// At most two rounds: a request that began before refused was refused may return that very token.
	for range 2 {
		ch := s.flight.DoChan("", func() (any, error) { return s.renew(context.WithoutCancel(ctx), refused) })
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case res := <-ch:
			if res.Err != nil {
				return "", res.Err
			}
			if access, ok := res.Val.(string); ok && access != refused {
				return access, nil
			}
		}
	}
	return "", fmt.Errorf("%w: the API refuses its token; check that --audience names this API", ErrClient)
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
func (s *Source) usable(refused string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.token.access, s.token.access != "" && s.token.access != refused && s.c.Now().Before(s.token.renew)
}

// renew returns a new token, or the old one if there is no new one and the old one is still valid. Only one call runs at a time.
func (s *Source) renew(ctx context.Context, refused string) (string, error) {
	if t, ok := s.usable(refused); ok { // a request that has just ended
		return t, nil
	}
	s.mu.Lock()
	old, failed, again := s.token, s.failed, s.again
	s.mu.Unlock()
	now := s.c.Now()
	valid := old.access != "" && old.access != refused && now.Before(old.ends)
	switch {
	case refused != "" && old.access == refused && now.Before(old.issued.Add(pause)):
		return refused, nil // it is new, so another one would be refused as well
	case failed != nil && now.Before(again) && valid:
		return old.access, nil
	case failed != nil && now.Before(again):
		return "", failed
	}
	next, scopes, err := s.fetch(ctx)
	if err != nil {
		s.c.Log.WarnContext(ctx, "token of the service client", "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.token, s.scopes, s.refused, s.failed = next, scopes, nil, nil
		return next.access, nil
	}
	s.failed, s.again = err, s.c.Now().Add(wait(err))
	if valid && !errors.Is(err, ErrPowers) {
		return old.access, nil
	}
	s.token = token{} // refused, expired, or of a client that must not be used
	return "", err
}

// fetch asks the issuer for a token and checks what it may do.
func (s *Source) fetch(ctx context.Context) (token, []string, error) {
	got, err := s.ask(ctx)
	if err != nil {
		return token{}, nil, err
	}
	scopes := s.granted(got)
	dangerous, extra := powers(scopes)
	if len(dangerous) > 0 {
		return token{}, nil, fmt.Errorf("%w: %s; at the tenant, grant the client %q only %s, or use a client of its own "+
			"(--management-client-id)", ErrPowers, strings.Join(clip(dangerous), " "), s.c.ClientID, strings.Join(Scopes(), " "))
	}
	if !slices.Contains(scopes, ReadForms) {
		return token{}, nil, fmt.Errorf("%w; at the tenant, grant the client %q %s for the audience %q",
			ErrReadForms, s.c.ClientID, strings.Join(Scopes(), " "), s.c.Audience)
	}
	s.warn(ctx, scopes, extra)
	now := s.c.Now()
	life := lifetime(got)
	if len(lacking(scopes)) > 0 {
		life = min(life, unknownLife) // a scope that is granted meanwhile is soon found
	}
	ahead := early
	if life < shortLife {
		ahead = life / 2
	}
	return token{access: got.AccessToken, issued: now, renew: now.Add(life - ahead), ends: now.Add(life)}, scopes, nil
}

// lifetime returns how long a token lasts. It counts from now on our clock, whatever the tenant's clock says; the library's own date would be
// by the machine's.
func lifetime(t *oauth2.Token) time.Duration {
	seconds := 0.0
	switch v := t.Extra("expires_in").(type) {
	case float64:
		seconds = v
	case string: // some tenants write a number as text
		seconds, _ = strconv.ParseFloat(v, 64) // 0 for text that is not a number
	}
	if !(seconds >= 1) {
		return unknownLife
	}
	return time.Duration(min(seconds, maxLife.Seconds()) * float64(time.Second))
}

// granted returns the scopes of an answer. An answer without scope grants the requested one (RFC 6749, section
// 5.1), but some tenants omit it although they granted something else.
func (s *Source) granted(t *oauth2.Token) []string {
	if text, ok := t.Extra("scope").(string); ok && text != "" {
		return strings.Fields(text)
	}
	if claimed, ok := issuer.ClaimedScopes(t.AccessToken); ok {
		return claimed
	}
	return Scopes()
}

// warn logs what the token holds without need, and lacks, once for each difference.
func (s *Source) warn(ctx context.Context, scopes, extra []string) {
	lacks := lacking(scopes)
	text := strings.Join(clip(extra), " ") + "|" + strings.Join(lacks, " ")
	s.mu.Lock()
	known := s.warned == text
	s.warned = text
	s.mu.Unlock()
	if known {
		return
	}
	if len(extra) > 0 {
		s.c.Log.WarnContext(ctx, "the service client holds more scopes than it needs", "scopes", clip(extra))
	}
	if len(lacks) > 0 {
		s.c.Log.WarnContext(ctx, "the service client lacks scopes; people cannot do what they allow", "scopes", lacks)
	}
}

// lacking returns the needed scopes that are not among those of a token.
func lacking(scopes []string) []string {
	return slices.DeleteFunc(Scopes(), func(x string) bool { return slices.Contains(scopes, x) })
}

// clip bounds a list from the tenant for a message.
func clip(scopes []string) []string {
	out := make([]string, 0, len(scopes))
	for _, s := range scopes[:min(len(scopes), 20)] {
		out = append(out, s[:min(len(s), 100)])
	}
	if len(scopes) > len(out) {
		out = append(out, fmt.Sprintf("and %d more", len(scopes)-len(out)))
	}
	return out
}

// ask sends one token request. Its errors hold nothing of the answer but the status and the error code.
func (s *Source) ask(ctx context.Context) (*oauth2.Token, error) {
	meta, err := s.c.Issuer.Metadata(ctx)
	if err != nil {
		if errors.Is(err, issuer.ErrMisconfigured) {
			return nil, fmt.Errorf("%w: %w; check --management-issuer", ErrClient, err)
		}
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	endpoint := meta.Endpoint()
	c := clientcredentials.Config{
		ClientID: s.c.ClientID, ClientSecret: s.c.Secret, TokenURL: endpoint.TokenURL, AuthStyle: endpoint.AuthStyle,
		Scopes: Scopes(), EndpointParams: url.Values{"audience": {s.c.Audience}},
	}
	if s.c.Key != nil {
		assertion, err := s.c.Key.assertion(s.c.ClientID, s.c.Issuer.Issuer(), s.c.Now())
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrClient, err)
		}
		c.ClientSecret, c.AuthStyle = "", oauth2.AuthStyleInParams
		c.EndpointParams.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		c.EndpointParams.Set("client_assertion", assertion)
	}
	t, err := c.Token(context.WithValue(ctx, oauth2.HTTPClient, s.c.Issuer.Client()))
	if err != nil {
		return nil, s.explain(err)
	}
	if !strings.EqualFold(t.Type(), "Bearer") {
		return nil, fmt.Errorf("%w: its token is of type %q, want Bearer", ErrClient, clip([]string{t.Type()})[0])
	}
	return t, nil
}

// delayed is an error whose answer asked for a pause.
type delayed struct {
	error
	pause time.Duration
}

func (d delayed) Unwrap() error { return d.error }

// wait returns how long to wait after an error before the tenant is asked again.
func wait(err error) time.Duration {
	if d, ok := errors.AsType[delayed](err); ok {
		return d.pause
	}
	return pause
}

// explain classifies the error of a token request.
func (s *Source) explain(err error) error {
	const clients, audiences = "check --management-client-id and its secret or key", "at the tenant, grant the client access to the audience"
	quiet := issuer.WithoutBody(err)
	switch {
	case issuer.Refused(err, "invalid_client"):
		return fmt.Errorf("%w: the issuer does not accept the client %q: %w; %s", ErrClient, s.c.ClientID, quiet, clients)
	case issuer.Refused(err, "unauthorized_client", "unsupported_grant_type"):
		return fmt.Errorf("%w: the client %q may not use the grant type client_credentials: %w; allow it at the tenant",
			ErrClient, s.c.ClientID, quiet)
	case issuer.Refused(err, "access_denied", "invalid_target", "invalid_scope", "invalid_request", "invalid_grant"):
		return fmt.Errorf("%w: the client %q gets no token for the audience %q: %w; %s %s", ErrClient, s.c.ClientID, s.c.Audience, quiet,
			audiences, "with the scopes "+strings.Join(Scopes(), " "))
	}
	var re *oauth2.RetrieveError
	if errors.As(err, &re) && re.Response != nil {
		if re.Response.StatusCode == http.StatusUnauthorized {
			return fmt.Errorf("%w: the issuer does not accept the client %q: %w; %s", ErrClient, s.c.ClientID, quiet, clients)
		}
		if after, e := time.ParseDuration(re.Response.Header.Get("Retry-After") + "s"); e == nil && after > pause {
			return delayed{fmt.Errorf("%w: %w", ErrUnavailable, quiet), min(after, maxPause)}
		}
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, quiet)
}
