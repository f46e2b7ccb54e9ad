package transfer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/schema"
)

const mine = `{"id":"ap_test","name":"Mine","nodes":[]}`

// file is a form with two flows of another tenant.
const file = `{"name":"Theirs","nodes":[
	{"id":"a","type":"FLOW","config":{"flow_id":"#FLOW-1#"}},{"id":"b","type":"FLOW","config":{"flow_id":"#FLOW-2#"}}]}`

func incoming(t *testing.T, text string, flows ...formapi.Flow) *Incoming {
	t.Helper()
	d, problems, _ := envelope.Read([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return newIncoming("theirs.json", d, flows)
}

func onTransfer(t *testing.T, form string, f func(ctx app.Context, p *Transfer, c *uitest.Canvas)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, c := uitest.Workspace(t, form)
		w.Flows = []formapi.Flow{{ID: "af_1", Name: "One"}, {ID: "af_2", Name: "Two"}}
		f(ctx, &Transfer{Workspace: w}, c)
	})
}

func TestImportReportsItsResult(t *testing.T) {
	onTransfer(t, mine, func(ctx app.Context, p *Transfer, c *uitest.Canvas) {
		p.replace(ctx, incoming(t, file, p.Flows...))
		said := p.Toast.Text()
		if p.Editor.State().Form.Name != "Theirs" || !strings.HasPrefix(said, "Imported theirs.json.") ||
			!strings.Contains(said, "2 flows were not found") ||
			!slices.Contains(c.Calls, "FitReadable") {
			t.Errorf("the form is %s, says %q, canvas %q", p.Editor.State().Form.Name, said, c.Calls)
		}
		p.replace(ctx, incoming(t, file, p.Flows...))
		if said := p.Toast.Text(); !strings.Contains(said, "same form") {
			t.Errorf("the same file again says %q", said)
		}
		p.Editor.Undo()
		if p.Editor.State().Form.Name != "Mine" || p.Editor.UndoLabel() != "" {
			t.Errorf("undo leaves %s, and %q to undo", p.Editor.State().Form.Name, p.Editor.UndoLabel())
		}
	})
}

// A file that was chosen with the button replaces the form. A dropped file, or one that a reader chose, is shown first. The problems of a
// file that is not a form are listed.
func TestFileIsShownOrImported(t *testing.T) {
	for _, tt := range []struct {
		name, text        string
		err               error
		dropped, reader   bool
		dialog, form, say string
	}{
		{name: "chosen", text: file, form: "Theirs", say: "Imported theirs.json."},
		{name: "dropped", text: file, dropped: true, dialog: LookDialog, form: "Mine"},
		{name: "chosen by a reader", text: file, reader: true, dialog: LookDialog, form: "Mine"},
		{name: "bad", text: `{"name":""}`, dialog: BadFileDialog, form: "Mine"},
		{name: "dropped and bad", text: `{"name":""}`, dropped: true, dialog: BadFileDialog, form: "Mine"},
		{name: "unreadable", err: errors.New("it is empty"), form: "Mine", say: "It is empty."},
		{name: "none", form: "Mine"},
	} {
		onTransfer(t, mine, func(ctx app.Context, p *Transfer, _ *uitest.Canvas) {
			if tt.reader {
				p.Editor = editor.New(p.Editor.Base(), editor.Config{ReadOnly: true, Now: time.Now})
			}
			in, bad, err := (*Incoming)(nil), BadFile{}, tt.err
			if tt.text != "" {
				in, bad, err = Tenant{}.Read(t.Context(), "theirs.json", tt.text)
			}
			p.receive(ctx, tt.dropped, in, bad, err)
			dialog, form, said := p.Dialog.Name(), p.Editor.State().Form.Name, p.Toast.Text()
			if dialog != tt.dialog || form != tt.form || !strings.HasPrefix(said, tt.say) || said != "" && tt.say == "" {
				t.Errorf("%s: dialog %q, form %q, says %q; want %q, %q, %q", tt.name, dialog, form, said, tt.dialog, tt.form, tt.say)
			}
		})
	}
}

func flowIDs(p *Transfer) string {
	var ids []string
	for _, n := range p.Editor.State().Form.Tree().List("nodes") {
		ids = append(ids, n.(*schema.Object).Object("config").Text("flow_id"))
	}
	return strings.Join(ids, " ")
}

func TestChosenFlowsReplacePlaceholders(t *testing.T) {
	onTransfer(t, mine, func(ctx app.Context, p *Transfer, _ *uitest.Canvas) {
		if p.Banner() != nil {
			t.Error("a form without flows offers to choose some")
		}
		p.replace(ctx, incoming(t, file, p.Flows...))
		if shown := app.HTMLString(p.Banner()); !strings.Contains(shown, "2 flows") || !strings.Contains(shown, "choose-flows") {
			t.Errorf("the banner is %s", shown)
		}
		p.ChooseFlows(ctx)
		if shown := app.HTMLString(p.Draw()); p.Dialog.Name() != FlowsDialog || strings.Count(shown, "data-flow=") != 2 {
			t.Errorf("dialog %q: %s", p.Dialog.Name(), shown)
		}
		p.incoming.choose("#FLOW-1#", "af_2")
		p.UseFlows(ctx)
		if p.Dialog.Name() != "" || flowIDs(p) != "af_2 #FLOW-2#" {
			t.Errorf("dialog %q, flows %s", p.Dialog.Name(), flowIDs(p))
		}
		if shown := app.HTMLString(p.Banner()); !strings.Contains(shown, "a flow") {
			t.Errorf("with one flow left the banner is %s", shown)
		}
		p.ChooseFlows(ctx)
		p.incoming.choose("#FLOW-2#", "af_1")
		if p.UseFlows(ctx); flowIDs(p) != "af_2 af_1" || p.Banner() != nil {
			t.Errorf("in the end the flows are %s", flowIDs(p))
		}
		p.Editor.Undo()
		p.ChooseFlows(ctx)
		if shown := app.HTMLString(p.Draw()); strings.Count(shown, "data-flow=") != 1 {
			t.Errorf("after undo the dialog does not offer the one placeholder of the form: %s", shown)
		}
	})
}

func TestFlowsAreOfferedAgainAfterTheNextImport(t *testing.T) {
	onTransfer(t, mine, func(ctx app.Context, p *Transfer, _ *uitest.Canvas) {
		p.replace(ctx, incoming(t, file))
		if p.FlowsLater(); p.Banner() != nil {
			t.Error("the postponed choice is offered")
		}
		p.replace(ctx, incoming(t, strings.Replace(file, "Theirs", "Others", 1)))
		if p.Banner() == nil {
			t.Error("after another import nothing is offered")
		}
		p.Flows = nil
		if p.Banner() != nil {
			t.Error("a tenant without flows offers to choose one")
		}
	})
}

// A problem of the whole file begins without the room that the name of a place takes.
func TestProblemsOfTheWholeFile(t *testing.T) {
	onTransfer(t, mine, func(ctx app.Context, p *Transfer, _ *uitest.Canvas) {
		p.refused = BadFile{Name: "bad.json", text: "{", Problems: schema.Problems{
			{Detail: "must not end here: a property name is missing", Offset: 1}, {Detail: "must not be empty", Path: schema.Path{schema.Key("name")}, Offset: -1},
		}}
		p.Dialog.Open(ctx, BadFileDialog)
		shown := strings.Join(strings.Fields(app.HTMLString(p.Draw())), " ")
		for _, want := range []string{"Must not end here: a property name is missing. </span>", "Line 1, column 2", "name </code>"} {
			if !strings.Contains(shown, want) && !strings.Contains(shown, strings.NewReplacer("> ", ">", " <", "<").Replace(want)) {
				t.Errorf("%q is missing in %s", want, shown)
			}
		}
		if strings.Count(shown, `<code hidden="true">`) != 1 && strings.Count(shown, "<code hidden>") != 1 {
			t.Errorf("a place without a name: %s", shown)
		}
	})
}

func TestRefusedFileIsExplained(t *testing.T) {
	onTransfer(t, mine, func(ctx app.Context, p *Transfer, _ *uitest.Canvas) {
		for n, want := range map[int]string{1: "Fix this", 2: "Fix these 2", problemLimit + 7: "and 7 more"} {
			p.refused = BadFile{Name: "bad.json"}
			for i := range n {
				p.refused.Problems = append(p.refused.Problems, schema.Problem{Detail: fmt.Sprint("problem ", i)})
			}
			p.Dialog.Open(ctx, BadFileDialog)
			shown := app.HTMLString(p.Draw())
			if !strings.Contains(shown, "bad.json") || !strings.Contains(shown, want) || strings.Count(shown, "<small") != min(n, problemLimit) {
				t.Errorf("%d problems are shown without %q or in another number", n, want)
			}
		}
		if p.Dialog.Close(); p.Draw() != nil {
			t.Error("a closed dialog is drawn")
		}
	})
}

func TestFileNamesAreSafe(t *testing.T) {
	for name, want := range map[string]string{"Sign-up": "sign-up.form.json", " ../Ä b ": "b.form.json", "": ".form.json"} {
		if got := FileName(name); got != want {
			t.Errorf("%q is exported to %s, want %s", name, got, want)
		}
	}
}

// A flow that the tenant lacks can be replaced, whatever its id looks like.
func TestLackingFlowsAreReplaced(t *testing.T) {
	form := `{"id":"ap_test","name":"Mine","nodes":[{"id":"a","type":"FLOW","config":{"flow_id":"af_gone"}},{"id":"b","type":"FLOW","config":{"flow_id":"af_2"}}]}`
	onTransfer(t, form, func(ctx app.Context, p *Transfer, _ *uitest.Canvas) {
		if p.Banner() != nil {
			t.Error("a banner comes after the form")
		}
		p.ChooseFlows(ctx)
		if shown := app.HTMLString(p.Draw()); strings.Count(shown, "data-flow=") != 1 || !strings.Contains(shown, "Keep af_gone") {
			t.Errorf("the dialog is %s", shown)
		}
		p.incoming.choose("af_gone", "af_1")
		if p.UseFlows(ctx); flowIDs(p) != "af_1 af_2" {
			t.Errorf("the flows are %s", flowIDs(p))
		}
	})
}
