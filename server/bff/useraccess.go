package bff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gorilla/sessions"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/refusal"
	"github.com/formgraph/formgraph/server/servicetoken"
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

func (a *userAccess) keep(ctx context.Context, _ *provider, t *oauth2.Token, key *dpop.Key, who claims) (kept, *httpx.Problem) {
	token := a.identity.token(t)
	if token.Scope == "" {
		// RFC 6749, section 5.1: an answer without scope grants the requested one.
		scopes, _ := a.asks()
		token.Scope = strings.Join(scopes, " ")
	}
	if a.remote && !aboutForms(strings.Fields(token.Scope)) {
		a.log.warn(ctx, "sign-in", fmt.Errorf("the tenant granted no scope of forms to this person. %s", refusal.Service))
	}
	grant := session.Grant{Refresh: t.RefreshToken, Tokens: map[string]session.Token{a.identity.Audience(): token}}
	if key != nil {
		grant.Key = key.Bytes() // even if this token is not bound: that for another audience may be
	}
	return kept{name: who.Name, email: who.Email, grant: grant}, nil
}

func (a *userAccess) admit(*sessions.Session) *httpx.Problem { return nil }

func (a *userAccess) scopes(ss *sessions.Session) []string {
	t := a.sessions.GrantOf(ss).Tokens[a.identity.Audience()]
	return slices.DeleteFunc(strings.Fields(t.Scope), func(s string) bool { return hasScope(t.Denied, s) })
}

func (a *userAccess) edits(ss *sessions.Session) bool {
	return slices.Contains(a.scopes(ss), updateForms)
}

func (a *userAccess) tokens(ss *sessions.Session, c call) (upstream.TokenSource, *httpx.Problem) {
	audience := a.identity.Audience()
	if c.me {
		audience = a.identity.MeAudience()
	}
	if t, ok := a.sessions.GrantOf(ss).Tokens[audience]; ok && !hasScope(t.Scope, c.scope) {
		return nil, a.lacks(ss, c)
	}
	return tokenSource{a, ss, audience, c.scope}, nil
}

func (a *userAccess) own() upstream.TokenSource { return nil }

// answered records in the session whether the token holds the scope of a call. A tenant whose token answers name no scope may have granted
// less than was requested, and only its API says so.
func (a *userAccess) answered(ctx context.Context, ss *sessions.Session, c call, res *upstream.Response) *httpx.Problem {
	if c.me || c.admin {
		return nil
	}
	p := a.refused(ss, c, res)
	audience := a.identity.Audience()
	denied := hasScope(a.sessions.GrantOf(ss).Tokens[audience].Denied, c.scope)
	if refusesScope(res) == denied || !refusesScope(res) && !success(res) {
		return p
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
	if p != nil && a.needsService(ss, c) {
		a.log.warn(ctx, "tenant", fmt.Errorf("it refuses %s to this person. %s", c.scope, refusal.Service))
	}
	return p
}

// refused returns the problem for an answer that refuses the scope of a call at a remote tenant, and nil for any other answer.
func (a *userAccess) refused(ss *sessions.Session, c call, res *upstream.Response) *httpx.Problem {
	if !a.remote || !refusesScope(res) {
		return nil
	}
	return a.lacks(ss, c)
}

// lacks returns the problem for a scope that a person lacks.
func (a *userAccess) lacks(ss *sessions.Session, c call) *httpx.Problem {
	p := noScope(c.scope)
	if a.needsService(ss, c) {
		p.Detail += " " + refusal.Service
	}
	return p
}

// needsService reports whether a missing scope suggests that the tenant grants people no forms at all: they cannot even read them.
func (a *userAccess) needsService(ss *sessions.Session, c call) bool {
	return a.remote && !c.me && (c.scope == servicetoken.ReadForms || !aboutForms(a.scopes(ss)))
}

// aboutForms reports whether one of the scopes concerns forms.
func aboutForms(scopes []string) bool {
	return slices.ContainsFunc(scopes, func(s string) bool { return strings.HasSuffix(s, ":forms") })
}

func (a *userAccess) failed(_ context.Context, ss *sessions.Session, c call, err error) *httpx.Problem {
	if errors.Is(err, errScope) {
		return a.lacks(ss, c)
	}
	return nil
}

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
func (s tokenSource) Token(ctx context.Context, refused string) (upstream.Credential, error) {
	t, err := s.a.sessions.Access(ctx, s.ss, s.audience, refused, s.a.identity.Refresh)
	// An audience's first token arrives only now, and a refresh may grant fewer scopes than before.
	if err == nil && t.Scope != "" && !hasScope(t.Scope, s.scope) {
		return upstream.Credential{}, errScope
	}
	return s.a.identity.credential(t, s.a.sessions.GrantOf(s.ss)), err
}
