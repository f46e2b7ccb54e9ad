package impact

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"id":"ap_test","name":"Contact","languages":{"primary":"en"},"start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","config":{"components":[{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"$ending"}}]}`

// TestEachResultIsShown checks what the panel draws for each state of a comparison.
func TestEachResultIsShown(t *testing.T) {
	played := schema.NewObject(schema.Member{Key: "name", Value: "x"})
	difference := message.Difference{Kind: "cannot_finish", Node: "ask", Text: "can no longer finish from “About you”", Story: []string{"a <b>"}, Scenario: played}
	for _, tt := range []struct {
		name    string
		edit    bool
		report  message.Report
		want    []string
		lacking string
	}{
		{"nothing changed", false, message.Report{Done: true}, []string{"You have no unsaved changes."}, "No difference"},
		{"no difference", true, message.Report{Done: true}, []string{"No difference found", "examples are tried"}, "too large"},
		{"limited", true, message.Report{Done: true, Limited: true}, []string{"No difference found", "too large"}, ""},
		{
			"a difference", true,
			message.Report{Done: true, Differences: []message.Difference{difference}},
			[]string{"With your changes, 1 journey can no longer finish.", "Can no longer finish from “About you”.", "a &lt;b&gt;", `data-act="im-try"`, `data-arg="ask"`},
			"No difference",
		},
		{"a fault", true, message.Report{Done: true, Fault: "it <b> broke"}, []string{`role="alert"`, "It &lt;b&gt; broke."}, "No difference"},
	} {
		uitest.Run(t, func(ctx app.Context) {
			w, _ := uitest.Workspace(t, form)
			var tried *schema.Object
			p := &Panel{Workspace: w, Play: func(_ app.Context, s *schema.Object) { tried = s }}
			if tt.edit {
				w.Run(ctx, editor.Set{Path: schema.Path{schema.Key("name")}, Value: "Other"})
			}
			p.Open(ctx)
			p.job.Cancel()
			if before, after := p.last.before, p.last.after; before != w.Editor.Base() || after != w.State().Form {
				t.Errorf("%s: other forms are compared", tt.name)
			}
			p.last.report = tt.report
			got := app.HTMLString(p.Draw())
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s: %q is not in %s", tt.name, want, got)
				}
			}
			if tt.lacking != "" && strings.Contains(got, tt.lacking) {
				t.Errorf("%s: %q is in %s", tt.name, tt.lacking, got)
			}
			for _, arg := range []string{"7", "x", "-1"} {
				p.Act(ctx, "im-try", arg)
			}
			if tried != nil {
				t.Errorf("%s: a difference that is not there is played", tt.name)
			}
			if p.Act(ctx, "im-try", "0"); (tried == played) != (len(tt.report.Differences) > 0) {
				t.Errorf("%s: played %v", tt.name, tried)
			}
			if p.Act(ctx, "delete", "") {
				t.Error("the panel takes controls of others")
			}
		})
	}
}

// TestTheirs reads what others have saved.
func TestTheirs(t *testing.T) {
	w, _ := uitest.Workspace(t, form)
	var before, after *model.Form
	p := &Panel{Workspace: w, Arrived: func() (_, _ *model.Form) { return before, after }}
	uitest.Play(t,
		func(ctx app.Context) {
			p.OpenTheirs(ctx)
			if got := app.HTMLString(p.Draw()); !strings.Contains(got, "Others have saved nothing since you opened the form.") {
				t.Errorf("at first: %s", got)
			}
			before, after = w.Editor.Base(), formtest.Parse(t, strings.Replace(form, "Contact", "Other", 1))
			p.OpenTheirs(ctx)
			if p.last.before != before || p.last.after != after {
				t.Errorf("compared %v and %v", p.last.before, p.last.after)
			}
		},
	)
}

// The open panel compares again after an edit, and a closed one does not.
func TestEditIsCompared(t *testing.T) {
	w, _ := uitest.Workspace(t, form)
	p := &Panel{Workspace: w}
	rename := func(ctx app.Context) {
		w.Run(ctx, editor.Set{Path: schema.Path{schema.Key("name")}, Value: w.State().Form.Name + "!"})
		p.Follow(ctx)
	}
	compares := func(want bool) func(app.Context) {
		return func(app.Context) {
			if _, running := p.job.Running(); p.current() != want || running != want {
				t.Errorf("the form called %s is compared: %t, under way: %t", w.State().Form.Name, p.current(), running)
			}
		}
	}
	uitest.Play(t,
		rename, compares(false), p.Open, compares(true), rename, compares(true),
		func(ctx app.Context) { rename(ctx); rename(ctx) }, compares(true), // the second while the first waits
		func(ctx app.Context) { p.Panels.Dock = ""; rename(ctx) }, func(app.Context) {
			if p.current() {
				t.Error("a closed panel compares")
			}
		},
	)
}

// The panel says in a sentence what a change does. The list below it can be folded, and whose change it is can be chosen once others have saved.
func TestSentenceFirst(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, form)
		arrived := w.Editor.Base()
		p := &Panel{Workspace: w, Arrived: func() (_, _ *model.Form) { return arrived, arrived }}
		w.Run(ctx, editor.Set{Path: schema.Path{schema.Key("name")}, Value: "Other"})
		w.Panels.Dock = workspace.Test
		p.Refresh(ctx)
		p.job.Cancel()
		for _, kind := range []string{"asked", "goes_elsewhere", "goes_elsewhere"} {
			p.last.report.Differences = append(p.last.report.Differences, message.Difference{Kind: kind, Node: "ask", Text: "x"})
		}
		const says = "With your changes, 2 journeys go another way, 1 journey asks something new."
		if got := app.HTMLString(p.Draw()); !strings.Contains(got, says) || strings.Contains(got, "im-try") || !strings.Contains(got, "im-side") {
			t.Errorf("folded: %s", got)
		}
		p.Act(ctx, "im-fold", "")
		arrived = nil
		if got := app.HTMLString(p.Draw()); !strings.Contains(got, says) || strings.Count(got, "im-try") != 3 || strings.Contains(got, "im-side") {
			t.Errorf("unfolded: %s", got)
		}
	})
}
