package foreigntest

import (
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// scopes of the management API that the editor uses.
var formScopes = []string{"read:forms", "create:forms", "update:forms", "delete:forms", "read:flows"}

// code is an authorization code.
type code struct {
	person                         int
	client, redirect, nonce, proof string
	scope                          string
	audience                       bool
	begun                          time.Time
}

// token is an access or refresh token.
type token struct {
	person  int // -1 for the service client
	scope   string
	api     bool // for the management API
	refresh bool
	ends    time.Time
	jkt     string // thumbprint of the key to which it is bound
}

// authServer is the authorization server. It also checks the tokens of requests to the API.
type authServer struct {
	*setup

	key    *rsa.PrivateKey
	people []Person

	mu     sync.Mutex
	codes  map[string]code
	tokens map[string]token
	nonces map[string]nonce
	proofs map[string]bool // the jti of those that were used
}

func newAuthServer(s *setup, key *rsa.PrivateKey, people []Person) *authServer {
	return &authServer{
		setup: s, key: key, people: people, codes: map[string]code{}, tokens: map[string]token{}, nonces: map[string]nonce{},
		proofs: map[string]bool{},
	}
}

func (a *authServer) register(mux *http.ServeMux) {
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		meta := map[string]any{
			"issuer": a.Issuer(), "authorization_endpoint": a.URL + "/authorize", "token_endpoint": a.URL + "/oauth/token",
			"userinfo_endpoint": a.URL + "/userinfo", "jwks_uri": a.URL + "/keys", "revocation_endpoint": a.URL + "/oauth/revoke",
			"end_session_endpoint": a.URL + "/oidc/logout", "response_types_supported": []string{"code"},
			"subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"RS256"},
			"token_endpoint_auth_methods_supported": []string{"client_secret_post"},
		}
		if a.Traits.DPoP || a.Traits.OffersDPoP {
			meta["dpop_signing_alg_values_supported"] = []string{"ES256"}
		}
		answer(w, http.StatusOK, meta)
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: a.key.Public(), KeyID: "k", Algorithm: "RS256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /authorize", a.authorize)
	mux.HandleFunc("POST /authorize", a.choose)
	mux.HandleFunc("POST /oauth/token", a.token)
	mux.HandleFunc("GET /userinfo", a.userinfo)
	mux.HandleFunc("POST /oauth/revoke", func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.tokens, r.PostFormValue("token"))
		w.WriteHeader(http.StatusOK)
	})
	mux.HandleFunc("GET /oidc/logout", func(w http.ResponseWriter, r *http.Request) {
		redirect(w, r, r.URL.Query().Get("post_logout_redirect_uri"))
	})
}

var signInPage = template.Must(template.New("").Parse(`<!doctype html><title>Another tenant</title><h1>Who are you?</h1>
<form method="post" action="{{.Action}}">
{{range $i, $p := .People}}<p><button name="person" value="{{$i}}">{{$p.Email}}</button></p>
{{end}}</form>`))

// authorize shows who can sign in.
func (a *authServer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	fault := func(name, words string) {
		back := url.Values{"state": {q.Get("state")}, "error": {name}, "error_description": {words}}
		redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode())
	}
	switch {
	case q.Get("client_id") != SignInClient || !strings.HasSuffix(q.Get("redirect_uri"), "/bff/callback"):
		http.Error(w, "Callback URL mismatch", http.StatusForbidden)
	case q.Get("audience") != "" && q.Get("audience") != a.Audience():
		fault("access_denied", "Service not found: "+q.Get("audience"))
	case a.Traits.KnownScopes && slices.ContainsFunc(strings.Fields(q.Get("scope")), func(s string) bool { return !known(s) }):
		fault("invalid_scope", "One of the scopes is not known.")
	case q.Get("prompt") == "none":
		fault("login_required", "Nobody is signed in.")
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = signInPage.Execute(w, struct {
			Action string
			People []Person
		}{r.URL.String(), a.people})
	}
}

func known(scope string) bool {
	return slices.Contains([]string{"openid", "profile", "email", "offline_access"}, scope) || slices.Contains(formScopes, scope)
}

// choose ends the sign-in of the person whose button was pressed.
func (a *authServer) choose(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	who := 0
	_, _ = fmt.Sscan(r.PostFormValue("person"), &who)
	if who < 0 || who >= len(a.people) {
		http.Error(w, "nobody", http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	name := random()
	a.codes[name] = code{
		person: who, client: q.Get("client_id"), redirect: q.Get("redirect_uri"), nonce: q.Get("nonce"), proof: q.Get("code_challenge"),
		scope: q.Get("scope"), audience: q.Get("audience") != "", begun: time.Now(),
	}
	a.mu.Unlock()
	redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"state": {q.Get("state")}, "code": {name}}.Encode())
}

func redirect(w http.ResponseWriter, r *http.Request, to string) {
	http.Redirect(w, r, to, http.StatusFound) // #nosec G710 -- only tests run this tenant
}

// token is the token endpoint. It knows client_secret_post only.
func (a *authServer) token(w http.ResponseWriter, r *http.Request) {
	id, secret := r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	if id != SignInClient && id != ServiceClient || secret != Secret {
		answer(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client", "error_description": "Client or secret is wrong."})
		return
	}
	jkt := ""
	if a.Traits.DPoP || a.Traits.OffersDPoP && len(r.Header.Values("DPoP")) > 0 {
		var fault string
		if jkt, fault = a.proof(w, r, "token", ""); fault != "" {
			answer(w, http.StatusBadRequest, map[string]string{"error": fault})
			return
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch r.PostFormValue("grant_type") {
	case "authorization_code":
		a.redeem(w, r, jkt)
	case "refresh_token":
		old, ok := a.tokens[r.PostFormValue("refresh_token")]
		if !ok || !old.refresh || a.Traits.DPoP && old.jkt != jkt {
			answer(w, http.StatusForbidden, map[string]string{"error": "invalid_grant"})
			return
		}
		delete(a.tokens, r.PostFormValue("refresh_token"))
		old.jkt = jkt
		a.issue(w, old, map[string]any{})
	case "client_credentials":
		if id != ServiceClient || r.PostFormValue("audience") != a.Audience() {
			words := "Client is not authorized to access " + r.PostFormValue("audience")
			answer(w, http.StatusForbidden, map[string]string{"error": "access_denied", "error_description": words})
			return
		}
		scope := append(slices.Clone(a.held()), a.Traits.Excess...)
		a.issue(w, token{person: -1, scope: strings.Join(scope, " "), api: true, jkt: jkt}, map[string]any{})
	default:
		answer(w, http.StatusBadRequest, map[string]string{"error": "unsupported_grant_type"})
	}
}

// held returns the scopes that those who may work with forms hold.
func (a *authServer) held() []string {
	if a.Traits.NoFlows {
		return formScopes[:4]
	}
	return formScopes
}

func (a *authServer) redeem(w http.ResponseWriter, r *http.Request, jkt string) {
	c, ok := a.codes[r.PostFormValue("code")]
	delete(a.codes, r.PostFormValue("code"))
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || c.redirect != r.PostFormValue("redirect_uri") || c.proof != base64.RawURLEncoding.EncodeToString(sum[:]) {
		if a.Traits.Vague {
			answer(w, http.StatusForbidden, map[string]string{"message": "Invalid client credentials"})
			return
		}
		answer(w, http.StatusForbidden, map[string]string{"error": "invalid_grant"})
		return
	}
	var granted []string
	for s := range strings.FieldsSeq(c.scope) {
		if !slices.Contains(formScopes, s) {
			if known(s) {
				granted = append(granted, s)
			}
		} else if !a.Traits.PeopleAreStrangers && slices.Contains(a.held(), s) && c.audience {
			granted = append(granted, s)
		}
	}
	if a.Traits.PeopleAreStrangers && c.audience {
		granted = append(granted, "read:current_user")
	}
	more := map[string]any{"id_token": a.idToken(c)}
	a.issue(w, token{person: c.person, scope: strings.Join(granted, " "), api: c.audience, jkt: jkt}, more)
}

// issue answers with new tokens like tok.
func (a *authServer) issue(w http.ResponseWriter, tok token, out map[string]any) {
	life := a.Traits.TokenLife
	if life == 0 {
		life = time.Hour
	}
	name := random()
	tok.refresh, tok.ends = false, time.Now().Add(life)
	a.tokens[name] = tok
	out["access_token"], out["token_type"], out["expires_in"] = name, "Bearer", int(life.Seconds())
	if tok.jkt != "" {
		out["token_type"] = "DPoP"
	}
	if !a.Traits.NoScope {
		out["scope"] = tok.scope
	}
	if tok.person >= 0 && !a.Traits.NoRefresh && slices.Contains(strings.Fields(tok.scope), "offline_access") {
		again := random()
		tok.refresh = true
		a.tokens[again] = tok
		out["refresh_token"] = again
	}
	w.Header().Set("Cache-Control", "no-store")
	answer(w, http.StatusOK, out)
}

// claims returns the claims of a person for an ID token or the UserInfo endpoint.
func (a *authServer) claims(person int, whole bool) map[string]any {
	p := a.people[person]
	c := map[string]any{"sub": p.Subject}
	if whole {
		c["email"], c["email_verified"], c["name"] = p.Email, p.Verified, p.Email
		maps.Copy(c, p.Claims)
	}
	return c
}

func (a *authServer) idToken(c code) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: a.key, KeyID: "k"}}, nil)
	if err != nil {
		panic(err)
	}
	now := time.Now()
	claims := a.claims(c.person, !a.Traits.ThinIDTokens)
	claims["iss"], claims["aud"], claims["nonce"] = a.Issuer(), c.client, c.nonce
	claims["iat"], claims["exp"] = now.Unix(), now.Add(time.Hour).Unix()
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		panic(err)
	}
	return text
}

func (a *authServer) userinfo(w http.ResponseWriter, r *http.Request) {
	tok, ok := a.authorized(w, r, "userinfo")
	if !ok || tok.person < 0 {
		w.Header().Add("WWW-Authenticate", "Bearer")
		answer(w, http.StatusUnauthorized, map[string]string{"error": "invalid_token"})
		return
	}
	answer(w, http.StatusOK, a.claims(tok.person, true))
}

// authorized returns the token of a request to a server of the tenant. A bound token needs a proof.
func (a *authServer) authorized(w http.ResponseWriter, r *http.Request, server string) (token, bool) {
	scheme, name, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	a.mu.Lock()
	tok, ok := a.tokens[name]
	a.mu.Unlock()
	if !ok || tok.refresh || time.Now().After(tok.ends) {
		return token{}, false
	}
	if tok.jkt == "" {
		return tok, scheme == "Bearer" && !a.Traits.DPoP
	}
	jkt, fault := a.proof(w, r, server, name)
	if fault == "" && (scheme != "DPoP" || jkt != tok.jkt) {
		fault = "invalid_token"
	}
	if fault != "" {
		w.Header().Add("WWW-Authenticate", `DPoP error="`+fault+`"`)
	}
	return tok, fault == ""
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
