package run

import (
	"maps"
	"slices"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// Input is what comes with a run besides the answers.
type Input struct {
	// From is the node at which the run begins, "" or model.StartID for the start of the form.
	From      string
	Languages []string       // in the order of preference
	Context   *schema.Object // the namespace context
	Vars      *schema.Object // the first values of the namespace vars
	// Hidden has the values of hidden fields by their key, and answers by the id of the component that shows them at first.
	Hidden *schema.Object
	// Now returns the current time. If it is nil, the time is always Epoch, so that a run can be repeated.
	Now func() time.Time
	// Seed determines the random numbers and UUIDs of the run.
	Seed uint64
	// Undefined returns what the texts on the screen show for an undefined expression. If it is nil, they show nothing.
	Undefined func(expression string) string
}

// Epoch is the time in a run without a clock.
var Epoch = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// State says what a run waits for.
type State string

// The states of a run. The values are those of the attribute data-state.
const (
	Asking  State = "asking"  // a step is on the screen
	Flowing State = "flow"    // a flow runs, or the flow of a resend button
	Routing State = "router"  // a router with a condition that cannot be judged
	Ended   State = "ended"   // the ending is reached
	Stopped State = "stopped" // the run cannot continue; see Run.Reason
)

// Run is a moment of a journey: where the respondent stands, and what was collected so far. It is immutable and safe for concurrent
// use. Program.Begin returns the first moment, and Do the one after an event.
type Run struct {
	program *Program
	input   *Input
	texts   *answer.Texts
	past    past
	data    data
	at      place
	resends map[string]resend // by the id of the resend button
	now     time.Time
}

// turn is a moment that is being made, which nobody has seen yet.
type turn struct{ *Run }

// past is what led to a moment.
type past struct {
	before *Run  // the moment before the last event, nil for the first
	event  Event // nil for the first
	hops   []Hop
	events int // how many there were
	ways   int // how many hops there were
}

// data is what a run has collected. The maps and trees are shared between moments, and never changed.
type data struct {
	fields map[string]any // the namespace fields
	given  map[string]any // what the controls contain, by the id of the component
	vars   *schema.Object
}

// place is where a run is, and why.
type place struct {
	node     string // or model.StartID, or model.EndingID
	state    State
	reason   string           // why the run is stopped
	resend   string           // the button whose flow runs
	refusals []answer.Refusal // of the last attempt to leave the step
	choices  []model.Port     // the ways that may be taken from a router
	back     *stop
}

// stop is a step to which a previous button leads back.
type stop struct {
	node  string
	under *stop
}

// resend is the state of a resend button.
type resend struct {
	attempts int
	waiting  bool
}

// Hop is a way that a run took from one node to the next, or where it stopped.
type Hop struct {
	From string     // a node's id, or model.StartID
	Port model.Port // "" for the way back, and if no way was taken
	To   string     // a node's id, model.EndingID, or "" if the run stopped at From
	// Rules are the rules that a router judged, in order; nil for other nodes and after a choice.
	Rules []Decision
}

// Program returns the form that runs.
func (r *Run) Program() *Program { return r.program }

// Input returns what came with the run. The caller must not change it.
func (r *Run) Input() Input { return *r.input }

// Node returns the id of the node at which the run is, model.StartID before the first, model.EndingID after the last.
func (r *Run) Node() string { return r.at.node }

// State returns what the run waits for.
func (r *Run) State() State { return r.at.state }

// Reason says why the run is stopped, as a sentence without a period. It is "" in any other state.
func (r *Run) Reason() string { return r.at.reason }

// Refusals returns the answers that the last attempt to leave the step was refused for. The caller must not change them.
func (r *Run) Refusals() []answer.Refusal { return r.at.refusals }

// Resending returns the id of the resend button whose flow runs, "" for none.
func (r *Run) Resending() string { return r.at.resend }

// Choices returns the ways that may be taken from the router at which the run waits.
func (r *Run) Choices() []model.Port { return slices.Clone(r.at.choices) }

// Language returns the language of the run, as the form names it.
func (r *Run) Language() string { return r.texts.Language() }

// Given returns what the control of a component contains, nil if it is empty.
func (r *Run) Given(component string) any { return r.data.given[component] }

// Fields returns the namespace fields as an object, with the keys in alphabetical order.
func (r *Run) Fields() *schema.Object {
	members := make([]schema.Member, 0, len(r.data.fields))
	for _, key := range slices.Sorted(maps.Keys(r.data.fields)) {
		members = append(members, schema.Member{Key: key, Value: r.data.fields[key]})
	}
	return schema.NewObject(members...)
}

// Vars returns the namespace vars.
func (r *Run) Vars() *schema.Object { return r.data.vars }

// Before returns the moment before the last event, nil for the first moment.
func (r *Run) Before() *Run { return r.past.before }

// Event returns the event that led to the moment, nil for the first moment.
func (r *Run) Event() Event { return r.past.event }

// Hops returns the ways that the run took after its last event. The caller must not change them.
func (r *Run) Hops() []Hop { return r.past.hops }

// Moments returns all moments of the run up to r, in order.
func (r *Run) Moments() []*Run {
	moments := make([]*Run, r.past.events+1)
	for i := r.past.events; i >= 0; i-- {
		moments[i] = r
		r = r.past.before
	}
	return moments
}

// Path returns the nodes that were visited, in order, again when they were visited again. It ends with model.EndingID if the run ended.
func (r *Run) Path() []string {
	var path []string
	for _, m := range r.Moments() {
		for _, h := range m.past.hops {
			if h.To != "" {
				path = append(path, h.To)
			}
		}
	}
	return path
}
