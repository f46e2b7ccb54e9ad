//go:build e2e && !js

package e2e

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// together is the server shared by tests that need only a form of their own, and the cookies of its
// administrator's session.
var together struct {
	sync.Once
	*server
	data    string
	cookies []*network.CookieParam
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
		together.t = tb
		together.cookies = together.signedIn(together.First.Admin.Email, together.First.Admin.Password)
	})
	if together.cookies == nil {
		tb.Fatal("the shared server did not start")
	}
	s := *together.server
	s.t = tb
	return &s
}

// takeCookies returns the cookies for the page's address, to be set in another browser context.
func (p *page) takeCookies() []*network.CookieParam {
	p.t.Helper()
	cookies, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) ([]*network.CookieParam, error) {
		res, err := cdp.Call(ctx, t, network.GetCookies, network.GetCookiesParams{})
		if err != nil {
			return nil, err
		}
		var out []*network.CookieParam
		for _, c := range res.Cookies {
			out = append(out, &network.CookieParam{
				Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite,
			})
		}
		return out, nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return cookies
}

// tab opens a page of the shared server in which the administrator is signed in and the storage is empty.
func (s *server) tab() *page {
	s.t.Helper()
	p := browse(s.t)
	p.signedIn = true
	p.setCookies(together.cookies)
	return p
}

// endTogether stops the shared server.
func endTogether() {
	if together.server != nil {
		together.kill()
		_ = os.RemoveAll(together.data)
	}
}
