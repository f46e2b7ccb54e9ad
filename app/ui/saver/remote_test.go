package saver

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
)

// newRemoteSaver is newSaver at a tenant that is not ours.
func newRemoteSaver(t *testing.T, server uitest.Server) *Saver {
	t.Helper()
	s := newSaver(t, server)
	s.Editor = editor.New(s.Editor.Base(), editor.Config{Remote: true, Now: time.Now, Rand: rand.IntN})
	return s
}

func TestTenantsChangesAreTakenAndTold(t *testing.T) {
	answer := strings.Replace(savedForm, `"components":[]`, `"components":[],"visible":true`, 1)
	answer = strings.Replace(answer, `"alias":"Ask",`, "", 1)
	calls := 0
	s := newRemoteSaver(t, func(r client.Request) (client.Response, error) {
		calls++
		body := strings.Replace(answer, "Contact", "Other", 1)
		if calls > 1 {
			body = strings.Replace(answer, "Contact", "Third", 1)
		}
		return uitest.Answer(200, body, "ETag", `"2"`), nil
	})
	uitest.Play(t,
		func(ctx app.Context) { rename(t, s, "Other"); s.Save(ctx) },
		func(ctx app.Context) {
			said := app.HTMLString(s.Toast.Box())
			if !strings.HasPrefix(s.Toast.Text(), "The server changed 2 things: ") || !strings.Contains(said, `data-act="tenant-changes"`) {
				t.Errorf("says %s", said)
			}
			f := s.Editor.State().Form
			if f.Nodes[0].Alias != "" || s.Editor.Unsaved() || s.State() != Saved || s.ETag() != `"2"` {
				t.Errorf("the alias is %q, %s, ETag %s", f.Nodes[0].Alias, s.State(), s.ETag())
			}
			s.ShowChanges(ctx)
			shown := app.HTMLString(s.DrawDialog())
			for _, text := range []string{"Visible set to “Yes”", "Name removed; it was “Ask”", `data-act="cancel"`} {
				if !strings.Contains(shown, text) {
					t.Errorf("the dialog lacks %s: %s", text, shown)
				}
			}
			s.Dialog.Close()
			s.Editor.Undo()
			if f := s.Editor.State().Form; f.Name != "Contact" || f.Nodes[0].Alias != "" {
				t.Errorf("undo leads to %s with the alias %q", f.Name, f.Nodes[0].Alias)
			}
			rename(t, s, "Third")
			s.Save(ctx)
		},
		func(app.Context) {
			if s.Toast.Text() != "" || s.State() != Saved {
				t.Errorf("the second save says %q, %s", s.Toast.Text(), s.State())
			}
		})
}

func TestGraphIsSentWholeToARemoteTenant(t *testing.T) {
	for name, newSaver := range map[string]func(*testing.T, uitest.Server) *Saver{"remote": newRemoteSaver, "embedded": newSaver} {
		var bodies []string
		s := newSaver(t, func(r client.Request) (client.Response, error) {
			bodies = append(bodies, string(r.Body))
			return uitest.Answer(400, `{"code":"invalid_body","detail":"no"}`), nil
		})
		uitest.Play(t, func(ctx app.Context) {
			if err := s.Editor.Run(editor.MoveNodes{IDs: []string{"ask"}, By: model.Point{X: 40}}); err != nil {
				t.Fatal(err)
			}
			s.Save(ctx)
		})
		if len(bodies) == 0 || strings.Contains(bodies[0], `"start"`) != (name == "remote") || strings.Contains(bodies[0], `"name"`) {
			t.Errorf("%s: sent %q", name, bodies)
		}
	}
}

func TestSaveWaitsAsTheTenantAsks(t *testing.T) {
	calls := 0
	var at []time.Time
	s := newRemoteSaver(t, func(client.Request) (client.Response, error) {
		at = append(at, time.Now())
		if calls++; calls < 4 {
			return uitest.Answer(429, `{"code":"rate_limited","detail":"slow down"}`, "Retry-After", "7"), nil
		}
		return uitest.Answer(200, strings.Replace(savedForm, "Contact", "Other", 1)), nil
	})
	var seen []string
	s.Redraw = func(ctx app.Context) {
		if s.wait.Waiting() && s.State() == Saving {
			seen = append(seen, s.wait.Text("saving"))
		}
	}
	uitest.Play(t, func(ctx app.Context) {
		rename(t, s, "Other")
		s.Save(ctx)
	})
	if s.State() != Saved || calls != 4 {
		t.Fatalf("after %d calls: %s", calls, s.State())
	}
	want := []time.Duration{7 * time.Second, 14 * time.Second, 28 * time.Second}
	for i, d := range want {
		// The engine of tests also waits for the timer of a slow save.
		if got := at[i+1].Sub(at[i]); got < d || got > d+slowAfter {
			t.Errorf("wait %d is %v, want %v", i, got, d)
		}
	}
	if len(seen) != 3 || seen[0] != "The server asks to wait: saving in 7 s" || seen[2] != "The server asks to wait: saving in 28 s" {
		t.Errorf("the page shows %q", seen)
	}
}

func TestWaitOfASaveIsCancelled(t *testing.T) {
	calls := 0
	s := newRemoteSaver(t, func(client.Request) (client.Response, error) {
		calls++
		return uitest.Answer(429, `{"code":"rate_limited","detail":"slow down"}`, "Retry-After", "30"), nil
	})
	s.Redraw = func(app.Context) {
		if !s.wait.Waiting() {
			return
		}
		shown := banner(s)
		if !strings.Contains(shown, "saving in 30 s") || !strings.Contains(shown, `data-act="cancel-save"`) || strings.Contains(shown, "alert") {
			t.Errorf("the banner is %s", shown)
		}
		s.Cancel()
	}
	uitest.Play(t, func(ctx app.Context) { rename(t, s, "Other"); s.Save(ctx) })
	if calls != 1 || s.State() != Dirty || banner(s) != "" {
		t.Errorf("after %d calls: %s, %s", calls, s.State(), banner(s))
	}
}

// A change that is known not to have been made is sent again.
func TestLostChangeIsSentAgain(t *testing.T) {
	for _, outcome := range []string{"not_saved", "not_sent"} {
		calls, said := 0, ""
		s := newRemoteSaver(t, func(client.Request) (client.Response, error) {
			if calls++; calls < 3 {
				return uitest.Answer(500, `{"code":"internal","detail":"it broke","outcome":"`+outcome+`"}`), nil
			}
			return uitest.Answer(200, strings.Replace(savedForm, "Contact", "Other", 1)), nil
		})
		s.Redraw = func(app.Context) {
			if s.State() == Offline {
				said = banner(s)
			}
		}
		uitest.Play(t, func(ctx app.Context) { rename(t, s, "Other"); s.Save(ctx) })
		if calls != 3 || s.State() != Saved || !strings.Contains(said, "The change did not reach the server.") {
			t.Errorf("%s: after %d calls %s, said %s", outcome, calls, s.State(), said)
		}
	}
	if o := outcomeOf(&client.Error{Status: 500, Detail: "it broke", Outcome: client.OutcomeUnknown}, false); o.state != Error {
		t.Errorf("an unknown outcome is %s", o.state)
	}
}

// A pointer that the tenant does not know leads to a node that somebody else removed.
func TestUnknownNodeOffersToReadAgain(t *testing.T) {
	stored := savedForm
	s := newRemoteSaver(t, func(r client.Request) (client.Response, error) {
		if r.Method == "GET" {
			return uitest.Answer(200, stored, "ETag", `"2"`), nil
		}
		return uitest.Answer(400, `{"code":"invalid_body","detail":"Some nodes point to unknown node IDs."}`), nil
	})
	said := ""
	s.Redraw = func(app.Context) { said = s.Toast.Text() }
	check := func(app.Context) {
		if shown := banner(s); !strings.Contains(shown, "Read again and merge") || !strings.Contains(shown, "unknown node IDs") {
			t.Errorf("the banner is %s", shown)
		}
	}
	uitest.Play(t,
		func(ctx app.Context) { rename(t, s, "Other"); s.Save(ctx) }, check,
		func(ctx app.Context) {
			s.Merge(ctx)
			ctx.After(time.Second, func(app.Context) {
				if got := s.Toast.Text(); got != "Nothing was changed elsewhere." {
					t.Errorf("the page says %q", got)
				}
			})
		}, check,
		func(ctx app.Context) {
			stored = theirs
			s.Merge(ctx)
		},
		func(app.Context) {
			f := s.Editor.State().Form
			if f.Name != "Other" || f.Nodes[0].Alias != "Theirs" || s.State() != Dirty || s.ETag() != `"2"` {
				t.Errorf("after the merge: %s with %s, %s, ETag %s", f.Name, f.Nodes[0].Alias, s.State(), s.ETag())
			}
		})
	if said != "Somebody saved this form, too. Your changes and the saved ones are merged." {
		t.Errorf("the page says %q", said)
	}
}

func TestBannersOfferWhatThePersonMayDo(t *testing.T) {
	s := newRemoteSaver(t, nil)
	rename(t, s, "Other")
	s.User = client.User{Sub: "auth0|1", Email: "ana@example.com"}
	for _, test := range []struct {
		last       outcome
		has, lacks []string
	}{
		{
			outcome{state: Error, message: "It is gone.", gone: true}, []string{"It is gone.", `"export"`}, []string{`"save-as-new"`},
		},
		{
			outcomeOf(&client.Error{Status: 403, Code: client.CodeNotAllowed, Detail: "no rule fits"}, false),
			[]string{"signed in as ana@example.com", "No rule fits.", `"other-account"`},
			[]string{`"save"`},
		},
	} {
		s.last = test.last
		shown := banner(s)
		if slices.ContainsFunc(test.has, func(p string) bool { return !strings.Contains(shown, p) }) ||
			slices.ContainsFunc(test.lacks, func(p string) bool { return strings.Contains(shown, p) }) {
			t.Errorf("%+v: the banner is %s", test.last, shown)
		}
	}
}
