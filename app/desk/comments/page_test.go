package comments_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/comments"
	"github.com/formgraph/formgraph/app/desk/desktest"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/face"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"name":"f","nodes":[
	{"id":"ask","type":"STEP","alias":"Contact","config":{"components":[{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"}]}},
	{"id":"way","type":"ROUTER","config":{"rules":[]}}]}`

// talk is what the server answers: a thread about the e-mail with a reply for the person, one about a step that is gone, and a resolved one.
const talk = `{"me":{"sub":"me","name":"Mia"},"unread":1,"people":[{"sub":"bo","name":"Bo"},{"sub":"me","name":"Mia"},{"sub":"bob","name":"Bo Berg"},{"sub":"x","name":"Xaver"}],
	"comments":[
	{"id":"c1","thread":"c1","node":"ask","component":"mail","text":"Needed?","author":{"sub":"me","name":"Mia"},"created_at":"2026-03-01T10:00:00Z"},
	{"id":"c2","thread":"c2","node":"old","text":"Where is it?","author":{"sub":"bo","name":"Bo"},"created_at":"2026-03-01T09:00:00Z","edited_at":"2026-03-01T09:30:00Z"},
	{"id":"c3","thread":"c1","text":"<b>Ask</b> @Mia @<i>y","author":{"sub":"bo","name":"Bo"},"created_at":"2026-03-01T11:58:00Z","mentions":[{"sub":"me","name":"Mia"},{"sub":"y","name":"<i>y"}],"unread":true},
	{"id":"c4","thread":"c4","text":"","created_at":"2026-03-01T08:00:00Z","resolved_at":"2026-03-01T08:10:00Z","resolved_by":{"sub":"bo","name":"Bo"}},
	{"id":"c5","thread":"c4","text":"Done","author":{"sub":"me","name":"Mia"},"created_at":"2026-03-01T08:05:00Z"},
	{"id":"c6","thread":"lost","text":"nowhere","author":{"sub":"me","name":"Mia"},"created_at":"2026-03-01T08:05:00Z"}]}`

func object(t *testing.T, text string) *schema.Object {
	t.Helper()
	v, problems := schema.Decode([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return v.(*schema.Object)
}

// open opens the page with comments.
func open(t *testing.T, told string) *desktest.Desk {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	d := desktest.Open(t, map[string]desk.Page{message.Comments: comments.New(now)}, message.Comments, form)
	if told != "" {
		d.Order(message.Order{Kept: object(t, told)})
	}
	return d
}

// report returns the last report of a desk.
func report(t *testing.T, d *desktest.Desk) message.Report {
	t.Helper()
	if len(d.Reports) == 0 {
		t.Fatal("there is no report")
	}
	r, err := message.ParseReport(d.Reports[len(d.Reports)-1])
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantCall checks the last call that was asked for, and returns its number.
func wantCall(t *testing.T, d *desktest.Desk, want string) int {
	t.Helper()
	c := report(t, d).Call
	n, _ := c.Int("number")
	if got := fmt.Sprintf("%s %s %s", c.Text("method"), c.Text("id"), schema.Encode(c.Object("body"))); got != want {
		t.Errorf("the call is %s, want %s", got, want)
	}
	return n
}

func typing(arg, text string) message.Event { return typingAfter(0, arg, text) }

// typingAfter is typing in a field as it is drawn after a number of its texts were sent.
func typingAfter(sent int, arg, text string) message.Event {
	return message.Event{On: "input", Do: strconv.Itoa(sent), Arg: arg, Text: text, Caret: len(utf16.Encode([]rune(text)))}
}

func pressed(arg, key string) message.Event {
	return message.Event{On: "key", Do: "0", Arg: arg, Text: key}
}

func wants(t *testing.T, html string, parts ...string) {
	t.Helper()
	for _, want := range parts {
		if no, absent := strings.CutPrefix(want, "!"); absent {
			if strings.Contains(html, no) {
				t.Errorf("%s is shown in\n%s", no, html)
			}
		} else if !strings.Contains(html, want) {
			t.Errorf("%s is missing in\n%s", want, html)
		}
	}
}

// Threads are listed with their places, those whose place is gone last; a comment for the person is read when its thread is shown.
func TestThreads(t *testing.T) {
	d := open(t, "")
	wants(t, d.HTML(), "Reading the comments…")
	d = open(t, talk)
	wantCall(t, d, `PATCH c1 {"read":true}`)
	first, gone := d.Region("list/c1"), d.Region("gone/c2")
	wants(t, first, "Contact › E-mail", `aria-current="true"`, "Needed?", "2 hours ago", "2 minutes ago", "&lt;b&gt;Ask&lt;/b&gt; ",
		`<span class="cm-at" data-me="true">@Mia</span>`, "for you", `data-do="edit" data-arg="c1"`, "!"+`data-do="edit" data-arg="c3"`, "!<b>Ask", ">@&lt;i&gt;y</span>", "!<i>y")
	wants(t, gone, "old", "Where is it?", "edited", "!Edit your")
	wants(t, d.HTML(), "No longer in the form", "Open<small>2</small>", "Resolved<small>1</small>", "!Done", "!nowhere")
	d.Press("show", "resolved")
	wants(t, d.HTML(), "This comment was deleted.", "Done", "Resolved by Bo, ", "Reopen", "The whole form", "!Needed?", "!No longer in the form")
	rtl := open(t, strings.ReplaceAll(talk, `"Bo"`, `"דנה"`))
	rtl.Press("show", "resolved")
	wants(t, rtl.HTML(), "Resolved by \u2068דנה\u2069, ")
	d.Press("go", "c4")
	if r := report(t, d); r.Select != "" {
		t.Errorf("the form is selected as %q", r.Select)
	}
	d.Press("show", "open")
	d.Press("go", "c1")
	if r := report(t, d); r.Select != "ask" || r.Part != "mail" {
		t.Errorf("%+v is selected", r)
	}
	empty := open(t, `{"me":{"sub":"me"},"comments":[],"people":[]}`)
	wants(t, empty.HTML(), "No open comments.", "press <kbd>Shift M</kbd>", "choose Comment in its menu")
	empty.Order(message.Order{At: object(t, `{"node":"ask","component":"mail"}`)})
	wants(t, empty.HTML(), "!No open comments.") // no hint while somebody writes a comment
}

// A comment keeps to its element when that is renamed or moved, before it is saved.
func TestThreadsFollowTheForm(t *testing.T) {
	d := open(t, talk)
	run := func(c editor.Command) {
		t.Helper()
		before := d.Form()
		if err := d.Editor().Run(c); err != nil {
			t.Fatal(err)
		}
		d.Order(message.Order{Edits: schema.Delta(before, d.Form())})
	}
	run(editor.RenamePart{Path: at(t, "nodes[0].config.components[0].id"), ID: "post"})
	wants(t, d.Region("list/c1"), "Contact › E-mail")
	d.Press("go", "c1")
	if r := report(t, d); r.Part != "post" {
		t.Errorf("%+v is selected", r)
	}
	run(editor.Clear{Path: at(t, "nodes[0].config.components[0]")})
	wants(t, d.Region("gone/c1"), "Needed?")
}

func at(t *testing.T, path string) schema.Path {
	t.Helper()
	p, err := schema.ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A new comment is about what is selected, is checked, and keeps its text when it cannot be sent.
func TestWriting(t *testing.T) {
	d := open(t, talk)
	const key = "new ask\tmail"
	d.Order(message.Order{At: object(t, `{"node":"ask","component":"mail"}`)})
	if d.Screen.Text("focus") != "#cm-new" {
		t.Errorf("the focus is at %s", d.Screen.Text("focus"))
	}
	wants(t, d.Region("new"), "Contact › E-mail", "Comment on Contact › E-mail")
	d.Press("send", key)
	wants(t, d.Region("new"), "Write something first.", `aria-invalid="true"`)
	d.Event(typing(key, strings.Repeat("ä", 4001)))
	wants(t, d.Region("new"), "4001 of 4,000")
	d.Press("send", key)
	wants(t, d.Region("new"), "up to 4,000 characters")
	if last := report(t, d); last.Call != nil {
		t.Errorf("a call was made: %s", last.Text())
	}
	d.Event(typing(key, " Ask @Bo Berg and @Nobody, not a@Bo "))
	d.Event(pressed(key, "Ctrl+Enter"))
	n := wantCall(t, d, `POST  {"text":"Ask @Bo Berg and @Nobody, not a@Bo","mentions":[{"sub":"bob","name":"Bo Berg"},{"sub":"bo","name":"Bo"}],"node":"ask","component":"mail"}`)
	wants(t, d.Region("new"), "Sending…")
	d.Event(pressed(key, "Ctrl+Enter")) // once is enough
	d.Order(message.Order{Answer: n, Wrong: "The server cannot be reached."})
	wants(t, d.Region("new"), "The server cannot be reached.", "Ask @Bo Berg", "!Sending")
	d.Event(pressed(key, "Escape")) // to look elsewhere
	wants(t, d.Region("new"), "!textarea", `data-do="resume"`, "unsent")
	d.Order(message.Order{At: object(t, `{"node":"ask","component":"mail"}`)})
	wants(t, d.Region("new"), "Ask @Bo Berg")
	d.Press("send", key)
	n = wantCall(t, d, `POST  {"text":"Ask @Bo Berg and @Nobody, not a@Bo","mentions":[{"sub":"bob","name":"Bo Berg"},{"sub":"bo","name":"Bo"}],"node":"ask","component":"mail"}`)
	d.Order(message.Order{Answer: n, Kept: object(t, talk)})
	if wants(t, d.Region("new"), "!textarea"); d.Screen.Text("focus") != `#desk [data-do="go"][data-arg="c1"]` {
		t.Errorf("the focus is at %s", d.Screen.Text("focus"))
	}
}

// Replies, edits, deletions and resolutions are calls; what others wrote cannot be edited.
func TestChanges(t *testing.T) {
	d := open(t, talk)
	d.Event(typing("reply c1", "Yes"))
	d.Press("send", "reply c1")
	n := wantCall(t, d, `POST  {"text":"Yes","thread":"c1"}`)
	d.Order(message.Order{Answer: n, Kept: object(t, talk)})
	wants(t, d.Region("list/c1"), "!Yes", "!Sending")

	d.Press("edit", "c1")
	wants(t, d.Region("list/c1"), `data-value="Needed?"`, "Save")
	d.Event(pressed("edit c1", "Escape"))
	wants(t, d.Region("list/c1"), "!Save")
	d.Press("edit", "c1")
	d.Event(typing("edit c1", "Needed"))
	d.Press("send", "edit c1")
	n = wantCall(t, d, `PATCH c1 {"text":"Needed"}`)
	d.Order(message.Order{Answer: n, Kept: object(t, talk)})
	wants(t, d.Region("list/c1"), "!Save")

	d.Press("delete", "c1")
	wants(t, d.Region("list/c1"), "Delete this comment for everybody?")
	d.Press("keep", "c1")
	wants(t, d.Region("list/c1"), "!for everybody?")
	d.Press("delete", "c1")
	d.Press("delete-it", "c1")
	n = wantCall(t, d, `DELETE c1 {}`)
	d.Order(message.Order{Answer: n, Wrong: "It is too late."})
	if d.Said != "It is too late." {
		t.Errorf("said %q", d.Said)
	}
	d.Press("resolve", "c2")
	wantCall(t, d, `PATCH c2 {"resolved":true}`)
	d.Press("reopen", "c4")
	wantCall(t, d, `PATCH c4 {"resolved":false}`)
	d.Press("resolve", "none")
	wantCall(t, d, `PATCH c4 {"resolved":false}`)
}

// Whoever may change the form may delete what others wrote, even if the author of a comment no longer exists.
func TestWhoMayChangeTheFormDeletesOthersComments(t *testing.T) {
	wants(t, open(t, talk).HTML(), `data-do="delete" data-arg="c1"`, `!data-do="delete" data-arg="c2"`, `!data-do="delete" data-arg="c3"`)
	d := open(t, strings.Replace(talk, `{"me"`, `{"moderator":true,"me"`, 1))
	wants(t, d.Region("list/c1"), `data-do="delete" data-arg="c1"`, `data-do="delete" data-arg="c3"`, "Delete the comment by Bo", `!data-do="edit" data-arg="c3"`)
	wants(t, d.Region("gone/c2"), "Delete the thread by Bo")
	d.Press("delete", "c2")
	wants(t, d.Region("gone/c2"), "Delete this thread with all replies for everybody?")
	d.Press("delete-it", "c2")
	wantCall(t, d, `DELETE c2 {}`)
	d.Press("delete", "c3")
	wants(t, d.Region("list/c1"), "Delete this comment for everybody?")
	d.Press("show", "resolved")
	wants(t, d.Region("list/c4"), "This comment was deleted.", "Delete the thread")
	d.Press("delete", "c4")
	d.Press("delete-it", "c4")
	wantCall(t, d, `DELETE c4 {}`)
}

// Behind an @, people are offered, and chosen by the keyboard or a press.
func TestMentions(t *testing.T) {
	d := open(t, talk)
	const key = "reply c1"
	offers := func() string {
		html := d.Region("list/c1")
		var names []string
		for _, part := range strings.Split(html, `role="option"`)[1:] {
			_, name, _ := strings.Cut(part, "<span>")
			name, _, _ = strings.Cut(name, "<")
			if strings.Contains(strings.SplitN(part, ">", 2)[0], `aria-selected="true"`) {
				name = "*" + name
			}
			names = append(names, name)
		}
		return strings.Join(names, " ")
	}
	for text, want := range map[string]string{
		"@": "*Bo Bo Berg Xaver", "ask @b": "*Bo Bo Berg", "@berg": "*Bo Berg", "@mi": "", "a@b": "", "@b\n": "", "@bo": "*Bo Bo Berg", "@xaver": "", "x": "",
	} {
		if d.Event(typing(key, text)); offers() != want {
			t.Errorf("%q offers %q, want %q", text, offers(), want)
		}
	}
	d.Event(typing(key, "ask 😀 @b"))
	d.Event(pressed(key, "ArrowDown"))
	if offers() != "Bo *Bo Berg" {
		t.Errorf("offered: %s", offers())
	}
	d.Event(pressed(key, "ArrowUp"))
	d.Event(pressed(key, "ArrowUp"))
	d.Event(pressed(key, "Enter"))
	wants(t, d.Region("list/c1"), `data-value="ask 😀 @Bo Berg "`, `data-caret="16"`, "!role=\"option\"")
	d.Event(message.Event{On: "input", Do: "0", Arg: key, Text: "@x, ask", Caret: 2})
	d.Event(pressed(key, "Escape"))
	if offers() != "" {
		t.Errorf("offered after Escape: %s", offers())
	}
	d.Event(message.Event{On: "input", Do: "0", Arg: key, Text: "@x, ask", Caret: 2})
	d.Press("pick", "0")
	wants(t, d.Region("list/c1"), `data-value="@Xaver , ask"`)
}

// A person has the color that the canvas shows for those who have the form open.
func TestColorsAreThoseOfTheCanvas(t *testing.T) {
	d := open(t, talk)
	other := "a"
	for face.Hue(other) != face.Hue("me") {
		other += "a"
	}
	for _, here := range [][]string{{"me"}, {other, "me"}, {"me"}} {
		d.Order(message.Order{Here: here})
		want := fmt.Sprintf(`data-hue="%d">M</i>`, face.Hues(here)["me"])
		wants(t, d.HTML(), want)
	}
	if face.Hues([]string{other, "me"})["me"] == face.Hue("me") {
		t.Error("the color did not change")
	}
}
