package bff_test

import (
	"bytes"
	"errors"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/server/bff"
)

// atlas posts fields as a browser submits a form.
func (b *browser) atlas(fields map[string]string, headers ...string) got {
	b.w.t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for name, value := range fields {
		if err := m.WriteField(name, value); err != nil {
			b.w.t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		b.w.t.Fatal(err)
	}
	return b.do("POST", "/bff/atlas", body.String(), append([]string{
		"Content-Type", m.FormDataContentType(), "Accept", "text/html", "Sec-Fetch-Site", "same-origin", "Origin", b.w.editor,
	}, headers...)...)
}

func TestAtlas(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	form := map[string]string{"form": `{"name":"Wörk <b>","nodes":[]}`}
	if g := b.atlas(form); g.status != 401 {
		t.Errorf("nobody: %d %s", g.status, g.body)
	}
	b.signIn()
	g := b.atlas(form)
	policy := g.header.Get("Content-Security-Policy")
	if g.status != 200 || g.body != "<p>Wörk <b>" || g.header.Get("Content-Type") != "text/html; charset=utf-8" || g.header.Get("Content-Disposition") != "" {
		t.Errorf("open: %d %v %s", g.status, g.header, g.body)
	}
	if !strings.HasPrefix(policy, "sandbox; default-src 'none';") || strings.Contains(policy, "script-src") || g.header.Get("Cache-Control") != "no-store" {
		t.Errorf("policy %q", policy)
	}
	g = b.atlas(map[string]string{"form": form["form"], "download": "1"})
	if got := g.header.Get("Content-Disposition"); g.status != 200 || got != "attachment; filename=w-rk--b.atlas.html" {
		t.Errorf("download: %d %q", g.status, got)
	}
	for _, headers := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		if g := b.atlas(form, headers...); g.status != 403 || strings.Contains(g.body, "Wörk") {
			t.Errorf("%v: %d", headers, g.status)
		}
	}
	if g := b.do("GET", "/bff/atlas", ""); g.status != 405 {
		t.Errorf("GET: %d", g.status)
	}
}

func TestAtlasRefusals(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	step := func(components int) string {
		return `{"name":"x","nodes":[{"id":"a","type":"STEP","config":{"components":[` +
			strings.TrimSuffix(strings.Repeat(`{"category":"BLOCK","type":"DIVIDER"},`, components), ",") + `]}}],"translations":{"de":{}},"languages":{"primary":"en"}}`
	}
	for _, x := range []struct {
		form   string
		status int
		want   string
	}{
		{"", 400, "must be a form"},
		{"[]", 400, "must be a form"},
		{"{", 400, "must be a form"},
		{step(10_000), 200, "<p>x"},
		{step(10_001), 413, "10001 components in 2 languages"},
		{strings.Repeat("x", 5<<20), 413, "too large"},
	} {
		if g := b.atlas(map[string]string{"form": x.form}); g.status != x.status || !strings.Contains(g.body, x.want) {
			t.Errorf("%.40s: %d %.300s", x.form, g.status, g.body)
		}
	}
	g := b.do("POST", "/bff/atlas", "{}", "Content-Type", "application/json", "Sec-Fetch-Site", "same-origin")
	if g.status != 400 || g.code() != "invalid_body" {
		t.Errorf("JSON: %d %s", g.status, g.body)
	}
}

// While two screen atlases are written, a third one is not begun.
func TestAtlasesAtOnce(t *testing.T) {
	w := newWorld(t)
	began, proceed := make(chan struct{}), make(chan struct{})
	w.adjust = func(c *bff.Config) {
		c.Atlas = func(*model.Form) ([]byte, error) {
			began <- struct{}{}
			<-proceed
			return nil, errors.New("it broke")
		}
	}
	w.h = w.handler(w.ic)
	form := map[string]string{"form": `{"name":"x"}`}
	done := make(chan got)
	people := []*browser{w.browser(), w.browser(), w.browser()}
	for _, b := range people {
		b.signIn()
	}
	for _, b := range people[:2] {
		go func() { done <- b.atlas(form) }()
		<-began
	}
	if g := people[2].atlas(form); g.status != 503 || g.header.Get("Retry-After") == "" || !strings.Contains(g.body, "Try again") {
		t.Errorf("the third: %d %v %s", g.status, g.header, g.body)
	}
	close(proceed)
	for range 2 {
		if g := <-done; g.status != 500 || !strings.Contains(g.body, "could not be written") {
			t.Errorf("a failure: %d %s", g.status, g.body)
		}
	}
	if !strings.Contains(w.log.String(), "it broke") {
		t.Error("the failure is not logged")
	}
}
