package clienttests

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// tab is a tab of a separate browser.
type tab struct {
	t   testing.TB
	ctx context.Context
}

// browse opens a tab of a browser that reaches only this machine.
func browse(t testing.TB) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox,
		chromedp.WindowSize(1440, 900), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"))...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return &tab{t, ctx}
}

func (b *tab) open(address string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(address)); err != nil {
		b.t.Fatal(err)
	}
}

// wait waits until an expression is true.
func (b *tab) wait(expression string) {
	b.t.Helper()
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); ; <-tick.C {
		// A page that is being left cannot be asked.
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if err == nil && ok {
			return
		}
		if time.Now().After(end) {
			at, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.href + ' ' + document.body.innerText.slice(0, 300)"))
			b.t.Fatalf("never so: %s (%v), at %s", expression, err, at)
		}
	}
}

// leave evaluates an expression that leads to another page.
func (b *tab) leave(expression string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("("+expression+", true)")); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
}

// run returns the result of a promise, or its failure as a text.
func (b *tab) run(promise string) string {
	b.t.Helper()
	expression := `(async () => String(await ` + promise + `))().catch((e) => "failed: " + e)`
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", promise, err)
	}
	return v
}

// page serves an application that consists of oidc-client-ts and a few functions, at its own origin.
func page(t testing.TB) (app *httptest.Server, configure func(settings map[string]any)) {
	t.Helper()
	const file = "node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js"
	library, err := os.ReadFile(filepath.Join(os.Getenv("FORMGRAPH_NODE_CLIENTS"), file))
	if err != nil {
		t.Fatal(err)
	}
	script := ""
	mux := http.NewServeMux()
	mux.HandleFunc("/oidc.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(library)
	})
	mux.HandleFunc("/app.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = fmt.Fprint(w, script)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<!doctype html><title>An application</title><script src="/oidc.js"></script><script src="/app.js"></script>`)
	})
	app = httptest.NewServer(mux)
	t.Cleanup(app.Close)
	return app, func(settings map[string]any) {
		b, err := json.Marshal(settings)
		if err != nil {
			t.Fatal(err)
		}
		script = "const settings = " + string(b) + ";\n" + applicationScript
	}
}

const applicationScript = `
const bound = settings.bound;
if (bound) settings.dpop = { bind_authorization_code: true, store: new oidc.IndexedDbDPoPStore() };
delete settings.bound;
const manager = new oidc.UserManager({
  ...settings, redirect_uri: location.origin + "/callback", automaticSilentRenew: false,
  userStore: new oidc.WebStorageStateStore({ store: sessionStorage }),
});
const proven = async (method, path, body, nonce) => {
  const user = await manager.getUser();
  const headers = { Authorization: user.token_type + " " + user.access_token };
  if (bound) headers.DPoP = await manager.dpopProof(settings.authority + path, user, method, nonce);
  if (body) headers["Content-Type"] = "application/json";
  return fetch(settings.authority + path, { method, headers, body });
};
const call = async (method, path, body) => {
  let res = await proven(method, path, body);
  const nonce = res.headers.get("DPoP-Nonce");
  if (res.status === 401 && nonce) res = await proven(method, path, body, nonce);
  const why = res.headers.get("WWW-Authenticate");
  return res.status + (why ? " " + why : "") + " " + await res.text();
};
const renewed = async () => {
  const before = await manager.getUser();
  const after = await manager.signinSilent();
  return after.access_token !== before.access_token && after.refresh_token !== before.refresh_token && after.token_type;
};
`

// oidc-client-ts: an application in the browser, at an origin other than the tenant's, without a secret. It signs in, refreshes, reads the
// person's name and manages the person's account. A page of a third origin reads nothing, even with the token.
func TestOIDCClientTS(t *testing.T) {
	s := start(t)
	for _, bound := range []bool{false, true} {
		t.Run(map[bool]string{false: "bearer", true: "DPoP"}[bound], func(t *testing.T) {
			app, configure := page(t)
			other, configureOther := page(t)
			id, _ := s.application(t, fmt.Sprintf(`"name":"In the browser","app_type":"spa","callbacks":["%[1]s/callback"],
				"allowed_origins":["%[1]s"],"require_proof_of_possession":%[2]t`, app.URL, bound))
			scopes := []string{"read:me:factors", "create:me:authentication_methods", "read:me:authentication_methods", "delete:me:sessions"}
			s.manage(t, http.MethodPost, "/client-grants", fmt.Sprintf(`{"client_id":"%s","audience":"%s/me/","subject_type":"user",
				"scope":["%s"]}`, id, s.Tenant, strings.Join(scopes, `","`)))
			settings := map[string]any{
				"authority": s.Tenant, "client_id": id, "resource": s.Tenant + "/me/", "bound": bound,
				"scope": "openid profile email offline_access " + strings.Join(scopes, " "),
			}
			configure(settings)
			configureOther(settings)
			b := browse(t)
			b.open(app.URL)
			b.leave("manager.signinRedirect()")
			b.wait(`document.querySelector("input[name=password]")`)
			email, _ := json.Marshal(s.Admin.Email)
			password, _ := json.Marshal(s.Admin.Password)
			b.leave(fmt.Sprintf(`document.querySelector("input[name=email]").value = %s,
				document.querySelector("input[name=password]").value = %s,
				document.querySelector("form button[type=submit]").click()`, email, password))
			b.wait(`location.pathname === "/callback" && window.oidc`)
			if got := b.run("manager.signinRedirectCallback().then((user) => user.profile.email)"); got != s.Admin.Email {
				t.Fatalf("signed in as %q", got)
			}
			kind := map[bool]string{false: "Bearer", true: "DPoP"}[bound]
			if got := b.run("renewed()"); got != kind {
				t.Errorf("refreshed: %s, want new %s tokens", got, kind)
			}
			for _, tt := range []struct{ call, want string }{
				{`call("GET", "/userinfo")`, `^200 .*"email":"` + s.Admin.Email},
				{`call("GET", "/me/v1/factors")`, `^200 .*"totp"`},
				{`call("POST", "/me/v1/authentication-methods", '{"type":"totp"}')`, `^202 .*auth_session`},
				{`call("GET", "/me/v1/authentication-methods")`, `^200 .*"password`},
				{`call("GET", "/me/v1/sessions")`, `^403 .*insufficient_scope`},
			} {
				if got := b.run(tt.call); !matches(t, tt.want, got) {
					t.Errorf("%s = %s, want %s", tt.call, got, tt.want)
				}
			}
			token := b.run("manager.getUser().then((user) => JSON.stringify(user))")
			b.open(other.URL)
			b.run("manager.storeUser(new oidc.User(" + token + "))")
			for _, request := range []string{
				`call("GET", "/me/v1/factors")`, `call("GET", "/userinfo")`, "manager.signinSilent()",
				`fetch(settings.authority + "/oauth/token", { method: "POST", body: new URLSearchParams({ client_id: settings.client_id }) })`,
				`fetch(settings.authority + "/api/v2/forms", { headers: { Authorization: "Bearer x" } })`,
				`fetch(settings.authority + "/me/v1/factors", { credentials: "include" })`,
			} {
				if got := b.run(request); !matches(t, "^failed: .*TypeError: Failed to fetch", got) && !matches(t, "^failed: .*Network", got) {
					t.Errorf("a page of a third origin: %s = %s, want that it fails", request, got)
				}
			}
			if got := b.run(`manager.metadataService.getTokenEndpoint()`); got != s.Tenant+"/oauth/token" {
				t.Errorf("discovery = %s", got)
			}
			// The person signs out everywhere: the application can read that it no longer has access.
			b.open(app.URL)
			if got := b.run(`call("DELETE", "/me/v1/sessions")`); !matches(t, "^204", got) {
				t.Errorf("sign out everywhere = %s", got)
			}
			if got := b.run(`call("GET", "/userinfo")`); !matches(t, `^401 .*invalid_token`, got) {
				t.Errorf("user info afterwards = %s, want 401 that says why", got)
			}
		})
	}
}
