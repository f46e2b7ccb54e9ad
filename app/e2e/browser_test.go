//go:build e2e && !js

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	pagecdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/model/waittest"
)

// page is a tab in a browser with its own storage.
type page struct {
	t   testing.TB
	ctx context.Context

	signedIn bool // set by arrive

	mu       sync.Mutex
	console  []string // console errors and warnings of the page
	requests []request
}

// request is a request sent by the page, with its body.
type request struct{ method, url, body string }

func TestMain(m *testing.M) {
	code := m.Run()
	endTogether()
	if common.close != nil {
		common.close()
	}
	os.Exit(code)
}

// plainCode makes V8 run WebAssembly as its baseline compiler leaves it (https://v8.dev/docs/wasm-compilation-pipeline). A test is over
// before its page profits from the optimizing compiler, which takes a sixth of the processor time of all tests.
var plainCode = chromedp.Flag("js-flags", "--liftoff-only")

// calm makes the browser ask for little motion: what moves is drawn sixty times a second, which takes a tenth of the processor time of all
// tests. It is for -short: make nightly sees the motion that most people see.
var calm = chromedp.Flag("force-prefers-reduced-motion", true)

// shell is Chromium's headless shell, a package of Debian. It shows the same pages in three quarters of the time. Only -short uses it: make
// nightly uses the browser that people use.
const shell = "chromium-headless-shell"

// browseIn starts a separate browser, which optimizes the program, with a profile that may have been used before.
func browseIn(tb testing.TB, profile string) *page {
	tb.Helper()
	ctx, cancel := launch(chromedp.UserDataDir(profile))
	tb.Cleanup(cancel)
	return newPage(ctx, tb)
}

// launch prepares a browser, which starts when the context is first used.
func launch(opts ...chromedp.ExecAllocatorOption) (ctx context.Context, end func()) {
	// A window's address bar would be two pages more, which take as long as ours.
	// In a process of its own, the frame of the preview would be another target, which the tests do not see.
	quiet := chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup,IsolateSandboxedIframes")
	opts = append(append(chromedp.DefaultExecAllocatorOptions[:], quiet, chromedp.NoSandbox, chromedp.WindowSize(1440, 900)), opts...)
	if path, err := exec.LookPath(shell); err == nil && testing.Short() {
		opts = append(opts, chromedp.ExecPath(path))
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	return ctx, func() {
		cancel()
		stop()
	}
}

// pageTime is how long a test may use a page.
func pageTime() time.Duration {
	limit := 10 * time.Minute
	if !testing.Short() { // browsers edit together
		const edit = 2 * time.Second
		limit += time.Duration(*browsersFlag**editsOfEach) * edit
	}
	return waittest.Limit(limit) + *awayTime
}

// newPage opens the page of a context.
func newPage(ctx context.Context, tb testing.TB) *page {
	tb.Helper()
	ctx, cancel := context.WithTimeout(ctx, pageTime())
	tb.Cleanup(cancel)
	p := &page{t: tb, ctx: ctx}
	// This opens the page. It behaves as focused, although other tests have pages too.
	p.do(call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	if err := chromedp.Listen(ctx, p.onEvent); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if tb.Failed() {
			p.shoot("failed-" + strings.ReplaceAll(tb.Name(), "/", "-"))
			tb.Logf("console:\n%s", strings.Join(p.console, "\n"))
		}
	})
	return p
}

func (p *page) onEvent(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		p.console = append(p.console, fmt.Sprintf("%+v", *ev.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeWarning {
			var args []string
			for _, a := range ev.Args {
				args = append(args, fmt.Sprint(a.Value)+a.Description)
			}
			p.console = append(p.console, strings.Join(args, " "))
		}
	case *network.EventRequestWillBeSent:
		r := request{method: ev.Request.Method, url: ev.Request.URL}
		for _, e := range ev.Request.PostDataEntries {
			r.body += string(e.Bytes)
		}
		p.requests = append(p.requests, r)
	}
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// before runs a script at the start of every document from now on, until after is called.
func (p *page) before(script string) (after func()) {
	p.t.Helper()
	added, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (pagecdp.ScriptIdentifier, error) {
		res, err := cdp.Call(ctx, t, pagecdp.AddScriptToEvaluateOnNewDocument, pagecdp.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return res.Identifier, err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return func() {
		p.t.Helper()
		p.do(call(pagecdp.RemoveScriptToEvaluateOnNewDocument, pagecdp.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: added}))
	}
}

// eval evaluates an expression in the page.
func eval[T any](p *page, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// evalAsync evaluates an expression whose value is a promise.
func evalAsync[T any](p *page, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits until an expression is true.
func (p *page) wait(expression string) {
	p.t.Helper()
	p.waitFor(30*time.Second, expression)
}

func (p *page) waitFor(limit time.Duration, expression string) {
	p.t.Helper()
	var err error
	until(limit, func() bool {
		// A page cannot be evaluated during a navigation.
		var ok bool
		ok, err = chromedp.Run(p.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		return err == nil && ok
	}, func() {
		at, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](`(text => [location.href, "focus: " + document.activeElement?.outerHTML.slice(0, 200),
			text.slice(0, 200), "…", text.slice(-800)].join("\n"))(document.body.innerText)`))
		p.t.Fatalf("still not so after %v: %s (%v), at %s", waittest.Limit(limit), expression, err, at)
	})
}

// until polls until a condition holds; if it does not hold within the limit, which is longer on a slow machine, until calls late.
func until(limit time.Duration, holds func() bool, late func()) {
	if !waittest.Within(limit, holds) {
		late()
	}
}

func (p *page) open(address string) {
	p.t.Helper()
	p.do(chromedp.Navigate(address))
}

func js(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// find returns a script that finds a control by role and accessible name.
func find(role, name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].find(e => e.offsetParent !== null && (e.getAttribute("aria-label") || e.textContent).trim().replace(/\s+/g, " ") === %s)`,
		js(map[string]string{"button": "button, [role=button]", "tab": "[role=tab]", "menuitem": "[role=menuitem]", "menuitemradio": "[role=menuitemradio]", "link": "a"}[role]), js(name))
}

// press clicks the control with a name, using the mouse.
func (p *page) press(role, name string) {
	p.t.Helper()
	p.wait(find(role, name))
	p.clickOn(find(role, name))
}

// click clicks the first element that matches a selector.
func (p *page) click(selector string) {
	p.t.Helper()
	p.wait("document.querySelector(" + js(selector) + ")")
	p.clickOn("document.querySelector(" + js(selector) + ")")
}

// clickInto clicks an input and waits until it has the focus: before, keys would be shortcuts.
func (p *page) clickInto(selector string) {
	p.t.Helper()
	p.click(selector)
	p.wait(sel(selector) + `.contains(document.activeElement)`)
}

// clickOn clicks the middle of an element. If the element moves before the press arrives, what is there instead does not notice the press, and
// clickOn tries again.
func (p *page) clickOn(expression string) {
	p.t.Helper()
	for range 5 {
		x, y := p.reach(expression, middleOf, aim)
		p.do(chromedp.MouseClickXY(x, y))
		if !p.missed() {
			return
		}
	}
	p.t.Fatalf("%s moves whenever it is pressed", expression)
}

// aim makes the page ignore a press that does not hit the element of reach, until missed is called.
const aim = `
	if (!("aim" in window))
		for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) addEventListener(type, (ev) => {
			if (window.aim && type === "pointerdown") window.aim.missed = !window.aim.fits(ev.target);
			if (!window.aim?.missed) return;
			ev.preventDefault();
			ev.stopImmediatePropagation();
		}, true);
	window.aim = {fits};`

// missed reports whether the press since aim hit something else.
func (p *page) missed() bool {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, waittest.Limit(2*time.Second)) // the press may have opened a dialog of the browser
	defer cancel()
	missed, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`(a => (window.aim = null, !!a?.missed))(window.aim)`))
	return err == nil && missed // a navigation begins only if it hit
}

// middle returns the middle of an element, in window coordinates.
func (p *page) middle(expression string) (x, y float64) {
	p.t.Helper()
	return p.spot(expression, middleOf)
}

// middleOf is the middle of a rectangle r.
const middleOf = `[r.x + r.width / 2, r.y + r.height / 2]`

// spot returns a position on an element, in window coordinates, given as an expression of its rectangle r. It waits while the element moves, for
// example when a row is inserted above it, the focus scrolls or the view glides, and while something covers it, such as a panel that closes.
func (p *page) spot(expression, at string) (x, y float64) {
	p.t.Helper()
	return p.reach(expression, at, "")
}

// reach is spot, and runs a script when the element can be reached: fits(target) reports whether a press hits
// the element.
func (p *page) reach(expression, at, then string) (x, y float64) {
	p.t.Helper()
	evalAsync[bool](p, settled) // a panel that has just opened or closed moves the view
	p.wait(`!document.querySelector(".cv-awaiting")`)
	found := evalAsync[reached](p, reachScript(expression, at, then))
	if found.By != "" {
		p.t.Fatalf("%s cannot be reached at %v: %s", expression, found.At, found.By)
	}
	return found.At[0], found.At[1]
}

// reached is where an element can be reached, or what is in the way.
type reached struct {
	At []float64
	By string
}

// reachScript is the script of reach.
func reachScript(expression, at, then string) string {
	return `(async () => {
		let was = null, by = "";
		for (const end = performance.now() + ` + fmt.Sprint(waittest.Limit(10*time.Second).Milliseconds()) + `; performance.now() < end;) {
			const e = ` + expression + `;
			e.scrollIntoView({block: "nearest"});
			const r = e.getBoundingClientRect(), now = ` + at + `;
			if (was && was[0] === now[0] && was[1] === now[1]) {
				const hit = document.elementFromPoint(...now);
				const owners = [e.closest("[data-node]") ?? e, ...e.labels ?? []]; // the canvas finds the parts of a node itself
				const fits = (target) => target === hit || owners.some(o => o.contains(target));
				if (hit?.contains(e) || owners.some(o => o.contains(hit))) {
					` + then + `
					return {At: now, By: ""};
				}
				by = hit?.outerHTML.slice(0, 200) ?? "nothing";
			}
			was = now;
			// What follows from a new layout, such as the place of the graph beside a panel, comes with the next frame.
			await Promise.race([new Promise(done => requestAnimationFrame(() => setTimeout(done))), new Promise(done => setTimeout(done, 200))]);
		}
		return {At: was, By: by || "it moves"};
	})()`
}

func sel(selector string) string { return "document.querySelector(" + js(selector) + ")" }

func node(id string) string { return `[data-node="` + id + `"]` }

// grip returns a position in a node's header at which it can be dragged.
func (p *page) grip(id string) (x, y float64) {
	p.t.Helper()
	evalAsync[bool](p, settled) // a panel that has just opened or closed moves the view
	p.wait(sel(node(id)) + ` && !document.querySelector(".cv-awaiting, .cv-moving")`)
	return p.spot(sel(node(id)), `[r.x + r.width / 2, r.y + 14 * Number(`+sel("[data-testid=canvas]")+`.dataset.zoom)]`)
}

// choose selects a node with a click.
func (p *page) choose(id string) {
	p.t.Helper()
	x, y := p.grip(id)
	p.do(chromedp.MouseClickXY(x, y))
	p.wait(sel(node(id)) + `.getAttribute("aria-selected") === "true"`)
}

// drag moves the pointer from one position to another with the left button pressed.
func (p *page) drag(x, y, toX, toY float64) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y), chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	const steps = 8
	for i := 1; i <= steps; i++ {
		f := float64(i) / steps
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x+(toX-x)*f, y+(toY-y)*f, chromedp.ButtonLeft))
	}
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, toX, toY, chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

// fill replaces the text of an inspector input at once, which is one step to undo: keys that a slow machine brings late would be several. If
// the input is in a folded section, fill opens that first.
func (p *page) fill(path, text string) {
	p.t.Helper()
	s := `[data-path=` + js(path) + `]`
	p.wait(sel(s))
	if eval[bool](p, sel(s)+`.closest(".rows[hidden]") !== null`) {
		p.clickOn(sel(s) + `.closest("section").querySelector(".fold")`)
		p.wait(sel(s) + `.closest(".rows[hidden]") === null`)
	}
	p.clickInto(s)
	p.key("a", chromedp.ModifierCtrl)
	p.insert(text)
}

// key presses keys in the way of a keyboard: the character arrives with the press. KeyEvent
// would send two protocol events, and a dialog opened by the press could appear before the
// character.
func (p *page) key(keys string, mods ...chromedp.Modifier) {
	p.t.Helper()
	for _, r := range keys {
		events := kb.Encode(r)
		press, release := events[0], events[len(events)-1]
		for _, m := range mods {
			press.Modifiers |= int64(m)
			release.Modifiers |= int64(m)
		}
		if len(events) == 3 && press.Modifiers&^int64(chromedp.ModifierShift) == 0 {
			press.Text, press.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		p.do(call(input.DispatchKeyEvent, *press), call(input.DispatchKeyEvent, *release))
	}
}

// insert inserts a text at the caret at once, like an input method.
func (p *page) insert(text string) {
	p.t.Helper()
	p.do(call(input.InsertText, input.InsertTextParams{Text: text}))
}

// signIn completes the sign-in page to which the editor redirects.
func (p *page) signIn(s *server) {
	p.t.Helper()
	p.signInAs(s.First.Admin.Email, s.First.Admin.Password)
}

// signOut signs out with the account menu.
func (p *page) signOut() {
	p.t.Helper()
	p.press("button", "Account")
	p.press("menuitem", "Sign out")
}

// editor opens a form and shows all of it.
func (p *page) editor(s *server, id string) {
	p.t.Helper()
	p.asItOpens(s, id)
	p.fitView()
}

// fitView shows all of the form, if there is room for the button.
func (p *page) fitView() {
	p.t.Helper()
	if eval[bool](p, "!!"+find("button", "Fit view")) {
		p.press("button", "Fit view")
		p.still()
	}
}

// asItOpens opens a form with its initial view, and signs in first if necessary.
func (p *page) asItOpens(s *server, id string) {
	p.t.Helper()
	p.arrive(s, "/forms/"+id, `document.querySelector("[data-testid=canvas][data-ready=true]")`, s.First.Admin.Email, s.First.Admin.Password)
}

// arrive opens a page of the editor, and signs in first if necessary: without the sign-in page if a password is all that the sign-in asks for.
func (p *page) arrive(s *server, path, ready, email, password string) {
	p.t.Helper()
	if !p.signedIn {
		if cookies := s.signedIn(email, password); cookies != nil {
			p.setCookies(cookies)
		} else {
			path = "/bff/login?return_to=" + url.QueryEscape(path)
		}
	}
	p.signedIn = true
	p.open(s.Ready.Editor + path)
	form := `document.querySelector("input[type=password]")`
	p.wait(`!document.getElementById("app-wasm-loader") && (` + ready + ` || ` + form + ` || ` + find("button", "Sign in") + `)`)
	if eval[bool](p, "!!"+find("button", "Sign in")) {
		p.press("button", "Sign in")
		p.wait(form + ` || ` + ready)
	}
	if eval[bool](p, "!!"+form) {
		p.signInAs(email, password)
	}
	p.wait(ready)
}

// state returns the save state.
func (p *page) saveState(want string) {
	p.t.Helper()
	p.wait(`document.querySelector("[data-save-state]")?.dataset.saveState === ` + js(want))
}

// patches returns the bodies of the PATCH requests that the page sent.
func (p *page) patches() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, r := range p.requests {
		if r.method == "PATCH" {
			out = append(out, r.body)
		}
	}
	return out
}

// cookies returns the names of the cookies for the page's address.
func (p *page) cookies() []string {
	p.t.Helper()
	names, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) ([]string, error) {
		res, err := cdp.Call(ctx, t, network.GetCookies, network.GetCookiesParams{})
		if err != nil {
			return nil, err
		}
		var names []string
		for _, c := range res.Cookies {
			names = append(names, c.Name)
		}
		return names, nil
	})
	if err != nil || len(names) == 0 {
		p.t.Fatalf("no cookies: %v", err)
	}
	return names
}

func (p *page) deleteCookie(name, address string) {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.DeleteCookies, network.DeleteCookiesParams{Name: name, URL: address})
		return err
	}))
}

// shotsFolder is the environment variable that names the folder for screenshots. If it is not set, none are taken.
const shotsFolder = "FORMGRAPH_SHOTS"

// pictured returns the themes for a test whose checks do not depend on the theme: the dark theme is included only for screenshots.
func pictured() []string {
	if os.Getenv(shotsFolder) == "" {
		return []string{"light"}
	}
	return []string{"light", "dark"}
}

// shots saves a screenshot in each theme.
func (p *page) shots(name string) {
	p.t.Helper()
	if os.Getenv(shotsFolder) != "" {
		p.inThemes(func(theme string) { p.shoot(name + "-" + theme) })
	}
}

// inThemes runs a function in the light and the dark theme.
func (p *page) inThemes(do func(theme string)) {
	p.t.Helper()
	p.inEach([]string{"light", "dark"}, do)
}

func (p *page) inEach(themes []string, do func(theme string)) {
	p.t.Helper()
	for _, theme := range themes {
		p.scheme(theme)
		// Colors change gradually, starting with the next frame.
		evalAsync[bool](p, settled)
		p.wait(`document.getAnimations().every((a) => a.effect.getTiming().iterations === Infinity)`)
		do(theme)
	}
}

// shoot saves a screenshot in the folder FORMGRAPH_SHOTS.
func (p *page) shoot(name string) {
	dir := os.Getenv(shotsFolder)
	if dir == "" {
		return
	}
	b, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), b, 0o644)
	}
	if err != nil {
		p.t.Logf("no picture %s: %v", name, err)
	}
}

// placeOf returns an expression for the position of a card in the form, as text.
func placeOf(id string) string {
	return `(e => e.style.left + e.style.top + e.style.transform)(` + sel(node(id)) + `)`
}

// tab opens an address in another tab of the same browser.
func (p *page) tab(address string) *page {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.t.Cleanup(cancel)
	other := &page{t: p.t, ctx: ctx}
	other.open(address)
	return other
}
