//go:build e2e && !js

package e2e

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// While the editor loads, the page shows its progress. If loading fails, the
// page says what to do, and doing it works.
func TestLoading(t *testing.T) {
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	held := make(chan fetch.RequestID, 4)
	if err := chromedp.Listen(p.ctx, func(ev any) {
		if ev, ok := ev.(*fetch.EventRequestPaused); ok {
			held <- ev.RequestID
		}
	}); err != nil {
		t.Fatal(err)
	}
	call := func(f func(context.Context, *chromedp.Target) error) {
		t.Helper()
		p.do(chromedp.Func(f))
	}
	call(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*app.wasm*"}}})
		return err
	})
	p.open(s.Ready.Editor + "/forms")
	p.wait(sel("#app-wasm-loader [role=progressbar]"))
	p.shoot("loading")
	id := <-held
	call(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: "ConnectionFailed"})
		return err
	})
	p.wait(find("button", "Try again"))
	p.shoot("loading-failed")
	call(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, fetch.Disable, cdp.Empty{})
		return err
	})
	p.press("button", "Try again")
	p.wait(find("button", "Sign in"))
}
