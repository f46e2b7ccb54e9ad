// Package message defines the messages between the editor's page and the worker that runs the form under edit. Both sides link it, so it
// is small: a message is a JSON text of trees.
package message

import (
	"fmt"

	"github.com/formgraph/formgraph/model/schema"
)

// Action is what a command asks for.
type Action string

// The actions. Each lists the members of Command that it uses.
const (
	Load    Action = "load"    // the form was opened or edited: Form. A run continues where it stands if it still can
	Begin   Action = "begin"   // begins a run: From, Language, Context, Hidden, Vars
	Frame   Action = "frame"   // the frame sent an event: Event
	Succeed Action = "succeed" // the flow succeeds: Result
	Fail    Action = "fail"    // the flow fails: Detail
	Choose  Action = "choose"  // takes a way from a router: Port
	Wait    Action = "wait"    // lets the time of a resend button pass
	Speak   Action = "speak"   // changes the language: Language
	Theme   Action = "theme"   // changes the appearance of the form: Detail, one of "", "light" and "dark"
	Recall  Action = "recall"  // goes back to a moment, or on to a later one: Moment
	Images  Action = "images"  // shows or hides pictures of other sites: Moment is 1 or 0
	Record  Action = "record"  // begins a run as Begin does, but with the clock and the random numbers of a replay
	Keep    Action = "keep"    // returns the run as a scenario, View.Scenario: Detail is its name, "" for one that says where it leads
	Play    Action = "play"    // replays a scenario and stays where it ends: Scenario
	Travel  Action = "travel"  // takes edges from the start: Along. If no answers take them, a run begins where they lead: From
	Explain Action = "explain" // lists what we chose where the documentation is silent, View.Rules
)

// Command is a message to the worker.
type Command struct {
	Do       Action
	Form     *schema.Object
	From     string
	Language string
	Context  *schema.Object
	Hidden   *schema.Object
	Vars     *schema.Object
	Event    string
	Result   *schema.Object
	Detail   string
	Port     string
	Moment   int
	Scenario *schema.Object
	Along    []string // edges, as in data-edge
}

// Text returns the command as JSON.
func (c Command) Text() string {
	var t tree
	t.text("do", string(c.Do))
	t.object("form", c.Form)
	t.text("from", c.From)
	t.text("language", c.Language)
	t.object("context", c.Context)
	t.object("hidden", c.Hidden)
	t.object("vars", c.Vars)
	t.text("event", c.Event)
	t.object("result", c.Result)
	t.text("detail", c.Detail)
	t.text("port", c.Port)
	t.number("moment", c.Moment)
	t.object("scenario", c.Scenario)
	t.list("along", c.Along)
	return string(schema.Encode(schema.NewObject(t...)))
}

// ParseCommand parses a command. The text may be somewhat larger than a form.
func ParseCommand(text string) (Command, error) {
	o, err := object(text)
	if err != nil {
		return Command{}, err
	}
	moment, _ := o.Int("moment")
	return Command{
		Do: Action(o.Text("do")), Form: o.Object("form"), From: o.Text("from"), Language: o.Text("language"),
		Context: o.Object("context"), Hidden: o.Object("hidden"), Vars: o.Object("vars"), Event: o.Text("event"),
		Result: o.Object("result"), Detail: o.Text("detail"), Port: o.Text("port"), Moment: moment,
		Scenario: o.Object("scenario"), Along: texts(o.List("along")),
	}, nil
}

// View is what the editor's page shows after a command. It is also the answer of the worker.
type View struct {
	State     string // of the run, "" before it begins
	Node      string // where it is
	Reason    string // why it is stopped
	Language  string
	Languages []string // of the form
	Show      string   // the message for the frame, "" if it shows the right screen already
	Entries   []Entry  // the journey
	At        int      // index of the entry at which the run is
	Visited   []string // nodes
	Edges     []string // as in data-edge
	Choices   []Choice // the ways that may be taken from the router at which the run is
	Proposals []Proposal
	Hidden    []string // the keys of the hidden fields
	Fault     string   // why the command was not carried out
	Unkept    string   // why the run cannot be kept as a scenario, "" if it can
	Scenario  *schema.Object
	Answers   *schema.Object // of a run that has ended, by the ids of the fields; secrets are masked
	Rules     []Rule
	Left      bool // the person left the frame by its key
	// Differs says why a replay of Scenario takes another path than the run, "" if it does not.
	Differs string
}

// Entry is a node that the run visited.
type Entry struct {
	Node   string
	Title  string
	Lines  []string // answers, decisions and results
	Moment int      // for Recall
}

// Rule is something that we chose because the documentation of forms does not say it.
type Rule struct{ Subject, Text string }

// Choice is a way out of a router.
type Choice struct{ Port, Label string }

// Proposal is a value that the flow at which the run is may return.
type Proposal struct {
	Variable string         // its path within vars, as in user.level
	Label    string         // what a button for it says
	Result   *schema.Object // for Succeed, nil to return nothing
}

// Text returns the view as JSON.
func (v View) Text() string {
	var t tree
	t.text("state", v.State)
	t.text("node", v.Node)
	t.text("reason", v.Reason)
	t.text("language", v.Language)
	t.list("languages", v.Languages)
	t.text("show", v.Show)
	all(&t, "entries", v.Entries, func(t *tree, e Entry) {
		t.text("node", e.Node)
		t.text("title", e.Title)
		t.list("lines", e.Lines)
		t.number("moment", e.Moment)
	})
	t.number("at", v.At)
	t.list("visited", v.Visited)
	t.list("edges", v.Edges)
	all(&t, "choices", v.Choices, func(t *tree, c Choice) {
		t.text("port", c.Port)
		t.text("label", c.Label)
	})
	all(&t, "proposals", v.Proposals, func(t *tree, p Proposal) {
		t.text("variable", p.Variable)
		t.text("label", p.Label)
		t.object("result", p.Result)
	})
	t.list("hidden", v.Hidden)
	t.text("fault", v.Fault)
	t.text("unkept", v.Unkept)
	t.object("scenario", v.Scenario)
	t.object("answers", v.Answers)
	t.text("differs", v.Differs)
	if v.Left {
		t.add("left", true)
	}
	all(&t, "rules", v.Rules, func(t *tree, r Rule) {
		t.text("subject", r.Subject)
		t.text("text", r.Text)
	})
	return string(schema.Encode(schema.NewObject(t...)))
}

// ParseView parses a view.
func ParseView(text string) (View, error) {
	o, err := object(text)
	if err != nil {
		return View{}, err
	}
	at, _ := o.Int("at")
	v := View{
		State: o.Text("state"), Node: o.Text("node"), Reason: o.Text("reason"), Language: o.Text("language"),
		Languages: texts(o.List("languages")), Show: o.Text("show"), At: at, Visited: texts(o.List("visited")),
		Edges: texts(o.List("edges")), Hidden: texts(o.List("hidden")), Fault: o.Text("fault"),
		Unkept: o.Text("unkept"), Scenario: o.Object("scenario"), Answers: o.Object("answers"), Differs: o.Text("differs"), Left: flag(o, "left"),
	}
	v.Entries = each(o, "entries", func(o *schema.Object) Entry {
		moment, _ := o.Int("moment")
		return Entry{o.Text("node"), o.Text("title"), texts(o.List("lines")), moment}
	})
	v.Choices = each(o, "choices", func(o *schema.Object) Choice { return Choice{o.Text("port"), o.Text("label")} })
	v.Proposals = each(o, "proposals", func(o *schema.Object) Proposal {
		return Proposal{o.Text("variable"), o.Text("label"), o.Object("result")}
	})
	v.Rules = each(o, "rules", func(o *schema.Object) Rule { return Rule{o.Text("subject"), o.Text("text")} })
	return v, nil
}

func object(text string) (*schema.Object, error) {
	v, problems := schema.DecodeGrown([]byte(text))
	if len(problems) > 0 {
		return nil, problems
	}
	o, ok := v.(*schema.Object)
	if !ok {
		return nil, fmt.Errorf("a message must be an object, is %.20s", text)
	}
	return o, nil
}

func texts(list []any) []string {
	if len(list) == 0 {
		return nil
	}
	all := make([]string, len(list))
	for i, v := range list {
		all[i], _ = v.(string)
	}
	return all
}

// tree is an object under construction, without empty members.
type tree []schema.Member

func (t *tree) add(key string, v any) { *t = append(*t, schema.Member{Key: key, Value: v}) }

func (t *tree) text(key, s string) {
	if s != "" {
		t.add(key, schema.WellFormed(s))
	}
}

func (t *tree) object(key string, o *schema.Object) {
	if o != nil {
		t.add(key, o)
	}
}

func (t *tree) number(key string, n int) {
	if n != 0 {
		t.add(key, schema.IntNumber(n))
	}
}

func (t *tree) list(key string, list []string) {
	if len(list) == 0 {
		return
	}
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = schema.WellFormed(s)
	}
	t.add(key, all)
}
