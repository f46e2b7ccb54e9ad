//go:build e2e && !js

package e2e

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// together is the server that tests share which need a form of their own and nothing else of it, and the browser
// context in which its administrator is signed in.
var together struct {
	sync.Once
	*server
	data string
	tabs context.Context
	end  func()
}

// shared returns the server of together.
func shared(tb testing.TB) *server {
	tb.Helper()
	together.Do(func() {
		data, err := os.MkdirTemp("", "formgraph-e2e-")
		if err != nil {
			tb.Fatal(err)
		}
		together.data, together.server = data, launchServer(tb, data)
		browse(tb) // starts the browser
		together.tabs, together.end = chromedp.NewContext(common.Context, chromedp.WithNewBrowserContext())
		if err := chromedp.Do(together.tabs); err != nil { // its first tab lives as long as the context
			tb.Fatal(err)
		}
		p := newPage(together.tabs, tb)
		p.open(together.Ready.Editor + "/bff/login?return_to=/account")
		p.signIn(together.server)
		p.wait(`document.title.includes("account")`)
	})
	if together.tabs == nil {
		tb.Fatal("the shared server did not start")
	}
	s := *together.server
	s.t = tb
	return &s
}

// tab opens a page of the shared server in which the administrator is signed in and nothing else is stored.
func (s *server) tab() *page {
	s.t.Helper()
	ctx, cancel := chromedp.NewContext(together.tabs)
	s.t.Cleanup(cancel)
	p := newPage(ctx, s.t)
	p.signedIn = true
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: s.Ready.Editor, StorageTypes: "local_storage,indexeddb"})
		return err
	}))
	return p
}

// endTogether ends the shared server.
func endTogether() {
	if together.server != nil {
		together.kill()
		_ = os.RemoveAll(together.data)
	}
}
