package bff

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/session"
)

// token converts an answer of the token endpoint. The lifetime counts from now on our clock, whatever the tenant's clock says.
func (i *Identity) token(t *oauth2.Token) session.Token {
	life := time.Duration(t.ExpiresIn) * time.Second
	if life <= 0 {
		life = unknownLife
	}
	scope, _ := t.Extra("scope").(string)
	if scope == "" {
		claimed, _ := issuer.ClaimedScopes(t.AccessToken)
		scope = strings.Join(claimed, " ")
	}
	return session.Token{Access: t.AccessToken, Type: t.Type(), Expiry: i.c.Now().Add(min(life, 24*time.Hour)), Scope: scope}
}

// Refresh implements session.Refresh for the two audiences. It proves the key of the grant if there is one. The error wraps errAudience
// when the tenant issues this client no token for the account API.
func (i *Identity) Refresh(ctx context.Context, audience string, g session.Grant) (session.Token, string, error) {
	me := audience != i.c.Audience
	if me && (audience == "" || audience != i.c.MeAudience) {
		return session.Token{}, "", fmt.Errorf("refresh: %w", errAudience)
	}
	p, err := i.provider(ctx)
	if err != nil {
		return session.Token{}, "", err
	}
	t, err := i.server.Token(ctx, i.keyOf(g), func(ctx context.Context) (*oauth2.Token, error) {
		if me {
			return refreshFor(ctx, p.oauth, g.Refresh, audience)
		}
		return p.oauth.TokenSource(ctx, &oauth2.Token{RefreshToken: g.Refresh}).Token()
	})
	switch {
	case err == nil:
	case issuer.Refused(err, "invalid_grant"):
		return session.Token{}, "", fmt.Errorf("refresh: %w", session.ErrRevoked)
	case me && issuer.Refused(err, "invalid_target", "invalid_scope", "invalid_request", "unauthorized_client", "access_denied"):
		return session.Token{}, "", fmt.Errorf("refresh: %w: %w", errAudience, issuer.WithoutBody(err))
	case issuer.Refused(err, "invalid_target"):
		// The API's identifier has changed since the sign-in (RFC 8707). As with a revoked token, only a new sign-in helps.
		return session.Token{}, "", fmt.Errorf("refresh: %w", session.ErrRevoked)
	default:
		return session.Token{}, "", fmt.Errorf("refresh: %w", issuer.WithoutBody(err))
	}
	token := i.token(t)
	if me && token.Scope == "" {
		// RFC 6749, section 5.1: an answer without scope grants the requested one.
		token.Scope = strings.Join(scopesOf(accountRoutes()), " ")
	}
	return token, t.RefreshToken, nil
}

// refreshFor uses a refresh token for an audience other than that of the sign-in. The oauth2 package cannot add parameters to a refresh, so
// its code exchange is used: an empty code counts as omitted (RFC 6749, section 3.2).
func refreshFor(ctx context.Context, c oauth2.Config, refreshToken, audience string) (*oauth2.Token, error) {
	c.RedirectURL = ""
	return c.Exchange(ctx, "",
		oauth2.SetAuthURLParam("grant_type", "refresh_token"), oauth2.SetAuthURLParam("refresh_token", refreshToken),
		oauth2.SetAuthURLParam("audience", audience), oauth2.SetAuthURLParam("scope", strings.Join(scopesOf(accountRoutes()), " ")))
}

// Revoke revokes a refresh token at the tenant (RFC 7009). It does nothing for an empty token or if the tenant has no revocation endpoint.
func (i *Identity) Revoke(ctx context.Context, refreshToken string) error {
	if refreshToken == "" {
		return nil
	}
	p, err := i.provider(ctx)
	if err != nil || p.meta.Revocation == "" {
		return err
	}
	form := url.Values{"token": {refreshToken}, "token_type_hint": {"refresh_token"}}
	basic := p.oauth.Endpoint.AuthStyle == oauth2.AuthStyleInHeader
	if !basic {
		form.Set("client_id", i.c.ClientID)
		form.Set("client_secret", i.c.ClientSecret)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.meta.Revocation, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("revoke: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if basic {
		// RFC 6749, section 2.3.1: both are form-encoded before they are joined.
		req.SetBasicAuth(url.QueryEscape(i.c.ClientID), url.QueryEscape(i.c.ClientSecret))
	}
	res, err := i.server.Client().Do(req)
	if err != nil {
		return fmt.Errorf("revoke: %w", issuer.Quiet(err))
	}
	if err := res.Body.Close(); err != nil {
		return fmt.Errorf("revoke: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("revoke: status %d", res.StatusCode)
	}
	return nil
}

// revokeTime bounds a revocation, for which the sign-out waits.
const revokeTime = 3 * time.Second

// release revokes the refresh token of a session that has ended; "" does nothing. It continues if the browser disconnects. An unreachable
// tenant does not prevent the sign-out.
func (i *Identity) release(ctx context.Context, refreshToken string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), revokeTime)
	defer cancel()
	if err := i.Revoke(ctx, refreshToken); err != nil {
		i.log.warn(ctx, "revoke refresh token", err)
	}
}

// LogoutURL returns the address at which a browser also signs out at the tenant, which then redirects it to home. The address names the
// client and not the ID token, which stays on the server. If the tenant has no such endpoint, LogoutURL returns home.
func (i *Identity) LogoutURL(ctx context.Context, home string) string {
	p, err := i.provider(ctx)
	if err != nil || p.meta.EndSession == "" {
		return home
	}
	u, err := url.Parse(p.meta.EndSession)
	if err != nil {
		return home
	}
	q := u.Query()
	q.Set("client_id", i.c.ClientID)
	q.Set("post_logout_redirect_uri", home)
	u.RawQuery = q.Encode()
	return u.String()
}
