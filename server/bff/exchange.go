package bff

import (
	"context"
	"errors"
	"net/http"

	"github.com/gorilla/sessions"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/session"
)

// exchange trades the code for tokens, checks the ID token and returns what the session keeps. If the sign-in fails, it revokes the tokens.
func (s *signIn) exchange(ctx context.Context, p *provider, l session.Login, code string) (claims, kept, *httpx.Problem) {
	key, err := s.identity.newKey(p)
	if err != nil {
		return claims{}, kept{}, s.exchangeFailed(ctx, err)
	}
	t, err := s.identity.server.Token(ctx, key, func(ctx context.Context) (*oauth2.Token, error) {
		return p.oauth.Exchange(ctx, code, oauth2.VerifierOption(l.Verifier))
	})
	if err != nil {
		return claims{}, kept{}, s.exchangeFailed(ctx, err)
	}
	who, err := s.identity.identify(ctx, p, l, t)
	if err != nil {
		s.identity.release(ctx, t.RefreshToken)
		return claims{}, kept{}, tokenInvalid(ctx, s.log, err)
	}
	k, problem := s.sessions.access.keep(ctx, p, t, key, who)
	return who, k, problem
}

// tokenInvalid logs why a sign-in's ID token is not accepted and returns the problem to answer with.
func tokenInvalid(ctx context.Context, log journal, err error) *httpx.Problem {
	log.warn(ctx, "ID token", err)
	p := httpx.NewProblem(http.StatusBadRequest, httpx.CodeLoginToken, "The tenant's ID token is not valid. Sign in again.")
	switch {
	case errors.Is(err, errNonce):
		p.Code, p.Detail = httpx.CodeNonce, "The tenant's ID token belongs to another sign-in. Sign in again."
	case errors.Is(err, errStale):
		p.Detail = "The tenant did not ask you to sign in again. Sign out there, then sign in again."
	case errors.Is(err, errClock):
		p.Code, p.Detail = httpx.CodeClockSkew, "The clocks of this server and of the tenant are too far apart (clock skew). An administrator "+
			"must set them."
	}
	return p
}

// start creates the session under a new ID, so that an ID planted earlier is worthless.
func (s *signIn) start(w http.ResponseWriter, r *http.Request, who claims, k kept) (*sessions.Session, *httpx.Problem) {
	ss, err := s.sessions.Of(r)
	if err != nil {
		return nil, s.sessions.storeDown(r.Context(), err)
	}
	before := s.sessions.GrantOf(ss).Refresh
	s.sessions.Renew(ss)
	ss.Values[keySubject], ss.Values[keyName], ss.Values[keyEmail] = who.Subject, k.name, k.email
	for name, v := range k.values {
		ss.Values[name] = v
	}
	s.sessions.SetGrant(ss, k.grant)
	s.sessions.SetPerson(ss, who.Subject, who.SignIn)
	if err := s.sessions.Save(r, w, ss); err != nil {
		return nil, s.sessions.storeDown(r.Context(), err)
	}
	// The old token is no longer used, but the tenant would still list it among the person's sign-ins.
	s.identity.release(r.Context(), before)
	return ss, nil
}
