package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/outline"
	"github.com/formgraph/formgraph/app/ui/saver"
	"github.com/formgraph/formgraph/app/ui/topbar"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// remotePage returns the page of an open form of a tenant that is not ours.
func remotePage(t *testing.T, form string, server uitest.Server) *editorPage {
	t.Helper()
	p := newEditorPage(&Site{}, "auth0|1")
	p.Remote, p.Client = true, client.New(server)
	p.User = client.User{Sub: "ana", Email: "ana@example.com", Scopes: []string{"read:forms", "update:forms", "create:forms"}}
	p.Editor = editor.New(formtest.Parse(t, form), editor.Config{Remote: true, Now: time.Now, Rand: func(int) int { return 1 }})
	ignore := func(app.Context) {}
	p.Redraw, p.Sync, p.Perform, p.session.resume = ignore, ignore, p.performer.perform, p.performer.save
	p.saver = saver.New(p.Workspace, &p.together.Room, p.Editor.State().Form, `"1"`)
	p.bar.Saver = p.saver
	return p
}

// A form that was deleted elsewhere is saved as a new one, once, with everything that its author wrote. The new form is opened.
func TestDeletedFormIsSavedAsNew(t *testing.T) {
	var sent, opened []string
	form := strings.Replace(threeNodes, `"name":"Contact"`, `"name":"Contact","social_connections":[1]`, 1)
	p := remotePage(t, form, func(r client.Request) (client.Response, error) {
		sent = append(sent, r.Method+" "+r.Path+" "+string(r.Body))
		if r.Method == "PATCH" {
			return uitest.Answer(404, `{"code":"not_found","detail":"there is no such form"}`), nil
		}
		return uitest.Answer(201, `{"id":"urn:x:2","name":"Contact"}`), nil
	})
	p.session.open = func(_ app.Context, id string) { opened = append(opened, id) }
	uitest.Play(t,
		func(ctx app.Context) {
			p.tree = outline.New(ctx, p.Workspace)
			p.Run(ctx, editor.RemoveNodes{IDs: []string{"which"}, Join: true})
			p.performer.perform(ctx, command.Save, "")
		},
		func(ctx app.Context) {
			if shown := app.HTMLString(p.saver.Banner()); !strings.Contains(shown, `data-act="save-as-new"`) || !p.Editor.Unsaved() {
				t.Errorf("the banner is %s", shown)
			}
			p.do(ctx, "save-as-new", "")
			p.do(ctx, "save-as-new", "") // while the first is under way
		})
	if len(sent) != 2 || !strings.HasPrefix(sent[1], "POST /bff/api/forms {") || !strings.Contains(sent[1], `"social_connections":[1]`) ||
		strings.Contains(sent[1], "ap_test") || strings.Contains(sent[1], `"which"`) {
		t.Errorf("sent %q", sent)
	}
	if !slices.Equal(opened, []string{"urn:x:2"}) {
		t.Errorf("opened %q", opened)
	}
}

// A copy of the form has what is not saved, and leaves the form and its changes as they are. It is offered, not opened; who may not make forms is
// not offered a copy.
func TestFormIsDuplicatedAsItIs(t *testing.T) {
	var sent, opened []string
	p := remotePage(t, threeNodes, func(r client.Request) (client.Response, error) {
		sent = append(sent, r.Method+" "+r.Path+" "+string(r.Body))
		return uitest.Answer(201, `{"id":"urn:x:2","name":"Copy of Contact"}`), nil
	})
	p.session.open = func(_ app.Context, id string) { opened = append(opened, id) }
	uitest.Play(t,
		func(ctx app.Context) {
			p.tree = outline.New(ctx, p.Workspace)
			p.Run(ctx, editor.RemoveNodes{IDs: []string{"which"}, Join: true})
			p.performer.perform(ctx, command.DuplicateForm, "")
		},
		func(ctx app.Context) {
			if want := "“Copy of Contact” was added, with your unsaved changes."; p.Toast.Text() != want || !p.Editor.Unsaved() || len(opened) > 0 {
				t.Errorf("says %q; unsaved: %t; opened %q", p.Toast.Text(), p.Editor.Unsaved(), opened)
			}
			p.do(ctx, openCopyAct, "")
		})
	if len(sent) != 1 || !strings.HasPrefix(sent[0], `POST /bff/api/forms {"name":"Copy of Contact"`) || strings.Contains(sent[0], `"which"`) {
		t.Errorf("sent %q", sent)
	}
	if !slices.Equal(opened, []string{"urn:x:2"}) {
		t.Errorf("opened %q", opened)
	}
	p.User.Scopes = []string{"read:forms", "update:forms"}
	if _, more := p.bar.Menu(topbar.More); strings.Contains(fmt.Sprintf("%+v", more), "duplicate-form") {
		t.Error("a copy is offered to somebody who may not make forms")
	}
}

// Problems that the form came with do not prevent a save; the person's own do.
func TestOnlyOwnProblemsPreventASave(t *testing.T) {
	calls := 0
	broken := strings.Replace(threeNodes, `"alias":"Ask"`, `"alias":"","visible":true`, 1)
	p := remotePage(t, broken, func(client.Request) (client.Response, error) {
		calls++
		return uitest.Answer(200, `{"id":"ap_test","name":"x"}`), nil
	})
	uitest.Play(t,
		func(ctx app.Context) {
			p.tree = outline.New(ctx, p.Workspace)
			p.Run(ctx, editor.Set{Path: schema.Path{schema.Key("name")}, Value: ""})
			p.performer.perform(ctx, command.Save, "")
			if calls > 0 || p.Toast.Text() != "Not saved: fix 1 problem first." || p.Panels.Tab != workspace.Problems {
				t.Errorf("%d calls, says %q", calls, p.Toast.Text())
			}
			p.Editor.Undo()
			p.Run(ctx, editor.MoveNodes{IDs: []string{"ask"}, By: p.Editor.State().Form.Nodes[1].At})
			p.performer.perform(ctx, command.Save, "")
		})
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
}

// Without the scope for flows no call is made for them, and their field is a plain one.
func TestFlowsAreReadOnlyWithTheirScope(t *testing.T) {
	for _, may := range []bool{false, true} {
		var asked []string
		p := remotePage(t, threeNodes, func(r client.Request) (client.Response, error) {
			path, _, _ := strings.Cut(r.Path, "?")
			asked = append(asked, path)
			return uitest.Answer(200, `[{"id":"af_1","name":"Greet"}]`), nil
		})
		if may {
			p.User.Scopes = append(p.User.Scopes, workspace.ReadFlows)
		}
		p.Editor.Select(editor.SelectNodes("save"))
		uitest.Play(t, func(ctx app.Context) { p.tree = outline.New(ctx, p.Workspace); p.readFlows(ctx) })
		if slices.Contains(asked, "/bff/api/flows") != may || len(p.Flows) > 0 != may {
			t.Errorf("scope %t: asked %q", may, asked)
		}
		if shown := app.HTMLString(p.inspector.Draw()); strings.Contains(shown, `list="flows"`) != may {
			t.Errorf("scope %t: the inspector is %s", may, shown)
		}
		if p.Applies(command.ExportFlows) != may {
			t.Errorf("scope %t: export with flows applies: %t", may, !may)
		}
	}
}

func TestReaderIsOfferedNoChanges(t *testing.T) {
	p := remotePage(t, threeNodes, nil)
	p.Editor = editor.New(p.Editor.Base(), editor.Config{ReadOnly: true, Remote: true, Now: time.Now})
	p.Editor.Select(editor.SelectNodes("ask"))
	_, more := p.bar.Menu(topbar.More)
	shown := app.HTMLString(p.bar.Draw("")) + app.HTMLString(p.inspector.Draw()) + app.HTMLString(p.bar.Foot()) + fmt.Sprintf("%+v", more)
	for _, act := range []string{"save", "import", "undo", "delete", "export-flows", "tidy"} {
		if strings.Contains(shown, `data-act="`+act+`"`) || strings.Contains(shown, "Act:"+act+" ") {
			t.Errorf("a reader is offered %s", act)
		}
	}
	if !strings.Contains(shown, `data-act="export"`) {
		t.Error("a reader cannot export")
	}
}

func TestPageSaysWhyThereIsNoForm(t *testing.T) {
	p := newEditorPage(&Site{}, "x")
	gone := &client.Error{Status: 404, Code: "not_found", Detail: "there is no such form"}
	if shown := app.HTMLString(p.overlay(gone, &p.wait)); !strings.Contains(shown, formNotFound) || strings.Contains(shown, "reload") {
		t.Errorf("of a form that is not there it shows %s", shown)
	}
	refused := &client.Error{Status: 403, Code: client.CodeNotAllowed, Detail: "no rule fits", Who: "ana@example.com"}
	if shown := app.HTMLString(p.overlay(refused, &p.wait)); !strings.Contains(shown, "signed in as ana@example.com, but not allowed") ||
		strings.Contains(shown, "reload") {
		t.Errorf("shows %s", shown)
	}
	uitest.Play(t, func(ctx app.Context) {
		p.wait.Begin(ctx, &client.Error{Status: 429, RetryAfter: 5 * time.Second}, func(app.Context) {})
		if shown := app.HTMLString(p.overlay(nil, &p.wait)); !strings.Contains(shown, "The server asks to wait: loading in 5 s") {
			t.Errorf("shows %s", shown)
		}
	})
}
