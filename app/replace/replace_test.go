package replace_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/replace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"name":"Mail form","languages":{"primary":"en"},"messages":{"custom":{"mail_hint":"No mail here"}},
"translations":{"de":{"components":{"mail":{"label":"Ihre Mail","config":{"placeholder":"mail@…"}},
	"pick":{"config":{"options":[{"value":"mail","label":"Mail"}]}}},"messages":{"custom":{"mail_hint":"Keine Mail"}}}},
"nodes":[
{"id":"mail_step","type":"STEP","alias":"Ask mail","config":{"components":[
	{"id":"mail","category":"FIELD","type":"EMAIL","label":"Your mail","hint":"Hello {{fields.mail}}, mail {{ 'mail' }}","config":{"placeholder":"mail@…","default_value":"mail@x"}},
	{"id":"rich","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p class=\"mail\">Mail &amp; post<br>Mailbox</p>"}},
	{"id":"pick","category":"FIELD","type":"DROPDOWN","label":"By","config":{"options":[{"value":"mail","label":"By mail"}]}},
	{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Send mail"}}],"next_node":"r"}},
{"id":"r","type":"ROUTER","alias":"Mail?","config":{"rules":[{"id":"mail_rule","alias":"By mail",
	"condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.pick}}","mail"]}]},"next_node":"$ending"}],"fallback":"$ending"}}],
"start":{"next_node":"mail_step"},"ending":{"resume_flow":true}}`

func edit(t *testing.T, f *model.Form) *editor.Editor {
	t.Helper()
	return editor.New(f, editor.Config{Rand: rand.IntN})
}

// What people read and authors name is replaced in all languages, in one step. Ids, values, conditions, templates, tags and addresses stay.
func TestReplaceAll(t *testing.T) {
	f := formtest.Parse(t, form)
	q := replace.Query{Text: "mail", With: "post & <co>"}
	list := q.Find(f)
	e := edit(t, f)
	c, refused, n := q.Replace(list)
	if err := e.Run(c); err != nil || len(refused) > 0 || n != len(list) {
		t.Fatalf("replaced %d of %d: %v, %v", n, len(list), err, refused)
	}
	got := string(schema.Encode(e.State().Form.Tree()))
	want := form
	for _, r := range [][2]string{
		{"Mail form", "post & <co> form"},
		{`"No mail here"`, `"No post & <co> here"`},
		{"Ihre Mail", "Ihre post & <co>"},
		{`"placeholder":"mail@…"`, `"placeholder":"post & <co>@…"`},
		{`"label":"Mail"`, `"label":"post & <co>"`},
		{"Keine Mail", "Keine post & <co>"},
		{"Ask mail", "Ask post & <co>"},
		{"Your mail", "Your post & <co>"},
		{"}}, mail {{", "}}, post & <co> {{"},
		{">Mail &amp; post<br>Mailbox<", ">post &amp; &lt;co&gt; &amp; post<br>post &amp; &lt;co&gt;box<"},
		{"By mail", "By post & <co>"},
		{"Send mail", "Send post & <co>"},
		{`"Mail?"`, `"post & <co>?"`},
	} {
		if !strings.Contains(want, r[0]) {
			t.Fatalf("the form lacks %q", r[0])
		}
		want = strings.ReplaceAll(want, r[0], r[1])
	}
	if want := string(schema.Encode(formtest.Parse(t, want).Tree())); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(e.Steps()) != 2 || e.UndoLabel() != "Replace “mail” with “post & <co>”" {
		t.Errorf("it is %d steps, the last is %q", len(e.Steps())-1, e.UndoLabel())
	}
	if e.Undo(); !schema.Equal(e.State().Form.Tree(), f.Tree()) {
		t.Error("undo leaves something")
	}
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		q    *replace.Query
		text string
		want string // the text with the occurrences in brackets
	}{
		{&replace.Query{Text: "mail"}, "Mail, e-mail, mailbox", "[Mail], e-[mail], [mail]box"},
		{&replace.Query{Text: "mail", Case: true}, "Mail, e-mail", "Mail, e-[mail]"},
		{&replace.Query{Text: "mail", Words: true}, "Mail, e-mail, mailbox, mail_1", "[Mail], e-[mail], mailbox, mail_1"},
		{&replace.Query{Text: "aa"}, "aaaaa", "[aa][aa]a"},
		{&replace.Query{Text: "ÄRGER"}, "Ärger", "[Ärger]"},
		{&replace.Query{Text: "e"}, "e\u0301 e", "e\u0301 [e]"},
		{&replace.Query{Text: "name"}, "{{fields.name}} name {{name", "{{fields.name}} [name] {{name"},
		{&replace.Query{Text: "}} x"}, "{{a}} x", "{{a}} x"},
		{&replace.Query{Text: "a & b"}, "a & b", "[a & b]"},
		{&replace.Query{Text: ""}, "a", "a"},
	} {
		f, err := formtest.Parse(t, `{"name":"x","nodes":[]}`).Set(schema.Path{schema.Key("name")}, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := marked(tt.text, tt.q.Find(f)); got != tt.want {
			t.Errorf("%+v finds %q, want %q", tt.q, got, tt.want)
		}
	}
}

func marked(text string, list []replace.Match) string {
	for _, m := range slices.Backward(list) {
		at := m.At
		text = text[:at.From] + "[" + text[at.From:at.To] + "]" + text[at.To:]
	}
	return text
}

// In markup, what people read is found, with its character references; tags, comments, scripts and styles are not.
func TestFindInMarkup(t *testing.T) {
	for text, want := range map[string]string{
		`<p title="a &amp; b">A &amp; B</p>`:                                     `<p title="a &amp; b">[A &amp; B]</p>`,
		`<style>a & b</style>a & b<script>a & b</script><!-- a & b -->a &amp; b`: `<style>a & b</style>[a & b]<script>a & b</script><!-- a & b -->[a &amp; b]`,
		`<p>a <b>&amp;</b> b</p>`:                                                `<p>a <b>&amp;</b> b</p>`,
	} {
		at := model.ComponentPath(0, 1).Key("config").Key("content")
		f, err := formtest.Parse(t, form).Set(at, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := marked(text, (&replace.Query{Text: "a & b"}).Find(f)); got != want {
			t.Errorf("finds %q, want %q", got, want)
		}
	}
}

// A text that would break its bounds, or become markup, stays and is named; all others are replaced.
func TestRefused(t *testing.T) {
	f := formtest.Parse(t, form)
	for with, why := range map[string]string{
		strings.Repeat("x", 151): "Form · Name would have 156 characters and may have 150.",
		strings.Repeat("x", 140): "", // it fits everywhere
	} {
		q := replace.Query{Text: "mail", With: with}
		list := q.Find(f)
		c, refused, n := q.Replace(list)
		e := edit(t, f)
		if err := e.Run(c); err != nil {
			t.Fatal(err)
		}
		if why == "" && (len(refused) > 0 || n != len(list)) || why != "" && (len(refused) == 0 || refused[0] != why || n == 0) {
			t.Errorf("%d refused, %d replaced: %v", len(refused), n, refused)
		}
		if left := (&replace.Query{Text: "mail"}).Find(e.State().Form); len(left)+n != len(list) {
			t.Errorf("%d are left, %d of %d were replaced", len(left), n, len(list))
		}
	}
	q := replace.Query{Text: "send mail"}
	_, refused, n := q.Replace(q.Find(f))
	if len(refused) != 1 || n != 0 || !strings.HasSuffix(refused[0], " would be empty.") {
		t.Errorf("replaced %d by nothing: %v", n, refused)
	}
}

// One occurrence is replaced alone. The next one is not in what took its place.
func TestReplaceOne(t *testing.T) {
	f := formtest.Parse(t, `{"name":"mail mail mail","nodes":[]}`)
	q := replace.Query{Text: "mail", With: "e-mail mail"}
	e := edit(t, f)
	list, at := q.Find(f), 1
	was := &list[at]
	c, _, _ := q.Replace(list[at : at+1])
	if err := e.Run(c); err != nil || e.State().Form.Name != "mail e-mail mail mail" {
		t.Fatalf("%v: %q", err, e.State().Form.Name)
	}
	list = q.Find(e.State().Form)
	if at = q.Next(list, at, was); at != 3 || list[at].At.From != len("mail e-mail mail ") {
		t.Errorf("goes on with %d of %v", at, list)
	}
	if at = q.Next(list, 3, &list[3]); at != 0 {
		t.Errorf("after the last one comes %d", at)
	}
}

// Texts that are written from right to left do not change the order of the words in the history.
func TestLabelOfTheStep(t *testing.T) {
	f := formtest.Parse(t, form)
	q := replace.Query{Text: "mail", With: "דואר"}
	e := edit(t, f)
	c, _, _ := q.Replace(q.Find(f))
	if err := e.Run(c); err != nil {
		t.Fatal(err)
	}
	if got, want := e.UndoLabel(), "Replace “mail” with “\u2068דואר\u2069”"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A line shows the text around an occurrence, as people read it.
func TestAround(t *testing.T) {
	at := model.ComponentPath(0, 1).Key("config").Key("content")
	f, err := formtest.Parse(t, form).Set(at, "<p>"+strings.Repeat("one ", 40)+"<b>two&nbsp;2</b> "+strings.Repeat("three ", 40)+"</p>")
	if err != nil {
		t.Fatal(err)
	}
	list := (&replace.Query{Text: "two"}).Find(f)
	if len(list) != 1 {
		t.Fatalf("found %v", list)
	}
	line, in := list[0].Around()
	if want := "…" + strings.Repeat("one ", 8) + "[two] 2 " + strings.Repeat("three ", 10) + "t…"; line[:in.From]+"["+line[in.From:in.To]+"]"+line[in.To:] != want {
		t.Errorf("%q has %q, want %q", line, line[in.From:in.To], want)
	}
	if where := list[0].Where; !strings.HasPrefix(where, "Ask mail › ") || !strings.HasSuffix(where, " · Content") {
		t.Errorf("it is in %q", where)
	}
}
