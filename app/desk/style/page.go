// Package style is the page of the desk on which the CSS of a form is edited, with every component of the form beside it.
package style

import (
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/model/schema"
)

// Page is the page. Use New.
type Page struct {
	form  desk.Form
	css   string
	sheet *sheet

	tab     string // of the left side
	subject string // what the frame shows: a step's id, or one of the constants below
	faulty  bool   // the fields of the component set have errors
	theme   preview.Theme
	night   bool // the person's system prefers the dark theme
	width   string
	looks   bool   // where only one half has room, it is the frame
	shown   string // the message that the frame has
	ready   bool   // the frame takes messages
}

// The tabs of the left side.
const (
	code      = "code"
	variables = "variables"
	presetTab = "presets"
)

// everything is the subject with every kind of component.
const everything = "$all"

// Path is the property that the page edits.
var Path = schema.Path{schema.Key("style"), schema.Key("css")}

// New returns the page.
func New() *Page { return &Page{tab: code, subject: everything, width: "phone"} }

// Form implements desk.Page.
func (p *Page) Form(of desk.Form) {
	p.form = of
	p.css = of.Tree().Object("style").Text("css")
	p.sheet = parse(p.css)
	if n, _ := of.Node(p.subject); n == nil {
		p.subject = everything
	}
}

// Go implements desk.Finder.
func (p *Page) Go(t *desk.Turn, _ schema.Path) {
	p.tab, p.looks = code, false
	t.Focus("#st-css")
}

// Event implements desk.Page.
func (p *Page) Event(t *desk.Turn, e message.Event) {
	switch e.On {
	case "input":
		p.input(t, e)
	case "change":
		switch e.Do {
		case "subject":
			p.subject = e.Text
		case "faulty":
			p.faulty = e.Text == "true"
		case "theme":
			p.theme = preview.Theme(strings.TrimPrefix(e.Text, system))
		}
	case "frame":
		p.night = e.Arg == string(preview.DarkTheme)
		if f, err := preview.ParseEvent(e.Text); err == nil && f.Type == preview.Ready {
			p.ready, p.shown = true, ""
		}
	case "key":
		if e.Text == "Escape" {
			t.Focus("#view-style")
		}
	case "press":
		p.press(t, e)
	}
}

func (p *Page) input(t *desk.Turn, e message.Event) {
	switch e.Do {
	case "css":
		p.set(t, e.Text)
	case "color":
		p.set(t, withVariable(p.css, e.Arg, withColor(valueOf(p.sheet, e.Arg, p.dark()), e.Text, p.dark())))
	case "variable":
		p.set(t, withVariable(p.css, e.Arg, strings.NewReplacer(";", "", "{", "", "}", "").Replace(e.Text)))
	}
}

// set changes the CSS of the form.
func (p *Page) set(t *desk.Turn, css string) {
	if css == "" {
		t.Run(editor.Clear{Path: Path})
		return
	}
	t.Run(editor.Set{Path: Path, Value: css})
}

func (p *Page) press(t *desk.Turn, e message.Event) {
	switch e.Do {
	case "tab":
		p.tab = e.Arg
		t.Focus("#st-" + p.tab)
	case "width":
		p.width = e.Arg
	case "half":
		p.looks = e.Arg == "look"
	case "reset":
		p.set(t, withoutVariable(p.css, e.Arg))
	case "class":
		text := strings.TrimRight(p.css, "\n")
		if text != "" {
			text += "\n\n"
		}
		p.set(t, text+"."+e.Arg+" {\n  \n}\n")
		p.tab = code
		t.Focus("#st-css")
	case "preset":
		for _, of := range presets {
			if of.name == e.Arg {
				p.set(t, of.css)
				t.Say("The style is now " + of.name + ". Undo brings yours back.")
			}
		}
	}
}

// dark reports whether the frame shows the dark theme.
func (p *Page) dark() bool {
	return p.theme == preview.DarkTheme || p.theme == preview.SystemTheme && p.night
}

// length returns the number of characters of the CSS, and the most that it may have.
func (p *Page) length() (n, most int) {
	s, _ := p.form.Row(Path).Spec.(schema.String)
	return utf8.RuneCountInString(p.css), s.Max
}

// show returns the message that makes the frame show the subject, "" if it shows that already.
func (p *Page) show() string {
	if !p.ready {
		return ""
	}
	m := preview.Show{HTML: p.screen().Render(), CSS: p.css, Theme: p.theme}.Message()
	if m == p.shown {
		return ""
	}
	p.shown = m
	return m
}
