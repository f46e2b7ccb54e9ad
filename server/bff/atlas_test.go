package bff_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/bff"
)

const (
	atlasForm = `{"name":"Trip","languages":{"primary":"en"},"translations":{"de":{}},"start":{"next_node":"a"},"nodes":[{"id":"a","type":"STEP",
		"alias":"First","config":{"components":[{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"$ending"}}]}`
	submitted = "application/x-www-form-urlencoded"
)

// submit submits a form as a page of the editor does.
func (b *browser) submit(fields url.Values, headers ...string) got {
	return b.do("POST", "/bff/atlas", fields.Encode(), append([]string{
		"Content-Type", submitted, "Origin", b.w.editor, "Sec-Fetch-Site", "same-origin", "Accept", "text/html",
	}, headers...)...)
}

func TestAtlas(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	for _, x := range []struct {
		fields      url.Values
		disposition string
		has, lacks  string
	}{
		{url.Values{"form": {atlasForm}}, "inline", "<bdi>German</bdi>", "<dt>Date</dt>"},
		{url.Values{"form": {`{"name":"Trip","nodes":1}`}, "languages": {""}, "date": {""}, "download": {""}}, "inline", "has no steps", "<dt>Date</dt>"},
		{
			url.Values{"form": {atlasForm}, "languages": {"en"}, "date": {"2026-01-31"}, "download": {"trip.html"}},
			"attachment; filename=trip.html",
			"<dd>2026-01-31</dd>", "<bdi>German</bdi>",
		},
		{url.Values{"form": {atlasForm}, "download": {`"é.html`}}, "attachment; filename*=utf-8''%22%C3%A9.html", "First", "<script"},
	} {
		g := b.submit(x.fields)
		h := g.header
		if g.status != 200 || !strings.HasPrefix(g.body, "<!doctype html>") || !strings.Contains(g.body, x.has) || strings.Contains(g.body, x.lacks) ||
			h.Get("Content-Disposition") != x.disposition {
			t.Errorf("%q: got %d %v %.200s", x.fields["download"], g.status, h, g.body)
		}
		if !strings.HasPrefix(h.Get("Content-Security-Policy"), "sandbox; default-src 'none';") || h.Get("Content-Type") != "text/html; charset=utf-8" ||
			h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" || len(h.Values("Content-Security-Policy")) != 1 {
			t.Errorf("got %v", h)
		}
	}
	if w.called() != 0 {
		t.Error("the tenant was asked")
	}
}

// Each refusal is a page that people can read, and a problem for programs.
func TestAtlasRefusals(t *testing.T) {
	w := newWorld(t)
	b, stranger := w.browser(), w.browser()
	b.signIn()
	one := func(name, value string) url.Values { return url.Values{"form": {atlasForm}, name: {value}} }
	for _, x := range []struct {
		name    string
		from    *browser
		fields  url.Values
		headers []string
		status  int
		code    string
		detail  string
	}{
		{"signed out", stranger, one("date", ""), nil, 401, "session_expired", "You are not signed in"},
		{"another site", b, one("date", ""), []string{"Origin", "https://evil.example"}, 403, "csrf", "the editor's own pages"},
		{"no form", b, nil, nil, 400, "invalid_body", "not valid JSON"},
		{"no JSON", b, url.Values{"form": {"{"}}, nil, 400, "invalid_body", "not valid JSON"},
		{"a list", b, url.Values{"form": {"[1]"}}, nil, 400, "invalid_body", "must be a form"},
		{"another object", b, url.Values{"form": {`{"a":1}`}}, nil, 400, "invalid_body", "must be a form"},
		{"two forms", b, url.Values{"form": {atlasForm, atlasForm}}, nil, 400, "invalid_body", "each once"},
		{"another field", b, one("theme", "dark"), nil, 400, "invalid_body", "each once"},
		{"no date", b, one("date", "today"), nil, 400, "invalid_body", "2026-01-31"},
		{"a folder", b, one("download", "../x.html"), nil, 400, "invalid_body", "name of a file"},
		{"two lines", b, one("download", "x\r\ny"), nil, 400, "invalid_body", "name of a file"},
		{"a long name", b, one("download", strings.Repeat("x", 5000)), nil, 400, "invalid_body", "download is too long"},
		{"another language", b, one("languages", "en,fr"), nil, 422, "invalid_body", "fr; it has en, de"},
		{"a large form", b, url.Values{"form": {strings.Repeat(" ", 13<<20)}}, nil, 413, "too_large", "at most"},
		{"a large atlas", b, url.Values{"form": {largeForm(10_000, 1000)}}, nil, 413, "too_large", "fewer languages, or write it with the command"},
		{"JSON", b, nil, []string{"Content-Type", "application/json"}, 415, "media_type", submitted},
	} {
		g := x.from.submit(x.fields, x.headers...)
		if g.status != x.status || !strings.HasPrefix(g.body, "<page>The screens cannot be shown|") || !strings.Contains(g.body, "|"+x.code+"|") ||
			!strings.Contains(g.body, x.detail) || g.header.Get("Content-Disposition") != "" || g.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %.300s, want %d %s %q", x.name, g.status, g.body, x.status, x.code, x.detail)
		}
	}
	if g := b.do("POST", "/bff/atlas", "", "Content-Type", submitted); g.status != 403 || g.code() != "csrf" {
		t.Errorf("without an origin: got %d %s", g.status, g.body)
	}
	if g := b.do("GET", "/bff/atlas", ""); g.status != 405 || g.header.Get("Allow") != "POST" {
		t.Errorf("GET: got %d %s", g.status, g.body)
	}
	w.bend(func(s *stub) { s.scope = "openid update:forms" })
	reader := w.browser()
	reader.signIn()
	if g := reader.submit(one("date", "")); g.status != 403 || !strings.Contains(g.body, "read:forms") {
		t.Errorf("without the scope: got %d %s", g.status, g.body)
	}
}

// largeForm returns a form with a large atlas: each of its steps repeats its rules of style.
func largeForm(rules, steps int) string {
	step := `{"id":"a","type":"STEP","config":{"components":[]}},`
	return `{"name":"Trip","style":{"css":"` + strings.Repeat("p { color: red } ", rules) + `"},"nodes":[` +
		strings.TrimSuffix(strings.Repeat(step, steps), ",") + `]}`
}

// A process writes a few files at once, and refuses more until one is written.
func TestAtlasBusy(t *testing.T) {
	w := newWorld(t)
	var written chan struct{} // has an element for each file that is being written
	w.adjust = func(c *bff.Config) { written = c.HoldAtlases() }
	w.h = w.handler(w.ic)
	b := w.browser()
	b.signIn()
	submit := func() got { return b.submit(url.Values{"form": {atlasForm}}) }
	for range cap(written) {
		if g := submit(); g.status != http.StatusOK {
			t.Errorf("beside %d: got %d %.300s", len(written), g.status, g.body)
		}
		written <- struct{}{}
	}
	g := submit()
	if g.status != http.StatusTooManyRequests || g.header.Get("Retry-After") != "5" || !strings.Contains(g.body, "Reload this page") {
		t.Errorf("beside %d: got %d %v %.300s", len(written), g.status, g.header, g.body)
	}
	<-written
	if g := submit(); g.status != http.StatusOK {
		t.Errorf("afterwards: got %d %.300s", g.status, g.body)
	}
}
