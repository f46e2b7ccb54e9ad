package together

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
)

const shared = `{"id":"ap_1","name":"Contact","nodes":[
	{"id":"a","type":"STEP","alias":"First","config":{"components":[{"id":"mail","category":"FIELD","type":"EMAIL","label":"Mail","config":{}}]}},{"id":"b","type":"STEP","alias":"Second","config":{"components":[]}}]}`

// savedForm is the saved form of a page.
type savedForm struct{ took, refreshed int }

func (s *savedForm) ETag() string        { return "1" }
func (s *savedForm) Refresh(app.Context) { s.refreshed++ }
func (s *savedForm) Took()               { s.took++ }

// server answers a page and remembers what it shows.
type server struct {
	room   together.Local
	shown  []string
	events []*schema.Object
	taken  string // the name of a page that belongs to somebody else
	tries  int    // the requests under that name
}

func (s *server) answer(t *testing.T) uitest.Server {
	t.Helper()
	return func(r client.Request) (client.Response, error) {
		v, _ := schema.Decode(r.Body)
		body, _ := v.(*schema.Object)
		if s.taken != "" && r.Header["X-Tab"] == s.taken {
			if s.tries++; s.tries == 100 {
				t.Errorf("the page keeps the name %q", s.taken)
				s.taken = "" // so that the page comes to rest
			}
			return uitest.Answer(409, `{"code":"page_taken"}`), nil
		}
		if strings.HasSuffix(r.Path, "/presence") {
			s.shown = append(s.shown, string(r.Body))
			return uitest.Answer(204, ""), nil
		}
		q := together.Request{Want: together.Read, Number: -1}
		switch {
		case body.Object("saved") != nil:
			q = together.Request{Want: together.Open, Room: body.Text("instead"), Saved: model.FromTree(body.Object("saved")), ETag: body.Text("etag")}
		case body != nil:
			e, err := live.ReadEntry(body.Object("entry"))
			if err != nil {
				t.Error(err)
			}
			q = together.Request{Want: together.Tell, Room: body.Text("room"), Entry: e}
		case strings.Contains(r.Path, "?"):
			q.Room = "R-1"
			q.Number, _ = strconv.Atoi(r.Path[strings.LastIndex(r.Path, "=")+1:])
		}
		part, event, ok := s.room.Answer(q)
		if !ok {
			return uitest.Answer(400, `{"code":"invalid_body"}`), nil
		}
		if event != nil {
			s.events = append(s.events, event)
		}
		return uitest.Answer(200, string(schema.Encode(part.Tree()))), nil
	}
}

// newPanel returns the panel of a page with another person at a node.
func newPanel(t *testing.T, s *server) (*Panel, *uitest.Canvas) {
	t.Helper()
	w, canvas := uitest.Workspace(t, shared)
	w.Client = client.New(s.answer(t))
	w.Client.Tab, w.User.Sub, w.User.Name = "me", "me", "Me"
	s.room.Page = "R"
	p := New(w)
	p.Saved = &savedForm{}
	w.Redraw = func(ctx app.Context) { ctx.Dispatch(p.Follow) }
	p.Redrawn = w.Redraw
	return p, canvas
}

func event(t *testing.T, kind, data string) client.FormEvent {
	t.Helper()
	e, ok := client.ReadEvent(kind, data)
	if !ok {
		t.Fatal(data)
	}
	return e
}

// bob lets Bob set a text, and returns the event about it.
func (s *server) bob(t *testing.T, path, text string) client.FormEvent {
	t.Helper()
	at, err := schema.ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	_, n := s.room.Head()
	_, told, _ := s.room.Answer(together.Request{Want: together.Tell, Room: "R-1", Entry: live.Entry{
		Number: n + 1, Page: "bob", Serial: n + 1, Name: "Bob", Edits: []schema.Edit{{Path: at, Value: text}},
	}})
	if told == nil {
		t.Fatal("Bob's entry is not accepted")
	}
	return event(t, client.Edit, string(schema.Encode(told)))
}

const bob = `{"page":"bob","sub":"bob","name":"Bob","shows":{"edits":true,"node":"a","field":"a  alias"}}`

// alias sets the alias of a node as typing does.
func (p *Panel) alias(t *testing.T, node int, text string) {
	t.Helper()
	path := model.NodePath(node).Key("alias")
	p.Typing = path.String()
	if err := p.Editor.Run(editor.Set{Path: path, Value: text}); err != nil {
		t.Fatal(err)
	}
}

func (p *Panel) drawn(path schema.Path) string {
	text := ""
	for _, ui := range p.Beside(path) {
		text += app.HTMLString(ui)
	}
	return text
}

// A page shows who is here and where, tells its edits, and takes those of others.
func TestTwoPeople(t *testing.T) {
	s := &server{}
	p, _ := newPanel(t, s)
	first := model.NodePath(0).Key("alias")
	uitest.Play(t, func(ctx app.Context) {
		if p.Heard(ctx, event(t, client.Hello, `{"people":[`+bob+`]}`)) {
			t.Error("the saver does not hear of the beginning")
		}
	}, func(ctx app.Context) {
		if html := app.HTMLString(p.Draw("")); !strings.Contains(html, "Bob is here") || !strings.Contains(html, `data-initials="B"`) {
			t.Errorf("the bar has %s", html)
		}
		if html := p.drawn(first); !strings.Contains(html, "Bob is typing here") {
			t.Errorf("beside the alias: %s", html)
		}
		if _, items := p.Items(Menu); len(items) != 2 || items[1].Name != "Bob" || items[1].Hint != "Typing in First" {
			t.Errorf("people %+v", items)
		}
		p.Editor.Select(editor.SelectNodes("b"))
		p.alias(t, 1, "Mine")
		p.Follow(ctx)
	}, func(ctx app.Context) {
		if _, n := s.room.Head(); n != 1 || p.Room.ID() != "R-1" {
			t.Errorf("%d entries are told in room %q", n, p.Room.ID())
		}
		if len(s.shown) == 0 || !strings.Contains(s.shown[len(s.shown)-1], `"field":"b  alias"`) {
			t.Errorf("it shows %q", s.shown)
		}
		p.Heard(ctx, s.bob(t, "nodes[0].alias", "Bob's"))
	}, func(ctx app.Context) {
		if got := p.Editor.State().Form.Nodes[0].Alias; got != "Bob's" {
			t.Errorf("the alias is %q", got)
		}
		if p.Saved.(*savedForm).took == 0 {
			t.Error("the saver takes it for an edit of this page")
		}
		// What the person types over it at once is told.
		p.alias(t, 0, "Over it")
		p.Follow(ctx)
	}, func(ctx app.Context) {
		if html := p.drawn(first); !strings.Contains(html, "Bob changed this to “Bob&#39;s”. Yours replaced it.") {
			t.Errorf("beside the alias: %s", html)
		}
		p.Act(ctx, BringAct, p.diff.notes.At(p.Editor.State().Form, first)[0].Key())
		if got := p.Editor.State().Form.Nodes[0].Alias; got != "Bob's" {
			t.Errorf("brought back: %q", got)
		}
		p.Heard(ctx, event(t, client.Presence, `{"page":"bob","left":true}`))
		if html := app.HTMLString(p.Draw("")); !strings.Contains(html, `hidden="true"`) && !strings.Contains(html, "hidden") {
			t.Errorf("after Bob has left: %s", html)
		}
	})
}

// forked lets the person and Bob give the first node an alias while the person is offline, and plays what follows when they are back.
func (s *server) forked(t *testing.T, p *Panel, then ...func(app.Context)) {
	t.Helper()
	uitest.Play(t, append([]func(app.Context){func(ctx app.Context) {
		p.Heard(ctx, event(t, client.Hello, `{"people":[`+bob+`]}`))
		p.alias(t, 1, "Mine")
		p.Follow(ctx)
	}, func(ctx app.Context) {
		p.Room.Unlinked()
		p.alias(t, 0, "From here")
		p.Follow(ctx)
		s.bob(t, model.NodePath(0).Key("alias").String(), "From Bob")
		p.Heard(ctx, event(t, client.Hello, `{"people":[`+bob+`],"room":"R-1","number":2}`))
	}}, then...)...)
}

// A person keeps their value just when somebody else has changed theirs once more: they are told, and can take it.
func TestKeptOverSomethingNew(t *testing.T) {
	s := &server{}
	p, canvas := newPanel(t, s)
	first := model.NodePath(0).Key("alias")
	s.forked(t, p, func(ctx app.Context) {
		p.Follow(ctx)
		if last := canvas.Calls[len(canvas.Calls)-1]; last != "Mark  Bob at a forks map[a:true]" {
			t.Errorf("the canvas is told %q", canvas.Calls)
		}
		if html := p.drawn(first); strings.Contains(html, "replaced") || !strings.Contains(html, "Keep mine") {
			t.Errorf("beside the alias that both changed: %s", html)
		}
		p.Heard(ctx, s.bob(t, first.String(), "Newer"))
		p.Act(ctx, KeepAct, first.String())
		p.Follow(ctx)
		if last := canvas.Calls[len(canvas.Calls)-1]; last != "Mark  Bob at a" {
			t.Errorf("after the decision, the canvas is told %q", canvas.Calls)
		}
		if html := p.drawn(first); !strings.Contains(html, "Bob changed this to “Newer”") {
			t.Errorf("beside the alias: %s", html)
		}
		p.Act(ctx, BringAct, p.diff.notes.At(p.Editor.State().Form, first)[0].Key())
		if got := p.Editor.State().Form.Nodes[0].Alias; got != "Newer" {
			t.Errorf("brought back: %q", got)
		}
	})
}

// What the person wrote and nobody has saved stays when somebody else writes over it, and theirs is offered.
func TestUnsavedStays(t *testing.T) {
	s := &server{}
	p, _ := newPanel(t, s)
	first := model.NodePath(0).Key("alias")
	uitest.Play(t, func(ctx app.Context) {
		p.Heard(ctx, event(t, client.Hello, `{"people":[`+bob+`]}`))
		p.alias(t, 0, "Mine")
		p.Follow(ctx)
	}, func(ctx app.Context) {
		p.Heard(ctx, s.bob(t, first.String(), "Bob's"))
	}, func(ctx app.Context) {
		html := p.drawn(first)
		if got := p.Editor.State().Form.Nodes[0].Alias; got != "Mine" || !strings.Contains(html, "Keep mine") || !strings.Contains(html, "Take theirs") {
			t.Errorf("the alias is %q, beside it %s", got, html)
		}
		p.Act(ctx, TakeAct, first.String())
		p.Follow(ctx)
		if got := p.Editor.State().Form.Nodes[0].Alias; got != "Bob's" || strings.Contains(p.drawn(first), "Take theirs") {
			t.Errorf("once theirs is taken, the alias is %q, beside it %s", got, p.drawn(first))
		}
		p.Heard(ctx, s.bob(t, first.String(), "Bob's again"))
	}, func(app.Context) {
		if got := p.Editor.State().Form.Nodes[0].Alias; got != "Bob's again" {
			t.Errorf("what the person has given up holds: %q", got)
		}
	})
}

// Whose saved value is overwritten is told below the control and in a list, and can take it back.
func TestReplacedIsTold(t *testing.T) {
	s := &server{}
	p, _ := newPanel(t, s)
	first, key := model.NodePath(0).Key("alias"), ""
	uitest.Play(t, func(ctx app.Context) {
		p.Heard(ctx, event(t, client.Hello, `{"people":[`+bob+`]}`))
		p.alias(t, 0, "Mine")
		p.Follow(ctx)
	}, func(ctx app.Context) {
		p.Typing = ""
		p.Editor.Saved(p.Editor.State().Form)
		p.Heard(ctx, s.bob(t, first.String(), "Bob's"))
		p.Heard(ctx, s.bob(t, "nodes[1].alias", "Not mine"))
	}, func(ctx app.Context) {
		html := p.drawn(first)
		for _, text := range []string{"Bob changed this to “Bob&#39;s”. Yours was “Mine”.", `title="Mine"`, "Use mine", "Dismiss"} {
			if !strings.Contains(html, text) {
				t.Errorf("the note lacks %q: %s", text, html)
			}
		}
		if html := p.drawn(model.NodePath(1).Key("alias")); strings.Contains(html, "changed this") {
			t.Errorf("a text that the person did not write: %s", html)
		}
		if text := p.Toast.Text(); text != "" {
			t.Errorf("the page says %q", text)
		}
		if bar := app.HTMLString(p.Draw("")); !strings.Contains(bar, "1 of yours replaced") {
			t.Errorf("the bar has %s", bar)
		}
		_, items := p.Items(NotesMenu)
		if len(items) != 3 || !strings.Contains(items[0].Name, "Bob's") || items[0].Hint != "Bob changed this to “Bob's”" {
			t.Fatalf("the list has %+v", items)
		}
		key = items[0].Arg
		p.Act(ctx, MineAct, key)
	}, func(ctx app.Context) {
		if got := p.Editor.State().Form.Nodes[0].Alias; got != "Mine" || strings.Contains(p.drawn(first), "changed") {
			t.Errorf("the alias is %q, beside it %s", got, p.drawn(first))
		}
		part, _, _ := s.room.Answer(together.Request{Want: together.Read, Number: -1})
		if got := model.FromTree(part.Form).Nodes[0].Alias; got != "Mine" {
			t.Errorf("others have %q", got)
		}
		p.Editor.Saved(p.Editor.State().Form)
		p.Heard(ctx, s.bob(t, first.String(), "Again"))
		p.Act(ctx, DismissAct, key)
		if html := p.drawn(first); strings.Contains(html, "changed this") {
			t.Errorf("dismissed: %s", html)
		}
	})
}

// What somebody saves while the page is in no room is told in the same way; what the tenant changes is not.
func TestReplacedFromOutsideIsTold(t *testing.T) {
	p, _ := newPanel(t, &server{})
	first := model.NodePath(0).Key("alias")
	uitest.Play(t, func(ctx app.Context) {
		p.Follow(ctx)
		set := func(text string) func() {
			return func() {
				f := p.Editor.State().Form
				g, err := f.Set(first, text)
				if err != nil {
					t.Fatal(err)
				}
				p.Editor.TakeOthers(f, g, g, nil)
			}
		}
		for who, want := range map[string]string{"Ben": "Ben changed this", "You": "The other window changed this", "": ""} {
			p.alias(t, 0, "Mine")
			p.Outside(who, set("Other"))
			if html := p.drawn(first); !strings.Contains(html, want) || want == "" && strings.Contains(html, "changed this") {
				t.Errorf("%q: beside the alias %s", who, html)
			}
		}
		p.alias(t, 0, "Just typed")
		f := p.Editor.State().Form
		g, err := f.Set(schema.Path{schema.Key("name")}, "Bob")
		if err != nil {
			t.Fatal(err)
		}
		p.take(ctx, live.Step{Before: f, After: g, Local: g})
		p.Outside("Ben", set("Ben's"))
		if html := p.drawn(first); !strings.Contains(html, "Ben changed this") {
			t.Errorf("what was just typed is replaced, beside the alias %s", html)
		}
		set("Loaded")()
		p.Editor = editor.New(p.Editor.State().Form, editor.Config{Now: time.Now})
		p.Follow(ctx)
		p.Outside("Ben", set("Ben's"))
		if html := p.drawn(first); strings.Contains(html, "changed this") {
			t.Errorf("the form was loaded anew, beside the alias %s", html)
		}
	})
}

// A value that both changed stands at its control until the person decides.
func TestForkIsDecided(t *testing.T) {
	for _, take := range []bool{false, true} {
		s := &server{}
		p, _ := newPanel(t, s)
		first := model.NodePath(0).Key("alias")
		s.forked(t, p, func(ctx app.Context) {
			html := p.drawn(first)
			for _, text := range []string{"Changed by both", "You and Bob both changed this", "<mark>here</mark>", "<mark>Bob</mark>", "Keep mine", "Take theirs"} {
				if !strings.Contains(html, text) {
					t.Errorf("the fork lacks %q: %s", text, html)
				}
			}
			if bar := app.HTMLString(p.Draw("")); !strings.Contains(bar, "1 conflict") {
				t.Errorf("the bar has %s", bar)
			}
			if got := p.Editor.State().Form.Nodes[0].Alias; got != "From here" {
				t.Errorf("the alias is %q", got)
			}
			act := map[bool]string{false: KeepAct, true: TakeAct}[take]
			p.Act(ctx, act, first.String())
		}, func(app.Context) {
			want := map[bool]string{false: "From here", true: "From Bob"}[take]
			if got := p.Editor.State().Form.Nodes[0].Alias; got != want || p.drawn(first) != "" && strings.Contains(p.drawn(first), "Changed by both") {
				t.Errorf("take %v: the alias is %q, beside it %s", take, got, p.drawn(first))
			}
			part, _, _ := s.room.Answer(together.Request{Want: together.Read, Number: -1})
			if got := model.FromTree(part.Form).Nodes[0].Alias; got != want {
				t.Errorf("take %v: others have %q", take, got)
			}
		}, func(ctx app.Context) {
			p.Heard(ctx, s.bob(t, first.String(), "Newer"))
			if html := p.drawn(first); strings.Contains(html, "changed this") == take {
				t.Errorf("take %v: Bob changes it again, beside it %s", take, html)
			}
		})
	}
}

// Another window of the same person is not called another person.
func TestOwnWindowIsNobodyElse(t *testing.T) {
	s := &server{}
	p, _ := newPanel(t, s)
	first := model.NodePath(0).Key("alias")
	s.forked(t, p, func(app.Context) {
		p.User.Name, p.User.Sub = "Bob", "bob"
		html := p.drawn(first)
		for _, text := range []string{"You changed this in two windows", "The other window", "Keep mine", "Take the other"} {
			if !strings.Contains(html, text) {
				t.Errorf("the fork lacks %q: %s", text, html)
			}
		}
		bar := app.HTMLString(p.Draw(Menu))
		if strings.Contains(bar, `data-initials`) || !strings.Contains(bar, "1 other window is here") || !strings.Contains(bar, "#i-"+ownIcon) {
			t.Errorf("the bar has %s", bar)
		}
		_, items := p.Items(Menu)
		if it := items[1]; it.Name != "You, in another window" || it.Icon != ownIcon || it.Face != "" {
			t.Errorf("the menu has %+v", it)
		}
	})
}

// What others do waits while a gesture is under way.
func TestGesturesAreNotDisturbed(t *testing.T) {
	s := &server{}
	p, canvas := newPanel(t, s)
	uitest.Play(t, func(ctx app.Context) {
		p.Heard(ctx, event(t, client.Hello, `{"people":[`+bob+`]}`))
		p.alias(t, 1, "Mine")
		p.Follow(ctx)
	}, func(ctx app.Context) {
		canvas.Gesture = true
		p.Heard(ctx, s.bob(t, "name", "Bob"))
	}, func(ctx app.Context) {
		if got := p.Editor.State().Form.Name; got != "Contact" {
			t.Errorf("during a gesture the name is %q", got)
		}
		canvas.Gesture = false
		p.Follow(ctx)
		if got := p.Editor.State().Form.Name; got != "Bob" {
			t.Errorf("after it the name is %q", got)
		}
	})
}

// The button of those who are here names people, and counts the person's own windows.
func TestPresenceInWords(t *testing.T) {
	p, _ := newPanel(t, &server{})
	for of, want := range map[string]string{
		"me": "1 other window is here", "me me": "2 other windows are here", "Ann": "Ann is here", "me Ann Ann": "Ann is here",
		"Ann Ben": "Ann and Ben are here", "Ann Ben Cem": "3 others are here", "דנה Ben": "\u2068דנה\u2069 and Ben are here",
	} {
		var list []together.Person
		for sub := range strings.FieldsSeq(of) {
			list = append(list, together.Person{Sub: sub, Name: sub})
		}
		if got := p.people.presence(list); got != want {
			t.Errorf("%s: %q, want %q", of, got, want)
		}
	}
}

// A page shows where its mouse is, as long as others are here, and shows those of the others without drawing the page or the graph again.
func TestMice(t *testing.T) {
	s := &server{}
	p, canvas := newPanel(t, s)
	const there = `{"page":"bob","sub":"bob","name":"Bob","shows":{"edits":true,"node":"a","at":{"x":12,"y":-7}}}`
	drawn := 0
	uitest.Play(t, func(ctx app.Context) {
		canvas.Mouse = &model.Point{X: 5, Y: 6}
		p.Pointed(ctx)
	}, func(ctx app.Context) {
		if len(s.shown) > 0 {
			t.Errorf("alone, the page shows %s", s.shown)
		}
		p.Heard(ctx, event(t, client.Hello, `{"people":[`+there+`,`+strings.ReplaceAll(there, "bob", "me")+`]}`))
	}, func(ctx app.Context) {
		canvas.Mouse.X = 80
		p.Pointed(ctx)
		p.Pointed(ctx)
	}, func(ctx app.Context) {
		if n := len(s.shown); n == 0 || !strings.Contains(s.shown[n-1], `"at":{"x":80,"y":6}`) {
			t.Errorf("the page shows %s", s.shown)
		}
		canvas.Mouse = nil
		p.Pointed(ctx)
	}, func(ctx app.Context) {
		if n := len(s.shown); strings.Contains(s.shown[n-1], `"at"`) {
			t.Errorf("the mouse has left, and the page shows %s", s.shown[n-1])
		}
		if len(canvas.Pointers) != 1 || canvas.Pointers[0].At != (model.Point{X: 12, Y: -7}) || canvas.Pointers[0].Names != "Bob" || canvas.Pointers[0].Node != "a" {
			t.Errorf("the mice are %+v", canvas.Pointers)
		}
		canvas.Calls = nil
		p.Redrawn = func(app.Context) { drawn++ }
		p.Heard(ctx, event(t, client.Presence, strings.Replace(there, "12", "13", 1)))
	}, func(ctx app.Context) {
		if canvas.Pointers[0].At.X != 13 || drawn > 0 || len(canvas.Calls) > 0 {
			t.Errorf("the mice are %+v, the page is drawn %d times, calls are %q", canvas.Pointers, drawn, canvas.Calls)
		}
		p.Heard(ctx, event(t, client.Presence, `{"page":"bob","left":true}`))
		if len(canvas.Pointers) != 0 {
			t.Errorf("the mice that are left are %+v", canvas.Pointers)
		}
	})
}

// The list of people says what each does, and shows what a person has selected. Somebody with nothing selected looks at the form.
func TestWhoIsHere(t *testing.T) {
	for _, tt := range []struct{ shows, hint string }{
		{`"edits":true,"node":"a","field":"a  alias"`, "Typing in First"},
		{`"edits":true,"field":"name"`, "Typing in the whole form"},
		{`"edits":true,"node":"a"`, "Looking at First"},
		{`"edits":true`, "Looking at the whole form"},
		{`"edits":true,"node":"a","component":"none"`, "Looking at First"},
		{`"edits":true,"node":"a","component":"mail"`, "Looking at Mail in First"},
		{`"node":"a"`, "Looking at First, view only"},
		{`"asks":true,"node":"a"`, "Asks to edit"},
	} {
		p, _ := newPanel(t, &server{})
		uitest.Play(t, func(ctx app.Context) {
			p.Heard(ctx, event(t, client.Hello, `{"people":[{"page":"bob","sub":"bob","name":"Bob","shows":{`+tt.shows+`}}]}`))
			p.Editor.Select(editor.SelectNodes("b"))
			_, items := p.Items(Menu)
			if len(items) != 2 || items[1].Hint != tt.hint || items[1].Disabled {
				t.Fatalf("%s: %+v, want %q", tt.shows, items, tt.hint)
			}
			p.Act(ctx, items[1].Act, items[1].Arg)
			want := editor.Selection{}
			if strings.Contains(tt.shows, `"node"`) {
				want = editor.SelectNodes("a")
			}
			if got := p.Editor.State().Selection; !got.Equal(want) {
				t.Errorf("%s: it goes to %+v", tt.shows, got)
			}
		})
	}
}

// Who is at a node is marked there from the beginning, and again when a stream begins after a loss.
func TestPeopleAreMarkedFromTheBeginning(t *testing.T) {
	p, canvas := newPanel(t, &server{})
	here := func(ctx app.Context) {
		p.Heard(ctx, event(t, client.Hello, `{"people":[`+bob+`]}`))
		if last := canvas.Calls[len(canvas.Calls)-1]; last != "Mark  Bob at a" {
			t.Errorf("the canvas is told %q", canvas.Calls)
		}
	}
	uitest.Play(t, here, func(ctx app.Context) {
		p.Lost(ctx)
		if last := canvas.Calls[len(canvas.Calls)-1]; last != "Mark " {
			t.Errorf("after a loss, the canvas is told %q", canvas.Calls)
		}
	}, here)
}

// A page whose name belongs to somebody else takes another one by itself, opens its stream again, and tells what it had to tell.
func TestNameThatIsTaken(t *testing.T) {
	s := &server{}
	p, _ := newPanel(t, s)
	reopened := 0
	p.Renamed = func(app.Context) { reopened++ }
	uitest.Play(t, func(ctx app.Context) {
		p.Heard(ctx, event(t, client.Hello, `{"people":[`+bob+`]}`))
		p.alias(t, 0, "Mine")
		s.taken = "me"
		p.Follow(ctx)
	}, func(ctx app.Context) {
		if p.Client.Tab == "me" || p.Client.Tab == "" || p.Room.Page != p.Client.Tab || reopened != 1 {
			t.Errorf("the page is %q, in its room %q, and was opened %d times again", p.Client.Tab, p.Room.Page, reopened)
		}
		p.Heard(ctx, event(t, client.Hello, `{"people":[`+bob+`]}`))
		p.Follow(ctx)
	}, func(ctx app.Context) {
		p.Follow(ctx)
	}, func(app.Context) {
		if room, _ := s.room.Head(); room == "" || p.Room.ID() != room {
			t.Errorf("the page is in the room %q of %q", p.Room.ID(), room)
		}
	})
	if got := p.Editor.State().Form.Nodes[0].Alias; got != "Mine" || reopened != 1 {
		t.Errorf("the page has %q, and was opened %d times again", got, reopened)
	}
}
