//go:build e2e && !js

package e2e

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	pagecdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// common is the browser shared by the tests. Tests and benchmarks that measure time use browseIn.
var common struct {
	sync.Once
	context.Context
	close func()
}

// A profile is a browser context of the shared browser: cookies and storage of its own, and one process for all its pages. One of its tabs
// stays, with the programs. V8 compiles a function when it is first called, and shares what it has compiled among the pages of a process that
// load the same program: as long as a tab has it, no page compiles a function again.
type profile struct {
	ctx context.Context // of the tab that stays
	end context.CancelFunc
}

// unused has the profiles that no test uses, without cookies and storage.
var unused struct {
	sync.Mutex
	profiles []*profile
}

// browse opens a page with empty storage and no session, in a profile that an earlier test may have used.
func browse(tb testing.TB) *page {
	tb.Helper()
	unused.Lock()
	var pr *profile
	if n := len(unused.profiles); n > 0 {
		pr, unused.profiles = unused.profiles[n-1], unused.profiles[:n-1]
	}
	unused.Unlock()
	if pr == nil {
		pr = newProfile(tb)
		pr.keepPrograms(tb)
	}
	ctx, cancel := chromedp.NewContext(pr.ctx)
	var p *page
	tb.Cleanup(func() {
		cancel()
		if p == nil || tb.Failed() || !pr.clear(p.origins()) {
			pr.end()
			return
		}
		unused.Lock()
		defer unused.Unlock()
		unused.profiles = append(unused.profiles, pr)
	})
	p = newPage(ctx, tb)
	return p
}

// fresh opens a page in a profile that no other test uses before or after, for tests of sign-ins, storage and passkeys.
func fresh(tb testing.TB) *page {
	tb.Helper()
	pr := newProfile(tb)
	tb.Cleanup(pr.end)
	return newPage(pr.ctx, tb)
}

func newProfile(tb testing.TB) *profile {
	tb.Helper()
	common.Do(func() {
		options := []chromedp.ExecAllocatorOption{plainCode, chromedp.Flag("process-per-site", true)}
		if testing.Short() {
			options = append(options, calm)
		}
		common.Context, common.close = launch(options...)
		if err := chromedp.Do(common.Context); err != nil {
			tb.Fatal(err)
		}
	})
	ctx, end := chromedp.NewContext(common.Context, chromedp.WithNewBrowserContext())
	return &profile{ctx, end}
}

// keepPrograms makes the tab that stays load the programs.
func (pr *profile) keepPrograms(tb testing.TB) {
	tb.Helper()
	s := shared(tb)
	var load string
	for _, name := range programs(tb, s) {
		load += `WebAssembly.compileStreaming(fetch(` + js(name) + `)), `
	}
	_, err := chromedp.Run(pr.ctx, func(ctx context.Context, t *chromedp.Target) (bool, error) {
		// The page in the tab is a text, with a policy that lets it load nothing.
		if _, err := cdp.Call(ctx, t, pagecdp.SetBypassCSP, pagecdp.SetBypassCSPParams{Enabled: true}); err != nil {
			return false, err
		}
		if err := chromedp.Do(ctx, chromedp.Navigate(s.Ready.Editor+"/healthz")); err != nil {
			return false, err
		}
		return chromedp.Run(ctx, chromedp.Evaluate[bool](`(async () => { window.programs = await Promise.all([`+load+`]); return true; })()`, chromedp.EvalAwaitPromise))
	})
	if err != nil {
		tb.Fatalf("keep the programs: %v", err)
	}
}

// programs returns the addresses of the programs of a server.
func programs(tb testing.TB, s *server) []string {
	tb.Helper()
	var found []string
	for _, path := range []string{"/forms", "/account"} {
		res, err := http.Get(s.Ready.Editor + path)
		if err != nil {
			tb.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		if _ = res.Body.Close(); err != nil {
			tb.Fatal(err)
		}
		found = append(found, regexp.MustCompile(`/web/\w+\.wasm\?v=\w+`).FindAllString(string(text), -1)...)
	}
	slices.Sort(found)
	if found = slices.Compact(found); len(found) == 0 {
		tb.Fatal("the pages name no programs")
	}
	return found
}

// stored are the kinds of what pages store, without what they have loaded.
const stored = "cache_storage,file_systems,indexeddb,local_storage,service_workers,storage_buckets,websql"

// clear closes all other tabs of the profile, removes cookies, permissions and what the origins have stored, and reports whether it could.
func (pr *profile) clear(origins []string) bool {
	return chromedp.Do(pr.ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		c := chromedp.FromContext(ctx)
		all, err := cdp.Call(ctx, c.Browser, target.GetTargets, target.GetTargetsParams{})
		if err != nil {
			return err
		}
		for _, other := range all.TargetInfos {
			if other.BrowserContextID == c.BrowserContextID && other.TargetID != t.TargetID && other.Type == "page" {
				if _, err := cdp.Call(ctx, c.Browser, target.CloseTarget, target.CloseTargetParams{TargetID: other.TargetID}); err != nil {
					return err
				}
			}
		}
		for _, origin := range origins {
			if _, err := cdp.Call(ctx, t, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: origin, StorageTypes: stored}); err != nil {
				return err
			}
		}
		if _, err := cdp.Call(ctx, c.Browser, browser.ResetPermissions, browser.ResetPermissionsParams{BrowserContextID: c.BrowserContextID}); err != nil {
			return err
		}
		_, err = cdp.Call(ctx, c.Browser, storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: c.BrowserContextID})
		return err
	})) == nil
}

// origins returns the origins from which the page has requested something.
func (p *page) origins() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, r := range p.requests {
		if u, err := url.Parse(r.url); err == nil && u.Host != "" {
			out = append(out, u.Scheme+"://"+u.Host)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// setCookies gives the page cookies.
func (p *page) setCookies(cookies []*network.CookieParam) {
	p.t.Helper()
	p.do(call(network.SetCookies, network.SetCookiesParams{Cookies: cookies}))
}
