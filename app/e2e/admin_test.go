//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/model/waittest"
)

// admin opens a place in the administration, and signs in first if necessary.
func (p *page) admin(s *server, place string) {
	p.t.Helper()
	const ready = `document.querySelector("#list-title")`
	if !p.signedIn {
		p.arrive(s, "/admin", ready, s.First.Admin.Email, s.First.Admin.Password)
	}
	p.arrive(s, "/admin"+place, ready, s.First.Admin.Email, s.First.Admin.Password)
}

// enter types into a control of a form.
func (p *page) enter(path, text string) {
	p.t.Helper()
	p.fill(path, text)
	p.wait(sel(`[data-path=`+js(path)+`]`) + `.value === ` + js(text))
}

// tick presses an option of a field.
func (p *page) tick(path, key string) {
	p.t.Helper()
	box := `input[data-path=` + js(path) + `][data-key=` + js(key) + `]`
	p.wait(sel(box))
	was := eval[bool](p, sel(box)+".checked")
	p.click(box)
	p.wait(fmt.Sprintf("%s.checked !== %v", sel(box), was))
}

// store presses the button that saves a form, once the page has noticed the changes.
func (p *page) store(button string) {
	p.t.Helper()
	p.wait(`document.querySelector(".entry [data-act=save]")?.getAttribute("aria-disabled") !== "true"`)
	p.press("button", button)
}

// said waits until the page shows a message.
func (p *page) said(text string) {
	p.t.Helper()
	p.wait(sel(".toasts") + `.textContent.includes(` + js(text) + `)`)
}

// grant asks the token endpoint for a token by client credentials and returns its answer.
func (s *server) grant(id, secret, audience string, want int) map[string]any {
	s.t.Helper()
	return s.post(s.Ready.Tenant+"/oauth/token", "application/x-www-form-urlencoded", "", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {id}, "client_secret": {secret}, "audience": {audience},
	}.Encode(), want)
}

// api sends a request to the management API.
func (s *server) api(method, path string, body any, want int) map[string]any {
	s.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.send(method, s.Ready.Tenant+"/api/v2"+path, "application/json", s.token(), string(b), want)
}

// fill creates an API, an application and people, so that every list has entries.
func (s *server) furnish(people int) {
	s.t.Helper()
	s.api("POST", "/resource-servers", map[string]any{"identifier": "https://orders.example.com", "name": "Orders", "scopes": []any{
		map[string]any{"value": "read:orders", "description": "See orders"}, map[string]any{"value": "write:orders", "description": "Change orders"},
	}}, http.StatusCreated)
	s.api("POST", "/clients", map[string]any{"name": "Shop", "app_type": "spa", "callbacks": []any{"https://shop.example.com/callback"}}, http.StatusCreated)
	for i := range people {
		s.api("POST", "/users", map[string]any{"email": fmt.Sprintf("person%03d@example.com", i), "name": fmt.Sprintf("Person %03d", i)}, http.StatusCreated)
	}
}

// places are the examined places of the administration, with a text or element that shows that each is loaded.
var places = []struct{ name, place, ready string }{
	{"apis", "#apis", `document.querySelector("[data-row=me]")`},
	{"api", "#apis/me", `document.querySelector(".entry dt, .entry label")`},
	{"api-management", "#apis/management", `document.querySelector(".entry .locked")`},
	{"clients", "#clients", `document.querySelector("[data-row=formgraph-editor]")`},
	{"client", "#clients/formgraph-editor", `document.querySelector(".entry .locked")`},
	{"client-new", "#clients/new", `document.querySelector("[data-path=app_type]")`},
	{"grants", "#grants", `document.querySelector(".admin-table")`},
	{"grant-new", "#grants/new", `document.querySelector("input[data-path=audience]")`},
	{"people", "#people", `document.querySelector(".admin-table")`},
	{"person-new", "#people/new", `document.querySelector("[data-path=email]") && document.querySelector("[data-path=roles]")`},
	{"roles", "#roles", `document.querySelector(".admin-table")`},
	{"role-new", "#roles/new", `document.querySelector("[data-path=permissions]")`},
	{"log", "#log", `document.querySelector(".admin-table")`},
}

// Every section and form, in both themes and at 320 px, which is 400 % of 1280: no violations of the axe-core rules, no
// overflow, and no console messages. FORMGRAPH_SHOTS saves screenshots.
func TestAdminScreens(t *testing.T) {
	nightly(t) // only here: axe and narrow windows of /admin; a change in console.css or in what app/ui/admin draws needs it
	t.Parallel()
	script := axeScript(t)
	s := start(t, filepath.Join(t.TempDir(), "data"))
	s.furnish(3)
	p := browse(t)
	p.open(s.Ready.Editor + "/admin")
	p.wait(find("button", "Sign in"))
	p.judge(script, "signed-out")
	p.admin(s, "#people")
	p.wait(`document.querySelectorAll("[data-row]").length === 4`)
	first := eval[string](p, `document.querySelector("[data-row]:not([aria-current])").dataset.row`)
	for _, x := range append(places, struct{ name, place, ready string }{"person", "#people/" + first, `document.querySelector(".acts")`}) {
		for _, width := range []int64{1440, 320} {
			p.do(chromedp.EmulateViewport(width, map[int64]int64{1440: 900, 320: 640}[width]))
			p.wait(fmt.Sprintf("innerWidth === %d", width))
			eval[any](p, `location.hash = `+js(x.place)+`; 0`)
			p.wait(x.ready)
			p.judge(script, fmt.Sprintf("admin-%s-%d", x.name, width))
			if beside := eval[bool](p, `getComputedStyle(document.querySelector(".admin-body")).display === "grid" && document.querySelector(".sections").getBoundingClientRect().right < innerWidth / 2`); width == 1440 && !beside {
				t.Errorf("%s: the sections are not beside the list", x.name)
			}
			if width == 320 && !eval[bool](p, sectionInView) {
				t.Errorf("%s: the open section is not in view in the row of the sections", x.name)
			}
			if bad := eval[string](p, narrowHead); width == 320 && bad != "" {
				t.Errorf("%s: %s", x.name, bad)
			}
		}
	}
	// The row is scrolled, and the page stays where it is.
	const below = `document.querySelector(".admin").scrollTop`
	at := eval[int](p, `(() => { `+below+` = 300; document.querySelector(".sections ul").scrollLeft = 0; return `+below+`; })()`)
	eval[any](p, `dispatchEvent(new Event("resize")); 0`)
	p.wait(sectionInView)
	if now := eval[int](p, below); at == 0 || now != at {
		t.Errorf("the page was scrolled from %d to %d", at, now)
	}
	for _, line := range p.console {
		t.Errorf("console: %s", line)
	}
}

// narrowHead says what of the bar is not in one row, or which search has no room for its placeholder or for its button.
const narrowHead = `(() => {
	const seen = [...document.querySelectorAll(".bar a, .bar button")].filter(e => e.getClientRects().length), middle = e => { const r = e.getBoundingClientRect(); return (r.top + r.bottom) / 2; };
	const off = seen.filter(e => Math.abs(middle(e) - middle(seen[0])) > 2 || e.getBoundingClientRect().right > innerWidth).map(e => e.title || e.textContent);
	const home = document.querySelector(".bar .home");
	if (off.length || seen.length < 3 || home.offsetWidth < 24 || !home.innerText.includes("Formgraph")) return "the bar has " + seen.length + " controls, off its row are: " + off;
	const search = document.querySelector(".list-head input[type=search]");
	if (!search?.offsetWidth) return "";
	const pen = document.createElement("canvas").getContext("2d");
	pen.font = getComputedStyle(search).font;
	if (pen.measureText(search.placeholder).width > search.clientWidth) return search.placeholder + " is cut";
	return Math.abs(middle(search) - middle(document.querySelector("[data-act=reload]"))) > 2 ? "the search and its button are not in one row" : "";
})()`

// sectionInView is true if the link to the open section is in the visible part of its row, whose end is faded.
const sectionInView = `(() => {
	const r = document.querySelector(".nav-item[aria-current]").getBoundingClientRect(), row = document.querySelector(".sections ul").getBoundingClientRect();
	return r.left >= row.left && r.right <= row.right - 24;
})()`

// once returns the value that the open dialog shows once, and closes the dialog.
func (p *page) once() string {
	p.t.Helper()
	p.wait(`document.querySelector("dialog[open] #once")?.value`)
	v := eval[string](p, `document.querySelector("#once").value`)
	p.key("\x1b")
	if !eval[bool](p, `!!document.querySelector("dialog[open] #once")`) {
		p.t.Error("the Escape key dismisses the value that is shown once")
	}
	p.press("button", "I have saved it")
	p.wait(`!document.querySelector("dialog")`)
	return v
}

// confirm presses the button of the open question, which must name the thing it concerns.
func (p *page) confirm(about, button string) {
	p.t.Helper()
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes(` + js(about) + `)`)
	p.clickOn(`[...document.querySelectorAll("dialog button")].find(e => e.textContent === ` + js(button) + `)`)
}

// An application is created, gets a grant, and uses its secret. The policy of the API takes effect; a new secret invalidates
// the old one; and the application can be deleted.
func TestAdminApplication(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	s.furnish(0)
	p := browse(t)
	p.admin(s, "#clients")
	p.press("button", "New application")
	p.wait(`document.activeElement.id === "entry-title"`)
	p.enter("name", "Reporter")
	p.tick("app_type", "non_interactive")
	p.store("Create")
	secret := p.once()
	p.wait(`location.hash.startsWith("#clients/client_")`)
	id := strings.TrimPrefix(eval[string](p, "location.hash"), "#clients/")
	s.grant(id, secret, "https://orders.example.com", http.StatusForbidden)
	p.do(chromedp.Reload())
	p.wait(sel("#entry-title") + `?.textContent === "Reporter"`)
	if eval[bool](p, `document.documentElement.outerHTML.includes(`+js(secret)+`)`) {
		t.Error("the secret is shown again")
	}

	p.press("link", "Grants")
	p.press("button", "New grant")
	p.tick("client_id", id)
	p.tick("audience", "https://orders.example.com")
	p.tick("scope", "read:orders")
	p.store("Create")
	p.said("Reporter → Orders")
	p.wait(`location.hash.startsWith("#grants/")  && location.hash !== "#grants/new"`)
	if got := s.grant(id, secret, "https://orders.example.com", http.StatusOK)["scope"]; got != "read:orders" {
		t.Errorf("with the grant the scope is %v", got)
	}

	policy := "subject_type_authorization.client.policy"
	p.press("link", "APIs")
	p.press("link", "Orders")
	for _, x := range []struct {
		policy string
		status int
	}{{"deny_all", http.StatusForbidden}, {"allow_all", http.StatusOK}} {
		p.tick(policy, x.policy)
		p.store("Save")
		p.wait(`document.querySelector(".save-note").textContent === "" && document.querySelector("[data-act=save]").getAttribute("aria-disabled") === "true"`)
		got := s.grant(id, secret, "https://orders.example.com", x.status)
		if x.status == http.StatusOK && got["scope"] != "read:orders write:orders" {
			t.Errorf("%s: the scope is %v", x.policy, got["scope"])
		}
	}

	p.admin(s, "#clients/"+id)
	p.press("button", "Create a new secret")
	p.confirm("“Reporter”", "Cancel")
	p.wait(`!document.querySelector("dialog") && document.activeElement.dataset.arg === "rotate"`)
	p.press("button", "Create a new secret")
	p.confirm("“Reporter”", "Create a new secret")
	next := p.once()
	if next == secret {
		t.Error("the new secret is the old one")
	}
	s.grant(id, secret, "https://orders.example.com", http.StatusUnauthorized)
	s.grant(id, next, "https://orders.example.com", http.StatusOK)

	// The tenant's own entries cannot be changed.
	p.press("link", "Formgraph editor")
	p.wait(sel(".entry .locked") + `?.textContent.includes("editor's own")`)
	if eval[bool](p, `!!document.querySelector(".entry :is(input, textarea, select, [data-act=do])")`) {
		t.Error("the editor's own application can be changed")
	}

	p.press("link", "Reporter")
	p.press("button", "Delete application")
	p.confirm("“Reporter”", "Delete application")
	p.wait(`location.hash === "#clients" && !document.querySelector('[data-row="` + id + `"]')`)
	s.grant(id, next, "https://orders.example.com", http.StatusUnauthorized)
	// The browser's back button returns to the application's address, and the page reports that it no longer exists.
	eval[any](p, `history.back(); 0`)
	p.wait(sel(".entry") + `?.textContent.includes("Not found")`)
}

// The account API's banner activates it again.
func TestAdminActivation(t *testing.T) {
	nightly(t) // app/ui/admin tests it (TestActivationBanner, TestActionsAgainstTheTenant)
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	p.admin(s, "#apis/me")
	p.click(`[data-path="active"]`)
	p.store("Save")
	p.said("was saved")
	p.wait(sel(".rows .banner") + `?.textContent.includes("account API is inactive")`)
	if me := s.api("GET", "/resource-servers/me", nil, http.StatusOK); me["active"] != false {
		t.Errorf("after saving the API is %v", me)
	}
	p.press("button", "Activate")
	p.wait(`!document.querySelector(".rows .banner")`)
	if me := s.api("GET", "/resource-servers/me", nil, http.StatusOK); me["active"] != true {
		t.Errorf("after activation the API is %v", me)
	}
}

// A person is invited, chooses a password through the link, gets the permissions of a role, is blocked and refused, and the
// log records all of it.
func TestAdminPeople(t *testing.T) {
	nightly(t) // app/ui/admin tests each act against the tenant (TestActionsAgainstTheTenant); TestTenantPages lets an invited person sign in
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	p.admin(s, "#people")
	p.press("button", "Invite a person")
	p.enter("email", "ana@example.com")
	p.enter("name", "Ana")
	p.clickOn(`document.querySelector("[data-act=save]")`)
	link := p.once()
	p.wait(`location.hash.startsWith("#people/user_")`)
	person := strings.TrimPrefix(eval[string](p, "location.hash"), "#people/")
	if !strings.HasPrefix(link, s.Ready.Tenant+"/") {
		t.Fatalf("the link is %q", link)
	}
	p.wait(`document.querySelector('input[data-path=roles][data-key=rol_account]')?.checked`) // the tenant's default

	q := browse(t)
	q.open(link)
	for _, field := range []string{"#password", "#again"} {
		q.click(field)
		q.key("long enough 1")
	}
	q.press("button", "Set password")
	q.wait(`!document.querySelector("input[type=password]")`)
	if eval[bool](q, `document.body.textContent.includes("signed out")`) {
		t.Error("a new person receives a sign-out message")
	}
	signIn := func(q *page, password string) {
		t.Helper()
		q.open(s.Ready.Editor + "/admin")
		q.press("button", "Sign in")
		q.wait(`document.querySelector("input[type=password]")`)
		q.click(`input[type=email]`)
		q.key("ana@example.com")
		q.click(`input[type=password]`)
		q.key(password + "\r")
	}
	signIn(q, "long enough 1")
	q.wait(`document.body.textContent.includes("This page is for administrators")`)
	if eval[bool](q, `!!document.querySelector(".sections")`) {
		t.Error("a person who is no administrator sees sections")
	}

	// A role with one permission, given to the person, gives access to the log and nothing else.
	p.press("link", "Roles")
	p.press("button", "New role")
	p.enter("name", "Auditor")
	p.click(`[data-filter="permissions"]`)
	p.key("read:logs")
	p.wait(`document.querySelectorAll("input[data-path=permissions]").length === 1`)
	p.click(`input[data-path=permissions]`)
	p.tick("users", person)
	p.store("Create")
	p.said("“Auditor” was created")
	r := browse(t)
	signIn(r, "long enough 1")
	r.wait(`document.querySelector("#list-title")?.textContent === "Sign-in log"`)
	if n := eval[int](r, `document.querySelectorAll(".nav-item").length`); n != 1 {
		t.Errorf("an auditor sees %d sections", n)
	}

	// Administrators cannot block themselves: the button is disabled and gives the reason.
	p.press("link", "People")
	p.clickOn(`[...document.querySelectorAll("main a")].find(e => e.textContent.trim() === "Administrator")`)
	p.wait(sel(".acts") + `?.textContent.includes("This is you")`)
	if !eval[bool](p, `[...document.querySelectorAll(".acts button")].filter(e => /Block|Delete/.test(e.textContent)).every(e => e.disabled)`) {
		t.Error("administrators can block or delete themselves")
	}
	p.press("link", "Ana")
	p.wait(sel(`[data-path=email]`) + `?.value === "ana@example.com"`)
	// What is loaded after the person moves the actions.
	const loaded = `(text => text.includes("There are none.") && !text.includes("Loading…"))(document.querySelector("main").textContent)`
	p.wait(loaded)
	p.press("button", "Block")
	p.confirm("“Ana”", "Block")
	p.wait(find("button", "Unblock"))
	wrong := browse(t)
	signIn(wrong, "long enough 1")
	wrong.wait(`document.querySelector("[role=alert], .error, .failed")`)
	if eval[bool](wrong, `location.pathname === "/admin"`) {
		t.Error("a blocked person signs in")
	}
	p.press("button", "Unblock")
	p.wait(find("button", "Block"))

	// The role's people are listed in its form too, and can be removed.
	role := eval[string](p, `[...document.querySelectorAll("input[data-path=roles]")].find(e => e.checked && e.parentElement.textContent.includes("Auditor")).dataset.key`)
	p.tick("roles", role)
	p.store("Save")
	p.said("was saved")
	if users := s.send(http.MethodGet, s.Ready.Tenant+"/api/v2/roles/"+role+"/users?include_totals=true", "", s.token(), "", http.StatusOK); users["total"] != 0.0 {
		t.Errorf("the role still has %v", users)
	}

	p.press("link", "Sign-in log")
	p.wait(`document.querySelector(".admin-table")?.textContent.includes("ana@example.com")`)
	p.wait(sel("#log-type"))
	eval[any](p, `(e => { e.value = "fp"; e.dispatchEvent(new Event("input", {bubbles: true})); return 0; })(document.querySelector("#log-type"))`)
	p.wait(`[...document.querySelectorAll(".admin-table tbody tr")].every(e => e.textContent.includes("Wrong password")) || document.querySelector(".notice")`)

	p.admin(s, "#people/"+person)
	p.wait(loaded)
	p.press("button", "Delete person")
	p.confirm("“Ana”", "Delete person")
	p.wait(`location.hash === "#people" && !document.querySelector('[data-row="` + person + `"]')`)
}

// Input survives a visit to another section, a refusal, an unreachable server and an ended session.
func TestAdminKeepsWork(t *testing.T) {
	nightly(t) // app/ui/admin tests it (TestUnsavedInputIsKept, TestProblemIsShownAtItsRow); only here: the focus goes to the problem
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	s.furnish(0)
	p := browse(t)
	p.admin(s, "#clients")
	p.press("link", "Shop")
	p.wait(sel(`[data-path="callbacks[0]"]`))
	for row := range 2 {
		p.press("button", "Add – Callback addresses")
		p.wait(fmt.Sprintf(`document.activeElement.dataset.path === "callbacks[%d]"`, row+1))
	}
	p.enter("callbacks[2]", "nowhere")
	p.store("Save")
	// Row 1 is blank and was not sent; the problem of the second sent row appears at the third shown row.
	p.wait(sel(`[data-path="callbacks[2]"]`) + `.getAttribute("aria-invalid") === "true"`)
	if text := eval[string](p, `document.getElementById(`+sel(`[data-path="callbacks[2]"]`)+`.getAttribute("aria-describedby").split(" ").pop()).textContent`); !strings.Contains(text, "must be an absolute address") && !strings.Contains(text, "Must be an absolute address") {
		t.Errorf("the problem reads %q", text)
	}
	if !eval[bool](p, `document.activeElement.dataset.path === "callbacks[2]"`) {
		t.Error("the focus is not at the problem")
	}
	p.press("link", "APIs")
	p.wait(sel("[data-row=me]"))
	p.wait(`document.querySelector('.nav-item[href$="#clients"] .unsaved-dot')`)
	eval[any](p, `history.back(); 0`)
	p.wait(sel(`[data-path="callbacks[2]"]`) + `?.value === "nowhere"`)
	p.enter("callbacks[2]", "https://shop.example.com/other")

	eval[any](p, `window.realFetch = fetch; window.fetch = () => Promise.reject(new Error("x")); 0`)
	p.store("Save")
	p.wait(sel(".save-bar .failed") + `?.textContent.includes("cannot be reached")`)
	eval[any](p, `window.fetch = window.realFetch; 0`)
	cookies := p.cookies()
	for _, name := range cookies {
		p.deleteCookie(name, s.Ready.Editor)
	}
	p.store("Save")
	p.wait(sel(".banner[role=alert]") + `?.textContent.includes("session has ended")`)
	if v := eval[string](p, sel(`[data-path="callbacks[2]"]`)+`.value`); v != "https://shop.example.com/other" {
		t.Errorf("after the session ended the address is %q", v)
	}
	p.shoot("admin-session-ended")

	p.press("button", "Discard")
	p.confirm("“Shop”", "Cancel")
	p.wait(`!document.querySelector("dialog")`)
	p.press("button", "Discard")
	p.confirm("“Shop”", "Discard changes")
	p.wait(`!document.querySelector('[data-path="callbacks[1]"]') && document.querySelector('[data-path="callbacks[0]"]')`)
}

// invite creates a person, as soon as the tenant's rate limit allows.
func (s *server) invite(token string, i int) {
	s.t.Helper()
	body := fmt.Sprintf(`{"email":"person%03d@example.com","name":"Person %03d"}`, i, i)
	waittest.Until(s.t, "a person is invited", func() bool {
		req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.Ready.Tenant+"/api/v2/users", strings.NewReader(body))
		if err != nil {
			s.t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			s.t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusCreated && res.StatusCode != http.StatusTooManyRequests {
			s.t.Fatalf("person %d: %d", i, res.StatusCode)
		}
		return res.StatusCode == http.StatusCreated
	})
}

// Long lists stay fast: of 500 people the server sends 50, finds others as the name is typed, and sends more on request. All
// of it works by keyboard.
func TestAdminMany(t *testing.T) {
	nightly(t) // app/ui/admin tests parts and searches of a list; only here: its keys and the time that 500 people take
	s := start(t, filepath.Join(t.TempDir(), "data"))
	token := s.token()
	for i := range 500 {
		s.invite(token, i)
	}
	p := browseIn(t, t.TempDir())
	p.admin(s, "#people")
	p.wait(`document.querySelector(".count")?.textContent === "501" && document.querySelectorAll("[data-row]").length === 50`)
	if said := eval[string](p, sel(".rows [role=status]")+".textContent"); said != "50 of 501 shown" {
		t.Errorf("the page says %q", said)
	}
	eval[any](p, sel("[data-act=more]")+`.focus(); 0`)
	p.key("\r")
	p.wait(`document.querySelectorAll("[data-row]").length === 100 && document.activeElement === document.querySelectorAll("[data-row]")[50]`)
	p.wait(sel(".rows [role=status]") + `.textContent === "100 of 501 shown"`)
	p.key("/")
	p.wait(`document.activeElement.id === "list-search"`)
	p.key("person49")
	p.wait(`document.querySelectorAll("[data-row]").length === 10`)
	took := evalAsync[float64](p, `(async () => {
	  const e = document.querySelector("#list-search"), from = performance.now();
	  e.value = "person"; e.dispatchEvent(new Event("input", {bubbles: true}));
	  while (document.querySelectorAll("[data-row]").length !== 50) await new Promise(requestAnimationFrame);
	  return performance.now() - from;
	})()`)
	t.Logf("from 10 rows to 50 in %.0f ms", took)
	if took > 1000 {
		t.Errorf("a search of 500 people takes %.0f ms", took)
	}
	// By keyboard: from the search to a row, down, into the entry, and back to the row.
	eval[any](p, `document.querySelector("[data-row]").focus(); 0`)
	p.key(kb.ArrowDown)
	p.wait(`document.activeElement === document.querySelectorAll("[data-row]")[1]`)
	p.key("\r")
	p.wait(`document.activeElement.id === "entry-title"`)
	row := strings.TrimPrefix(eval[string](p, "location.hash"), "#people/")
	p.key("\x1b")
	p.wait(`location.hash === "#people" && document.activeElement.dataset.row === ` + js(row))
}
