package palette

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

const form = `{"id":"ap_test","name":"Contact","nodes":[
	{"id":"ask","type":"STEP","config":{"components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},{"id":"phone","category":"FIELD","type":"TEL","label":"Phone"},
		{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}]}},
	{"id":"which","type":"ROUTER","config":{"rules":[]}}]}`

func TestComponentIsAddedAfterTheSelection(t *testing.T) {
	for _, test := range []struct {
		name string
		sel  editor.Selection
		kind string
		want string // the types of the step's components, unchanged if none is added
	}{
		{"a field of a step", editor.SelectNodes("ask"), "DATE", "EMAIL TEL DATE NEXT_BUTTON"},
		{"after a component", editor.Selection{Nodes: []string{"ask"}, Component: "mail"}, "DATE", "EMAIL DATE TEL NEXT_BUTTON"},
		{"after a button", editor.Selection{Nodes: []string{"ask"}, Component: "next"}, "DATE", "EMAIL TEL DATE NEXT_BUTTON"},
		{"nothing selected", editor.Selection{}, "DATE", "EMAIL TEL DATE NEXT_BUTTON"},
		{"a router", editor.SelectNodes("which"), "DATE", "EMAIL TEL DATE NEXT_BUTTON"},
		{"an unknown kind", editor.SelectNodes("ask"), "NOTHING", "EMAIL TEL NEXT_BUTTON"},
	} {
		uitest.Run(t, func(ctx app.Context) {
			w, _ := uitest.Workspace(t, form)
			w.Editor.Select(test.sel)
			p := &Panel{Workspace: w}
			added := p.Add(ctx, model.KindOf(test.kind))
			n, _ := p.Editor.State().Form.Node("ask")
			var types []string
			for _, c := range n.Config.(*model.Step).Components {
				types = append(types, c.Type)
			}
			if got := strings.Join(types, " "); got != test.want || added != (len(types) == 4) {
				t.Errorf("%s: %s, reported %t; want %s", test.name, got, added, test.want)
			}
		})
	}
}

func TestFilterNarrowsThePalette(t *testing.T) {
	w, _ := uitest.Workspace(t, form)
	p := &Panel{Workspace: w}
	items := func() int { return strings.Count(app.HTMLString(p.Draw()), `data-act="add-component"`) }
	if items() != len(model.Kinds) {
		t.Errorf("without a filter %d of %d kinds are drawn", items(), len(model.Kinds))
	}
	p.Filter = "  "
	if !strings.Contains(app.HTMLString(p.Draw()), "Blocks") {
		t.Error("spaces count as a filter")
	}
	p.Filter = "e-mail"
	if n := items(); n == 0 || n == len(model.Kinds) {
		t.Errorf("the filter leaves %d kinds", n)
	}
	p.Filter = " zzz "
	if shown := app.HTMLString(p.Draw()); items() != 0 || !strings.Contains(shown, "“zzz”") || !strings.Contains(shown, "clear-filter") {
		t.Errorf("a filter that finds nothing draws %s", shown)
	}
	if p.ClearFilter(); items() != len(model.Kinds) {
		t.Error("a cleared filter narrows")
	}
}

// A tile is named by the kind, and by the word of the API if that is another one.
func TestTilesHaveBothNames(t *testing.T) {
	p := &Panel{Workspace: workspace.New("ap_test", nil)}
	shown := app.HTMLString(p.Draw())
	for _, want := range []string{`aria-label="Phone (Tel)"`, `aria-label="Yes/no (Boolean)"`, `aria-label="Terms (Legal)"`, `aria-label="Rich text"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("the palette lacks %s", want)
		}
	}
}

func TestPaletteIsDrawnWithoutAForm(t *testing.T) {
	p := &Panel{Workspace: workspace.New("ap_test", nil)}
	if shown := app.HTMLString(p.Draw()); strings.Count(shown, "add-component") != len(model.Kinds) || !strings.Contains(shown, "disabled") {
		t.Error("before a form is loaded its components can be added, or are not drawn")
	}
}
