package bff

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
)

const (
	// maxLogoutBody bounds the body in bytes; a logout token takes less than 2 KiB.
	maxLogoutBody = 16 << 10
	// maxLogoutAge is how old a logout token may be. Tenants send it at once; some retry for a few minutes. OpenID Connect
	// Back-Channel Logout 1.0 leaves the limit to the implementation.
	maxLogoutAge = 5 * time.Minute
)

// logoutEvent is the event that a logout token must name: OpenID Connect Back-Channel Logout 1.0, section 2.4.
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

// A logoutFault is why a logout token must be ignored: a fixed text that repeats nothing from the token.
type logoutFault string

func (f logoutFault) Error() string { return "logout token is not accepted: " + string(f) }

// backchannel serves POST /bff/backchannel: the tenant reports that a person signed out there, and the person's sessions here end. It
// answers 200 when they have ended or there were none, and 400 for every failure (OpenID Connect Back-Channel Logout 1.0, section 2.8). The
// caller is not a browser, so no header is required: the signature identifies the sender.
func (s *signOut) backchannel(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	refuse := func(code httpx.Code, detail string, why error) {
		if r.Context().Err() == nil {
			s.log.warn(r.Context(), "back-channel logout", why)
		}
		httpx.NewProblem(http.StatusBadRequest, code, detail).Write(w, r)
	}
	raw, err := readLogout(w, r)
	if err != nil {
		refuse(httpx.CodeLogoutToken, "The body must be a form with one logout_token.", err)
		return
	}
	p, err := s.identity.provider(r.Context())
	if err != nil {
		refuse(httpx.CodeUnavailable, "The tenant's keys are not available right now.", err)
		return
	}
	t, err := s.identity.logout(r.Context(), p, raw)
	if err != nil {
		detail := "The logout token is not accepted."
		if why := logoutFault(""); errors.As(err, &why) {
			detail = "The logout token is not accepted: " + string(why) + "."
		}
		refuse(httpx.CodeLogoutToken, detail, err)
		return
	}
	if s.used.Spent(r.Context(), t.TokenID) {
		refuse(httpx.CodeLogoutToken, "The logout token is not accepted: jti was used before.", logoutFault("jti was used before"))
		return
	}
	ended, err := s.sessions.EndOf(r.Context(), t.Subject, t.SessionID)
	if err != nil {
		// The token is not marked as used, so the tenant may send it again.
		refuse(httpx.CodeStore, "The session store cannot be reached.", err)
		return
	}
	s.used.Try(r.Context(), t.TokenID)
	s.log.audit(r, store.AuditEntry{Event: "signed_out_by_tenant", Subject: t.Subject, Detail: "sessions ended: " + strconv.Itoa(ended)})
	w.WriteHeader(http.StatusOK)
}

// readLogout returns the single logout_token of the body. It ignores other parameters, as section 2.5 requires.
func readLogout(w http.ResponseWriter, r *http.Request) (string, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" || r.Header.Get("Content-Encoding") != "" {
		return "", errors.New("it is not a form")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLogoutBody))
	if err != nil {
		return "", fmt.Errorf("read body: %w", err)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || len(form["logout_token"]) != 1 || form.Get("logout_token") == "" {
		return "", errors.New("it must have exactly one logout_token")
	}
	return form.Get("logout_token"), nil
}

// logout checks a logout token; section 2.6. The library checks the signature, iss and aud, that exp, jti, the event, and sub or sid are
// present, and that nonce is absent. We check the type, that the event is an object, nbf, and, since the library has no leeway, the age. The
// caller checks for a replay.
func (i *Identity) logout(ctx context.Context, p *provider, raw string) (*oidc.LogoutToken, error) {
	if !logoutType(raw) {
		return nil, logoutFault("typ is not that of a logout token")
	}
	t, err := p.verifier.VerifyLogout(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("logout token is not accepted: %s", clipped(err.Error()))
	}
	var more struct {
		Events map[string]json.RawMessage `json:"events"`
		Starts *float64                   `json:"nbf"`
	}
	if err := t.Claims(&more); err != nil || !strings.HasPrefix(string(more.Events[logoutEvent]), "{") {
		return nil, logoutFault("events does not have an object for the sign-out, or nbf is not a time")
	}
	now := i.c.Now()
	age := now.Sub(t.IssuedAt)
	switch {
	case age > maxLogoutAge:
		return nil, logoutFault("iat is too old")
	case age < -clockLeeway:
		return nil, logoutFault("iat is in the future")
	case !t.Expiry.After(now.Add(-clockLeeway)):
		return nil, logoutFault("exp is past")
	case more.Starts != nil && *more.Starts > float64(now.Add(clockLeeway).Unix()):
		return nil, logoutFault("nbf is in the future")
	}
	return t, nil
}

// logoutType reports whether a token's typ header, read before anything is verified, allows a logout token. Section 2.4 only recommends a
// type, so some tenants omit it or write JWT.
func logoutType(raw string) bool {
	head, _, _ := strings.Cut(raw, ".")
	text, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		return false
	}
	var h struct {
		Type string `json:"typ"`
	}
	if json.Unmarshal(text, &h) != nil {
		return false
	}
	switch strings.TrimPrefix(strings.ToLower(h.Type), "application/") {
	case "", "jwt", "logout+jwt":
		return true
	}
	return false
}
