package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
)

// The files that the page of Preview contains.
const (
	previewSheet  = "preview.css"
	previewScript = "preview.js"
)

// writePreview writes the page of Preview. It contains its style sheet and its script. The origin of the page is opaque, so what it loaded would
// not be kept from one visit to the next, and in WebKit no file of plain http fits 'self'.
func (s *Site) writePreview(t *template.Template) error {
	css, js := s.assets[previewSheet], s.assets[previewScript]
	if css == nil || js == nil {
		return fmt.Errorf("web file %s or %s is missing", previewSheet, previewScript)
	}
	var page bytes.Buffer
	if err := t.ExecuteTemplate(&page, "preview.html", struct {
		Style  template.CSS
		Script template.JS
	}{template.CSS(css.raw), template.JS(js.raw)}); err != nil { //nolint:gosec // the files are ours
		return fmt.Errorf("write the page of the preview: %w", err)
	}
	sum := sha256.Sum256(js.raw)
	s.preview, s.previewScript = page.Bytes(), "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'"
	return nil
}

// PreviewScript returns the source in a content security policy that allows the script of that page, and no other.
func (s *Site) PreviewScript() string { return s.previewScript }

// Preview answers with the page in which the editor shows a form. It contains no user data: the editor sends it what to show. Its policy is
// the caller's to set.
func (s *Site) Preview(w http.ResponseWriter, r *http.Request) { fixed(w, r, s.preview) }

// PreviewStyle returns the style sheet of that page, for screens in another one.
func PreviewStyle() (string, error) {
	css, err := files.ReadFile("static/" + previewSheet)
	if err != nil {
		return "", fmt.Errorf("read the style sheet of the preview: %w", err)
	}
	return string(css), nil
}
