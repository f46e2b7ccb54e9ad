// Package message defines the messages between the editor's page and the worker that draws the desk. Both link it, so it is small.
package message

import (
	"errors"
	"slices"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model/schema"
)

// The pages of the desk, as the tabs name them in attributes.
const (
	Languages = "languages"
	Messages  = "messages"
	Style     = "style"
	Compare   = "compare"  // beside the canvas
	Comments  = "comments" // beside the canvas
	Links     = "links"    // beside the canvas
)

// The files that the worker makes of a form.
const (
	Picture  = "svg"
	Bitmap   = "png"
	Document = "md"
)

// Order is a message from the editor's program to the worker. Each part of it may be absent.
type Order struct {
	Page     string         // to show, "" for the one that is shown
	Go       string         // the path of the property to which the focus goes on that page, "" for none
	Form     *schema.Object // the form, before the edits
	Edits    []schema.Edit  // what has changed in it
	Ran      bool           // the answer to Report.Run: it was run or refused
	ReadOnly bool           // the form cannot be changed; of an order with a form
	Settle   bool           // asks for a report with Settled

	// Sources is the text of the records of translations that the server has; "" leaves those of the worker.
	Sources string
	// Before asks for new records, since Form was saved in its place.
	Before *schema.Object

	Choices []Choice       // the forms to compare with that are offered from now on
	Choice  *Choice        // a form to compare
	Other   *schema.Object // that form; nil while it is being read, or if Wrong says why it could not be read
	Wrong   string         // why that form could not be read

	File string // makes a file of the form, for the person to keep

	Kept   *schema.Object // what the server keeps beside the form for the page, such as comments; Wrong says why it could not be read
	At     *schema.Object // the place of a comment that the person wants to write: node, and component
	Answer int            // the number of a Call, which failed if there is a Wrong; 0 for none
	To     string         // the page that is to have the answer though it is not shown anymore
	Unsent *schema.Object // what the person once wrote on the page and did not send, by key
	Here   []string       // the subjects of the people who have the form open, whose colors are those of the canvas; nil leaves them
}

// Text returns the order as JSON.
func (o Order) Text() string {
	var t tree
	t.add("order", true)
	t.text("page", o.Page)
	t.text("go", o.Go)
	t.object("form", o.Form)
	if len(o.Edits) > 0 {
		t.add("edits", schema.EncodeEdits(o.Edits))
	}
	t.flag("ran", o.Ran)
	t.flag("readonly", o.ReadOnly)
	t.flag("settle", o.Settle)
	t.text("sources", o.Sources)
	t.object("before", o.Before)
	if o.Choices != nil {
		list := make([]any, len(o.Choices))
		for i := range o.Choices {
			list[i] = o.Choices[i].tree()
		}
		t.add("choices", list)
	}
	t.object("choice", o.Choice.tree())
	t.object("other", o.Other)
	t.text("wrong", o.Wrong)
	t.text("file", o.File)
	t.object("kept", o.Kept)
	t.object("at", o.At)
	if o.Answer > 0 {
		t.add("answer", schema.IntNumber(o.Answer))
	}
	t.text("to", o.To)
	t.object("unsent", o.Unsent)
	if o.Here != nil {
		list := make([]any, len(o.Here))
		for i, sub := range o.Here {
			list[i] = sub
		}
		t.add("here", list)
	}
	return t.encode()
}

// MaxFile is how much of a file the script reads. No page accepts a file that is so long.
const MaxFile = 16<<20 + 1

// Event is a message from the page's script to the worker: what a person does at the screen. On is its kind, the name of the DOM's event
// for most.
type Event struct {
	On    string
	Do    string // the name of the control, data-do, data-in or data-focus
	Arg   string // its data-arg
	Text  string // the value of a control, what is pasted, or the key that was pressed, as in "Shift+Tab"
	Name  string // of a file
	File  []byte // the first MaxFile bytes of a file, nil if it cannot be read; they do not go through JSON
	Shift bool   // for a press
	// Left, Top, Width and Height are the visible part of what scrolls, in CSS pixels.
	Left, Top, Width, Height int
	// Number counts the events; the screen names the last one that it shows.
	Number int
	// Caret is the position of the caret in a text with data-caret, in UTF-16 units.
	Caret int
}

// Parse parses a message to the worker, which is an order or an event.
func Parse(text string) (order *Order, event *Event, err error) {
	v, problems := schema.DecodeGrown([]byte(text))
	o, ok := v.(*schema.Object)
	if len(problems) > 0 || !ok {
		return nil, nil, errors.New("the message is not an object")
	}
	if flagged(o, "order") {
		edits, err := schema.DecodeEdits(o.List("edits"))
		order := &Order{
			Page: o.Text("page"), Go: o.Text("go"), Form: o.Object("form"), Edits: edits, Ran: flagged(o, "ran"), ReadOnly: flagged(o, "readonly"),
			Settle:  flagged(o, "settle"),
			Sources: o.Text("sources"), Before: o.Object("before"),
			Choice: choiceOf(o.Object("choice")), Other: o.Object("other"), Wrong: o.Text("wrong"), File: o.Text("file"),
			Kept: o.Object("kept"), At: o.Object("at"), To: o.Text("to"), Unsent: o.Object("unsent"),
		}
		order.Answer, _ = o.Int("answer")
		for _, v := range o.List("here") {
			sub, _ := v.(string)
			order.Here = append(order.Here, sub)
		}
		for _, v := range o.List("choices") {
			c, _ := v.(*schema.Object)
			order.Choices = append(order.Choices, *choiceOf(c))
		}
		return order, nil, err
	}
	e := &Event{On: o.Text("on"), Do: o.Text("do"), Arg: o.Text("arg"), Text: o.Text("text"), Name: o.Text("name"), Shift: flagged(o, "shift")}
	for key, to := range map[string]*int{"left": &e.Left, "top": &e.Top, "width": &e.Width, "height": &e.Height, "number": &e.Number, "caret": &e.Caret} {
		*to, _ = o.Int(key)
	}
	return nil, e, nil
}

// Report is a message from the worker to the editor's program.
type Report struct {
	Run     *editor.Change // a change of the form, to be answered by an order with Ran
	Say     string         // a message for the person
	Leave   bool           // the person goes back to the canvas
	Show    string         // a page that the person asked for
	Go      string         // the path of a property that the person wants to see on the canvas
	Sources string         // new records of translations
	Fault   string         // why the program could not be loaded; of the script that loads it
	Settled bool           // everything that the person did before Order.Settle has been done

	Read   *Choice // a form that is to be read, to compare with
	Select string  // the key of a node to select and bring into view
	Part   string  // the id of a component of that node to select
	// Call is a call about what the server keeps for the page: its number, the method, "" to read only, the id, "" for a new one, and the body. It
	// is answered by an order with Answer.
	Call  *schema.Object
	Marks *schema.Object // what differs on the canvas, see app/desk/compare
	// Unsent is all that the person has written on a page and not sent, by key.
	Unsent *schema.Object
}

// Empty reports whether there is nothing to say.
func (r Report) Empty() bool { return r == Report{} }

// Text returns the report as JSON.
func (r Report) Text() string {
	var t tree
	if c := r.Run; c != nil {
		t.add("run", schema.NewObject(schema.Member{Key: "name", Value: c.Name.Tree()}, schema.Member{Key: "key", Value: c.Key},
			schema.Member{Key: "edits", Value: schema.EncodeEdits(c.Edits)}))
	}
	t.text("say", r.Say)
	t.flag("leave", r.Leave)
	t.flag("settled", r.Settled)
	t.text("show", r.Show)
	t.text("go", r.Go)
	t.text("sources", r.Sources)
	t.text("fault", r.Fault)
	t.object("read", r.Read.tree())
	t.text("select", r.Select)
	t.text("part", r.Part)
	t.object("call", r.Call)
	t.object("marks", r.Marks)
	t.object("unsent", r.Unsent)
	return t.encode()
}

// ParseReport parses a report.
func ParseReport(text string) (Report, error) {
	v, problems := schema.DecodeGrown([]byte(text))
	o, ok := v.(*schema.Object)
	if len(problems) > 0 || !ok {
		return Report{}, errors.New("the message is not an object")
	}
	r := Report{
		Settled: flagged(o, "settled"),
		Say:     o.Text("say"), Leave: flagged(o, "leave"), Show: o.Text("show"), Go: o.Text("go"), Sources: o.Text("sources"), Fault: o.Text("fault"),
		Read: choiceOf(o.Object("read")), Select: o.Text("select"), Part: o.Text("part"), Call: o.Object("call"), Marks: o.Object("marks"),
		Unsent: o.Object("unsent"),
	}
	if run := o.Object("run"); run != nil {
		edits, err := schema.DecodeEdits(run.List("edits"))
		if err != nil {
			return Report{}, err
		}
		r.Run = &editor.Change{Name: verb.Read(run.Object("name")), Key: run.Text("key"), Edits: edits}
	}
	return r, nil
}

// tree is the members of a message under construction. Absent values are left out.
type tree []schema.Member

func (t *tree) add(key string, v any) { *t = append(*t, schema.Member{Key: key, Value: v}) }

func (t *tree) text(key, v string) {
	if v != "" {
		t.add(key, v)
	}
}

func (t *tree) flag(key string, v bool) {
	if v {
		t.add(key, v)
	}
}

func (t *tree) object(key string, v *schema.Object) {
	if v != nil {
		t.add(key, v)
	}
}

func (t *tree) encode() string { return string(schema.Encode(schema.NewObject(slices.Clone(*t)...))) }

func flagged(o *schema.Object, key string) bool {
	v, _ := o.Get(key)
	on, _ := v.(bool)
	return on
}
