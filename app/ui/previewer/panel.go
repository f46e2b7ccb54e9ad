// Package previewer is the panel in which a person tries the form under edit. A worker runs the form, and a sandboxed frame shows it; the
// panel passes messages between the two and draws the journey.
package previewer

import (
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Panel is the preview. The zero value with a workspace is closed.
type Panel struct {
	*workspace.Workspace
	// Kept receives a run that the person keeps as a scenario, and why a replay of it takes another path, "" if it does not.
	Kept func(ctx app.Context, scenario *schema.Object, differs string)
	// Values returns the scenarios whose values a run can begin with.
	Values func() []*schema.Object

	open  bool
	warm  bool // the worker has the form, and the frame is loaded
	look  look
	run   running
	given given
}

// look is how the form is shown.
type look struct {
	size  string // phone, tablet or desktop
	theme string // light, dark or system
	full  bool   // in the whole window
	side  bool   // with what the person enters beside the form
	image bool   // with images from other sites
	rules bool   // with what we chose
	trail bool   // with the journey below the line that says where the run is
}

// running is the connection to the worker and what it said last.
type running struct {
	worker *worker.Worker // nil without one
	stop   func()         // ends the listening to the frame
	view   message.View
	form   *model.Form // that the worker has
	due    bool        // an edit waits to be sent
	shown  string      // the node that the canvas brought into view
	// recording is whether the run was begun to be kept.
	recording bool
	enter     bool             // the focus goes to the next screen
	rules     []message.Rule   // what we chose, nil until it is asked for
	reply     *message.Command // of a flow that takes its time
}

// given is what the person enters beside the form.
type given struct {
	from     string // the node at which runs begin, "" for the start
	language string
	hidden   map[string]string // texts, by the key of the hidden field
	context  *set
	vars     *set
	result   *set              // of the flow
	delay    string            // seconds until the flow replies
	faults   map[string]string // by the name of the control
}

// Names of the controls.
const (
	contextControl = "context"
	varsControl    = "vars"
	resultControl  = "result"
	delayControl   = "delay"
	hiddenControl  = "hidden:" // and the key
)

// New returns the closed panel of a workspace.
func New(w *workspace.Workspace) *Panel {
	p := &Panel{Workspace: w, given: given{context: &set{}, vars: &set{}, result: &set{}, hidden: map[string]string{}, faults: map[string]string{}}}
	p.Kept = func(app.Context, *schema.Object, string) {}
	p.Values = func() []*schema.Object { return nil }
	p.look.size, p.look.theme, p.look.side = sizes[0].name, system, kit.Recall("preview-values") == "true"
	if size := kit.Recall("preview-size"); sizeOf(size) != nil {
		p.look.size = size
	}
	return p
}

// Opened reports whether the panel is open.
func (p *Panel) Opened() bool { return p != nil && p.open }

// Open shows the panel and begins a run at a node, or at the start of the form for "".
func (p *Panel) Open(ctx app.Context, from string) {
	if p.Editor == nil {
		return
	}
	p.show(ctx)
	p.given.from = from
	p.begin(message.Begin)
}

// Warm prepares for Open when somebody is about to press the button: it starts the worker, which gets the form, and loads the frame.
func (p *Panel) Warm(ctx app.Context) {
	if p.Editor == nil || p.warm {
		return
	}
	p.prepare(ctx)
	p.Redraw(ctx)
}

func (p *Panel) prepare(ctx app.Context) {
	p.warm = true
	if p.run.worker == nil {
		p.start(ctx)
	}
	if p.run.form != p.State().Form {
		p.load()
	}
}

// show shows the panel, with a worker that has the form.
func (p *Panel) show(ctx app.Context) {
	p.prepare(ctx)
	if !p.open && p.Canvas != nil {
		p.Canvas.Hold()
	}
	p.open, p.run.enter, p.look.trail = true, true, false
	if p.Panels.Dock != workspace.Test { // which has the journey, too
		p.Panels.Dock = workspace.Journey
	}
	p.Redraw(ctx)
}

// Record begins a run at the start of the form that a replay repeats exactly.
func (p *Panel) Record(ctx app.Context) {
	p.show(ctx)
	p.given.from = ""
	p.begin(message.Record)
}

// Play shows the replay of a scenario.
func (p *Panel) Play(ctx app.Context, scenario *schema.Object) {
	p.show(ctx)
	p.given.from, p.run.recording = "", false
	p.post(message.Command{Do: message.Play, Scenario: scenario})
}

// Travel plays a journey along edges, named as in data-edge, or begins a run at the node where they lead.
func (p *Panel) Travel(ctx app.Context, node string, edges []string) {
	p.show(ctx)
	p.given.from, p.run.recording = "", false
	p.post(message.Command{Do: message.Travel, From: node, Along: edges, Language: p.given.language})
}

// Close hides the panel. The worker and the frame stay, so that the panel opens at once the next time.
func (p *Panel) Close() {
	if p == nil {
		return
	}
	if p.run.view.State == "" {
		p.release() // it may never have begun to work
	}
	closes := p.open
	p.open, p.run.view, p.run.shown, p.run.reply, p.run.recording = false, message.View{}, "", nil, false
	if p.Panels.Dock == workspace.Journey {
		p.Panels.Dock = ""
	}
	p.Mark(func(m *canvas.Marks) { m.Visited, m.Edges, m.Current = nil, nil, "" })
	if closes && p.Canvas != nil {
		p.Canvas.Release()
	}
}

// around returns the nodes to keep in view during a run: the one where it is, the one before that, and those to which it may go.
func around(f *model.Form, v *message.View) []string {
	ids := []string{v.Node}
	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if v.At > 0 && v.At < len(v.Entries) {
		add(v.Entries[v.At-1].Node)
	} else {
		add(model.StartID)
	}
	if _, i := f.Node(v.Node); i >= 0 {
		for _, o := range f.Outs(i) {
			add(string(o.To))
		}
	}
	return ids
}

// LeaveFull goes back from the full window to the panel, and reports whether the preview had the full window.
func (p *Panel) LeaveFull() bool {
	full := p.Opened() && p.look.full
	p.look.full = p.look.full && !full
	return full
}

// End closes the panel and ends the worker.
func (p *Panel) End() {
	if p == nil {
		return
	}
	p.Close()
	p.release()
}

func (p *Panel) release() {
	if p.run.stop != nil {
		p.run.stop()
	}
	p.run.worker.End()
	p.run, p.warm = running{}, false
}

// start starts the worker and listens to the frame.
func (p *Panel) start(ctx app.Context) {
	p.run.worker = worker.Start(ctx, p.Workspace, worker.Trial, p.take, func(ctx app.Context) {
		p.release()
		p.run.view.Fault = "The preview could not be loaded. Check the connection, then open it again."
		p.Redraw(ctx)
	})
	p.run.stop = kit.Listen("message", func(e app.Value) {
		frame := kit.Element("#preview-frame")
		if !frame.Truthy() || !e.Get("source").Equal(frame.Get("contentWindow")) || e.Get("data").Type() != app.TypeString {
			return
		}
		p.post(message.Command{Do: message.Frame, Event: e.Get("data").String()})
	})
}

func (p *Panel) post(c message.Command) { p.run.worker.Post(c.Text()) }

// load sends the form as it is now.
func (p *Panel) load() {
	p.run.form = p.State().Form
	p.post(message.Command{Do: message.Load, Form: p.run.form.Tree()})
}

// editDelay is how long the panel waits for further edits.
const editDelay = 200 * time.Millisecond

// Follow sends the form to the worker after it was edited.
func (p *Panel) Follow(ctx app.Context) {
	if !p.Opened() || p.run.due || p.run.form == p.State().Form {
		return
	}
	p.run.due = true
	ctx.After(editDelay, func(ctx app.Context) {
		p.run.due = false
		if p.Opened() && p.run.worker != nil {
			p.load()
		}
	})
}

// begin begins a run with what the person entered: do is message.Begin or message.Record.
func (p *Panel) begin(do message.Action) {
	p.run.recording, p.run.reply = do == message.Record, nil
	c := message.Command{Do: do, From: p.given.from, Language: p.given.language}
	c.Context, c.Vars = p.object(contextControl), p.object(varsControl)
	for _, key := range p.run.view.Hidden {
		if text := p.given.hidden[key]; text != "" {
			if c.Hidden == nil {
				c.Hidden = schema.NewObject()
			}
			c.Hidden = c.Hidden.With(key, schema.WellFormed(text))
		}
	}
	p.post(c)
}

// take shows what the worker answered.
func (p *Panel) take(ctx app.Context, text string) {
	v, err := message.ParseView(text)
	if err != nil {
		v = message.View{Fault: err.Error()}
	}
	if !p.open || v.State == "" && v.Fault == "" && len(v.Languages) == 0 {
		return // it is ready
	}
	if v.Fault != "" && v.State == "" {
		v.State, v.Node = p.run.view.State, p.run.view.Node
	}
	if v.Rules != nil {
		p.run.rules = v.Rules
	}
	if v.State != "flow" || v.Node != p.run.view.Node {
		p.run.reply = nil
	}
	p.lead(ctx, v)
	p.run.view = v
	if v.Show != "" {
		p.send(ctx, v.Show)
	}
	if v.Scenario != nil {
		p.run.recording = false
		p.Kept(ctx, v.Scenario, v.Differs)
	}
	p.Mark(func(m *canvas.Marks) { m.Visited, m.Edges, m.Current = v.Visited, v.Edges, v.Node })
	if p.Canvas != nil && v.Node != p.run.shown {
		p.Canvas.FitPath(around(p.State().Form, &v))
	}
	p.run.shown = v.Node
	p.Redraw(ctx)
	ctx.Defer(func(app.Context) { kit.ScrollTo(`.dock .journey [aria-current="true"]`) })
}

// onCard selects the main button of the card that is shown while no screen is.
const onCard = ".pv-card .primary, .pv-card:not(:has(.primary)) button"

// lead moves the focus with the run, unless the person is elsewhere on the page: to the frame with a screen, or to the card.
func (p *Panel) lead(ctx app.Context, v message.View) {
	if v.Left {
		if p.LeaveFull() {
			kit.FocusSoon(ctx, kit.Control("pv-full", ""), 0)
		} else {
			kit.Focus("#canvas")
		}
		return
	}
	if v.State == "" || !p.run.enter && (!p.inside() || v.State == p.run.view.State) {
		return
	}
	p.run.enter = false
	to := onCard
	if v.State == "asking" || v.State == "ended" {
		to = "#preview-frame"
	}
	ctx.Defer(func(app.Context) { kit.Focus(to) })
}

// inside reports whether the focus is in the frame or on the card.
func (p *Panel) inside() bool { return kit.Element(".pv-stage:focus-within").Truthy() }

// send sends a screen to the frame, at once or as soon as the frame is there.
func (p *Panel) send(ctx app.Context, screen string) {
	post := func() bool {
		frame := kit.Element("#preview-frame")
		if frame.Truthy() {
			frame.Get("contentWindow").Call("postMessage", screen, "*")
		}
		return frame.Truthy()
	}
	if !post() {
		ctx.Defer(func(app.Context) { post() })
	}
}
