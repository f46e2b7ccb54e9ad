package web

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
)

// previewSheet is the style sheet of the page that Preview serves.
const previewSheet = "preview.css"

// previewScript is the script of the page that Preview serves.
const previewScript = "preview.js"

// writePreview returns the page of Preview. It contains its style sheet, which its policy does not let it load.
func (s *Site) writePreview(t *template.Template) ([]byte, error) {
	a := s.assets[previewSheet]
	if a == nil {
		return nil, fmt.Errorf("web file %s is missing", previewSheet)
	}
	var page bytes.Buffer
	style := template.CSS(a.raw) //nolint:gosec // the file is ours
	if err := t.ExecuteTemplate(&page, "preview.html", struct{ Style template.CSS }{style}); err != nil {
		return nil, fmt.Errorf("write the page of the preview: %w", err)
	}
	return page.Bytes(), nil
}

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
