package ui

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
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

// Who changed the selection last stands before what deletes, which stays last.
func TestBlameInTheMenu(t *testing.T) {
	one, gone, by := kit.Item{Act: "copy"}, kit.Item{Act: "delete", Danger: true}, kit.Item{Name: "Changed by Ana"}
	for _, tt := range []struct {
		items []kit.Item
		it    kit.Item
		want  string
	}{
		{[]kit.Item{one, {}, gone}, kit.Item{}, "copy,,delete"},
		{[]kit.Item{one, {}, gone}, by, "copy,,Changed by Ana,,delete"},
		{[]kit.Item{one}, by, "copy,,Changed by Ana"},
	} {
		var got []string
		for _, it := range withBlame(tt.items, tt.it) {
			got = append(got, it.Act+it.Name)
		}
		if strings.Join(got, ",") != tt.want {
			t.Errorf("got %v, want %s", got, tt.want)
		}
	}
}
