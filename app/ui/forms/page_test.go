package forms

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/schema"
)

// visit is the page in front of a server.
type visit struct {
	*Page
	t       *testing.T
	mu      sync.Mutex
	answers map[string]string // bodies; one that begins with a digit has that status
	changes []string          // requests but GET
}

// busy is the answer of a server that has too much work at once.
const busy = "busy"

func newVisit(t *testing.T) *visit {
	t.Helper()
	v := &visit{Page: New(func(id string) string { return "/forms/" + id }, func() {}), t: t, answers: map[string]string{
		"GET /bff/user":           `{"sub":"ana","name":"Ana","scopes":["read:forms","create:forms","update:forms","delete:forms"]}`,
		"GET /bff/api/forms":      `[{"id":"ap_1","name":"Sign-up","updated_at":"2026-01-09T00:00:00Z"},{"id":"ap_2","name":"Consent"}]`,
		"GET /bff/api/forms/ap_1": `{"id":"ap_1","name":"Sign-up","nodes":[]}`,
	}}
	v.client, v.life = client.New(uitest.Server(v.answer)), kit.NewLife()
	return v
}

func (v *visit) answer(r client.Request) (client.Response, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	path, _, _ := strings.Cut(r.Path, "?")
	if r.Method != "GET" {
		v.changes = append(v.changes, strings.TrimSpace(r.Method+" "+path+" "+string(r.Body)))
	}
	body := v.answers[r.Method+" "+path]
	switch {
	case body == "" && r.Method != "GET":
		return uitest.Answer(204, ""), nil
	case body == busy:
		return uitest.Answer(429, `{"code":"busy","detail":"other work"}`, "Retry-After", "5"), nil
	case strings.HasPrefix(body, "429"):
		v.answers[r.Method+" "+path] = body[3:] // the next call has an answer
		return uitest.Answer(429, `{"code":"rate_limited","detail":"slow down"}`, "Retry-After", "7"), nil
	case strings.HasPrefix(body, "4"), strings.HasPrefix(body, "5"):
		return uitest.Answer(map[string]int{"401": 401, "403": 403, "500": 500}[body[:3]], body[3:]), nil
	case body == "":
		return uitest.Answer(502, `{"code":"x","detail":"the tenant is down"}`), nil
	}
	return uitest.Answer(200, body), nil
}

// play opens the page and takes the steps.
func (v *visit) play(steps ...func(ctx app.Context)) {
	v.t.Helper()
	uitest.Play(v.t, append([]func(app.Context){v.load}, steps...)...)
}

// shows is a step that looks for texts on the page; one that begins with "!" must not be there.
func (v *visit) shows(texts ...string) func(app.Context) {
	return func(app.Context) {
		html := app.HTMLString(v.Render())
		for _, text := range texts {
			want, absent := strings.CutPrefix(text, "!")
			if strings.Contains(html, want) == absent {
				v.t.Errorf("the page shows %q: %t", want, absent)
			}
		}
		headings := 0
		for _, h1 := range regexp.MustCompile(`<h1[^>]*>`).FindAllString(html, -1) {
			if !strings.Contains(h1, "hidden") || strings.Contains(h1, `hidden="false"`) {
				headings++
			}
		}
		if headings != 1 {
			v.t.Errorf("the page has %d headings of the first level: %s", headings, html)
		}
	}
}

// sent is a step that compares the changes since the last one.
func (v *visit) sent(want ...string) func(app.Context) {
	return func(app.Context) {
		if !slices.Equal(v.changes, want) {
			v.t.Errorf("sent %q, want %q", v.changes, want)
		}
		v.changes = nil
	}
}

// set is a step that changes an answer of the server.
func (v *visit) set(request, body string) func(app.Context) {
	return func(app.Context) { v.answers[request] = body }
}

// A list that is searched, empty or unavailable says so and offers what to do next.
func TestListStates(t *testing.T) {
	v := newVisit(t)
	v.answers["GET /bff/templates"] = `[{"id":"contact","name":"Contact form","nodes":{},"edges":""}]`
	v.play(
		v.shows("Sign-up", "Consent", `data-act="open-menu"`, "!Loading"),
		func(app.Context) { v.query = "sign" }, v.shows("Sign-up", "!Consent"),
		func(app.Context) { v.query = "x" }, v.shows("No forms match “x”", `data-act="clear-search"`, "!Sign-up"),
		func(ctx app.Context) { v.do(ctx, "clear-search", "") }, v.shows("Sign-up", "Consent"),
		v.set("GET /bff/api/forms", `[]`), v.load,
		v.shows("Create your first form", `data-act="new"`, `data-act="import"`, `data-act="begin"`, `data-arg="contact"`),
		v.set("GET /bff/api/forms", ""), v.load, v.shows("This could not be loaded", "The tenant is down.", `data-act="retry"`),
		v.set("GET /bff/user", `401{"code":"session_expired","detail":"x"}`), v.load,
		v.shows("Sign in to Formgraph", `data-act="sign-in"`, "!Sign-up"),
	)
	v = newVisit(t)
	uitest.Play(t, func(ctx app.Context) { v.load(ctx); v.shows("Loading the forms…")(ctx) })
}

func TestFormsAreDuplicatedAndRenamed(t *testing.T) {
	v := newVisit(t)
	v.play(
		v.set("POST /bff/api/forms", `{"id":"ap_3","name":"Copy of Sign-up"}`),
		func(ctx app.Context) { v.acts.duplicate(ctx, "ap_1"); v.acts.duplicate(ctx, "ap_1") }, // the second while the first is under way
		v.sent(`POST /bff/api/forms {"name":"Copy of Sign-up","nodes":[]}`),
		v.set("PATCH /bff/api/forms/ap_1", `{"id":"ap_1","name":"Join"}`), func(ctx app.Context) { v.acts.rename(ctx, "ap_1", "Join") },
		v.sent(`PATCH /bff/api/forms/ap_1 {"name":"Join"}`),
	)
}

func TestDeletionIsConfirmed(t *testing.T) {
	v := newVisit(t)
	remove := func(ctx app.Context) { v.acts.open(ctx, "delete", "ap_2") }
	v.play(
		remove, v.shows("“Consent” will be deleted for everyone."), func(app.Context) { v.close() }, v.shows("!will be deleted"), v.sent(),
		v.set("DELETE /bff/api/forms/ap_2", `403{"code":"scope","detail":"you may not delete forms"}`),
		remove, v.acts.confirm, v.shows("You may not delete forms.", "will be deleted"), v.sent("DELETE /bff/api/forms/ap_2"),
		v.set("DELETE /bff/api/forms/ap_2", ""), v.set("GET /bff/api/forms", `[{"id":"ap_1","name":"Sign-up"}]`),
		v.acts.confirm, v.shows("!ap_2", "!will be deleted", "Sign-up"), v.sent("DELETE /bff/api/forms/ap_2"),
	)
}

// A deleted form is brought back by a button, with its content, and so are several.
func TestDeletionIsUndone(t *testing.T) {
	v := newVisit(t)
	soon := func(do func(app.Context), parts ...string) func(app.Context) {
		return func(ctx app.Context) {
			do(ctx)
			ctx.After(time.Second, v.shows(parts...))
		}
	}
	v.play(
		func(ctx app.Context) { v.acts.open(ctx, "delete", "ap_1") }, soon(v.acts.confirm, "“Sign-up” was deleted.", "undo-toast"),
		v.sent("DELETE /bff/api/forms/ap_1"), v.set("POST /bff/api/forms", `{"id":"ap_9","name":"Sign-up"}`),
		soon(v.acts.restore, "The form is back. It has a new id.", "!undo-toast"), v.sent(`POST /bff/api/forms {"name":"Sign-up","nodes":[]}`),
		v.set("GET /bff/api/forms/ap_2", `{"id":"ap_2","name":"Consent","nodes":[]}`),
		func(app.Context) { v.choose(allForms) }, soon(v.acts.removeChosen, "2 forms were deleted.", "undo-toast"),
		v.sent("DELETE /bff/api/forms/ap_1", "DELETE /bff/api/forms/ap_2"),
		v.set("POST /bff/api/forms", `500{"code":"internal","detail":"it broke"}`),
		soon(v.acts.restore, "Restore Sign-up: it broke.", "2 deleted forms can be brought back.", "undo-toast"),
		v.sent(`POST /bff/api/forms {"name":"Sign-up","nodes":[]}`), v.set("POST /bff/api/forms", `{"id":"ap_9","name":"Sign-up"}`),
		soon(v.acts.restore, "2 forms are back. They have new ids.", "!undo-toast"),
		v.sent(`POST /bff/api/forms {"name":"Sign-up","nodes":[]}`, `POST /bff/api/forms {"name":"Consent","nodes":[]}`),
	)
}

// The box for all forms is half-checked while some are chosen.
func TestSomeFormsAreChosen(t *testing.T) {
	v := newVisit(t)
	choose := func(id string, some bool, label string) func(app.Context) {
		return func(ctx app.Context) {
			v.choose(id)
			if v.someChosen() != some {
				t.Errorf("after %s, some are chosen: %t", id, !some)
			}
			v.shows(label)(ctx)
		}
	}
	v.play(choose("ap_1", true, "1 selected"), choose("ap_2", false, "2 selected"), choose(allForms, false, "!Chosen forms"))
}

// Ctrl+K opens the list of commands, unless a dialog is open or nobody is signed in.
func TestKeyOfTheCommands(t *testing.T) {
	v := newVisit(t)
	opens := func(key string, control, want bool) func(app.Context) {
		return func(app.Context) {
			if v.opensCommands(key, control) != want {
				t.Errorf("%s, control %t, dialog %q, signed in as %q: opens the commands: %t", key, control, v.dialog, v.user.Sub, !want)
			}
		}
	}
	v.play(
		opens("k", true, true), opens("k", false, false), opens("j", true, false),
		func(ctx app.Context) { v.acts.open(ctx, "rename", "ap_1") }, opens("k", true, false),
		func(app.Context) { v.close(); v.user.Sub = "" }, opens("k", true, false),
	)
}

// A form that is made from a template gets the name and the scenarios of the template.
func TestTemplateBeginsAForm(t *testing.T) {
	v := newVisit(t)
	v.answers["GET /bff/templates"] = `[{"id":"contact","name":"Contact form","nodes":{},"edges":""}]`
	v.answers["GET /bff/templates/contact"] = `{"file":{"form":{"name":"C","nodes":[]}},"scenarios":{"version":1,"scenarios":[{"name":"A"}]}}`
	v.answers["POST /bff/api/forms"] = `{"id":"ap_9","name":"Contact form"}`
	v.answers["GET /bff/api/forms/ap_9/scenarios"] = `{"version":1,"scenarios":[]}`
	v.play(
		func(ctx app.Context) { v.do(ctx, "new", "") }, v.shows("Contact form"),
		func(ctx app.Context) { v.do(ctx, "begin", "contact") }, v.shows(`placeholder="Contact form"`), v.acts.confirm,
		v.sent(`POST /bff/api/forms {"name":"Contact form","nodes":[]}`,
			`PUT /bff/api/forms/ap_9/scenarios {"version":1,"scenarios":[{"name":"A"}]}`),
	)
}

// A file that was chosen with the button becomes a form at once. A dropped file is shown first, and the problems of a bad file are listed.
func TestFileBecomesAForm(t *testing.T) {
	for _, dropped := range []bool{false, true} {
		v := newVisit(t)
		v.answers["POST /bff/api/forms"] = `{"id":"ap_9","name":"Theirs"}`
		receive := func(text string) func(app.Context) {
			return func(ctx app.Context) {
				in, bad, err := transfer.Tenant{}.Read(t.Context(), "theirs.json", text)
				v.acts.receive(ctx, dropped, in, bad, err)
			}
		}
		steps := []func(app.Context){
			receive(`{"name":""}`), v.shows("Line 1, column 9"), func(app.Context) { v.close() }, v.sent(),
			receive(`{"name":"Theirs","nodes":[]}`),
		}
		if dropped {
			steps = append(steps, v.shows("theirs.json", "Create form"), v.sent(), v.acts.confirm)
		}
		v.play(append(steps, v.sent(`POST /bff/api/forms {"name":"Theirs","nodes":[]}`))...)
	}
}

// The dialog about a broken file says each problem once.
func TestBrokenFileIsExplainedOnce(t *testing.T) {
	v := newVisit(t)
	v.play(func(ctx app.Context) {
		v.bad = transfer.BadFile{Name: "bad.json", Problems: schema.Problems{{Detail: "must not end here"}}}
		v.acts.open(ctx, "bad-file", "")
	}, func(app.Context) {
		if got := app.HTMLString(v.Render()); strings.Count(strings.ToLower(got), "must not end here") != 1 || !strings.Contains(got, "Must not end here.") {
			t.Errorf("the dialog is %s", got)
		}
	})
}

// A new form without a name gets one, and a renamed form needs one.
func TestFormWithoutAName(t *testing.T) {
	v := newVisit(t)
	v.play(func(ctx app.Context) { v.acts.open(ctx, "rename", "ap_1") }, v.acts.confirm, v.shows("Give the form a name."), v.sent())
	v = newVisit(t)
	v.play(
		func(ctx app.Context) { v.acts.open(ctx, "new", "") }, v.shows("Name of the form", `placeholder="Untitled form"`), v.acts.confirm,
		func(app.Context) {
			if len(v.changes) != 1 || !strings.HasPrefix(v.changes[0], `POST /bff/api/forms {"name":"Untitled form"`) {
				t.Errorf("sent %q", v.changes)
			}
		},
	)
}

// What a person may not do is not on the page.
func TestOnlyWhatThePersonMayDoIsOffered(t *testing.T) {
	v := newVisit(t)
	v.play(
		v.set("GET /bff/user", `{"sub":"ana","scopes":["read:forms"]}`), v.load,
		func(ctx app.Context) { v.pressMenu(ctx, "ap_1", kit.Element("x")) },
		v.shows("Sign-up", `data-act="open"`, `data-act="export"`, `!data-act="delete"`, `!data-act="rename"`, `!data-act="duplicate"`,
			`!data-act="new"`, `!data-act="import"`, "!<hr"),
		v.set("GET /bff/api/forms", `[]`), v.load, v.shows("There are no forms yet", `!data-act="new"`, `!data-act="import"`),
	)
}

func TestRefusedPersonIsTold(t *testing.T) {
	v := newVisit(t)
	v.play(
		v.set("DELETE /bff/api/forms/ap_2", `403{"code":"not_allowed","detail":"no rule fits","email":"ana@example.com"}`),
		func(ctx app.Context) { v.acts.open(ctx, "delete", "ap_2") }, v.acts.confirm,
		v.shows("You are signed in as ana@example.com, but not allowed", `data-act="other-account"`, `data-act="sign-out"`, "!Sign-up"),
		v.set("GET /bff/user", `403{"code":"not_allowed","detail":"no rule fits","email":"ben@example.com"}`), v.load,
		v.shows("You are signed in as ben@example.com, but not allowed", "No rule fits.", "!retry"),
		func(app.Context) { v.remote = true },
		v.set("GET /bff/user", `{"sub":"ana","scopes":[]}`),
		v.set("GET /bff/api/forms", `403{"code":"scope","detail":"it lacks read:forms"}`), v.load,
		v.shows("You may not see the forms", "It lacks read:forms. Ask whoever runs this editor"),
	)
}

func TestListWaitsAsTheTenantAsks(t *testing.T) {
	v := newVisit(t)
	list := v.answers["GET /bff/api/forms"]
	v.answers["GET /bff/api/forms"] = "429" + list
	v.play(v.shows("Sign-up"))
	v = newVisit(t)
	uitest.Play(t, func(ctx app.Context) {
		v.loading = true
		v.wait.Begin(ctx, &client.Error{Status: 429, RetryAfter: 7 * time.Second}, func(app.Context) {})
		v.shows("The server asks to wait: loading in 7 s", `role="status"`)(ctx)
	})
}

// A change that the tenant refuses because it gets too many requests is made after a wait, once, unless the person gives it up.
func TestChangesWaitAsTheTenantAsks(t *testing.T) {
	v := newVisit(t)
	remove := func(ctx app.Context) {
		v.acts.open(ctx, "delete", "ap_2")
		v.acts.confirm(ctx)
		v.acts.confirm(ctx) // while the first is running
	}
	again := v.set("DELETE /bff/api/forms/ap_2", "429")
	v.play(
		again, remove, v.sent("DELETE /bff/api/forms/ap_2", "DELETE /bff/api/forms/ap_2"), v.shows("!will be deleted"),
		v.set("POST /bff/api/forms", `429{"id":"ap_3","name":"Copy of Sign-up"}`),
		func(ctx app.Context) { v.acts.duplicate(ctx, "ap_1") },
		v.sent(`POST /bff/api/forms {"name":"Copy of Sign-up","nodes":[]}`, `POST /bff/api/forms {"name":"Copy of Sign-up","nodes":[]}`),
		again, func(ctx app.Context) {
			remove(ctx)
			ctx.After(time.Second, func(app.Context) {
				v.shows("The server asks to wait: deleting in ")(ctx)
				v.close()
			})
		}, v.sent("DELETE /bff/api/forms/ap_2"), v.shows("!asks to wait"), remove,
		v.sent("DELETE /bff/api/forms/ap_2"), v.shows("!will be deleted"),
	)
}

// Tenants choose the shapes of ids.
func TestIDsOfOtherShapes(t *testing.T) {
	v := newVisit(t)
	v.play(
		v.set("GET /bff/api/forms", `[{"id":"auth0|65f","name":"Odd"}]`), v.load,
		v.shows(`href="/forms/auth0%7C65f"`, `data-arg="auth0|65f"`),
	)
}

// A row says who changed the form last, unless it was never saved here or was saved elsewhere since.
func TestWhoChangedAFormLast(t *testing.T) {
	v := newVisit(t)
	v.answers["GET /bff/api/forms"] = `[{"id":"a","name":"A","updated_at":"2026-01-09T00:00:00.001Z"},{"id":"b","name":"B","updated_at":"2026-01-09T00:00:01Z"},{"id":"c","name":"C"}]`
	v.answers["GET /bff/api/changes"] = `[{"id":"a","version":3,"saved_at":"2026-01-09T00:00:00.001Z","author":"Ana"},
		{"id":"b","version":2,"saved_at":"2026-01-09T00:00:00Z","author":"Ben"},{"id":"c"}]`
	v.play(v.shows("by Ana", "!by Ben"))
	forms, changes := v.answers["GET /bff/api/forms"], strings.Replace(v.answers["GET /bff/api/changes"], "Ana", "דנה", 1)
	v = newVisit(t)
	v.answers["GET /bff/api/forms"], v.answers["GET /bff/api/changes"] = forms, changes
	v.play(v.shows("by \u2068דנה\u2069"))
	v = newVisit(t)
	v.answers["GET /bff/api/changes"] = `403{"code":"scope","detail":"no"}`
	v.play(v.shows("Sign-up", `!class="by"`))
}

// The list counts the flows that the tenant lacks as warnings, once it knows the flows.
func TestMissingFlowsAreCounted(t *testing.T) {
	for flows, want := range map[string]string{`[{"id":"af_1","name":"Code"}]`: "3 warnings", `[]`: "1 warning", "403{}": "1 warning"} {
		v := newVisit(t)
		v.answers["GET /bff/api/forms/ap_1/overview"] = `{"nodes":{},"edges":"","problems":0,"warnings":1,"flows":["af_1","af_2","af_2"]}`
		v.answers["GET /bff/api/flows"] = flows
		v.play(func(app.Context) {}, func(app.Context) {}, v.shows(want))
	}
}

// The list does not say that a form has no warnings, or only so many, if not all of it was checked.
func TestWhatIsUncheckedIsSaid(t *testing.T) {
	for counts, want := range map[string]string{
		`"problems":0,"warnings":0,"unchecked":true`: "Not all checked",
		`"problems":0,"warnings":1,"unchecked":true`: "At least 1 warning",
		`"problems":0,"warnings":2,"unchecked":true`: "At least 2 warnings",
		`"problems":1,"warnings":2,"unchecked":true`: "1 problem",
	} {
		v := newVisit(t)
		v.answers["GET /bff/api/forms/ap_1/overview"] = `{"nodes":{},"edges":"",` + counts + `}`
		v.play(func(app.Context) {}, func(app.Context) {}, v.shows(want, "!None"))
	}
}

// A row says once that the tenant is being asked what is in the form, and no longer when the answer is there or none comes.
func TestRowsSayThatTheyAreRead(t *testing.T) {
	for _, last := range []string{"401{}", "500{}", `{"nodes":{},"edges":"","problems":0,"warnings":0}`} {
		v := newVisit(t)
		v.answers["GET /bff/api/forms"] = `[{"id":"a","name":"A"},{"id":"b","name":"B"},{"id":"c","name":"C"}]`
		for _, id := range []string{"a", "b", "c"} {
			v.answers["GET /bff/api/forms/"+id+"/overview"] = last
		}
		v.play(func(ctx app.Context) {
			v.inside = contents{}
			v.ask(ctx)
			if n := strings.Count(app.HTMLString(v.Render()), "Reading…"); n != 3 {
				t.Errorf("three rows say %d times that they are read", n)
			}
			v.inside.failed["a"] = true
			if n := strings.Count(app.HTMLString(v.Render()), "Reading…"); n != 2 {
				t.Errorf("after one failed, %d of two rows say that they are read", n)
			}
		}, func(app.Context) {}, func(app.Context) {}, v.shows("!Reading…"))
	}
}

// Other rows are still read while the server is busy or the tenant fails, but not when the tenant asks to wait.
func TestRowsAreReadUnlessTheTenantAsksToWait(t *testing.T) {
	for answer, want := range map[string]string{busy: "1 warning", "500{}": "1 warning", "429": "!1 warning"} {
		v := newVisit(t)
		v.answers["GET /bff/api/forms"] = `[{"id":"a","name":"A","updated_at":"2026-01-09T00:00:02Z"},{"id":"b","name":"B","updated_at":"2026-01-09T00:00:01Z"},
			{"id":"c","name":"C","updated_at":"2026-01-09T00:00:00Z"}]`
		v.answers["GET /bff/api/forms/a/overview"] = answer
		v.answers["GET /bff/api/forms/b/overview"] = answer
		v.answers["GET /bff/api/forms/c/overview"] = `{"nodes":{},"edges":"","problems":0,"warnings":1}`
		v.play(v.shows(want))
	}
}

// The columns that most lists do not need are there if they say something about a form.
func TestColumnsThatSaySomething(t *testing.T) {
	for _, tt := range []struct {
		a, b formapi.Overview
		want string
	}{
		{formapi.Overview{Coverage: -1, Languages: []string{"en"}}, formapi.Overview{Coverage: -1}, ""},
		{formapi.Overview{Coverage: -1, Languages: []string{"en"}}, formapi.Overview{Coverage: 0}, "Coverage"},
		{formapi.Overview{Coverage: -1, Languages: []string{"en", "de"}}, formapi.Overview{Coverage: -1}, "Languages"},
	} {
		got := ""
		for i, told := range telling([]formapi.Summary{{ID: "a"}, {ID: "b"}, {ID: "unread"}}, map[string]formapi.Overview{"a": tt.a, "b": tt.b}) {
			if told {
				got += columns[i].name
			}
		}
		if got != tt.want {
			t.Errorf("%+v, %+v: the columns are %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

// The menu of a row has what a person may do with the form, and its lines name the form.
func TestMenuOfAForm(t *testing.T) {
	v := newVisit(t)
	v.play(v.shows(`data-menu="form"`, `data-of="ap_1"`), func(app.Context) {
		title, items := v.menuOf("ap_1")
		var got []string
		for i := range items {
			if items[i].Name != "" && items[i].Arg != "ap_1" {
				t.Errorf("%s is for %q", items[i].Name, items[i].Arg)
			}
			got = append(got, items[i].Says)
		}
		want := []string{"Open Sign-up", "Preview Sign-up", "Rename Sign-up", "Duplicate Sign-up", "Export Sign-up", "Copy link Sign-up", "Copy id Sign-up", "", "Delete Sign-up"}
		if title != "More for Sign-up" || !slices.Equal(got, want) {
			t.Errorf("%s: %q", title, got)
		}
	})
}
