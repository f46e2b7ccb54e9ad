package ui

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// A page must draw even before its address is known.
func TestPagesAreDrawnBeforeTheyAreLoaded(t *testing.T) {
	site := &Site{}
	for path, want := range map[string]string{
		"/forms":      "Forms",
		"/forms/ap_1": "Loading the form…",
		"/nowhere":    "Page not found",
	} {
		page, ok := site.page(path).(interface{ Render() app.UI })
		if !ok {
			t.Fatalf("%s has no page", path)
		}
		if got := app.HTMLString(page.Render()); !strings.Contains(got, want) {
			t.Errorf("%s is drawn without %q:\n%s", path, want, got)
		}
	}
}
