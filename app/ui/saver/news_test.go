package saver

import (
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

// theirTime is when somebody else saved the form, and theirForm the form as they did.
var (
	theirTime = time.Date(2026, 1, 2, 12, 3, 0, 0, time.Local)
	theirForm = strings.NewReplacer(`"alias":"Ask"`, `"alias":"Theirs"`, "2026-01-02T03:04:05Z", theirTime.Format(time.RFC3339)).Replace(savedForm)
)

// ana returns the event of a save by Ana.
func ana(etag string) client.FormEvent {
	return client.FormEvent{Kind: client.Saved, ETag: etag, Name: "Ana", Sub: "ana", Tab: "hers"}
}

// hearing returns a saver whose server has their version, and the number of reads.
func hearing(t *testing.T) (s *Saver, reads *int) {
	t.Helper()
	reads = new(int)
	s = newSaver(t, func(r client.Request) (client.Response, error) {
		if r.Method == "GET" {
			*reads++
			return uitest.Answer(200, theirForm, "ETag", `"2"`), nil
		}
		return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), nil
	})
	s.Client.Tab, s.User.Sub = "mine", "me"
	return s, reads
}

func alias(s *Saver) string { return s.Editor.State().Form.Nodes[0].Alias }

// With nothing unsaved, their version is taken with a short message. Selection and history stay, and undo reverts only one's own step.
func TestTheirVersionIsTakenQuietly(t *testing.T) {
	s, _ := hearing(t)
	rename(t, s, "Own")
	s.Editor.Saved(s.Editor.State().Form)
	s.Editor.Select(editor.SelectNodes("ask"))
	uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, ana(`"2"`)) }, func(app.Context) {
		if got := s.Toast.Text(); got != "" && got != "Ana saved this form. You are seeing the new version." {
			t.Errorf("says %q", got)
		}
		if alias(s) != "Theirs" || s.Editor.Unsaved() || s.ETag() != `"2"` || s.State() != Saved || banner(s) != "" {
			t.Errorf("the alias is %q, unsaved %v, ETag %s, %s, banner %s", alias(s), s.Editor.Unsaved(), s.ETag(), s.State(), banner(s))
		}
		if s.Editor.State().Selection.Only() != "ask" {
			t.Error("the selection is lost")
		}
		s.Editor.Undo()
		if alias(s) != "Theirs" || s.Editor.State().Form.Name != "Contact" {
			t.Errorf("undo leads to %q with the alias %q, want the own step undone alone", s.Editor.State().Form.Name, alias(s))
		}
	})
}

// The message about a version that was taken names the person.
func TestWhoSavedIsSaid(t *testing.T) {
	for want, change := range map[string]func(*client.FormEvent){
		"Ana saved this form. You are seeing the new version.":                   func(*client.FormEvent) {},
		"\u2068דנה\u2069 saved this form. You are seeing the new version.":       func(e *client.FormEvent) { e.Name = "דנה" },
		"You saved this form in another window. You are seeing the new version.": func(e *client.FormEvent) { e.Sub = "me" },
		"Somebody saved this form. You are seeing the new version.": func(e *client.FormEvent) {
			*e = client.FormEvent{Kind: client.Hello, ETag: e.ETag}
		},
	} {
		s, _ := hearing(t)
		e := ana(`"2"`)
		change(&e)
		var said []string
		s.Redraw = func(app.Context) { said = append(said, s.Toast.Text()) }
		uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, e) })
		if len(said) == 0 || said[len(said)-1] != want && said[len(said)-2] != want {
			t.Errorf("said %q, want %q", said, want)
		}
	}
}

// What this page has saved itself, or has already, is no news.
func TestOwnSavesAreNoNews(t *testing.T) {
	s, reads := hearing(t)
	own, known := ana(`"2"`), ana(`"1"`)
	own.Tab = "mine"
	uitest.Play(t, func(ctx app.Context) {
		s.Heard(ctx, own)
		s.Heard(ctx, known)
		s.Heard(ctx, client.FormEvent{Kind: client.Hello, ETag: `"1"`})
		s.Heard(ctx, client.FormEvent{Kind: client.Hello})
	}, func(app.Context) {
		if *reads != 0 || banner(s) != "" || s.Toast.Text() != "" {
			t.Errorf("%d reads, banner %q, message %q", *reads, banner(s), s.Toast.Text())
		}
	})
}

// With unsaved changes their version is merged at once. Undo reverts only one's own step.
func TestTheirVersionIsMerged(t *testing.T) {
	s, _ := hearing(t)
	rename(t, s, "Mine")
	uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, ana(`"2"`)) }, func(app.Context) {
		if alias(s) != "Theirs" || s.Editor.State().Form.Name != "Mine" || s.ETag() != `"2"` || s.State() != Dirty || banner(s) != "" {
			t.Errorf("the alias is %q, the name %q, ETag %s, %s, banner %s", alias(s), s.Editor.State().Form.Name, s.ETag(), s.State(), banner(s))
		}
		if got := s.Toast.Text(); got != "Ana saved this form, too. Your changes and the saved ones are merged." {
			t.Errorf("says %q", got)
		}
		s.Editor.Undo()
		if alias(s) != "Theirs" || s.State() != Saved {
			t.Errorf("after undo the alias is %q, %s", alias(s), s.State())
		}
	})
}

// A place that both changed is told in a message, which moves nothing on the page, and after the dialog in a banner. The dialog names the other
// person.
func TestConflictWithAnUnsavedChangeIsTold(t *testing.T) {
	s, _ := hearing(t)
	conflicting(t, s)
	uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, ana(`"2"`)) }, func(ctx app.Context) {
		const told = "Ana changed “Mine › Name” on 2 January 2026, too. Yours stays in place until you decide."
		if s.State() != Conflict || alias(s) != "Mine" || s.Dialog.Name() != "" || s.Toast.Text() != told || banner(s) != "" {
			t.Errorf("%s, alias %q, dialog %q, message %q, banner %s", s.State(), alias(s), s.Dialog.Name(), s.Toast.Text(), banner(s))
		}
		s.Act(ctx, ReviewAct, "")
		if s.Toast.Text() != "" || !strings.Contains(banner(s), told) {
			t.Errorf("in the dialog: message %q, banner %s", s.Toast.Text(), banner(s))
		}
		if shown := app.HTMLString(s.DrawDialog()); !strings.Contains(shown, ">Ana, 2 January 2026<") {
			t.Errorf("the dialog is %s", shown)
		}
		s.Editor.Undo()
		s.Editor.Undo()
		s.Editor.Undo()
		if s.State() != Saved || banner(s) != "" || alias(s) != "Theirs" {
			t.Errorf("undone: %s, alias %q, banner %s", s.State(), alias(s), banner(s))
		}
	})
}

// During a gesture, typing or a dialog nothing changes. It does afterwards.
func TestNothingChangesUnderTheHand(t *testing.T) {
	for name, x := range map[string]struct{ begin, end func(s *Saver) }{
		"gesture": {func(s *Saver) { canvasOf(s).Gesture = true }, func(s *Saver) { canvasOf(s).Gesture = false }},
		"typing":  {func(s *Saver) { s.Typing = "name" }, func(s *Saver) { s.Typing = "" }},
	} {
		t.Run(name, func(t *testing.T) {
			s, reads := hearing(t)
			x.begin(s)
			uitest.Play(t, func(ctx app.Context) {
				s.Heard(ctx, ana(`"2"`))
				if *reads != 0 || alias(s) != "Ask" {
					t.Errorf("%d reads, the alias is %q", *reads, alias(s))
				}
				ctx.After(3*idlePause, func(app.Context) {
					if *reads != 0 {
						t.Errorf("%d reads while it lasts", *reads)
					}
					x.end(s)
				})
			}, func(app.Context) {
				if alias(s) != "Theirs" {
					t.Errorf("afterwards the alias is %q", alias(s))
				}
			})
		})
	}
}

// Who leaves the focus in a field gets their version after a pause.
func TestTypingPauses(t *testing.T) {
	s, _ := hearing(t)
	s.Typing = "name"
	rename(t, s, "Mine")
	uitest.Play(t, func(ctx app.Context) {
		s.Heard(ctx, ana(`"2"`))
		ctx.After(typingPause-idlePause, func(app.Context) {
			if alias(s) != "Ask" {
				t.Error("their version is taken while the person types")
			}
			rename(t, s, "Mine, more")
		})
		ctx.After(2*typingPause-2*idlePause, func(app.Context) {
			if alias(s) != "Ask" {
				t.Error("their version is taken while the person goes on typing")
			}
		})
	}, func(app.Context) {
		if alias(s) != "Theirs" || s.Editor.State().Form.Name != "Mine, more" {
			t.Errorf("after a pause the alias is %q, the name %q", alias(s), s.Editor.State().Form.Name)
		}
	})
}

func canvasOf(s *Saver) *uitest.Canvas { return s.Canvas.(*uitest.Canvas) }

// A form that somebody deleted stays on the page, and the person is offered what a save of it would offer.
func TestDeletionIsTold(t *testing.T) {
	for _, unsaved := range []bool{false, true} {
		s, _ := hearing(t)
		if unsaved {
			rename(t, s, "Mine")
		}
		e := ana("")
		e.Kind = client.Deleted
		uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, e) }, func(app.Context) {
			shown := banner(s)
			if !strings.Contains(shown, "Ana deleted this form. ") || !strings.Contains(shown, `data-act="save-as-new"`) || alias(s) != "Ask" {
				t.Errorf("unsaved %v: the banner is %s", unsaved, shown)
			}
			s.User.Scopes = nil
			if shown := banner(s); !strings.Contains(shown, `data-act="export"`) {
				t.Errorf("for a person who may not make forms: %s", shown)
			}
		})
	}
}

// The message that somebody saved the form goes when the form is deleted. Other messages stay.
func TestDeletionEndsTheMessageOfASave(t *testing.T) {
	w, _ := uitest.Workspace(t, theirForm)
	theirs := w.Editor.State().Form
	for _, own := range []bool{false, true} {
		s, _ := hearing(t)
		e := ana("")
		e.Kind = client.Deleted
		want := ""
		uitest.Play(t, func(ctx app.Context) {
			s.take(ctx, &news{who: "Ana"}, theirs, `"2"`)
			if app.HTMLString(s.Toast.Box()); s.Toast.Text() != "Ana saved this form. You are seeing the new version." {
				t.Errorf("says %q", s.Toast.Text())
			}
			if own {
				want = "Undone."
				s.Say(ctx, want)
			}
			s.Heard(ctx, e)
			if app.HTMLString(s.Toast.Box()); s.Toast.Text() != want {
				t.Errorf("above the banner, the page says %q, want %q", s.Toast.Text(), want)
			}
		})
	}
}

// If their version cannot be read, it is read again later; if the form is gone, that is told.
func TestTheirVersionIsReadAgain(t *testing.T) {
	s, _ := hearing(t)
	tries := 0
	s.Client = client.New(uitest.Server(func(client.Request) (client.Response, error) {
		if tries++; tries < 3 {
			return uitest.Answer(503, `{"code":"store","detail":"away"}`), nil
		}
		return uitest.Answer(200, theirForm, "ETag", `"2"`), nil
	}))
	uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, ana(`"2"`)) }, func(app.Context) {
		if tries != 3 || alias(s) != "Theirs" {
			t.Errorf("after %d tries the alias is %q", tries, alias(s))
		}
	})
	s, _ = hearing(t)
	s.Client = client.New(uitest.Server(func(client.Request) (client.Response, error) {
		return uitest.Answer(404, `{"code":"not_found","detail":"gone"}`), nil
	}))
	uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, ana(`"2"`)) }, func(app.Context) {
		if shown := banner(s); !strings.Contains(shown, "deleted this form") {
			t.Errorf("the banner is %s", shown)
		}
	})
}

// An edit that is made while their version is read stays.
func TestEditDuringTheReadStays(t *testing.T) {
	s, _ := hearing(t)
	s.Client = client.New(uitest.Server(func(client.Request) (client.Response, error) {
		if err := s.Editor.Run(editor.Set{Path: schema.Path{schema.Key("name")}, Value: "Mine"}); err != nil {
			t.Error(err)
		}
		return uitest.Answer(200, theirForm, "ETag", `"2"`), nil
	}))
	uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, ana(`"2"`)) }, func(app.Context) {
		if alias(s) != "Theirs" || s.Editor.State().Form.Name != "Mine" || s.ETag() != `"2"` {
			t.Errorf("the alias is %q, the name %q, ETag %s", alias(s), s.Editor.State().Form.Name, s.ETag())
		}
	})
}

// A read that a save of one's own has overtaken is not taken: it would bring the version before that save back.
func TestOvertakenReadIsNotTaken(t *testing.T) {
	s, _ := hearing(t)
	saved := strings.Replace(theirForm, "Contact", "Mine", 1)
	reads := 0
	s.Client = client.New(uitest.Server(func(client.Request) (client.Response, error) {
		if reads++; reads == 1 {
			s.Editor.TakeSaved(nil, formtest.Parse(t, saved)) // a save that ends while their version is on its way
			s.etag = `"3"`
			return uitest.Answer(200, theirForm, "ETag", `"2"`), nil
		}
		return uitest.Answer(200, saved, "ETag", `"3"`), nil
	}))
	uitest.Play(t, func(ctx app.Context) { s.Heard(ctx, ana(`"2"`)) }, func(app.Context) {
		if f := s.Editor.State().Form; f.Name != "Mine" || alias(s) != "Theirs" || s.Editor.Base().Name != "Mine" || s.ETag() != `"3"` || reads != 2 {
			t.Errorf("the name is %q, %q at the tenant, ETag %s after %d reads", f.Name, s.Editor.Base().Name, s.ETag(), reads)
		}
	})
}

// Whoever follows what others do to the form learns what came with a version that somebody saved, and with the tenant's answer to a save.
func TestOutsideIsToldWhoChangedTheForm(t *testing.T) {
	g := newGoing(t)
	g.Setting.on = false
	var told []string
	g.Outside = func(who string, change func()) {
		was := alias(g.Saver)
		change()
		told = append(told, who+": "+was+" to "+alias(g.Saver))
	}
	uitest.Play(t, func(ctx app.Context) { g.Heard(ctx, ana(`"2"`)) }, func(ctx app.Context) {
		rename(t, g.Saver, "Other")
		g.Save(ctx)
	})
	if got := strings.Join(told, ", "); got != "Ana: Ask to Theirs, : Theirs to Theirs" {
		t.Errorf("told %q", got)
	}
}
