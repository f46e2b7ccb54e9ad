// Package scenarios is the panel with the scenarios of a form: recorded journeys with the paths that they are expected to take. It replays
// them after each edit, generates the missing ones, and shows on the canvas which edges they take. The team's scenarios are kept at the
// server.
package scenarios

import (
	"fmt"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Panel is the panel. The zero value with a workspace shows nothing yet.
type Panel struct {
	*workspace.Workspace
	// Play shows the replay of a scenario in the preview, and Record begins a run there that can be kept.
	Play   func(app.Context, *schema.Object)
	Record func(app.Context)

	list     list
	shelf    shelf
	check    check
	generate worker.Job
	covering bool // the person wants the coverage on the canvas
	covered  bool // it is there
	editing  editing
	said     said
	form     *model.Form    // in which that happened
	asked    bool           // the server was asked for the scenarios
	order    map[string]int // by the name of a scenario: -1 for one that failed, which comes first
}

// check is the last replay of all scenarios.
type check struct {
	job    worker.Job
	form   *model.Form // that was replayed
	of     list
	covers bool           // the coverage is measured, too
	report message.Report // of form and of
	due    bool           // a replay waits for further edits
}

// current reports whether the last replay, or the one under way, is that of a form and scenarios, with the coverage if that is wanted.
func (c *check) current(form *model.Form, of list, covers bool) bool {
	return c.form == form && (c.covers || !covers) && len(c.of) == len(of) && (len(of) == 0 || &c.of[0] == &of[0])
}

// result returns the result of a scenario in the last replay, nil for none.
func (c *check) result(name string) *message.Result {
	for i := range c.report.Results {
		if r := &c.report.Results[i]; r.Name == name {
			return r
		}
	}
	return nil
}

// editing is the scenario whose name is edited.
type editing struct{ name, text, fault string }

// said is the last thing that happened, and the list before it if that can be undone.
type said struct {
	text   string
	before list
	undo   bool
}

// readOnly reports whether the person may not change the scenarios.
func (p *Panel) readOnly() bool { return !p.User.Can("update:forms") || !p.shelf.known }

// Shown reports whether the panel is visible.
func (p *Panel) Shown() bool { return p.Editor != nil && p.Panels.Dock == workspace.Test }

// current reports whether nothing is left to replay. While the panel is not visible, the coverage is not measured.
func (p *Panel) current() bool { return p.check.current(p.State().Form, p.list, p.Shown()) }

// Says returns what the last replay found, in a few words, as in "4 of 4", and whether it is bad. It is "" without scenarios.
func (p *Panel) Says() (text string, bad bool) {
	r := &p.check.report
	n := p.Failing()
	switch {
	case len(p.list) == 0 || r.Fault == "" && len(r.Results) == 0:
		return "", false
	case r.Fault != "":
		return "Not run", true
	case n > 0:
		return kit.Several(n, "1 differs", "%d differ"), true
	}
	return fmt.Sprintf("%d of %d", len(r.Results), len(p.list)), false
}

// Open shows the panel.
func (p *Panel) Open(ctx app.Context) {
	p.Panels.Dock = workspace.Test
	p.forget()
	if !p.shelf.known {
		p.asked = true
		p.read(ctx)
	} else {
		p.replay(ctx)
	}
	p.Redraw(ctx)
}

// Close ends all work and removes the coverage from the canvas.
func (p *Panel) Close() {
	if p == nil {
		return
	}
	p.check.job.Cancel()
	p.generate.Cancel()
	p.cover(false)
}

// How long a replay waits for further edits: while the panel is visible, and while only its result is.
const (
	rest     = 700 * time.Millisecond
	longRest = 2 * time.Second
)

// Follow reads the scenarios once there is a form, and replays them after an edit.
func (p *Panel) Follow(ctx app.Context) {
	if p.covering && p.covered != p.Shown() {
		p.cover(true) // without the panel, nothing would say what the colors mean
	}
	p.forget()
	if !p.asked {
		p.asked = true
		p.read(ctx)
	}
	if !p.shelf.known || p.check.due || p.current() || p.idle() {
		return
	}
	p.check.due = true
	form, wait := p.State().Form, longRest
	if p.Shown() {
		wait = rest
	}
	ctx.After(wait, func(ctx app.Context) {
		p.check.due = false
		if p.State().Form != form {
			p.Follow(ctx)
			return
		}
		p.replay(ctx)
	})
}

// idle reports whether a replay would show nothing.
func (p *Panel) idle() bool { return !p.Shown() && len(p.list) == 0 }

// replay replays all scenarios, unless that has been done.
func (p *Panel) replay(ctx app.Context) {
	if p.current() || p.idle() {
		return
	}
	p.check.form, p.check.of, p.check.covers = p.State().Form, p.list, p.Shown()
	do := message.Check
	if p.check.covers {
		do = message.Replay
	}
	p.check.job.Run(ctx, p.Workspace, message.Job{Do: do, Form: p.check.form.Tree(), Scenarios: p.shelf.followed(p.list, p.State().Form).text()},
		func(_ app.Context, r message.Report) {
			p.check.report = r
			p.raise()
			p.cover(p.covering)
		})
}

// forget forgets what happened once the form has been edited.
func (p *Panel) forget() {
	if form := p.State().Form; p.form != form {
		p.form, p.said = form, said{}
	}
}

// raise moves the scenarios that failed to the top of the list, unless a name is edited: its control would lose the focus.
func (p *Panel) raise() {
	if p.editing.name != "" {
		return
	}
	p.order = map[string]int{}
	for _, r := range p.check.report.Results {
		if r.Status != "ok" {
			p.order[r.Name] = -1
		}
	}
}

// cover shows or hides the coverage on the canvas. It is shown only beside the panel.
func (p *Panel) cover(on bool) {
	p.covering = on
	p.covered = on && p.Shown()
	p.Mark(func(m *canvas.Marks) {
		if m.Taken = nil; !p.covered {
			return
		}
		m.Taken = map[string]int{}
		for _, e := range p.check.report.Taken {
			m.Taken[e.Edge] = e.Times
		}
	})
}

// change replaces the list, and says what happened.
func (p *Panel) change(ctx app.Context, next list, text string) {
	p.said = said{text: text, before: p.list, undo: true}
	p.list = next
	p.save(ctx)
	p.replay(ctx)
	p.Redraw(ctx)
}

// Add adds a scenario, whose name the person can then change. warning, if not "", is why a replay takes another path.
func (p *Panel) Add(ctx app.Context, s *schema.Object, warning string) {
	if !p.shelf.known {
		p.Open(ctx)
	}
	p.Panels.Dock = workspace.Test
	next, name := p.list.with(s)
	text := fmt.Sprintf("Saved %s.", kit.Quote(name))
	if warning != "" {
		text = fmt.Sprintf("Saved %s, but a replay takes another path: %s. Record it to use the clock of replays.", kit.Quote(name), named(p.State().Form, p.Editor.Base(), warning))
	}
	p.change(ctx, next, text)
	p.rename(ctx, name)
}

// rename lets the person edit a name.
func (p *Panel) rename(ctx app.Context, name string) {
	p.editing = editing{name: name, text: name}
	ctx.Defer(func(app.Context) { kit.Focus("#" + nameControl) })
}

// nameControl is the id of the control for a name.
const nameControl = "scenario-name"

// Failing returns the number of scenarios that did not take their expected path in the last replay.
func (p *Panel) Failing() int {
	n := 0
	for i := range p.check.report.Results {
		if p.check.report.Results[i].Status != "ok" {
			n++
		}
	}
	return n
}

// Values returns the scenarios that have values to begin a run with.
func (p *Panel) Values() []*schema.Object {
	var with []*schema.Object
	for _, s := range p.shelf.followed(p.list, p.State().Form) {
		if s.Has("context") || s.Has("hidden_fields") || s.Has("vars") || s.Has("language") {
			with = append(with, s)
		}
	}
	return with
}

// Act handles a control of the panel, and reports whether it is one.
func (p *Panel) Act(ctx app.Context, name, arg string) bool {
	switch name {
	case "sc-generate":
		sent := p.list
		p.generate.Run(ctx, p.Workspace, message.Job{Do: message.Generate, Form: p.State().Form.Tree(), Scenarios: p.shelf.followed(sent, p.State().Form).text()},
			func(ctx app.Context, r message.Report) { p.takeGenerated(ctx, sent, r) })
	case "sc-cancel":
		p.generate.Cancel()
	case "sc-record":
		p.Record(ctx)
	case "sc-cover":
		p.cover(!p.covering)
	case "sc-import":
		kit.Press(FileInput)
	case "sc-export":
		kit.Download(fileName(p.State().Form.Name), p.list.text())
	case "sc-again":
		if p.shelf.known {
			p.save(ctx)
		} else {
			p.read(ctx)
		}
	case "sc-undo":
		if !p.said.undo {
			break // forgotten meanwhile
		}
		p.list, p.said = p.said.before, said{text: "Undone."}
		p.save(ctx)
		p.replay(ctx)
	default:
		return p.actOn(ctx, name, arg)
	}
	return true
}

// actOn handles a control of a scenario.
func (p *Panel) actOn(ctx app.Context, name, arg string) bool {
	i := p.list.index(arg)
	if i < 0 {
		return false
	}
	switch name {
	case "sc-play":
		p.Play(ctx, p.shelf.followed(p.list, p.State().Form)[i])
	case "sc-accept":
		if r := p.check.result(arg); r != nil {
			path := make([]any, len(r.Taken))
			for i, id := range r.Taken {
				path[i] = id
			}
			p.change(ctx, p.list.set(arg, "expect", path), fmt.Sprintf("%s expects the path that it takes.", kit.Quote(arg)))
		}
	case "sc-rename":
		p.rename(ctx, arg)
	case "sc-delete":
		p.change(ctx, p.list.without(arg), fmt.Sprintf("Deleted %s.", kit.Quote(arg)))
	default:
		return false
	}
	return true
}

// takeGenerated adds what was generated from the list that was sent to the list, which may have changed since, and says what was added.
func (p *Panel) takeGenerated(ctx app.Context, sent list, r message.Report) {
	made, err := parse(r.Scenarios)
	switch {
	case r.Fault != "":
		p.said = said{text: kit.AsSentence(r.Fault)}
	case err != nil:
		p.said = said{text: kit.Sentence(err)}
	case len(r.Added) == 0 && len(r.Removed) == 0:
		p.said = said{text: "Nothing to add: every edge that can be taken is taken."}
	default:
		texts := []string{kit.Several(len(r.Added), "Added 1 scenario.", "Added %d scenarios.")}
		for _, gone := range r.Removed {
			texts = append(texts, fmt.Sprintf("Removed %s: %s", kit.Quote(gone.Name), named(p.State().Form, p.Editor.Base(), gone.Reason)))
		}
		p.change(ctx, merge(sent, p.list, made), strings.Join(texts, " "))
	}
}

// FileInput is the selector of the file chooser for scenarios.
const FileInput = "#scenarios-file"

// Import adds the scenarios of the chosen file.
func (p *Panel) Import(ctx app.Context) {
	name, text, err := kit.ChosenFile(FileInput)
	if err == nil && name == "" {
		return
	}
	var file list
	if err == nil {
		file, err = parse(text)
	}
	if err != nil {
		p.said = said{text: fmt.Sprintf("%s was not imported: %s", name, kit.Sentence(err))}
		p.Redraw(ctx)
		return
	}
	next, added, replaced := p.list.including(file)
	p.change(ctx, next, fmt.Sprintf("Imported %s: %d new, %d replaced.", name, added, replaced))
}

// fileName returns the name of the file of a form's scenarios: formgraph test finds it beside the exported form.
func fileName(form string) string {
	return strings.TrimSuffix(transfer.FileName(form), ".json") + ".scenarios.json"
}

// Input handles a control of the panel, and reports whether it is one.
func (p *Panel) Input(id, text string) bool {
	if id != nameControl {
		return false
	}
	p.editing.text, p.editing.fault = text, ""
	return true
}

// Change ends the editing of a name, and reports whether the control belongs to the panel.
func (p *Panel) Change(ctx app.Context, id string) bool {
	if id != nameControl {
		return false
	}
	e := p.editing
	next, err := p.list.renamed(e.name, e.text)
	if err != nil {
		p.editing.fault = kit.Sentence(err)
		return true
	}
	if p.editing = (editing{}); e.name != e.text {
		p.change(ctx, next, fmt.Sprintf("Renamed %s to %s.", kit.Quote(e.name), kit.Quote(e.text)))
	}
	return true
}
