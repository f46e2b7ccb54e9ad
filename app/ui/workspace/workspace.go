// Package workspace contains the state that the parts of the editor's page share: the form, its canvas, open panels and dialogs, and
// messages.
package workspace

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Workspace is a form that is open on a page. Like all state of a page, it is used only on the page's
// goroutine.
type Workspace struct {
	kit.Life

	ID     string // id of the form
	Remote bool   // the form belongs to a tenant that is not ours
	Client *client.Client
	User   client.User
	Editor *editor.Editor // nil until the form is loaded
	Canvas canvas.View    // nil until the form is drawn
	Flows  []formapi.Flow // flows of the tenant, nil until they are known

	Style editor.Style // the style that was copied last

	Panels Panels
	Dialog Dialog
	Toast  kit.Toast
	// Seek is the path of a property to which the focus goes. The inspector opens its section and draws its part of long lists, once.
	Seek string
	// Typing is the path of the control that is being edited, which a redraw does not change.
	Typing string

	// Beside draws what others do at a property, below its control; nil draws nothing.
	Beside func(path schema.Path) []app.UI

	marks canvas.Marks

	// Redraw draws the panels in the next frame. Several changes in a frame are drawn together.
	Redraw func(app.Context)
	// Sync synchronizes the controls with the form once the panels are drawn.
	Sync func(app.Context)
	// Page shows the property at a path on the page that has it.
	Page func(ctx app.Context, page string, path schema.Path)
	// Perform runs a command if it applies. If not, it shows the person what is missing.
	Perform func(ctx app.Context, id command.ID, arg string)
}

// ReadFlows is the scope without which no call is made for the tenant's flows, and their ids are shown.
const ReadFlows = "read:flows"

// FlowName returns the name of a flow. missing reports that the tenant is known to have no such flow.
func (w *Workspace) FlowName(id string) (name string, missing bool) {
	for _, f := range w.Flows {
		if f.ID == id {
			return f.Name, false
		}
	}
	return "", id != "" && len(w.Flows) > 0
}

// FlowNames returns the names of the tenant's flows by id, nil until they are known.
func (w *Workspace) FlowNames() map[string]string {
	if len(w.Flows) == 0 {
		return nil
	}
	names := make(map[string]string, len(w.Flows))
	for _, f := range w.Flows {
		names[f.ID] = f.Name
	}
	return names
}

// NoSuchFlow returns the message that there is no flow with an id.
func NoSuchFlow(id string) string {
	return "There is no such flow: " + id + ". Choose one by its name."
}

// New returns the workspace of a form that is not loaded yet.
func New(id string, c *client.Client) *Workspace {
	w := &Workspace{Life: kit.NewLife(), ID: id, Remote: kit.Remote(), Client: c, Panels: Panels{Tab: Components}}
	w.Panels.Recall()
	w.Panels.Begin(windowWidth())
	return w
}

// Async is Life.Async, but recovers from panics on the page's goroutine; see Rescue.
func (w *Workspace) Async(ctx app.Context, f func(context.Context) func(app.Context)) {
	w.Life.Async(ctx, func(c context.Context) func(app.Context) {
		then := f(c)
		if then == nil {
			return nil
		}
		return func(ctx app.Context) {
			defer w.Rescue(ctx)
			then(ctx)
		}
	})
}

// State returns the state of the form, the zero State before it is loaded.
func (w *Workspace) State() editor.State {
	if w.Editor == nil {
		return editor.State{}
	}
	return w.Editor.State()
}

// ReadOnly reports whether the form cannot be changed. This is also the case before it is loaded.
func (w *Workspace) ReadOnly() bool { return w.Editor == nil || w.Editor.ReadOnly() }

// Run runs a command of the editor. If the editor refuses it, Run shows the reason and returns false.
func (w *Workspace) Run(ctx app.Context, c editor.Command) bool {
	if err := w.Editor.Run(c); err != nil {
		w.Say(ctx, kit.Sentence(err))
		return false
	}
	return true
}

// Situation returns the state that determines which commands apply.
func (w *Workspace) Situation() command.Context {
	if w.Editor == nil {
		return command.Context{}
	}
	return command.Context{
		State: w.Editor.State(), ReadOnly: w.Editor.ReadOnly(), NoFlows: !w.User.Can(ReadFlows), NoForms: !w.User.Can("create:forms"), Styled: !w.Style.None(),
		Undo: w.Editor.UndoLabel(), Redo: w.Editor.RedoLabel(),
	}
}

// Applies reports whether a command applies now.
func (w *Workspace) Applies(id command.ID) bool {
	_, ok := command.Of(id).Needs.Missing(w.Situation())
	return ok
}

// Say shows a message for a while; screen readers announce it.
func (w *Workspace) Say(ctx app.Context, text string) { w.Toast.Say(ctx, text) }

// SayUndo is Say with a button that undoes the change, as long as it is the last one.
func (w *Workspace) SayUndo(ctx app.Context, text string) {
	w.Toast.SayUndo(ctx, text)
	last := w.Editor.LastStep()
	w.Toast.While = func() bool { return w.Editor.LastStep() == last }
}

// MovePart moves a component of the selected step, or a rule of the selected router, to another position
// among its siblings.
func (w *Workspace) MovePart(ctx app.Context, from, to int) {
	n, at := w.Editor.State().Form.Node(w.Editor.State().Selection.Only())
	if n == nil {
		return
	}
	if kind := model.NodeKindOf(n.Type); kind != nil {
		w.Run(ctx, editor.MoveItem{List: model.NodePath(at).Key("config").Key(kind.Parts), From: from, To: to, Name: kind.Part})
	}
}

// Doubts returns the warnings that the page has besides those of the editor.
func (w *Workspace) Doubts() schema.Problems { return w.marks.Doubts }

// Mark changes what is marked on the canvas.
func (w *Workspace) Mark(change func(*canvas.Marks)) {
	change(&w.marks)
	if w.Canvas != nil {
		w.Canvas.Mark(w.marks)
	}
}

// Show brings a node into view.
func (w *Workspace) Show(id string) {
	if w.Canvas != nil {
		w.Canvas.ZoomTo(id)
	}
}

// ShowOnPage shows the property at a path on a page and moves the focus to its control, if a page and not the inspector has it. It reports whether it did.
func (w *Workspace) ShowOnPage(ctx app.Context, path schema.Path) bool {
	page := inspector.PageOf(w.State(), path)
	if page == "" || w.Page == nil {
		return false
	}
	w.Page(ctx, page, path)
	return true
}

// ShowPlace selects the place of a path, brings it into view and moves the focus to its control.
func (w *Workspace) ShowPlace(ctx app.Context, path schema.Path) {
	if w.ShowOnPage(ctx, path) {
		return
	}
	f := w.State().Form
	at, _ := f.At(path)
	sel := editor.SelectPlace(f, at)
	w.Editor.Select(sel)
	w.Panels.ShowRight()
	if id := sel.Only(); id != "" {
		w.Show(id)
	}
	w.Seek = path.String()
	kit.FocusSoon(ctx, "[data-path="+strconv.Quote(path.String())+"]", 0)
}

// Rescue keeps the page alive when one of its handlers panics: the panic would end the program and lose
// the work. Handlers defer it.
func (w *Workspace) Rescue(ctx app.Context) {
	if broken := recover(); broken != nil {
		kit.LogError(fmt.Sprint("formgraph: ", broken, "\n", string(debug.Stack())))
		w.Say(ctx, "Something went wrong in the editor. Your work is kept: save it, then reload the page.")
	}
}
