package bff

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/refusal"
	"github.com/formgraph/formgraph/server/session"
)

// denied answers an error of the authorization endpoint. The tenant's text goes only to the log, since anyone can write it into a link.
func (s *signIn) denied(w http.ResponseWriter, r *http.Request, l session.Login, a answer) {
	kind := refusal.OfAuthorization(a.err, a.description)
	s.log.refused(r.Context(), "sign_in_denied", "error", clipped(a.err), "description", clipped(a.description), "refused", string(kind))
	switch {
	case kind == refusal.Silent && l.Silent:
		// The page notices that nobody is signed in, and offers a sign-in.
		http.Redirect(w, r, l.ReturnTo, http.StatusSeeOther)
	case kind == refusal.Unavailable:
		s.loginUnavailable(w, r, fmt.Errorf("authorization endpoint: %s", clipped(a.err)))
	default:
		s.loginFailed(w, r, l, s.refused(kind))
	}
}

// exchangeFailed logs an error of the token endpoint and returns the problem to answer with.
func (s *signIn) exchangeFailed(ctx context.Context, err error) *httpx.Problem {
	kind := refusal.Unavailable
	if re, ok := errors.AsType[*oauth2.RetrieveError](err); ok && issuer.Refused(err, re.ErrorCode) && re.ErrorCode != "" {
		kind = refusal.OfToken(re.ErrorCode, re.ErrorDescription)
	}
	s.log.warn(ctx, "exchange code", fmt.Errorf("refused %s: %w", kind, issuer.WithoutBody(err)))
	if kind == refusal.Unavailable {
		return signInUnavailable()
	}
	return s.refused(kind)
}

// refused returns the problem for what the tenant refused of a sign-in.
func (s *signIn) refused(kind refusal.Kind) *httpx.Problem {
	status, code := http.StatusBadGateway, httpx.CodeLoginConfig
	switch kind {
	case refusal.Scope:
		code = httpx.CodeLoginScope
	case refusal.Audience:
		code = httpx.CodeLoginAudience
	case refusal.Callback:
		code = httpx.CodeLoginCallback
	case refusal.Client, refusal.Grant:
		code = httpx.CodeLoginClient
	case refusal.Request:
	case refusal.Code:
		status, code = http.StatusBadRequest, httpx.CodeLoginCode
	default:
		status, code = http.StatusBadRequest, httpx.CodeLoginDenied
	}
	p := httpx.NewProblem(status, code, "")
	p.Detail, p.Remedy = s.sent().Explain(kind)
	return p
}

// sent returns what a sign-in sends.
func (s *signIn) sent() refusal.Sent {
	c := s.identity.c
	scopes, audience := s.sessions.access.asks()
	return refusal.Sent{Issuer: c.Issuer, ClientID: c.ClientID, Callback: c.RedirectURL, Audience: audience, Scopes: scopes}
}
