package authz

import (
	"log/slog"
	"net/http"

	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/clientauth"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/logout"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/passkey"
	"github.com/formgraph/formgraph/server/tenant/authz/permit"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/authz/token"
	"github.com/formgraph/formgraph/server/tenant/cors"
	"github.com/formgraph/formgraph/server/tenant/factor"
)

// parts serve the routes of one address.
type parts struct {
	pages    *pages.Pages
	requests *request.Requests
	passkeys *passkey.Passkeys
	signIn   *signin.Pages
	signOut  *signin.SignOut
	tickets  *signin.Tickets
	permit   *permit.Handler
	tokens   *token.Endpoint
	userInfo *token.UserInfo
}

// parts makes the parts of an address.
func (k *core) parts(a Address, notifier *logout.Notifier) parts {
	c, p := k.config, parts{pages: k.pages}
	log := &journal.Journal{Log: c.Log, Events: a.Store, Now: c.Now, Observe: c.Observe}
	rules := &policy.Policy{Issuer: a.Issuer, Aliases: a.Aliases, Store: a.Store, Journal: log}
	browsers := &browser.Browsers{Issuer: a.Issuer, Store: a.Store, Master: c.Master, Now: c.Now}
	clients := &clientauth.Authenticator{
		Issuer: a.Issuer, Store: a.Store, Tokens: a.Tokens, Journal: log, Requests: k.requests, Relays: c.Relays,
	}
	party := factor.NewRelyingParty(a.Issuer, "Formgraph")
	passwords := &signin.Passwords{Users: a.Store, Guesses: k.guesses, Verifier: k.verifier}
	factors := &signin.Factors{Store: a.Store, Party: party, Master: c.Master, Now: c.Now}
	ids := &token.IDTokens{Users: a.Store, Tokens: a.Tokens, Journal: log}

	p.requests = &request.Requests{
		Issuer: a.Issuer, Store: a.Store, Policy: rules, Clients: clients, Pushes: k.pushes, Pages: k.pages, Journal: log, Now: c.Now,
	}
	p.passkeys = &passkey.Passkeys{
		Party: party, Grants: c.PasskeyGrants, Store: a.Store, Policy: rules, Clients: clients, Limit: k.challenges,
		Journal: log, Now: c.Now, SignUp: c.SignUp,
	}
	p.signIn = &signin.Pages{
		Store: a.Store, Passwords: passwords, Factors: factors, Passkeys: p.passkeys, Browsers: browsers, Requests: p.requests,
		Pages: k.pages, Shown: k.shown, Journal: log, Now: c.Now,
	}
	p.signOut = &signin.SignOut{
		Store: a.Store, Tokens: a.Tokens, Browsers: browsers, Pages: k.pages, Clients: notifier, Journal: log,
	}
	p.tickets = &signin.Tickets{
		Store: a.Store, Pages: k.pages, Clients: notifier, Journal: log, Now: c.Now, SignInAt: c.SignInAt,
	}
	p.permit = &permit.Handler{
		Store: a.Store, Requests: p.requests, SignIn: p.signIn, Browsers: browsers, Policy: rules, IDs: ids, Pages: k.pages,
		Sweeper: k.sweeper, Journal: log, Now: c.Now,
	}
	p.tokens = token.New(token.Config{
		Store: a.Store, Clients: clients, Tokens: a.Tokens, IDs: ids, Policy: rules, Passwords: passwords, Factors: factors,
		Passkeys: p.passkeys, Journal: log, Now: c.Now,
	})
	p.userInfo = &token.UserInfo{Store: a.Store, Tokens: a.Tokens, Limit: k.requests, Journal: log}
	return p
}

// browserRoutes adds the routes that browsers visit.
func (p parts) browserRoutes(mux *http.ServeMux) {
	p.pages.Route(mux)
	mux.Handle("GET /authorize", p.permit)
	mux.Handle("POST /authorize", p.permit)
	mux.HandleFunc("POST /authorize/password", p.permit.After(p.signIn.Password))
	mux.HandleFunc("POST /authorize/code", p.permit.After(p.signIn.Code))
	if p.passkeys.Party != nil {
		mux.HandleFunc("POST /authorize/passkey", p.permit.After(p.signIn.Passkey))
	}
	mux.HandleFunc("POST /authorize/consent", p.permit.Decide)
	mux.Handle("GET /oidc/logout", p.signOut)
	mux.Handle("POST /oidc/logout", p.signOut)
	mux.HandleFunc("GET "+signin.TicketPath, p.tickets.Show)
	mux.HandleFunc("POST "+signin.TicketPath, p.tickets.Redeem)
	mux.HandleFunc("/", p.pages.NotFound)
}

// clientRoutes adds the routes that clients call, including from pages of their origins. Each calls cors.Allow as soon as it knows which
// client a request is for.
func (p parts) clientRoutes(mux *http.ServeMux, origins cors.Origins, log *slog.Logger) {
	share := func(path string, do http.HandlerFunc, methods ...string) {
		for _, m := range methods {
			mux.HandleFunc(m+" "+path, func(w http.ResponseWriter, r *http.Request) {
				cors.Vary(w.Header())
				do(w, r)
			})
		}
		mux.HandleFunc("OPTIONS "+path, cors.Preflight(origins, log, methods...))
	}
	share("/passkey/challenge", p.passkeys.ServeChallenge, http.MethodPost)
	share("/passkey/register", p.passkeys.ServeRegister, http.MethodPost)
	share("/oauth/par", p.requests.Push, http.MethodPost)
	share("/oauth/token", p.tokens.ServeHTTP, http.MethodPost)
	share("/oauth/token/{$}", p.tokens.ServeHTTP, http.MethodPost) // clients of the vendor's tenants send the slash
	share("/oauth/revoke", p.tokens.Revoke, http.MethodPost)
	share("/userinfo", p.userInfo.ServeHTTP, http.MethodGet, http.MethodPost)
}
