package messages_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/desktest"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/desk/messages"
)

const form = `{"name":"f","messages":{"custom":{"hello":"Hello","idle":"Nobody"},"errors":{"ERR_EMAIL_EXPECTED":"No e-mail","ERR_OWN":"Own"}},
	"nodes":[{"id":"ask","type":"STEP","alias":"Contact","config":{"components":[
	{"id":"mail","category":"FIELD","type":"EMAIL","label":"{{ t('hello') }}","hint":"{{t('gone')}}"}]}}],
	"translations":{"de":{"components":{"mail":{"label":"{{ t('elsewhere') }}"}}}}}`

func open(t *testing.T) *desktest.Desk {
	t.Helper()
	return desktest.Open(t, map[string]desk.Page{message.Messages: messages.New()}, message.Messages, form)
}

func input(does, arg, text string) message.Event {
	return message.Event{On: "input", Do: does, Arg: arg, Text: text}
}

// The page lists the form's own messages with their uses, those that are missing, and the errors that the form's fields have.
func TestList(t *testing.T) {
	d := open(t)
	for _, want := range []string{
		`<code>hello</code>`, `data-arg="nodes[0].config.components[0].label"`, "Not used", `>Contact › Email</button>`, `data-key="c:gone"`, "used but does not exist",
		`data-path="messages.errors.ERR_EMAIL_EXPECTED"`, `data-value="No e-mail"`, `placeholder="Please enter an email address`,
		`data-key="e:ERR_OWN"`, "the key is unknown here", "1 field", `<b>Not an e-mail address</b><div class="ms-meta"><code>ERR_EMAIL_EXPECTED</code>`,
	} {
		if !strings.Contains(d.HTML(), want) {
			t.Errorf("%s is missing in\n%s", want, d.HTML())
		}
	}
	for _, no := range []string{"elsewhere", "ERR_INVALID_CARD"} {
		if strings.Contains(d.HTML(), no) {
			t.Errorf("%s is listed", no)
		}
	}
	d.Event(message.Event{On: "change", Do: "all", Text: "true"})
	if !strings.Contains(d.HTML(), "ERR_INVALID_CARD") {
		t.Error("an error that no field has is not listed")
	}
	d.Event(input("search", "", "NOBODY"))
	if n := strings.Count(d.HTML(), `class="ms-row"`); n != 1 {
		t.Errorf("%d messages contain the text", n)
	}
}

func TestEdit(t *testing.T) {
	d := open(t)
	text := func(group, key string) string { return d.Form().Object("messages").Object(group).Text(key) }
	d.Event(input("error", "ERR_EMAIL_EXPECTED", ""))
	if d.Form().Object("messages").Object("errors").Has("ERR_EMAIL_EXPECTED") {
		t.Error("an emptied error does not become the built-in one")
	}
	d.Event(input("custom", "hello", strings.Repeat("x", 256)))
	if !strings.Contains(d.HTML(), "has 256 characters and may have 255") {
		t.Error("a text that is too long is not told of")
	}
	d.Press("define", "gone")
	if text("custom", "gone") != "gone" {
		t.Error("a missing message was not added")
	}
	d.Press("open", "")
	for key, want := range map[string]string{"": "must have a key", "hello": "already", "a'b": "must not contain"} {
		d.Event(message.Event{On: "press", Do: "add", Text: key})
		if !strings.Contains(d.HTML(), want) {
			t.Errorf("the key %q is not refused", key)
		}
	}
	d.Event(message.Event{On: "press", Do: "add", Text: " new "})
	if text("custom", "new") != "new" {
		t.Error("a message was not added")
	}
	d.Press("remove", "idle")
	if d.Form().Object("messages").Object("custom").Has("idle") {
		t.Error("a message was not removed")
	}
}

// A form without messages of its own shows how one is used, and offers to add it there.
func TestNoneYet(t *testing.T) {
	d := desktest.Open(t, map[string]desk.Page{message.Messages: messages.New()}, message.Messages, `{"name":"f","nodes":[]}`)
	const offer = "<span>Add a message</span>"
	for _, want := range []string{"no messages of its own", "<code>greeting</code>", offer} {
		if !strings.Contains(d.HTML(), want) {
			t.Errorf("%s is missing in\n%s", want, d.HTML())
		}
	}
	d.Event(input("search", "", "x"))
	if strings.Contains(d.HTML(), offer) || !strings.Contains(d.HTML(), "No message contains") {
		t.Errorf("nothing is found, but\n%s", d.HTML())
	}
}

// The text of an error that is not known here can be added, one that is known is shown.
func TestTextOfAnotherError(t *testing.T) {
	d := open(t)
	d.Press("open", "errors")
	if s := d.HTML(); !strings.Contains(s, "Add the text of an error") {
		t.Fatalf("no dialog in %s", s)
	}
	d.Event(message.Event{On: "press", Do: "add", Text: "ERR_NEWER"})
	if got := d.Form().Object("messages").Object("errors").Text("ERR_NEWER"); got != "ERR_NEWER" || !strings.Contains(d.HTML(), `data-path="messages.errors.ERR_NEWER"`) {
		t.Errorf("the text is %q", got)
	}
	before := d.Form()
	d.Press("open", "errors")
	d.Event(message.Event{On: "press", Do: "add", Text: "ERR_INVALID_CARD"})
	if d.Form() != before || d.Screen.Text("focus") != `[data-path="messages.errors.ERR_INVALID_CARD"]` || !strings.Contains(d.HTML(), `data-path="messages.errors.ERR_INVALID_CARD"`) {
		t.Errorf("the focus goes to %q", d.Screen.Text("focus"))
	}
}

// A message is found, whatever is searched for and hidden.
func TestGoToAMessage(t *testing.T) {
	d := open(t)
	d.Event(input("search", "", "nothing"))
	d.Order(message.Order{Page: message.Messages, Go: "messages.errors.ERR_INVALID_CARD"})
	if s := d.HTML(); d.Screen.Text("focus") != `[data-path="messages.errors.ERR_INVALID_CARD"]` || !strings.Contains(s, `data-path="messages.errors.ERR_INVALID_CARD"`) {
		t.Errorf("the focus goes to %q in %s", d.Screen.Text("focus"), s)
	}
}
