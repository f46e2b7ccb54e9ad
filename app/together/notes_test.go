package together_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

const noted = `{"id":"ap_1","name":"Form","start":{"hidden_fields":[{"key":"k","value":"v"}],"next_node":"a"},"nodes":[
	{"id":"a","type":"STEP","alias":"First","coordinates":{"x":0,"y":0},"config":{"components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"Mail","config":{}},
		{"id":"name","category":"FIELD","type":"TEXT","label":"Name","config":{}}],"next_node":"r"}},
	{"id":"r","type":"ROUTER","coordinates":{"x":300,"y":0},"config":{"rules":[{"id":"one","alias":"One","condition":1,"next_node":"$ending"}],"fallback":"$ending"}}],
	"ending":{"resume_flow":true}}`

const (
	mailLabel = "nodes[0].config.components[0].label"
	nameLabel = "nodes[0].config.components[1].label"
)

// pad plays a form with its notes.
type pad struct {
	*testing.T
	together.Notes

	form *model.Form
}

func newPad(t *testing.T) *pad {
	t.Helper()
	p := &pad{T: t, form: formtest.Parse(t, noted)}
	p.Begin(p.form, p.form)
	return p
}

func at(t *testing.T, path string) schema.Path {
	t.Helper()
	p, err := schema.ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// set sets a value, nil for none.
func (p *pad) set(path string, v any) *model.Form {
	p.Helper()
	f, err := p.form.Set(at(p.T, path), v)
	if v == nil {
		f, err = p.form.Clear(at(p.T, path))
	}
	if err != nil {
		p.Fatal(err)
	}
	p.form = f
	return f
}

func (p *pad) writes(path string, v any) { p.Helper(); p.Wrote(p.set(path, v)) }
func (p *pad) ben(path string, v any)    { p.Helper(); p.Took(p.set(path, v), "Ben") }
func (p *pad) edits(from, to string)     { p.Helper(); p.Wrote(p.replaced(from, to)) }
func (p *pad) remove(path, who string)   { p.Helper(); p.Took(p.set(path, nil), who) }
func (p *pad) replaced(from, to string) *model.Form {
	p.Helper()
	text := string(schema.Encode(p.form.Tree()))
	if !strings.Contains(text, from) {
		p.Fatalf("no %s in %s", from, text)
	}
	p.form = formtest.Parse(p.T, strings.Replace(text, from, to, 1))
	return p.form
}

// want checks the notes, each as the path, the person, and both values.
func (p *pad) want(notes ...string) {
	p.Helper()
	var got []string
	for _, n := range p.List() {
		text := n.Path(p.form).String() + " " + n.Who
		if n.Before != nil {
			text += " removed"
		} else {
			text += " " + string(schema.Encode(n.Mine.Tree)) + " " + string(schema.Encode(n.Theirs.Tree))
		}
		got = append(got, text)
	}
	if strings.Join(got, "\n") != strings.Join(notes, "\n") {
		p.Errorf("the notes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(notes, "\n"))
	}
}

// Whose value is replaced is told, whatever kind of value it is and wherever it stands; others are not.
func TestReplacedValues(t *testing.T) {
	for _, path := range []string{
		"name", "nodes[0].alias", mailLabel, "nodes[1].config.rules[0].alias", "start.hidden_fields[0].value", "start.next_node", "nodes[0].config.next_node",
	} {
		p := newPad(t)
		p.ben(path, "before")
		p.want()
		p.writes(path, "mine")
		p.ben(path, "r")
		p.want(path + ` Ben "mine" "r"`)
	}
	p := newPad(t)
	p.writes(mailLabel, nil)
	p.ben(mailLabel, "Theirs")
	p.want(mailLabel + ` Ben null "Theirs"`)
	p.writes(nameLabel, "Mine")
	p.ben(nameLabel, nil)
	p.want(mailLabel+` Ben null "Theirs"`, nameLabel+` Ben "Mine" null`)
}

// A note goes when its author writes again, when the value is theirs again, and when they dismiss it. It shows what the value is now.
func TestNotesGo(t *testing.T) {
	p := newPad(t)
	for _, end := range []func(){
		func() { p.writes(mailLabel, "Mine again") },
		func() { p.ben(mailLabel, "Mine") },
		func() { p.Dismiss(p.List()[0].Key()) },
	} {
		p.writes(mailLabel, "Mine")
		p.ben(mailLabel, "Theirs")
		p.Took(p.set(mailLabel, "Newer"), "Ana")
		p.want(mailLabel + ` Ana "Mine" "Newer"`)
		end()
		p.want()
	}
	p.ben(mailLabel, "Other")
	p.want() // the person has seen that it is no longer theirs
}

// A value that the person has put back as it was is not theirs, unless somebody else had replaced it meanwhile.
func TestValuesThatArePutBack(t *testing.T) {
	p := newPad(t)
	p.writes(mailLabel, "Mine")
	p.writes(mailLabel, "Mail")
	p.ben(mailLabel, "Theirs")
	p.want()
	p.writes(mailLabel, "Mail")
	p.ben(mailLabel, "Mine")
	p.want(mailLabel + ` Ben "Mail" "Mine"`)
	p = newPad(t)
	p.writes(mailLabel, "Mine")
	p.ben(mailLabel, "Theirs")
	p.writes(mailLabel, "Mail")
	p.ben(mailLabel, "Newer")
	p.want(mailLabel + ` Ben "Mail" "Newer"`)
}

// Notes follow what was moved or renamed, by whomever; places and orders are no values.
func TestNotesFollow(t *testing.T) {
	const mail, name = `{"id":"mail","category":"FIELD","type":"EMAIL","label":"Mine","config":{}}`, `{"id":"name","category":"FIELD","type":"TEXT","label":"Name","config":{}}`
	p := newPad(t)
	p.writes(mailLabel, "Mine")
	p.Took(p.replaced(mail+","+name, name+","+mail), "Ben")
	p.want()
	p.Took(p.replaced(`"id":"mail"`, `"id":"post"`), "Ben")
	p.want()
	p.ben(nameLabel, "Theirs")
	p.want(nameLabel + ` Ben "Mine" "Theirs"`)
	p.edits(`"id":"post"`, `"id":"letter"`)
	p.want(nameLabel + ` Ben "Mine" "Theirs"`)
	p.writes("nodes[0].coordinates.x", schema.IntNumber(40))
	p.ben("nodes[0].coordinates.x", schema.IntNumber(80))
	p.want(nameLabel + ` Ben "Mine" "Theirs"`)
}

// A note is found at the component wherever that is.
func TestNoteOfAComponentThatMoves(t *testing.T) {
	const mail = `{"id":"mail","category":"FIELD","type":"EMAIL","label":"Theirs","config":{}}`
	p := newPad(t)
	p.writes(mailLabel, "Mine")
	p.ben(mailLabel, "Theirs")
	p.replaced(mail+",", "")
	p.Took(p.replaced(`{"id":"r",`, `{"id":"n","type":"STEP","config":{"components":[`+mail+`],"next_node":"r"}},{"id":"r",`), "Ben")
	const now = "nodes[1].config.components[0].label"
	p.want(now + ` Ben "Mine" "Theirs"`)
	if len(p.At(p.form, at(t, now))) == 0 {
		t.Error("the component has no note")
	}
}

// Who wrote in something that is removed is told once, until it is back.
func TestRemovedWithWhatWasWritten(t *testing.T) {
	p := newPad(t)
	p.writes(mailLabel, "Mine")
	whole := p.form
	p.remove("nodes[0].config.components[1]", "Ben")
	p.want()
	p.remove("nodes[0].config.components[0]", "Ben")
	p.want("nodes[0].config.components[0] Ben removed")
	p.form = whole
	p.Took(whole, "Ben")
	p.want()
	p.writes(nameLabel, "Mine")
	p.writes("nodes[0].alias", "Mine")
	p.remove("nodes[0]", "Ben")
	p.want("nodes[0] Ben removed")
}

// What was not saved when the page was opened is the person's, and so is what is in an element that they added.
func TestUnsavedIsWritten(t *testing.T) {
	saved := formtest.Parse(t, noted)
	p := newPad(t)
	p.set(mailLabel, "Draft")
	local := p.replaced(`"next_node":"r"}}`, `"next_node":"n"}},{"id":"n","type":"STEP","alias":"New","config":{"components":[
		{"id":"new","category":"FIELD","type":"TEXT","label":"New","config":{}}],"next_node":"r"}}`)
	p.Begin(saved, local)
	p.ben(mailLabel, "Theirs")
	p.ben("nodes[1].config.components[0].label", "Theirs, too")
	p.want(mailLabel+` Ben "Draft" "Theirs"`, `nodes[1].config.components[0].label Ben "New" "Theirs, too"`)
}

// What the tenant or nobody changes is not told, and neither is what the person took from somebody else.
func TestNoAuthorNoNote(t *testing.T) {
	p := newPad(t)
	p.writes(mailLabel, "Mine")
	p.Took(p.set(mailLabel, "Tenant"), "")
	p.want()
	p.writes(nameLabel, "Mine")
	p.Settled(p.set(nameLabel, "Ben's"), at(t, nameLabel))
	p.ben(nameLabel, "Newer")
	p.want()
}

// A text that the person typed over before they can have seen it is told until they write the same or look elsewhere. Typing on does not end it.
func TestTypedOverUnseen(t *testing.T) {
	p := newPad(t)
	now := time.Now()
	path := at(t, mailLabel)
	before := p.form
	p.ben(mailLabel, "Theirs")
	p.Arrived(before, p.form, "Ben", now)
	p.TypedOver(p.form, path, now)
	p.want()
	p.writes(mailLabel, "Min")
	p.TypedOver(p.form, path, now.Add(time.Second))
	p.want(mailLabel + ` Ben null "Theirs"`)
	p.writes(mailLabel, "Mine")
	p.want(mailLabel + ` Ben null "Theirs"`)
	p.writes(mailLabel, "Theirs")
	p.want()
	p.writes(mailLabel, "Mine")
	p.TypedOver(p.form, path, now.Add(time.Minute))
	p.want()
	before = p.form
	p.ben(mailLabel, "Newer")
	p.Arrived(before, p.form, "Ben", now)
	p.writes(mailLabel, "Mine")
	p.TypedOver(p.form, path, now)
	p.Left()
	p.want()
}

// A text that the person typed over stays on the screen when what they typed is replaced: it may be nowhere else.
func TestTypedOverThenReplaced(t *testing.T) {
	p := newPad(t)
	now := time.Now()
	path := at(t, mailLabel)
	before := p.form
	p.ben(mailLabel, "Ben 1")
	p.Arrived(before, p.form, "Ben", now)
	p.writes(mailLabel, "Mine")
	p.TypedOver(p.form, path, now)
	p.ben(mailLabel, "Ben 2")
	p.want(mailLabel+` Ben null "Ben 1"`, mailLabel+` Ben "Mine" "Ben 2"`)
	if n := p.At(p.form, path); len(n) != 2 || !n[0].Over || n[1].Over || n[0].Key() == n[1].Key() {
		t.Errorf("the notes at the label are %+v", n)
	}
	p.ben(mailLabel, "Ben 3")
	p.want(mailLabel+` Ben null "Ben 1"`, mailLabel+` Ben "Mine" "Ben 3"`)
	p.Dismiss(p.List()[1].Key())
	p.want(mailLabel + ` Ben null "Ben 1"`)
	p.ben(mailLabel, "Ben 1")
	p.want() // it is back
}

// A page that only watches forgets what came more than a moment ago.
func TestArrivalsGo(t *testing.T) {
	p := newPad(t)
	now := time.Now()
	old := weak.Make(p.form)
	for i := range 10 {
		before := p.form
		p.ben(mailLabel, fmt.Sprint("Theirs ", i))
		p.Arrived(before, p.form, "Ben", now.Add(time.Duration(i)*time.Second))
	}
	runtime.GC()
	if old.Value() != nil {
		t.Error("the first form is kept")
	}
	runtime.KeepAlive(p)
}

// A value of somebody else is not new because what it belongs to has another id.
func TestRenamedIsNotTypedOver(t *testing.T) {
	p := newPad(t)
	now := time.Now()
	before := p.form
	p.Took(p.replaced(`"id":"mail"`, `"id":"email"`), "Ben")
	p.Arrived(before, p.form, "Ben", now)
	p.writes(mailLabel, "Mine")
	p.TypedOver(p.form, at(t, mailLabel), now)
	p.want()
}

// The person's own values are those that others have, that are not saved, and that somebody else changes.
func TestOwnValues(t *testing.T) {
	for _, tt := range []struct {
		name  string
		do    func(p *pad) (saved, before, after string)
		owned bool
	}{
		{"written and told", func(*pad) (string, string, string) { return "Mail", "Mine", "Theirs" }, true},
		{"cleared by somebody", func(*pad) (string, string, string) { return "Mail", "Mine", "" }, true},
		{"saved", func(*pad) (string, string, string) { return "Mine", "Mine", "Theirs" }, false},
		{"not told yet", func(*pad) (string, string, string) { return "Mail", "Mail", "Theirs" }, false},
		{"left as it is", func(*pad) (string, string, string) { return "Mail", "Mine", "Mine" }, false},
		{"settled", func(p *pad) (string, string, string) {
			p.Settled(p.form, at(p.T, mailLabel))
			return "Mail", "Mine", "Theirs"
		}, false},
	} {
		p := newPad(t)
		p.writes(mailLabel, "Mine")
		saved, before, after := tt.do(p)
		with := func(text string) *model.Form {
			if text == "" {
				return p.set(mailLabel, nil)
			}
			return p.set(mailLabel, text)
		}
		own := p.Own(with(saved), with(before), with(after))
		if (len(own) == 1 && own[0].String() == mailLabel) != tt.owned || len(own) > 1 {
			t.Errorf("%s: own are %v", tt.name, own)
		}
	}
}
