package connect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"id":"ap_test","name":"Contact","start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","config":{"components":[]}},
	{"id":"save","type":"FLOW","alias":"Save it","config":{"flow_id":"af_1","next_node":"$ending"}},
	{"id":"which","type":"ROUTER","alias":"Which","config":{"rules":[],"fallback":"$ending"}},
	{"id":"save","type":"FLOW","alias":"Twin","config":{"flow_id":"af_1"}}]}`

// onDialog calls f with the dialog of a form with a selected node.
func onDialog(t *testing.T, node string, f func(ctx app.Context, p *Dialog)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, form)
		w.Dialog.Origin.ToOutline = func() bool { return true }
		w.Editor.Select(editor.SelectNodes(node))
		f(ctx, &Dialog{Workspace: w})
	})
}

func ids(p *Dialog) string {
	var out []string
	for _, t := range p.targets() {
		out = append(out, t.id)
	}
	return strings.Join(out, " ")
}

func TestTargetsMatchTheInput(t *testing.T) {
	for typed, want := range map[string]string{
		"": "save which $ending +step", "new st": "+step", " SAVE ": "save", "which": "which", "end": "$ending", "ask": "", "nothing": "", "twin": "",
	} {
		onDialog(t, "ask", func(ctx app.Context, p *Dialog) {
			p.Open(ctx)
			p.Type(typed)
			if got := ids(p); got != want {
				t.Errorf("%q offers %q, want %q", typed, got, want)
			}
			if empty := strings.Contains(app.HTMLString(p.Draw()), "No matching nodes"); empty != (want == "") {
				t.Errorf("%q: the dialog says that it is empty: %t", typed, empty)
			}
		})
	}
}

func TestTargetsAreBounded(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		var nodes []string
		for i := range 3 * targetLimit {
			nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","config":{"components":[]}}`, i))
		}
		w, _ := uitest.Workspace(t, `{"id":"ap_test","name":"Many","nodes":[`+strings.Join(nodes, ",")+`]}`)
		w.Editor.Select(editor.SelectNodes("n0"))
		p := &Dialog{Workspace: w}
		if n := len(p.targets()); n != targetLimit+1 { // and a new step
			t.Errorf("offers %d", n)
		}
		if p.Type("n35"); ids(p) != "n35" {
			t.Errorf("typing offers %s", ids(p))
		}
	})
}

func TestEnterConnectsToTheFirstTarget(t *testing.T) {
	onDialog(t, "ask", func(ctx app.Context, p *Dialog) {
		p.Open(ctx)
		p.Type("sa")
		p.ConnectFirst(ctx)
		out, _ := p.Editor.State().Form.OutOf("ask", "next")
		if out.To != "save" || p.Dialog.Name() != "" || !strings.HasPrefix(p.Toast.Text(), "Connected “Ask” to “Save it”") {
			t.Errorf("leads to %q, dialog %q, says %q", out.To, p.Dialog.Name(), p.Toast.Text())
		}
	})
	onDialog(t, "ask", func(ctx app.Context, p *Dialog) {
		p.Open(ctx)
		p.Type("nothing")
		if p.ConnectFirst(ctx); p.Dialog.Name() != Name || p.Editor.UndoLabel() != "" {
			t.Errorf("without a target the dialog is %q and %q is done", p.Dialog.Name(), p.Editor.UndoLabel())
		}
	})
}

func TestRefusalIsExplained(t *testing.T) {
	onDialog(t, "$ending", func(ctx app.Context, p *Dialog) {
		if p.Open(ctx); p.Dialog.Name() != "" || p.Toast.Text() == "" || p.Draw() != nil {
			t.Errorf("dialog %q, says %q", p.Dialog.Name(), p.Toast.Text())
		}
		if p.Connect(ctx, "ask"); p.Editor.UndoLabel() != "" || slices.Contains([]string{"ask"}, ids(p)) {
			t.Errorf("the ending was connected: %s", p.Editor.UndoLabel())
		}
	})
}

// The dialog also sets a property to the node that is found.
func TestFindForAProperty(t *testing.T) {
	onDialog(t, "ask", func(ctx app.Context, p *Dialog) {
		set := func(to string) editor.Command {
			return editor.Set{Path: schema.Path{schema.Key("nodes"), schema.Index(1), schema.Key("config"), schema.Key("next_node")}, Value: to}
		}
		p.OpenFor(ctx, editor.EdgeRef{From: "save", Port: "next"}, true, set)
		if p.Type("whi"); ids(p) != "which" {
			t.Errorf("finds %s", ids(p))
		}
		p.ConnectFirst(ctx)
		if out, _ := p.Editor.State().Form.OutOf("save", "next"); out.To != "which" || p.Dialog.Name() != "" || p.Toast.Text() != "" {
			t.Errorf("leads to %q, dialog %q, says %q", out.To, p.Dialog.Name(), p.Toast.Text())
		}
		p.OpenFor(ctx, editor.EdgeRef{From: "save", Port: "next"}, true, set)
		if p.Type("e"); !strings.HasSuffix(ids(p), strings.Join([]string{"$ending", newStep, nowhere}, " ")) {
			t.Errorf("offers %s", ids(p))
		}
		if model.ValidIdentifier(newStep) || model.ValidIdentifier(nowhere) {
			t.Errorf("a node can be called %q or %q", newStep, nowhere)
		}
		p.Connect(ctx, newStep)
		now := p.Editor.State()
		if out, _ := now.Form.OutOf("save", "next"); string(out.To) != now.Selection.Only() || len(now.Form.Nodes) != 5 {
			t.Errorf("the flow leads to %q, selected is %q", out.To, now.Selection.Only())
		}
		p.Editor.Undo()
		p.Editor.Select(editor.SelectNodes("ask"))
		p.Open(ctx) // a connection again
		p.Connect(ctx, "which")
		if out, _ := p.Editor.State().Form.OutOf("ask", "next"); out.To != "which" {
			t.Errorf("the step leads to %q", out.To)
		}
	})
}
