package versions

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

const listed = `{"start":0,"limit":100,"total":2,"versions":[
	{"version":7,"saved_at":"2026-01-02T12:00:00Z","author":"Ana","summary":"Label of E-mail changed","note":"Asked for by the shop","name":""},
	{"version":6,"saved_at":"2026-01-01T12:00:00Z","author":"","summary":"Step Contact added","note":"","name":""}]}`

// worded has a summary as earlier releases wrote it, with ids and HTML.
const worded = `{"total":2,"versions":[{"version":2,"saved_at":"2026-01-02T12:00:00Z","author":"Ana","summary":"Step One: component mail: label changed from \"<h2>A</h2>\"; component gone added"},
	{"version":1,"saved_at":"2026-01-01T12:00:00Z","author":""}]}`

func noon() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

// opened is a panel in view whose server answers by the method and the end of the path, and what it was asked for.
type opened struct {
	*Panel

	asked   []string
	answers map[string]string
	status  int
}

func newOpened(t *testing.T) *opened {
	t.Helper()
	w, _ := uitest.Workspace(t, `{"id":"ap_test","name":"Contact","nodes":[]}`)
	o := &opened{answers: map[string]string{}, status: 200}
	o.Panel = &Panel{Workspace: w, Blame: &Blame{Workspace: w}}
	w.Client = client.New(uitest.Server(func(r client.Request) (client.Response, error) {
		what := r.Method + " " + strings.TrimPrefix(r.Path, "/bff/api/forms/ap_test") + string(r.Body)
		o.asked = append(o.asked, what)
		for part, body := range o.answers {
			if strings.Contains(what, part) {
				return uitest.Answer(o.status, body), nil
			}
		}
		return uitest.Answer(200, listed), nil
	}))
	w.Panels.ShowTab(workspace.History)
	return o
}

func (o *opened) shown() string {
	return app.HTMLString(o.Draw(noon().Add(3*time.Minute), RowMenu+"7"))
}

func (o *opened) lacks(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(o.shown(), part) {
			t.Errorf("the list lacks %s: %s", part, o.shown())
		}
	}
}

// The list is read once when it is in view, and once when the form has been saved, here or by somebody else.
func TestVersionsAreListed(t *testing.T) {
	o := newOpened(t)
	o.Panels.ShowTab(workspace.Outline)
	uitest.Play(t,
		func(ctx app.Context) {
			o.Follow(ctx, `"1"`, noon())
			if len(o.asked) != 0 {
				t.Error("the list is read while another tab is open")
			}
			o.Panels.ShowTab(workspace.History)
			o.Follow(ctx, `"1"`, noon())
			o.Follow(ctx, `"1"`, noon())
		},
		func(ctx app.Context) {
			o.Follow(ctx, `"1"`, noon())
			if len(o.asked) != 1 {
				t.Errorf("asked for %q, want the list once", o.asked)
			}
			o.lacks(t, "Ana", "Label of E-mail changed", "Asked for by the shop", "Saved elsewhere", "Step Contact added", `data-arg="7"`, `data-testid="versions"`,
				rule, `data-act="version-restore"`)
			o.Heard()
			o.Follow(ctx, `"1"`, noon())
		},
		func(ctx app.Context) {
			if len(o.asked) != 2 {
				t.Errorf("asked for %q after somebody else has saved", o.asked)
			}
			o.answers["versions"], o.status = `{"code":"store","detail":"the versions are away"}`, 503
			o.Follow(ctx, `"2"`, noon())
		},
		func(app.Context) {
			if o.lacks(t, "The versions are away.", "Ana"); len(o.asked) != 3 {
				t.Errorf("asked for %q after a failure", o.asked)
			}
		})
}

// Ids and HTML in the summaries of earlier releases are put into words, and a first version without an author is not said to be saved elsewhere.
// The menu of a version has its actions.
func TestLinesOfVersions(t *testing.T) {
	o := newOpened(t)
	w, _ := uitest.Workspace(t, `{"id":"ap_test","name":"F","nodes":[{"id":"one","type":"STEP","config":{"components":[{"id":"mail","type":"EMAIL","category":"FIELD","label":"E-mail"}]}}]}`)
	w.Client, o.Workspace = o.Client, w
	w.Panels.ShowTab(workspace.History)
	o.answers["versions"] = worded
	uitest.Play(t, func(ctx app.Context) { o.Follow(ctx, `"1"`, noon()) }, func(app.Context) {
		o.lacks(t, `Step One: E-mail: label changed from &#34; A &#34;; component gone added`, "As it was when Formgraph first opened it")
		if strings.Contains(o.shown(), "Saved elsewhere") {
			t.Error("the first version is said to be saved elsewhere")
		}
		var names []string
		for _, it := range o.Menu("2") {
			names = append(names, it.Name)
		}
		if strings.Contains(o.shown(), "As first opened, ") {
			t.Error("the first version says twice that it is that")
		}
		if got := strings.Join(names, ", "); got != "Compare, Restore, Name and note" || o.Menu("3") != nil {
			t.Errorf("the menu has %s", got)
		}
	})
}

// The first line shows what can be done with its version. Each has it as a menu, too, whose button says whether it is open.
func TestActionsOfVersions(t *testing.T) {
	o := newOpened(t)
	uitest.Play(t, func(ctx app.Context) { o.Follow(ctx, `"1"`, noon()) }, func(app.Context) {
		rows := strings.Split(o.shown(), "<li ")[1:]
		if len(rows) != 2 {
			t.Fatalf("draws %s", o.shown())
		}
		for i, row := range rows {
			number := [...]string{"7", "6"}[i]
			_, acts, _ := strings.Cut(row, "<span class=\"version-acts")
			if strings.HasPrefix(acts, " first") != (i == 0) || strings.Count(acts, "<button") != 4 {
				t.Errorf("version %s has the actions %s", number, acts)
			}
			if strings.Contains(acts, ">Compare<") != (i == 0) || !strings.Contains(acts, `aria-label="Compare with `) {
				t.Errorf("version %s does not show words in the first line only: %s", number, acts)
			}
			buttons := strings.Split(acts, "<button")
			at := slices.IndexFunc(buttons, func(b string) bool { return strings.Contains(b, `data-arg="`+RowMenu+number+`"`) })
			if at < 0 {
				t.Fatalf("version %s has the actions %s", number, acts)
			}
			button, _, _ := strings.Cut(buttons[at], ">")
			if !strings.Contains(button, "aria-haspopup") || strings.Contains(button, `aria-expanded="false"`) != (i == 1) {
				t.Errorf("version %s has the button %s", number, button)
			}
			if items, ok := o.OfMenu(RowMenu + number); !ok || len(items) != 3 || items[0].Arg != number {
				t.Errorf("the menu of version %s has %v", number, items)
			}
		}
		if _, ok := o.OfMenu("more"); ok {
			t.Error("another menu is one of a version")
		}
	})
}

// A list that lacks the last save, which another replica has not recorded yet, is read again, a few times.
func TestALateVersionIsAwaited(t *testing.T) {
	o := newOpened(t)
	uitest.Play(t, func(ctx app.Context) { o.Follow(ctx, `"1"`, noon().Add(time.Hour)) }, func(app.Context) {
		if len(o.asked) != 1+maxAgain {
			t.Errorf("asked for %q", o.asked)
		}
	})
}

// A long list is read in parts.
func TestOlderVersionsAreReadInParts(t *testing.T) {
	part := func(from, to int) string {
		var all []string
		for n := from; n >= to; n-- {
			all = append(all, fmt.Sprintf(`{"version":%d,"saved_at":"2026-01-02T12:00:00Z","author":"A%d"}`, n, n))
		}
		return `{"total":150,"versions":[` + strings.Join(all, ",") + `]}`
	}
	o := newOpened(t)
	o.answers["&page=0"], o.answers["&page=1"] = part(150, 51), part(52, 3) // two are new meanwhile
	uitest.Play(t, func(ctx app.Context) { o.Follow(ctx, `"1"`, noon()) }, func(ctx app.Context) {
		o.lacks(t, "Older versions", "A150", "A51")
		o.Do(ctx, moreAct, "")
	}, func(app.Context) {
		if len(o.list) != 148 || strings.Contains(o.shown(), "A2<") {
			t.Errorf("%d versions", len(o.list))
		}
		o.lacks(t, "A51", "A50", "A3<")
	})
}

// The name and the note are written in the list; what is wrong stays at its field with the text.
func TestNamesAreWrittenInPlace(t *testing.T) {
	o := newOpened(t)
	uitest.Play(t, func(ctx app.Context) { o.Follow(ctx, `"1"`, noon()) }, func(ctx app.Context) {
		o.Do(ctx, editAct, "7")
		o.lacks(t, `id="version-name"`, "version-about", "Label of E-mail changed", "Ana, ", "Asked for by the shop")
		o.Input(nameID, strings.Repeat("x", maxName+1))
		o.Do(ctx, keepAct, "")
	}, func(ctx app.Context) {
		if o.lacks(t, "Must be at most 120 characters, is 121.", "xxx"); len(o.asked) != 1 {
			t.Errorf("asked for %q", o.asked)
		}
		o.Input(nameID, "Launch")
		o.answers["PATCH"], o.status = `{"code":"scope","detail":"you may not"}`, 403
		o.Do(ctx, keepAct, "")
	}, func(ctx app.Context) {
		o.lacks(t, "You may not.", "Launch", "Asked for by the shop")
		o.answers["PATCH"], o.status = `{"version":7,"saved_at":"2026-01-02T12:00:00Z","author":"Ana","summary":"S","note":"N","name":"Launch"}`, 200
		o.Do(ctx, keepAct, "")
	}, func(ctx app.Context) {
		if last := o.asked[len(o.asked)-1]; last != `PATCH /versions/7{"name":"Launch","note":"Asked for by the shop"}` {
			t.Errorf("asked for %s", last)
		}
		if o.edit.number != 0 || strings.Contains(o.shown(), nameID) {
			t.Error("the fields stay open")
		}
		o.lacks(t, "version named", "Launch")
		o.answers["named=true"] = `{"total":1,"versions":[{"version":7,"saved_at":"2026-01-02T12:00:00Z","author":"Ana","name":"Launch"}]}`
		o.Do(ctx, namedAct, "")
		o.Follow(ctx, `"1"`, noon())
	}, func(app.Context) {
		if len(o.list) != 1 {
			t.Errorf("%d named versions: %q", len(o.list), o.asked)
		}
	})
}

// A version is restored in one step, which one undo takes back.
func TestRestore(t *testing.T) {
	o := newOpened(t)
	uitest.Play(t, func(ctx app.Context) {
		o.answers["/versions/7"] = `{"version":7,"form":{"id":"ap_test","name":"Earlier","nodes":[{"id":"a","type":"STEP"}]}}`
		o.Follow(ctx, `"1"`, noon())
	}, func(ctx app.Context) {
		o.Do(ctx, restoreAct, "7")
		ctx.After(time.Second, func(app.Context) {
			if shown := app.HTMLString(o.Toast.Box()); !strings.Contains(shown, "Restored: ") || !strings.Contains(shown, `data-act="undo-toast"`) {
				t.Errorf("the message is %s", shown)
			}
		})
	}, func(ctx app.Context) {
		f := o.Editor.State().Form
		if f.Name != "Earlier" || len(f.Nodes) != 1 || f.ID != "ap_test" {
			t.Errorf("the form is %q with %d nodes", f.Name, len(f.Nodes))
		}
		o.Do(ctx, restoreAct, "7")
	}, func(app.Context) {
		if s, ok := o.Editor.Undo(); !ok || !strings.HasPrefix(s.Label.String(), "Restore ") || o.Editor.State().Form.Name != "Contact" || o.Editor.UndoLabel() != "" {
			t.Errorf("undo of %q leads to %q", s.Label, o.Editor.State().Form.Name)
		}
	})
}

// Automatic saves of a person within one sitting are one line; what somebody has named stands alone.
func TestSittingsAreOneLine(t *testing.T) {
	at := func(minutes int, author string, automatic bool, name string) formapi.Version {
		return formapi.Version{Number: minutes, SavedAt: noon().Add(time.Duration(minutes) * time.Minute), Author: author, Automatic: automatic, Name: name}
	}
	list := []formapi.Version{
		at(61, "Ana", false, ""), at(60, "Ana", true, ""), at(55, "Ana", true, ""), at(45, "Ana", true, ""), at(34, "Ana", true, ""),
		at(33, "Ben", true, ""), at(32, "Ana", true, ""), at(31, "Ana", true, "Named"), at(30, "Ana", true, ""), at(29, "Ana", true, ""),
	}
	var got []int
	for _, l := range linesOf(list) {
		got = append(got, len(l))
	}
	if fmt.Sprint(got) != "[1 3 1 1 1 1 2]" {
		t.Errorf("lines of %v", got)
	}
	o := newOpened(t)
	o.list = list
	o.lacks(t, "3 saves while editing, ")
	if strings.Contains(o.shown(), `data-arg="55"`) {
		t.Error("a folded line shows its versions")
	}
	restore := `aria-label="Restore ` + Name(&list[1]) + `"`
	if n := strings.Count(o.shown(), restore); n != 1 {
		t.Errorf("a folded line offers %d times to restore its last version, want once", n)
	}
	uitest.Play(t, func(ctx app.Context) { o.Do(ctx, unfoldAct, "60") }, func(ctx app.Context) {
		o.lacks(t, `data-arg="55"`)
		if n := strings.Count(o.shown(), restore); n != 1 {
			t.Errorf("an open line offers %d times to restore its last version, want once", n)
		}
		o.Do(ctx, unfoldAct, "60")
	}, func(app.Context) {
		if strings.Contains(o.shown(), `data-arg="55"`) {
			t.Error("the line does not fold again")
		}
	})
}

// A newer part replaces the beginning of the list, unless there is a gap.
func TestPartsAreJoined(t *testing.T) {
	list := func(numbers ...int) (out []formapi.Version) {
		for _, n := range numbers {
			out = append(out, formapi.Version{Number: n})
		}
		return out
	}
	for _, tt := range []struct {
		was, part []formapi.Version
		at        int
		want      string
	}{
		{nil, list(3, 2, 1), 0, "3 2 1"},
		{list(3, 2, 1), list(5, 4, 3), 0, "5 4 3 2 1"},
		{list(3, 2, 1), list(3, 2), 0, "3 2 1"},
		{list(3, 2, 1), list(9, 8), 0, "9 8"},
		{list(5, 4), list(3, 2), 1, "5 4 3 2"},
		{list(5, 4), list(4, 3), 1, "5 4 3"},
	} {
		var got []string
		for _, v := range join(tt.was, tt.part, tt.at) {
			got = append(got, fmt.Sprint(v.Number))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v and %v: %v, want %s", tt.was, tt.part, got, tt.want)
		}
	}
}

// Whoever changed the selected element last is told, until it is changed.
func TestBlameOfTheSelection(t *testing.T) {
	w, _ := uitest.Workspace(t, `{"id":"ap_test","name":"Contact","nodes":[{"id":"one","type":"STEP","config":{"components":[{"id":"a","type":"TEXT","category":"FIELD"}]}},
		{"id":"two","type":"ROUTER","config":{"rules":[{"id":"r"}]}}]}`)
	reads := 0
	w.Client = client.New(uitest.Server(func(client.Request) (client.Response, error) {
		reads++
		return uitest.Answer(200, `{"version":7,"complete":true,"versions":[{"version":7,"saved_at":"2026-01-02T12:00:00Z","author":"Ana","name":"","kept":true},
			{"version":3,"saved_at":"2026-01-02T10:00:00Z","author":"","name":"","kept":false},
			{"version":1,"saved_at":"2026-01-01T10:00:00Z","author":"","name":"","kept":true}],"nodes":{"one":7,"two":1},"components":{"a":3},"rules":{"two":{"r":7}}}`), nil
	}))
	b := &Blame{Workspace: w}
	now := noon().Add(3 * time.Minute)
	shown := func() string { return app.HTMLString(b.Draw(now)) }
	uitest.Play(t, func(ctx app.Context) {
		if b.Follow(ctx, `"1"`); reads != 0 {
			t.Error("it is read without a selection")
		}
		w.Editor.Select(editor.SelectNodes("one"))
		b.Follow(ctx, `"1"`)
		b.Follow(ctx, `"1"`)
	}, func(ctx app.Context) {
		b.Follow(ctx, `"1"`)
		if got := shown(); reads != 1 || !strings.Contains(got, "Changed by Ana, 3 minutes ago") || !strings.Contains(got, `data-act="version-change"`) || b.mark(7) == "" || b.mark(3) != "" {
			t.Errorf("%d reads: %s", reads, got)
		}
		if it := b.Item(now); it.Arg != "7" || it.Name != "Changed by Ana, 3 minutes ago" {
			t.Errorf("the line of the menu is %+v", it)
		}
		w.Editor.Select(editor.Selection{Nodes: []string{"one"}, Component: "a"})
		if got := shown(); !strings.Contains(got, "Changed elsewhere, 2 hours ago") || strings.Contains(got, "data-act") || b.Item(now).Name != "" {
			t.Errorf("a version that is gone: %s", got)
		}
		w.Editor.Select(editor.SelectNodes("two"))
		if got := shown(); strings.Contains(got, "Changed") || b.Item(now).Name != "" {
			t.Errorf("what was there when the form was first seen: %s", got)
		}
		w.Editor.Select(editor.Selection{Nodes: []string{"two"}, Rule: "r"})
		if got := shown(); !strings.Contains(got, "Changed by Ana") {
			t.Errorf("a rule: %s", got)
		}
		if err := w.Editor.Run(editor.RenamePart{Path: model.RulePath(1, 0).Key("id"), ID: "s"}); err != nil {
			t.Fatal(err)
		}
		if got := shown(); strings.Contains(got, "Changed") || b.Item(now).Name != "" {
			t.Errorf("after an edit: %s", got)
		}
		w.Editor.Select(editor.SelectNodes("one"))
		w.User.Name = "Ana"
		if got := shown(); strings.Contains(got, "Changed") || b.Item(now).Name == "" {
			t.Errorf("what the reader has changed: %s", got)
		}
	})
}
