package tokens

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/dpop"
)

// Refusal is the reason why a resource endpoint does not accept a request, and its expression in the answer. All texts are fixed and repeat
// nothing from the request. RFC 6750, section 3; RFC 9449, section 7.1.
type Refusal struct {
	Status int
	// Code is also for the body: invalid_request, invalid_token, invalid_dpop_proof, use_dpop_nonce, too_many_requests, insufficient_scope
	// or temporarily_unavailable.
	Code        string
	Description string
	// ClientID names the client to which an access token of ours was issued, even an expired one; "" if there was no such token.
	ClientID  string
	challenge string
	nonce     string
	missing   bool
}

// Log writes why a request was refused to the operator's log, but not that a request had no token.
func (r *Refusal) Log(ctx context.Context, log *slog.Logger) {
	if !r.missing {
		log.LogAttrs(ctx, slog.LevelInfo, "request refused",
			slog.String("client", r.ClientID), slog.String("error", r.Code), slog.String("why", r.Description))
	}
}

// Missing reports whether the request had no token at all.
func (r *Refusal) Missing() bool { return r.missing }

// Error returns code and description.
func (r *Refusal) Error() string { return r.Code + ": " + r.Description }

// Write sets WWW-Authenticate, DPoP-Nonce and Retry-After if the refusal has them. The endpoint writes status and body.
func (r *Refusal) Write(h http.Header) {
	if r.challenge != "" {
		h.Set("WWW-Authenticate", r.challenge)
	}
	if r.nonce != "" {
		h.Set("DPoP-Nonce", r.nonce)
	}
	if r.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
}

const (
	bearerChallenge = `Bearer realm="api"` //nolint:gosec // no credential
	dpopChallenge   = `DPoP algs="` + string(dpop.Algorithm) + `"`
)

// Scheme names of the header Authorization, in lower case.
const (
	bearerScheme = "bearer"
	dpopScheme   = "dpop"
)

// VerifyRequest returns the claims of a request's access token if it is valid for audience and was sent in the right way: a bound token
// with a proof of its key, an unbound one as Bearer. An empty audience accepts every token. RFC 9449, section 7.2 lets a resource accept
// both. Where it leaves the answer open, we answer 400 to two Authorization headers and to a proof beside Bearer.
//
// admit decides whether a request with a valid token continues, before its proof is remembered, so that it can limit who fills the memory
// of proofs. A request that is not admitted is refused with 429. If admit is nil, every request is admitted.
//
// A proof must name the tenant's own address and the path as sent, since the sender chooses the header Host. An endpoint that uses nonces
// sends the next one, from Nonce, with each answer.
func (t *Tokens) VerifyRequest(r *http.Request, audience string, admit func(Access) bool) (Access, *Refusal) {
	a, refused := t.verifyRequest(r, audience, admit)
	if refused != nil {
		refused.ClientID = a.ClientID
		return Access{}, refused
	}
	return a, nil
}

// verifyRequest is VerifyRequest, but it also returns the client of a token of ours that is refused.
func (t *Tokens) verifyRequest(r *http.Request, audience string, admit func(Access) bool) (Access, *Refusal) {
	auth, proofs := r.Header.Values("Authorization"), r.Header.Values("DPoP")
	if len(auth) > 1 {
		return Access{}, malformed("the request has two Authorization headers")
	}
	scheme, token := "", ""
	if len(auth) == 1 {
		scheme, token, _ = strings.Cut(auth[0], " ")
		scheme = strings.ToLower(scheme)
	}
	if token = strings.TrimSpace(token); token == "" || scheme != bearerScheme && scheme != dpopScheme {
		return Access{}, &Refusal{
			Status: http.StatusUnauthorized, Code: "invalid_token", Description: "the token is missing",
			challenge: bearerChallenge + ", " + dpopChallenge, missing: true,
		}
	}
	if scheme == bearerScheme && len(proofs) > 0 {
		return Access{}, malformed("a proof needs the scheme DPoP")
	}
	a, err := t.verify(token, audience)
	// The token comes first: only a sender with a valid one can make us remember proofs.
	switch {
	case err != nil:
		return a, badToken(scheme, reason(err))
	case (a.Key == "") != (scheme == bearerScheme):
		return a, badToken(scheme, "it was sent with the wrong scheme")
	}
	if admit != nil && !admit(a) {
		return a, &Refusal{
			Status: http.StatusTooManyRequests, Code: "too_many_requests", Description: "too many requests, wait and try again",
		}
	}
	if refused := t.live(r.Context(), a); refused != nil {
		return a, refused
	}
	if scheme == bearerScheme {
		return a, nil
	}
	if len(proofs) != 1 {
		return a, badProof("there must be exactly one")
	}
	return a, t.proven(r, a, proofs[0], token)
}

// live refuses a token whose authorization was revoked.
func (t *Tokens) live(ctx context.Context, a Access) *Refusal {
	if t.Grants == nil || a.GrantID == "" {
		return nil
	}
	live, err := t.Grants.FamilyLive(ctx, a.GrantID)
	switch {
	case err != nil:
		return busy("the tenant cannot reach its data: try again")
	case !live:
		return badToken(schemeOf(a), "its authorization was revoked")
	}
	return nil
}

// proven refuses a bound token without a valid proof of its key.
func (t *Tokens) proven(r *http.Request, a Access, proof, token string) *Refusal {
	key, err := t.VerifyProof(r.Context(), proof, r.Method, t.Issuer+r.URL.EscapedPath(), token)
	switch {
	case errors.Is(err, ErrNonce):
		r := unauthorized(dpopScheme, "use_dpop_nonce", "the proof needs a nonce of this server")
		r.nonce = t.Nonce()
		return r
	case errors.Is(err, dpop.ErrBusy):
		return busy("the proof cannot be recorded right now: try again with a new one")
	case err != nil:
		return badProof(dpop.Reason(err))
	case key != a.Key:
		return badToken(dpopScheme, "the proof was made with another key")
	}
	return nil
}

// Unaccepted returns the refusal of a token that VerifyRequest accepted but whose subject or client no longer has access.
func Unaccepted(a Access) *Refusal {
	return badToken(schemeOf(a), "its subject or client has no access")
}

// Insufficient returns the refusal of a token that lacks a scope of ours. The refusal names the scope.
func Insufficient(a Access, scope string) *Refusal {
	r := &Refusal{Status: http.StatusForbidden, Code: "insufficient_scope", Description: "the token must carry " + scope}
	r.challenge = `Bearer realm="api", error="insufficient_scope", scope="` + scope + `"`
	if schemeOf(a) == dpopScheme {
		r.challenge = `DPoP error="insufficient_scope", scope="` + scope + `", algs="ES256"`
	}
	return r
}

func schemeOf(a Access) string {
	if a.Key != "" {
		return dpopScheme
	}
	return bearerScheme
}

func malformed(description string) *Refusal {
	return &Refusal{
		Status: http.StatusBadRequest, Code: "invalid_request", Description: description,
		challenge: bearerChallenge + ", " + dpopChallenge,
	}
}

// reason returns why a token is not accepted. It never repeats the text of a library, which may contain parts of the token.
func reason(err error) string {
	if f := fault(""); errors.As(err, &f) {
		return string(f)
	}
	return "this tenant did not issue it"
}

// badToken returns a refusal that challenges in the scheme of the request.
func badToken(scheme, why string) *Refusal {
	return unauthorized(scheme, "invalid_token", "the token is not accepted: "+why)
}

func badProof(why string) *Refusal {
	return unauthorized(dpopScheme, "invalid_dpop_proof", "the proof is not accepted: "+why)
}

// unauthorized returns a refusal that says the same in the challenge.
func unauthorized(scheme, code, description string) *Refusal {
	r := &Refusal{Status: http.StatusUnauthorized, Code: code, Description: description}
	r.challenge = `Bearer realm="api", error="` + code + `", error_description="` + description + `"`
	if scheme == dpopScheme {
		r.challenge = `DPoP error="` + code + `", error_description="` + description + `", algs="ES256"`
	}
	return r
}

func busy(description string) *Refusal {
	return &Refusal{Status: http.StatusServiceUnavailable, Code: "temporarily_unavailable", Description: description}
}
