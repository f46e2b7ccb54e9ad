package problems

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run/scope"
	"github.com/formgraph/formgraph/model/schema"
)

const valid = `{"id":"ap_test","name":"Contact","languages":{"primary":"en"},"start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","config":{"components":[{"id":"b1","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],
	"next_node":"more"}},
	{"id":"more","type":"STEP","config":{"components":[{"id":"b2","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],
	"next_node":"$ending"}}]}`

func onPanel(t *testing.T, form string, refused schema.Problems, f func(ctx app.Context, p *Panel, c *uitest.Canvas)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, c := uitest.Workspace(t, form)
		f(ctx, New(w, Sources{Refused: func() schema.Problems { return refused }}), c)
	})
}

func at(t *testing.T, path string) schema.Problem {
	t.Helper()
	p, err := schema.ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	return schema.Problem{Path: p, Detail: "must be right"}
}

func TestStepCyclesThroughTheProblems(t *testing.T) {
	refused := schema.Problems{at(t, "nodes[0].id"), at(t, "nodes[1].id"), at(t, "name")}
	for _, test := range []struct {
		by   int
		want []string
	}{{1, []string{"", "ask", "more", ""}}, {-1, []string{"more", "ask", "", "more"}}} {
		onPanel(t, valid, refused, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if n := len(p.remarks()); n != 3 {
				t.Fatalf("the form has %d problems of its own", n-3)
			}
			var got []string
			for range test.want {
				p.Step(ctx, test.by)
				got = append(got, p.Editor.State().Selection.Only())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("steps of %d go to %q, want %q", test.by, got, test.want)
			}
		})
	}
}

func TestStepReportsNoProblems(t *testing.T) {
	onPanel(t, valid, nil, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		p.Step(ctx, 1)
		if p.Toast.Text() == "" || !strings.Contains(app.HTMLString(p.Draw()), "no problems and no warnings") {
			t.Errorf("says %q", p.Toast.Text())
		}
	})
}

func TestGoToSelectsAndShowsTheNode(t *testing.T) {
	onPanel(t, valid, schema.Problems{at(t, "nodes[1].id")}, func(ctx app.Context, p *Panel, c *uitest.Canvas) {
		p.GoTo(ctx, 1) // there is no such problem
		if len(c.Calls) > 0 || p.Panels.Right {
			t.Errorf("goes to a missing problem: %q", c.Calls)
		}
		p.GoTo(ctx, 0)
		if p.Editor.State().Selection.Only() != "more" || !slices.Contains(c.Calls, "ZoomTo more") || !p.Panels.Right {
			t.Errorf("selects %+v, canvas %q", p.Editor.State().Selection, c.Calls)
		}
	})
}

func TestListIsBoundedAndFiltered(t *testing.T) {
	var nodes []string
	for i := range shownLimit + 5 {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","config":{"components":[]}}`, i))
	}
	onPanel(t, `{"id":"ap_test","name":"","nodes":[`+strings.Join(nodes, ",")+`]}`, nil, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		problems, warnings := len(p.Editor.Found().Problems()), len(p.Editor.Found().Warnings())
		drawn := func() (string, int) {
			shown := app.HTMLString(p.Draw())
			return shown, strings.Count(shown, `data-act="problem"`)
		}
		if problems == 0 || warnings <= shownLimit {
			t.Fatalf("the form has %d problems and %d warnings", problems, warnings)
		}
		if shown, n := drawn(); n != shownLimit || !strings.Contains(shown, fmt.Sprintf("and %d more", problems+warnings-shownLimit)) {
			t.Errorf("of %d and %d it draws %d", problems, warnings, n)
		}
		p.Act(ctx, FilterAct, onlyProblems)
		if _, n := drawn(); n != problems {
			t.Errorf("of %d problems it draws %d", problems, n)
		}
		p.Act(ctx, FilterAct, onlyWarnings)
		p.Act(ctx, SelectedAct, "")
		if _, n := drawn(); n != 0 {
			t.Errorf("with nothing selected it draws %d", n)
		}
		p.Editor.Select(editor.SelectNodes("n3", "n4"))
		if _, n := drawn(); n != 2 {
			t.Errorf("of two selected nodes it draws %d", n)
		}
	})
}

// A fix has the icon of what it does, whatever its name: "Remove the spaces" removes no property.
func TestIconsOfFixes(t *testing.T) {
	path := schema.Path{{Key: "name"}}
	for want, c := range map[string]editor.Command{
		"plus":   editor.AddComponent{},
		"trash":  editor.RemoveNodes{},
		"up":     editor.MoveItem{},
		"edge":   editor.Sequence{Commands: []editor.Command{editor.Connect{}, editor.Clear{}}},
		"pencil": editor.Set{Path: path, Value: "trimmed"},
	} {
		if got := fixIcon(c); got != want {
			t.Errorf("%T has the icon %s, want %s", c, got, want)
		}
	}
}

// The menu of a line has what the line offers.
func TestMenuOfALine(t *testing.T) {
	form := strings.Replace(valid, `"next_node":"$ending"`, `"x":"y"`, 1)
	onPanel(t, form, nil, func(_ app.Context, p *Panel, _ *uitest.Canvas) {
		const deadEnd = "2"
		items := p.Menu(deadEnd)
		if len(items) < 4 || items[0].Act != "problem" || items[0].Arg != deadEnd || items[1].Name != "" || items[2].Act != FixAct || items[len(items)-1].Act != PlayAct {
			t.Fatalf("the menu is %+v", items)
		}
		if items[2].Name != "Connect to the ending" || items[2].Icon != "edge" {
			t.Errorf("the fix is %+v, want the icon of a connection", items[2])
		}
		shown := app.HTMLString(p.Draw())
		for _, part := range []string{`data-menu="problems"`, `data-of="` + deadEnd + `"`} {
			if !strings.Contains(shown, part) {
				t.Errorf("%s is missing in %s", part, shown)
			}
		}
		for _, it := range items[2:] {
			if !strings.Contains(shown, ">"+it.Name+"</button>") {
				t.Errorf("%s is not offered in %s", it.Name, shown)
			}
		}
		if node, edges := p.Journey(2); node == "" || len(edges) == 0 {
			t.Errorf("the journey to the dead end %q is %q", node, edges)
		}
		if node, edges := p.Journey(99); node != "" || edges != nil {
			t.Errorf("a line that is gone has the journey %q to %q", edges, node)
		}
		if p.Menu("99") != nil {
			t.Error("a line that is gone has a menu")
		}
	})
}

// The remarks about a node stand under its name, which they do not repeat, and no path is in sight.
func TestRemarksAreGroupedByNode(t *testing.T) {
	form := strings.Replace(valid, `"id":"more","type":"STEP"`, `"id":"more","type":"STEP","alias":"Later"`, 1)
	form = strings.ReplaceAll(form, `"config":{"text":"On"}`, `"config":{}`)
	onPanel(t, form, nil, func(_ app.Context, p *Panel, _ *uitest.Canvas) {
		groups := p.groups(p.remarks())
		if len(groups) != 2 || groups[0].key != "ask" || groups[1].name != "Later" {
			t.Fatalf("groups are %+v", groups)
		}
		shown := app.HTMLString(p.Draw())
		if strings.Contains(shown, "Later ›") || strings.Contains(shown, ">nodes[") {
			t.Errorf("draws %s", shown)
		}
	})
}

// A graph warning lights the way that shows it, until the person goes on. A fix is one step that undo reverts.
func TestWarningLightsItsWayAndIsFixed(t *testing.T) {
	form := strings.Replace(valid, `"next_node":"$ending"`, `"x":"y"`, 1)
	onPanel(t, form, nil, func(ctx app.Context, p *Panel, c *uitest.Canvas) {
		all := p.remarks()
		i := slices.IndexFunc(all, func(r *remark) bool { return r.Code == schema.CodeDeadEnd })
		if i < 0 {
			t.Fatalf("no dead end in %v", all)
		}
		p.GoTo(ctx, i)
		if !slices.Contains(c.Calls, "Mark $start ask ask more $start:next ask:next ") {
			t.Errorf("the canvas was told %q", c.Calls)
		}
		p.Follow()
		if last := c.Calls[len(c.Calls)-1]; !strings.HasPrefix(last, "Mark $start") {
			t.Errorf("the marks do not stay: %s", last)
		}
		p.Editor.Select(editor.Selection{})
		if p.Follow(); c.Calls[len(c.Calls)-1] != "Mark " {
			t.Errorf("the marks stay: %q", c.Calls)
		}
		steps := len(p.Editor.Steps())
		p.Act(ctx, FixAct, fmt.Sprintf("%d 0", i))
		if len(p.Editor.Steps()) != steps+1 || slices.ContainsFunc(p.remarks(), func(r *remark) bool { return r.Code == schema.CodeDeadEnd }) {
			t.Errorf("the fix made %d steps and left %v", len(p.Editor.Steps())-steps, p.remarks())
		}
	})
}

// Hints about references and flaws of rules are warnings with their own fixes.
func TestHintsAndFlawsAreListedWithTheirFixes(t *testing.T) {
	form := `{"id":"ap_test","name":"N","start":{"next_node":"r"},"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[
		{"id":"r1","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mai}}","a"]}]},"next_node":"$ending"},
		{"id":"r2","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","a"]}]},"next_node":"$ending"}],"fallback":"$ending"}}]}`
	onPanel(t, form, nil, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		at := "nodes[0].config.rules[0].condition.operands[0].operands[0]"
		asking := formtest.Parse(t, `{"start":{"next_node":"s"},"nodes":[
			{"id":"r","type":"ROUTER","config":{"rules":[{"id":"r1","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mai}}","a"]}]}}]}},
			{"id":"s","type":"STEP","config":{"next_node":"r","components":[{"id":"mail","category":"FIELD","type":"EMAIL"}]}}]}`)
		hints := inspector.Hints(scope.Analyze(asking))
		if len(hints[at]) != 1 || hints[at][0].Instead() != "mail" {
			t.Fatalf("the hints are %+v", hints)
		}
		p.Hints = func() map[string][]inspector.Hint { return hints }
		p.Flaws = func() []message.Flaw {
			return []message.Flaw{{Path: "nodes[0].config.rules[1]", Text: "Never decides.", Removes: true, Moves: true}}
		}
		all := p.remarks()
		hint, flaw := all[len(all)-2], all[len(all)-1]
		names := []string{}
		for _, r := range []*remark{hint, flaw} {
			for _, f := range p.fixes(r) {
				names = append(names, f.Name)
			}
		}
		if got := strings.Join(names, ", "); !strings.HasPrefix(got, "Use ") || !strings.HasSuffix(got, "Move above rule 1, Delete the rule") {
			t.Errorf("the fixes are %s", got)
		}
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, "<b>Rule 1</b>") || !strings.Contains(shown, "<b>Rule 2</b>") {
			t.Errorf("the rules are not named in %s", shown)
		}
		if n, of := p.Counted(); n < 2 || of != warned {
			t.Errorf("counts %d of %d", n, of)
		}
		p.Act(ctx, FixAct, fmt.Sprintf("%d 1", flaw.index))
		if n, _ := p.Editor.State().Form.Node("r"); len(n.Config.(*model.Router).Rules) != 1 {
			t.Error("the rule is still there")
		}
	})
}

func TestCountNamesProblemsElseWarnings(t *testing.T) {
	for form, want := range map[string]string{
		valid: "",
		strings.Replace(valid, `"Contact"`, `""`, 1):             "1 problem",
		strings.Replace(valid, `"next_node":"more"`, `"x":1`, 1): "1 problem", // which takes precedence over its warnings
		strings.Replace(valid, `:"ask"}`, `:"more"}`, 1):         "1 warning",
	} {
		onPanel(t, form, nil, func(_ app.Context, p *Panel, _ *uitest.Canvas) {
			got := app.HTMLString(p.Count())
			if want != "" && !strings.Contains(got, want) || want == "" && strings.Contains(got, "problem") {
				t.Errorf("%s\nhas problems %v, warnings %v, counted %s, want %q", form, p.Editor.Found().Problems(), p.Editor.Found().Warnings(), got, want)
			}
		})
	}
}

// Problems that the saved form already has are listed and counted separately.
func TestInheritedProblemsAreListedSeparately(t *testing.T) {
	broken := strings.Replace(valid, `"config":{"text":"On"}`, `"config":{}`, 1)
	onPanel(t, broken, schema.Problems{at(t, "nodes[1].id")}, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		p.Editor = editor.New(p.Editor.Base(), editor.Config{Remote: true, Now: time.Now})
		shown, count := app.HTMLString(p.Draw()), app.HTMLString(p.Count())
		if !strings.Contains(count, "1 earlier problem") || !strings.Contains(shown, "Already in the saved form") ||
			!strings.Contains(shown, "Refused by the server") {
			t.Errorf("counts %s\n%s", count, shown)
		}
		if err := p.Editor.Run(editor.Set{Path: schema.Path{schema.Key("name")}, Value: ""}); err != nil {
			t.Fatal(err)
		}
		if count := app.HTMLString(p.Count()); !strings.Contains(count, ">1 problem<") {
			t.Errorf("with a problem of the person's own it counts %s", count)
		}
		for i, want := range []string{"", "ask", "more"} { // own, earlier, refused
			p.GoTo(ctx, i)
			if got := p.Editor.State().Selection.Only(); got != want {
				t.Errorf("problem %d is of %q, want %q", i, got, want)
			}
		}
	})
}

// A line does not repeat the name of its node, which stands above it.
func TestLinesLeaveTheNameToTheHeading(t *testing.T) {
	onPanel(t, `{"id":"ap_test","name":"f","start":{"next_node":"$ending"},"nodes":[{"id":"lost","type":"STEP","alias":"Lost","config":{"components":[]}}]}`, nil,
		func(_ app.Context, p *Panel, _ *uitest.Canvas) {
			if html := app.HTMLString(p.Draw()); strings.Count(html, "Lost") != 2 || !strings.Contains(html, "Cannot be reached from the start.") {
				t.Errorf("draws %s", html)
			}
		})
}

// A flow that the tenant is known to lack has the same message as in the inspector. A tenant of another make may have flows with any IDs.
func TestUnknownFlow(t *testing.T) {
	onPanel(t, `{"id":"ap_test","name":"f","start":{"next_node":"a"},"nodes":[{"id":"a","type":"FLOW","config":{"flow_id":"#FLOW-1#","next_node":"$ending"}}]}`, nil,
		func(_ app.Context, p *Panel, _ *uitest.Canvas) {
			for _, tt := range []struct {
				known   []formapi.Flow
				missing bool
			}{{nil, false}, {[]formapi.Flow{{ID: "af_1", Name: "Send the code"}}, true}, {[]formapi.Flow{{ID: "#FLOW-1#", Name: "Odd"}}, false}} {
				p.Flows = tt.known
				if html := app.HTMLString(p.Draw()); strings.Contains(html, workspace.NoSuchFlow("#FLOW-1#")) != tt.missing || strings.Contains(html, "placeholder") == tt.missing {
					t.Errorf("flows %v: draws %s", tt.known, html)
				}
			}
		})
}

// While the rules are still checked, the list says so, and does not say that there is nothing.
func TestCheckingIsShown(t *testing.T) {
	for form, want := range map[string]string{valid: "No problems so far", strings.Replace(valid, `"Contact"`, `""`, 1): ""} {
		onPanel(t, form, nil, func(_ app.Context, p *Panel, _ *uitest.Canvas) {
			p.Checking = func() bool { return true }
			if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, want) || !strings.Contains(shown, checkingText) {
				t.Errorf("draws %s", shown)
			}
			p.Checking = func() bool { return false }
			if shown := app.HTMLString(p.Draw()); strings.Contains(shown, checkingText) || strings.Contains(shown, "so far") {
				t.Errorf("after the check it draws %s", shown)
			}
		})
	}
}

// A flow that the tenant is known to lack is a warning, once, and counts.
func TestFlowsThatTheTenantLacks(t *testing.T) {
	for id, shape := range map[string]string{"af_9": "", "#FLOW-9#": "placeholder"} {
		onPanel(t, `{"id":"ap_test","name":"f","start":{"next_node":"a"},"nodes":[{"id":"a","type":"FLOW","config":{"flow_id":"`+id+`","next_node":"$ending"}}]}`, nil,
			func(_ app.Context, p *Panel, _ *uitest.Canvas) {
				before, _ := p.Counted()
				if html := app.HTMLString(p.Draw()); strings.Contains(html, workspace.NoSuchFlow(id)) || !strings.Contains(html, shape) {
					t.Errorf("%s: without the tenant's flows, it draws %s", id, html)
				}
				p.Flows = []formapi.Flow{{ID: "af_1", Name: "Send the code"}}
				if n, of := p.Counted(); n != 1 || of != warned || before != len(shape)/len("placeholder") {
					t.Errorf("%s: %d of rank %d, and %d before the flows are known", id, n, of, before)
				}
				if html := app.HTMLString(p.Draw()); strings.Count(html, workspace.NoSuchFlow(id)) != 1 || strings.Contains(html, "Choose a flow") != (shape == "") {
					t.Errorf("%s: it draws %s", id, html)
				}
				if err := p.Editor.Run(editor.Set{Path: model.NodePath(0).Key("config").Key("flow_id"), Value: "af_1"}); err != nil {
					t.Fatal(err)
				}
				if n, _ := p.Counted(); n != 0 {
					t.Errorf("%s: %d when the form has another flow", id, n)
				}
			})
	}
}

// A node after one that cannot be reached is not offered for deletion: what comes before it is to be reached.
func TestNodeAfterAnUnreachableOne(t *testing.T) {
	onPanel(t, `{"id":"ap_test","name":"f","start":{"next_node":"c"},"nodes":[{"id":"a","type":"FLOW","config":{"flow_id":"af_1","next_node":"b"}},
		{"id":"b","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}},{"id":"c","type":"FLOW","config":{"flow_id":"af_1","next_node":"c"}}]}`, nil, func(_ app.Context, p *Panel, _ *uitest.Canvas) {
		fixes := map[string]string{}
		for _, r := range p.remarks() {
			var names []string
			for _, fix := range p.fixes(r) {
				names = append(names, strings.Fields(fix.Name)[0])
			}
			fixes[r.Path.String()] = strings.Join(names, " ")
		}
		if got := fixes["nodes[0]"]; got != "Delete" {
			t.Errorf("the first node has the fixes %q", got)
		}
		if got, ok := fixes["nodes[1]"]; !ok || got != "" {
			t.Errorf("the node after it has the fixes %q", got)
		}
	})
}

// The nodes behind an unreachable one stand below it, and can be folded; the count stays.
func TestNodesBehindAnUnreachableOneAreFolded(t *testing.T) {
	flow := func(id, to string) string {
		return `{"id":"` + id + `","type":"FLOW","alias":"` + id + `","config":{"flow_id":"af_1","next_node":"` + to + `"}}`
	}
	form := `{"id":"ap_test","name":"f","start":{"next_node":"$ending"},"nodes":[` +
		strings.Join([]string{flow("a", "b"), flow("b", "c"), flow("c", "b"), flow("ring", "turn"), flow("turn", "ring")}, ",") + `]}`
	onPanel(t, form, nil, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		var got []string
		for _, g := range p.groups(p.remarks()) {
			for _, r := range g.list {
				line := g.name
				for _, of := range r.behind {
					line += " " + of.Path.String()
				}
				got = append(got, line)
			}
		}
		if want := []string{"a nodes[1] nodes[2]", "ring nodes[4]"}; !slices.Equal(got, want) {
			t.Fatalf("lists %q, want %q", got, want)
		}
		if n, _ := p.Counted(); n != 5 {
			t.Errorf("counts %d", n)
		}
		shown := app.HTMLString(p.Draw())
		if strings.Count(shown, `data-act="problem"`) != 5 || !strings.Contains(shown, "and 2 nodes behind it") || !strings.Contains(shown, "and 1 node behind it") {
			t.Errorf("draws %s", shown)
		}
		steps := func() (at []string) {
			for range 4 {
				p.Step(ctx, 1)
				at = append(at, p.Editor.State().Selection.Only())
			}
			return at
		}
		if at := steps(); !slices.Equal(at, []string{"a", "b", "c", "ring"}) {
			t.Errorf("steps go to %q", at)
		}
		p.at = -1
		p.Act(ctx, BehindAct, "nodes[0]")
		if at := steps(); !slices.Equal(at, []string{"a", "ring", "turn", "a"}) {
			t.Errorf("with the nodes behind a folded, steps go to %q", at)
		}
		if p.unfolded(&remark{behind: make([]*remark, 4)}) {
			t.Error("four nodes are not folded")
		}
		if p.Menu("1") == nil {
			t.Error("a folded line has no menu")
		}
		p.Act(ctx, SelectedAct, "")
		p.Editor.Select(editor.SelectNodes("c"))
		if groups := p.groups(p.remarks()); len(groups) != 1 || groups[0].name != "c" {
			t.Errorf("with only c in sight, lists %+v", groups)
		}
	})
}

// Without both kinds there is no choice between them.
func TestFilterNeedsBothKinds(t *testing.T) {
	onPanel(t, strings.Replace(valid, `:"ask"}`, `:"more"}`, 1), nil, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		if shown := app.HTMLString(p.Draw()); strings.Contains(shown, FilterAct) || !strings.Contains(shown, "1 warning") {
			t.Errorf("with warnings only, draws %s", shown)
		}
		p.Act(ctx, FilterAct, onlyProblems)
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, FilterAct) {
			t.Errorf("nothing leads back from problems: %s", shown)
		}
		p.Act(ctx, FilterAct, "")
		if err := p.Editor.Run(editor.Set{Path: schema.Path{schema.Key("name")}, Value: ""}); err != nil {
			t.Fatal(err)
		}
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, FilterAct) {
			t.Errorf("with both kinds, draws %s", shown)
		}
	})
}

// A warning names the edit that led to it, which can be undone: by Undo while it is the last, and then by a step of its own.
func TestWarningNamesItsCause(t *testing.T) {
	flow := func(id, to string) string {
		return `{"id":"` + id + `","type":"FLOW","alias":"` + strings.ToUpper(id) + `","config":{"flow_id":"af_1","next_node":"` + to + `"}}`
	}
	form := `{"id":"ap_test","name":"f","start":{"next_node":"a"},"nodes":[` + strings.Join([]string{flow("a", "b"), flow("b", "e"), flow("e", "c"), flow("c", "$ending")}, ",") + `]}`
	onPanel(t, form, nil, func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
		undone := 0
		p.Perform = func(_ app.Context, id command.ID, _ string) {
			if id == command.Undo {
				undone++
			}
		}
		rename := func(text string) { p.Run(ctx, editor.Set{Path: schema.Path{schema.Key("name")}, Value: text}) }
		rename("before")
		p.Run(ctx, editor.Connect{From: "a", Port: model.NextPort, To: "c"})
		const since, link = "Since you connected “A” to “C”", ">Undo that</button>"
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, since) || strings.Count(shown, link) != 1 {
			t.Errorf("after the edit: %s", shown)
		}
		if p.Act(ctx, RevertAct, "0"); undone != 1 {
			t.Errorf("%d steps are undone", undone)
		}
		rename("after")
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, since) || strings.Count(shown, link) != 1 {
			t.Errorf("after another edit: %s", shown)
		}
		was := p.Editor.LastStep()
		if p.Act(ctx, RevertAct, "0"); undone != 1 || len(p.Editor.Found().Graph()) != 0 || p.State().Form.Name != "after" {
			t.Errorf("%d steps are undone, left are %v in %s", undone, p.Editor.Found().Graph(), p.State().Form.Name)
		}
		if p.Editor.Undo(); p.Editor.LastStep() != was {
			t.Error("it is more than one step")
		}
		p.Run(ctx, editor.Connect{From: "a", Port: model.NextPort, To: "$ending"})
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, since) || strings.Contains(shown, link) {
			t.Errorf("after the same place was edited: %s", shown)
		}
		rename("last")
		p.Act(ctx, RevertAct, "0")
		for _, arg := range []string{"9", "-1", "x"} {
			p.Act(ctx, RevertAct, arg)
		}
		if p.State().Form.Name != "last" || undone != 1 {
			t.Error("what cannot be undone is undone")
		}
	})
}
