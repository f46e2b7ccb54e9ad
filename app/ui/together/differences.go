package together

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// differences are the values that the person and others have changed.
type differences struct {
	*workspace.Workspace
	room  func() *together.Room
	forks []merge.Conflict // as drawn last
	nodes map[string]bool  // the nodes of forks, as marked last
	notes together.Notes
	of    *editor.Editor   // whose edits the notes are about
	at    editor.Selection // where the person has typed over something
}

// sync lets the notes know what the person has done to the form since the last call.
func (d *differences) sync() {
	if d.of != d.Editor {
		d.of = d.Editor
		d.notes.Begin(d.Editor.Base(), d.Editor.State().Form)
	}
	if !d.Editor.ReadOnly() {
		d.notes.Wrote(d.Editor.State().Form)
	}
}

// own is the [live.Own] of the page: what the person wrote and nobody has saved.
func (d *differences) own(before, after *model.Form) []schema.Path {
	d.sync()
	return d.notes.Own(d.Editor.Base(), before, after)
}

// follow notices what the person has done. Call it after every change.
func (d *differences) follow() {
	d.sync()
	s := d.Editor.State()
	d.forks = d.room().Forks(s.Form)
	d.mark()
	if !s.Selection.Equal(d.at) {
		d.notes.Left()
	}
	d.at = s.Selection
	path, err := schema.ParsePath(d.Typing)
	if err == nil && d.Typing != "" && !slices.ContainsFunc(d.forks, func(c merge.Conflict) bool { return c.Path.Equal(path) }) {
		d.notes.TypedOver(s.Form, path, time.Now()) // of a fork, both texts are shown
	}
}

// mark marks the nodes of the forks on the canvas.
func (d *differences) mark() {
	f, nodes := d.Editor.State().Form, map[string]bool{}
	for _, c := range d.forks {
		if at, ok := f.At(c.Path); ok && at.Node >= 0 {
			nodes[f.Nodes[at.Node].ID] = true
		}
	}
	if !maps.Equal(nodes, d.nodes) {
		d.nodes = nodes
		d.Mark(func(m *canvas.Marks) { m.Forks = nodes })
	}
}

// outside makes a change as Panel.Outside does.
func (d *differences) outside(who string, change func()) {
	d.sync()
	change()
	if who == "You" {
		who = otherWindow
	}
	d.notes.Took(d.Editor.State().Form, schema.Isolate(who))
}

// otherWindow is the person of this page in another window, at the beginning of a sentence.
const otherWindow = "The other window"

// other names the person whose change was taken last, at the beginning of a sentence.
func (d *differences) other() string {
	switch who := d.room().Who(); who {
	case "":
		return "Somebody"
	case d.User.Name:
		return otherWindow
	default:
		return schema.Isolate(who)
	}
}

// otherInside is other inside a sentence.
func (d *differences) otherInside() string {
	if who := d.other(); who != "Somebody" && who != otherWindow {
		return who
	}
	return strings.ToLower(d.other())
}

// both says who has changed a property.
func (d *differences) both() string {
	if who := d.other(); who != otherWindow {
		return "You and " + d.otherInside() + " both changed this"
	}
	return "You changed this in two windows"
}

// outcome says how a conflict was decided that leaves nothing to decide.
func (d *differences) outcome(c merge.Conflict) string {
	place := kit.Quote(describe.Place(d.Editor.State().Form, c.Path))
	switch {
	case c.Kind == merge.RemovedAndChanged && !c.Theirs.Present:
		return d.other() + " has deleted " + place + ", which you changed. It stays."
	case c.Kind == merge.RemovedAndChanged:
		return d.other() + " has changed " + place + ", which you deleted. It is back."
	case c.Kind == merge.RemovedAndUsed:
		return place + " stays: one of you deleted it, and the other has connected it."
	case c.Kind == merge.BothRenamed:
		return d.other() + " has changed " + place + " before you. It stays as they have it."
	default:
		return d.other() + " has moved or reordered " + place + " before you. It stays where they put it."
	}
}

// Act handles a control, and reports whether it is one.
func (d *differences) Act(ctx app.Context, name, arg string) bool {
	switch name {
	case ShowAct:
		d.Toast.Clear()
		if len(d.forks) > 0 {
			path := d.forks[0].Path
			d.ShowPlace(ctx, path)
			// In a low panel the buttons are below the control. A panel that was closed is not there before the page is drawn.
			ctx.Defer(func(ctx app.Context) {
				kit.ScrollSoon(ctx, `.fork-acts [data-arg=`+strconv.Quote(path.String())+`]`)
			})
		}
	case BringAct, MineAct, SeeAct, DismissAct:
		d.note(ctx, name, arg)
	case TakeAct, KeepAct:
		d.decide(ctx, arg, name == TakeAct)
	default:
		return false
	}
	return true
}

// take takes the differences that a step of others has made, and says which are new.
func (d *differences) take(ctx app.Context, step live.Step) {
	known := d.forks
	d.notes.Took(d.Editor.State().Form, d.other())
	d.notes.Arrived(step.Before, step.After, d.other(), time.Now())
	d.forks = step.Forks
	for _, c := range step.Forks {
		if !slices.ContainsFunc(known, c.Same) {
			d.Toast.SayMore(d.other()+" also changed "+kit.Quote(describe.Place(step.Local, c.Path))+". Yours stays until you decide.", ShowAct, "Show")
		}
	}
	for _, c := range step.Told {
		d.Say(ctx, d.outcome(c))
	}
}

// beside draws the differences at the property of a path.
func (d *differences) beside(path schema.Path) (out []app.UI) {
	for _, c := range d.forks {
		if c.Path.Equal(path) {
			out = append(out, d.fork(c))
		}
	}
	for _, n := range d.notes.At(d.Editor.State().Form, path) {
		out = append(out, d.drawNote(n))
	}
	return out
}

// decide decides the fork at a path.
func (d *differences) decide(ctx app.Context, path string, theirs bool) {
	for _, c := range d.forks {
		if c.Path.String() != path {
			continue
		}
		d.Typing = ""
		if !theirs {
			d.notes.TypedOver(d.Editor.State().Form, c.Path, time.Now()) // theirs may have changed since the person saw it
		}
		if theirs && !d.Run(ctx, editor.TakeTheirs{Conflicts: []merge.Conflict{c}, Name: verb.Take.With("what " + d.otherInside() + " wrote")}) {
			return
		}
		if theirs {
			d.notes.Settled(d.Editor.State().Form, c.Path)
		}
		d.room().Decide([]merge.Conflict{c})
	}
	d.Redraw(ctx)
}

// fork draws both values of a property: that of the person, and the one of the others.
func (d *differences) fork(c merge.Conflict) app.UI {
	f := d.Editor.State().Form
	mine, theirs := describe.Sides(f, c)
	path := c.Path.String()
	a1, a2, a3 := describe.Differing(mine, theirs)
	b1, b2, b3 := describe.Differing(theirs, mine)
	take := "Take theirs"
	if d.other() == otherWindow {
		take = "Take the other"
	}
	return kit.Tree("div.fork role=group aria-label=% { d.fork-head { @warn span { % } } dl { dt { % } dd { % mark { % } % } dt { % } dd { % mark { % } % } } "+
		"div.fork-acts { button.secondary type=button data-act=% data-arg=% { % } button.secondary type=button data-act=% data-arg=% { % } } }",
		[]string{
			"Changed by both", d.both(), "Yours", a1, a2, a3, d.other(), b1, b2, b3,
			KeepAct, path, "Keep mine", TakeAct, path, take,
		})
}
