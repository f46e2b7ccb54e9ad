package bff

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/session"
)

// claims are the claims that we read from an ID token.
type claims struct {
	Subject string `json:"sub"`
	Name    string `json:"name"`
	Email   string `json:"email"`
	Party   string `json:"azp"`
	SignIn  string `json:"sid"`
	// At is when the person authenticated, in seconds since 1970; nil when the tenant does not state it.
	At *int64 `json:"auth_time"`
	// all is the whole payload.
	all json.RawMessage
}

// identify makes the checks that the OpenID library leaves to us: the ID token exists, and its nonce, azp, at_hash, age and auth_time are
// right (OpenID Connect Core, section 3.1.3.7).
func (i *Identity) identify(ctx context.Context, p *provider, l session.Login, t *oauth2.Token) (claims, error) {
	raw, ok := t.Extra("id_token").(string)
	if !ok || raw == "" {
		return claims{}, errors.New("there is no ID token")
	}
	id, err := p.verifier.Verify(ctx, raw)
	if err != nil {
		return claims{}, errors.New(clipped(err.Error()))
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(l.Nonce)) != 1 {
		return claims{}, errNonce
	}
	var who claims
	if err := id.Claims(&who); err != nil {
		return claims{}, fmt.Errorf("read claims: %w", err)
	}
	if err := id.Claims(&who.all); err != nil {
		return claims{}, fmt.Errorf("read claims: %w", err)
	}
	if who.Subject == "" || who.Party != "" && who.Party != i.c.ClientID || who.Party == "" && len(id.Audience) > 1 {
		return claims{}, errors.New("sub or azp is missing or wrong")
	}
	if id.AccessTokenHash != "" {
		if err := id.VerifyAccessToken(t.AccessToken); err != nil {
			return claims{}, fmt.Errorf("at_hash: %w", err)
		}
	}
	now := i.c.Now()
	// The token was issued a moment ago, so its date shows the difference between the clocks.
	if skew := now.Sub(id.IssuedAt); skew > clockLeeway || skew < -clockLeeway {
		return claims{}, fmt.Errorf("%w: by %v", errClock, skew)
	}
	if !id.Expiry.After(now.Add(-clockLeeway)) {
		return claims{}, fmt.Errorf("%w: it expired %v ago", errClock, now.Sub(id.Expiry))
	}
	// A tenant that does not support max_age would otherwise return the person with the earlier sign-in.
	if l.Fresh && (who.At == nil || time.Unix(*who.At, 0).Before(l.Begun.Add(-clockLeeway))) {
		return claims{}, errStale
	}
	return who, nil
}
