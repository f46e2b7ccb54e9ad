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
	err *Error
	req *request
}

// parseRequest checks the query of an authorization request. Nothing of the person is looked at yet.
func (h *Handler) parseRequest(ctx context.Context, query string) (*request, *refusal) {
	toPerson := func(e *Error) (*request, *refusal) { return nil, &refusal{err: e} }
	if len(query) > maxQuery {
		return toPerson(invalidRequest("the request is too long"))
	}
	p, e := formParams(query)
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
			return nil, &refusal{err: invalidRequest("the application must send its requests ahead"), req: q}
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
		q.query = params{"client_id": q.client.ID, "request_uri": named}.encode()
		q.pushed = strings.TrimPrefix(named, requestPrefix)
	}
	if f != nil {
		return nil, f
	}
	return q, nil
}

// check is parseRequest for parameters that were read, and of a request that is sent ahead too.
func (h *Handler) check(ctx context.Context, p params) (*request, *refusal) {
	toPerson := func(e *Error) (*request, *refusal) { return nil, &refusal{err: e} }
	c, err := h.Store.Client(ctx, p["client_id"])
	if errors.Is(err, store.ErrNotFound) {
		return toPerson(invalidRequest("the application is not known here"))
	}
	if err != nil {
		h.down(ctx, "read client", err)
		return toPerson(unavailable())
	}
	// Whole strings are compared: every looser rule has been used to send codes elsewhere.
	// RFC 9700, section 2.1.
	if !slices.Contains(c.Callbacks, p["redirect_uri"]) {
		return toPerson(invalidRequest("the address to return to is not registered for the application"))
	}
	req := &request{
		query: p.encode(), client: c, redirect: p["redirect_uri"], state: p["state"], nonce: p["nonce"],
		challenge: p["code_challenge"], key: p["dpop_jkt"], audience: h.audience(p["audience"]), maxAge: -1, hint: p["login_hint"],
	}
	if e := req.fill(p); e != nil {
		return nil, &refusal{err: e, req: req}
	}
	return req, nil
}

// fill checks the parameters whose faults the client may be told.
func (q *request) fill(p params) *Error {
	switch {
	case len(q.state) > maxState:
		q.state = ""
		return invalidRequest("state is too long")
	case len(q.nonce) > maxNonce:
		return invalidRequest("nonce is too long")
	case p["response_type"] == "":
		return invalidRequest("response_type is missing")
	case p["response_type"] != "code":
		return newError(http.StatusBadRequest, "unsupported_response_type", "only the response type code is supported")
	case p["response_mode"] != "" && p["response_mode"] != "query":
		return invalidRequest("only the response mode query is supported")
	case p["request"] != "":
		return newError(http.StatusBadRequest, "request_not_supported", "request objects are not supported")
	case q.key != "" && !isDigest(q.key):
		return invalidRequest("dpop_jkt must be a SHA-256 digest in base64url")
	case !slices.Contains(q.client.GrantTypes, "authorization_code"):
		return newError(http.StatusBadRequest, "unauthorized_client", "the application may not use this grant")
	}
	if e := checkChallenge(q.client, q.challenge, p["code_challenge_method"]); e != nil {
		return e
	}
	var e *Error
	if q.scope, e = splitScope(p["scope"]); e != nil {
		return e
	}
	// The spec has offline_access as a parameter too; it means the scope of that name.
	if p["offline_access"] == "true" && !slices.Contains(q.scope, scopeOffline) {
		q.scope = append(q.scope, scopeOffline)
	}
	if e := q.prompt(p["prompt"]); e != nil {
		return e
	}
	q.acr = knownACR(p["acr_values"])
	if s := p["max_age"]; s != "" {
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || n < 0 {
			return invalidRequest("max_age must be a number of seconds")
		}
		q.maxAge = time.Duration(n) * time.Second
	}
	return nil
}

// prompt reads the words of the parameter of that name. OpenID Connect Core, section 3.1.2.1.
func (q *request) prompt(s string) *Error {
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
			return invalidRequest("prompt must be none, or of login and consent")
		}
	}
	return nil
}

// checkChallenge wants S256 of everybody who sends a challenge and a challenge of every public client.
// plain is refused: it protects nothing once a request is seen. RFC 7636, section 4.3.
func checkChallenge(c store.Client, challenge, method string) *Error {
	switch {
	case challenge == "" && method == "":
		if c.Public {
			return invalidRequest("code_challenge is missing")
		}
		return nil
	case method != "S256":
		return invalidRequest("code_challenge_method must be S256")
	case !isDigest(challenge):
		return invalidRequest("code_challenge must be a SHA-256 digest in base64url")
	}
	return nil
}

// isDigest tells whether s has the shape of 32 bytes in unpadded base64url.
func isDigest(s string) bool {
	if len(s) != 43 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}

// redirectTo sends the browser back to the client with values, state and our issuer. RFC 9207, section 2.
func (h *Handler) redirectTo(w http.ResponseWriter, r *http.Request, q *request, values url.Values) {
	u, err := url.Parse(q.redirect)
	if err != nil { // a registered address that is none; nothing can be told to the client
		h.fail(w, r, invalidRequest("the address to return to is not an address"))
		return
	}
	h.answered(r.Context(), q)
	all := u.Query()
	maps.Copy(all, values)
	if q.state != "" {
		all.Set("state", q.state)
	}
	all.Set("iss", h.Issuer)
	u.RawQuery = all.Encode()
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, u.String(), http.StatusSeeOther) //nolint:gosec // parseRequest compared it with the registered ones
}

// refuse answers a request that cannot be granted.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, f *refusal) {
	if f.req == nil {
		h.fail(w, r, f.err)
		return
	}
	h.redirectTo(w, r, f.req, url.Values{"error": {f.err.Code}, "error_description": {f.err.Description}})
}
