package web

import (
	"html/template"
	"net/http"
	"regexp"
)

var optionName = regexp.MustCompile(`--[a-z][a-z-]*`)

// options is the template function for text with names of options, which are set off and not broken.
func options(text string) template.HTML {
	//nolint:gosec // the text is escaped, and a name consists of letters and hyphens
	return template.HTML(optionName.ReplaceAllString(template.HTMLEscapeString(text), `<code>$0</code>`))
}

// Report is the page of a self-check.
type Report struct {
	Items []ReportItem
	// At is when the checks ended, as text.
	At string
	// Again is the address that runs them again.
	Again string
}

// ReportItem is the result of one check.
type ReportItem struct {
	Name string
	// Status is "ok", "warn", "fail" or "skip".
	Status         string
	Detail, Remedy string // Remedy is "" for none
}

// Word returns the status for people.
func (i ReportItem) Word() string {
	switch i.Status {
	case "ok":
		return "OK"
	case "warn":
		return "Warning"
	case "fail":
		return "Failed"
	}
	return "Not tried"
}

// Count returns the number of results with a status.
func (r Report) Count(status string) int {
	n := 0
	for _, i := range r.Items {
		if i.Status == status {
			n++
		}
	}
	return n
}

// Report answers with the page of a self-check.
func (s *Site) Report(w http.ResponseWriter, r *http.Request, report Report) error {
	return write(w, r, http.StatusOK, s.report, report)
}
