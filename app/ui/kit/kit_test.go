package kit_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

// Each message stays for the full time, however much of the previous one's time is left.
func TestMessageStaysForAWhile(t *testing.T) {
	var toast kit.Toast
	seen := "nothing"
	uitest.Play(t, func(ctx app.Context) {
		toast.Say(ctx, "first")
		ctx.After(5*time.Second, func(ctx app.Context) { toast.Say(ctx, "second") })
		ctx.After(7*time.Second, func(app.Context) { seen = toast.Text() }) // the time of the first message is over
	})
	if seen != "second" || toast.Text() != "" {
		t.Errorf("after the first message it shows %q, in the end %q", seen, toast.Text())
	}
}

func TestOnlyAnUndoableMessageHasTheButton(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		var toast kit.Toast
		has := func(part string) bool { return strings.Contains(app.HTMLString(toast.Box()), part) }
		if !has(`role="status"`) || has("toast\"") && has("undo-toast") {
			t.Error("the box of no message has one")
		}
		if toast.Say(ctx, "Saved."); !has("Saved.") || has("undo-toast") {
			t.Error("a message is not drawn, or has a button")
		}
		if toast.SayUndo(ctx, "Removed."); !has("Removed.") || !has("undo-toast") {
			t.Error("an undoable message has no button")
		}
		if toast.Clear(); has("Removed.") || toast.Text() != "" {
			t.Error("a cleared message is drawn")
		}
	})
}

func TestBlockedWindowIsReported(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) { // native tests have no windows to open
		var s kit.SignIn
		if s.Open(ctx, kit.NewLife(), nil, func(app.Context, client.User) { t.Error("nobody has signed in") }) {
			t.Error("a window is open")
		}
	})
}

func TestSpecOfAnElement(t *testing.T) {
	for spec, want := range map[string][]string{
		"div":                              {"<div"},
		"button.quiet.wide type=button":    {"<button", `class="quiet wide"`, `type="button"`},
		"input id=a aria-label=% value=%":  {`id="a"`, `aria-label="two words"`, `value="x=y % z"`},
		"button disabled=% data-held=%":    {`data-held="x=y % z"`},
		"span.k class=% aria-hidden=false": {`class="k two words"`},
	} {
		got := app.HTMLString(kit.El(spec, "two words", "x=y % z"))
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s is drawn without %s: %s", spec, part, got)
			}
		}
	}
}

func TestTextOfTimesNamesAndErrors(t *testing.T) {
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct{ got, want string }{
		{kit.Ago(time.Time{}, now), "–"},
		{kit.Ago(now.Add(-59*time.Second), now), "just now"},
		{kit.Ago(now.Add(-time.Minute), now), "1 minute ago"},
		{kit.Ago(now.Add(-59*time.Minute), now), "59 minutes ago"},
		{kit.Ago(now.Add(-time.Hour), now), "1 hour ago"},
		{kit.Ago(now.Add(-47*time.Hour), now), "1 day ago"},
		{kit.Ago(now.Add(-13*24*time.Hour), now), "13 days ago"},
		{kit.Ago(now.Add(-14*24*time.Hour), now), "6 March 2026"},
		{kit.AsSentence(""), ""},
		{kit.AsSentence("élan"), "Élan."},
		{kit.AsSentence("Done."), "Done."},
		{kit.Sentence(errors.New("it broke")), "It broke."},
		{kit.Several(1, "1 way", "%d ways"), "1 way"},
		{kit.Several(0, "1 way", "%d ways"), "0 ways"},
		{kit.DomID("f-", `a b["c"]`), "f-a_b[_c_]"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	if kit.StatusOf(&client.Error{Status: 404}) != 404 || kit.StatusOf(errors.New("no answer")) != 0 {
		t.Error("the status of an error is wrong")
	}
}

// A list of tabs is one stop of the Tab key: the open tab.
func TestOpenTabIsTheStopOfItsList(t *testing.T) {
	for open, want := range map[bool]string{true: `tabindex="0"`, false: `tabindex="-1"`} {
		if got := app.HTMLString(kit.Tab("tab-a", "tab", "a", "A", open, false)); !strings.Contains(got, want) {
			t.Errorf("open %t: %s", open, got)
		}
	}
}

// The list of keys opens with its key, unless the key is typed or belongs to something else.
func TestHeaderOpensKeys(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		h := kit.Header{Here: "Your account", Keys: [][2]string{{"Ctrl S", "Save the entry"}}}
		if !h.OpensKeys("?", false, false) || h.OpensKeys("?", true, false) || h.OpensKeys("?", false, true) || h.OpensKeys("k", false, false) {
			t.Error("another key opens the list, or ? does not")
		}
		if strings.Contains(app.HTMLString(h.Below()), "<dialog") {
			t.Error("the list is open from the start")
		}
		if !h.Do(ctx, "keys", "") || !h.Listed() || h.OpensKeys("?", false, false) {
			t.Error("the list does not open, or twice")
		}
		if html := app.HTMLString(h.Below()); !strings.Contains(html, "Save the entry") || !strings.Contains(html, "Show this list") {
			t.Errorf("the list lacks keys: %s", html)
		}
		if !h.Do(ctx, "close-keys", "") || h.Listed() || h.Do(ctx, "delete", "") {
			t.Error("the list does not close, or the header takes an act of the page")
		}
	})
}

// The bar is the same on every page: who is signed in is a menu, and a page other than the list of forms leads there.
func TestHeader(t *testing.T) {
	ana := client.User{Sub: "ana", Name: "Ana Lopez", Scopes: []string{"read:clients"}}
	for _, here := range []string{"", "Administration"} {
		h := kit.Header{Here: here}
		html := app.HTMLString(h.Draw(ana))
		if !strings.Contains(html, "account-button") || !strings.Contains(html, `data-initials="AL"`) || strings.Contains(html, `data-act="theme"`) {
			t.Errorf("%q: no menu of the account in %s", here, html)
		}
		if none := h.Draw(client.User{}); !strings.Contains(app.HTMLString(none), `data-act="theme"`) {
			t.Errorf("%q: nobody can choose the theme while nobody is signed in", here)
		}
		themes := 0
		for _, line := range h.Commands(ana) {
			if line.Icon == "theme" || line.Row == "Theme" {
				themes++
			}
		}
		if themes != 1 {
			t.Errorf("%d commands for the theme", themes)
		}
	}
}
