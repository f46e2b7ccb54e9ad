package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// headings returns the groups of the list in order.
func headings(list []result) (out []string) {
	for _, r := range list {
		out = append(out, r.group)
	}
	return slices.Compact(out)
}

func TestResultsAreInGroups(t *testing.T) {
	for _, test := range []struct {
		query, first string
		groups       []string
	}{
		{"", "Ask", []string{"Nodes", "Commands"}},
		{"ask", "Ask", []string{"Nodes"}},
		{"tidy", "Tidy up", []string{"Commands"}},
		{"email", "Add component: Email", []string{"Components", "In this form"}},
		{"save", "Save", []string{"Commands", "Nodes"}},
	} {
		onDialog(t, Commands, test.query, func(_ app.Context, p *Dialog, _ *uitest.Canvas, _ *[]command.ID) {
			got := p.results()
			for _, r := range got {
				if r.disabled != (r.group == laterGroup) || r.disabled && test.query == "" {
					t.Errorf("%q finds %q, disabled %t, in %s", test.query, r.title, r.disabled, r.group)
				}
			}
			if len(got) == 0 || got[0].title != test.first {
				t.Errorf("%q finds %+v", test.query, got)
			}
			if names := headings(got); !slices.Equal(names[:min(len(names), len(test.groups))], test.groups) {
				t.Errorf("%q has the groups %q, want %q", test.query, names, test.groups)
			}
		})
	}
}

// Many commands with the same remedy are one line.
func TestSameRemedyIsOneLine(t *testing.T) {
	onDialog(t, Commands, "add", func(ctx app.Context, p *Dialog, _ *uitest.Canvas, _ *[]command.ID) {
		var got []string
		for _, r := range p.results() {
			if r.disabled {
				got = append(got, r.title+": "+r.note)
			}
		}
		if want := []string{"Add rule: Select a router first."}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		p.Editor.Select(editor.SelectNodes("ask"))
		if slices.ContainsFunc(p.results(), func(r result) bool { return strings.HasSuffix(r.title, " components") }) {
			t.Error("commands that apply are folded")
		}
	})
}

func TestFoundNodeIsSelectedAndShown(t *testing.T) {
	onDialog(t, Commands, "ask", func(ctx app.Context, p *Dialog, c *uitest.Canvas, _ *[]command.ID) {
		p.Take(ctx, 0)
		if sel := p.Editor.State().Selection; sel.Only() != "ask" || !slices.Contains(c.Calls, "ZoomTo ask") {
			t.Errorf("selects %+v, canvas %q", sel, c.Calls)
		}
	})
}

// The start and the ending are found like nodes, and so are components by their kind, but nothing is found by letters that are scattered in it.
func TestEndsAreFoundAndScatteredLettersAreNot(t *testing.T) {
	for query, want := range map[string]string{"ending": "Ending", "start": "Start", "vtml": "", "privmail": "Private mail", "pm": "Private mail", "email": "Private mail"} {
		onDialog(t, Commands, query, func(_ app.Context, p *Dialog, _ *uitest.Canvas, _ *[]command.ID) {
			var got []string
			for _, r := range append(p.nodes(), p.components()...) {
				got = append(got, r.title)
			}
			if strings.Join(got, "|") != want {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		})
	}
}

// Letters that are scattered in the name of a command find it only if the query finds nothing else, and few letters find no words that people do not
// see.
func TestScatteredLettersAreTheLastResort(t *testing.T) {
	for query, want := range map[string]string{
		"add st": "Add node: Step|Add component: Custom field", "dabout": "", "swtch": "Switch between light and dark", "fv": "Fit view", "tdyp": "Tidy up|Tidy up the selection",
	} {
		onDialog(t, Commands, query, func(_ app.Context, p *Dialog, _ *uitest.Canvas, _ *[]command.ID) {
			var got []string
			for _, r := range p.results() {
				got = append(got, r.title)
			}
			if strings.Join(got, "|") != want {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		})
	}
}

// The components of the form follow what the name of a kind adds, and are selected and shown.
func TestFoundComponentIsSelectedAndShown(t *testing.T) {
	onDialog(t, Commands, "mail", func(ctx app.Context, p *Dialog, c *uitest.Canvas, _ *[]command.ID) {
		p.Editor.Select(editor.SelectNodes("ask"))
		list := p.results()
		i := slices.IndexFunc(list, func(r result) bool { return r.group == partGroup })
		if i < 1 || list[i].note != "mail" || list[0].group != componentGroup {
			t.Fatalf("finds %+v", list)
		}
		p.Take(ctx, i)
		if sel := p.Editor.State().Selection; sel.Only() != "ask" || sel.Component != "mail" || !slices.Contains(c.Calls, "ZoomTo ask") {
			t.Errorf("selects %+v, canvas %q", sel, c.Calls)
		}
	})
}

// The other forms of the tenant follow their names; this form is not among them. They are read once for a while.
func TestOtherFormsAreOffered(t *testing.T) {
	asked := 0
	w, _ := uitest.Workspace(t, form)
	w.Client = client.New(uitest.Server(func(client.Request) (client.Response, error) {
		asked++
		return uitest.Answer(200, `[{"id":"ap_test","name":"Contact"},{"id":"ap_2","name":"Contact again"},{"id":"ap_3","name":"Survey"}]`), nil
	}))
	p := &Dialog{Workspace: w}
	uitest.Play(t,
		func(ctx app.Context) { p.Open(ctx, Commands) },
		func(ctx app.Context) {
			var names []string
			for _, r := range p.results() {
				if r.group == formGroup {
					names = append(names, r.title)
				}
			}
			if !slices.Equal(names, []string{"Contact again", "Survey"}) {
				t.Errorf("offers the forms %q", names)
			}
			p.Type("contact")
			if got := p.results(); got[0].title != "Contact again" || got[0].note != "ap_2" {
				t.Errorf("contact finds %+v", got)
			}
			p.Dialog.Close()
			p.Open(ctx, Commands)
		},
	)
	if asked != 1 {
		t.Errorf("the forms were read %d times", asked)
	}
}

// A page without a form has its own commands, and all forms.
func TestCommandsOfAPage(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		done := ""
		p := &Dialog{Workspace: workspace.New("", nil)}
		p.Page = func() []kit.Item {
			return []kit.Item{{Act: "new", Name: "New form"}, {}, {Name: "Ana"}, {Row: "Theme", Act: "theme", Arg: "dark", Name: "Dark"}}
		}
		p.Do = func(_ app.Context, act, arg string) { done = act + " " + arg }
		p.SetForms([]formapi.Summary{{ID: "ap_1", Name: "Sign-up"}})
		p.Open(ctx, Commands)
		titles := func(query string) (out []string) {
			p.Type(query)
			for _, r := range p.results() {
				out = append(out, r.title)
			}
			return out
		}
		if got := titles(""); !slices.Equal(got, []string{"New form", "Theme: Dark", "Sign-up"}) {
			t.Errorf("lists %q", got)
		}
		if got := titles("sign"); !slices.Equal(got, []string{"Sign-up"}) {
			t.Errorf("finds %q", got)
		}
		titles("dark")
		if p.Take(ctx, 0); done != "theme dark" || p.IsOpen() {
			t.Errorf("does %q", done)
		}
	})
}

// Without a query, the commands that were taken last come first, each once, as long as they apply.
func TestRecentCommandsComeFirst(t *testing.T) {
	onDialog(t, Commands, "", func(ctx app.Context, p *Dialog, _ *uitest.Canvas, ran *[]command.ID) {
		whole := len(p.results())
		for _, query := range []string{"fit view", "tidy up", "zoom in", "undo", "show history", "tidy up", "ask"} {
			p.Open(ctx, Commands)
			p.Type(query)
			p.Take(ctx, 0)
		}
		p.Editor.Select(editor.Selection{})
		p.Open(ctx, Commands)
		got := p.results()
		var first []string
		for _, r := range got[:4] {
			first = append(first, r.group+" "+r.title)
		}
		if want := []string{"Recent Tidy up", "Recent Show history", "Recent Zoom in", "Nodes Ask"}; !slices.Equal(first, want) {
			t.Errorf("the list begins with %q, want %q", first, want)
		}
		if len(got) != whole {
			t.Errorf("%d results, want %d", len(got), whole)
		}
		*ran = nil
		if p.Take(ctx, 0); !slices.Equal(*ran, []command.ID{command.TidyUp}) {
			t.Errorf("the first runs %q", *ran)
		}
		p.Open(ctx, Commands)
		if p.Type("history"); p.results()[0].group != commandGroup {
			t.Error("a query has recent commands")
		}
	})
}

// Letters here and there in an id find nothing; a part of it does.
func TestIDsAreFoundByTheirParts(t *testing.T) {
	for query, want := range map[string]int{"add": 0, "dr68": 1, "ap_dr6": 1} {
		onDialog(t, Commands, query, func(_ app.Context, p *Dialog, _ *uitest.Canvas, _ *[]command.ID) {
			p.SetForms([]formapi.Summary{{ID: "ap_DR68GG5uD2", Name: "Compared"}})
			if got := p.others(); len(got) != want {
				t.Errorf("%q finds %+v", query, got)
			}
		})
	}
}
