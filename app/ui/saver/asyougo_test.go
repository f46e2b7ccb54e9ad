package saver

import (
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/schema"
)

// going is a saver of a form that is saved as it is edited.
type going struct {
	*Saver

	canvas *uitest.Canvas
	saves  []string // the bodies of the saves
	asked  []string // how each was asked for
	bases  []string // the version that each is based on
	answer func(n int) (client.Response, bool)
	away   int // how many reads of the form fail from now on
}

func newGoing(t *testing.T) *going {
	t.Helper()
	g := &going{}
	w, canvas := uitest.Workspace(t, savedForm)
	g.canvas = canvas
	w.Client = client.New(uitest.Server(func(r client.Request) (client.Response, error) {
		if r.Method == "GET" && g.away > 0 {
			g.away--
			return uitest.Answer(503, `{"code":"unavailable","detail":"it is away"}`), nil
		}
		if r.Method == "GET" {
			return uitest.Answer(200, theirForm, "ETag", `"2"`), nil
		}
		g.saves, g.asked = append(g.saves, string(r.Body)), append(g.asked, r.Header["X-Save"])
		g.bases = append(g.bases, r.Header["If-Match"])
		if g.answer != nil {
			if res, ok := g.answer(len(g.saves)); ok {
				return res, nil
			}
		}
		return uitest.Answer(200, string(schema.Encode(w.Editor.State().Form.Tree())), "ETag", `"9"`), nil
	}))
	w.User.Scopes = []string{"update:forms"}
	g.Saver = New(w, &together.Room{}, w.Editor.State().Form, `"1"`)
	g.Client.Tab, g.User.Sub = "mine", "me"
	g.Setting.on, g.Setting.known = true, true
	g.Redraw = func(ctx app.Context) { ctx.Dispatch(g.CatchUp) }
	return g
}

// edit makes an edit, as the page does.
func (g *going) edit(t *testing.T, ctx app.Context, name string) {
	t.Helper()
	g.CatchUp(ctx)
	rename(t, g.Saver, name)
	g.CatchUp(ctx)
}

// Edits are saved after a pause, together and once, and the save says that nobody asked for it.
func TestEditsAreSavedAsYouGo(t *testing.T) {
	g := newGoing(t)
	var began time.Time
	uitest.Play(t, func(ctx app.Context) {
		began = time.Now()
		g.edit(t, ctx, "A")
		if text, _ := g.Words(); text != "Saving soon…" {
			t.Errorf("says %q", text)
		}
		g.edit(t, ctx, "B")
	}, func(ctx app.Context) {
		text, _ := g.Words()
		if len(g.saves) != 1 || !strings.Contains(g.saves[0], `"B"`) || g.asked[0] != "automatic" || g.State() != Saved || !strings.HasSuffix(text, ", as you go") {
			t.Errorf("saves %q, asked %q, %s, %q", g.saves, g.asked, g.State(), text)
		}
		if took := time.Since(began); took < editPause || took > 20*time.Second {
			t.Errorf("saved after %v", took)
		}
		rename(t, g.Saver, "C")
		g.Save(ctx)
	}, func(ctx app.Context) {
		if len(g.saves) != 2 || g.asked[1] != "" {
			t.Errorf("a save that somebody asked for: %q, %q", g.saves, g.asked)
		}
		g.CatchUp(ctx)
		g.edit(t, ctx, "D")
		g.Editor.Undo()
		g.CatchUp(ctx)
	}, func(app.Context) {
		if len(g.saves) != 2 {
			t.Errorf("a save of nothing: %q", g.saves)
		}
	})
}

// Nothing is saved while the setting is off, by people who may not, during a gesture, or while there is a problem or a text that the form cannot
// hold.
func TestWhatHoldsSavingUp(t *testing.T) {
	for name, hold := range map[string]func(*going){
		"off":       func(g *going) { g.Setting.on = false },
		"signed":    func(g *going) { g.last.signedOut = true },
		"offline":   func(g *going) { g.last.state = Offline },
		"gone":      func(g *going) { g.last.gone = true },
		"forbidden": func(g *going) { g.last.forbidden = true },
	} {
		g := newGoing(t)
		uitest.Play(t, func(ctx app.Context) {
			g.CatchUp(ctx)
			hold(g)
			g.edit(t, ctx, "A")
		}, func(app.Context) {
			if len(g.saves) != 0 {
				t.Errorf("%s: saves %q", name, g.saves)
			}
		})
	}
	g := newGoing(t)
	uitest.Play(t, func(ctx app.Context) {
		g.canvas.Gesture = true
		g.edit(t, ctx, "A")
		ctx.After(time.Minute, func(app.Context) {
			if g.canvas.Gesture = false; len(g.saves) != 0 {
				t.Errorf("saves %q during a gesture", g.saves)
			}
		})
	}, func(ctx app.Context) {
		if len(g.saves) != 1 {
			t.Errorf("saves %q after a gesture", g.saves)
		}
		g.edit(t, ctx, strings.Repeat("x", 200))
	}, func(ctx app.Context) {
		if len(g.saves) != 1 || len(g.Editor.Found().Own()) == 0 {
			t.Errorf("saves %q with a problem", g.saves)
		}
		g.edit(t, ctx, "B")
	}, func(app.Context) {
		if len(g.saves) != 2 {
			t.Errorf("saves %q after the problem was fixed", g.saves)
		}
	})
}

// What others did is not a reason to save, nor is a draft that was restored. A conflict is told of without a dialog, and nothing is saved until it is settled.
func TestOthersAreNoReasonToSave(t *testing.T) {
	g := newGoing(t)
	g.answer = func(int) (client.Response, bool) {
		return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), true
	}
	uitest.Play(t, func(ctx app.Context) {
		rename(t, g.Saver, "Draft")
		g.CatchUp(ctx)
		g.Heard(ctx, ana(`"2"`))
	}, func(ctx app.Context) {
		g.CatchUp(ctx)
	}, func(ctx app.Context) {
		if len(g.saves) != 0 || alias(g.Saver) != "Theirs" {
			t.Errorf("saves %q, the alias is %q", g.saves, alias(g.Saver))
		}
	})
	g = newGoing(t)
	g.answer = func(int) (client.Response, bool) {
		return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), true
	}
	uitest.Play(t, func(ctx app.Context) {
		g.CatchUp(ctx)
		if err := g.Editor.Run(editor.Set{Path: schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("alias")}, Value: "Mine"}); err != nil {
			t.Fatal(err)
		}
		g.CatchUp(ctx)
	}, func(app.Context) {
		if len(g.saves) != 1 || g.State() != Conflict || g.Dialog.Name() != "" || alias(g.Saver) != "Mine" {
			t.Errorf("saves %q, %s, dialog %q, the alias is %q", g.saves, g.State(), g.Dialog.Name(), alias(g.Saver))
		}
	})
}

// A form that somebody has deleted is not saved, and the page does not say that it will be.
func TestDeletedFormIsNotSavedAsYouGo(t *testing.T) {
	g := newGoing(t)
	uitest.Play(t, func(ctx app.Context) {
		g.CatchUp(ctx)
		g.Heard(ctx, client.FormEvent{Kind: client.Deleted, Name: "Ana", Sub: "ana", Tab: "hers"})
		g.edit(t, ctx, "A")
		if text, _ := g.Words(); strings.HasPrefix(text, "Saving soon") {
			t.Errorf("says %q", text)
			g.Setting.on = false // it would wait for ever
		}
	}, func(app.Context) {
		if len(g.saves) != 0 {
			t.Errorf("saves %q", g.saves)
		}
	})
}

// What is edited is saved only after the version that somebody else has saved is taken: otherwise the save would be refused.
func TestTheirVersionIsTakenBeforeSaving(t *testing.T) {
	g := newGoing(t)
	g.away = 2
	uitest.Play(t, func(ctx app.Context) {
		g.CatchUp(ctx)
		g.Heard(ctx, ana(`"2"`))
		g.edit(t, ctx, "A")
	}, func(app.Context) {
		if got := strings.Join(g.bases, " "); got != `"2"` || alias(g.Saver) != "Theirs" || g.away != 0 {
			t.Errorf("the saves are based on %s, the alias is %q, %d reads did not happen", got, alias(g.Saver), g.away)
		}
	})
}

// Choosing to save as you go saves earlier work without another edit, including unsaved work that the form was opened with.
func TestChosenSavingBegins(t *testing.T) {
	g := newGoing(t)
	g.Setting.on = false
	rename(t, g.Saver, "A")
	uitest.Play(t, g.CatchUp, func(ctx app.Context) {
		if len(g.saves) != 0 || g.State() != Dirty {
			t.Errorf("by hand, it is %s after %q", g.State(), g.saves)
		}
		g.Setting.Choose(ctx, AsYouGo)
	}, func(app.Context) { // first the setting is stored, then the form
		if len(g.saves) != 2 || g.saves[1] != `{"name":"A"}` || g.asked[1] != "automatic" || g.State() != Saved {
			t.Errorf("as you go, it is %s after %q", g.State(), g.saves)
		}
	})
}

// The setting is that of the team: it is stored over what others store at the same time, and a change is told.
func TestSavingIsChosen(t *testing.T) {
	w, _ := uitest.Workspace(t, savedForm)
	var puts []string
	w.Client = client.New(uitest.Server(func(r client.Request) (client.Response, error) {
		if r.Path != "/bff/api/forms/ap_test/settings" {
			t.Errorf("%s %s", r.Method, r.Path)
		}
		if r.Method == "GET" {
			return uitest.Answer(200, `{"save_as_you_go":false}`, "ETag", `"s`+string(rune('0'+len(puts)))+`"`), nil
		}
		if puts = append(puts, r.Header["If-Match"]+string(r.Body)); len(puts) == 1 {
			return uitest.Answer(412, `{"code":"conflict","detail":"changed"}`), nil
		}
		return uitest.Answer(200, string(r.Body), "ETag", `"x"`), nil
	}))
	s := New(w, &together.Room{}, w.Editor.State().Form, `"1"`)
	uitest.Play(t, s.Setting.Read, func(ctx app.Context) {
		if s.Setting.Choice() != ByHand {
			t.Errorf("saving is %s", s.Setting.Choice())
		}
		s.Setting.Choose(ctx, ByHand)
		s.Setting.Choose(ctx, AsYouGo)
	}, func(ctx app.Context) {
		if got := strings.Join(puts, " "); s.Setting.Choice() != AsYouGo || got != `"s0"{"save_as_you_go":true} "s1"{"save_as_you_go":true}` {
			t.Errorf("saving is %s, stored by %s", s.Setting.Choice(), got)
		}
		s.Heard(ctx, client.FormEvent{Kind: client.Settings, Name: "Ana", Tab: "hers"})
		if text := s.Toast.Text(); s.Setting.Choice() != ByHand || !strings.HasPrefix(text, "Ana has set") {
			t.Errorf("saving is %s, says %q", s.Setting.Choice(), text)
		}
	})
}
