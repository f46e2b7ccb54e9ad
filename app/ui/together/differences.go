package together

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// differences are the values that the person and others have changed.
type differences struct {
	*workspace.Workspace
	room     func() *together.Room
	forks    []merge.Conflict // as drawn last
	arrivals []arrival        // of the last seconds
	replaced *replaced        // nil for none
}

// arrival is a change of the shared form by somebody else, a moment ago.
type arrival struct {
	before, after *model.Form
	who           string
	at            time.Time
}

// replaced is a text of somebody else that the person has written over, probably before they saw it.
type replaced struct {
	path, text, who string
	selection       editor.Selection
}

// unseenTime is how soon after it came a text counts as not seen.
const unseenTime = 2 * time.Second

// noticeReplaced notices that the person has typed over what somebody else put there a moment before.
func (d *differences) noticeReplaced() {
	d.arrivals = slices.DeleteFunc(d.arrivals, func(a arrival) bool { return time.Since(a.at) > unseenTime })
	if !slices.ContainsFunc(d.forks, func(c merge.Conflict) bool { return c.Path.String() == d.Typing }) {
		d.notice(d.Typing) // of a fork, both texts are shown
	}
	s := d.Editor.State()
	if r := d.replaced; r != nil {
		if text, _ := textAt(s.Form, r.path); text == r.text || !s.Selection.Equal(r.selection) {
			d.replaced = nil
		}
	}
}

// notice notices that the form has another text at a path than somebody else put there a moment before.
func (d *differences) notice(path string) {
	s := d.Editor.State()
	now, _ := textAt(s.Form, path)
	for _, a := range d.arrivals {
		was, _ := textAt(a.before, path)
		if is, ok := textAt(a.after, path); ok && is != was && is != "" && is != now {
			d.replaced = &replaced{path: path, text: is, who: a.who, selection: s.Selection}
		}
	}
}

// textAt returns the text at a path.
func textAt(f *model.Form, path string) (string, bool) {
	at, err := schema.ParsePath(path)
	if err != nil || path == "" {
		return "", false
	}
	v, _ := schema.Lookup(f.Tree(), at)
	text, ok := v.(string)
	return text, ok
}

// other names the person whose change was taken last, at the beginning of a sentence.
func (d *differences) other() string {
	switch who := d.room().Who(); who {
	case "":
		return "Somebody"
	case d.User.Name:
		return "The other window"
	default:
		return who
	}
}

// otherInside is other inside a sentence.
func (d *differences) otherInside() string {
	if who := d.other(); who != "Somebody" && who != "The other window" {
		return who
	}
	return strings.ToLower(d.other())
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
			d.ShowPlace(ctx, d.forks[0].Path)
		}
	case BringAct:
		if path, err := schema.ParsePath(d.replaced.path); err == nil {
			d.Typing = ""
			d.Run(ctx, editor.Set{Path: path, Value: d.replaced.text})
		}
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
	d.arrivals = append(d.arrivals, arrival{step.Before, step.After, d.other(), time.Now()})
	d.forks = step.Forks
	for _, c := range step.Forks {
		if !slices.ContainsFunc(known, c.Same) {
			d.Toast.SayMore(d.other()+" has changed "+kit.Quote(describe.Place(step.Local, c.Path))+", too. Yours stays in place until you decide.", ShowAct, "Show")
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
	if r := d.replaced; r != nil && r.path == path.String() {
		out = append(out, kit.Tree("div.flaw role=note { @warn span.grow { % } button.link type=button data-act=% { % } }",
			[]string{fmt.Sprintf("%s changed this to %s. Yours replaced it.", r.who, kit.Quote(r.text)), BringAct, "Use theirs"}))
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
			d.notice(path) // theirs may have changed since the person saw it
		}
		if theirs && !d.Run(ctx, editor.TakeTheirs{Conflicts: []merge.Conflict{c}, Name: "Take what " + d.otherInside() + " wrote"}) {
			return
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
	return kit.Tree("div.fork role=group aria-label=% { d.fork-head { @warn span { % } } dl { dt { % } dd { % mark { % } % } dt { % } dd { % mark { % } % } } "+
		"div.fork-acts { button.secondary type=button data-act=% data-arg=% { % } button.secondary type=button data-act=% data-arg=% { % } } }",
		[]string{
			"Changed by both", "Changed by both at the same time", "Yours", a1, a2, a3, d.other(), b1, b2, b3,
			KeepAct, path, "Keep mine", TakeAct, path, "Take theirs",
		})
}
