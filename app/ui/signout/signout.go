// Package signout ends a session in this browser. It asks whether to keep unsaved work,
// and makes sure that no page shows the person's data afterwards, in other tabs or in the
// browser's back/forward cache.
package signout

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/vault"
	"github.com/formgraph/formgraph/model/pause"
)

// The parts that every draft of a form and every unsent text contain, as package draft names them. That package would bring the editor into the
// program of the account pages.
const (
	headPart = "head"
	textPart = "text"
)

// channel is the broadcast channel on which the tabs of this browser announce a sign-out.
const channel = "formgraph.session"

// marker is the storage key under which a sign-out leaves a mark for pages that were
// suspended at the time.
const marker = "signed-out"

// Run asks about drafts, ends the session and leaves for the page where the tenant ends
// its own session. It must not run on the goroutine of a JavaScript callback.
func Run(c *client.Client) {
	ctx := context.Background()
	discard, cancelled := settle(ctx, c)
	if cancelled {
		return
	}
	kit.Remember(marker, time.Now().Format(time.RFC3339Nano)) // differs from the last mark
	tell(discard)
	address, err := c.SignOut(ctx)
	if address == "" || err != nil {
		address = "/forms"
	}
	kit.Leave(address)
}

// settle asks whether to keep the person's drafts, and acts accordingly.
func settle(ctx context.Context, c *client.Client) (discard, cancelled bool) {
	v, err := vault.Open(ctx, c)
	if err != nil {
		return false, false // there are no drafts, or the session has ended
	}
	defer v.Close()
	ids, _ := v.Drafts(ctx, headPart)
	texts, _ := v.Drafts(ctx, textPart)
	if len(ids)+len(texts) == 0 {
		return false, false
	}
	question := question(len(ids), len(texts))
	ids = append(ids, texts...)
	switch kit.Ask("Sign out", question,
		kit.Choice{Name: "Cancel", Class: "secondary"},
		kit.Choice{Name: "Discard and sign out", Class: "danger"},
		kit.Choice{Name: "Keep and sign out", Class: "primary"}) {
	case 1:
		tell(true) // before they are deleted, so that no tab writes one again
		_ = v.Delete(ctx, ids...)
		return true, false
	case 2:
		return false, false
	}
	return false, true
}

// question asks about drafts of forms and unsent texts, such as comments.
func question(forms, texts int) string {
	work := kit.Several(forms, "unsaved work on one form", "%d drafts with unsaved work")
	unsent := kit.Several(texts, "an unsent comment", "%d unsent comments")
	switch {
	case texts == 0:
		unsent = work
	case forms > 0:
		unsent = work + " and " + unsent
	}
	if forms+texts == 1 {
		return "You have " + unsent + ". If you keep it in this browser, only you can open it, by signing in here again."
	}
	return "You have " + unsent + ". If you keep them in this browser, only you can open them, by signing in here again."
}

// tell announces the sign-out to the other tabs.
func tell(discard bool) {
	if ch := app.Window().Get("BroadcastChannel"); ch.Truthy() {
		open := ch.New(channel)
		open.Call("postMessage", map[string]any{"tab": tab(), "discard": discard})
		open.Call("close")
	}
}

// tab identifies this page by the time at which it was loaded, in microseconds.
func tab() float64 { return app.Window().Get("performance").Get("timeOrigin").Float() }

// Watch watches for a sign-out while a page is shown, and for the end of the session
// while the page was suspended. user returns the subject of the page, "" while it is
// unknown. On a sign-out the page is reloaded, after before has called load; discard
// reports that unsaved work must not be kept.
func Watch(c *client.Client, user func() string, before func(discard bool, load func())) (stop func()) {
	mark := kit.Recall(marker)
	again := func(discard bool) {
		hide(true)
		before(discard, kit.Reload)
	}
	// check shows the page again if it still belongs to the signed-in person.
	check := func() {
		if kit.Recall(marker) != mark {
			again(false)
			return
		}
		go func() {
			was := user()
			now, err := c.User(context.Background())
			if was != "" && (kit.StatusOf(err) == 401 && hidden() || err == nil && now.Sub != was) {
				again(false)
				return
			}
			hide(false)
		}()
	}
	stops := []func(){
		kit.Listen("pagehide", func(app.Value) { hide(true) }),
		kit.Listen("pageshow", func(e app.Value) {
			if e.Get("persisted").Bool() {
				check()
			} else {
				hide(false)
			}
		}),
		kit.Listen("focus", func(app.Value) {
			if user() != "" {
				check()
			}
		}),
	}
	if ch := app.Window().Get("BroadcastChannel"); ch.Truthy() {
		open := ch.New(channel)
		f := app.FuncOf(func(_ app.Value, args []app.Value) any {
			if data := args[0].Get("data"); data.Get("tab").Float() != tab() {
				pause.Event(func() { again(data.Get("discard").Bool()) })
			}
			return nil
		})
		open.Set("onmessage", f)
		stops = append(stops, func() { open.Call("close"); f.Release() })
	}
	return func() {
		for _, f := range stops {
			f()
		}
	}
}

// hide hides the page, or shows it again.
func hide(yes bool) {
	root := app.Window().Get("document").Get("documentElement")
	if yes {
		root.Get("dataset").Set("away", "true")
	} else {
		root.Get("dataset").Delete("away")
	}
}

func hidden() bool {
	return app.Window().Get("document").Get("documentElement").Get("dataset").Get("away").Truthy()
}
