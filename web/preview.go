package web

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
)

// previewScript is the script of the page that Preview serves.
const previewScript = "preview.js"

// writePreview returns the page of Preview. It contains its style sheet, which its policy does not let it load.
func (s *Site) writePreview(t *template.Template) ([]byte, error) {
	const sheet = "preview.css"
	a := s.assets[sheet]
	if a == nil {
		return nil, fmt.Errorf("web file %s is missing", sheet)
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
