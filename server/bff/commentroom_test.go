package bff_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// someComments is a number of comments by a person with a number of bytes of text each.
type someComments struct {
	author        string
	number, bytes int
}

// holds stores comments on a form without checking limits. Their IDs are numbers from 0 on.
func (w *world) holds(form string, all ...someComments) {
	w.t.Helper()
	most := store.CommentAmount{Comments: 1 << 30, Bytes: 1 << 30}
	id := 0
	for _, some := range all {
		for range some.number {
			c := store.Comment{
				ID: fmt.Sprint(id), Thread: fmt.Sprint(id), Text: strings.Repeat("a", some.bytes), Author: store.Person{ID: some.author},
				Created: w.clock.Now(),
			}
			if err := w.db.Team("").Comments().Add(w.t.Context(), form, c, store.CommentRoom{All: most, Author: most}); err != nil {
				w.t.Fatal(err)
			}
			id++
		}
	}
}

// Comments are limited by number and by size. Neither one person nor all readers together can take the room of those who may change the form.
func TestRoomForComments(t *testing.T) {
	const (
		own, half, all = 104_857, 512 << 10, 1 << 20 // bytes

		manyOwn    = "You have 100 comments on this form, which is the maximum for one person. Delete some of yours first."
		manyReader = "This form has 500 comments or more. Only people who may change it can add others. Ask one of them to delete some."
		many       = "This form has 1000 comments, which is the maximum. Delete some first."
		longOwn    = "With this, your comments on this form would have more than 102 KiB of text, which is the maximum for one person. " +
			"Write less, or delete some of yours first."
		longReader = "With this, the comments on this form would have more than 512 KiB of text. Only people who may change it can add more. " +
			"Write less, or ask one of them to delete some comments."
		long = "With this, the comments on this form would have more than 1024 KiB of text, which is the maximum. " +
			"Write less, or delete some comments first."
	)
	w := newWorld(t)
	people := map[string]*browser{"ed": w.browser(), "rea": w.browser()}
	people["ed"].signInAs("ed", "Ed")
	w.bend(func(s *stub) { s.scope = "openid read:forms" })
	people["rea"].signInAs("rea", "Rea")
	one := func(author string, bytes int) []someComments { return []someComments{{author, 1, bytes}} }
	with := func(more int, author string, bytes int) []someComments {
		return []someComments{{author, 1, bytes}, {"others", 1, more}}
	}
	form := ""
	for i, tt := range []struct {
		has       []someComments // nil if it is the form before
		who, text string         // the text of a new comment, or, with edit, of the comment 0, which is by the person
		edit      bool
		refused   string
	}{
		{[]someComments{{"rea", 99, 1}}, "rea", "a", false, ""},
		{nil, "rea", "a", false, manyOwn},
		{[]someComments{{"ed", 100, 1}, {"others", 400, 1}}, "ed", "a", false, manyOwn},
		{[]someComments{{"others", 499, 1}}, "rea", "a", false, ""},
		{nil, "rea", "a", false, manyReader},
		{[]someComments{{"others", 999, 1}}, "ed", "a", false, ""},
		{nil, "ed", "a", false, many},

		{one("rea", own-2), "rea", "ä", false, ""},
		{one("rea", own-1), "rea", "ä", false, longOwn},
		{one("ed", own-1), "ed", "ä", false, longOwn},
		{one("others", half-2), "rea", "ä", false, ""},
		{one("others", half-1), "rea", "ä", false, longReader},
		{one("others", half-1), "ed", "ä", false, ""},
		{one("others", all-2), "ed", "ä", false, ""},
		{one("others", all-1), "ed", "ä", false, long},

		{[]someComments{{"rea", 1, 1}, {"rea", 1, own - 2}}, "rea", "ä", true, ""},
		{[]someComments{{"rea", 1, 1}, {"rea", 1, own - 1}}, "rea", "ä", true, longOwn},
		{[]someComments{{"ed", 1, 1}, {"ed", 1, own - 1}}, "ed", "ä", true, longOwn},
		{with(half-2, "rea", 1), "rea", "ä", true, ""},
		{with(half-1, "rea", 1), "rea", "ä", true, longReader},
		{with(half-1, "ed", 1), "ed", "ä", true, ""},
		{with(all-2, "ed", 1), "ed", "ä", true, ""},
		{with(all-1, "ed", 1), "ed", "ä", true, long},

		// Comments from before the limits can be read, and edited unless they get longer.
		{[]someComments{{"rea", 1, 2}, {"rea", 1, own}, {"others", 1, all}}, "rea", "ä", true, ""},
		{[]someComments{{"ed", 1, 2}, {"ed", 1, own}, {"others", 1, all}}, "ed", "b", true, ""},
		{[]someComments{{"rea", 1, 2}, {"others", 1, all}}, "rea", "äb", true, longReader},
		{[]someComments{{"rea", 102, 1}, {"others", 900, 1}}, "rea", "ä", true, ""}, // many, but not long
	} {
		if tt.has != nil {
			form = fmt.Sprint("ap_", i+1)
		}
		w.holds(form, tt.has...)
		w.clock.Move(10 * time.Second)
		method, path, status := http.MethodPost, "/bff/api/forms/"+form+"/comments", 201
		if tt.edit {
			method, path, status = http.MethodPatch, path+"/0", 200
		}
		switch g := people[tt.who].app(method, path, `{"text":"`+tt.text+`"}`); {
		case tt.refused == "" && g.status != status:
			t.Errorf("%s has %v, and %s writes %s: %d %s", form, tt.has, tt.who, tt.text, g.status, g.body)
		case tt.refused != "" && (g.status != 413 || g.code() != "too_many" || !strings.Contains(g.body, `"detail":"`+tt.refused+`"`)):
			t.Errorf("%s has %v, and %s writes %s: %d %s, want %s", form, tt.has, tt.who, tt.text, g.status, g.body, tt.refused)
		}
		if g := people[tt.who].app("GET", "/bff/api/forms/"+form+"/comments", ""); g.status != 200 {
			t.Errorf("%s has %v: %d", form, tt.has, g.status)
		}
	}
}
