package bff

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/web"
)

// signIn signs people in at the tenant: it sends the browser there and handles its return.
type signIn struct {
	identity *Identity
	sessions signedIn
	pages    *pages
	random   io.Reader
	// localReturn returns the path of the editor to which a sign-in may return for a given return_to.
	localReturn func(given string) string
	log         journal
}

// login begins a sign-in: GET /bff/login?return_to=/forms/ap_1. With prompt=none the tenant shows nothing. display=popup means that the
// sign-in runs in a window of its own, which the last page closes. With fresh=1 the tenant must not reuse an earlier sign-in, for actions
// of the account API that need a recent one.
func (s *signIn) login(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if s.pages.moveToPublic(w, r) {
		return
	}
	q := r.URL.Query()
	l := session.Login{
		ReturnTo: s.localReturn(q.Get("return_to")), Silent: q.Get("prompt") == "none", Popup: q.Get("display") == "popup",
		Fresh: q.Get("fresh") == "1",
	}
	p, err := s.identity.provider(r.Context())
	if err != nil {
		s.loginUnavailable(w, r, err)
		return
	}
	for _, into := range []*string{&l.State, &l.Nonce, &l.Verifier} {
		if *into, err = s.secret(); err != nil {
			s.loginUnavailable(w, r, err)
			return
		}
	}
	if err := s.sessions.Logins().Begin(w, r, l); err != nil {
		s.loginUnavailable(w, r, err)
		return
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(l.Nonce), oauth2.S256ChallengeOption(l.Verifier)}
	if s.identity.Audience() != "" {
		options = append(options, oauth2.SetAuthURLParam("audience", s.identity.Audience()))
	}
	if l.Fresh {
		// With max_age the tenant reports when the person signed in (OpenID Connect Core, section 3.1.2.1).
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	} else if l.Silent {
		options = append(options, oauth2.SetAuthURLParam("prompt", "none"))
	}
	http.Redirect(w, r, p.oauth.AuthCodeURL(l.State, options...), http.StatusFound)
}

// secret returns 32 random bytes as text, for state, nonce and verifier.
func (s *signIn) secret() (string, error) {
	raw := make([]byte, 32)
	if _, err := io.ReadFull(s.random, raw); err != nil {
		return "", fmt.Errorf("read random: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// loginUnavailable answers with a page when the tenant cannot be reached or is not the configured one. The reason goes to the log.
func (s *signIn) loginUnavailable(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	s.log.warn(r.Context(), "sign-in", err)
	p := &httpx.Problem{
		Status: http.StatusServiceUnavailable, Code: httpx.CodeUnavailable,
		Detail: "The tenant that signs you in cannot be reached right now. Try again in a moment.", RetryAfter: retryLater,
	}
	if errors.Is(err, issuer.ErrMisconfigured) {
		p.Code, p.Detail = httpx.CodeLoginConfig, "The tenant is not the one that this server is configured for. An administrator must check "+
			"the configuration."
	}
	s.pages.fail(w, r, p, web.Message{Title: "Sign-in is not possible right now", Action: "Try again", Href: loginAgain("/")})
}

func loginAgain(returnTo string) string {
	return "/bff/login?" + url.Values{"return_to": {returnTo}}.Encode()
}

// answer is the answer that the tenant sent through the browser.
type answer struct {
	state, code, err, description, iss string
	hasIss                             bool
}

// readAnswer refuses an ambiguous answer: one with a parameter twice, with both a code and an error, or with neither.
func readAnswer(r *http.Request) (answer, bool) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return answer{}, false
	}
	for _, name := range []string{"state", "code", "error", "error_description", "iss"} {
		if len(q[name]) > 1 {
			return answer{}, false
		}
	}
	a := answer{
		state: q.Get("state"), code: q.Get("code"), err: q.Get("error"), description: q.Get("error_description"), iss: q.Get("iss"),
		hasIss: q.Has("iss"),
	}
	return a, (a.code == "") != (a.err == "") && a.state != ""
}

// callback ends a sign-in.
func (s *signIn) callback(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address holds the code
	a, ok := readAnswer(r)
	if !ok {
		s.loginFailed(w, r, session.Login{}, httpx.NewProblem(http.StatusBadRequest, httpx.CodeLoginRequest,
			"The answer to the sign-in is malformed. Sign in again."))
		return
	}
	l, ok := s.sessions.Logins().Take(w, r, a.state)
	if !ok {
		s.strayCallback(w, r)
		return
	}
	p, err := s.identity.provider(r.Context())
	if err != nil {
		s.loginUnavailable(w, r, err)
		return
	}
	// RFC 9207: an answer from another tenant must not make us send it a code of this tenant.
	if a.hasIss && a.iss != s.identity.c.Issuer || !a.hasIss && p.meta.IssuerParam {
		s.loginFailed(w, r, l, httpx.NewProblem(http.StatusBadRequest, httpx.CodeIssuer,
			"The answer to the sign-in came from another tenant. Sign in again."))
		return
	}
	if a.err != "" {
		s.denied(w, r, l, a)
		return
	}
	g, claims, problem := s.exchange(r.Context(), p, l, a.code)
	if problem != nil {
		s.loginFailed(w, r, l, problem)
		return
	}
	if problem := s.start(w, r, g, claims); problem != nil {
		s.loginFailed(w, r, l, problem)
		return
	}
	s.log.audit(r.Context(), "signed_in", "sub", claims.Subject)
	if !l.Popup {
		http.Redirect(w, r, l.ReturnTo, http.StatusSeeOther)
		return
	}
	if err := s.pages.site.Page(w, r, http.StatusOK, web.Message{
		Title: "You are signed in",
		Text:  "You can close this window and continue in the editor.", Action: "Open the editor here", Href: l.ReturnTo,
		SignedIn: true,
	}); err != nil {
		s.log.fail(r.Context(), "page", err)
		http.Redirect(w, r, l.ReturnTo, http.StatusSeeOther)
	}
}

// strayCallback answers a callback for a sign-in that did not begin in this browser or has already ended. A person who navigates back to it
// while signed in is redirected.
func (s *signIn) strayCallback(w http.ResponseWriter, r *http.Request) {
	ss, err := s.sessions.Of(r)
	if err != nil {
		s.loginFailed(w, r, session.Login{}, s.sessions.storeDown(r.Context(), err))
		return
	}
	if !ss.IsNew {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	s.loginFailed(w, r, session.Login{}, httpx.NewProblem(http.StatusBadRequest, httpx.CodeLoginState,
		"This sign-in did not start in this browser, or it has expired. Sign in again."))
}

// denied answers an error of the authorization endpoint. The tenant's text goes only to the log, since anyone can write it into a link.
func (s *signIn) denied(w http.ResponseWriter, r *http.Request, l session.Login, a answer) {
	s.log.audit(r.Context(), "sign_in_denied", "error", clipped(a.err), "description", clipped(a.description))
	switch a.err {
	case "login_required", "interaction_required", "consent_required", "account_selection_required":
		if l.Silent {
			// The page notices that nobody is signed in, and offers a sign-in.
			http.Redirect(w, r, l.ReturnTo, http.StatusSeeOther)
			return
		}
	case "temporarily_unavailable", "server_error":
		s.loginUnavailable(w, r, fmt.Errorf("authorization endpoint: %s", clipped(a.err)))
		return
	}
	s.loginFailed(w, r, l, httpx.NewProblem(http.StatusBadRequest, httpx.CodeLoginDenied,
		"The tenant ended the sign-in. You can try again, perhaps with another account."))
}

func (s *signIn) loginFailed(w http.ResponseWriter, r *http.Request, l session.Login, p *httpx.Problem) {
	to := l.ReturnTo
	if to == "" {
		to = "/"
	}
	s.pages.fail(w, r, p, web.Message{Title: "You are not signed in", Action: "Sign in", Href: loginAgain(to)})
}

// exchange trades the code for tokens and checks the ID token. If the sign-in fails, it revokes the tokens.
func (s *signIn) exchange(ctx context.Context, p *provider, l session.Login, code string) (session.Grant, claims, *httpx.Problem) {
	ctx = oidc.ClientContext(ctx, s.identity.server.Client())
	t, err := p.oauth.Exchange(ctx, code, oauth2.VerifierOption(l.Verifier))
	if err != nil {
		return session.Grant{}, claims{}, s.exchangeFailed(ctx, err)
	}
	who, err := s.identity.identify(ctx, p, l, t)
	if err != nil {
		s.identity.release(ctx, t.RefreshToken)
		return session.Grant{}, claims{}, s.idTokenFailed(ctx, err)
	}
	token := s.identity.token(t)
	if token.Scope == "" {
		// RFC 6749, section 5.1: an answer without scope grants the requested one.
		token.Scope = strings.Join(Scopes(), " ")
	}
	return session.Grant{Refresh: t.RefreshToken, Tokens: map[string]session.Token{s.identity.Audience(): token}}, who, nil
}

func (s *signIn) exchangeFailed(ctx context.Context, err error) *httpx.Problem {
	s.log.warn(ctx, "exchange code", issuer.WithoutBody(err))
	switch {
	case issuer.Refused(err, "invalid_grant"):
		return httpx.NewProblem(http.StatusBadRequest, httpx.CodeLoginCode, "The tenant did not accept this sign-in. Sign in again.")
	case issuer.Refused(err, "invalid_client", "unauthorized_client", "invalid_request", "unsupported_grant_type", "invalid_scope"):
		return httpx.NewProblem(http.StatusBadGateway, httpx.CodeLoginConfig,
			"The tenant does not accept this server as its client. An administrator must check the configuration.")
	default:
		return &httpx.Problem{
			Status: http.StatusServiceUnavailable, Code: httpx.CodeUnavailable,
			Detail: "The tenant that signs you in cannot be reached right now. Try again in a moment.", RetryAfter: retryLater,
		}
	}
}

func (s *signIn) idTokenFailed(ctx context.Context, err error) *httpx.Problem {
	s.log.warn(ctx, "ID token", err)
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
func (s *signIn) start(w http.ResponseWriter, r *http.Request, g session.Grant, who claims) *httpx.Problem {
	ss, err := s.sessions.Of(r)
	if err != nil {
		return s.sessions.storeDown(r.Context(), err)
	}
	before := s.sessions.GrantOf(ss).Refresh
	if err := s.sessions.Renew(r.Context(), ss); err != nil {
		return s.sessions.storeDown(r.Context(), err)
	}
	// The token is no longer used, but the tenant would still list it among the person's sign-ins.
	s.identity.release(r.Context(), before)
	ss.Values[keySubject], ss.Values[keyName], ss.Values[keyEmail] = who.Subject, who.Name, who.Email
	s.sessions.SetGrant(ss, g)
	s.sessions.SetPerson(ss, who.Subject, who.SignIn)
	if err := s.sessions.Save(r, w, ss); err != nil {
		return s.sessions.storeDown(r.Context(), err)
	}
	return nil
}
