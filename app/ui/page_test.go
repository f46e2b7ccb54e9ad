package ui

import (
	"regexp"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/topbar"
	"github.com/formgraph/formgraph/app/ui/uitest"
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

// The first control of the page, which the Tab key reaches first, leads past the bars and panels to the graph.
func TestFirstControlLeadsToTheGraph(t *testing.T) {
	uitest.Play(t, func(ctx app.Context) {
		p, _ := openPage(t, ctx)
		first := regexp.MustCompile(`<(a|button|input|select|textarea)\b[^>]*>`).FindString(app.HTMLString(p.Render()))
		if !strings.Contains(first, `data-act="`+topbar.SkipAct+`"`) || strings.Contains(first, `tabindex="-1"`) {
			t.Errorf("the first control is %s", first)
		}
	})
}
