package desk

import (
	"cmp"
	"fmt"

	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Page is a screen of the desk.
type Page interface {
	// Form says that the form is now another one.
	Form(of Form)
	// Event handles what a person does.
	Event(t *Turn, e message.Event)
	// Draw writes the regions that the page consists of.
	Draw(s *Screen)
}

// Form is a form and what the page needs to know beside it.
type Form struct {
	*model.Form
	ReadOnly bool
}

// Finder is a page that can show a property of the form.
type Finder interface {
	Page
	// Go moves the focus to the control of the property at a path.
	Go(t *Turn, path schema.Path)
}

// Comparer is a page that compares the form with another one.
type Comparer interface {
	Page
	// Open says that the page is shown from now on.
	Open()
	// Compare says what is compared with, or what is offered for it.
	Compare(t *Turn, o *message.Order)
	// Marks returns what the canvas marks, the same object while that does not change.
	Marks() *schema.Object
}

// Talker is a page about what the server keeps beside the form, such as comments.
type Talker interface {
	Page
	// Told says what the server keeps, where the person wants to write a comment, or what became of a call.
	Told(t *Turn, o *message.Order)
}

// Writer is a page on which people write what is kept until it is sent.
type Writer interface {
	Talker
	// Unsent returns what is written and not sent, by key, the same object while that does not change.
	Unsent() *schema.Object
}

// Maker makes a file of a form, for orders with File.
type Maker func(f *model.Form, kind string) (name, mime, text string)

// Session is the desk of one form. It is not safe for concurrent use.
type Session struct {
	pages map[string]Page
	name  string // of the page that is shown, "" for none
	form  Form
	// sources makes the new text of the records of translations.
	sources func(before, after *model.Form, text string) (string, error)
	make    Maker
	queue   []message.Event // while a change is under way, and at most one is: each is computed from the form after the last
	running bool
	settle  bool // a report is due when nothing waits
	screen  Screen
	focus   string         // of a turn whose change is under way
	marks   *schema.Object // that the editor's program has
	unsent  *schema.Object // that the editor's program has
}

// New returns a desk with pages by name. records returns the new text of the records of translations after a form was saved in place of
// another, and files makes files of the form.
func New(pages map[string]Page, records func(before, after *model.Form, text string) (string, error), files Maker) *Session {
	return &Session{pages: pages, sources: records, make: files}
}

// Take handles a message, with the bytes of a file that it brings. It returns what the editor's program is told, "" for nothing, and what the page's script is to show, "" for what it
// shows.
func (s *Session) Take(text string, file []byte) (report, screen string) {
	order, event, err := message.Parse(text)
	t := &Turn{session: s}
	switch {
	case err != nil:
		t.Say("The message could not be read: " + err.Error() + ".")
	case order != nil:
		s.settle = s.settle || order.Settle
		s.order(t, order)
	default:
		event.File = file
		s.queue = append(s.queue, *event)
	}
	for !s.running && len(s.queue) > 0 {
		e := s.queue[0]
		s.queue = s.queue[1:]
		if p := s.pages[s.name]; p != nil && s.form.Form != nil {
			p.Event(t, e)
		}
		s.screen.number = max(s.screen.number, e.Number)
	}
	if t.report.Run != nil {
		s.running = true
	}
	if s.settle && !s.running {
		s.settle, t.report.Settled = false, true
	}
	p := s.pages[s.name]
	if c, ok := p.(Comparer); ok {
		if m := c.Marks(); m != s.marks {
			s.marks, t.report.Marks = m, m
		}
	}
	if w, ok := s.pages[message.Comments].(Writer); ok {
		if u := w.Unsent(); u != s.unsent {
			s.unsent, t.report.Unsent = u, u
		}
	}
	if !t.report.Empty() {
		report = t.report.Text()
	}
	switch {
	case order != nil && order.To != "":
	case s.running:
		s.focus = cmp.Or(t.focus, s.focus)
	case p != nil && s.form.Form != nil:
		t.focus, s.focus = cmp.Or(t.focus, s.focus), ""
		screen = s.screen.text(p, t)
	case t.file != nil:
		screen = s.screen.text(nothing{}, t)
	}
	return report, screen
}

func (s *Session) order(t *Turn, o *message.Order) {
	if o.Before != nil {
		text, err := s.sources(model.FromTree(o.Before), model.FromTree(o.Form), o.Sources)
		if err != nil {
			t.Say(err.Error())
		}
		t.report.Sources = text
		return
	}
	if talker, ok := s.pages[o.To].(Talker); ok {
		talker.Told(t, o)
		return
	}
	if o.Form != nil {
		s.form = Form{model.FromTree(o.Form), o.ReadOnly}
	}
	if len(o.Edits) > 0 {
		state, err := editor.Change{Edits: o.Edits}.Do(editor.State{Form: s.form.Form})
		if err != nil {
			t.Say(fmt.Sprintf("The form could not be followed: %v. Close and open the page.", err))
			return
		}
		s.form.Form = state.Form
	}
	if o.Ran {
		s.running = false
	}
	if o.Page != "" {
		s.name, s.marks = o.Page, nil
		s.screen.reset()
	}
	if o.File != "" && s.form.Form != nil {
		t.Download(s.make(s.form.Form, o.File))
	}
	p := s.pages[s.name]
	if p == nil {
		return
	}
	if keeper, ok := p.(interface{ Sources(text string) error }); ok && o.Sources != "" {
		if err := keeper.Sources(o.Sources); err != nil {
			t.Say("The records of translations are damaged, so nothing is marked as stale: " + err.Error() + ".")
		}
	}
	if s.form.Form != nil {
		p.Form(s.form)
	}
	if talker, ok := p.(Talker); ok {
		talker.Told(t, o)
	}
	if finder, ok := p.(Finder); ok && o.Go != "" && s.form.Form != nil {
		if path, err := schema.ParsePath(o.Go); err == nil {
			finder.Go(t, path)
		}
	}
	c, compares := p.(Comparer)
	if compares && o.Page != "" {
		c.Open()
	}
	if compares && (o.Choice != nil || o.Choices != nil) {
		c.Compare(t, o)
	}
}

// nothing is the page while none is shown.
type nothing struct{}

func (nothing) Form(Form)                  {}
func (nothing) Event(*Turn, message.Event) {}
func (nothing) Draw(*Screen)               {}

// Turn collects what handling a message leads to.
type Turn struct {
	session *Session
	report  message.Report
	focus   string
	clip    *string
	file    *schema.Object
}

// Run changes the form by a command. Only the first one of a turn is run.
func (t *Turn) Run(c editor.Command) {
	if t.report.Run != nil || t.session.form.ReadOnly {
		return
	}
	change, err := editor.ChangeOf(c, editor.State{Form: t.session.form.Form})
	switch {
	case err != nil:
		t.Say(sentence(err))
	case len(change.Edits) > 0:
		t.report.Run, t.session.running = &change, true
	}
}

// Say shows a message to the person.
func (t *Turn) Say(text string) { t.report.Say = text }

// Leave goes back to the canvas.
func (t *Turn) Leave() { t.report.Leave = true }

// Show asks for another page.
func (t *Turn) Show(page string) { t.report.Show = page }

// Go shows a property of the form on the canvas.
func (t *Turn) Go(path schema.Path) { t.report.Go = path.String() }

// Read asks for the form of a choice, to compare with.
func (t *Turn) Read(c message.Choice) { t.report.Read = &c }

// Select selects a node on the canvas, and brings it into view.
func (t *Turn) Select(key string) { t.report.Select = key }

// SelectPart selects a component of a node, and brings the node into view.
func (t *Turn) SelectPart(key, component string) { t.report.Select, t.report.Part = key, component }

// Call makes a call about what the server keeps, see message.Report. Only the last one of a turn is made.
func (t *Turn) Call(c *schema.Object) { t.report.Call = c }

// Sources stores new records of translations.
func (t *Turn) Sources(text string) { t.report.Sources = text }

// Focus moves the focus to the element that a selector of CSS names, once it is shown.
func (t *Turn) Focus(selector string) { t.focus = selector }

// Clip sets what a copy of the selected cells copies, "" for what the browser copies.
func (t *Turn) Clip(text string) { t.clip = &text }

// Download gives the person a file.
func (t *Turn) Download(name, kind, text string) {
	t.file = schema.NewObject(schema.Member{Key: "name", Value: name}, schema.Member{Key: "type", Value: kind}, schema.Member{Key: "text", Value: text})
}

// sentence returns an error as a sentence.
func sentence(err error) string {
	text := []rune(err.Error())
	if len(text) > 0 && text[0] >= 'a' && text[0] <= 'z' {
		text[0] += 'A' - 'a'
	}
	return string(text) + "."
}
