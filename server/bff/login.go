package bff

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/observe"
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
	observe     observe.Func
}

// login begins a sign-in: GET /bff/login?return_to=/forms/ap_1. With prompt=none the tenant shows nothing. display=popup means that the
// sign-in runs in a window of its own, which the last page closes. With fresh=1 the tenant must not reuse an earlier sign-in, for actions
// of the account API that need a recent one. With prompt=select_account the person can choose another account.
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
	scopes, audience := s.sessions.access.asks()
	p.oauth.Scopes = scopes
	if audience != "" {
		options = append(options, oauth2.SetAuthURLParam("audience", audience))
	}
	switch {
	case l.Fresh:
		// With max_age the tenant reports when the person signed in (OpenID Connect Core, section 3.1.2.1).
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	case l.Silent:
		options = append(options, oauth2.SetAuthURLParam("prompt", "none"))
	case q.Get("prompt") == selectAccount:
		options = append(options, oauth2.SetAuthURLParam("prompt", anotherAccount(p.meta.Prompts)))
	}
	http.Redirect(w, r, p.oauth.AuthCodeURL(l.State, options...), http.StatusFound)
}

// selectAccount is the prompt with which an issuer lets a person choose an account; OpenID Connect Core, section 3.1.2.1.
const selectAccount = "select_account"

// anotherAccount returns the prompt for signing in with another account, given the values that the issuer supports; nil if it lists none.
// An issuer that does not know select_account would sign the same person in again, so it is asked to show its sign-in page.
func anotherAccount(supported []string) string {
	if !slices.Contains(supported, selectAccount) && slices.Contains(supported, "login") {
		return "login"
	}
	return selectAccount
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
	p := signInUnavailable()
	if errors.Is(err, issuer.ErrMisconfigured) {
		p.Code, p.Detail = httpx.CodeLoginConfig, "The tenant is not the one that this server is configured for. An administrator must check "+
			"the configuration."
	}
	s.unavailable(w, r, p)
}

func (s *signIn) unavailable(w http.ResponseWriter, r *http.Request, p *httpx.Problem) {
	s.ended(r, string(p.Code))
	s.pages.fail(w, r, p, web.Message{Title: "Sign-in is not possible right now", Action: "Try again", Href: loginAgain("/")})
}

func signInUnavailable() *httpx.Problem {
	return &httpx.Problem{
		Status: http.StatusServiceUnavailable, Code: httpx.CodeUnavailable,
		Detail: "The tenant that signs you in cannot be reached right now. Try again in a moment.", RetryAfter: retryLater,
	}
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
	who, k, problem := s.exchange(r.Context(), p, l, a.code)
	if problem != nil {
		s.loginFailed(w, r, l, problem)
		return
	}
	ss, problem := s.start(w, r, who, k)
	if problem != nil {
		s.loginFailed(w, r, l, problem)
		return
	}
	e := personOf(ss)
	e.Event = "signed_in"
	s.log.audit(r, e)
	if problem := s.sessions.access.admit(ss); problem != nil {
		e.Event, e.Outcome, e.Status = "not_allowed", audit.Refused, problem.Status
		s.log.audit(r, e)
		s.notAllowed(w, r, l, problem)
		return
	}
	s.ended(r, "signed_in")
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

// ended reports the end of a sign-in. The outcome is signed_in or the code of a problem.
func (s *signIn) ended(r *http.Request, outcome string) {
	s.observe.Count(r.Context(), observe.SignIn, "editor", outcome)
}

// notAllowed answers a person who has signed in but may not use the editor. The session lets them sign out, and in as soon as a rule does.
func (s *signIn) notAllowed(w http.ResponseWriter, r *http.Request, l session.Login, p *httpx.Problem) {
	s.ended(r, string(p.Code))
	s.pages.fail(w, r, p, web.Message{
		Title: "You have no access to this editor", Action: "Sign in with another account",
		Href: "/bff/login?" + url.Values{"return_to": {l.ReturnTo}, "prompt": {selectAccount}}.Encode(), SignOut: true,
	})
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

func (s *signIn) loginFailed(w http.ResponseWriter, r *http.Request, l session.Login, p *httpx.Problem) {
	s.ended(r, string(p.Code))
	to := l.ReturnTo
	if to == "" {
		to = "/"
	}
	m := web.Message{Title: "You are not signed in", Action: "Sign in", Href: loginAgain(to)}
	if p.Remedy != "" {
		m.Title, m.Action = "Sign-in is not set up correctly", "Try again"
	}
	s.pages.fail(w, r, p, m)
}
