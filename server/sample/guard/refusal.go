package guard

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/dpop"
)

// Refusal is the reason why a request does not pass. All texts are fixed and repeat nothing from the request. RFC 6750, section 3; RFC
// 9449, section 7.1.
type Refusal struct {
	Status      int
	Code        string // "" if there was no token at all
	Description string

	challenge string
	cause     error // for the log, beside the description; nil for none
}

// Error returns the description.
func (f *Refusal) Error() string { return f.Description }

const (
	bearerChallenge = `Bearer realm="api"` //nolint:gosec // no credential
	dpopChallenge   = `DPoP algs="` + string(dpop.Algorithm) + `"`
)

// The schemes of the header Authorization, in lower case.
const (
	bearerScheme = "bearer"
	dpopScheme   = "dpop"
)

func (f *Refusal) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if f.challenge != "" {
		h.Set("WWW-Authenticate", f.challenge)
	}
	if f.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	body := map[string]string{"message": f.Description}
	if f.Code != "" {
		body["error"] = f.Code
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic("guard: " + err.Error()) // only for wrong texts in the program
	}
	w.WriteHeader(f.Status)
	_, _ = w.Write(append(text, '\n')) // fails only if the client has gone
}

// schemeOf returns the scheme of a request's credentials in lower case.
func schemeOf(r *http.Request) string {
	scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.ToLower(scheme)
}

// Check returns the principal of a request, or the reason why it does not pass.
func (g *Guard) Check(r *http.Request) (*Principal, *Refusal) {
	auth, proofs := r.Header.Values("Authorization"), r.Header.Values("DPoP")
	mode := g.config.Mode
	if len(auth) > 1 {
		return nil, g.malformed("The request has two Authorization headers.")
	}
	scheme, token := "", ""
	if len(auth) == 1 {
		scheme, token, _ = strings.Cut(auth[0], " ")
		scheme = strings.ToLower(scheme)
	}
	token = strings.Trim(token, " ") // and nothing else: RFC 9110, section 11.4
	taken := scheme == bearerScheme && mode != Required || scheme == dpopScheme && mode != Disabled
	if token == "" || strings.ContainsAny(token, " ,") || !taken {
		return nil, &Refusal{Status: http.StatusUnauthorized, Description: "An access token is required.", challenge: g.bare()}
	}
	if scheme == bearerScheme && len(proofs) > 0 && mode == Allowed {
		return nil, g.malformed("A proof requires the scheme DPoP.")
	}
	p, err := g.verify(r.Context(), token)
	switch {
	case errors.Is(err, errNoKeys):
		return nil, busy(err)
	case err != nil: // the token first: only senders with a valid one make us remember proofs
		return nil, badToken(scheme, err.Error())
	case mode != Disabled && (p.key == "") != (scheme == bearerScheme):
		return nil, badToken(scheme, "it was sent with the wrong scheme")
	case scheme == bearerScheme:
		return p, nil
	case len(proofs) != 1:
		return nil, badProof("there must be exactly one")
	}
	key, err := g.proofs.Check(r.Context(), proofs[0], r.Method, g.origin+r.URL.EscapedPath(), token)
	switch {
	case errors.Is(err, dpop.ErrProof):
		return nil, badProof(dpop.Reason(err))
	case err != nil: // a proof that cannot be remembered must not be accepted
		return nil, busy(err)
	case key != p.key:
		return nil, badToken(scheme, "the proof was made with another key")
	}
	return p, nil
}

// malformed returns the refusal of a request with ambiguous credentials.
func (g *Guard) malformed(description string) *Refusal {
	return &Refusal{Status: http.StatusBadRequest, Code: "invalid_request", Description: description, challenge: g.bare()}
}

// bare returns the challenge for a request without credentials.
func (g *Guard) bare() string {
	switch g.config.Mode {
	case Disabled:
		return bearerChallenge
	case Required:
		return dpopChallenge
	case Allowed:
	}
	return bearerChallenge + ", " + dpopChallenge
}

// challenge states the error in the scheme of the request.
func challenge(scheme, code, more string) string {
	if scheme == dpopScheme {
		return `DPoP error="` + code + `"` + more + `, algs="ES256"`
	}
	return `Bearer realm="api", error="` + code + `"` + more
}

func badToken(scheme, why string) *Refusal {
	return unauthorized(scheme, "invalid_token", "The access token is not accepted: "+why+".")
}

func badProof(why string) *Refusal {
	return unauthorized(dpopScheme, "invalid_dpop_proof", "The proof is not accepted: "+why+".")
}

// unauthorized returns a refusal that says the same in the challenge. The description needs no escapes there.
func unauthorized(scheme, code, description string) *Refusal {
	return &Refusal{
		Status: http.StatusUnauthorized, Code: code, Description: description,
		challenge: challenge(scheme, code, `, error_description="`+description+`"`),
	}
}

func busy(cause error) *Refusal {
	return &Refusal{
		Status: http.StatusServiceUnavailable, Code: "temporarily_unavailable",
		Description: "Tokens cannot be checked right now. Try again.", cause: cause,
	}
}

func insufficient(scheme string, authorities []string) *Refusal {
	words := make([]string, len(authorities))
	for i, a := range authorities {
		words[i] = strings.TrimPrefix(a, "SCOPE_")
	}
	return &Refusal{
		Status: http.StatusForbidden, Code: "insufficient_scope", Description: "The access token must carry " + strings.Join(words, " or ") + ".",
		challenge: challenge(scheme, "insufficient_scope", `, scope="`+strings.Join(words, " ")+`"`),
	}
}
