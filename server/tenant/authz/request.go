package authz

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
)

// request is a checked authorization request. OpenID Connect Core, section 3.1.2.1.
type request struct {
	query     string // the whole request, to be checked again when the sign-in page is sent
	client    store.Client
	redirect  string
	state     string
	nonce     string
	challenge string // PKCE; empty when a confidential client sent none
	key       string // dpop_jkt: thumbprint of the key that must present the code; empty for any or none
	pushed    string // secret of its request_uri when it was sent ahead
	audience  string // resolved
	formPost  bool   // response_mode form_post: the answer is sent by a page, not in an address
	idToken   bool   // response_type id_token in place of code
	scope     []string
	login     bool          // prompt=login: ask even a person who is signed in
	ask       bool          // prompt=consent: ask even a person who agreed
	none      bool          // prompt=none: never show a page
	maxAge    time.Duration // of a sign-in; negative when any age will do
	hint      string        // login_hint
	acr       string        // the first of acr_values that we know; empty when none is asked
}

// Bounds of an authorization request. State and nonce are ours to carry, so they are small.
const (
	maxQuery = 8 << 10
	maxState = 2 << 10
	maxNonce = 512
)

// refusal is an authorization request that cannot be answered. With a request it is told to the
// client by redirect; without one it is told to the person, since the redirect URI is not trusted.
type refusal struct {
	err *oauth.Error
	req *request
}

// parseRequest checks the query of an authorization request. Nothing of the person is looked at yet.
func (h *Handler) parseRequest(ctx context.Context, query string) (*request, *refusal) {
	toPerson := func(e *oauth.Error) (*request, *refusal) { return nil, &refusal{err: e} }
	if len(query) > maxQuery {
		return toPerson(oauth.InvalidRequest("the request is too long"))
	}
	p, e := oauth.FormParams(query)
	if e != nil { // RFC 6749, section 3.1: no parameter twice
		return toPerson(e)
	}
	named := p["request_uri"]
	if named == "" {
		q, f := h.check(ctx, p)
		if f != nil {
			return nil, f
		}
		if q.client.RequirePushed {
			return nil, &refusal{err: oauth.InvalidRequest("the application must send its requests ahead"), req: q}
		}
		return q, nil
	}
	all, e := h.ahead(ctx, p)
	if e != nil {
		return toPerson(e)
	}
	q, f := h.check(ctx, all)
	if q == nil && f.req != nil {
		q = f.req
	}
	if q != nil {
		// Pages carry the name of the request and not what it says.
		q.query = oauth.Params{"client_id": q.client.ID, "request_uri": named}.Encode()
		q.pushed = strings.TrimPrefix(named, requestPrefix)
	}
	if f != nil {
		return nil, f
	}
	return q, nil
}

// check is parseRequest for parameters that were read, and of a request that is sent ahead too.
func (h *Handler) check(ctx context.Context, p oauth.Params) (*request, *refusal) {
	toPerson := func(e *oauth.Error) (*request, *refusal) { return nil, &refusal{err: e} }
	c, err := h.Store.Client(ctx, p["client_id"])
	if errors.Is(err, store.ErrNotFound) {
		return toPerson(oauth.InvalidRequest("the application is not known here"))
	}
	if err != nil {
		return toPerson(h.journal.Unavailable(ctx, "read client", err))
	}
	// Whole strings are compared: every looser rule has been used to send codes elsewhere.
	// RFC 9700, section 2.1.
	if !slices.Contains(c.Callbacks, p["redirect_uri"]) {
		return toPerson(oauth.InvalidRequest("the address to return to is not registered for the application"))
	}
	audience, e := oauth.Target(p, h.policy.Audience)
	req := &request{
		query: p.Encode(), client: c, redirect: p["redirect_uri"], state: p["state"], nonce: p["nonce"],
		challenge: p["code_challenge"], key: p["dpop_jkt"], audience: h.policy.Audience(audience), maxAge: -1, hint: p["login_hint"],
	}
	if fault := req.fill(p); fault != nil {
		e = fault
	}
	if e != nil {
		return nil, &refusal{err: e, req: req}
	}
	if req.idToken {
		req.audience = h.policy.UserInfoAudience()
	}
	return req, nil
}

// fill checks the parameters whose faults the client may be told.
func (q *request) fill(p oauth.Params) *oauth.Error {
	badMode := q.mode(p["response_mode"]) // first, as faults are told by it too
	switch {
	case len(q.state) > maxState:
		q.state = ""
		return oauth.InvalidRequest("state is too long")
	case len(q.nonce) > maxNonce:
		return oauth.InvalidRequest("nonce is too long")
	case badMode != nil:
		return badMode
	case p["request"] != "":
		return oauth.NewError(http.StatusBadRequest, "request_not_supported", "request objects are not supported")
	case q.key != "" && !oauth.IsDigest(q.key):
		return oauth.InvalidRequest("dpop_jkt must be a SHA-256 digest in base64url")
	}
	var e *oauth.Error
	if q.scope, e = policy.AskedScope(p); e != nil {
		return e
	}
	if e := q.checkType(p); e != nil {
		return e
	}
	if e := q.prompt(p["prompt"]); e != nil {
		return e
	}
	q.acr = oauth.KnownACR(p["acr_values"])
	if s := p["max_age"]; s != "" {
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || n < 0 {
			return oauth.InvalidRequest("max_age must be a number of seconds")
		}
		q.maxAge = time.Duration(n) * time.Second
	}
	return nil
}

// mode reads how the answer is to be sent. OAuth 2.0 Form Post Response Mode, section 2.
func (q *request) mode(s string) *oauth.Error {
	switch s {
	case "", "query":
		return nil
	case "form_post":
		// Pages lead to addresses of the web only, as their policy names an origin.
		if to := pages.Origin(q.redirect); !strings.HasPrefix(to, "https://") && !strings.HasPrefix(to, "http://") {
			return oauth.InvalidRequest("the response mode form_post needs an http or https address to return to")
		}
		q.formPost = true
		return nil
	}
	return oauth.InvalidRequest("the response modes are query and form_post")
}

// checkType reads what is asked for. Scopes must have been read.
func (q *request) checkType(p oauth.Params) *oauth.Error {
	switch p["response_type"] {
	case "":
		return oauth.InvalidRequest("response_type is missing")
	case "code":
		if !slices.Contains(q.client.GrantTypes, "authorization_code") {
			return oauth.NewError(http.StatusBadRequest, "unauthorized_client", "the application may not use this grant")
		}
		return checkChallenge(q.client, q.challenge, p["code_challenge_method"])
	case "id_token":
		q.idToken = true
		return q.checkIDToken()
	}
	return oauth.NewError(http.StatusBadRequest, "unsupported_response_type", "the response types are code and id_token")
}

// prompt reads the words of the parameter of that name. OpenID Connect Core, section 3.1.2.1.
func (q *request) prompt(s string) *oauth.Error {
	if s == "none" { // it stands alone
		q.none = true
		return nil
	}
	for w := range strings.FieldsSeq(s) {
		switch w {
		case "consent": // asked of applications that need consent
			q.ask = true
		case "login", "select_account":
			q.login = true
		default:
			return oauth.InvalidRequest("prompt must be none, or of login and consent")
		}
	}
	return nil
}

// checkChallenge wants S256 of everybody who sends a challenge and a challenge of every public client.
// plain is refused: it protects nothing once a request is seen. RFC 7636, section 4.3.
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

// reply sends the browser back to the client with values, state and the issuer: in the address, or by a page that
// posts them. RFC 9207, section 2.
func (h *Handler) reply(w http.ResponseWriter, r *http.Request, q *request, values url.Values) {
	u, err := url.Parse(q.redirect)
	if err != nil { // a registered address that does not parse: the client cannot be told
		h.pages.Fail(w, oauth.InvalidRequest("the address to return to is not an address"))
		return
	}
	h.answered(r.Context(), q)
	if q.state != "" {
		values.Set("state", q.state)
	}
	values.Set("iss", h.Issuer)
	if q.formPost {
		h.pages.Render(w, http.StatusOK, pages.FormPost, pages.Page{
			Title: "Signing in", FormTo: pages.Origin(q.redirect), Form: pages.Form{Action: q.redirect},
			Notice: pages.Notice{Text: "You are on your way back to " + q.client.Name + ".", Fields: values},
		})
		return
	}
	all := u.Query()
	maps.Copy(all, values)
	u.RawQuery = all.Encode()
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, u.String(), http.StatusSeeOther) //nolint:gosec // parseRequest compared it with the registered ones
}

// refuse answers a request that cannot be granted.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, f *refusal) {
	if f.req == nil {
		h.pages.Fail(w, f.err)
		return
	}
	h.reply(w, r, f.req, url.Values{"error": {f.err.Code}, "error_description": {f.err.Description}})
}

// satisfied reports whether a sign-in is as good as the request asks. The standard lets a server answer with
// less than acr_values; we do not, since a client that asks for a second factor would have to check again.
func (q *request) satisfied(s store.SignIn) bool { return q.acr == "" || oauth.Multi(s.AMR) }

// met returns claim acr of a sign-in for the request.
func (q *request) met(s store.SignIn) string {
	switch {
	case !oauth.Multi(s.AMR):
		return ""
	case q.acr != "":
		return q.acr
	}
	return oauth.ACRMulti
}
