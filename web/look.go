package web

import (
	"html/template"
	"strconv"
	"time"
)

// Look is the page behind a link to look at a form.
type Look struct {
	Name  string
	Saved time.Time
	Until time.Time // when the link expires
	// Fixed means that the page always shows this version; otherwise it shows the newest one.
	Fixed        bool
	Steps, Nodes int
	// Graph is the picture of the graph, as SVG. The caller answers for its markup.
	Graph string
	// Screens is the address of the document with every screen.
	Screens string
}

// Picture returns the graph as markup.
func (l Look) Picture() template.HTML {
	return template.HTML(l.Graph) //nolint:gosec // package picture makes it, and its texts cannot become markup
}

// Contains says how much is in the form.
func (l Look) Contains() string {
	several := func(n int, word string) string {
		if n != 1 {
			word += "s"
		}
		return strconv.Itoa(n) + " " + word
	}
	return several(l.Steps, "step") + ", " + several(l.Nodes, "node")
}

// Exact formats a time for attributes, and Day for people whose browser runs no scripts.
func (Look) Exact(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Day formats the day of a time.
func (Look) Day(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// Look returns the page.
func (s *Site) Look(l Look) ([]byte, error) { return render(s.look, l) }
