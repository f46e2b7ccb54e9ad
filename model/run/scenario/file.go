package scenario

import (
	"fmt"

	"github.com/formgraph/formgraph/model/schema"
)

// Version is the version of the file format.
const Version = 1

// File is a file of scenarios.
type File struct{ Scenarios []Scenario }

// Scenario is a journey and its expected path. Trees are nil where the file has none.
type Scenario struct {
	Name     string
	Language string
	Context  *schema.Object
	Hidden   *schema.Object
	Vars     *schema.Object
	Steps    []Step
	Expect   []string // nil if the file has none
	// Faults are why the scenario cannot be replayed. Their paths begin at the file's root.
	Faults schema.Problems
}

// Step is what happens at a node.
type Step struct {
	Node    string
	Answers *schema.Object // by the id of the component; null empties it
	Press   string         // the id of a button
	Result  *schema.Object // of a flow
	Error   *string        // of a flow
	Choose  string         // the port of a router
}

// name is any text with a character in it.
var name = schema.String{Min: 1, Max: 255}

var stepTable = schema.Table{
	{Name: "node", Spec: name, Required: true, Doc: "The node at which the run is expected to be."},
	{
		Name: "answers", Spec: schema.Map{Value: schema.Any{}},
		Doc: "At a step, what its controls contain, by the id of the component. Other controls keep their content; null empties one.",
	},
	{Name: "press", Spec: name, Doc: "At a step, the id of the button to press."},
	{Name: "result", Spec: schema.Map{Value: schema.Any{}}, Doc: "At a flow, or after a resend button, the variables that the flow returns."},
	{Name: "error", Spec: schema.String{}, Doc: "At a flow, or after a resend button, why the flow fails."},
	{
		Name: "choose", Spec: name,
		Doc: "At a router with a condition that cannot be evaluated, the way to take: rule:ID or fallback.",
	},
}

var scenarioTable = schema.Table{
	{Name: "name", Spec: name, Required: true, Doc: "Unique in the file."},
	{Name: "language", Spec: schema.String{Min: 1}, Doc: "The language of the respondent."},
	{Name: "context", Spec: schema.Map{Value: schema.Any{}}, Doc: "The values of {{context...}}."},
	{Name: "hidden_fields", Spec: schema.Map{Value: schema.Any{}}, Doc: "Values of hidden fields, by their key, and answers given in advance."},
	{Name: "vars", Spec: schema.Map{Value: schema.Any{}}, Doc: "The values of {{vars...}} at the start."},
	{Name: "steps", Spec: schema.List{Item: stepTable}, Required: true, Doc: "What the respondent and the flows do, in order."},
	{
		Name: "expect", Spec: schema.List{Item: name}, Required: true,
		Doc: "The nodes in the order in which they are visited, and again when they are visited again. It ends with $ending, or with the node " +
			"where the run stops.",
	},
}

var fileTable = schema.Table{
	{Name: "version", Spec: schema.Numeric{Min: "1", Max: "1", Integer: true}, Required: true, Doc: "The version of the format, 1."},
	{
		Name: scenariosKey, Spec: schema.List{Item: scenarioTable}, Required: true,
		Doc: "In the order in which they are replayed and reported.",
	},
}

// Read reads a file of scenarios. A fault inside a scenario belongs to it, and the others are read. The problems are those of the
// file as a whole, and have offsets; after one with the code syntax, limit or type, or about the version, there is no file.
func Read(src []byte) (*File, schema.Problems) {
	tree, problems := schema.Decode(src)
	if tree == nil && len(problems) > 0 {
		return nil, problems
	}
	problems = append(problems, schema.Check(fileTable, tree)...)
	o, _ := tree.(*schema.Object)
	list := o.List(scenariosKey)
	problems = append(problems, twice(list)...)
	schema.Locate(src, problems)
	f := &File{Scenarios: make([]Scenario, len(list))}
	for i, v := range list {
		s, _ := v.(*schema.Object)
		f.Scenarios[i] = read(s)
	}
	var whole schema.Problems
	usable := true
	for _, p := range problems {
		if i := indexOf(p.Path); i >= 0 && i < len(list) {
			f.Scenarios[i].Faults = append(f.Scenarios[i].Faults, p)
			continue
		}
		whole = append(whole, p)
		usable = usable && (p.Code == schema.CodeUnknown || p.Code == schema.CodeDuplicateKey)
	}
	if !usable {
		return nil, whole
	}
	return f, whole
}

// indexOf returns the index of the scenario to which a path leads, -1 for none.
func indexOf(p schema.Path) int {
	if len(p) < 2 || p[0].Key != scenariosKey {
		return -1
	}
	return p[1].Index
}

// scenariosKey is the property of a file with its scenarios.
const scenariosKey = "scenarios"

// twice returns the problems of names that are taken, and of steps with more than one event.
func twice(list []any) schema.Problems {
	var problems schema.Problems
	add := func(p schema.Path, code schema.Code, detail string) {
		problems = append(problems, schema.Problem{Path: p, Code: code, Detail: detail, Offset: -1})
	}
	taken := map[string]bool{}
	for i, v := range list {
		o, _ := v.(*schema.Object)
		path := schema.Path{schema.Key(scenariosKey), schema.Index(i)}
		if n := o.Text("name"); n != "" {
			if taken[n] {
				add(path.Key("name"), schema.CodeDuplicateID, fmt.Sprintf("must be unique, but an earlier scenario is also called %q", n))
			}
			taken[n] = true
		}
		for j, v := range o.List("steps") {
			o, _ := v.(*schema.Object)
			events := 0
			for _, key := range []string{"press", "result", "error", "choose"} {
				if o.Has(key) {
					events++
				}
			}
			switch at := path.Key("steps").Index(j); {
			case events > 1:
				add(at, schema.CodeOneOf, "must have only one of press, result, error and choose")
			case o.Has("answers") && (o.Has("result") || o.Has("error") || o.Has("choose")):
				add(at.Key("answers"), schema.CodeOneOf, "must not be beside result, error or choose")
			}
		}
	}
	return problems
}

func read(o *schema.Object) Scenario {
	s := Scenario{
		Name: o.Text("name"), Language: o.Text("language"),
		Context: o.Object("context"), Hidden: o.Object("hidden_fields"), Vars: o.Object("vars"),
	}
	for _, v := range o.List("steps") {
		o, _ := v.(*schema.Object)
		step := Step{
			Node: o.Text("node"), Answers: o.Object("answers"), Press: o.Text("press"), Result: o.Object("result"), Choose: o.Text("choose"),
		}
		if detail, ok := o.Get("error"); ok {
			text, _ := detail.(string)
			step.Error = &text
		}
		s.Steps = append(s.Steps, step)
	}
	if o.Has("expect") {
		s.Expect = []string{}
	}
	for _, v := range o.List("expect") {
		node, _ := v.(string)
		s.Expect = append(s.Expect, node)
	}
	return s
}

// Canonical returns the canonical text of a file of scenarios, as envelope.Canonical does for forms.
func Canonical(src []byte) ([]byte, schema.Problems) {
	tree, problems := schema.Decode(src)
	if len(problems) > 0 {
		return nil, problems
	}
	return schema.Indented(schema.Arrange(fileTable, tree))
}

// Is reports whether a document is a file of scenarios: it has scenarios and neither nodes nor a form.
func Is(src []byte) bool {
	tree, _ := schema.Decode(src)
	o, _ := tree.(*schema.Object)
	return o.Has(scenariosKey) && !o.Has("nodes") && !o.Has("form")
}

// Text returns the canonical text of the file. It returns an error for a file that would be too long to read.
func (f *File) Text() ([]byte, error) {
	list := make([]any, len(f.Scenarios))
	for i := range f.Scenarios {
		list[i] = f.Scenarios[i].Tree()
	}
	text, problems := schema.Indented(schema.Arrange(fileTable, schema.NewObject(
		schema.Member{Key: "version", Value: schema.IntNumber(Version)}, schema.Member{Key: scenariosKey, Value: list})))
	if len(problems) > 0 {
		return nil, problems
	}
	return text, nil
}

// Tree returns the JSON value of the scenario.
func (s *Scenario) Tree() *schema.Object {
	var o tree
	o.add("name", s.Name)
	o.text("language", s.Language)
	o.object("context", s.Context)
	o.object("hidden_fields", s.Hidden)
	o.object("vars", s.Vars)
	steps := make([]any, len(s.Steps))
	for i, step := range s.Steps {
		steps[i] = step.tree()
	}
	o.add("steps", steps)
	if s.Expect != nil {
		expect := make([]any, len(s.Expect))
		for i, node := range s.Expect {
			expect[i] = node
		}
		o.add("expect", expect)
	}
	return schema.NewObject(o...)
}

func (s Step) tree() *schema.Object {
	var o tree
	o.add("node", s.Node)
	o.object("answers", s.Answers)
	o.text("press", s.Press)
	o.object("result", s.Result)
	if s.Error != nil {
		o.add("error", *s.Error)
	}
	o.text("choose", s.Choose)
	return schema.NewObject(o...)
}

// tree is an object under construction. Empty texts and absent objects are omitted.
type tree []schema.Member

func (t *tree) add(key string, v any) { *t = append(*t, schema.Member{Key: key, Value: v}) }

func (t *tree) text(key, s string) {
	if s != "" {
		t.add(key, s)
	}
}

func (t *tree) object(key string, o *schema.Object) {
	if o != nil {
		t.add(key, o)
	}
}
