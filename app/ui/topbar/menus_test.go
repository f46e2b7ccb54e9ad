package topbar

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/problems"
	"github.com/formgraph/formgraph/app/ui/saver"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// The bar at the bottom marks the graph while that, or the inspector of what is selected in it, is shown.
func TestBottomMarksWhatIsShown(t *testing.T) {
	uitest.Run(t, func(app.Context) {
		for _, tt := range []struct {
			name         string
			panels       workspace.Panels
			beside, page bool
			want         string
		}{
			{"the graph", workspace.Panels{}, true, false, "Graph"},
			{"the inspector", workspace.Panels{Right: true}, true, false, "Graph"},
			{"a tab", workspace.Panels{Left: true, Tab: workspace.Outline}, true, false, "Outline"},
			{"comments", workspace.Panels{}, true, true, ""},
			{"languages", workspace.Panels{}, false, false, ""},
		} {
			w, _ := uitest.Workspace(t, `{"id":"ap_test","name":"Contact","nodes":[]}`)
			w.Panels = tt.panels
			p := &Bar{Workspace: w, Problems: problems.New(w, problems.Sources{}), Beside: func() bool { return tt.beside }, Page: func() bool { return tt.page }}
			got := ""
			for _, item := range strings.Split(app.HTMLString(p.Bottom()), "<button")[1:] {
				if !strings.Contains(item, `aria-pressed="false"`) {
					got += item[strings.LastIndex(item, "<span"):]
				}
			}
			if got = strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(got, " ")), " "); got != tt.want {
				t.Errorf("beside %s the bar marks %q, want %q", tt.name, got, tt.want)
			}
		}
	})
}

// The menu More has in a narrow window what it has in a wide one, in the same order, after what the bar has no room for. Its groups are not empty.
func TestMoreIsInTheSameOrderInEachWindow(t *testing.T) {
	uitest.Run(t, func(app.Context) {
		w, _ := uitest.Workspace(t, `{"id":"ap_test","name":"Contact","nodes":[]}`)
		p := &Bar{Workspace: w, Saver: &saver.Saver{}}
		wide, narrow := p.more(true), p.more(false)
		if got := names(narrow); !slices.Equal(got, []string{
			"Undo", "Redo", "Find or run a command", "Inspector", "", "Import", "Export as…", "", "Test with scenarios", "Show history", "Comments", "",
			"Share a link…", "Form settings", "", "Keyboard shortcuts", "Account, theme, sign out",
		}) {
			t.Errorf("the narrow menu has %q", got)
		}
		inBoth := func(a, b []kit.Item) []string {
			return slices.DeleteFunc(names(a), func(n string) bool { return n == "" || !slices.Contains(names(b), n) })
		}
		if a, b := inBoth(wide, narrow), inBoth(narrow, wide); !slices.Equal(a, b) {
			t.Errorf("the order is %q and %q", a, b)
		}
		for _, items := range [][]kit.Item{wide, narrow} {
			n := names(items)
			if n[0] == "" || n[len(n)-1] == "" || len(slices.Compact(slices.Clone(n))) != len(n) {
				t.Errorf("a group of %q is empty", n)
			}
		}
	})
}

func names(items []kit.Item) (out []string) {
	for _, it := range items {
		out = append(out, it.Name)
	}
	return out
}
