package scenarios

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"id":"ap_test","name":"Contact us","languages":{"primary":"en"},"start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","config":{"components":[{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"$ending"}}]}`

// server keeps a file as the real one does.
type server struct {
	file   list
	tag    string
	status []int // of the next answers, 0 for what the real one answers
	puts   int
}

func (s *server) serve(r client.Request) (client.Response, error) {
	if len(s.status) > 0 {
		status := s.status[0]
		if s.status = s.status[1:]; status != 0 {
			return uitest.Answer(status, `{"code":"internal","detail":"it broke"}`), nil
		}
	}
	if r.Method == "PUT" {
		if r.Header["If-Match"] != s.tag {
			return uitest.Answer(412, `{"code":"conflict","detail":"somebody was faster"}`), nil
		}
		s.puts++
		s.file, _ = parse(string(r.Body))
		s.tag += "+"
	}
	return uitest.Answer(200, s.file.text(), "ETag", s.tag), nil
}

// onPanel calls steps one after the other on the open panel of a person who may edit.
func onPanel(t *testing.T, s *server, steps ...func(ctx app.Context, p *Panel, c *uitest.Canvas)) {
	t.Helper()
	w, c := uitest.Workspace(t, form)
	w.User.Scopes = []string{"update:forms"}
	w.Client = client.New(uitest.Server(s.serve))
	p := &Panel{Workspace: w, Play: func(app.Context, *schema.Object) {}, Record: func(app.Context) {}}
	all := []func(app.Context){p.Open}
	for _, step := range steps {
		all = append(all, func(ctx app.Context) { step(ctx, p, c) })
	}
	uitest.Play(t, all...)
}

func html(p *Panel) string { return app.HTMLString(p.Draw("")) }

func TestPanel(t *testing.T) {
	s := &server{file: listOf("A B"), tag: "1"}
	var played string
	onPanel(t, s,
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if got := html(p); !strings.Contains(got, "Not replayed yet") || !strings.Contains(got, "Rename “B”") {
				t.Errorf("before the replay: %s", got)
			}
			p.check.job.Cancel()
			p.check.report = message.Report{
				Done: true, Coverage: 50,
				Results: []message.Result{
					{Name: "A", Status: "ok", Expected: []string{"ask"}, Taken: []string{"ask"}},
					{Name: "B", Status: "differs", Expected: []string{"ask"}, Taken: []string{"ask", "$ending"}, Reason: `it <b> went on at "ask"`},
				},
				Taken:   []message.Taken{{Edge: "$start:next", Times: 2}, {Edge: "ask:next"}},
				Untaken: []message.Untaken{{Edge: "ask:jump:x", Never: true, Reason: "there is no node"}},
			}
			got := html(p)
			for _, want := range []string{
				"Show coverage", "50 % of 2 edges", "1 more can never be taken", "About you → Ending", "it &lt;b&gt; went on at “About you”", "1 edge that no scenario takes", "1 edge that can never be taken", "Nobody can take it: there is no node.",
			} {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in %s", want, got)
				}
			}
			if strings.Count(got, "Expect this path") != 1 || p.Failing() != 1 {
				t.Errorf("%d fail: %s", p.Failing(), got)
			}
			if items := p.MenuItems(); items[0].Name != "Show coverage" || items[0].Disabled || !p.Act(ctx, items[0].Act, items[0].Arg) || p.MenuItems()[0].Name != "Hide coverage" {
				t.Errorf("the menu begins with %+v", items[0])
			}
			p.Act(ctx, "sc-cover", "")
			if p.raise(); strings.Index(html(p), "Rename “B”") > strings.Index(html(p), "Rename “A”") {
				t.Errorf("the scenario that failed is not the first: %s", html(p))
			}
			p.Play = func(_ app.Context, s *schema.Object) { played = s.Text("name") }
			p.Act(ctx, "sc-play", "B")
			p.Act(ctx, "sc-accept", "B")
		},
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if got := string(schema.Encode(s.file[1])); got != `{"name":"B","expect":["ask","$ending"]}` || played != "B" {
				t.Errorf("accepted %s, played %q", got, played)
			}
			p.Act(ctx, "sc-rename", "A")
			p.Input(nameControl, "B")
			p.Change(ctx, nameControl)
			if got := html(p); !strings.Contains(got, "Another scenario is called “B”.") || !strings.Contains(got, "aria-invalid") {
				t.Errorf("a taken name: %s", got)
			}
			p.Input(nameControl, "C")
			p.Change(ctx, nameControl)
			p.Act(ctx, "sc-delete", "B")
		},
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if s.file.words() != "C" || p.Unsaved() || !strings.Contains(html(p), "Deleted “B”.") {
				t.Errorf("saved %q, unsaved %v", s.file.words(), p.Unsaved())
			}
			p.Act(ctx, "sc-undo", "")
			p.Follow(ctx)
			if !strings.Contains(html(p), "Undone.") {
				t.Error("what happened is forgotten before an edit")
			}
			if err := p.Editor.Run(p.Editor.Make().Node(model.FlowNode, model.Point{}, nil)); err != nil {
				t.Fatal(err)
			}
			if p.Follow(ctx); strings.Contains(html(p), "Undone.") {
				t.Error("what happened is told after an edit")
			}
		},
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if s.file.words() != "C B" {
				t.Errorf("after undo: %q", s.file.words())
			}
			if !p.current() {
				t.Error("nothing is replayed after an edit")
			}
			if p.Act(ctx, "sc-delete", "gone") || p.Act(ctx, "delete", "B") || p.Input("name", "") || p.Change(ctx, "name") {
				t.Error("the panel takes controls of others")
			}
		},
	)
}

// Generated scenarios are added to the list as it is when they arrive, and the panel says what was added.
func TestGenerated(t *testing.T) {
	s := &server{file: listOf("A B"), tag: "1"}
	var sent list
	onPanel(t, s,
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			sent = p.list
			if p.Act(ctx, "sc-generate", ""); !strings.Contains(html(p), "sc-cancel") {
				t.Errorf("while scenarios are generated: %s", html(p))
			}
			p.Act(ctx, "sc-delete", "B")
		},
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			p.Act(ctx, "sc-cancel", "")
			p.takeGenerated(ctx, sent, message.Report{Done: true, Scenarios: listOf("A B C D").text(), Added: []string{"C", "D"}})
		},
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if s.file.words() != "A C D" || !strings.Contains(html(p), "Added 2 scenarios.") {
				t.Errorf("saved %q: %s", s.file.words(), html(p))
			}
			for text, r := range map[string]message.Report{
				"It broke.": {Fault: "it broke"}, "Nothing to add": {Done: true, Scenarios: p.list.text()},
			} {
				if p.takeGenerated(ctx, p.list, r); !strings.Contains(html(p), text) || p.list.words() != "A C D" {
					t.Errorf("the list is %q, and %q is not in %s", p.list.words(), text, html(p))
				}
			}
		},
	)
}

// TestCoverage shows the coverage on the canvas, and removes it with the panel.
func TestCoverage(t *testing.T) {
	onPanel(t, &server{tag: "1"}, func(ctx app.Context, p *Panel, c *uitest.Canvas) {
		p.check.report.Taken = []message.Taken{{Edge: "ask:next", Times: 2}}
		c.Calls = nil
		p.Act(ctx, "sc-cover", "")
		p.Close()
		if want := []string{"Mark  map[ask:next:2]", "Mark "}; !slices.Equal(c.Calls, want) {
			t.Errorf("calls %q, want %q", c.Calls, want)
		}
	})
}

// The coverage is on the canvas only while the panel, which explains its colors, is shown.
func TestCoverageFollowsThePanel(t *testing.T) {
	onPanel(t, &server{tag: "1"}, func(ctx app.Context, p *Panel, c *uitest.Canvas) {
		p.check.report.Taken = []message.Taken{{Edge: "ask:next", Times: 2}}
		p.Act(ctx, "sc-cover", "")
		c.Calls = nil
		for _, dock := range []string{workspace.Journey, workspace.Test, ""} {
			p.Panels.Dock = dock
			p.Follow(ctx)
			p.Follow(ctx)
		}
		if want := []string{"Mark ", "Mark  map[ask:next:2]", "Mark "}; !slices.Equal(c.Calls, want) {
			t.Errorf("calls %q, want %q", c.Calls, want)
		}
	})
}

// TestTwoPeople saves while somebody else does, and while the server fails.
func TestTwoPeople(t *testing.T) {
	s := &server{file: listOf("A B"), tag: "1"}
	onPanel(t, s,
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			s.file, s.tag = listOf("A=2 B C"), "2"
			p.Act(ctx, "sc-delete", "B")
		},
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if s.file.words() != "A=2 C" || p.list.words() != "A=2 C" || p.Unsaved() {
				t.Errorf("saved %q, shown %q", s.file.words(), p.list.words())
			}
			s.status = []int{500}
			p.Add(ctx, listOf("A")[0], "")
		},
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if got := html(p); !strings.Contains(got, "Not saved: It broke.") || !p.Unsaved() || p.list.words() != "A=2 C A (2)" {
				t.Errorf("unsaved %v, shown %q: %s", p.Unsaved(), p.list.words(), got)
			}
			if p.editing.name != "A (2)" {
				t.Errorf("the name of %q is edited", p.editing.name)
			}
			p.Act(ctx, "sc-again", "")
		},
		func(_ app.Context, p *Panel, _ *uitest.Canvas) {
			if s.file.words() != "A=2 C A (2)" || p.Unsaved() || strings.Contains(html(p), "Not saved") {
				t.Errorf("saved %q", s.file.words())
			}
		},
	)
}

// TestReading shows why the scenarios are not there, and lets nobody change what is not read.
func TestReading(t *testing.T) {
	s := &server{file: listOf("A"), tag: "1", status: []int{500}}
	onPanel(t, s,
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			if got := html(p); !strings.Contains(got, "It broke.") || !p.readOnly() {
				t.Errorf("after a failure: %s", got)
			}
			p.Act(ctx, "sc-again", "")
		},
		func(_ app.Context, p *Panel, _ *uitest.Canvas) {
			if p.list.words() != "A" || p.readOnly() || p.Panels.Dock != workspace.Test {
				t.Errorf("read %q, read-only %v", p.list.words(), p.readOnly())
			}
			p.User.Scopes = nil
			if got := html(p); !p.readOnly() || strings.Count(got, "disabled") < 4 {
				t.Errorf("for a viewer: %s", got)
			}
		},
	)
	if s.puts != 0 {
		t.Errorf("%d saves", s.puts)
	}
}

// Scenarios name the elements of the form as they are called here, before that is saved as after.
func TestScenariosFollowRenames(t *testing.T) {
	s := &server{file: list{objectOf(t, `{"name":"A","vars":{},"steps":[{"node":"ask","press":"b"}],"expect":["ask","$ending"]}`)}, tag: "1"}
	played := ""
	onPanel(t, s,
		func(_ app.Context, p *Panel, _ *uitest.Canvas) {
			p.Play = func(_ app.Context, s *schema.Object) { played = string(schema.Encode(s)) }
			if err := p.Editor.Run(editor.RenameNode{Index: 0, ID: "start"}); err != nil {
				t.Fatal(err)
			}
		},
		func(ctx app.Context, p *Panel, _ *uitest.Canvas) {
			p.Act(ctx, "sc-play", "A")
			if !strings.Contains(played, `"node":"start"`) || !strings.Contains(played, `"expect":["start",`) {
				t.Errorf("played %s", played)
			}
			if of := p.Values(); len(of) != 1 || of[0].List("expect")[0] != "start" {
				t.Errorf("runs begin with %v", of)
			}
			if p.Unsaved() {
				t.Error("the scenarios are to be saved, although the form is not")
			}
			p.Editor.Saved(p.State().Form)
			if p.Act(ctx, "sc-play", "A"); !strings.Contains(played, `"node":"start"`) {
				t.Errorf("played after the form was saved: %s", played)
			}
		},
	)
}

func objectOf(t *testing.T, text string) *schema.Object {
	t.Helper()
	v, problems := schema.Decode([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return v.(*schema.Object)
}

// The bar says what the scenarios do after each edit, also while the panel is closed. That measures no coverage, and takes nothing without scenarios.
func TestResultFollowsTheForm(t *testing.T) {
	for _, tt := range []struct {
		name, list string
		report     message.Report
		want       string
		bad        bool
	}{
		{"all as expected", "A B", message.Report{Done: true, Results: []message.Result{{Name: "A", Status: "ok"}, {Name: "B", Status: "ok"}}}, "2 of 2", false},
		{"another path", "A B", message.Report{Done: true, Results: []message.Result{{Name: "A", Status: "ok"}, {Name: "B", Status: "differs"}}}, "1 differs", true},
		{"a fault", "A B", message.Report{Done: true, Results: []message.Result{{Name: "A", Status: "fault"}, {Name: "B", Status: "differs"}}}, "2 differ", true},
		{"not run", "A", message.Report{Done: true, Fault: "it broke"}, "Not run", true},
		{"not yet", "A", message.Report{}, "", false},
		{"none", "", message.Report{}, "", false},
	} {
		w, _ := uitest.Workspace(t, form)
		w.Client = client.New(uitest.Server((&server{file: listOf(tt.list), tag: "1"}).serve))
		p := &Panel{Workspace: w}
		edit := func(ctx app.Context) {
			if err := p.Editor.Run(p.Editor.Make().Node(model.FlowNode, model.Point{}, nil)); err != nil {
				t.Fatal(err)
			}
			p.Follow(ctx)
		}
		replays := func(app.Context) {
			if _, running := p.check.job.Running(); running != (tt.list != "") || running && (!p.current() || p.check.covers) {
				t.Errorf("%s: replays: %t, with the coverage: %t", tt.name, running, p.check.covers)
			}
		}
		uitest.Play(t, p.Follow, replays, func(ctx app.Context) { p.check.job.Cancel(); edit(ctx) }, replays, func(ctx app.Context) {
			p.check.report = tt.report
			if text, bad := p.Says(); text != tt.want || bad != tt.bad {
				t.Errorf("%s: says %q, bad: %t, want %q", tt.name, text, bad, tt.want)
			}
			if p.Open(ctx); !p.check.covers {
				t.Errorf("%s: the open panel measures no coverage", tt.name)
			}
		})
	}
}
