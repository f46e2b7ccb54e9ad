package web_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/web"
)

// The page of the preview has its style sheet in it, loads its script alone, and is the same for everybody. Its origin is opaque, so only
// its script may be loaded by another origin.
func TestPreviewPage(t *testing.T) {
	s := site(t, tree(t, nil))
	w := httptest.NewRecorder()
	s.Preview(w, httptest.NewRequest(http.MethodGet, "/preview", nil))
	page := w.Body.String()
	if w.Code != 200 || w.Header().Get("Cache-Control") != "no-cache" || len(w.Header().Values("Set-Cookie")) > 0 {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
	if !strings.Contains(page, "<style>p > q { color: red }</style>") {
		t.Errorf("the page lacks its style sheet: %s", page)
	}
	if strings.Contains(page, "<link") || foreign.MatchString(page) || strings.Count(page, "<script") != 1 || strings.Count(page, "src=") != 1 {
		t.Errorf("the page loads more than its script: %s", page)
	}
	script := regexp.MustCompile(`<script defer src="(/web/preview.js[^"]*)"></script>`).FindStringSubmatch(page)
	if script == nil {
		t.Fatalf("the page has no script: %s", page)
	}
	got := get(s, script[1])
	if got.Code != 200 || got.Body.String() != "preview" || got.Header().Get("Cross-Origin-Resource-Policy") != "cross-origin" {
		t.Errorf("the script: got %d %v", got.Code, got.Header())
	}
	for _, name := range []string{"/web/boot.js", "/web/tokens.css", "/web/preview.css"} {
		if v := get(s, name).Header().Get("Cross-Origin-Resource-Policy"); v != "" {
			t.Errorf("%s: other origins may load it: %s", name, v)
		}
	}
}

// Screens outside the page have its style sheet.
func TestPreviewStyle(t *testing.T) {
	css, err := web.PreviewStyle()
	if err != nil || !strings.Contains(css, ".af-form") {
		t.Errorf("got %.40q, %v", css, err)
	}
}
