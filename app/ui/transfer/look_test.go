package transfer

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

const export = `{"version":"4.0.0","form":{"name":"Theirs","languages":{"primary":"de"},"nodes":[
	{"id":"a","type":"FLOW","config":{"flow_id":"#FLOW-1#"}},
	{"id":"b","type":"STEP","config":{"components":[{"id":"c","category":"FIELD","type":"CUSTOM","label":"C","config":{"schema":{},"code":"x","params":{"connection_id":"#CONN-1#"}}}]}}],
	"translations":{"en":{}}},"flows":{"#FLOW-1#":{"name":"Send"}},"connections":{"#CONN-1#":{"name":"Mailer"}}}`

func TestFileIsShownBeforeItIsImported(t *testing.T) {
	onTransfer(t, mine, func(ctx app.Context, p *Transfer, _ *uitest.Canvas) {
		p.User = client.User{Scopes: []string{"create:forms"}}
		in, bad, err := Tenant{}.Read(t.Context(), "theirs.json", export)
		if in == nil {
			t.Fatal(bad, err)
		}
		p.incoming = in
		p.Dialog.Open(ctx, LookDialog)
		shown := app.HTMLString(p.Draw())
		for _, want := range []string{"theirs.json", "Theirs", "1 step, 1 flow", "4 warnings", "de, en", "Send", "Mailer", "warning", "import-new", "import-compare", "import-replace"} {
			if !strings.Contains(shown, want) {
				t.Errorf("the dialog lacks %q: %s", want, shown)
			}
		}
		for part, want := range map[string]int{`class="primary"`: 1, `class="secondary"`: 2, `class="quiet"`: 1, "#FLOW-1#": 2, `class="thumb"`: 1, `class="flow"`: 1} {
			if n := strings.Count(shown, part); n != want {
				t.Errorf("%d of %s, want %d: %s", n, part, want, shown)
			}
		}
		if p.Editor.State().Form.Name != "Mine" {
			t.Error("the form was replaced before the person said so")
		}
		in.choose("#FLOW-1#", "af_2")
		in.choose("#CONN-1#", "ac_1")
		var made *model.Form
		p.Create = func(_ app.Context, f *model.Form) { made = f }
		p.Act(ctx, "import-new", "")
		if text := string(schema.Encode(made.Tree())); !strings.Contains(text, `"af_2"`) || !strings.Contains(text, `"ac_1"`) || p.Dialog.Name() != "" {
			t.Errorf("the new form is %s, the dialog %q", text, p.Dialog.Name())
		}
		var file string
		p.Compare = func(_ app.Context, name string, f *model.Form) { file, made = name, f }
		if p.Act(ctx, "import-compare", ""); file != "theirs.json" || made.Name != "Theirs" || p.Editor.UndoLabel() != "" {
			t.Errorf("compares with %q, %v", file, made)
		}
		var before *model.Form
		p.Review = func(_ app.Context, f *model.Form) { before = f }
		if p.Act(ctx, "import-replace", ""); p.Editor.UndoLabel() != "Import theirs.json" {
			t.Errorf("the step is called %q", p.Editor.UndoLabel())
		}
		if p.Act(ctx, reviewAct, ""); before == nil || before.Name != "Mine" {
			t.Errorf("compares with %v as what was before", before)
		}
	})
}

// A warning names the nodes of a journey as those of the editor do.
func TestWarningsOfAFileQuoteNames(t *testing.T) {
	in, bad, err := Tenant{}.Read(t.Context(), "a.json", `{"name":"F","start":{"next_node":"a"},"nodes":[{"id":"a","type":"FLOW","alias":"Send","config":{"flow_id":"af_1"}}]}`)
	if in == nil {
		t.Fatal(bad, err)
	}
	if shown := app.HTMLString(in.Look()); !strings.Contains(shown, "a journey through “Send” ends here") || !strings.Contains(shown, "a journey through “Send” stops there") {
		t.Errorf("the dialog is %s", shown)
	}
}

// A placeholder without a flow has a choice, and is not a warning as well.
func TestPlaceholdersAreNamedOnce(t *testing.T) {
	onTransfer(t, mine, func(_ app.Context, _ *Transfer, _ *uitest.Canvas) {
		in, _, _ := Tenant{}.Read(t.Context(), "theirs.json", file)
		shown := app.HTMLString(in.Look())
		for _, want := range []string{`data-flow="#FLOW-2#"`, "Keep the placeholder #FLOW-2#", "2 flows", ">Flows<"} {
			if !strings.Contains(shown, want) {
				t.Errorf("the dialog lacks %q: %s", want, shown)
			}
		}
		if n := strings.Count(shown, "#FLOW-2#"); n != 2 {
			t.Errorf("#FLOW-2# is named %d times: %s", n, shown)
		}
	})
}

func TestProblemsHaveLinesAndColumns(t *testing.T) {
	_, bad, _ := Tenant{}.Read(t.Context(), "bad.json", "{\n\"name\": \"\",\n \"nodes\": 3}")
	shown := ""
	for _, ui := range bad.Body() {
		shown += app.HTMLString(ui)
	}
	if !strings.Contains(shown, "Line 2, column 9") || !strings.Contains(shown, "Line 3, column 11") {
		t.Errorf("the places are missing: %s", shown)
	}
}
