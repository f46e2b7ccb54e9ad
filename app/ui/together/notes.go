package together

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/merge"
)

// note acts on the note with a key; the key "" dismisses all.
func (d *differences) note(ctx app.Context, act, key string) {
	f := d.Editor.State().Form
	for _, n := range d.notes.List() {
		if n.Key() != key && (key != "" || act != DismissAct) {
			continue
		}
		path, to := n.Path(f), n.Mine
		if n.Over {
			to = n.Theirs
		}
		switch {
		case act == DismissAct || n.Before != nil || path == nil:
			d.notes.Dismiss(n.Key())
		case act == SeeAct:
			d.ShowPlace(ctx, path)
		case to.Present:
			d.Typing = ""
			d.Run(ctx, editor.Set{Path: path, Value: to.Tree})
		default:
			d.Typing = ""
			d.Run(ctx, editor.Clear{Path: path})
		}
	}
	d.Redraw(ctx)
}

// replaced says what somebody else has done to a value of the person.
func (d *differences) replaced(n together.Note) string {
	switch {
	case n.Before != nil:
		return n.Who + " removed this"
	case !n.Theirs.Present:
		return n.Who + " cleared this"
	}
	_, theirs := d.sides(n)
	return fmt.Sprintf("%s changed this to %s", n.Who, theirs)
}

// sides returns both values of a note in words.
func (d *differences) sides(n together.Note) (mine, theirs string) {
	if n.Secret {
		return "A hidden value", "a hidden value"
	}
	mine, theirs = describe.Sides(d.Editor.State().Form, merge.Conflict{Mine: n.Mine, Theirs: n.Theirs})
	return mine, kit.Quote(theirs)
}

// drawNote draws a note below its control.
func (d *differences) drawNote(n together.Note) app.UI {
	const link = " button.link type=button data-act=% data-arg=% title=% { % }"
	key := n.Key()
	if n.Over {
		return kit.Tree("div.flaw role=note { @warn span.grow { % }"+link+" }", []string{d.replaced(n) + ". Yours replaced it.", BringAct, key, "", "Use theirs"})
	}
	mine, _ := d.sides(n)
	said := d.replaced(n) + "."
	if n.Mine.Present && !n.Secret {
		said += " Yours was " + kit.Quote(mine) + "."
	}
	return kit.Tree("div.flaw.replaced role=note { @warn span.grow { % }"+link+link+" }",
		[]string{said, MineAct, key, mine, "Use mine", DismissAct, key, "", "Dismiss"})
}

// button draws how many values of the person others have replaced. It opens their list.
func (d *differences) button(open bool) app.UI {
	count := 0
	for _, n := range d.notes.List() {
		if !n.Over {
			count++
		}
	}
	text := kit.Several(count, "1 of yours replaced", "%d of yours replaced")
	return kit.El("span hidden=%", kit.Yes(count == 0)).Body(
		kit.MenuButton("quiet replaced-count", NotesMenu, text+" by others", open, kit.Icon("swap"), kit.El("span").Text(text)).DataSet("count", strconv.Itoa(count)))
}

// items returns the lines of the list of what others have replaced.
func (d *differences) items() []kit.Item {
	var items []kit.Item
	for _, n := range d.notes.List() {
		it := kit.Item{Act: SeeAct, Arg: n.Key(), Hint: d.replaced(n)}
		f := d.Editor.State().Form
		if n.Before != nil {
			it.Act, f = DismissAct, n.Before
		}
		if path := n.Path(f); path != nil && !n.Over {
			it.Name = describe.Place(f, path)
			items = append(items, it)
		}
	}
	return append(items, kit.Item{}, kit.Item{Act: DismissAct, Name: "Dismiss all"})
}
