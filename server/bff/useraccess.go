package bff

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gorilla/sessions"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/upstream"
)

// userAccess forwards the tokens of the signed-in person: the tenant decides what they may do.
type userAccess struct {
	identity        *Identity
	sessions        *session.Store
	remote, account bool
	log             journal
}

func (a *userAccess) asks() (scopes []string, audience string) {
	return signInScopes(a.remote, a.account), a.identity.Audience()
}

func (a *userAccess) keep(_ context.Context, _ *provider, t *oauth2.Token, who claims) (kept, *httpx.Problem) {
	token := a.identity.token(t)
	if token.Scope == "" {
		// RFC 6749, section 5.1: an answer without scope grants the requested one.
		scopes, _ := a.asks()
		token.Scope = strings.Join(scopes, " ")
	}
	return kept{
		name: who.Name, email: who.Email,
		grant: session.Grant{Refresh: t.RefreshToken, Tokens: map[string]session.Token{a.identity.Audience(): token}},
	}, nil
}

func (a *userAccess) admit(*sessions.Session) *httpx.Problem { return nil }

func (a *userAccess) scopes(ss *sessions.Session) []string {
	t := a.sessions.GrantOf(ss).Tokens[a.identity.Audience()]
	return slices.DeleteFunc(strings.Fields(t.Scope), func(s string) bool { return hasScope(t.Denied, s) })
}

func (a *userAccess) tokens(ss *sessions.Session, c call) (upstream.TokenSource, *httpx.Problem) {
	audience := a.identity.Audience()
	if c.me {
		audience = a.identity.MeAudience()
	}
	if t, ok := a.sessions.GrantOf(ss).Tokens[audience]; ok && !hasScope(t.Scope, c.scope) {
		return nil, noScope(c.scope)
	}
	return tokenSource{a, ss, audience, c.scope}, nil
}

// answered records in the session whether the token holds the scope of a call. A tenant whose token answers name no scope may have granted
// less than was requested, and only its API says so.
func (a *userAccess) answered(ctx context.Context, ss *sessions.Session, c call, res *upstream.Response) *httpx.Problem {
	if c.me || c.admin {
		return nil
	}
	audience := a.identity.Audience()
	denied := hasScope(a.sessions.GrantOf(ss).Tokens[audience].Denied, c.scope)
	if refusesScope(res) == denied || !refusesScope(res) && !success(res) {
		return nil
	}
	err := a.sessions.EditToken(ctx, ss, audience, func(t *session.Token) {
		words := slices.DeleteFunc(strings.Fields(t.Denied), func(s string) bool { return s == c.scope })
		if !denied {
			words = append(words, c.scope)
		}
		t.Denied = strings.Join(words, " ")
	})
	if err != nil && !errors.Is(err, session.ErrExpired) {
		a.log.warn(ctx, "record scope", err)
	}
	return nil
}

func (a *userAccess) failed(context.Context, error) *httpx.Problem { return nil }

// tokenSource supplies the session's token for one audience to one call, which needs a scope.
type tokenSource struct {
	a               *userAccess
	ss              *sessions.Session
	audience, scope string
}

// Holder implements remote.Holder: the tokens carry the rights of the person who is signed in.
func (s tokenSource) Holder() string {
	subject, _ := s.ss.Values[keySubject].(string)
	return subject
}

// errScope means that a new token lacks the scope of its call.
var errScope = errors.New("token lacks the scope")

// Token implements upstream.TokenSource.
func (s tokenSource) Token(ctx context.Context, refused string) (string, error) {
	t, err := s.a.sessions.Access(ctx, s.ss, s.audience, refused, s.a.identity.Refresh)
	// An audience's first token arrives only now, and a refresh may grant fewer scopes than before.
	if err == nil && t.Scope != "" && !hasScope(t.Scope, s.scope) {
		return "", errScope
	}
	return t.Access, err
}
