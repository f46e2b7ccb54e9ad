package history

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// isCurrent is the attribute with the value true, as go-app writes it.
var isCurrent = regexp.MustCompile(`aria-current(>| )`)

// Each state has a row with a menu, the newest first.
func TestNewestStateComesFirst(t *testing.T) {
	var p Panel
	shown := app.HTMLString(p.Draw([]editor.Step{{}, {Serial: 1, Label: verb.Add.Of("step"), Saved: true, Current: true}, {Serial: 2, Label: verb.Delete.Of("step")}}, time.Now()))
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
			isCurrent.MatchString(row) != want.current || strings.Contains(row, "Saved") != want.saved ||
			!strings.Contains(row, `data-menu="history"`) || !strings.Contains(row, `data-of="`+want.arg+`"`) {
			t.Errorf("row %d is %s", i, row)
		}
	}
}

const form = `{"id":"ap_test","name":"Sign-up","start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"Contact","coordinates":{"x":240,"y":0},"config":{"next_node":"which","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}]}},
	{"id":"which","type":"ROUTER","alias":"Which","config":{"rules":[{"id":"r1","alias":"Company","next_node":"ask"}],"fallback":"$ending"}},
	{"id":"also","type":"STEP","alias":"Also","config":{"components":[]}}]}`

// Each step says when it was done, also beside others of the same minute, and whether it was saved.
func TestEachStepSaysWhen(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	old := now.Add(-2 * time.Minute)
	var p Panel
	shown := app.HTMLString(p.Draw([]editor.Step{{}, {Serial: 1, At: old, Saved: true}, {Serial: 2, At: now}, {Serial: 3, At: now, Current: true}}, now))
	for i, row := range strings.Split(shown, "<li ")[1:] {
		_, line, _ := strings.Cut(row, "<small")
		if want := [...]string{"just now", "just now", "2 min ago", ""}[i]; !strings.Contains(line, want) || strings.Contains(line, "<time") != (want != "") {
			t.Errorf("row %d is %s, want %q", i, row, want)
		}
		if strings.Contains(line, "Saved") != (i == 2) {
			t.Errorf("row %d is %s", i, row)
		}
	}
	if exact := old.Local().Format(kit.DateTime); !strings.Contains(shown, `title="`+exact+`"`) {
		t.Errorf("%s lacks the time %s", shown, exact)
	}
}

// A short word with a hyphen stays in one piece, and the text is the same.
func TestHyphensDoNotBreak(t *testing.T) {
	for text, want := range map[string]string{
		"Renamed “E-mail” to “Mail”":        "Renamed <span class=\"whole\">“E-mail”</span> to “Mail”",
		"a-b c-d":                           "<span class=\"whole\">a-b</span> <span class=\"whole\">c-d</span>",
		"Moved node “Contact”":              "Moved node “Contact”",
		"A-word-that-is-longer-than-a-line": "A-word-that-is-longer-than-a-line",
	} {
		got := app.HTMLString(app.Span().Body(unbroken(text)...))
		got = regexp.MustCompile(`\n(  )?`).ReplaceAllString(got, "")
		if got != "<span>"+want+"</span>" {
			t.Errorf("%s: %s", text, got)
		}
	}
}

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
		{editor.Set{Path: path("nodes[0].config.components[0].label"), Value: "Mail"}, entry{"Renamed “E-mail” to “Mail”", "mail"}},
		{editor.Set{Path: path("nodes[1].alias"), Value: "Who"}, entry{"Renamed “Which” to “Who”", "router"}},
		{editor.Clear{Path: path("nodes[1].config.rules[0].alias")}, entry{"Cleared the name of “Company” in “Which”", "router"}},
		{editor.Set{Path: path("nodes[0].config.components[0].hint"), Value: "k"}, entry{"Changed the hint of “E-mail” to “k”", "mail"}},
		{editor.Set{Path: path("name"), Value: "Join"}, entry{"Changed the name of the form to “Join”", "form"}},
		{editor.Set{Path: path("start.next_node"), Value: "which"}, entry{"Connected Start to “Which”", "start"}},
		{editor.Clear{Path: path("nodes[0].config.next_node")}, entry{"Disconnected “Contact” from “Which”", "step"}},
		{editor.Connect{From: "which", Port: model.FallbackPort, To: "ask"}, entry{"Connected “Otherwise” in “Which” to “Contact”", "router"}},
		{editor.Connect{From: "which", Port: model.RulePort("r1"), To: "$ending"}, entry{"Connected “Company” in “Which” to Ending", "router"}},
		{editor.MoveNodes{IDs: []string{"ask"}, By: model.Point{X: 20}}, entry{"Moved node “Contact”", "step"}},
		{editor.MoveNodes{IDs: []string{"$start"}, By: model.Point{X: 20}}, entry{"Moved start", "start"}},
		{editor.MoveNodes{IDs: []string{"ask", "which"}, By: model.Point{X: 20}}, entry{"Moved 2 nodes: “Contact” and 1 more", "step"}},
		{editor.RemoveNodes{IDs: []string{"ask"}}, entry{"Deleted node “Contact”", "step"}},
		{editor.RemoveNodes{IDs: []string{"ask"}, Join: true}, entry{"Deleted node “Contact” and closed the gap", "step"}},
		{editor.Sequence{Name: verb.Restore.With("Launch"), Commands: []editor.Command{editor.Clear{Path: path("start.next_node")}}}, entry{"Restored Launch", "start"}},
		{editor.RemoveSelection{Join: true}, entry{"Deleted “Contact” and closed the gap", "step"}},
		{editor.InsertItem{Path: path("nodes[0].config.components[0].config.options[0]"), Value: "k", Name: "option"}, entry{"Added option to “E-mail” in “Contact”", "mail"}},
		{editor.Sequence{
			Name: verb.Phrase{Verb: verb.Set, Noun: "hint", Rest: "of 2 components"}, Commands: []editor.Command{
				editor.Set{Path: path("nodes[0].config.components[0].hint"), Value: "k"}, editor.Set{Path: path("nodes[0].config.components[1].hint"), Value: "k"},
			},
		}, entry{"Changed the hint of “E-mail” in “Contact” and 1 more", "mail"}},
		{editor.MoveComponent{From: "ask", ID: "mail", To: "also", Before: -1}, entry{"Moved component “E-mail” in “Also” to another step", "mail"}},
		{editor.RenameNode{Index: 0, ID: "first"}, entry{"Changed node id: “Contact” and 2 more", "step"}},
	} {
		e := editor.New(formtest.Parse(t, form), editor.Config{Rand: rand.IntN, Now: func() time.Time { return now }})
		e.Select(editor.SelectNodes("ask"))
		if err := e.Run(tt.run); err != nil {
			t.Fatal(err)
		}
		step := e.Steps()[1]
		got := *entryOf(&step)
		if got != tt.want || !step.At.Equal(now) {
			t.Errorf("%s: got %+v, want %+v, at %s", step.Label, got, tt.want, step.At)
		}
	}
}
