package signin

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/logout"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// SignOut serves GET and POST /oidc/logout at one address of the tenant. All fields are required.
type SignOut struct {
	Store    store.Clients
	Tokens   *tokens.Tokens
	Browsers *browser.Browsers
	Pages    *pages.Pages
	Clients  *logout.Notifier
	Journal  *journal.Journal
}

// ServeHTTP ends the person's sign-in at the tenant. The browser returns to an address that the application registered, or shows that the
// person is signed out. An ID token or client_id names the application. OpenID Connect RP-Initiated Logout, section 2.
//
// The standard asks for a confirmation if no ID token is sent. We do not ask: tokens never reach the browser here, so our
// own application has none to send, and a sign-out by another site costs a person one password.
func (o *SignOut) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, e := oauth.FormParams(r.URL.RawQuery)
	if e == nil && r.Method == http.MethodPost {
		p, e = oauth.ReadPage(w, r)
	}
	if e != nil {
		o.Pages.Fail(w, e)
		return
	}
	clientID, hinted := p["client_id"], ""
	if hint := p["id_token_hint"]; hint != "" {
		aud, sid, err := o.Tokens.VerifyHint(hint)
		if err != nil || clientID != "" && clientID != aud {
			o.Pages.Fail(w, oauth.InvalidRequest("the ID token does not belong to the application"))
			return
		}
		clientID, hinted = aud, sid
	}
	to, e := o.next(r, clientID, p)
	if e != nil {
		o.Pages.Fail(w, e)
		return
	}
	if err := o.end(w, r, hinted); err != nil {
		o.Pages.Fail(w, o.Journal.Unavailable(r.Context(), "end sign-in", err))
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if to != "" {
		http.Redirect(w, r, to, http.StatusSeeOther) // #nosec G710 -- next compared it with the registered ones
		return
	}
	o.Pages.Render(w, http.StatusOK, pages.Message, pages.Page{
		Title: "Signed out", Notice: pages.Notice{Text: "You are signed out here. You can close this page."},
	})
}

// next returns the address to which the browser returns, or "" to stay.
func (o *SignOut) next(r *http.Request, clientID string, p oauth.Params) (string, *oauth.Error) {
	to := p["post_logout_redirect_uri"]
	if to == "" {
		return "", nil
	}
	c, err := o.Store.Client(r.Context(), clientID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return "", o.Journal.Unavailable(r.Context(), "read client", err)
	}
	u, parseErr := url.Parse(to)
	if err != nil || parseErr != nil || !slices.Contains(c.LogoutURLs, to) {
		return "", oauth.InvalidRequest("the address to return to is not registered for the application")
	}
	if s := p["state"]; s != "" {
		q := u.Query()
		q.Set("state", s)
		u.RawQuery = q.Encode()
	}
	return u.String(), nil
}

// end ends the browser's sign-in, unless an ID token named another one.
func (o *SignOut) end(w http.ResponseWriter, r *http.Request, hinted string) error {
	s, ok, err := o.Browsers.Current(r)
	if err != nil || ok && hinted != "" && hinted != s.ID {
		return err
	}
	if err := o.Browsers.End(w, r, s); err != nil || !ok {
		return err
	}
	// The person is signed out even if the clients cannot be notified.
	if err := o.Clients.SignedOut(r.Context(), s.UserID, s.ID); err != nil {
		o.Journal.Down(r.Context(), "notify clients", err)
	}
	o.Journal.Info(r.Context(), "signed out", slog.String("user", s.UserID))
	return nil
}
