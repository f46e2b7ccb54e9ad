package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

const form = `{"id":"ap_test","name":"Contact","nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","config":{"components":[{"id":"mail","category":"FIELD","type":"EMAIL","label":"Private mail"},
		{"id":"k17","category":"FIELD","type":"TEXT","label":"Badge"}]}},
	{"id":"save","type":"FLOW","alias":"Save it","config":{"flow_id":"af_1"}}]}`

// onDialog calls f with one of the two dialogs and the commands that it ran.
func onDialog(t *testing.T, name, query string, f func(ctx app.Context, p *Dialog, c *uitest.Canvas, ran *[]command.ID)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, c := uitest.Workspace(t, form)
		var ran []command.ID
		w.Perform = func(_ app.Context, id command.ID, _ string) {
			if w.Dialog.Name() != "" {
				t.Error("a command runs while the list is open")
			}
			ran = append(ran, id)
		}
		p := &Dialog{Workspace: w}
		p.Open(ctx, name)
		p.Type(query)
		f(ctx, p, c, &ran)
	})
}

func TestTakenCommandRuns(t *testing.T) {
	onDialog(t, Commands, "fit view", func(ctx app.Context, p *Dialog, _ *uitest.Canvas, ran *[]command.ID) {
		p.Take(ctx, len(p.results())) // there is no such result
		p.Take(ctx, -1)
		if len(*ran) > 0 || !p.IsOpen() {
			t.Errorf("a missing result runs %q", *ran)
		}
		if p.Take(ctx, 0); !slices.Equal(*ran, []command.ID{command.FitView}) || p.IsOpen() {
			t.Errorf("runs %q, open: %t", *ran, p.IsOpen())
		}
	})
}

// A search result is selected and shown, and its control gets the focus. The control of an id does not: the next key would overwrite the id.
func TestFoundPlaceIsSelectedAndShown(t *testing.T) {
	for query, want := range map[string]struct{ component, seek string }{
		"private": {"mail", "nodes[0].config.components[0].label"}, "k17": {"k17", ""},
	} {
		onDialog(t, Find, query, func(ctx app.Context, p *Dialog, c *uitest.Canvas, _ *[]command.ID) {
			p.Take(ctx, 0)
			if sel := p.Editor.State().Selection; sel.Only() != "ask" || sel.Component != want.component || !slices.Contains(c.Calls, "ZoomTo ask") {
				t.Errorf("%s: selects %+v, canvas %q", query, sel, c.Calls)
			}
			if p.Seek != want.seek {
				t.Errorf("%s: the focus goes to %q, want %q", query, p.Seek, want.seek)
			}
		})
	}
}

func TestKeysMoveWithinTheList(t *testing.T) {
	onDialog(t, Commands, "", func(ctx app.Context, p *Dialog, _ *uitest.Canvas, ran *[]command.ID) {
		last := len(p.results()) - 1
		if last < 20 {
			t.Fatalf("the list has %d commands", last+1)
		}
		for _, step := range []struct {
			key  string
			want int
		}{
			{"ArrowUp", 0},
			{"ArrowDown", 1},
			{"PageDown", 9},
			{"ArrowUp", 8},
			{"PageUp", 0},
			{"x", 0},
			{"PageDown", 8},
			{"PageDown", 16},
			{"PageDown", 24},
		} {
			p.Key(ctx, app.Event{Value: app.Undefined()}, step.key)
			p.Draw()
			if want := min(step.want, last); p.at != want {
				t.Errorf("%s leads to %d, want %d", step.key, p.at, want)
			}
		}
		for range last {
			p.Key(ctx, app.Event{Value: app.Undefined()}, "PageDown")
			p.Draw()
		}
		if p.at != last {
			t.Errorf("the last page ends at %d, want %d", p.at, last)
		}
		for p.results()[p.at].group != commandGroup {
			p.Key(ctx, app.Event{Value: app.Undefined()}, "ArrowUp")
		}
		want := p.results()[p.at]
		if p.Key(ctx, app.Event{Value: app.Undefined()}, "Enter"); p.IsOpen() || len(*ran) != 1 || command.Of((*ran)[0]).Icon != want.icon {
			t.Errorf("Enter on %s runs %q", want.title, *ran)
		}
	})
}

func TestTypingSelectsTheFirstResult(t *testing.T) {
	onDialog(t, Commands, "", func(ctx app.Context, p *Dialog, _ *uitest.Canvas, _ *[]command.ID) {
		p.Key(ctx, app.Event{Value: app.Undefined()}, "PageDown")
		if p.Type("zoom"); p.at != 0 {
			t.Errorf("after typing, result %d is selected", p.at)
		}
		p.Type("no such thing")
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, "Nothing matches") || p.at != 0 {
			t.Errorf("without a result it draws %s", shown)
		}
		p.Dialog.Close()
		if p.Draw() != nil || p.IsOpen() {
			t.Error("a closed list is drawn")
		}
	})
}

func TestFoundTextIsMarked(t *testing.T) {
	onDialog(t, Find, "private", func(_ app.Context, p *Dialog, _ *uitest.Canvas, _ *[]command.ID) {
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, "<mark>Private</mark>") {
			t.Errorf("draws %s", shown)
		}
	})
}
