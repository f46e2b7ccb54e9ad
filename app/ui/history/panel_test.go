package history

import (
	"regexp"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
)

// isCurrent is the attribute with the value true, as go-app writes it.
var isCurrent = regexp.MustCompile(`aria-current(>| )`)

func TestNewestStateComesFirst(t *testing.T) {
	shown := app.HTMLString(Draw([]editor.Step{{}, {Label: "Add step", Saved: true, Current: true}, {Label: "Delete step"}}))
	rows := strings.Split(shown, "<li>")[1:]
	if len(rows) != 3 {
		t.Fatalf("draws %s", shown)
	}
	for i, want := range []struct {
		arg, label            string
		later, current, saved bool
	}{{"2", "Delete step", true, false, false}, {"1", "Add step", false, true, true}, {"0", "Opened", false, false, false}} {
		row := rows[i]
		if !strings.Contains(row, `data-arg="`+want.arg+`"`) || !strings.Contains(row, want.label) ||
			strings.Contains(row, "later") != want.later ||
			isCurrent.MatchString(row) != want.current || strings.Contains(row, "Saved") != want.saved {
			t.Errorf("row %d is %s", i, row)
		}
	}
}
