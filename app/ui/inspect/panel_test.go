package inspect

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"id":"ap_test","name":"Contact","start":{"next_node":"ask","hidden_fields":[{"key":"a","value":"1"},
	{"key":"b","value":"2"}]},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","config":{"next_node":"which","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},
		{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}]}},
	{"id":"which","type":"ROUTER","alias":"Which","config":{"rules":[
		{"id":"r1","alias":"A","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","a"]}]},
		"next_node":"$ending"},
		{"id":"r2","alias":"B","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","b"]}]},
		"next_node":"$ending"}],
		"fallback":"$ending"}}]}`

// onPanel calls f with the inspector of a form with a selection.
func onPanel(t *testing.T, sel editor.Selection, f func(ctx app.Context, p *Panel)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, form)
		p := New(w)
		p.Editor.Select(sel)
		p.Selected()
		p.Draw()
		f(ctx, p)
	})
}

// keys lists the hidden fields of the start.
func keys(p *Panel) string {
	var out []string
	for _, v := range p.Editor.State().Form.Tree().Object("start").List("hidden_fields") {
		out = append(out, v.(*schema.Object).Text("key"))
	}
	return strings.Join(out, " ")
}

func TestListsAreEditedByTheirButtons(t *testing.T) {
	const list = "start.hidden_fields"
	for _, test := range []struct{ act, arg, want string }{
		{"up", "1 " + list, "b a"},
		{"down", "0 " + list, "b a"},
		{"remove", "0 " + list, "b"},
		{"remove", "2 " + list, "a b"},
		{"add", list, "a b "},
		{"up", "1 start.nothing", "a b"},
		{"clear", list, ""},
		{"clear", "start.nothing", "a b"},
	} {
		onPanel(t, editor.SelectNodes(model.StartID), func(ctx app.Context, p *Panel) {
			if !p.Act(ctx, test.act, test.arg) {
				t.Errorf("%s is not an act of the inspector", test.act)
			}
			if got := keys(p); got != test.want {
				t.Errorf("%s %s leaves %q, want %q", test.act, test.arg, got, test.want)
			}
		})
	}
}

// parts lists the components of the step.
func parts(p *Panel) string {
	n, _ := p.Editor.State().Form.Node("ask")
	var ids []string
	for _, c := range n.Config.(*model.Step).Components {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

func TestPartsAreCopiedAndDeleted(t *testing.T) {
	for _, test := range []struct{ act, arg, want string }{
		{"part-delete", "0", "next"},
		{"part-delete", "2", "mail next"},
		{"part-delete", "x", "mail next"},
		{"part-copy", "1", "mail next and a copy"},
	} {
		onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
			p.Act(ctx, test.act, test.arg)
			if got := parts(p); got != test.want && (test.act != "part-copy" || !strings.HasPrefix(got, "mail next ")) {
				t.Errorf("%s %s leaves %s, want %s", test.act, test.arg, got, test.want)
			}
			if sel := p.Editor.State().Selection; test.act == "part-delete" && (sel.Component != "" || sel.Only() != "ask") {
				t.Errorf("%s %s selects %+v", test.act, test.arg, sel)
			}
		})
	}
}

// Parts of a node and elements of a list move to any place within their list.
func TestElementsMove(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		if p.Move(ctx, partsList, 1, 0); parts(p) != "next mail" {
			t.Errorf("moving leaves %s", parts(p))
		}
	})
	const list = "start.hidden_fields"
	for _, test := range []struct {
		list     string
		from, to int
		want     string
	}{
		{list, 0, 1, "b a c"},
		{list, 0, 2, "b c a"},
		{list, 2, 0, "c a b"},
		{list, 2, 1, "a c b"},
		{list, 0, 5, "a b c"},
		{"start.gone", 0, 1, "a b c"},
	} {
		onPanel(t, editor.SelectNodes(model.StartID), func(ctx app.Context, p *Panel) {
			p.Act(ctx, "add", list)
			p.Draw()
			p.Edit(ctx, list+"[2].key", "c")
			if p.Move(ctx, test.list, test.from, test.to); keys(p) != test.want {
				t.Errorf("moving %d of %s to %d leaves %q, want %q", test.from, test.list, test.to, keys(p), test.want)
			}
		})
	}
}

func TestPressedPartIsSelected(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		p.Act(ctx, "select-part", "mail")
		if sel := p.Editor.State().Selection; sel.Component != "mail" || sel.Only() != "ask" {
			t.Errorf("selects %+v", sel)
		}
	})
	onPanel(t, editor.SelectNodes("which"), func(ctx app.Context, p *Panel) {
		p.Act(ctx, "select-part", "r2")
		if sel := p.Editor.State().Selection; sel.Rule != "r2" || sel.Only() != "which" {
			t.Errorf("selects %+v", sel)
		}
	})
}

func TestUnknownActIsLeftToOthers(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		if p.Act(ctx, "connect", "ask") {
			t.Error("the inspector takes an act of another part")
		}
	})
}

func TestRefusedIDStaysUntilTheSelectionChanges(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		p.Edit(ctx, "nodes[0].id", "which") // the id of another node
		shown := app.HTMLString(p.Draw())
		if n, _ := p.Editor.State().Form.Node("ask"); n == nil || !strings.Contains(shown, `"=which="`) || p.rejected.reason == "" ||
			!strings.Contains(shown, app.HTMLString(app.Span().Text(p.rejected.reason))) {
			t.Errorf("the refused id is not shown with its reason %q:\n%s", p.rejected.reason, shown)
		}
		if p.Selected(); p.rejected.path == "" {
			t.Error("the refused id is forgotten while the node is still selected")
		}
		p.Editor.Select(editor.SelectNodes("which"))
		if p.Selected(); p.rejected.path != "" {
			t.Error("the refused id stays when another node is selected")
		}
	})
}

func TestAcceptedIDClearsTheRefusal(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		p.Edit(ctx, "nodes[0].id", "which")
		p.Edit(ctx, "nodes[0].id", "ask_2")
		if n, _ := p.Editor.State().Form.Node("ask_2"); n == nil || p.rejected.path != "" {
			t.Errorf("node %v, refused %+v", n, p.rejected)
		}
	})
}

// A typed id takes effect when its control loses the focus. Text that each key applies is not applied again then.
func TestIDTakesEffectOnLeaving(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		p.left(ctx, "nodes[0].alias", "Again")
		p.left(ctx, "nodes[1].id", "not_shown")
		p.left(ctx, "nodes[0].id", "ask_2")
		f := p.Editor.State().Form
		if f.Nodes[0].ID != "ask_2" || f.Nodes[0].Alias != "Ask" || f.Nodes[1].ID != "which" {
			t.Errorf("the form has %s with %s, and %s", f.Nodes[0].ID, f.Nodes[0].Alias, f.Nodes[1].ID)
		}
	})
}

// A tick changes the current value of the form, even if the panel still shows an earlier one.
func TestOptionsAndSwitchesAreTicked(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[
			{"id":"c","category":"FIELD","type":"FILE"}]}}]}`)
		p := New(w)
		p.Editor.Select(editor.Selection{Nodes: []string{"s"}, Component: "c"})
		p.Selected()
		p.Draw()
		for _, test := range []struct{ row, option, want string }{
			{"config.categories", "IMAGE", `["IMAGE"]`},
			{"config.categories", "AUDIO", `["AUDIO","IMAGE"]`},
			{"config.categories", "IMAGE", `["AUDIO"]`},
			{"config.categories", "AUDIO", `null`},
			{"required", "", `true`},
			{"required", "", `false`},
		} {
			path, err := schema.ParsePath("nodes[0].config.components[0]." + test.row)
			if err != nil {
				t.Fatal(err)
			}
			p.tick(ctx, path.String(), test.option)
			v, _ := schema.Lookup(p.Editor.State().Form.Tree(), path)
			if got := string(schema.Encode(v)); got != test.want {
				t.Errorf("a tick of %s %s leaves %s, want %s", test.row, test.option, got, test.want)
			}
		}
	})
}

func TestOnlyDrawnRowsAndTheNameAreEdited(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		p.Edit(ctx, "nodes[1].alias", "Not shown")
		p.Edit(ctx, "nodes[0].alias", "Shown")
		p.Edit(ctx, "name", "Renamed")
		f := p.Editor.State().Form
		if f.Nodes[0].Alias != "Shown" || f.Nodes[1].Alias != "Which" || f.Name != "Renamed" {
			t.Errorf("the form has %s, %s and %s", f.Nodes[0].Alias, f.Nodes[1].Alias, f.Name)
		}
	})
}

// Leaving a control ends its undo step: the next edit of the same property is a new step.
func TestLeavingAControlEndsItsUndoStep(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(ctx app.Context, p *Panel) {
		now := time.Now() // simultaneous edits are one step
		p.Editor = editor.New(p.Editor.State().Form, editor.Config{Now: func() time.Time { return now }, Rand: rand.IntN})
		p.Typing = "nodes[0].alias"
		p.Edit(ctx, "nodes[0].alias", "First")
		p.Leave(ctx)
		p.Edit(ctx, "nodes[0].alias", "Second")
		p.Editor.Undo()
		if got := p.Editor.State().Form.Nodes[0].Alias; got != "First" || p.Typing != "" {
			t.Errorf("undo brings %s back, typing in %q", got, p.Typing)
		}
	})
}

func TestOnlyRemovablePartsHaveTheButton(t *testing.T) {
	for _, test := range []struct {
		sel  editor.Selection
		want int
	}{
		{editor.SelectNodes("ask"), 1},
		{editor.SelectNodes("ask", "which"), 1},
		{editor.SelectNodes("ask", model.EndingID), 0},
		{editor.SelectNodes(model.StartID), 0},
		{editor.Selection{}, 0},
		{editor.Selection{Edge: &editor.EdgeRef{From: "ask", Port: model.NextPort}}, 1},
	} {
		onPanel(t, test.sel, func(_ app.Context, p *Panel) {
			if got := strings.Count(app.HTMLString(p.Draw()), `data-act="delete"`); got != test.want {
				t.Errorf("%+v: %d buttons delete, want %d", test.sel, got, test.want)
			}
		})
	}
}

// Who may not change the form is not offered to add a rule.
func TestReadersAddNoRules(t *testing.T) {
	onPanel(t, editor.SelectNodes("which"), func(_ app.Context, p *Panel) {
		for _, reads := range []bool{false, true} {
			p.Editor = editor.New(p.Editor.State().Form, editor.Config{Rand: rand.IntN, Now: time.Now, ReadOnly: reads})
			p.Editor.Select(editor.SelectNodes("which"))
			button := regexp.MustCompile(`<button[^>]*add-rule[^>]*>`).FindString(app.HTMLString(p.Draw()))
			if button == "" || strings.Contains(button, `hidden="false"`) == reads {
				t.Errorf("read-only %v: the button is %q", reads, button)
			}
		}
	})
}

// Every selection is drawn, with the id beside the head of its section and the other sections folded or open.
func TestEverySelectionIsDrawn(t *testing.T) {
	for _, test := range []struct {
		sel  editor.Selection
		want []string
	}{
		{editor.Selection{}, []string{`data-path="name"`, `data-arg="languages"`}},
		{editor.SelectNodes(model.StartID), []string{`data-path="start.hidden_fields[1].value"`, `aria-label="Key of hidden field 1"`}},
		{editor.SelectNodes(model.EndingID), []string{`data-path="ending.resume_flow"`}},
		{editor.SelectNodes("ask"), []string{`data-path="nodes[0].id"`, `data-path="nodes[0].coordinates.x"`, `data-component="mail"`}},
		{editor.SelectNodes("ask", "which"), []string{"2 nodes", `aria-label="Align left"`}},
		{editor.Selection{Nodes: []string{"ask"}, Component: "mail"}, []string{`data-path="nodes[0].config.components[0].id"`, "Answer is kept"}},
		{
			editor.Selection{Nodes: []string{"which"}, Rule: "r1"},
			[]string{`data-path="nodes[1].config.rules[0].condition.operands[0].operands[0]"`, `data-path="nodes[1].config.rules[0].id"`},
		},
		{editor.Selection{Edge: &editor.EdgeRef{From: "ask", Port: model.NextPort}}, []string{"Connection"}},
	} {
		onPanel(t, test.sel, func(_ app.Context, p *Panel) {
			drawn := app.HTMLString(p.Draw())
			for _, want := range test.want {
				if !strings.Contains(drawn, want) {
					t.Errorf("%+v: %s is missing in\n%s", test.sel, want, drawn)
				}
			}
		})
	}
}

// The condition of a rule stands once: as its title, or below its name.
func TestConditionsStandOnce(t *testing.T) {
	const label = "What brings you here today, my friend"
	long := strings.Replace(strings.Replace(form, `"alias":"A",`, "", 1), `"E-mail"`, `"`+label+`"`, 1)
	uitest.Run(t, func(app.Context) {
		w, _ := uitest.Workspace(t, long)
		p := New(w)
		p.Editor.Select(editor.SelectNodes("which"))
		p.Selected()
		drawn := regexp.MustCompile(`\s*<[^>]*>\s*`).ReplaceAllString(app.HTMLString(p.Draw()), "|")
		for text, want := range map[string]int{"|What brings you here today, my… equals a|": 1, "|" + label + " equals a|": 0, "|B|": 1, "|" + label + " equals b|": 1} {
			if n := strings.Count(drawn, text); n != want {
				t.Errorf("%s stands %d times, want %d, in\n%s", text, n, want, drawn)
			}
		}
	})
}

// The head of a component without a name shows its kind once.
func TestHeadShowsAKindOnce(t *testing.T) {
	for id, want := range map[string]string{"mail": `<small hidden="false">`, "pic": `<small hidden>`} {
		uitest.Run(t, func(app.Context) {
			w, _ := uitest.Workspace(t, strings.Replace(form, `"components":[`, `"components":[{"id":"pic","category":"BLOCK","type":"IMAGE"},`, 1))
			p := New(w)
			p.Editor.Select(editor.Selection{Nodes: []string{"ask"}, Component: id})
			p.Selected()
			if _, head, _ := strings.Cut(app.HTMLString(p.Draw()), "<h2>"); !strings.HasPrefix(head[strings.Index(head, "<small"):], want) {
				t.Errorf("%s: the head is %s", id, head[:200])
			}
		})
	}
}

func TestSectionsFold(t *testing.T) {
	onPanel(t, editor.SelectNodes(model.EndingID), func(ctx app.Context, p *Panel) {
		folded := func(title string) bool {
			for _, s := range inspector.Read(p.Editor, nil).Sections {
				if s.Title == title {
					return !p.sections.isOpen(s)
				}
			}
			t.Fatalf("no section %s", title)
			return false
		}
		if !folded("Redirection") {
			t.Error("a section without values is open")
		}
		p.Act(ctx, "fold", "Redirection")
		if folded("Redirection") {
			t.Error("the section stays folded")
		}
		p.Act(ctx, "fold", "Redirection")
		p.Seek = "ending.redirection.target"
		p.Draw()
		if folded("Redirection") || p.Seek != "" {
			t.Errorf("the section of the row that is sought stays folded, seek %q", p.Seek)
		}
	})
}

func TestNumbersStepAndReset(t *testing.T) {
	onPanel(t, editor.SelectNodes(model.EndingID), func(ctx app.Context, p *Panel) {
		delay := func() any {
			v, _ := schema.Lookup(p.Editor.State().Form.Tree(), schema.Path{schema.Key("ending"), schema.Key("redirection"), schema.Key("delay")})
			return v
		}
		p.Act(ctx, "step", "1 ending.redirection.delay")
		p.Draw()
		p.Act(ctx, "step", "1 ending.redirection.delay")
		if got := delay(); got != schema.Number("1") {
			t.Errorf("the delay is %v", got)
		}
		p.Draw()
		p.Act(ctx, "reset", "ending.redirection.delay")
		if got := delay(); got != nil {
			t.Errorf("the delay is reset to %v", got)
		}
		p.Act(ctx, "reset", "ending.nothing")
	})
}

func TestHelpOpensAndCloses(t *testing.T) {
	onPanel(t, editor.SelectNodes(model.EndingID), func(ctx app.Context, p *Panel) {
		if p.Act(ctx, "explain", "ending.redirection.delay"); p.fields.helped != "ending.redirection.delay" {
			t.Errorf("the help of %q is open", p.fields.helped)
		}
		if p.Act(ctx, "explain", "ending.redirection.delay"); p.fields.helped != "" {
			t.Error("the help stays open")
		}
	})
}

// A hint is corrected by its button; the variables that are in scope are listed by origin, and closed when the selection changes.
func TestHintsAndVariables(t *testing.T) {
	onPanel(t, editor.Selection{Nodes: []string{"which"}, Rule: "r1"}, func(ctx app.Context, p *Panel) {
		const path = "nodes[1].config.rules[0].condition.operands[0].operands[0]"
		p.Edit(ctx, path, "{{fields.mai}}")
		if drawn := app.HTMLString(p.Draw()); !strings.Contains(drawn, "No step asks for mai.") {
			t.Errorf("no hint in\n%s", drawn)
		}
		p.Act(ctx, "hint-fix", "0 "+path)
		p.Draw()
		if got := p.rows[path].Text(); got != "{{fields.mail}}" || len(p.hints) != 0 {
			t.Errorf("corrected to %q with %v", got, p.hints)
		}
		p.picker.pick = pick{path: path}
		if drawn := app.HTMLString(p.Draw()); !strings.Contains(drawn, `data-arg="fields.mail"`) || !strings.Contains(drawn, "Hidden fields") {
			t.Errorf("the variables are missing in\n%s", drawn)
		}
		p.Type(SearchID, "b")
		_, all, _ := p.picker.variables()
		if len(all) == 0 || all[0].Text != "fields.b" {
			t.Errorf("a search lists %v", all)
		}
		p.picker.useVariable(ctx, "fields.b")
		p.Draw()
		if got := p.rows[path].Text(); got != "{{fields.b}}" || p.picker.pick.path != "" {
			t.Errorf("the variable gives %q, the list is open for %q", got, p.picker.pick.path)
		}
		p.picker.pick = pick{path: path}
		p.Editor.Select(editor.SelectNodes("ask"))
		if p.Selected(); p.picker.pick.path != "" {
			t.Error("the list stays open when another node is selected")
		}
	})
}

// What a check has found is shown at its rule, with the fixes, until the conditions of the router change.
func TestFlawsAreShownAndFixed(t *testing.T) {
	onPanel(t, editor.SelectNodes("which"), func(ctx app.Context, p *Panel) {
		p.check.found(p.Editor.State().Form, []message.Flaw{
			{Path: "nodes[1].config.rules[1]", Text: "Never decides.", Example: "For example so.", Moves: true, Before: 0, Removes: true},
			{Path: "nodes[1].config.rules[10]", Text: "Of another rule."},
		})
		drawn := app.HTMLString(p.Draw())
		for _, want := range []string{"Never decides.", "For example so.", "Move above rule 1", "Delete the rule"} {
			if strings.Count(drawn, want) != 1 {
				t.Errorf("%q is shown %d times", want, strings.Count(drawn, want))
			}
		}
		if strings.Contains(drawn, "Of another rule.") {
			t.Error("a rule shows what is wrong with another one")
		}
		p.Act(ctx, "rule-move", "1 0")
		p.Act(ctx, "rule-move", "x 0")
		n, _ := p.Editor.State().Form.Node("which")
		if got := n.Rule(0).ID; got != "r2" {
			t.Errorf("the first rule is %s", got)
		}
		if strings.Contains(app.HTMLString(p.Draw()), "Never decides.") {
			t.Error("the finding stays after an edit")
		}
	})
}

// A rule in which a value is missing is not judged while it is open.
func TestUnfinishedRulesAreNotJudged(t *testing.T) {
	onPanel(t, editor.SelectNodes("which"), func(_ app.Context, p *Panel) {
		f := p.Editor.State().Form
		n, at := f.Node("which")
		condition := model.RulePath(at, 1).Key("condition")
		set := func(value any) {
			compare := schema.NewObject(schema.Member{Key: "operator", Value: "EQ"}, schema.Member{Key: "operands", Value: []any{"{{fields.a}}", value}})
			if err := p.Editor.Run(editor.Set{Path: condition, Value: schema.NewObject(schema.Member{Key: "operator", Value: "AND"},
				schema.Member{Key: "operands", Value: []any{compare}})}); err != nil {
				t.Fatal(err)
			}
			p.check.found(p.Editor.State().Form, []message.Flaw{{Path: condition.String(), Text: "Never holds."}, {Path: model.RulePath(at, 0).String(), Text: "Another."}})
		}
		open := editor.Selection{Nodes: []string{"which"}, Rule: n.Rule(1).ID}
		for _, tt := range []struct {
			value any
			sel   editor.Selection
			want  int
		}{{"", open, 1}, {" ", open, 1}, {"x", open, 2}, {schema.Number("0"), open, 2}, {"", editor.SelectNodes("which"), 2}, {"", editor.Selection{}, 2}} {
			set(tt.value)
			p.Editor.Select(tt.sel)
			if got := p.Flaws(); len(got) != tt.want {
				t.Errorf("with the value %v and %+v selected there are %v", tt.value, tt.sel, got)
			}
		}
	})
}

// A table is edited with the keys of its rows, and made of lines.
func TestTableIsPasted(t *testing.T) {
	const list = "start.hidden_fields"
	onPanel(t, editor.SelectNodes(model.StartID), func(ctx app.Context, p *Panel) {
		p.Act(ctx, "paste-open", list)
		if p.lists.paste.text != "a\t1\nb\t2\n" {
			t.Errorf("the text is %q", p.lists.paste.text)
		}
		if !p.Type(PasteID, "b\t2\nc\n") {
			t.Error("the text is not the inspector's")
		}
		p.Draw()
		p.Act(ctx, "paste-use", list)
		if keys(p) != "b c" || p.lists.paste.path != "" {
			t.Errorf("the keys are %q", keys(p))
		}
		p.Act(ctx, "paste-open", list)
		p.Type(PasteID, "")
		p.Act(ctx, "paste-cancel", "")
		if keys(p) != "b c" || p.lists.paste.path != "" {
			t.Errorf("after a cancel the keys are %q", keys(p))
		}
	})
}

// The head of a table opens its lines while they are not open, and the foot of a long one removes it as a whole. Anything else is removed at its head.
func TestTableIsRemovedAtItsFoot(t *testing.T) {
	const list = "nodes[0].config.components[0].config.options"
	path, err := schema.ParsePath(list)
	if err != nil {
		t.Fatal(err)
	}
	uitest.Run(t, func(ctx app.Context) {
		options := `{"value":"0","label":"A"}`
		for i := 1; i < long; i++ {
			options += fmt.Sprintf(`,{"value":"%d","label":"A"}`, i)
		}
		w, _ := uitest.Workspace(t, `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[
			{"id":"c","category":"FIELD","type":"CHOICE","config":{"options":[`+options+`]}}]}}]}`)
		p := New(w)
		p.Editor.Select(editor.Selection{Nodes: []string{"s"}, Component: "c"})
		p.Selected()
		buttons := regexp.MustCompile(`<button[^>]*>`)
		// drawn returns where a button of the table stands in the panel, negative if it is not shown.
		drawn := func(act string) int {
			html := app.HTMLString(p.Draw())
			for _, at := range buttons.FindAllStringIndex(html, -1) {
				tag := html[at[0]:at[1]]
				if strings.Contains(tag, `data-act="`+act+`"`) && strings.Contains(tag, `data-arg="`+list+`"`) && !isHidden(tag) {
					return at[0]
				}
			}
			return -1
		}
		if head, add, foot := drawn("paste-open"), drawn("add"), drawn("clear"); head < 0 || head > add || add > foot {
			t.Errorf("the buttons stand at %d, %d and %d", head, add, foot)
		}
		p.Act(ctx, "paste-open", list)
		if drawn("paste-open") >= 0 {
			t.Error("the open lines can be opened")
		}
		p.Act(ctx, "paste-cancel", "")
		p.Act(ctx, "remove", "0 "+list)
		if drawn("clear") >= 0 {
			t.Error("a short table is removed at once")
		}
		p.Editor.Undo()
		p.Act(ctx, "clear", list)
		if _, ok := schema.Lookup(p.Editor.State().Form.Tree(), path); ok || drawn("clear") >= 0 {
			t.Error("the table is not removed")
		}
	})
}

// A field that the form lacks is marked in rules and in rich text, which shows the others by their labels.
func TestUnknownVariablesAreMarked(t *testing.T) {
	uitest.Run(t, func(app.Context) {
		w, _ := uitest.Workspace(t, `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},
			{"id":"b","category":"BLOCK","type":"RICH_TEXT","config":{"content":"{{fields.mail}} {{fields.gone}}"}}]}},
			{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":{"operator":"EQ","operands":["{{fields.gone}}","{{fields.mail}}"]}}]}}]}`)
		p := New(w)
		for _, tt := range []struct {
			sel  editor.Selection
			want string
		}{
			{editor.Selection{Nodes: []string{"r"}, Rule: "x"}, "called unknown"},
			{editor.Selection{Nodes: []string{"s"}, Component: "b"}, `{"{{fields.gone}}":["warn","fields.gone"],"{{fields.mail}}":["mail","E-mail"]}`},
		} {
			p.Editor.Select(tt.sel)
			p.Selected()
			if drawn := strings.ReplaceAll(app.HTMLString(p.Draw()), `\"`, `"`); strings.Count(drawn, tt.want) != 1 {
				t.Errorf("%+v: %q is not drawn once", tt.sel, tt.want)
			}
		}
	})
}

// A flow shows its name, and one that the tenant lacks is told.
func TestFlowIsNamed(t *testing.T) {
	const lack = "There is no such flow"
	for _, tt := range []struct {
		flow          string
		known         []formapi.Flow
		named, lacked bool
	}{
		{flow: "af_1"},
		{flow: "af_1", known: []formapi.Flow{{ID: "af_1", Name: "Send the code"}}, named: true},
		{flow: "#FLOW-1#", known: []formapi.Flow{{ID: "af_1", Name: "Send the code"}}, lacked: true},
		{known: []formapi.Flow{{ID: "af_1", Name: "Send the code"}}},
	} {
		uitest.Run(t, func(app.Context) {
			w, _ := uitest.Workspace(t, `{"id":"ap_test","name":"f","nodes":[{"id":"f","type":"FLOW","config":{"flow_id":"`+tt.flow+`"}}]}`)
			w.Flows = tt.known
			p := New(w)
			p.Editor.Select(editor.SelectNodes("f"))
			p.Selected()
			html := app.HTMLString(p.Draw())
			if named, lacked := strings.Contains(html, "Send the code"), strings.Contains(html, lack); named != tt.named || lacked != tt.lacked {
				t.Errorf("%+v: named %t, lacked %t", tt, named, lacked)
			}
		})
	}
}

// Who may not change the form is offered no way to add, remove or move anything.
func TestReadersAreOfferedNoEdits(t *testing.T) {
	uitest.Run(t, func(app.Context) {
		w, _ := uitest.Workspace(t, `{"name":"f","start":{"next_node":"s","hidden_fields":[{"key":"k","value":"v"}]},"nodes":[{"id":"s","type":"STEP","config":{"components":[
			{"id":"c","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"a","label":"A"}]}},
			{"id":"p","category":"FIELD","type":"CUSTOM","config":{"schema":{},"code":"x","params":{"k":"v"}}}]}},
			{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.c}}","a"]}]}}]}}]}`)
		p := New(w)
		edits := regexp.MustCompile(`<(?:button|div[^>]*class="(?:item-tools|adders|adders wide|new-entry)")[^>]*>`)
		for _, reads := range []bool{false, true} {
			p.Editor = editor.New(p.Editor.State().Form, editor.Config{Rand: rand.IntN, Now: time.Now, ReadOnly: reads})
			for _, sel := range []editor.Selection{
				editor.SelectNodes(model.StartID), editor.SelectNodes("s"), {Nodes: []string{"s"}, Component: "c"}, {Nodes: []string{"s"}, Component: "p"}, {Nodes: []string{"r"}, Rule: "x"},
			} {
				p.Editor.Select(sel)
				p.Selected()
				hidden, offered := false, 0
				for _, tag := range edits.FindAllString(app.HTMLString(p.Draw()), -1) {
					if strings.HasPrefix(tag, "<div") {
						hidden = isHidden(tag)
						continue
					}
					for _, act := range []string{"add", "remove", "up", "down", "part-copy", "part-delete", "paste-open", "add-rule", "clear"} {
						if strings.Contains(tag, `data-act="`+act+`"`) && !hidden && !isHidden(tag) {
							offered++
						}
					}
				}
				if (offered > 0) == reads {
					t.Errorf("read-only %v: %+v offers %d edits", reads, sel, offered)
				}
			}
		}
	})
}

// isHidden reports whether a tag has the attribute hidden.
func isHidden(tag string) bool {
	return strings.Contains(tag, " hidden") && !strings.Contains(tag, `hidden="false"`)
}

// Code that is shown large has a button that closes the large view.
func TestLargeCodeIsClosed(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, `{"name":"f","nodes":[{"id":"ask","type":"STEP","config":{"components":[{"id":"own","category":"BLOCK","type":"HTML","config":{"content":"<b>"}}]}}]}`)
		p := New(w)
		p.Editor.Select(editor.Selection{Nodes: []string{"ask"}, Component: "own"})
		p.Selected()
		const path = "nodes[0].config.components[0].config.content"
		for _, want := range []string{"Show large", "Close the large view", "Show large"} {
			drawn := app.HTMLString(p.Draw())
			button := regexp.MustCompile(`(?s)<button[^>]*data-act="large".*?</button>`).FindString(drawn)
			if icon := strings.Contains(button, `"#i-close"`); !strings.Contains(button, `aria-label="`+want+": ") || icon != (want != "Show large") || strings.Contains(drawn, " large\"") != icon {
				t.Errorf("want %q, the button is %s", want, button)
			}
			p.Act(ctx, "large", path)
		}
	})
}

// What a new component lacks is asked for, and is no mistake before its control was left empty.
func TestNewComponentIsNotBlamed(t *testing.T) {
	onPanel(t, editor.SelectNodes("ask"), func(_ app.Context, p *Panel) {
		if err := p.Editor.Run(p.Editor.Make().Component(model.KindOf("MAPS_ADDRESS"), "ask", 0)); err != nil {
			t.Fatal(err)
		}
		if shown := app.HTMLString(p.Draw()); strings.Contains(shown, `role="alert"`) || strings.Contains(shown, `aria-invalid="true"`) ||
			!strings.Contains(shown, "Still to fill in.") {
			t.Errorf("a new component draws %s", shown)
		}
		p.Editor.Left(formtest.Path(t, "nodes[0].config.components[0].config.api_key"))
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, `role="alert"`) || strings.Contains(shown, "Still to fill in.") {
			t.Errorf("a control that was left empty draws %s", shown)
		}
	})
}
