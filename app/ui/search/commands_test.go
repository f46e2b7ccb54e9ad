package search

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/model"
)

// commandEntries returns the search entries of all commands.
func commandEntries() []find.Entry {
	var out []find.Entry
	for _, l := range command.Lines() {
		out = append(out, commandEntry(l))
	}
	return out
}

func TestAnExactNameIsTheFirstResult(t *testing.T) {
	entries := commandEntries()
	for _, e := range entries {
		for _, name := range []string{e.Name, strings.ToLower(e.Name), e.Also} {
			if name == "" {
				continue
			}
			found := find.Rank(entries, name)
			if len(found) == 0 {
				t.Errorf("%q finds nothing", name)
				continue
			}
			if first := entries[found[0].Index]; !strings.EqualFold(first.Name, name) && first.Also != name {
				t.Errorf("%q finds %q first", name, first.Name)
			}
		}
	}
	if first := entries[find.Rank(entries, "add component text")[0].Index].Name; first != "Add component: Text" {
		t.Errorf("add component text finds %q first", first)
	}
}

// Of equal matches, commands that apply come first; the others explain what to
// do first.
func TestCommandsThatApplyComeFirst(t *testing.T) {
	ctx := command.Context{State: editor.State{Form: model.New("f")}}
	all := findCommands("", ctx, 100)
	unable := 0
	for _, c := range all {
		switch {
		case c.missing != "":
			unable++
		case unable > 0:
			t.Errorf("%s applies but comes after a command that does not", c.Name)
		}
		if c.ID == command.Undo {
			t.Error("there is nothing to undo")
		}
	}
	if unable < 20 || len(all) < 60 {
		t.Errorf("%d of %d commands do not apply", unable, len(all))
	}
	if found := findCommands("tidy", ctx, 1); len(found) != 1 || found[0].ID != command.TidyUp || len(found[0].in) != 1 {
		t.Errorf("tidy finds %+v", found)
	}
}

func TestMatchIsMarkedInTheNameOfACommand(t *testing.T) {
	e := commandEntry(command.Line{Name: "Add component: Rich text"})
	m := find.Rank([]find.Entry{e}, "rich text")[0]
	got := inName(e, m)
	if len(got) != 1 || e.Name[got[0].From:got[0].To] != "Rich text" {
		t.Errorf("marked: %v of %q", got, e.Name)
	}
}

func TestPaletteFindsKindsBySynonyms(t *testing.T) {
	for query, want := range map[string]string{
		"text":     "Text, Rich text",
		"phone":    "Phone",
		"tel":      "Phone",
		"boolean":  "Yes/no",
		"legal":    "Terms",
		"captcha":  "reCAPTCHA",
		"upload":   "File",
		"mail":     "Email",
		"drop":     "Dropdown",
		"maps":     "Address",
		"xyz":      "",
		"te":       "Terms, Text",
		"checkbox": "Yes/no, Choice, Terms",
		"select":   "Cards, Choice, Dropdown",
		"button":   "Jump button, Next button, Resend button, Previous button",
	} {
		var labels []string
		for _, k := range find.Kinds(query) {
			labels = append(labels, k.Label)
		}
		if got := strings.Join(labels, ", "); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q finds %s, want %s", query, got, want)
		}
	}
	if got := len(find.Kinds("")); got != len(model.Kinds) {
		t.Errorf("no query finds %d kinds", got)
	}
}

// The words of the API find what has another name for people, here and among the commands.
func TestTermsFindTheirKinds(t *testing.T) {
	entries, terms := commandEntries(), 0
	for i := range model.Kinds {
		k := &model.Kinds[i]
		if k.Term == "" {
			continue
		}
		terms++
		if found := find.Kinds(k.Term); len(found) == 0 || found[0] != k {
			t.Errorf("%s does not find %s first", k.Term, k.Label)
		}
		if found := find.Rank(entries, k.Term); len(found) == 0 || entries[found[0].Index].Also != k.Label {
			t.Errorf("among the commands %s does not find %s first", k.Term, k.Label)
		}
	}
	if terms == 0 {
		t.Error("no kind has a term")
	}
}

func TestEveryKindHasKeywords(t *testing.T) {
	for _, k := range model.Kinds {
		if k.Keywords == "" || k.Keywords != strings.ToLower(k.Keywords) {
			t.Errorf("%s has the keywords %q", k.Label, k.Keywords)
		}
	}
}
