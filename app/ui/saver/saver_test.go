package saver

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

const savedForm = `{"id":"ap_test","name":"Contact","updated_at":"2026-01-02T03:04:05Z","start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","config":{"components":[]}}]}`

func TestEachErrorHasItsOutcome(t *testing.T) {
	refused := &client.Error{
		Status: 400, Code: "invalid_body", Detail: "the form is not valid",
		Problems: []client.Problem{{Path: "name", Code: "length", Detail: "must not be empty"}},
	}
	problems, _ := refusedProblems(refused)
	for _, test := range []struct {
		name      string
		err       error
		cancelled bool
		want      outcome
	}{
		{name: "none", want: outcome{state: Saved}},
		{name: "none, cancelled too late", cancelled: true, want: outcome{state: Saved}},
		{
			name: "cancelled", err: context.Canceled, cancelled: true,
			want: outcome{state: Error, message: "Saving was cancelled. The server may have saved your changes anyway."},
		},
		{
			name: "conflict", err: &client.Error{Status: 412, Code: "conflict", Detail: "it was changed"},
			want: outcome{state: Conflict, message: "It was changed."},
		},
		{
			name: "offline", err: &client.Error{Code: client.CodeOffline, Detail: "no connection"},
			want: outcome{state: Offline, message: "No connection."},
		},
		{
			name: "no tenant", err: &client.Error{Status: 502, Code: "upstream_unavailable", Detail: "the tenant does not answer"},
			want: outcome{state: Offline, message: "The tenant does not answer."},
		},
		{
			name: "signed out", err: &client.Error{Status: 401, Detail: "sign in"},
			want: outcome{state: Error, message: "Sign in.", signedOut: true},
		},
		{
			name: "deleted", err: &client.Error{Status: 404, Detail: "there is no such form"},
			want: outcome{state: Error, message: "There is no such form.", gone: true},
		},
		{
			name: "too many requests", err: &client.Error{
				Status: 429, Code: "rate_limited", Detail: "slow down",
				RetryAfter: 1600 * time.Millisecond,
			},
			want: outcome{state: Error, message: "Slow down. Try again in 2 s."},
		},
		{
			name: "wrapped", err: fmt.Errorf("save: %w", &client.Error{Status: 404, Detail: "it is gone"}),
			want: outcome{state: Error, message: "Save: it is gone.", gone: true},
		},
		{name: "another error", err: errors.New("it broke"), want: outcome{state: Error, message: "It broke."}},
		{name: "refused", err: refused, want: outcome{state: Error, message: "The form is not valid.", problems: problems}},
	} {
		got := outcomeOf(test.err, test.cancelled)
		if got.state != test.want.state || got.message != test.want.message || got.signedOut != test.want.signedOut ||
			got.gone != test.want.gone || len(got.problems) != len(test.want.problems) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// newSaver returns the saver of a form with a fake server.
func newSaver(t *testing.T, server uitest.Server) *Saver {
	t.Helper()
	w, _ := uitest.Workspace(t, savedForm)
	w.Client = client.New(server)
	w.User.Scopes = []string{"create:forms"}
	return New(w, &together.Room{}, w.Editor.State().Form, `"1"`)
}

// rename makes an unsaved change.
func rename(t *testing.T, s *Saver, name string) {
	t.Helper()
	if err := s.Editor.Run(editor.Set{Path: schema.Path{schema.Key("name")}, Value: name}); err != nil {
		t.Fatal(err)
	}
}

func banner(s *Saver) string {
	if ui := s.Banner(); ui != nil {
		return app.HTMLString(ui)
	}
	return ""
}

func TestStateWordsAndBannerFollowTheOutcome(t *testing.T) {
	for _, test := range []struct {
		name    string
		last    outcome
		unsaved bool
		slow    bool
		state   State
		words   string
		banner  []string // parts of the banner, none for no banner
	}{
		{name: "saved", last: outcome{state: Saved}, state: Saved, words: "Saved "},
		{name: "edited", last: outcome{state: Saved}, unsaved: true, state: Dirty, words: "1 change"},
		{name: "saving", last: outcome{state: Saving}, unsaved: true, state: Saving, words: "Saving…"},
		{
			name: "slow", last: outcome{state: Saving}, unsaved: true, slow: true, state: Saving, words: "Saving…",
			banner: []string{"slow", `"cancel-save"`},
		},
		{
			name: "conflict", last: outcome{state: Conflict}, unsaved: true, state: Conflict, words: "0 conflicts",
			banner: []string{`"review"`},
		},
		{name: "conflict, undone", last: outcome{state: Conflict}, state: Saved, words: "Saved "},
		{
			name: "offline", last: outcome{state: Offline, message: "No server."}, unsaved: true, state: Offline, words: "Not saved",
			banner: []string{"No server. ", "try again automatically", `"save"`},
		},
		{
			name: "offline, tried again", last: outcome{state: Saving, message: "No server.", again: true}, unsaved: true, state: Saving, words: "Saving…",
			banner: []string{"No server. ", "try again automatically"},
		},
		{name: "offline, undone", last: outcome{state: Offline, message: "No server."}, state: Saved, words: "Saved "},
		{
			name: "deleted", last: outcome{state: Error, message: "It is gone.", gone: true}, unsaved: true, state: Error, words: "Not saved",
			banner: []string{"It is gone.", `"save-as-new"`},
		},
		{
			name: "refused", unsaved: true, state: Error, words: "Not saved", banner: []string{"Not valid.", `"problem"`, `"save"`},
			last: outcome{state: Error, message: "Not valid.", problems: schema.Problems{{Detail: "must not be empty"}}},
		},
		{
			name: "signed out", last: outcome{state: Error, message: "Sign in.", signedOut: true}, unsaved: true, state: Error, words: "Not saved",
			banner: []string{"Your session has ended", `"sign-in"`},
		},
	} {
		s := newSaver(t, nil)
		s.last, s.slow, s.review.seen = test.last, test.slow, true
		if test.unsaved {
			rename(t, s, "Other")
		}
		words, _ := s.Words()
		if s.State() != test.state || !strings.HasPrefix(words, test.words) {
			t.Errorf("%s: %s and %q, want %s and %q", test.name, s.State(), words, test.state, test.words)
		}
		shown := banner(s)
		if (shown == "") != (test.banner == nil) {
			t.Errorf("%s: banner %s", test.name, shown)
		}
		for _, part := range test.banner {
			if !strings.Contains(shown, part) {
				t.Errorf("%s: the banner lacks %s:\n%s", test.name, part, shown)
			}
		}
	}
}

// Who may not read the form any more is told so until the server lets them in again.
func TestWhoMayNotReadIsTold(t *testing.T) {
	s := newSaver(t, nil)
	s.Barred()
	if shown := banner(s); !strings.Contains(shown, "may no longer open this form") || !strings.Contains(shown, `"other-account"`) {
		t.Errorf("banner %s", shown)
	}
	uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, client.FormEvent{Kind: client.Hello, ETag: s.ETag()}) }, func(app.Context) {
		if shown := banner(s); shown != "" {
			t.Errorf("banner %s", shown)
		}
	})
}

func TestReadOnlyFormSaysSo(t *testing.T) {
	s := newSaver(t, nil)
	s.Editor = editor.New(s.Editor.State().Form, editor.Config{ReadOnly: true, Now: time.Now, Rand: rand.IntN})
	if words, title := s.Words(); words != "Read-only" || !strings.Contains(title, "may not change") {
		t.Errorf("says %q, and %q", words, title)
	}
}

func TestWordsSayThatTheServerIsAway(t *testing.T) {
	s := newSaver(t, nil)
	away := true
	s.Away = func() bool { return away }
	if text, title := s.Words(); !strings.HasPrefix(text, "Offline, saved") || !strings.Contains(title, "cannot be reached") {
		t.Errorf("%q, %q", text, title)
	}
	if err := s.Editor.Run(editor.Set{Path: schema.Path{schema.Key("name")}, Value: "changed"}); err != nil {
		t.Fatal(err)
	}
	if text, _ := s.Words(); text != "Offline, 1 change" {
		t.Error(text)
	}
	away = false
	if text, _ := s.Words(); text != "1 change" {
		t.Error(text)
	}
}

func TestBannerListsTheFirstRefusedProblems(t *testing.T) {
	s := newSaver(t, nil)
	s.last = outcome{state: Error, message: "Not valid.", problems: make(schema.Problems, refusedLimit+3)}
	rename(t, s, "Other")
	if shown := banner(s); strings.Count(shown, `"problem"`) != refusedLimit || !strings.Contains(shown, "and 3 more") {
		t.Errorf("shows %s", shown)
	}
}

// The dialog lists the first changes, and only these are kept.
func TestFirstChangesOfOthersAreListed(t *testing.T) {
	s := newSaver(t, nil)
	before := formtest.Worst("types", changesLimit+3)
	after := formtest.Renewed(before, "new")
	a := arrival{before: before, after: after}
	all := merge.Changes(before, after)
	a.put(all)
	if cap(a.changes) > 2*changesLimit {
		t.Errorf("%d changes are kept", cap(a.changes))
	}
	want := fmt.Sprintf(">and %d more<", len(all)-changesLimit)
	if shown := app.HTMLString(a.draw(&s.Dialog)); strings.Count(shown, `class="arrived"`) != changesLimit || !strings.Contains(shown, want) {
		t.Errorf("%d changes are listed, without %s", strings.Count(shown, `class="arrived"`), want)
	}
	if a.put(all[:changesLimit]); strings.Contains(app.HTMLString(a.draw(&s.Dialog)), " more<") {
		t.Error("there are no more changes")
	}
}

// A save sends the changes once and adopts the ETag of the answer.
func TestSaveSendsTheChangesOnce(t *testing.T) {
	var sent []string
	s := newSaver(t, func(r client.Request) (client.Response, error) {
		sent = append(sent, fmt.Sprint(r.Method, " ", r.Header["If-Match"], " ", string(r.Body)))
		return uitest.Answer(200, strings.Replace(savedForm, "03:04:05", "04:00:00", 1), "ETag", `"2"`), nil
	})
	uitest.Play(t,
		func(ctx app.Context) { s.Save(ctx) }, // there are no unsaved changes
		func(ctx app.Context) {
			rename(t, s, "Other")
			s.Save(ctx)
			s.Save(ctx) // while the first save is under way
		})
	if want := []string{`PATCH "1" {"name":"Other"}`}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	if s.ETag() != `"2"` || s.State() != Saved || s.savedAt.Hour() != 4 {
		t.Errorf("it stands at %s, %s, saved %v", s.ETag(), s.State(), s.savedAt)
	}
}

func TestEditsDuringASaveStayUnsaved(t *testing.T) {
	s := newSaver(t, func(client.Request) (client.Response, error) {
		return uitest.Answer(200, strings.Replace(savedForm, "Contact", "Other", 1), "ETag", `"2"`), nil
	})
	uitest.Play(t, func(ctx app.Context) {
		rename(t, s, "Other")
		s.Save(ctx)
		rename(t, s, "Third")
	})
	if s.State() != Dirty || s.Editor.State().Form.Name != "Third" || s.Editor.Base().Name != "Other" {
		t.Errorf("%s: %s over %s", s.State(), s.Editor.State().Form.Name, s.Editor.Base().Name)
	}
}

func TestSaveIsTriedAgainUntilAServerAnswers(t *testing.T) {
	calls := 0
	s := newSaver(t, func(client.Request) (client.Response, error) {
		if calls++; calls < 4 {
			return client.Response{}, errors.New("there is no connection")
		}
		return uitest.Answer(200, strings.Replace(savedForm, "Contact", "Other", 1)), nil
	})
	uitest.Play(t, func(ctx app.Context) {
		rename(t, s, "Other")
		s.Save(ctx)
	})
	if calls != 4 || s.State() != Saved || s.tries != 0 {
		t.Errorf("after %d calls: %s, %d tries", calls, s.State(), s.tries)
	}
}

// theirs has another alias and a moved node.
var theirs = strings.NewReplacer(`"alias":"Ask"`, `"alias":"Theirs","coordinates":{"x":9,"y":9}`).Replace(savedForm)

// conflicting makes edits that conflict with theirs.
func conflicting(t *testing.T, s *Saver) {
	t.Helper()
	for path, value := range map[string]any{"nodes[0].alias": "Mine", "nodes[0].coordinates.x": schema.Number("5"), "nodes[0].coordinates.y": schema.Number("5")} {
		at, err := schema.ParsePath(path)
		if err == nil {
			err = s.Editor.Run(editor.Set{Path: at, Value: value})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A save after somebody else's, who changed something different, merges both and is sent again.
func TestDifferentChangesAreMergedAndSaved(t *testing.T) {
	var sent []string
	s := newSaver(t, func(r client.Request) (client.Response, error) {
		switch {
		case r.Method == "GET":
			return uitest.Answer(200, theirs, "ETag", `"2"`), nil
		case r.Header["If-Match"] == `"1"`:
			return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), nil
		}
		sent = append(sent, r.Header["If-Match"]+" "+string(r.Body))
		return uitest.Answer(200, strings.Replace(theirs, "Contact", "Other", 1), "ETag", `"3"`), nil
	})
	rename(t, s, "Other")
	said := ""
	s.Redraw = func(app.Context) {
		if text := s.Toast.Text(); text != "" {
			said = text
		}
		if s.State() == Conflict {
			t.Error("the person is asked")
		}
	}
	uitest.Play(t, func(ctx app.Context) { s.Save(ctx) })
	if want := []string{`"2" {"name":"Other"}`}; !slices.Equal(sent, want) || s.State() != Saved || s.ETag() != `"3"` {
		t.Errorf("sent %q, stands at %s, %s", sent, s.State(), s.ETag())
	}
	if said != "Somebody saved this form, too. Your changes and the saved ones are merged." {
		t.Errorf("says %q", said)
	}
	if before, after := s.Arrived(); before.Nodes[0].Alias != "Ask" || after.Nodes[0].Alias != "Theirs" {
		t.Errorf("what arrived is not known: %v, %v", before, after)
	}
	if s.Editor.Undo(); s.Editor.State().Form.Name != "Contact" || s.Editor.State().Form.Nodes[0].Alias != "Theirs" {
		t.Error("undo does not revert the person's own step alone")
	}
}

// If others save all the time, the person is told instead of trying for ever.
func TestEndlessRoundsEnd(t *testing.T) {
	version := 1
	s := newSaver(t, func(r client.Request) (client.Response, error) {
		if r.Method == "GET" {
			version++
			return uitest.Answer(200, strings.Replace(theirs, "Theirs", fmt.Sprint("Theirs ", version), 1), "ETag", fmt.Sprintf(`"%d"`, version)), nil
		}
		return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), nil
	})
	rename(t, s, "Other")
	uitest.Play(t, func(ctx app.Context) { s.Save(ctx) }, func(app.Context) {
		if s.State() != Error || !strings.Contains(banner(s), "Others keep saving") || version != maxRounds+2 {
			t.Errorf("%s after %d versions, banner %s", s.State(), version, banner(s))
		}
	})
}

// What both sides changed is asked: mine stays until the person settles it, and nothing is saved before.
func TestConflictsAreAskedButNotAboutPlaces(t *testing.T) {
	saves := 0
	s := newSaver(t, func(r client.Request) (client.Response, error) {
		switch {
		case r.Method == "GET":
			return uitest.Answer(200, theirs, "ETag", `"2"`), nil
		case r.Header["If-Match"] == `"1"`:
			return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), nil
		}
		saves++
		return uitest.Answer(200, theirs, "ETag", `"3"`), nil
	})
	conflicting(t, s)
	uitest.Play(t,
		func(ctx app.Context) { s.Save(ctx) },
		func(ctx app.Context) {
			if s.State() != Conflict || s.Dialog.Name() != ConflictsDialog || len(s.review.conflicts) != 1 || alias(s) != "Mine" || s.ETag() != `"2"` {
				t.Errorf("%s, dialog %q, conflicts %v, alias %s, ETag %s", s.State(), s.Dialog.Name(), s.review.conflicts, alias(s), s.ETag())
			}
			if !s.review.at.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) {
				t.Errorf("nobody has told who saved the form, and the time is %s", s.review.at)
			}
			shown := app.HTMLString(s.DrawDialog())
			for _, part := range []string{"Theirs", "Mine", "Mine › Name", "Yours", "Saved elsewhere", `type="radio"`} {
				if !strings.Contains(shown, part) {
					t.Errorf("the dialog lacks %s: %s", part, shown)
				}
			}
			s.Dialog.Close()
			s.Save(ctx)
			if s.Dialog.Name() != ConflictsDialog || saves != 0 {
				t.Errorf("a save before the decision: dialog %q, %d saves", s.Dialog.Name(), saves)
			}
			s.Act(ctx, ChooseAct, "1 theirs") // there is no such conflict
			s.Act(ctx, ChooseAct, "0 theirs")
			if alias(s) != "Mine" {
				t.Error("a choice changes the form before it is applied")
			}
			s.Act(ctx, SettleAct, "")
			if alias(s) != "Theirs" || s.Dialog.Name() != "" || s.State() != Dirty || saves != 0 {
				t.Errorf("settled: alias %s, dialog %q, %s, %d saves", alias(s), s.Dialog.Name(), s.State(), saves)
			}
			s.Editor.Undo()
			if alias(s) != "Mine" {
				t.Errorf("undone, the alias is %s", alias(s))
			}
			s.Save(ctx)
		})
	if saves != 1 {
		t.Errorf("%d saves", saves)
	}
}

// The choices are applied and saved with one press, and all changes can be discarded.
func TestConflictsAreSettledAtOnce(t *testing.T) {
	for act, want := range map[string]string{SaveAct: "Mine", DiscardAct: "Theirs"} {
		saves := 0
		s := newSaver(t, func(r client.Request) (client.Response, error) {
			switch {
			case r.Method == "GET":
				return uitest.Answer(200, theirs, "ETag", `"2"`), nil
			case r.Header["If-Match"] == `"1"`:
				return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), nil
			}
			saves++
			return uitest.Answer(200, string(schema.Encode(withAlias(t, theirs, "Mine"))), "ETag", `"3"`), nil
		})
		conflicting(t, s)
		uitest.Play(t, func(ctx app.Context) { s.Save(ctx) }, func(ctx app.Context) { s.Act(ctx, act, "") })
		if alias(s) != want || s.State() != Saved || (saves == 1) != (act == SaveAct) {
			t.Errorf("%s: the alias is %s, %s, %d saves", act, alias(s), s.State(), saves)
		}
		if act == DiscardAct {
			if s.Editor.Undo(); alias(s) != "Mine" {
				t.Errorf("undone, the alias is %s", alias(s))
			}
		}
	}
}

// withAlias returns a form with another alias of its first node and the place that conflicting gives it.
func withAlias(t *testing.T, src, alias string) *schema.Object {
	t.Helper()
	return formtest.Parse(t, strings.NewReplacer(`"alias":"Theirs"`, `"alias":"`+alias+`"`, `"x":9,"y":9`, `"x":5,"y":5`).Replace(src)).Tree()
}

// The dialog says whose the other version is and when it was saved, as far as the page knows it.
func TestWhoSavedTheOtherVersion(t *testing.T) {
	now := time.Date(2026, 1, 2, 15, 4, 0, 0, time.Local)
	at, before := time.Date(2026, 1, 2, 8, 12, 0, 0, time.Local), time.Date(2026, 1, 1, 23, 59, 0, 0, time.Local)
	for _, tt := range []struct {
		who, want string
		at        time.Time
	}{
		{"Ana", "Ana, 08:12", at},
		{"Ana", "Ana, 1 January 2026", before},
		{"Ana", "Ana", time.Time{}},
		{"you", "The other window, 08:12", at},
		{"somebody", "Saved elsewhere, 08:12", at},
		{"somebody", "Saved elsewhere", time.Time{}},
		{"the server", "The server, 08:12", at},
	} {
		r := review{who: tt.who, at: tt.at, conflicts: make([]merge.Conflict, 1), theirs: make([]bool, 1)}
		if shown := app.HTMLString(r.draw(newSaver(t, nil).Workspace, now)); !strings.Contains(shown, ">"+tt.want+"<") {
			t.Errorf("%s at %s: the dialog is %s", tt.who, tt.at, shown)
		}
	}
}

// A dialog about many conflicts draws some, and more when they are asked for.
func TestManyConflicts(t *testing.T) {
	s := newSaver(t, nil)
	s.Ask("Ana", make([]merge.Conflict, 250))
	uitest.Run(t, func(ctx app.Context) {
		for i, want := range []int{100, 200, 250} {
			if got := strings.Count(app.HTMLString(s.review.draw(s.Workspace, time.Time{})), `class="clash"`); got != want {
				t.Errorf("%d conflicts are drawn, want %d", got, want)
			}
			if !s.Act(ctx, kit.MoreRows, "more-"+ConflictsDialog) {
				t.Fatalf("press %d does nothing", i)
			}
		}
		if s.Act(ctx, kit.MoreRows, "more-start.hidden_fields") {
			t.Error("the button of another list is taken for that of the dialog")
		}
	})
}

// The banner about conflicts says what was changed, who changed it and when, as far as the page knows it.
func TestWordsOfAReview(t *testing.T) {
	f := formtest.Parse(t, savedForm)
	now := time.Date(2026, 1, 2, 15, 4, 0, 0, time.Local)
	at, before := time.Date(2026, 1, 2, 8, 12, 0, 0, time.Local), time.Date(2026, 1, 1, 23, 59, 0, 0, time.Local)
	for _, tt := range []struct {
		who  string
		n    int
		at   time.Time
		want string
	}{
		{"Ana", 1, at, "Ana changed “Name” at 08:12, too. Yours"},
		{"Ana", 1, before, "Ana changed “Name” on 1 January 2026, too. Yours"},
		{"Ana", 1, time.Time{}, "Ana changed “Name”, too. Yours"},
		{"Ana", 3, at, "Ana changed 3 things at 08:12 that you changed, too. Yours"},
		{"somebody", 1, at, "“Name” was changed elsewhere at 08:12, and by you. Yours"},
		{"somebody", 3, time.Time{}, "3 things were changed elsewhere, and by you. Yours"},
		{"the server", 1, at, "The server changed “Name” at 08:12, too. Yours"},
		{"you", 1, at, "You changed “Name” here and in another window. What is here"},
		{"you", 2, at, "You changed 2 things here and in another window. What is here"},
	} {
		r := review{who: tt.who, at: tt.at, conflicts: make([]merge.Conflict, tt.n)}
		r.conflicts[0].Path = schema.Path{schema.Key("name")}
		if got, want := r.words(f, now), tt.want+" stays in place until you decide."; got != want {
			t.Errorf("%d of %s at %s: %q, want %q", tt.n, tt.who, tt.at, got, want)
		}
	}
}

// A bar without room for the words of the state has their number.
func TestStateHasANumber(t *testing.T) {
	s := newSaver(t, nil)
	if got := app.HTMLString(s.DrawState(nil)); strings.Contains(got, "data-count") {
		t.Errorf("nothing is counted, and the state is %s", got)
	}
	rename(t, s, "Other")
	if got := app.HTMLString(s.DrawState(nil)); !strings.Contains(got, `data-count="1"`) {
		t.Errorf("one change is %s", got)
	}
}
