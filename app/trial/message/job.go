package message

import "github.com/formgraph/formgraph/model/schema"

// Task is what a job does.
type Task string

// The tasks. Each lists the members of Job that it uses.
const (
	Check    Task = "check"    // replays scenarios: Form, Scenarios
	Replay   Task = "replay"   // replays scenarios and measures what they cover, which takes longer: Form, Scenarios
	Generate Task = "generate" // adds scenarios until every edge that can be taken is taken: Form, Scenarios
	Compare  Task = "compare"  // finds what a change does to people: Before, Form
	Rules    Task = "rules"    // finds rules of routers that never decide, and comparisons that never hold: Form
)

// Job is a message that asks for work that takes longer than a Command. The worker answers with reports.
type Job struct {
	Do        Task
	Form      *schema.Object
	Before    *schema.Object // the form before the change
	Scenarios string         // a file of scenarios
}

// Text returns the job as JSON.
func (j Job) Text() string {
	var t tree
	t.text("task", string(j.Do))
	t.object("form", j.Form)
	t.object("before", j.Before)
	t.text("scenarios", j.Scenarios)
	return string(schema.Encode(schema.NewObject(t...)))
}

// ParseJob parses a job. ok is false for a message that is not a job, such as a Command.
func ParseJob(text string) (j Job, ok bool) {
	o, err := object(text)
	if err != nil || !o.Has("task") {
		return Job{}, false
	}
	return Job{Do: Task(o.Text("task")), Form: o.Object("form"), Before: o.Object("before"), Scenarios: o.Text("scenarios")}, true
}

// Report is what a worker says about a job: its progress, and finally its results.
type Report struct {
	Done    bool
	Percent int    // of the work that is done, while Done is false
	Fault   string // why the job failed

	// Of Check and Replay:
	Results []Result // in the order of the scenarios

	// Of Replay:
	Taken    []Taken   // the edges that can be taken
	Untaken  []Untaken // the others that have a target
	Coverage int       // percent of the edges that can be taken, rounded down

	// Of Generate:
	Scenarios string    // the canonical file with the new scenarios
	Added     []string  // their names
	Removed   []Removed // scenarios that name what the form does not have

	// Of Compare:
	Differences []Difference
	Limited     bool // there may be more differences

	// Of Rules:
	Flaws []Flaw
}

// Flaw is something wrong with a rule or a comparison of a router.
type Flaw struct {
	Path    string // of the rule or the comparison
	Text    string // what is wrong, a sentence
	Example string // a sentence with values that show it, "" for none
	// Moves reports whether moving the rule before that with the index Before helps, and Removes whether it can be removed.
	Moves, Removes bool
	Before         int
}

// Result is the result of a scenario.
type Result struct {
	Name     string
	Status   string // ok, differs or fault
	Expected []string
	Taken    []string
	Reason   string
}

// Taken is an edge, as in data-edge, with the number of scenarios that take it.
type Taken struct {
	Edge  string
	Times int
}

// Untaken is an edge, as in data-edge, that no scenario takes.
type Untaken struct {
	Edge   string
	Never  bool // no run can take it
	Reason string
}

// Removed is a scenario that was removed, and why.
type Removed struct{ Name, Reason string }

// Difference is something that people experience differently.
type Difference struct {
	Kind     string // as in formgraph diff --behaviour --json
	Node     string
	Text     string
	Story    []string // what a person does to see it
	Scenario *schema.Object
}

// Text returns the report as JSON.
func (r Report) Text() string {
	var t tree
	if r.Done {
		t.add("done", true)
	}
	t.number("percent", r.Percent)
	t.text("fault", r.Fault)
	all(&t, "results", r.Results, func(t *tree, of Result) {
		t.text("name", of.Name)
		t.text("status", of.Status)
		t.list("expected", of.Expected)
		t.list("taken", of.Taken)
		t.text("reason", of.Reason)
	})
	all(&t, "taken", r.Taken, func(t *tree, of Taken) {
		t.text("edge", of.Edge)
		t.number("times", of.Times)
	})
	all(&t, "untaken", r.Untaken, func(t *tree, of Untaken) {
		t.text("edge", of.Edge)
		if of.Never {
			t.add("never", true)
		}
		t.text("reason", of.Reason)
	})
	t.number("coverage", r.Coverage)
	t.text("scenarios", r.Scenarios)
	t.list("added", r.Added)
	all(&t, "removed", r.Removed, func(t *tree, of Removed) {
		t.text("name", of.Name)
		t.text("reason", of.Reason)
	})
	all(&t, "differences", r.Differences, func(t *tree, of Difference) {
		t.text("kind", of.Kind)
		t.text("node", of.Node)
		t.text("text", of.Text)
		t.list("story", of.Story)
		t.object("scenario", of.Scenario)
	})
	if r.Limited {
		t.add("limited", true)
	}
	all(&t, "flaws", r.Flaws, func(t *tree, of Flaw) {
		t.text("path", of.Path)
		t.text("text", of.Text)
		t.text("example", of.Example)
		if of.Moves {
			t.add("moves", true)
		}
		if of.Removes {
			t.add("removes", true)
		}
		t.number("before", of.Before)
	})
	return string(schema.Encode(schema.NewObject(t...)))
}

// ParseReport parses a report.
func ParseReport(text string) (Report, error) {
	o, err := object(text)
	if err != nil {
		return Report{}, err
	}
	r := Report{Done: flag(o, "done"), Fault: o.Text("fault"), Scenarios: o.Text("scenarios"), Added: texts(o.List("added")), Limited: flag(o, "limited")}
	r.Percent, _ = o.Int("percent")
	r.Coverage, _ = o.Int("coverage")
	r.Results = each(o, "results", func(o *schema.Object) Result {
		return Result{o.Text("name"), o.Text("status"), texts(o.List("expected")), texts(o.List("taken")), o.Text("reason")}
	})
	r.Taken = each(o, "taken", func(o *schema.Object) Taken {
		times, _ := o.Int("times")
		return Taken{o.Text("edge"), times}
	})
	r.Untaken = each(o, "untaken", func(o *schema.Object) Untaken { return Untaken{o.Text("edge"), flag(o, "never"), o.Text("reason")} })
	r.Removed = each(o, "removed", func(o *schema.Object) Removed { return Removed{o.Text("name"), o.Text("reason")} })
	r.Differences = each(o, "differences", func(o *schema.Object) Difference {
		return Difference{o.Text("kind"), o.Text("node"), o.Text("text"), texts(o.List("story")), o.Object("scenario")}
	})
	r.Flaws = each(o, "flaws", func(o *schema.Object) Flaw {
		before, _ := o.Int("before")
		return Flaw{o.Text("path"), o.Text("text"), o.Text("example"), flag(o, "moves"), flag(o, "removes"), before}
	})
	return r, nil
}

// all adds a list of objects, unless it is empty.
func all[T any](t *tree, key string, list []T, add func(*tree, T)) {
	if len(list) == 0 {
		return
	}
	objects := make([]any, len(list))
	for i, of := range list {
		var t tree
		add(&t, of)
		objects[i] = schema.NewObject(t...)
	}
	t.add(key, objects)
}

// each reads a list of objects.
func each[T any](o *schema.Object, key string, read func(*schema.Object) T) []T {
	all := objects(o.List(key))
	if len(all) == 0 {
		return nil
	}
	list := make([]T, len(all))
	for i, of := range all {
		list[i] = read(of)
	}
	return list
}

// objects returns the objects of a list. What is not an object is nil.
func objects(list []any) []*schema.Object {
	all := make([]*schema.Object, len(list))
	for i, v := range list {
		all[i], _ = v.(*schema.Object)
	}
	return all
}

func flag(o *schema.Object, key string) bool {
	v, _ := o.Get(key)
	on, _ := v.(bool)
	return on
}
