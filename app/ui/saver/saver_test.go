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
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/formtest"
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
	return New(w, w.Editor.State().Form, `"1"`)
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
			name: "conflict", last: outcome{state: Conflict}, unsaved: true, state: Conflict, words: "Changed elsewhere",
			banner: []string{`"theirs"`, `"mine"`, `"merge"`},
		},
		{name: "conflict, undone", last: outcome{state: Conflict}, state: Conflict, words: "Changed elsewhere", banner: []string{`"merge"`}},
		{
			name: "offline", last: outcome{state: Offline, message: "No server."}, unsaved: true, state: Offline, words: "Not saved",
			banner: []string{"No server. ", "try again automatically", `"save"`},
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
		s.last, s.slow = test.last, test.slow
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

func TestReadOnlyFormSaysSo(t *testing.T) {
	s := newSaver(t, nil)
	s.Editor = editor.New(s.Editor.State().Form, editor.Config{ReadOnly: true, Now: time.Now, Rand: rand.IntN})
	if words, _ := s.Words(); !strings.HasPrefix(words, "Read-only") {
		t.Errorf("says %q", words)
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

func TestOverwriteSavesWithoutAnETag(t *testing.T) {
	var etags []string
	s := newSaver(t, func(r client.Request) (client.Response, error) {
		etags = append(etags, r.Header["If-Match"])
		if r.Header["If-Match"] != "" {
			return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), nil
		}
		return uitest.Answer(200, strings.Replace(savedForm, "Contact", "Other", 1), "ETag", `"3"`), nil
	})
	uitest.Play(t,
		func(ctx app.Context) {
			rename(t, s, "Other")
			s.Save(ctx)
		},
		func(ctx app.Context) {
			if s.State() != Conflict {
				t.Errorf("a conflict is %s", s.State())
			}
			s.Overwrite(ctx)
		})
	if want := []string{`"1"`, ""}; !slices.Equal(etags, want) || s.State() != Saved || s.ETag() != `"3"` {
		t.Errorf("sent the ETags %q, stands at %s, %s", etags, s.State(), s.ETag())
	}
}

// theirs has another alias and a moved node.
var theirs = strings.NewReplacer(`"alias":"Ask"`, `"alias":"Theirs","coordinates":{"x":9,"y":9}`).Replace(savedForm)

// conflicting makes edits that conflict with theirs.
func conflicting(t *testing.T, s *Saver) {
	t.Helper()
	for path, value := range map[string]any{"nodes[0].alias": "Mine", "nodes[0].coordinates.x": 5, "nodes[0].coordinates.y": 5} {
		at, err := schema.ParsePath(path)
		if err == nil {
			err = s.Editor.Run(editor.Set{Path: at, Value: value})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestMergeAsksAboutConflictsButNotAboutPlaces(t *testing.T) {
	s := newSaver(t, func(client.Request) (client.Response, error) { return uitest.Answer(200, theirs, "ETag", `"2"`), nil })
	conflicting(t, s)
	alias := func() string { return s.Editor.State().Form.Nodes[0].Alias }
	uitest.Play(t,
		func(ctx app.Context) { s.Merge(ctx) },
		func(ctx app.Context) {
			if s.Dialog.Name() != ConflictsDialog || len(s.conflicts) != 1 || alias() != "Mine" || s.ETag() != `"2"` {
				t.Errorf("dialog %q, conflicts %v, alias %s, ETag %s", s.Dialog.Name(), s.conflicts, alias(), s.ETag())
			}
			s.TakeTheirs(ctx, 1) // there is no such conflict
			if alias() != "Mine" || s.Dialog.Name() == "" {
				t.Errorf("a conflict that is not there changed the form: %s", alias())
			}
			s.TakeTheirs(ctx, 0)
		})
	if alias() != "Theirs" || s.Dialog.Name() != "" {
		t.Errorf("after taking theirs the alias is %s, the dialog %q", alias(), s.Dialog.Name())
	}
}

func TestMergeWithoutConflictsSaysSo(t *testing.T) {
	s := newSaver(t, func(client.Request) (client.Response, error) { return uitest.Answer(200, theirs), nil })
	rename(t, s, "Other")
	said := ""
	uitest.Play(t, func(ctx app.Context) {
		s.Redraw = func(app.Context) { said = s.Toast.Text() }
		s.Merge(ctx)
	})
	if f := s.Editor.State().Form; f.Name != "Other" || f.Nodes[0].Alias != "Theirs" || !strings.HasPrefix(said, "Merged") {
		t.Errorf("the form is %s with %s; the page says %q", f.Name, f.Nodes[0].Alias, said)
	}
}

func TestLoadSavedIsUndone(t *testing.T) {
	s := newSaver(t, func(client.Request) (client.Response, error) {
		return uitest.Answer(200, string(schema.Encode(formtest.Parse(t, theirs).Tree()))), nil
	})
	rename(t, s, "Other")
	uitest.Play(t, func(ctx app.Context) { s.LoadSaved(ctx) })
	if s.Editor.State().Form.Name != "Contact" || s.State() != Saved {
		t.Errorf("the form is %s, %s", s.Editor.State().Form.Name, s.State())
	}
	if s.Editor.Undo(); s.Editor.State().Form.Name != "Other" {
		t.Errorf("undo brings %s back", s.Editor.State().Form.Name)
	}
}
