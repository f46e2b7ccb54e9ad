package inspect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// many is the number of elements in each list of longForm.
const many = 1000

// longForm is a form in which everything is long: the hidden fields, the nodes, the components of a step, the options of its first field, the rules
// of a router, and the condition of its first rule.
func longForm() string {
	list := func(format string) string {
		all := make([]string, many)
		for i := range all {
			all[i] = fmt.Sprintf(format, i)
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	nodes := list(`{"id":"n%d","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}`)
	fields := list(`{"id":"f%d","category":"FIELD","type":"TEXT","label":"A"}`)
	rules := list(`{"id":"r%d","alias":"A","condition":{"operator":"AND","operands":[]},"next_node":"$ending"}`)
	terms := list(`{"operator":"EQ","operands":["{{fields.f0}}","%d"]}`)
	return `{"id":"ap_test","name":"Long","start":{"hidden_fields":` + list(`{"key":"k%d","value":"1"}`) + `},"nodes":[
		{"id":"ask","type":"STEP","config":{"next_node":"n900","components":[
			{"id":"one","category":"FIELD","type":"DROPDOWN","label":"A","config":{"options":` + list(`{"value":"o%d","label":"A"}`) + `}},` + fields[1:] + `}},
		{"id":"which","type":"ROUTER","config":{"fallback":"$ending","rules":[
			{"id":"one","alias":"A","condition":{"operator":"AND","operands":` + terms + `},"next_node":"$ending"},` + rules[1:] + `}},` + nodes[1:] + `}`
}

// onLongForm calls f with the inspector of longForm with a selection.
func onLongForm(t *testing.T, sel editor.Selection, f func(ctx app.Context, p *Panel)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, longForm())
		p := New(w)
		p.Editor.Select(sel)
		p.Selected()
		f(ctx, p)
	})
}

// The lists of the inspector draw some of their elements, more when they are asked for, and always the one that somebody goes to.
func TestLongListsAreDrawnInParts(t *testing.T) {
	step := editor.Selection{Nodes: []string{"ask"}, Component: "one"}
	router := editor.Selection{Nodes: []string{"which"}, Rule: "one"}
	for _, test := range []struct {
		name    string
		sel     editor.Selection
		list    string // as in the arguments of the buttons
		element string // what each element has once
		place   string // in the element 700, "" if one goes there otherwise
	}{
		{"elements", editor.SelectNodes(model.StartID), "start.hidden_fields", `aria-label="Remove hidden field `, "start.hidden_fields[700].key"},
		{"options", step, "nodes[0].config.components[0].config.options", `aria-label="Move option `, "nodes[0].config.components[0].config.options[700].value"},
		{"terms", router, "nodes[1].config.rules[0].condition.operands", `aria-label="Remove condition `, "nodes[1].config.rules[0].condition.operands[700].operands[1]"},
		{"components", editor.SelectNodes("ask"), partsList, "<li", ""},
		{"rules", editor.SelectNodes("which"), partsList, `data-rule="`, "nodes[1].config.rules[700].alias"},
	} {
		onLongForm(t, test.sel, func(ctx app.Context, p *Panel) {
			drawn := func() (n int, html string) {
				html = app.HTMLString(p.Draw())
				return strings.Count(html, test.element), html
			}
			n, html := drawn()
			if n != kit.SpanStep || !strings.Contains(html, fmt.Sprintf("Show %d of ", kit.SpanStep)) {
				t.Errorf("%s: %d are drawn at first", test.name, n)
			}
			p.Act(ctx, "more-rows", "more-"+test.list)
			if n, _ := drawn(); n != 2*kit.SpanStep {
				t.Errorf("%s: %d are drawn when more are asked for", test.name, n)
			}
			if test.place == "" {
				return
			}
			path, err := schema.ParsePath(test.place)
			if err != nil {
				t.Fatal(err)
			}
			p.ShowPlace(ctx, path)
			p.Selected()
			drawn() // opens the section
			if n, html := drawn(); n != kit.SpanStep || !strings.Contains(html, `data-path="`+test.place+`"`) {
				t.Errorf("%s: of %d that are drawn, none is that of %s", test.name, n, test.place)
			}
			p.Act(ctx, "more-rows", "before-"+test.list)
			if n, _ := drawn(); n != 2*kit.SpanStep {
				t.Errorf("%s: %d are drawn when those before are asked for", test.name, n)
			}
		})
	}
}

// A component that was left is among those of its step that are drawn. Another node's are drawn from the first.
func TestListsAreDrawnAtWhatWasSelected(t *testing.T) {
	onLongForm(t, editor.Selection{Nodes: []string{"ask"}, Component: "f699"}, func(_ app.Context, p *Panel) {
		first := func(sel editor.Selection) string {
			p.Editor.Select(sel)
			p.Selected()
			html := app.HTMLString(p.Draw())
			_, html, _ = strings.Cut(html, `class="part-row"`)
			before, _, _ := strings.Cut(html, "</li>")
			_, id, _ := strings.Cut(before, `data-arg="f`)
			id, _, _ = strings.Cut(id, `"`)
			return id
		}
		if got := first(editor.SelectNodes("ask")); got != "649" {
			t.Errorf("the first is f%s, want f649", got)
		}
		first(editor.SelectNodes("which"))
		if got := first(editor.SelectNodes("ask")); got != "" {
			t.Errorf("the first is f%s, want that of the list", got)
		}
	})
}

// What is added to a long list, or moves in it, stays in sight.
func TestAddedElementsAreDrawn(t *testing.T) {
	onLongForm(t, editor.SelectNodes(model.StartID), func(ctx app.Context, p *Panel) {
		const list = "start.hidden_fields"
		p.Draw()
		for _, test := range []struct {
			act, arg string
			want     int
		}{
			{"add", list, many}, {"down", fmt.Sprintf("%d %s", many-52, list), many - 51}, {"up", fmt.Sprintf("%d %s", many-50, list), many - 51},
		} {
			p.Act(ctx, test.act, test.arg)
			if html := app.HTMLString(p.Draw()); !strings.Contains(html, fmt.Sprintf(`data-path="%s[%d].key"`, list, test.want)) {
				t.Errorf("%s %s: the element %d is not drawn", test.act, test.arg, test.want)
			}
		}
	})
}

// A control offers some of many options, and the one that is chosen. A pointer has a button that finds a node.
func TestManyOptions(t *testing.T) {
	onLongForm(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		set := ""
		p.Find = func(_ app.Context, way editor.EdgeRef, clear bool, of func(string) editor.Command) {
			if err := p.Editor.Run(of("n999")); err != nil || (way != editor.EdgeRef{From: "ask", Port: "next"}) || !clear {
				t.Error(err, way, clear)
			}
			set = string(p.Editor.State().Form.Nodes[0].Config.(*model.Step).Next)
		}
		_, html, _ := strings.Cut(app.HTMLString(p.Draw()), `data-path="nodes[0].config.next_node"`)
		control, _, _ := strings.Cut(html, "</button>")
		if strings.Contains(control, "<option") || !strings.Contains(control, "n900") {
			t.Errorf("the control is %s", control)
		}
		if p.Act(ctx, "find-node", "nodes[0].config.next_node"); set != "n999" {
			t.Errorf("%s was found", set)
		}
	})
	onLongForm(t, editor.Selection{Nodes: []string{"ask"}, Component: "one"}, func(_ app.Context, p *Panel) {
		_, html, _ := strings.Cut(app.HTMLString(p.Draw()), `data-path="nodes[0].config.components[0].config.default_value"`)
		options, _, _ := strings.Cut(html, "</select>")
		if n := strings.Count(options, "<option"); n != 1+mostOptions+1 || !strings.Contains(options, fmt.Sprintf("%d more", many-mostOptions)) {
			t.Errorf("%d options of the default value", n)
		}
	})
}

// The list of variables has as many as can be drawn. Typing finds the others.
func TestManyVariables(t *testing.T) {
	onLongForm(t, editor.SelectNodes("n0"), func(_ app.Context, p *Panel) {
		p.Draw()
		p.picker.pick.path = "nodes[2].config.flow_id"
		p.rows[p.picker.pick.path] = p.rows["nodes[2].alias"]
		for query, want := range map[string]int{"": kit.SpanStep, "f99": 11, "none": 0} {
			p.picker.pick.query = query
			groups, all, more := p.picker.variables()
			n := 0
			for _, g := range groups {
				n += len(g.Variables)
			}
			if len(all) != want || n != want || more != (query == "") {
				t.Errorf("%q: %d in groups, %d in the list, more: %v", query, n, len(all), more)
			}
		}
	})
}
