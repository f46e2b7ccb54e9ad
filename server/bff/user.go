package bff

import (
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/httpx"
)

// userJSON is the answer of GET /bff/user.
type userJSON struct {
	Subject   string   `json:"sub"`
	Name      string   `json:"name"`
	Email     string   `json:"email"`
	Scopes    []string `json:"scopes"`
	ExpiresIn int      `json:"expires_in"` // seconds until the session ends if it is not used
	LogoutURL string   `json:"logout_url"` // to be called with POST
}

// profile answers requests about the signed-in user.
type profile struct {
	identity *Identity
	sessions signedIn
	drafts   [][]byte // see Config.Drafts
	log      journal
}

// user answers with the signed-in user. It does not extend the session: a page that only asks is not in use.
func (u *profile) user(w http.ResponseWriter, r *http.Request) {
	ss, p := u.sessions.current(w, r)
	if p != nil {
		p.Write(w, r)
		return
	}
	text := func(key string) string { v, _ := ss.Values[key].(string); return v }
	scopes := u.sessions.access.scopes(ss)
	if scopes == nil {
		scopes = []string{}
	}
	err := httpx.WriteJSON(w, http.StatusOK, userJSON{
		Subject: text(keySubject), Name: text(keyName), Email: text(keyEmail), Scopes: scopes,
		ExpiresIn: int(u.sessions.Left(ss) / time.Second), LogoutURL: "/bff/logout",
	})
	if err != nil {
		u.log.fail(r.Context(), "write user", err)
	}
}
