package request

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
)

// Bounds of an authorization request. We carry state and nonce, so they are small.
const (
	MaxQuery = 8 << 10
	maxState = 2 << 10
	maxNonce = 512
)

// Implicit is the grant of clients that receive ID tokens from the authorization endpoint.
const Implicit = "implicit"

// Parse checks the query of an authorization request.
func (rs *Requests) Parse(ctx context.Context, query string) (*Request, *Refusal) {
	toPerson := func(e *oauth.Error) (*Request, *Refusal) { return nil, &Refusal{Err: e} }
	if len(query) > MaxQuery {
		return toPerson(oauth.InvalidRequest("the request is too long"))
	}
	p, e := oauth.FormParams(query)
	if e != nil { // RFC 6749, section 3.1: no parameter twice
		return toPerson(e)
	}
	named := p["request_uri"]
	if named == "" {
		q, f := rs.check(ctx, p)
		if f != nil {
			return nil, f
		}
		if q.Client.RequirePushed {
			return nil, &Refusal{Err: oauth.InvalidRequest("the application must push its authorization requests"), Req: q}
		}
		return q, nil
	}
	all, e := rs.ahead(ctx, p)
	if e != nil {
		return toPerson(e)
	}
	q, f := rs.check(ctx, all)
	if q == nil && f.Req != nil {
		q = f.Req
	}
	if q != nil {
		// Pages carry the name of the request and not its content.
		q.Query = oauth.Params{"client_id": q.Client.ID, "request_uri": named}.Encode()
		q.pushed = strings.TrimPrefix(named, requestPrefix)
	}
	if f != nil {
		return nil, f
	}
	return q, nil
}

// check is Parse for parameters that have been read, including those of a pushed request.
func (rs *Requests) check(ctx context.Context, p oauth.Params) (*Request, *Refusal) {
	toPerson := func(e *oauth.Error) (*Request, *Refusal) { return nil, &Refusal{Err: e} }
	c, err := rs.Store.Client(ctx, p["client_id"])
	if errors.Is(err, store.ErrNotFound) {
		return toPerson(oauth.InvalidRequest("the application is not known here"))
	}
	if err != nil {
		return toPerson(rs.Journal.Unavailable(ctx, "read client", err))
	}
	// Whole strings are compared: attackers have used every looser rule to send codes elsewhere. RFC 9700, section 2.1.
	if !slices.Contains(c.Callbacks, p["redirect_uri"]) {
		return toPerson(oauth.InvalidRequest("the address to return to is not registered for the application"))
	}
	audience, e := oauth.Target(p, rs.Policy.Audience)
	req := &Request{
		Query: p.Encode(), Client: c, Redirect: p["redirect_uri"], state: p["state"], Audience: rs.Policy.Audience(audience),
		Bound: Bound{Nonce: p["nonce"], Challenge: p["code_challenge"], Key: p["dpop_jkt"]}, MaxAge: -1, Hint: p["login_hint"],
	}
	if fault := req.fill(p); fault != nil {
		e = fault
	}
	if e != nil {
		return nil, &Refusal{Err: e, Req: req}
	}
	if req.IDToken {
		req.Audience = rs.Policy.UserInfoAudience()
	}
	return req, nil
}

// fill reads the parameters whose faults the client may learn.
func (q *Request) fill(p oauth.Params) *oauth.Error {
	badMode := q.mode(p["response_mode"]) // first, as it also decides how faults are sent
	switch {
	case len(q.state) > maxState:
		q.state = ""
		return oauth.InvalidRequest("state is too long")
	case len(q.Bound.Nonce) > maxNonce:
		return oauth.InvalidRequest("nonce is too long")
	case badMode != nil:
		return badMode
	case p["request"] != "":
		return oauth.NewError(http.StatusBadRequest, "request_not_supported", "request objects are not supported")
	case q.Bound.Key != "" && !oauth.IsDigest(q.Bound.Key):
		return oauth.InvalidRequest("dpop_jkt must be a SHA-256 digest in base64url")
	}
	var e *oauth.Error
	if q.Scope, e = policy.AskedScope(p); e != nil {
		return e
	}
	if e := q.checkType(p); e != nil {
		return e
	}
	if e := q.prompt(p["prompt"]); e != nil {
		return e
	}
	q.ACR = oauth.KnownACR(p["acr_values"])
	if s := p["max_age"]; s != "" {
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || n < 0 {
			return oauth.InvalidRequest("max_age must be a number of seconds")
		}
		q.MaxAge = time.Duration(n) * time.Second
	}
	return nil
}

// mode reads the response mode. OAuth 2.0 Form Post Response Mode, section 2.
func (q *Request) mode(s string) *oauth.Error {
	switch s {
	case "", "query":
		return nil
	case "form_post":
		// Pages may lead to web addresses only, since their policy names an origin.
		if to := pages.Origin(q.Redirect); !strings.HasPrefix(to, "https://") && !strings.HasPrefix(to, "http://") {
			return oauth.InvalidRequest("the response mode form_post needs an http or https address to return to")
		}
		q.formPost = true
		return nil
	}
	return oauth.InvalidRequest("the response modes are query and form_post")
}

// checkType reads the response type. Scopes must have been read.
func (q *Request) checkType(p oauth.Params) *oauth.Error {
	switch p["response_type"] {
	case "":
		return oauth.InvalidRequest("response_type is missing")
	case "code":
		if !slices.Contains(q.Client.GrantTypes, "authorization_code") {
			return oauth.NewError(http.StatusBadRequest, "unauthorized_client", "the application may not use this grant")
		}
		return checkChallenge(q.Client, q.Bound.Challenge, p["code_challenge_method"])
	case "id_token":
		q.IDToken = true
		return q.checkIDToken()
	}
	return oauth.NewError(http.StatusBadRequest, "unsupported_response_type", "the response types are code and id_token")
}

// prompt reads the words of the parameter prompt. OpenID Connect Core, section 3.1.2.1.
func (q *Request) prompt(s string) *oauth.Error {
	if s == "none" { // it must be the only word
		q.Prompt.None = true
		return nil
	}
	for w := range strings.FieldsSeq(s) {
		switch w {
		case "consent": // applications that need consent are always asked
			q.Prompt.Consent = true
		case "login", "select_account":
			q.Prompt.Login = true
		default:
			return oauth.InvalidRequest("prompt must be none, or any of login, select_account and consent")
		}
	}
	return nil
}

// checkChallenge requires S256 of every challenge, and a challenge of every public client. It refuses plain, which
// protects nothing once a request is seen. RFC 7636, section 4.3.
func checkChallenge(c store.Client, challenge, method string) *oauth.Error {
	switch {
	case challenge == "" && method == "":
		if c.Public {
			return oauth.InvalidRequest("code_challenge is missing")
		}
		return nil
	case method != "S256":
		return oauth.InvalidRequest("code_challenge_method must be S256")
	case !oauth.IsDigest(challenge):
		return oauth.InvalidRequest("code_challenge must be a SHA-256 digest in base64url")
	}
	return nil
}

// checkIDToken checks a request for an ID token straight from the authorization endpoint: the implicit flow without an access token, for
// applications that only need an identity. Such a token is sent by form_post alone, since an address would leave it in histories and logs.
// The nonce binds it to the request. OpenID Connect Core, section 3.2.2; RFC 9700, section 2.1.2.
func (q *Request) checkIDToken() *oauth.Error {
	switch {
	case !slices.Contains(q.Client.GrantTypes, Implicit):
		return oauth.NewError(http.StatusBadRequest, "unauthorized_client",
			"the application needs the grant implicit for the response type id_token")
	case !q.formPost:
		return oauth.InvalidRequest("the response type id_token needs the response mode form_post")
	case q.Bound.Nonce == "":
		return oauth.InvalidRequest("nonce is missing")
	case !slices.Contains(q.Scope, access.OpenID):
		return oauth.InvalidScope("the scope must contain openid")
	}
	// Without an access token no other scope has a meaning, and nothing can be refreshed.
	q.Scope = slices.DeleteFunc(q.Scope, func(s string) bool { return !access.Identity(s) || s == access.Offline })
	return nil
}
