package topbar

import (
	"slices"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/saver"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

// The menu More has in a narrow window what it has in a wide one, in the same order, after what the bar has no room for. Its groups are not empty.
func TestMoreIsInTheSameOrderInEachWindow(t *testing.T) {
	uitest.Run(t, func(app.Context) {
		w, _ := uitest.Workspace(t, `{"id":"ap_test","name":"Contact","nodes":[]}`)
		p := &Bar{Workspace: w, Saver: &saver.Saver{}}
		wide, narrow := p.more(true), p.more(false)
		if got := names(narrow); !slices.Equal(got, []string{
			"Undo", "Redo", "Find or run a command", "Inspector", "", "Import", "Export as…", "", "Compare…", "Show history", "Comments", "",
			"Share a link…", "Form settings", "", "By hand", "As you go", "", "Keyboard shortcuts", "Account, theme, sign out",
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
