package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/servicetoken"
	"github.com/formgraph/formgraph/server/session"
)

// service returns the service client that calls a remote tenant, or nil if people's own tokens are forwarded. It fetches a token: one that
// holds power over the tenant aborts the start. Every other failure is logged, and the tenant is asked again later, since it may be down
// or an administrator may correct it there.
func (s *parts) service(ctx context.Context, signIn *issuer.Server, transport http.RoundTripper) (*bff.Service, error) {
	c := s.c.Remote.Service
	if c == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	tokens, err := s.serviceTokens(signIn, transport, s.db.Now)
	if err != nil {
		return nil, unusable{err}
	}
	if err := tokens.Check(ctx); errors.Is(err, servicetoken.ErrPowers) || errors.Is(err, issuer.ErrMisconfigured) {
		return nil, unusable{err}
	}
	return &bff.Service{Tokens: tokens, Rules: c.Rules}, nil
}

// serviceTokens returns the source of the service client's token. signIn is the server at which people sign in, which may be the same.
func (s *parts) serviceTokens(
	signIn *issuer.Server, transport http.RoundTripper, now func() time.Time,
) (*servicetoken.Source, error) {
	c := s.c.Remote.Service
	at := signIn
	if c.Issuer != signIn.Issuer() {
		at = issuer.New(issuer.Config{Issuer: c.Issuer, Transport: transport, Timeout: session.TokenTimeout, Now: now})
	}
	key, err := clientKey(c)
	if err != nil {
		return nil, err
	}
	return servicetoken.New(servicetoken.Config{
		Issuer: at, ClientID: c.ClientID, Secret: c.Secret, Key: key, Audience: s.c.Remote.Audience,
		DPoP: s.c.Remote.DPoP, Now: now, Log: s.log,
	}), nil
}

// clientKey reads the private key of the service client, or returns nil if it has a secret.
func clientKey(c *config.Service) (*servicetoken.Key, error) {
	if c.KeyFile == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	text, err := os.ReadFile(c.KeyFile) // #nosec G703 -- the operator names the file
	if err != nil {
		return nil, fmt.Errorf("--management-client-key: %w", err)
	}
	key, err := servicetoken.ParseKey(text)
	if err != nil {
		return nil, fmt.Errorf("--management-client-key: %s: %w", c.KeyFile, err)
	}
	return key, nil
}
