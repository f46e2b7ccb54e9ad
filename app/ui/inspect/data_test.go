package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

const flowForm = `{"name":"f","start":{"next_node":"ask","hidden_fields":[{"key":"plan","value":"x"}]},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","config":{"next_node":"run","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail","required":true},
		{"id":"code","category":"FIELD","type":"TEXT","label":"Code","sensitive":true},
		{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}]}},
	{"id":"run","type":"FLOW","alias":"Run","config":{"flow_id":"#FLOW-1#","next_node":"show"}},
	{"id":"show","type":"STEP","alias":"Show","config":{"components":[
		{"id":"text","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p>Score: {{vars.score}}</p>"}},
		{"id":"end","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}]}},
	{"id":"alone","type":"FLOW","alias":"Alone","config":{"flow_id":"af_1"}}]}`

func onFlowForm(t *testing.T, sel editor.Selection, f func(ctx app.Context, p *Panel)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, flowForm)
		p := New(w)
		p.Editor.Select(sel)
		p.Selected()
		p.Draw()
		f(ctx, p)
	})
}

// A flow says which answers are given before it and what reads variables after it. A press on one of them leads there.
func TestFlowShowsItsData(t *testing.T) {
	onFlowForm(t, editor.SelectNodes("run"), func(ctx app.Context, p *Panel) {
		s := app.HTMLString(p.data())
		at := -1
		for _, want := range []string{"Fields on the way here", "E-mail", "fields.mail", "Code", "Hidden fields", "plan", "Variables read later", "Show › ", "vars.score"} {
			i := strings.Index(s, want)
			if i <= at {
				t.Fatalf("%q is not there or too early in %s", want, s)
			}
			at = i
		}
		p.Act(ctx, "place", "nodes[2].config.components[0].config.content")
		if sel := p.State().Selection; sel.Only() != "show" || sel.Component != "text" {
			t.Errorf("the press selects %+v", sel)
		}
	})
	for _, id := range []string{"ask", "alone", model.StartID} {
		onFlowForm(t, editor.SelectNodes(id), func(_ app.Context, p *Panel) {
			if s := app.HTMLString(p.data()); strings.Contains(s, "fields.") {
				t.Errorf("%s: %s", id, s)
			}
		})
	}
}

func TestManyPlacesAreCounted(t *testing.T) {
	var l places
	for i := range 2 * (maxPlaces + 3) {
		l.add("path", "text", fmt.Sprint("Name ", i/2), "note")
	}
	if len(l.lines) != maxPlaces || l.more != 3 {
		t.Errorf("%d places and %d more", len(l.lines), l.more)
	}
}

// A warning is at its place, with the change that helps.
func TestWarningsHaveTheirChange(t *testing.T) {
	for _, tt := range []struct {
		sel        string
		path, text string
		button     string
	}{
		{"show", "nodes[2].config.next_node", "Leads nowhere: a journey through “Ask”, “Run”, “Show” ends here.", "Connect to the ending"},
		{"alone", "nodes[3]", "Cannot be reached from the start.", "Connect from Show"},
	} {
		onFlowForm(t, editor.SelectNodes(tt.sel), func(ctx app.Context, p *Panel) {
			has := func(text string) bool { return strings.Contains(app.HTMLString(p.Draw()), text) }
			if !has(tt.text) || !has(tt.button) {
				t.Fatalf("%s: no warning in %s", tt.sel, app.HTMLString(p.Draw()))
			}
			p.Act(ctx, "warning-fix", "1 "+tt.path)
			p.Act(ctx, "warning-fix", "0 gone")
			if !has(tt.text) {
				t.Errorf("%s: another warning is fixed", tt.sel)
			}
			if p.Act(ctx, "warning-fix", "0 "+tt.path); has(tt.text) {
				t.Errorf("%s: the warning stays", tt.sel)
			}
		})
	}
}

// The warnings of a step are not those of the components that are chosen in it.
func TestChosenComponentsHaveNoWarningOfTheirStep(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, `{"name":"f","start":{"next_node":"$ending"},"nodes":[{"id":"s","type":"STEP","config":{"components":[
			{"id":"a","category":"FIELD","type":"TEXT"},{"id":"b","category":"FIELD","type":"TEXT"}]}}]}`)
		p := New(w)
		p.Editor.Select(editor.SelectNodes("s"))
		p.Selected()
		warned := func() bool { return strings.Contains(app.HTMLString(p.Draw()), "Cannot be reached") }
		if !warned() {
			t.Error("the step has no warning")
		}
		p.Act(ctx, "choose-part", "a")
		if p.Act(ctx, "choose-part", "b"); warned() {
			t.Error("the components have the warning")
		}
	})
}

// That the tenant does not have a flow is said once.
func TestMissingFlowIsSaidOnce(t *testing.T) {
	onFlowForm(t, editor.SelectNodes("run"), func(_ app.Context, p *Panel) {
		said := func() (warned, missing bool) {
			s := app.HTMLString(p.Draw())
			return strings.Contains(s, "the placeholder #FLOW-1#"), strings.Contains(s, workspace.NoSuchFlow("#FLOW-1#"))
		}
		if warned, missing := said(); !warned || missing {
			t.Errorf("without flows: warned %v, missing %v", warned, missing)
		}
		p.Flows = slices.Grow(p.Flows, 1)[:1]
		p.Flows[0].ID = "af_1"
		if warned, missing := said(); warned || !missing {
			t.Errorf("with flows: warned %v, missing %v", warned, missing)
		}
	})
}

// The rows of components have the marks of their card, and the list ends with the way to more.
func TestComponentsHaveTheMarksOfTheCard(t *testing.T) {
	onFlowForm(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		s := app.HTMLString(p.Draw())
		rows := strings.Split(s[:strings.Index(s, "Add component")], "<li")[1:]
		for i, want := range []string{"required", "sensitive", ""} {
			for _, name := range []string{"required", "sensitive", "warning"} {
				if on := shown(rows[i], `title="`+name+`"`); on != (name == want) {
					t.Errorf("component %d is %s: %v", i, name, on)
				}
			}
		}
		p.Panels.Tab, p.Panels.Left = workspace.Outline, false
		if p.Act(ctx, "more-parts", ""); p.Panels.Tab != workspace.Components || !p.Panels.Left {
			t.Errorf("the panels are %+v", p.Panels)
		}
		p.Act(ctx, "choose-parts", "")
		if shown(app.HTMLString(p.Draw()), `data-act="more-parts"`) {
			t.Error("components can be added while several are chosen")
		}
	})
}

// shown reports whether the element with an attribute is shown.
func shown(html, attribute string) bool {
	i := strings.Index(html, attribute)
	tag := html[strings.LastIndex(html[:i], "<"):]
	tag = tag[:strings.Index(tag, ">")]
	return !strings.Contains(tag, " hidden") || strings.Contains(tag, `hidden="false"`)
}

// An option with the value of another one has the warning below it.
func TestRepeatedOptionIsWarnedOf(t *testing.T) {
	uitest.Run(t, func(_ app.Context) {
		w, _ := uitest.Workspace(t, `{"name":"f","start":{"next_node":"s"},"nodes":[{"id":"s","type":"STEP","config":{"components":[
			{"id":"c","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"a","label":"A"},{"value":"a","label":"B"}]}}]}}]}`)
		p := New(w)
		p.Editor.Select(editor.Selection{Nodes: []string{"s"}, Component: "c"})
		p.Selected()
		if s := app.HTMLString(p.Draw()); strings.Count(s, "Is also the value of option 1") != 1 {
			t.Errorf("draws %s", s)
		}
	})
}

// A flow that the tenant lacks stays chosen, says so, and another one can be chosen from the menu of all flows.
func TestMissingFlowIsReplaced(t *testing.T) {
	onFlowForm(t, editor.SelectNodes("run"), func(ctx app.Context, p *Panel) {
		button := `data-arg="` + FlowsMenu
		if s := app.HTMLString(p.Draw()); shown(s, button) || strings.Contains(s, ", not found") {
			t.Errorf("without flows: %s", s)
		}
		p.Flows = []formapi.Flow{{ID: "af_1", Name: "Send the code"}}
		if s := app.HTMLString(p.Draw()); !strings.Contains(s, "#FLOW-1#, not found") || !shown(s, button) {
			t.Errorf("draws %s", s)
		}
		if _, ok := p.FlowItems("more"); ok {
			t.Error("another menu has flows")
		}
		n, i := p.State().Form.Node("run")
		items, ok := p.FlowItems(FlowsMenu + model.NodePath(i).String() + ".config.flow_id")
		if !ok || len(items) != 1 || items[0].Name != "Send the code" || n == nil {
			t.Fatalf("the menu is %+v", items)
		}
		p.Act(ctx, items[0].Act, items[0].Arg)
		if s := app.HTMLString(p.Draw()); strings.Contains(s, ", not found") || !shown(s, button) {
			t.Errorf("after the choice: %s", s)
		}
		p.Editor = editor.New(p.State().Form, editor.Config{ReadOnly: true})
		p.Editor.Select(editor.SelectNodes("run"))
		if s := app.HTMLString(p.Draw()); shown(s, button) {
			t.Errorf("a reader sees %s", s)
		}
	})
}

// An empty control of a flow and the warning below it say what to do: choose one if the tenant's are known, else enter an id.
func TestEmptyFlowSaysWhatToDo(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, `{"name":"f","nodes":[{"id":"run","type":"FLOW","config":{"flow_id":""}}]}`)
		p := New(w)
		p.Editor.Select(editor.SelectNodes("run"))
		p.Selected()
		for ask, flows := range map[string][]formapi.Flow{"Enter the id of a flow": nil, "Choose a flow": {{ID: "af_1", Name: "Send the code"}}} {
			p.Flows = flows
			s := app.HTMLString(p.Draw())
			if !strings.Contains(s, `placeholder="`+ask+`"`) || strings.Count(s, ask+".") != 1 || strings.Contains(s, "af_1a2b3c") {
				t.Errorf("%s: draws %s", ask, s)
			}
		}
		p.Flows = nil
		p.Edit(ctx, "nodes[0].config.flow_id", "my flow")
		if s := app.HTMLString(p.Draw()); !strings.Contains(s, "af_1a2b3c") {
			t.Errorf("with another text: draws %s", s)
		}
	})
}

// A pointer shows the symbol of what it leads to, in the color of its kind.
func TestPointerHasTheSymbolOfItsTarget(t *testing.T) {
	for to, want := range map[string]string{"s": "step", "r": "router", "f": "flow", "odd": "unknown", "$ending": "ending", "gone": "", "": ""} {
		uitest.Run(t, func(app.Context) {
			w, _ := uitest.Workspace(t, `{"name":"f","start":{"next_node":"`+to+`"},"nodes":[{"id":"s","type":"STEP","config":{"components":[]}},
				{"id":"r","type":"ROUTER","config":{"rules":[]}},{"id":"f","type":"FLOW","config":{"flow_id":"af_1"}},{"id":"odd","type":"ODD","config":{}}]}`)
			p := New(w)
			p.Editor.Select(editor.SelectNodes(model.StartID))
			p.Selected()
			_, after, _ := strings.Cut(app.HTMLString(p.Draw()), `data-path="start.next_node"`)
			control, _, _ := strings.Cut(after, "</div>")
			if has := shown(control, `class="target-sign`); has != (want != "") || has && !strings.Contains(control, "#i-"+want) {
				t.Errorf("to %q: draws %s", to, control)
			}
			if want != "" && !strings.Contains(control, `class="target-sign `+want+`"`) {
				t.Errorf("to %q: draws %s", to, control)
			}
		})
	}
}

// The canvas and the outline mark what only the inspector finds, until it is fixed.
func TestHintsAreMarked(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, c := uitest.Workspace(t, `{"name":"f","start":{"next_node":"s"},"nodes":[{"id":"s","type":"STEP","config":{"components":[
			{"id":"c","category":"FIELD","type":"TEXT","label":"Dear {{fields.nobody}}"}]}}]}`)
		p := New(w)
		p.Follow(ctx)
		if d := w.Doubts(); len(d) != 1 || d[0].Path.String() != "nodes[0].config.components[0].label" || len(c.Calls) != 1 {
			t.Errorf("marked are %v, the canvas got %v", d, c.Calls)
		}
		calls := len(c.Calls)
		if p.Follow(ctx); len(c.Calls) != calls {
			t.Errorf("the same is marked again: %v", c.Calls)
		}
		p.Editor.Select(editor.Selection{Nodes: []string{"s"}, Component: "c"})
		p.Selected()
		p.Draw()
		p.Edit(ctx, "nodes[0].config.components[0].label", "Dear you")
		if p.Follow(ctx); len(w.Doubts()) != 0 {
			t.Errorf("marked are still %v", w.Doubts())
		}
	})
}
