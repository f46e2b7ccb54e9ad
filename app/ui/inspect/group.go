package inspect

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// group draws the properties of an object.
func (f *fields) group(r inspector.Row) app.UI {
	return kit.El("fieldset.group").Body(append([]app.UI{f.legend(r)}, f.content(r)...)...)
}

// content draws what is in an object, list or map, and the problem that it has as a whole.
func (f *fields) content(r inspector.Row) []app.UI {
	var body []app.UI
	switch {
	case r.Input == inspector.Group:
		body = f.rowsOf(r.Rows)
	case len(r.Columns) > 0:
		body = f.lists.table(r)
	default:
		body = f.elements(r)
	}
	if f.Beside != nil {
		body = append(body, f.Beside(r.Path)...)
	}
	return append(body, f.problemLine(r)...)
}

// legend draws the name of an object or list, and what stands at its head.
func (f *fields) legend(r inspector.Row) app.UI {
	return kit.El("legend").Body(kit.El("span").Text(r.Label), f.headTool(r))
}

// headTool draws what stands at the head of an object or list: the button that makes a table of lines, or the one that removes anything else.
func (f *fields) headTool(r inspector.Row) app.UI {
	if len(r.Columns) > 0 {
		return f.lists.pasteButton(r)
	}
	return kit.El("button.link.dim type=button data-act=clear data-arg=% aria-label=% hidden=%", r.Path.String(), "Remove "+r.Label,
		kit.Yes(!f.removable(r))).Text("Remove")
}

// removable reports whether an object or list can be removed as a whole: its required properties cannot be cleared individually.
func (f *fields) removable(r inspector.Row) bool {
	return r.Present && !r.Required && r.Count == 0 && !f.Editor.ReadOnly()
}

// elements draws the elements of a list, or the members of an open object, with controls to add, remove and reorder them.
func (f *fields) elements(r inspector.Row) []app.UI {
	path, lock := r.Path.String(), kit.Yes(f.Editor.ReadOnly())
	drawn, first, last := f.spans.Draw(path, len(r.Rows))
	body := []app.UI{first}
	for i := drawn.From; i < drawn.To; i++ {
		c := r.Rows[i]
		if r.Input == inspector.Items {
			c.Label = named(r, i)
		}
		body = append(body, kit.El("div.item").Body(f.row(c), kit.El("div.item-tools").Body(f.tools(r, i)...)))
	}
	body = append(body, last)
	if r.Input == inspector.Items {
		return append(body, f.add(r))
	}
	id := kit.DomID("k-", path)
	return append(body, kit.El("div.new-entry hidden=%", lock).Body(
		kit.El("input.mono id=% type=text placeholder=% aria-label=%", id, "Key", "Key of the new "+r.Element.Noun),
		f.add(r)))
}

// named returns the name of an element, as in "Option 2".
func named(r inspector.Row, i int) string {
	name := fmt.Sprintf("%s %d", r.Element.Noun, i+1)
	return strings.ToUpper(name[:1]) + name[1:]
}

// add draws the button that adds an element or a member.
func (f *fields) add(r inspector.Row) app.UI {
	return kit.El("button.link.adds type=button data-act=add data-arg=% hidden=%", r.Path.String(), kit.Yes(f.Editor.ReadOnly())).
		Text("Add " + r.Element.Noun)
}

// tools draws the buttons that move and remove an element.
func (f *fields) tools(r inspector.Row, i int) []app.UI {
	if f.Editor.ReadOnly() {
		return nil
	}
	arg := fmt.Sprintf("%d %s", i, r.Path.String())
	name := strings.ToLower(named(r, i))
	if r.Input == inspector.Entries || len(r.Columns) > 0 { // those of a table have a grip
		return []app.UI{kit.IconButton("remove", "Remove "+name, "close", true).DataSet("arg", arg)}
	}
	return []app.UI{
		kit.IconButton("up", "Move up "+name, "up", i > 0).DataSet("arg", arg),
		kit.IconButton("down", "Move down "+name, "down", i < len(r.Rows)-1).DataSet("arg", arg),
		kit.IconButton("remove", "Remove "+name, "close", true).DataSet("arg", arg),
	}
}
