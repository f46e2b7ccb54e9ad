package history

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// isCurrent is the attribute with the value true, as go-app writes it.
var isCurrent = regexp.MustCompile(`aria-current(>| )`)

func TestNewestStateComesFirst(t *testing.T) {
	var p Panel
	shown := app.HTMLString(p.Draw([]editor.Step{{}, {Serial: 1, Label: "Add step", Saved: true, Current: true}, {Serial: 2, Label: "Delete step"}}, time.Now()))
	rows := strings.Split(shown, "<li ")[1:]
	if len(rows) != 3 {
		t.Fatalf("draws %s", shown)
	}
	for i, want := range []struct {
		arg                   string
		later, current, saved bool
	}{{"2", true, false, false}, {"1", false, true, true}, {"0", false, false, false}} {
		row := rows[i]
		if !strings.Contains(row, `data-arg="`+want.arg+`"`) || strings.Contains(row, "later") != want.later ||
			isCurrent.MatchString(row) != want.current || strings.Contains(row, "Saved") != want.saved {
			t.Errorf("row %d is %s", i, row)
		}
	}
}

const form = `{"id":"ap_test","name":"Sign-up","start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"Contact","coordinates":{"x":240,"y":0},"config":{"next_node":"which","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}]}},
	{"id":"which","type":"ROUTER","alias":"Which","config":{"rules":[{"id":"r1","alias":"Company","next_node":"ask"}],"fallback":"$ending"}}]}`

// A step says what it changed, where, and when.
func TestEntriesNameWhatWasChanged(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	path := func(s string) schema.Path {
		p, err := schema.ParsePath(s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, tt := range []struct {
		run  editor.Command
		want entry
	}{
		{editor.Set{Path: path("nodes[0].config.components[0].label"), Value: "Mail"}, entry{"Label", "Mail in Contact", "mail"}},
		{editor.Set{Path: path("nodes[1].alias"), Value: "Who"}, entry{"Alias", "Who", "router"}},
		{editor.Set{Path: path("nodes[1].config.rules[0].alias"), Value: "Firm"}, entry{"Alias", "Firm in Which", "router"}},
		{editor.Set{Path: path("name"), Value: "Join"}, entry{"Name", "The form", "form"}},
		{editor.Set{Path: path("start.next_node"), Value: "which"}, entry{"Goes to", "Start", "start"}},
		{editor.MoveNodes{IDs: []string{"ask"}, By: model.Point{X: 20}}, entry{"Move node", "Contact", "step"}},
		{editor.RemoveNodes{IDs: []string{"ask"}}, entry{"Delete node", "Contact", "step"}},
		{editor.RenameNode{Index: 0, ID: "first"}, entry{"Change node id", "", ""}},
	} {
		e := editor.New(formtest.Parse(t, form), editor.Config{Rand: rand.IntN, Now: func() time.Time { return now }})
		if err := e.Run(tt.run); err != nil {
			t.Fatal(err)
		}
		step := e.Steps()[1]
		got := *entryOf(&step)
		if tt.want.target == "" {
			got.target, got.icon = "", ""
		}
		if got != tt.want || !step.At.Equal(now) {
			t.Errorf("%s: got %+v, want %+v, at %s", step.Label, got, tt.want, step.At)
		}
	}
}
