package links_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/desktest"
	"github.com/formgraph/formgraph/app/desk/links"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/model/schema"
)

const (
	none = `{"links":[],"most":3}`
	two  = `{"most":3,"links":[
		{"id":"b","url":"https://f.example/look/b1","label":"Lawyers <b>","created_by":{"sub":"a","name":"Ana"},"created_at":"2026-03-01T10:00:00Z",
			"expires_at":"2026-03-08T12:00:00Z","times":3,"opened_at":"2026-03-01T11:00:00Z","version":7},
		{"id":"a","url":"https://f.example/look/a1","label":"","created_by":{"sub":"a","name":"Ana"},"created_at":"2026-02-01T10:00:00Z",
			"expires_at":"2026-02-08T12:00:00Z","times":0,"expired":true}]}`
)

func object(t *testing.T, text string) *schema.Object {
	t.Helper()
	v, problems := schema.Decode([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return v.(*schema.Object)
}

func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func open(t *testing.T, kept string) *desktest.Desk {
	t.Helper()
	d := desktest.Open(t, map[string]desk.Page{message.Links: links.New(now)}, message.Links, `{"name":"f"}`)
	d.Order(message.Order{Kept: object(t, kept)})
	return d
}

// wantCall checks the last call that was asked for, and returns its number.
func wantCall(t *testing.T, d *desktest.Desk, want string) int {
	t.Helper()
	if len(d.Reports) == 0 {
		t.Fatal("there is no call")
	}
	r, err := message.ParseReport(d.Reports[len(d.Reports)-1])
	if err != nil {
		t.Fatal(err)
	}
	n, _ := r.Call.Int("number")
	if got := fmt.Sprintf("%s %s %s", r.Call.Text("method"), r.Call.Text("id"), schema.Encode(r.Call.Object("body"))); got != want {
		t.Errorf("the call is %s, want %s", got, want)
	}
	return n
}

func wants(t *testing.T, html string, parts ...string) {
	t.Helper()
	for _, want := range parts {
		if no, absent := strings.CutPrefix(want, "!"); strings.Contains(html, no) == absent {
			t.Errorf("%s, in\n%s", want, html)
		}
	}
}

func TestList(t *testing.T) {
	wants(t, open(t, none).HTML(), "Nobody has a link to this form yet.", "Create link")
	d := open(t, two)
	wants(t, d.Region("list/b"), "Lawyers &lt;b&gt;", "Created by Ana, ", "2 hours ago", "expires on", "8 March 2026", "Always version 7", "Opened 3 times, last ",
		"1 hour ago", `data-copy="https://f.example/look/b1"`, "!lk-url")
	wants(t, d.Region("list/a"), "expired on", "Not opened yet", "!data-copy", "Revoke")
	wants(t, open(t, strings.Replace(two, `"Ana"`, `"דנה"`, 1)).Region("list/b"), "Created by \u2068דנה\u2069, ")
	d.Event(message.Event{On: "copied", Do: "copy", Arg: "b"})
	wants(t, d.Region("list/b"), "Copied")
	d = desktest.Open(t, map[string]desk.Page{message.Links: links.New(now)}, message.Links, `{"name":"f"}`)
	wants(t, d.HTML(), "Reading the links…")
	d.Order(message.Order{Wrong: "The server cannot be reached."})
	wants(t, d.HTML(), "The server cannot be reached.", "Try again")
	d.Press("again", "")
	n := wantCall(t, d, "  {}")
	d.Order(message.Order{Answer: n, Kept: object(t, none)})
	wants(t, d.HTML(), "Nobody has a link", "!cannot be reached")
}

func TestMake(t *testing.T) {
	d := open(t, two)
	input := func(does, text string) { d.Event(message.Event{On: "input", Do: does, Text: text}) }
	d.Press("make", "")
	n := wantCall(t, d, `POST  {"expires_at":"2026-03-08T12:00:00Z"}`)
	wants(t, d.Region("new"), "Creating…")
	d.Order(message.Order{Answer: n, Wrong: "You are creating links too fast."})
	wants(t, d.Region("new"), "You are creating links too fast.", "Create link")
	input("life", "date")
	wants(t, d.Region("new"), `type="date"`, `data-value="2026-06-01"`)
	for _, day := range []string{"", "2026-02-28", "2027-03-02", "x"} {
		before := len(d.Reports)
		input("date", day)
		wants(t, d.Region("new"), "!Choose a day")
		d.Press("make", "")
		if wants(t, d.Region("new"), "Choose a day from today"); len(d.Reports) != before {
			t.Errorf("%q makes a link", day)
		}
	}
	input("date", "2026-03-01")
	input("label", strings.Repeat("x", 121))
	d.Press("make", "")
	wants(t, d.Region("new"), "up to 120 characters")
	input("label", " Ann ")
	input("shows", "fixed")
	d.Event(message.Event{On: "key", Do: "label", Text: "Enter"})
	n = wantCall(t, d, `POST  {"expires_at":"2026-03-02T00:00:00Z","label":"Ann","fixed":true}`)
	made := strings.Replace(two, `"links":[`, `"links":[{"id":"c","url":"https://f.example/look/c1","label":"Ann","created_at":"2026-03-01T12:00:00Z","expires_at":"2026-03-02T00:00:00Z","times":0},`, 1)
	d.Order(message.Order{Answer: n, Kept: object(t, made)})
	wants(t, d.Region("list/c"), `data-value="https://f.example/look/c1"`, `aria-current="true"`)
	if d.Screen.Text("focus") != `#desk [data-do="copy"][data-arg="c"]` {
		t.Errorf("the focus is at %s", d.Screen.Text("focus"))
	}
	wants(t, d.Region("new"), "the maximum number of links", `disabled="true"`, `data-value=""`)
}

func TestRevoke(t *testing.T) {
	d := open(t, two)
	d.Press("revoke", "b")
	wants(t, d.Region("list/b"), "It stops working for everybody who has it.")
	d.Press("keep", "b")
	wants(t, d.Region("list/b"), "!Whoever has it")
	d.Press("revoke", "b")
	d.Press("revoke-it", "b")
	n := wantCall(t, d, "DELETE b {}")
	d.Order(message.Order{Answer: n, Kept: object(t, none)})
	if wants(t, d.HTML(), "Nobody has a link"); !strings.Contains(d.Said, "Revoked.") {
		t.Errorf("said %q", d.Said)
	}
}
