// Package style is the page of the desk on which the CSS of a form is edited, with every component of the form beside it.
package style

import (
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
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
	width   string
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

// screen returns what the frame shows.
func (p *Page) screen() preview.Screen {
	texts := answer.In(p.form.Form)
	s := preview.Screen{Node: "style", Language: texts.Language(), Title: "Style"}
	if n, _ := p.form.Node(p.subject); n != nil {
		s.Node = n.ID
		for i := range n.Parts() {
			if c := n.Component(i); c != nil {
				s.Items = append(s.Items, p.item(model.ReadComponent(texts.Component(c))))
			}
		}
		return s
	}
	for _, c := range set() {
		s.Items = append(s.Items, p.item(c))
	}
	return s
}

func (p *Page) item(c *model.Component) preview.Item {
	it := preview.Item{Component: c}
	if p.faulty && c.Category == model.Field {
		it.Problem = (*answer.Texts)(nil).Error(answer.Required)
	}
	return it
}

// set returns a component of each kind, with the values of a new one.
var set = func() func() []*model.Component {
	var list []*model.Component
	return func() []*model.Component {
		if list != nil {
			return list
		}
		var components []any
		for i := range model.Kinds {
			k := &model.Kinds[i]
			c := model.NewComponent(k, model.SpecDialect, "c"+string(rune('a'+i%26))+string(rune('a'+i/26)))
			if k.Category == model.Field {
				c = c.With("hint", "A hint").With("required", i%2 == 0)
			}
			components = append(components, c)
		}
		f := model.FromTree(schema.NewObject(schema.Member{Key: "nodes", Value: []any{schema.NewObject(
			schema.Member{Key: "id", Value: "style"}, schema.Member{Key: "type", Value: string(model.StepNode)},
			schema.Member{Key: "config", Value: schema.NewObject(schema.Member{Key: "components", Value: components})})}}))
		for i := range components {
			list = append(list, f.Nodes[0].Component(i))
		}
		return list
	}
}()
