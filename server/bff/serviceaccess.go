package bff

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/gorilla/sessions"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/admission"
	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/servicetoken"
	"github.com/formgraph/formgraph/server/upstream"
)

// Service is the service client with whose token the management API is called, and the rules of who may use it.
type Service struct {
	Tokens *servicetoken.Source
	Rules  admission.Rules
}

// serviceAccess calls the management API with the token of the server. Its rules judge every request by the claims of the person's sign-in,
// so a rule that is removed stops working with the next start.
type serviceAccess struct {
	Service

	identity *Identity
	log      journal
}

func (a *serviceAccess) asks() (scopes []string, audience string) { return personScopes(), "" }

// keep implements access: the session gets the person's claims, but none of their tokens. A refresh token, which some issuers send without
// being asked, is not revoked either, because some of them would withdraw the person's consent with it.
func (a *serviceAccess) keep(ctx context.Context, p *provider, t *oauth2.Token, key *dpop.Key, who claims) (kept, *httpx.Problem) {
	all, err := admission.ParseClaims(who.all)
	if err != nil {
		return kept{}, tokenInvalid(ctx, a.log, err)
	}
	more, err := a.identity.userInfo(ctx, p, signInCredential(t, key), who.Subject)
	if err != nil {
		a.log.warn(ctx, "user info", err)
	}
	all.Add(more)
	if errors.Is(err, errLater) && a.Rules.Level(all) == admission.None {
		// The missing claims may be those that a rule names.
		return kept{}, signInUnavailable()
	}
	text, err := a.compact(ctx, all)
	if err != nil {
		return kept{}, tokenInvalid(ctx, a.log, err)
	}
	return kept{
		name: all.Text("name"), email: all.Email(),
		values: map[string]string{keyClaims: text, keyIssuer: a.identity.c.Issuer},
	}, nil
}

func (a *serviceAccess) admit(ss *sessions.Session) *httpx.Problem {
	c, ok := a.claimsOf(ss)
	switch {
	case !ok:
		return notSignedIn()
	case a.Rules.Level(c) == admission.None:
		return httpx.NewProblem(http.StatusForbidden, httpx.CodeNotAllowed, "You are signed in as "+clipped(cmp.Or(c.Email(), c.Text("sub")))+
			". This account may not use this editor. An administrator of the editor can let you in.")
	}
	return nil
}

// claimsOf returns the claims of a session. ok is false for a session from before the server used its own token or another issuer.
func (a *serviceAccess) claimsOf(ss *sessions.Session) (c admission.Claims, ok bool) {
	text, _ := ss.Values[keyClaims].(string)
	if text == "" || ss.Values[keyIssuer] != a.identity.c.Issuer {
		return nil, false
	}
	c, err := admission.ParseClaims([]byte(text))
	return c, err == nil
}

// may returns what the rules let a person do.
func (a *serviceAccess) may(ss *sessions.Session) []string {
	c, _ := a.claimsOf(ss)
	switch a.Rules.Level(c) {
	case admission.Edit:
		return servicetoken.Scopes()
	case admission.View:
		return []string{servicetoken.ReadForms, "read:flows"}
	case admission.None:
	}
	return nil
}

// scopes returns what both the rules and the tenant allow.
func (a *serviceAccess) scopes(ss *sessions.Session) []string {
	held := a.Tokens.Scopes()
	return slices.DeleteFunc(a.may(ss), func(s string) bool { return !slices.Contains(held, s) })
}

// edits leaves out what the tenant grants the service client: a person whom a rule lets edit must be able to find out that it grants
// nothing.
func (a *serviceAccess) edits(ss *sessions.Session) bool {
	return slices.Contains(a.may(ss), updateForms)
}

func (a *serviceAccess) tokens(ss *sessions.Session, c call) (upstream.TokenSource, *httpx.Problem) {
	switch {
	case !slices.Contains(a.may(ss), c.scope):
		p := noScope(c.scope)
		p.Detail = "You may look at forms in this editor, but not change them."
		return nil, p
	case !a.Tokens.Holds(c.scope):
		return nil, clientLacks(c.scope)
	}
	return a.Tokens, nil
}

func (a *serviceAccess) own() upstream.TokenSource { return a.Tokens }

// clientLacks returns the problem for a scope that the person may use and the service client lacks.
func clientLacks(scope string) *httpx.Problem {
	p := noScope(scope)
	p.Detail = "The tenant does not let this editor do that: its service client lacks " + scope + ". An administrator can grant it."
	return p
}

func (a *serviceAccess) answered(_ context.Context, _ *sessions.Session, c call, res *upstream.Response) *httpx.Problem {
	switch {
	case refusesScope(res):
		a.Tokens.Learn(c.scope, false)
		return clientLacks(c.scope)
	case success(res):
		a.Tokens.Learn(c.scope, true)
	}
	return nil
}

func (a *serviceAccess) failed(ctx context.Context, _ *sessions.Session, _ call, err error) *httpx.Problem {
	switch {
	case errors.Is(err, servicetoken.ErrClient):
		a.log.fail(ctx, "service client", err)
		detail := "The tenant does not accept this editor's service client as it is set up. An administrator must check it; the server's log " +
			"has the reason."
		if errors.Is(err, servicetoken.ErrReadForms) {
			detail = "The service client of this editor lacks " + servicetoken.ReadForms + " at the tenant. An administrator must grant it."
		}
		return httpx.NewProblem(http.StatusBadGateway, httpx.CodeManagement, detail)
	case errors.Is(err, servicetoken.ErrUnavailable):
		a.log.warn(ctx, "service client", err)
		return &httpx.Problem{
			Status: http.StatusBadGateway, Code: httpx.CodeUnavailable, RetryAfter: retryLater,
			Detail: "The tenant cannot be reached. Nothing you have done in the editor is lost.",
		}
	}
	return nil
}
