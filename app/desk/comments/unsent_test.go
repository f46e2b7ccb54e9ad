package comments_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/desk/desktest"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/model/schema"
)

// unsent returns what the editor's program was last told to keep.
func unsent(t *testing.T, d *desktest.Desk) string {
	t.Helper()
	last := ""
	for _, text := range d.Reports {
		r, err := message.ParseReport(text)
		if err != nil {
			t.Fatal(err)
		}
		if r.Unsent != nil {
			last = string(schema.Encode(r.Unsent))
		}
	}
	return last
}

// The editor's program keeps what is written until it is sent, emptied or cancelled.
func TestUnsent(t *testing.T) {
	d := open(t, talk)
	const key = "new ask\tmail"
	step := func(name, want string, do ...func()) {
		t.Helper()
		for _, f := range do {
			f()
		}
		if got := unsent(t, d); got != want {
			t.Errorf("%s: kept are %s, want %s", name, got, want)
		}
	}
	event := func(e message.Event) func() { return func() { d.Event(e) } }
	press := func(does, arg string) func() { return func() { d.Press(does, arg) } }
	answer := func(wrong string) func() {
		return func() {
			n, _ := report(t, d).Call.Int("number")
			d.Order(message.Order{Answer: n, Wrong: wrong})
		}
	}
	step("nothing", "")
	step("a reply", `{"reply c1":"Yes"}`, event(typing("reply c1", "Yes")))
	before := len(d.Reports)
	step("the list", `{"reply c1":"Yes"}`, press("show", "resolved"), press("show", "open"))
	if len(d.Reports) != before {
		t.Errorf("what did not change was told: %v", d.Reports[before:])
	}
	step("an edit that changes nothing", `{"reply c1":"Yes"}`, press("edit", "c1"))
	step("an edit", `{"edit c1":"Need","reply c1":"Yes"}`, event(typing("edit c1", "Need")))
	step("an edit that is left", `{"reply c1":"Yes"}`, event(pressed("edit c1", "Escape")))
	step("blanks", `{}`, event(typing("reply c1", " \n")))
	step("a reply", `{"reply c1":"Yes"}`, event(typing("reply c1", "Yes")))
	step("emptied", `{}`, event(typing("reply c1", "")))
	d.Order(message.Order{At: object(t, `{"node":"ask","component":"mail"}`)})
	step("a new one", `{"new ask\tmail":"Why"}`, event(typing(key, "Why")))
	step("a new one that is left", `{"new ask\tmail":"Why"}`, event(pressed(key, "Escape")))
	wants(t, d.Region("new"), "Contact › E-mail", "unsent", "!textarea")
	step("continued", `{"new ask\tmail":"Why"}`, press("resume", key))
	if wants(t, d.Region("new"), `data-value="Why"`, "!unsent"); d.Screen.Text("focus") != "#cm-new" {
		t.Errorf("the focus is at %s", d.Screen.Text("focus"))
	}
	step("refused", `{"new ask\tmail":"Why"}`, press("send", key), answer("It is too late."))
	step("not cancelled while it is sent", `{"new ask\tmail":"Why"}`, press("send", key), press("cancel", key))
	step("sent", `{}`, answer(""))
	d.Order(message.Order{At: object(t, `{"node":"ask","component":"mail"}`)})
	step("cancelled", `{}`, event(typingAfter(1, key, "Why")), press("cancel", key))
	wants(t, d.Region("new"), "!unsent", "!textarea")

	// What is written while a text is sent is not lost.
	sent := 0
	writes := func(key, text string) func() {
		return func() {
			d.Press("send", key)
			n, _ := report(t, d).Call.Int("number")
			d.Event(typingAfter(sent, key, text))
			sent++
			d.Order(message.Order{Answer: n})
		}
	}
	step("the next reply", `{"reply c1":"And no"}`, event(typing("reply c1", "Yes ")), writes("reply c1", "Yes And no"))
	step("another reply", `{"reply c1":"Maybe"}`, writes("reply c1", "Maybe"))
	step("the same", `{}`, writes("reply c1", "Maybe\n"))

	// A field shows a text that was sent for a moment longer.
	step("sent", `{}`, event(typingAfter(sent, "reply c1", "Done")), press("send", "reply c1"), answer(""))
	step("continued too early", `{"reply c1":"So @b"}`, event(typingAfter(sent, "reply c1", "Done So @b")))
	wants(t, d.Region("list/c1"), `data-value="So @b"`, "cm-offer-0", fmt.Sprintf(`data-in="%d" data-arg="reply c1"`, sent+1))
	step("the same anew", `{"reply c1":"Done So"}`, event(typingAfter(sent+1, "reply c1", "Done So")))
	step("emptied again", `{}`, event(typingAfter(sent+1, "reply c1", "")))

	sent = 0
	step("an edit", `{"edit c1":"Need it"}`, press("edit", "c1"), event(typing("edit c1", "Need")), writes("edit c1", "Need it"))
}

// What an earlier visit left is in the fields again; what is begun anew stays, and what has no place anymore is forgotten.
func TestUnsentOfAnEarlierVisit(t *testing.T) {
	d := open(t, "")
	d.Event(typing("reply c2", "Anew"))
	d.Order(message.Order{Unsent: object(t, `{"edit c1":"Need","edit c4":"gone","edit c9":"gone","new ask\tmail":"Why","new old":"Old","reply c1":" ",
		"reply c2":"Before","reply c4":"Again","reply c9":"gone","what":1}`)})
	d.Order(message.Order{Kept: object(t, talk)})
	const want = `{"edit c1":"Need","new ask\tmail":"Why","new old":"Old","reply c2":"Anew","reply c4":"Again"}`
	if got := unsent(t, d); got != want {
		t.Errorf("kept are %s, want %s", got, want)
	}
	wants(t, d.Region("new"), `data-arg="new ask	mail" data-value="Why"`, `data-do="resume" data-arg="new old"`)
	wants(t, d.Region("list/c1"), `data-value="Need"`)
	wants(t, d.Region("gone/c2"), `data-value="Anew"`)
	d.Press("show", "resolved")
	wants(t, d.Region("list/c4"), "unsent reply")

	// An answer that arrives after the page was left is for it nevertheless, and shows nothing.
	d.Press("send", "reply c2")
	n, _ := report(t, d).Call.Int("number")
	d.Screen = nil
	d.Order(message.Order{To: message.Comments, Answer: n + 1})
	d.Order(message.Order{Page: message.Links})
	d.Order(message.Order{To: message.Comments, Answer: n})
	if got := unsent(t, d); got != `{"edit c1":"Need","new ask\tmail":"Why","new old":"Old","reply c4":"Again"}` || d.Screen != nil {
		t.Errorf("kept are %s, shown is %v", got, d.Screen)
	}
}
