package permit

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// textConsentStale is the text of a consent page that is shown again.
const textConsentStale = "This page was changed or open for too long. Check what the application asks for and choose again."

// showConsent asks a signed-in person whether the client may have scope. The page carries a token that binds it to the
// request, the browser, the sign-in, the time and every word of scope.
func (h *Handler) showConsent(
	w http.ResponseWriter, r *http.Request, q *request.Request, s store.SignIn, scope []string, status int, problem string,
) {
	u, err := h.Store.User(r.Context(), s.UserID)
	if err != nil {
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "read user", err))
		return
	}
	identity, ofAPI := scopeLines(scope)
	p := pages.Page{
		Title: "Allow access?", FormTo: pages.Origin(q.Redirect), Identity: identity, Scopes: ofAPI,
		Form: pages.Form{
			App: q.Client.Name, Email: u.Email, Problem: problem, Action: "/authorize/consent?" + q.Query,
			Token: h.Browsers.PageToken(h.Browsers.Visit(w, r), boundConsent(q, s, scope), h.Now().Add(browser.PageLife)),
		},
	}
	if q.Audience != h.Policy.UserInfoAudience() {
		api, err := h.Store.API(r.Context(), q.Audience)
		if err != nil {
			h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "read API", err))
			return
		}
		p.API = api.Name
		if p.API == "" {
			p.API = api.Identifier
		}
	}
	h.Pages.Render(w, status, pages.Consent, p)
}

// boundConsent returns what the token of a consent page is bound to. No part of it contains a zero byte.
func boundConsent(q *request.Request, s store.SignIn, scope []string) string {
	return strings.Join([]string{q.Query, s.ID, q.Audience, strings.Join(scope, " ")}, "\x00")
}

// Decide is POST /authorize/consent: it receives the consent page. It grants what the page showed. If the request would now ask for
// something else, the person sees that first.
func (h *Handler) Decide(w http.ResponseWriter, r *http.Request) {
	q, p, ok := h.Requests.FromPage(w, r)
	if !ok {
		return
	}
	s, ok, err := h.Browsers.Current(r)
	if err != nil {
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "read sign-in", err))
		return
	}
	if !ok || !q.Satisfied(s) { // signed out meanwhile, or signed in again with less than the request requires
		h.SignIn.Again(w, r, q, browser.TextStale)
		return
	}
	scope, e := h.Policy.Granted(r.Context(), q.Client, s.UserID, q.Audience, q.Scope)
	if e != nil {
		h.Requests.Refuse(w, r, &request.Refusal{Err: e, Req: q})
		return
	}
	if problem := h.Browsers.CheckPage(r, boundConsent(q, s, scope), p["token"]); problem != "" {
		h.showConsent(w, r, q, s, scope, http.StatusForbidden, textConsentStale)
		return
	}
	if p["choice"] != "allow" {
		h.Journal.Info(r.Context(), "consent refused", slog.String("client", q.Client.ID), slog.String("user", s.UserID))
		h.Requests.Refuse(w, r, &request.Refusal{Err: oauth.AccessDenied("the person did not agree"), Req: q})
		return
	}
	err = h.Store.UpdateConsent(r.Context(), store.Consent{
		ID: "con_" + tokens.NewSecret()[:22], UserID: s.UserID, ClientID: q.Client.ID, Audience: q.Audience,
	}, func(given *store.Consent) error {
		// A request for less does not take back what the person agreed to before.
		for _, word := range scope {
			if !slices.Contains(given.Scope, word) {
				given.Scope = append(given.Scope, word)
			}
		}
		given.Given = h.Now()
		return nil
	})
	if err != nil {
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "keep consent", err))
		return
	}
	h.Journal.Info(r.Context(), "consent given", slog.String("client", q.Client.ID),
		slog.String("user", s.UserID), slog.String("scope", strings.Join(scope, " ")))
	h.finish(w, r, q, s, scope)
}

// mustAsk reports whether the person has to be asked before the client gets scope.
func (h *Handler) mustAsk(ctx context.Context, q *request.Request, userID string, scope []string) (bool, *oauth.Error) {
	if q.Client.FirstParty {
		return false, nil
	}
	given, ok, e := h.Policy.Consent(ctx, userID, q.Client.ID, q.Audience)
	if e != nil {
		return false, e
	}
	missing := func(word string) bool { return !slices.Contains(given.Scope, word) }
	return !ok || q.Prompt.Consent || slices.ContainsFunc(scope, missing), nil
}

// finish sends the browser back with a code for scope, or with an ID token.
func (h *Handler) finish(w http.ResponseWriter, r *http.Request, q *request.Request, s store.SignIn, scope []string) {
	name, give := "code", h.newCode
	if q.IDToken {
		name, give = "id_token", h.newIDToken
	}
	given, e := give(r.Context(), q, s, scope)
	if e != nil && e.Code == oauth.CodeLoginRequired && !q.Prompt.None {
		h.SignIn.Again(w, r, q, textSignedOut)
		return
	}
	if e != nil {
		h.Requests.Refuse(w, r, &request.Refusal{Err: e, Req: q})
		return
	}
	h.Sweeper.run(r.Context())
	h.Requests.Reply(w, r, q, url.Values{name: {given}})
}

// scopeLines describes scopes: those about the person by a table, those of an API by their verb, and others unchanged.
func scopeLines(scope []string) (identity, ofAPI []pages.Scope) {
	words := map[string]string{
		access.OpenID: "Know who you are", access.Profile: "See your name", access.Email: "See your e-mail address",
		access.Offline: "Keep access while you are away",
	}
	verbs := map[string]string{"create": "Add", "read": "See", "update": "Change", "delete": "Delete"}
	for _, s := range scope {
		if access.Identity(s) {
			identity = append(identity, pages.Scope{Words: words[s], Scope: s})
			continue
		}
		l := pages.Scope{Scope: s}
		if verb, noun, ok := strings.Cut(s, ":"); ok && verbs[verb] != "" && noun != "" {
			own, isOwn := strings.CutPrefix(noun, "me:")
			l.Words = verbs[verb] + " " + strings.ReplaceAll(noun, "_", " ")
			if isOwn {
				l.Words = verbs[verb] + " your " + strings.ReplaceAll(own, "_", " ")
			}
		}
		ofAPI = append(ofAPI, l)
	}
	return identity, ofAPI
}
