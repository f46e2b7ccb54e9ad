package inspector_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
)

const optionList = one + ".config.options"

// choice returns an editor of a choice with a config, and of a router that compares with the value de.
func choice(t *testing.T, config string) *editor.Editor {
	t.Helper()
	return edit(t, `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"c","category":"FIELD","type":"CHOICE","config":`+config+`}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"r1","condition":{"operator":"AND","operands":[
			{"operator":"EQ","operands":["{{fields.c}}","de"]}]}}]}}]}`, editor.Selection{Nodes: []string{"s"}, Component: "c"})
}

func TestValueFollowsItsLabel(t *testing.T) {
	for _, tt := range []struct{ name, config, label, want string }{
		{"a new option", `{"options":[{"value":"","label":""}]}`, "Über uns!", `[{"value":"uber_uns","label":"Über uns!"}]`},
		{"an option as it was made", `{"options":[{"value":"a","label":"A"}]}`, "B  c", `[{"value":"b_c","label":"B  c"}]`},
		{"a touched value", `{"options":[{"value":"x","label":"A"}]}`, "B", `[{"value":"x","label":"B"}]`},
		{"a value of a condition", `{"options":[{"value":"de","label":"DE"}]}`, "Germany", `[{"value":"de","label":"Germany"}]`},
		{"signs only", `{"options":[{"value":"","label":""}]}`, "!?", `[{"value":"option","label":"!?"}]`},
		{
			"a taken value", `{"options":[{"value":"","label":""},{"value":"b","label":"x"},{"value":"b_2","label":"y"}]}`, "B",
			`[{"value":"b_3","label":"B"},{"value":"b","label":"x"},{"value":"b_2","label":"y"}]`,
		},
		{"another alphabet", `{"options":[{"value":"","label":""}]}`, "Да 1", `[{"value":"да_1","label":"Да 1"}]`},
	} {
		e := choice(t, tt.config)
		enter(t, e, optionList+"[0].label", tt.label)
		if got := value(t, e, optionList); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		panelLaw(t, e)
	}
	// The default follows too, and both are one step with the label, however it is typed.
	e := choice(t, `{"options":[{"value":"a","label":"A"}],"default_value":"a"}`)
	for _, text := range []string{"An", "Ann", "Anna"} {
		if err := e.Run(row(t, e, optionList+"[0].label").Edit(text)); err != nil {
			t.Fatal(err)
		}
	}
	if got := value(t, e, one+".config.default_value"); got != `"anna"` {
		t.Errorf("the default is %s", got)
	}
	if list := row(t, e, optionList); !list.List().HasDefault() || !list.List().IsDefault(0) {
		t.Error("the option is not marked as the default")
	}
	if s, _ := e.Undo(); s.Label.String() != "Edit label" || value(t, e, optionList) != `[{"value":"a","label":"A"}]` {
		t.Errorf("after undoing %q the options are %s", s.Label, value(t, e, optionList))
	}
}

func TestPasteLines(t *testing.T) {
	const begin = `{"options":[{"value":"a","label":"A","note":1},{"value":"x","label":"Ann, the first"},{"value":"c","label":"C"}]}`
	e := choice(t, begin)
	list := row(t, e, optionList)
	if got, want := list.List().Lines(), "A\nAnn, the first\tx\nC\n"; got != want {
		t.Fatalf("the lines are %q, want %q", got, want)
	}
	if p := list.List().Paste(list.List().Lines()); p.Summary != "3 as before" || len(p.Notes) != 0 {
		t.Errorf("its own lines are %q %q", p.Summary, p.Notes)
	}
	p := list.List().Paste("A\r\nBoth, both\n\n C\tsee \nD\nD\nd!\nA\tx\n")
	if want := "3 new, 2 changed, 1 as before"; p.Summary != want {
		t.Errorf("the summary is %q, want %q", p.Summary, want)
	}
	if want := "Line 6 repeats “D”; it is left out."; strings.Join(p.Notes, "|") != want {
		t.Errorf("the notes are %q, want %q", p.Notes, want)
	}
	run(t, e, p.Command())
	const want = `[{"value":"a","label":"A","note":1},{"value":"both","label":"Both"},{"value":"see","label":"C"},{"value":"d","label":"D"},` +
		`{"value":"d_2","label":"d!"},{"value":"x","label":"A"}]`
	if got := value(t, e, optionList); got != want {
		t.Errorf("the options are\n     %s\nwant %s", got, want)
	}
	if s, _ := e.Undo(); s.Label.String() != "Paste options" {
		t.Errorf("the step is %q", s.Label)
	}
	if got, want := list.List().LinesWith(0, "P\nQ\n"), "A\nP\nQ\nAnn, the first\tx\nC\n"; got != want {
		t.Errorf("with more lines: %q, want %q", got, want)
	}
	panelLaw(t, e)
}

// Lines make the texts of every table.
func TestPasteIntoOtherTables(t *testing.T) {
	e := edit(t, step(`{"id":"c","category":"FIELD","type":"FILE","config":{"extensions":["pdf"]}}`), part("c"))
	run(t, e, row(t, e, one+".config.extensions").List().Paste("pdf\npng\npng\n").Command())
	if got := value(t, e, one+".config.extensions"); got != `["pdf","png"]` {
		t.Errorf("the extensions are %s", got)
	}
	e = edit(t, step(`{"id":"c","category":"FIELD","type":"CARDS","config":{}}`), part("c"))
	run(t, e, row(t, e, optionList).List().Paste("A\t\thttps://a.example/a.png\nB,b").Command())
	if got, want := value(t, e, optionList), `[{"value":"a","label":"A","image_url":"https://a.example/a.png"},{"value":"b","label":"B","image_url":""}]`; got != want {
		t.Errorf("the cards are %s, want %s", got, want)
	}
	cell := row(t, e, optionList+"[1].label")
	if at, i, ok := cell.Cell(); !ok || i != 1 || at.String() != optionList {
		t.Errorf("the cell is in %v at %d", at, i)
	}
}
