package saver

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

// Where the ETag is changed on its way, the form itself is compared before it is saved, and a form of others is still never written over.
func TestUselessETag(t *testing.T) {
	for _, tt := range []struct {
		name   string
		others bool // they save once, at the last moment
		sent   []string
	}{
		{"nobody else", false, []string{"PATCH 1", "GET", "PATCH 1", "GET", "GET", "PATCH"}},
		{"others", true, []string{"PATCH 1", "GET", "PATCH 1", "GET", "GET", "GET", "PATCH 1", "GET", "GET", "PATCH"}},
	} {
		var sent []string
		reads := 0
		s := newSaver(t, func(r client.Request) (client.Response, error) {
			match := r.Header["If-Match"]
			sent = append(sent, strings.TrimSpace(r.Method+" "+strings.Trim(match, `"`)))
			now := savedForm
			switch {
			case match != "":
				return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), nil
			case r.Method == "GET":
				if reads++; reads > 2 && tt.others {
					now = theirs
				}
			default:
				now = strings.Replace(now, "Contact", "Other", 1)
			}
			return uitest.Answer(200, now, "ETag", `"1"`), nil
		})
		rename(t, s, "Other")
		uitest.Play(t, func(ctx app.Context) { s.Save(ctx) })
		if s.State() != Saved || s.ETag() != `"1"` || !slices.Equal(sent, tt.sent) {
			t.Errorf("%s: %s %s after %q", tt.name, s.State(), s.ETag(), sent)
		}
	}
}

// A server that never takes a save says that others have changed the form. The person is told that they have not.
func TestConflictWithNobody(t *testing.T) {
	s := newSaver(t, func(r client.Request) (client.Response, error) {
		if r.Method == "GET" {
			return uitest.Answer(200, savedForm, "ETag", `"1"`), nil
		}
		return uitest.Answer(412, `{"code":"conflict","detail":"it was changed"}`), nil
	})
	rename(t, s, "Other")
	uitest.Play(t, func(ctx app.Context) { s.Save(ctx) }, func(app.Context) {
		if said := banner(s); s.State() != Error || strings.Contains(said, "Others keep") || !strings.Contains(said, "A proxy may be changing") {
			t.Errorf("%s, banner %s", s.State(), said)
		}
	})
}
