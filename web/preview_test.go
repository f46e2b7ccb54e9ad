package web_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/web"
)

// The page of the preview has its style sheet and its script in it, loads nothing, and is the same for everybody. The hash of the script is what
// browsers compute.
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
	if strings.Contains(page, "<link") || foreign.MatchString(page) || strings.Count(page, "<script") != 1 || strings.Contains(page, "src=") {
		t.Errorf("the page loads something: %s", page)
	}
	script := regexp.MustCompile(`(?s)<div id="screen"></div>\s*<script>(.*)</script>`).FindStringSubmatch(page)
	if script == nil || script[1] != "preview" {
		t.Fatalf("the page has no script: %s", page)
	}
	sum := sha256.Sum256([]byte(script[1]))
	if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; s.PreviewScript() != want {
		t.Errorf("the hash is %s, want %s", s.PreviewScript(), want)
	}
	for _, name := range []string{"/web/boot.js", "/web/preview.js", "/web/tokens.css", "/web/preview.css"} {
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
