package authz_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
)

var fieldOf = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)

// posted returns what a page posts to the application, and where. None of it may be in an address.
func (a answer) posted(t *testing.T) (to string, fields url.Values) {
	t.Helper()
	action := actionOf.FindStringSubmatch(a.body)
	if a.StatusCode != http.StatusOK || a.Header.Get("Location") != "" || action == nil || !strings.Contains(a.body, `method="post"`) {
		t.Fatalf("%d to %q, want a page that posts the answer:\n%s", a.StatusCode, a.Header.Get("Location"), a.body)
	}
	fields = url.Values{}
	for _, m := range fieldOf.FindAllStringSubmatch(a.body, -1) {
		fields.Add(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
	}
	return html.UnescapeString(action[1]), fields
}

// OAuth 2.0 Form Post Response Mode: a page that submits itself sends code, state and issuer, or the error.
func TestFormPost(t *testing.T) {
	f := newFixture(t)
	a := f.ana().send(http.MethodGet, "/authorize?"+query("response_mode", "form_post", "redirect_uri", callback+"?x=1", "state",
		`"><script>x</script>`), "")
	to, fields := a.posted(t)
	if to != callback+"?x=1" || fields.Get("state") != `"><script>x</script>` || fields.Get("iss") != issuer || len(fields) != 3 {
		t.Errorf("posts %v to %q", fields, to)
	}
	f.exchange(fields.Get("code"), "redirect_uri", callback+"?x=1").want(t, "exchange", http.StatusOK, "")
	policy := a.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "form-action http://editor.test;") || !strings.Contains(policy, "script-src 'self';") ||
		!strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy = %q, want our script and a form to the application alone", policy)
	}
	if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Referrer-Policy") != "origin" ||
		!strings.Contains(a.body, `<button type="submit">`) {
		t.Errorf("headers %v and page\n%s", a.Header, a.body)
	}
	script := regexp.MustCompile(`<script src="([^"]*)"`).FindStringSubmatch(a.body)
	if script == nil {
		t.Fatalf("no script:\n%s", a.body)
	}
	if s := f.send(http.MethodGet, html.UnescapeString(script[1]), ""); s.StatusCode != http.StatusOK ||
		!strings.Contains(s.body, "submit()") {
		t.Errorf("script = %d %s", s.StatusCode, s.body)
	}
	// The same holds for errors, and after the sign-in page.
	_, fields = f.send(http.MethodGet, "/authorize?"+query("response_mode", "form_post", "prompt", "none"), "").posted(t)
	if fields.Get("error") != "login_required" || fields.Get("state") == "" || fields.Get("iss") != issuer {
		t.Errorf("error = %v", fields)
	}
	b := f.browser()
	_, fields = b.submit(b.send(http.MethodGet, "/authorize?"+query("response_mode", "form_post"), ""), "ana@example.com", password).posted(t)
	if fields.Get("code") == "" {
		t.Errorf("after signing in = %v, want a code", fields)
	}
	// Pushed.
	_, fields = f.ana().send(http.MethodGet, "/authorize?"+f.pushed("response_mode", "form_post"), "").posted(t)
	if fields.Get("code") == "" {
		t.Errorf("of a pushed request = %v, want a code", fields)
	}
	// An application without a web address has no page to post to.
	storetest.ChangeClient(t, f.store, "web", func(c *store.Client) {
		c.Callbacks = []string{
			"com.example.app:/cb",
			"com.example.app://host/cb",
		}
	})
	for _, to := range []string{"com.example.app:/cb", "com.example.app://host/cb"} {
		if v := f.ana().send(http.MethodGet, "/authorize?"+query("response_mode", "form_post", "redirect_uri", to),
			"").location(); v.Get("error") != "invalid_request" {
			t.Errorf("form_post to %s = %v, want invalid_request", to, v)
		}
	}
}

// OpenID Connect Core, section 3.1.2.1: the request may be a form. It is checked like one in the address.
func TestAuthorizeByForm(t *testing.T) {
	f := newFixture(t)
	post := func(b *browser, body string, header ...string) answer {
		t.Helper()
		return b.send(http.MethodPost, "/authorize", body, append([]string{"Content-Type", formType}, header...)...)
	}
	b := f.browser()
	page := post(b, query())
	if page.StatusCode != http.StatusOK {
		t.Fatalf("a form = %d %s, want the sign-in page", page.StatusCode, page.body)
	}
	if v := b.submit(page, "ana@example.com", password).location(); v.Get("code") == "" || v.Get("state") != "s t&a+te" {
		t.Errorf("after signing in = %v, want a code", v)
	}
	if v := post(b, query()).location(); v.Get("code") == "" {
		t.Errorf("signed in = %v, want a code at once", v)
	}
	if v := post(b, f.pushed()).location(); v.Get("code") == "" {
		t.Errorf("pushed = %v, want a code at once", v)
	}
	for name, body := range map[string]string{
		"nothing": "", "unknown client": query("client_id", "nobody"), "redirect": query("redirect_uri", callback+"/x"),
		"repeated": query() + "&state=2", "escape": "%zz", "too long": query("state", strings.Repeat("x", 9<<10)),
	} {
		if a := post(f.browser(), body); a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" ||
			!strings.Contains(a.body, `role="alert"`) {
			t.Errorf("%s: %d to %q, want a page with 400", name, a.StatusCode, a.Header.Get("Location"))
		}
	}
	if v := post(f.browser(), query("prompt", "none")).location(); v.Get("error") != "login_required" {
		t.Errorf("nobody is signed in: %v", v)
	}
	if a := f.send(http.MethodPost, "/authorize?"+query(), query(), "Content-Type", formType); a.StatusCode != http.StatusBadRequest {
		t.Errorf("parameters in the address too = %d, want 400", a.StatusCode)
	}
	if a := f.send(http.MethodPost, "/authorize", "{}", "Content-Type", "application/json"); a.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("JSON = %d, want 415", a.StatusCode)
	}
	// A browser sends no cookies with a form from another site, so it is redirected to send them.
	a := post(f.browser(), query(), "Sec-Fetch-Site", "cross-site")
	if to := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || to != "/authorize?"+query() {
		t.Fatalf("from another site = %d to %q, want the same request by address", a.StatusCode, to)
	}
	if v := b.send(http.MethodGet, a.Header.Get("Location"), "").location(); v.Get("code") == "" {
		t.Errorf("sent on = %v, want a code", v)
	}
}

// A pushed request opens once. The redirect after a form from another site does not use it up.
func TestAuthorizeByFormOpensPushedRequestOnce(t *testing.T) {
	f := newFixture(t)
	b, pushed := f.ana(), f.pushed()
	a := f.browser().send(http.MethodPost, "/authorize", pushed, "Content-Type", formType, "Sec-Fetch-Site", "cross-site")
	if v := b.send(http.MethodGet, a.Header.Get("Location"), "").location(); v.Get("code") == "" {
		t.Errorf("after the redirect = %v, want a code", v)
	}
	if a := b.send(http.MethodPost, "/authorize", pushed, "Content-Type", formType); a.StatusCode != http.StatusBadRequest ||
		a.Header.Get("Location") != "" {
		t.Errorf("again = %d to %q, want a page with 400", a.StatusCode, a.Header.Get("Location"))
	}
}

// A form that is too large is 413. One that ends early is not.
func TestAuthorizeFormIsBounded(t *testing.T) {
	f := newFixture(t)
	send := func(body io.Reader) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/authorize", body)
		r.Header.Set("Content-Type", formType)
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w.Code
	}
	if got := send(strings.NewReader("state=" + strings.Repeat("x", 64<<10))); got != http.StatusRequestEntityTooLarge {
		t.Errorf("too large = %d, want 413", got)
	}
	if got := send(io.MultiReader(strings.NewReader(query()), iotest.ErrReader(io.ErrUnexpectedEOF))); got != http.StatusBadRequest {
		t.Errorf("ended early = %d, want 400", got)
	}
}

// The implicit flow for an ID token, as express-openid-connect asks for it by default.
func TestIDTokenFromTheAuthorizationEndpoint(t *testing.T) {
	f := newFixture(t)
	f.allow("web", "authorization_code", "refresh_token", "implicit")
	f.allow("third", "implicit")
	ask := func(pairs ...string) string {
		return query(append([]string{
			"response_type", "id_token", "response_mode", "form_post", "code_challenge", "-", "code_challenge_method", "-", "audience", "-",
			"scope", "openid profile email offline_access read:forms",
		}, pairs...)...)
	}
	_, fields := f.ana().send(http.MethodGet, "/authorize?"+ask(), "").posted(t)
	if fields.Has("code") || fields.Has("access_token") || fields.Get("state") == "" || fields.Get("iss") != issuer {
		t.Errorf("posts %v, want an ID token, state and issuer", fields)
	}
	c := claims(t, fields.Get("id_token"))
	if c["nonce"] != "n" || c["aud"] != "web" || c["email"] != "ana@example.com" || c["name"] != "Ana" || c["sub"] != "ana" ||
		c["iss"] != issuer || c["sid"] == "" {
		t.Errorf("claims = %v", c)
	}
	for _, name := range []string{"at_hash", "c_hash"} {
		if _, ok := c[name]; ok {
			t.Errorf("the ID token has %s, and nothing came with it", name)
		}
	}
	if _, fields := f.ana().send(http.MethodGet, "/authorize?"+ask("scope", "openid"), "").posted(t); claims(t,
		fields.Get("id_token"))["email"] != nil {
		t.Error("without scope email the ID token has the address")
	}
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"no nonce", []string{"nonce", "-"}, "invalid_request"},
		{"no openid", []string{"scope", "profile"}, "invalid_scope"},
		{"without the grant", []string{"client_id", "spa"}, "unauthorized_client"},
		{"with a token", []string{"response_type", "id_token token"}, "unsupported_response_type"},
		{"nobody", []string{"prompt", "none"}, "login_required"},
	} {
		_, fields := f.browser().send(http.MethodGet, "/authorize?"+ask(tt.pairs...), "").posted(t)
		if fields.Get("error") != tt.want || fields.Has("id_token") {
			t.Errorf("%s: %v, want %s", tt.name, fields, tt.want)
		}
	}
	for _, mode := range []string{"-", "query", "fragment"} {
		a := f.ana().send(http.MethodGet, "/authorize?"+ask("response_mode", mode), "")
		if a.location().Get("error") != "invalid_request" || strings.Contains(a.Header.Get("Location"), "id_token=") {
			t.Errorf("response mode %s leads to %s, want invalid_request", mode, a.Header.Get("Location"))
		}
	}
	// A client that only takes ID tokens gets no code, and a third-party one asks first.
	if v := f.ana().send(http.MethodGet, "/authorize?"+query("client_id", "third"), "").location(); v.Get("error") != "unauthorized_client" {
		t.Errorf("code without the grant = %v", v)
	}
	b := f.ana()
	consent := b.send(http.MethodGet, "/authorize?"+ask("client_id", "third"), "")
	if _, fields := b.choose(consent, "allow").posted(t); claims(t, fields.Get("id_token"))["aud"] != "third" {
		t.Errorf("after consent = %v", fields)
	}
	// The application is notified of the sign-out.
	storetest.ChangeClient(t, f.store, "web", func(c *store.Client) { c.BackchannelURI = "https://web.test/bc" })
	recipients, err := f.store.Recipients(t.Context(), "ana", "")
	if err != nil || !slices.ContainsFunc(recipients, func(r store.Recipient) bool { return r.ClientID == "web" }) {
		t.Errorf("recipients of a sign-out: %v, %v, want web", recipients, err)
	}
}

// allow sets the grants of a client.
func (f *fixture) allow(client string, grants ...string) {
	f.t.Helper()
	storetest.ChangeClient(f.t, f.store, client, func(c *store.Client) { c.GrantTypes = grants })
}

// RFC 8707: all three endpoints accept resource in place of audience.
func TestResource(t *testing.T) {
	f := newFixture(t)
	robot := func(resource string) answer {
		t.Helper()
		body := `{"grant_type":"client_credentials","client_id":"robot","client_secret":"robot-secret","resource":` + resource + "}"
		return f.send(http.MethodPost, "/oauth/token", body, "Content-Type", "application/json")
	}
	audience := func(name string, a answer, want string) {
		t.Helper()
		if got := claims(t, a.text("access_token"))["aud"]; got != want {
			t.Errorf("%s: audience %v, want %s", name, got, want)
		}
	}
	audience("authorize", f.exchange(f.code("audience", "-", "resource", api)), api)
	audience("both", f.exchange(f.code("audience", "/api/v2/", "resource", api)), api)
	b := f.ana()
	pushed := f.exchange(b.send(http.MethodGet, "/authorize?"+f.pushed("audience", "-", "resource", other, "scope",
		"openid offline_access read:other"), "").location().Get("code"))
	audience("pushed", pushed, other)
	f.push([]string{"resource", other}).want(t, "pushed with another audience", http.StatusBadRequest, "invalid_target")
	audience("exchange", f.exchange(f.code(), "resource", api), api)
	f.exchange(f.code(), "resource", other).want(t, "exchange for another", http.StatusBadRequest, "invalid_target")
	audience("refresh", f.refresh(pushed.text("refresh_token"), "resource", other), other)
	machine := []string{"grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret"}
	with := func(pairs ...string) answer {
		t.Helper()
		f.wait(time.Second)
		return f.ask(slices.Concat(machine, pairs)...)
	}
	audience("client credentials", with("resource", api), api)
	for name, a := range map[string]answer{
		"not a URI":    with("resource", "/api/v2/"),
		"fragment":     with("resource", api+"#"),
		"not there":    with("resource", "https://nowhere.test/"),
		"two APIs":     with("resource", api, "audience", other),
		"JSON list":    robot(`["` + api + `","` + other + `"]`),
		"JSON numbers": robot(`[1]`),
		"two": f.send(http.MethodPost, "/oauth/token",
			url.Values{
				"grant_type": {"client_credentials"}, "client_id": {"robot"}, "client_secret": {"robot-secret"},
				"resource": {api, other},
			}.Encode(), "Content-Type", formType),
	} {
		a.want(t, name, http.StatusBadRequest, "invalid_target")
	}
	audience("JSON list of one", robot(`["`+api+`"]`), api)
}

// RFC 6750, section 2.2: the token may be in a form, but only in one place.
func TestUserInfoByForm(t *testing.T) {
	f := newFixture(t)
	token := f.exchange(f.code()).text("access_token")
	form := url.Values{"access_token": {token}}.Encode()
	for _, tt := range []struct {
		name, method, kind, body string
		header                   []string
		status                   int
	}{
		{"form", http.MethodPost, formType, form, nil, 200},
		{"GET", http.MethodGet, formType, form, nil, 401},
		{"another kind", http.MethodPost, "text/plain", form, nil, 401},
		{"repeated", http.MethodPost, formType, form + "&" + form, nil, 401},
		{"bad token", http.MethodPost, formType, "access_token=x", nil, 401},
		{"bad header", http.MethodPost, formType, form, []string{"Authorization", "Bearer x"}, 401},
		{"proof beside it", http.MethodPost, formType, form, []string{"DPoP", "x"}, 400},
	} {
		if a := f.send(tt.method, "/userinfo", tt.body, append(tt.header, "Content-Type", tt.kind)...); a.StatusCode != tt.status {
			t.Errorf("%s: %d %s, want %d", tt.name, a.StatusCode, a.body, tt.status)
		}
	}
}
