package clienttests

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// BenchmarkPatchAtAuthHero compares a save through the editor's server with a GET and a PATCH straight to AuthHero, which has no ETags: each
// save through the server reads the form, compares it and changes it. It reports the medians and their ratio.
func BenchmarkPatchAtAuthHero(b *testing.B) {
	listen, address := editorAt(b)
	h := startAuthHero(b, address)
	s := run(b, "--listen", listen, "--public-url", address, "--issuer", h.Issuer, "--client-id", h.Client.ID, "--client-secret",
		h.Client.Secret, "--audience", h.Audience, "--management-url", h.Management, "--management-auth", "client", "--management-client-id",
		h.Service.ID, "--management-client-secret", h.Service.Secret, "--allow-email-domain", "team.example")
	tab := browse(b)
	tab.enterFrom(s, h)
	headers := http.Header{"X-Csrf": {"1"}, "Origin": {address}, "Sec-Fetch-Site": {"same-origin"}, "Cookie": {tab.cookies()}}
	for _, nodes := range []int{1, 12, 200} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			var made map[string]any
			h.json(b, http.MethodPost, h.Management+"/forms", map[string]any{"name": "Long", "nodes": steps(nodes, 0)}, http.StatusCreated, &made)
			straight := &caller{base: h.Management, header: http.Header{"Authorization": {"Bearer " + h.token}}}
			through := &caller{base: address + "/bff/api", header: headers}
			path := "/forms/" + made["id"].(string)
			etag := ""
			var direct, saved []time.Duration
			x := 0
			body := func() []byte {
				x++
				text, err := json.Marshal(map[string]any{"nodes": steps(nodes, x)})
				if err != nil {
					b.Fatal(err)
				}
				return text
			}
			for b.Loop() {
				text := body()
				began := time.Now()
				straight.send(b, http.MethodGet, path, "", nil)
				straight.send(b, http.MethodPatch, path, "", text)
				direct = append(direct, time.Since(began))

				// The editor knows the tag from its last save.
				etag = through.send(b, http.MethodGet, path, "", nil)
				text = body()
				began = time.Now()
				through.send(b, http.MethodPatch, path, etag, text)
				saved = append(saved, time.Since(began))
			}
			one, other := median(direct), median(saved)
			b.ReportMetric(one.Seconds()*1000, "p50-straight-ms")
			b.ReportMetric(other.Seconds()*1000, "p50-bff-ms")
			b.ReportMetric(float64(other)/float64(one), "ratio-p50")
		})
	}
}

// caller sends requests to one server, with the same headers each time.
type caller struct {
	http   http.Client
	base   string
	header http.Header
}

// send makes a request that must succeed, and returns the ETag of the answer.
func (c *caller) send(b *testing.B, method, path, etag string, body []byte) string {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), method, c.base+path, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header = c.header.Clone()
	req.Header.Set("Content-Type", "application/json")
	if etag != "" {
		req.Header.Set("If-Match", etag)
	}
	res, err := c.http.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		b.Fatalf("%s %s: %d %s %v", method, path, res.StatusCode, text, err)
	}
	return res.Header.Get("ETag")
}

// steps returns the nodes of a form of n steps with five components each. The first is at x.
func steps(n, x int) []any {
	nodes := make([]any, n)
	for i := range nodes {
		next := "$ending"
		if i+1 < n {
			next = fmt.Sprintf("n%d", i+1)
		}
		part := func(j int, category, kind string, config map[string]any) map[string]any {
			return map[string]any{"id": fmt.Sprintf("c%d_%d", i, j), "category": category, "type": kind, "config": config}
		}
		nodes[i] = map[string]any{
			"id": fmt.Sprintf("n%d", i), "type": "STEP", "coordinates": map[string]any{"x": x, "y": i * 200},
			"config": map[string]any{"next_node": next, "components": []any{
				part(0, "BLOCK", "RICH_TEXT", map[string]any{"content": "<p>Some text.</p>"}), part(1, "FIELD", "TEXT", map[string]any{}),
				part(2, "FIELD", "EMAIL", map[string]any{}), part(3, "FIELD", "TEXT", map[string]any{}),
				part(4, "BLOCK", "NEXT_BUTTON", map[string]any{"text": "Continue"}),
			}},
		}
		x = 0
	}
	return nodes
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// cookies returns the cookies of the page as a header.
func (b *tab) cookies() string {
	b.t.Helper()
	res, err := chromedp.Run(b.ctx, func(ctx context.Context, at *chromedp.Target) (network.GetCookiesResult, error) {
		return cdp.Call(ctx, at, network.GetCookies, network.GetCookiesParams{})
	})
	if err != nil {
		b.t.Fatal(err)
	}
	text := ""
	for _, c := range res.Cookies {
		text += c.Name + "=" + c.Value + "; "
	}
	return text
}
