package authz

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
)

// logout is GET and POST /oidc/logout: the person's sign-in at the tenant ends and the browser goes
// back to an address that the application registered, or sees that it is signed out. The application
// is named by an ID token or by client_id. OpenID Connect RP-Initiated Logout, section 2.
//
// The standard wants a question first when no ID token is sent. We do not ask: tokens never reach
// the browser here, so our own application has none to send, and being signed out by another site
// costs a person one password.
func (h *Handler) logout(w http.ResponseWriter, r *http.Request) {
	p, e := oauth.FormParams(r.URL.RawQuery)
	if e == nil && r.Method == http.MethodPost {
		p, e = oauth.ReadPage(w, r)
	}
	if e != nil {
		h.pages.Fail(w, e)
		return
	}
	clientID, hinted := p["client_id"], ""
	if hint := p["id_token_hint"]; hint != "" {
		aud, sid, err := h.Tokens.VerifyHint(hint)
		if err != nil || clientID != "" && clientID != aud {
			h.pages.Fail(w, oauth.InvalidRequest("the application does not match what it sent along"))
			return
		}
		clientID, hinted = aud, sid
	}
	to, e := h.afterLogout(r, clientID, p)
	if e != nil {
		h.pages.Fail(w, e)
		return
	}
	if err := h.end(w, r, hinted); err != nil {
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "end sign-in", err))
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if to != "" {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	h.pages.Render(w, http.StatusOK, pages.Message, pages.Page{
		Title: "Signed out", Notice: pages.Notice{Text: "You are signed out here. You can close this page."},
	})
}

// afterLogout returns where the browser goes, or "" to stay.
func (h *Handler) afterLogout(r *http.Request, clientID string, p oauth.Params) (string, *oauth.Error) {
	to := p["post_logout_redirect_uri"]
	if to == "" {
		return "", nil
	}
	c, err := h.Store.Client(r.Context(), clientID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return "", h.journal.Unavailable(r.Context(), "read client", err)
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
func (h *Handler) end(w http.ResponseWriter, r *http.Request, hinted string) error {
	s, ok, err := h.browsers.Current(r)
	if err != nil || ok && hinted != "" && hinted != s.ID {
		return err
	}
	if err := h.browsers.End(w, r, s); err != nil || !ok {
		return err
	}
	// The person is signed out whether or not the clients can be told.
	if err := h.SignedOut(r.Context(), s.UserID, s.ID); err != nil {
		h.journal.Down(r.Context(), "tell clients", err)
	}
	h.journal.Info(r.Context(), "signed out", slog.String("user", s.UserID))
	return nil
}
