package bff_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/admission"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/servicetoken"
)

const serviceSecret = "service-secret-value"

// serviceWorld is a world whose handler calls the tenant with a token of its own.
type serviceWorld struct {
	*world
	rules admission.Rules
	// answer replaces members of the answers to client credentials; status replaces their status.
	answer map[string]any
	status int
	asked  int // requests for the service token
}

func newServiceWorld(t *testing.T, rules admission.Rules) *serviceWorld {
	t.Helper()
	w := &serviceWorld{world: newWorld(t), rules: rules}
	w.more = map[string]http.HandlerFunc{}
	w.token = func(rw http.ResponseWriter, r *http.Request) {
		if r.FormValue("grant_type") != "client_credentials" {
			w.grant(rw, r)
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.asked++
		if user, password, _ := r.BasicAuth(); user != "service" || password != serviceSecret || r.PostForm.Get("audience") != audience {
			t.Errorf("client credentials of %q for %v", user, r.PostForm)
		}
		answer := map[string]any{
			"access_token": fmt.Sprint("service-token-", w.asked), "token_type": "Bearer", "expires_in": 600,
			"scope": strings.Join(servicetoken.Scopes(), " "),
		}
		maps.Copy(answer, w.answer)
		writeJSON(rw, max(w.status, 200), answer)
	}
	w.adjust = func(c *bff.Config) {
		c.Remote, c.Account = true, nil
		c.Service = &bff.Service{Rules: w.rules, Tokens: servicetoken.New(servicetoken.Config{
			Issuer: c.Identity.Server(), ClientID: "service", Secret: serviceSecret, Audience: audience, Now: c.Now, Log: c.Log,
		})}
	}
	w.restart()
	return w
}

// restart replaces the handler by one with the current rules, on the same store.
func (w *serviceWorld) restart() { w.h = w.handler(w.ic) }

// userInfo lets the issuer answer with these claims at its user info endpoint.
func (w *serviceWorld) userInfo(answer http.HandlerFunc) {
	w.metadata = map[string]any{"userinfo_endpoint": w.url + "/userinfo"}
	w.more["/userinfo"] = answer
}

// arrive signs in and returns the answer of the callback to a browser that shows pages.
func (b *browser) arrive() got {
	b.w.t.Helper()
	return b.do(http.MethodGet, b.w.consent(b.begin("?return_to=/forms/ap_1")), "", "Accept", "text/html")
}

// scopes returns those of /bff/user, or nil if it refuses.
func (b *browser) scopes() []string {
	b.w.t.Helper()
	var user struct {
		Scopes []string `json:"scopes"`
	}
	if g := b.app(http.MethodGet, "/bff/user", ""); g.status != 200 || json.Unmarshal([]byte(g.body), &user) != nil {
		return nil
	}
	slices.Sort(user.Scopes)
	return user.Scopes
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// subjectRule lets the stub's person in.
func subjectRule() []admission.Rule { return []admission.Rule{must(admission.Subject("user_1"))} }

var (
	editScopes = []string{"create:forms", "delete:forms", "read:flows", "read:forms", "update:forms"}
	viewScopes = []string{"read:flows", "read:forms"}
)
