package bff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/bff"
)

const commentsPath = "/bff/api/forms/ap_1/comments"

type personJSON struct {
	Sub  string `json:"sub"`
	Name string `json:"name"`
}

// commentJSON is a comment in an answer.
type commentJSON struct {
	ID         string       `json:"id"`
	Thread     string       `json:"thread"`
	Node       string       `json:"node"`
	Component  string       `json:"component"`
	Text       string       `json:"text"`
	Author     personJSON   `json:"author"`
	Created    string       `json:"created_at"`
	Edited     string       `json:"edited_at"`
	ResolvedBy personJSON   `json:"resolved_by"`
	Resolved   string       `json:"resolved_at"`
	Mentions   []personJSON `json:"mentions"`
	Unread     bool         `json:"unread"`
}

// commentsJSON is the answer about a form.
type commentsJSON struct {
	Comments []commentJSON `json:"comments"`
	People   []personJSON  `json:"people"`
	Unread   int           `json:"unread"`
}

// signInAs signs a person in.
func (b *browser) signInAs(sub, name string) {
	b.w.t.Helper()
	b.w.bend(func(s *stub) { s.claims = map[string]any{"sub": sub, "name": name} })
	b.signIn()
}

// comments reads the comments on a form.
func (b *browser) comments() commentsJSON {
	b.w.t.Helper()
	var all commentsJSON
	g := b.app("GET", commentsPath, "")
	if err := json.Unmarshal([]byte(g.body), &all); err != nil || g.status != 200 {
		b.w.t.Fatalf("comments: %d %s", g.status, g.body)
	}
	return all
}

// words returns the comments in words.
func (c commentsJSON) words() string {
	var words []string
	for _, c := range c.Comments {
		words = append(words, c.Author.Sub+": "+c.Text)
	}
	return strings.Join(words, "; ")
}

// comment adds a comment.
func (b *browser) comment(body string) commentJSON {
	b.w.t.Helper()
	var c commentJSON
	g := b.app("POST", commentsPath, body)
	if err := json.Unmarshal([]byte(g.body), &c); err != nil || g.status != 201 {
		b.w.t.Fatalf("comment: %d %s", g.status, g.body)
	}
	return c
}

// Those who have the form open are offered for mentions, and those who have saved it, without the others whom a version names.
func TestWhoIsOfferedForMentions(t *testing.T) {
	w := newWorld(t)
	f := &oneForm{content: map[string]any{"name": "A"}}
	w.serving(f)
	ana, ben, cem := w.browser(), w.browser(), w.browser()
	ana.signInAs("ana", "Ana")
	ben.signInAs("ben", "Ben")
	cem.signInAs("cem", "Cem")
	room := ana.openRoom("a", "").Room
	ben.app("POST", livePath, rename(room, 1, 1, "B"), "X-Tab", "b").part(t)
	if g := ana.app("PATCH", "/bff/api/forms/ap_1", `{"name":"B"}`); g.status != 200 {
		t.Fatalf("save: %d %s", g.status, g.body)
	}
	if got, _, _ := strings.Cut(ana.versions(versionsPath), ","); got != "2 by Ana with Ben" {
		t.Fatalf("the last version is %q", got)
	}
	if got := ben.comments().People; !slices.Equal(got, []personJSON{{"ana", "Ana"}}) {
		t.Errorf("nobody is there: %v", got)
	}
	stream, _ := cem.hears("form=ap_1&page=c")
	if got := ben.comments().People; !slices.Equal(got, []personJSON{{"cem", "Cem"}, {"ana", "Ana"}}) {
		t.Errorf("Cem is there: %v", got)
	}
	stream.close()
}

// Two people talk about a form.
func TestComments(t *testing.T) {
	w := newWorld(t)
	ana, bo := w.browser(), w.browser()
	for _, method := range []string{"GET", "POST"} {
		if g := ana.app(method, commentsPath, ""); g.status != 401 {
			t.Errorf("nobody: %s: %d %s", method, g.status, g.body)
		}
	}
	ana.signInAs("ana", "Ana K")
	bo.signInAs("bo", "Bo")
	if g := ana.app("GET", commentsPath, ""); g.status != 200 || g.body != `{"comments":[],"people":[],"unread":0,"me":{"sub":"ana","name":"Ana K"},"moderator":true}` {
		t.Errorf("none: %d %s", g.status, g.body)
	}
	first := ana.comment(`{"text":" Do we need\r\nthe age?\n","node":"step_1","component":"age"}`)
	if first.Thread != first.ID || first.Text != "Do we need\nthe age?" || first.Author != (personJSON{"ana", "Ana K"}) || first.Node != "step_1" ||
		first.Component != "age" || first.Created != "2026-03-01T12:00:00.000Z" || first.Edited != "" {
		t.Errorf("first: %+v", first)
	}
	w.clock.Move(time.Second)
	reply := bo.comment(`{"text":"Ask @Ana K","thread":"` + first.ID + `","mentions":[{"sub":"ana","name":"Ana K"}]}`)
	if reply.Thread != first.ID || reply.Node != "" || reply.Unread {
		t.Errorf("reply: %+v", reply)
	}
	for b, unread := range map[*browser]int{ana: 1, bo: 0} {
		all := b.comments()
		if all.Unread != unread || all.words() != "ana: Do we need\nthe age?; bo: Ask @Ana K" || all.Comments[1].Unread != (unread > 0) ||
			fmt.Sprint(all.People) != "[{bo Bo} {ana Ana K}]" {
			t.Errorf("both: %+v", all)
		}
		if g := b.app("GET", "/bff/api/forms/ap_1/overview", ""); strings.Contains(g.body, `"mentions":1`) != (unread > 0) {
			t.Errorf("overview: %s", g.body)
		}
	}
	path := commentsPath + "/" + first.ID
	if g := ana.app("PATCH", path, `{"read":true}`); g.status != 200 || g.body != `{"read":1}` {
		t.Errorf("read: %d %s", g.status, g.body)
	}
	w.clock.Move(time.Minute)
	if g := bo.app("PATCH", path, `{"resolved":true}`); g.status != 200 || !strings.Contains(g.body, `"resolved_by":{"sub":"bo","name":"Bo"}`) {
		t.Errorf("resolve: %d %s", g.status, g.body)
	}
	edited := ana.app("PATCH", path, `{"text":"The age, @Bo?","mentions":[{"sub":"bo","name":"Bo"}]}`)
	if edited.status != 200 || !strings.Contains(edited.body, `"edited_at":"2026-03-01T12:01:01.000Z"`) {
		t.Errorf("edit: %d %s", edited.status, edited.body)
	}
	all := bo.comments()
	if all.Unread != 1 || all.Comments[0].ResolvedBy.Sub != "bo" || all.Comments[0].Resolved != "2026-03-01T12:01:01.000Z" || all.Comments[1].Unread {
		t.Errorf("after the edit: %+v", all)
	}
	if g := ana.app("PATCH", path, `{"resolved":false}`); g.status != 200 || strings.Contains(g.body, "resolved") {
		t.Errorf("reopen: %d %s", g.status, g.body)
	}
	if g := ana.app("DELETE", path, ""); g.status != 204 || g.body != "" {
		t.Errorf("delete: %d %s", g.status, g.body)
	}
	if got := bo.comments().words(); got != ": ; bo: Ask @Ana K" {
		t.Errorf("after the begin was deleted: %s", got)
	}
	if g := bo.app("DELETE", commentsPath+"/"+reply.ID, ""); g.status != 204 {
		t.Errorf("delete: %d %s", g.status, g.body)
	}
	if got := bo.comments().words(); got != "" {
		t.Errorf("after all were deleted: %s", got)
	}
	for _, event := range []string{"comment_added", "comment_resolved", "comment_edited", "comment_reopened", "comment_deleted"} {
		if !strings.Contains(w.log.String(), `"event":"`+event+`"`) {
			t.Errorf("no audit of %s", event)
		}
	}
	if strings.Contains(w.log.String(), "the age") {
		t.Error("the log has the text of a comment")
	}
}

// Who may not do what, and what no comment is.
func TestCommentsRefused(t *testing.T) {
	w := newWorld(t)
	ana, eve := w.browser(), w.browser()
	ana.signInAs("ana", "Ana")
	w.bend(func(s *stub) { s.scope = "openid read:forms" })
	eve.signInAs("eve", "Eve")
	c := ana.comment(`{"text":"mine"}`)
	reply := ana.comment(`{"text":"mine too","thread":"` + c.ID + `"}`)
	path := commentsPath + "/" + c.ID
	long := strings.Repeat("ä", 4000)
	person := `{"sub":"bo","name":"Bo"}`
	for _, x := range []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"PATCH", path, `{"text":"hers"}`, 403, "not_author"},
		{"DELETE", path, "", 403, "not_author"},
		{"PATCH", path, `{}`, 400, "invalid_body"},
		{"PATCH", path, `{"text":"a","resolved":true}`, 400, "invalid_body"},
		{"PATCH", path, `{"text":"a","node":"b"}`, 400, "invalid_body"},
		{"PATCH", path, `{"author":"eve"}`, 400, "invalid_body"},
		{"PATCH", path, `{"resolved":1}`, 400, "invalid_body"},
		{"PATCH", path, `{"read":false}`, 400, "invalid_body"},
		{"PATCH", commentsPath + "/" + reply.ID, `{"resolved":true}`, 404, "not_found"},
		{"PATCH", commentsPath + "/none", `{"resolved":true}`, 404, "not_found"},
		{"PATCH", "/bff/api/forms/ap_2/comments/" + c.ID, `{"resolved":true}`, 404, "not_found"},
		{"DELETE", "/bff/api/forms/ap_2/comments/" + c.ID, "", 404, "not_found"},
		{"DELETE", commentsPath + "/..", "", 404, "not_found"},
		{"POST", "/bff/api/forms/ap_2/comments", `{"text":"a","thread":"` + c.ID + `"}`, 404, "not_found"},
		{"POST", commentsPath, `{"text":"a","thread":"` + reply.ID + `"}`, 404, "not_found"},
		{"POST", commentsPath, `{"text":"` + long + `ä"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":" \n"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a\u0000b"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a\u001bb"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":1}`, 400, "invalid_body"},
		{"POST", commentsPath, `["a"]`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a","text":"b"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a","id":"b"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a","author":"ana"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a","component":"c"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a","node":"n","thread":"` + c.ID + `"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a","node":"` + strings.Repeat("n", 129) + `"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a","node":"n\n"}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"a","mentions":[` + person + `]}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"@Bo","mentions":[` + person + `,` + person + `]}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"@Bo","mentions":` + person + `}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"@Bo","mentions":[{"sub":"bo"}]}`, 400, "invalid_body"},
		{"POST", commentsPath, `{"text":"@Bo","mentions":[` + person + `]}`, 400, "invalid_body"},              // a stranger
		{"POST", commentsPath, `{"text":"@Bo","mentions":[{"sub":"ana","name":"Bo"}]}`, 400, "invalid_body"},   // another's name
		{"POST", commentsPath, `{"text":"@Ana","mentions":[{"sub":"eve","name":"Ana"}]}`, 400, "invalid_body"}, // another's id
		{"POST", commentsPath, `{"text":"` + strings.Repeat("a", 40_000) + `"}`, 413, "too_large"},
		{"GET", commentsPath + "?page=1", "", 400, "invalid_query"},
		{"PUT", commentsPath, `{"text":"a"}`, 405, "method"},
		{"GET", path, "", 405, "method"},
	} {
		if g := eve.app(x.method, x.path, x.body); g.status != x.status || g.code() != x.code {
			t.Errorf("%s %s %.60s: %d %s, want %d %s", x.method, x.path, x.body, g.status, g.body, x.status, x.code)
		}
		w.clock.Move(2 * time.Second)
	}
	for _, x := range [][2]string{{"GET", commentsPath}, {"POST", commentsPath}, {"PATCH", path}, {"DELETE", path}} {
		if g := eve.do(x[0], x[1], `{"text":"a"}`, "Content-Type", "application/json"); g.status != 403 || g.code() != "csrf" {
			t.Errorf("%s without the header: %d %s", x[0], g.status, g.body)
		}
	}
	if g := eve.app("POST", commentsPath, `{"text":"a"}`, "X-Tab", "a b"); g.status != 400 {
		t.Errorf("malformed tab: %d", g.status)
	}
	if g := ana.app("POST", commentsPath, `{"text":"`+long+`"}`); g.status != 201 {
		t.Errorf("4,000 characters: %d %s", g.status, g.body)
	}
	if got := len(ana.comments().Comments); got != 3 {
		t.Errorf("%d comments, want 3", got)
	}
}

// Those who may not read a form can do nothing with its comments; those who may only read it can.
func TestCommentsFollowAccess(t *testing.T) {
	w := newWorld(t)
	w.bend(func(s *stub) { s.scope = "openid read:forms" })
	b := w.browser()
	b.signInAs("ana", "Ana")
	c := b.comment(`{"text":"a"}`)
	if g := b.app("PATCH", commentsPath+"/"+c.ID, `{"resolved":true}`); g.status != 200 {
		t.Errorf("read only: %d %s", g.status, g.body)
	}
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, 404, map[string]any{"statusCode": 404}) }
	})
	calls := [][3]string{{"GET", commentsPath}, {"POST", commentsPath, `{"text":"a"}`}, {"PATCH", commentsPath + "/" + c.ID, `{"text":"b"}`}, {"DELETE", commentsPath + "/" + c.ID}}
	for _, x := range calls {
		if g := b.app(x[0], x[1], x[2]); g.status != 404 || strings.Contains(g.body, "Ana") {
			t.Errorf("%s of a form that is gone: %d %s", x[0], g.status, g.body)
		}
	}
	w.bend(func(s *stub) { s.api, s.scope = nil, "openid update:forms" })
	other := w.browser()
	other.signInAs("eve", "Eve")
	for _, x := range calls {
		if g := other.app(x[0], x[1], x[2]); g.status != 403 || g.code() != "scope" {
			t.Errorf("%s without read:forms: %d %s", x[0], g.status, g.body)
		}
	}
	if got := b.comments().words(); got != "ana: a" {
		t.Errorf("comments: %s", got)
	}
}

// A form with the same ID at another tenant has other comments.
func TestCommentsOfTenants(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signInAs("ana", "Ana")
	b.comment(`{"text":"here"}`)
	w.adjust = func(c *bff.Config) {
		c.Tenant = "https://other.example/api/v2"
		c.Files, c.Versions = w.db.Team(c.Tenant), nil
	}
	w.h = w.handler(w.ic)
	if got := b.comments().words(); got != "" {
		t.Errorf("another tenant: %s", got)
	}
	b.comment(`{"text":"there"}`)
	if g := b.app("DELETE", "/bff/api/forms/ap_1", ""); g.status != 200 {
		t.Fatalf("delete: %d", g.status)
	}
	if got := b.comments().words(); got != "" {
		t.Errorf("after the form was deleted: %s", got)
	}
	w.adjust = nil
	w.h = w.handler(w.ic)
	if got := b.comments().words(); got != "ana: here" {
		t.Errorf("the first tenant: %s", got)
	}
}

func TestCommentsAreLimitedInTime(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signInAs("ana", "Ana")
	status := 0
	for range 100 {
		if status = b.app("POST", commentsPath, `{"text":"a"}`).status; status != 201 {
			break
		}
	}
	if status != 429 {
		t.Errorf("many at once: %d", status)
	}
}

// Whoever may change a form deletes what others wrote on it, also of people whose accounts are gone; others delete only their own.
func TestWhoMayChangeTheFormDeletesTheCommentsOfOthers(t *testing.T) {
	w := newWorld(t)
	editor, reader, other := w.browser(), w.browser(), w.browser()
	editor.signInAs("ed", "Ed")
	w.bend(func(s *stub) { s.scope = "openid read:forms" })
	reader.signInAs("rea", "Rea")
	other.signInAs("otto", "Otto")
	thread := reader.comment(`{"text":"spam"}`)
	w.clock.Move(time.Second)
	reply := other.comment(`{"text":"more","thread":"` + thread.ID + `"}`)
	mine := editor.comment(`{"text":"mine","thread":"` + thread.ID + `"}`)
	for b, id := range map[*browser]string{reader: reply.ID, other: mine.ID} {
		if g := b.app("DELETE", commentsPath+"/"+id, ""); g.status != 403 || g.code() != "not_author" {
			t.Errorf("a reader deletes another's: %d %s", g.status, g.body)
		}
	}
	if g := editor.app("PATCH", commentsPath+"/"+reply.ID, `{"text":"ham"}`); g.status != 403 {
		t.Errorf("edits another's: %d %s", g.status, g.body)
	}
	if g := editor.app("DELETE", commentsPath+"/"+reply.ID, ""); g.status != 204 {
		t.Errorf("a reply: %d %s", g.status, g.body)
	}
	if g := reader.app("DELETE", commentsPath+"/"+thread.ID, ""); g.status != 204 {
		t.Errorf("one's own: %d %s", g.status, g.body)
	}
	if got := editor.comments().words(); got != ": ; ed: mine" {
		t.Errorf("comments: %s", got)
	}
	if g := reader.app("DELETE", commentsPath+"/"+thread.ID, ""); g.status != 403 {
		t.Errorf("a reader deletes a thread: %d %s", g.status, g.body)
	}
	if g := editor.app("DELETE", commentsPath+"/"+thread.ID, ""); g.status != 204 {
		t.Errorf("a thread: %d %s", g.status, g.body)
	}
	if got := editor.comments().words(); got != "" {
		t.Errorf("comments: %s", got)
	}
}

// Open editors are told of comments, but not of their texts.
func TestCommentEvents(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	go w.events.Run(ctx)
	b := w.browser()
	b.signInAs("ana", "Ana")
	var c commentJSON
	g := b.app("POST", commentsPath, `{"text":"secret"}`, "X-Tab", "tab1")
	if err := json.Unmarshal([]byte(g.body), &c); err != nil {
		t.Fatal(g.body)
	}
	if g := b.app("PATCH", commentsPath+"/"+c.ID, `{"resolved":true}`); g.status != 200 {
		t.Fatal(g.body)
	}
	places := bff.Places{Comments: w.db.Team("").Comments(), Scenarios: w.db.Team("").Scenarios(), Now: time.Now, Events: w.events}
	form := func(id string) *model.Form {
		v, _ := schema.Decode([]byte(`{"name":"F","nodes":[{"id":"` + id + `","type":"STEP","coordinates":{"x":1,"y":1}}]}`))
		return model.FromTree(v.(*schema.Object))
	}
	places.Follow(ctx, "ap_1", form("a"), form("b")) // there are no comments on it
	w.clock.Move(time.Minute)
	at := b.comment(`{"text":"here","node":"a"}`)
	places.Follow(ctx, "ap_1", form("a"), form("b"))
	if is := b.comments().Comments[1]; is.Node != "b" {
		t.Errorf("the comment is at %q", is.Node)
	}
	want := []string{
		`{"form":"ap_1","comment":"` + c.ID + `","thread":"` + c.ID + `","did":"added","name":"Ana","sub":"ana","tab":"tab1"}`,
		`{"form":"ap_1","comment":"` + c.ID + `","thread":"` + c.ID + `","did":"resolved","name":"Ana","sub":"ana"}`,
		`{"form":"ap_1","comment":"` + at.ID + `","thread":"` + at.ID + `","did":"added","name":"Ana","sub":"ana"}`,
		`{"form":"ap_1","comment":"","thread":"","did":"moved"}`,
	}
	var got []string
	waittest.Until(t, "the events are stored", func() bool {
		found, err := w.db.ReadMessages(ctx, "form/ap_1", 0, 16)
		if err != nil {
			t.Fatal(err)
		}
		got = nil
		for _, m := range found {
			if m.Kind != "comment" {
				t.Errorf("kind %s", m.Kind)
			}
			got = append(got, string(m.Data))
		}
		return len(got) >= len(want)
	})
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("events:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
