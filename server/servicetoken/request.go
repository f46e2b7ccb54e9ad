package servicetoken

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/upstream"
)

// fetch asks the issuer for a token and checks what it may do.
func (s *Source) fetch(ctx context.Context) (token, []string, error) {
	got, key, err := s.ask(ctx)
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
	return token{upstream.Credential{Token: got.AccessToken, Key: key}, now, now.Add(life - ahead), now.Add(life)}, scopes, nil
}

// lifetime returns how long a token lasts. It counts from now on our clock, whatever the tenant's clock says; the library's own date would
// be by the machine's.
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

// ask sends a token request. It also returns the key to which the token is bound, or nil. Its errors hold nothing of the answer but the
// status and the error code.
func (s *Source) ask(ctx context.Context) (*oauth2.Token, *dpop.Key, error) {
	meta, err := s.c.Issuer.Metadata(ctx)
	if err != nil {
		if errors.Is(err, issuer.ErrMisconfigured) {
			return nil, nil, fmt.Errorf("%w: %w; check --management-issuer", ErrClient, err)
		}
		return nil, nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	var key *dpop.Key
	if s.c.DPoP && meta.OffersDPoP() {
		if key, err = s.key(); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
	}
	t, err := s.c.Issuer.Token(ctx, key, func(ctx context.Context) (*oauth2.Token, error) {
		c, err := s.request(meta)
		if err != nil {
			return nil, err
		}
		return c.Token(ctx)
	})
	switch {
	case err != nil:
		return nil, nil, s.explain(err)
	case key != nil && issuer.Bound(t.Type()):
		return t, key, nil
	case !strings.EqualFold(t.Type(), "Bearer"):
		return nil, nil, fmt.Errorf("%w: its token is of type %q, want Bearer", ErrClient, clip([]string{t.Type()})[0])
	}
	return t, nil, nil
}

// request returns the parameters of one token request.
func (s *Source) request(meta *issuer.Metadata) (*clientcredentials.Config, error) {
	endpoint := meta.Endpoint()
	c := &clientcredentials.Config{
		ClientID: s.c.ClientID, ClientSecret: s.c.Secret, TokenURL: endpoint.TokenURL, AuthStyle: endpoint.AuthStyle,
		Scopes: Scopes(), EndpointParams: url.Values{"audience": {s.c.Audience}},
	}
	if s.c.Key == nil {
		return c, nil
	}
	assertion, err := s.c.Key.assertion(s.c.ClientID, s.c.Issuer.Issuer(), s.c.Now())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClient, err)
	}
	c.ClientSecret, c.AuthStyle = "", oauth2.AuthStyleInParams
	c.EndpointParams.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
	c.EndpointParams.Set("client_assertion", assertion)
	return c, nil
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
	case errors.Is(err, ErrClient):
		return err
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
