package saver

import (
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

func TestRetriesBecomeRareAndNeverEnd(t *testing.T) {
	last := time.Duration(0)
	for tries := range 100 {
		wait := retryAfter(tries)
		if wait < last || wait < time.Second || wait > 30*time.Second {
			t.Errorf("after %d tries it waits %v, before it %v", tries, wait, last)
		}
		last = wait
	}
	if last != 30*time.Second {
		t.Errorf("in the end it waits %v", last)
	}
}

func TestBannerStaysWhileASaveIsTriedAgain(t *testing.T) {
	calls, seen := 0, 0
	s := newSaver(t, func(client.Request) (client.Response, error) {
		if calls++; calls < 4 {
			return client.Response{}, &client.Error{Code: client.CodeOffline, Detail: "no connection"}
		}
		return uitest.Answer(200, strings.Replace(savedForm, "Contact", "Other", 1)), nil
	})
	s.Redraw = func(app.Context) {
		if calls == 0 || !s.Editor.Unsaved() {
			return
		}
		seen++
		if shown := banner(s); !strings.Contains(shown, "no connection. Your work stays here.") {
			t.Errorf("after %d calls, %s, the banner is %q", calls, s.State(), shown)
		}
	}
	uitest.Play(t, func(ctx app.Context) {
		rename(t, s, "Other")
		s.Save(ctx)
	})
	if s.State() != Saved || calls != 4 || seen < 5 {
		t.Errorf("%s after %d calls, seen %d times", s.State(), calls, seen)
	}
}
