package together

import (
	"cmp"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/face"
	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// crowd is the other people who have the form open: what they are called, where they are, and what they do.
type crowd struct {
	*workspace.Workspace
	together.People
	mice bool // those of people are shown over the canvas
}

// nameOf names a person inside or at the beginning of a sentence, whose order the name does not change. The person of this page has other
// windows.
func (c *crowd) nameOf(q together.Person) string {
	if q.Sub == c.User.Sub {
		return "You"
	}
	return cmp.Or(schema.Isolate(q.Name), "Somebody")
}

// shownAs returns the initials and the color that stand for a person.
func shownAs(q together.Person) (initials, hue string) {
	return face.Initials(cmp.Or(q.Name, "Somebody")), strconv.Itoa(q.Hue)
}

// face draws a person in the bar. The person's own account is beside it, so other windows of that person are an icon.
func (c *crowd) face(q together.Person) app.UI {
	if q.Sub == c.User.Sub {
		return kit.El("span.avatar.own").Body(kit.Icon(ownIcon))
	}
	initials, hue := shownAs(q)
	return kit.El("span.avatar.person data-initials=% "+places, initials, hue)
}

// ownIcon is the icon of another window of the person of this page.
const ownIcon = "screens"

// presence says who is here. list is not empty.
func (c *crowd) presence(list []together.Person) string {
	var names []string
	subs := map[string]bool{}
	for _, q := range list {
		if q.Sub != c.User.Sub && !subs[q.Sub] {
			subs[q.Sub] = true
			names = append(names, c.nameOf(q))
		}
	}
	switch n := len(names); n {
	case 0:
		return kit.Several(len(list), "1 other window is here", "%d other windows are here")
	case 1:
		return names[0] + " is here"
	case 2:
		return names[0] + " and " + names[1] + " are here"
	default:
		return strconv.Itoa(n) + " others are here"
	}
}

// here returns the lines of the menu of the people who are here.
func (c *crowd) here() []kit.Item {
	items := []kit.Item{{Name: "Here now"}}
	for _, q := range c.List() {
		it := kit.Item{Act: GoAct, Arg: q.Page, Name: cmp.Or(q.Name, "Somebody"), Hint: c.doing(q)}
		if q.Sub == c.User.Sub {
			it.Name, it.Icon = "You, in another window", ownIcon
		} else {
			it.Face, it.Hue = shownAs(q)
		}
		items = append(items, it)
	}
	return items
}

// doing says what a person does.
func (c *crowd) doing(q together.Person) string {
	doing, where := "Looking at ", "the whole form"
	f := c.Editor.State().Form
	if _, i, j := f.Component(q.Component); q.Component != "" && i >= 0 {
		where, _ = describe.Target(f, model.ComponentPath(i, j))
		where = schema.Isolate(where)
	} else if q.Node != "" {
		where = schema.Isolate(describe.NodeName(f, q.Node))
	}
	switch {
	case q.Asks:
		return "Asks to edit"
	case !q.Edits:
		where += ", view only"
	case q.Field != "":
		doing = "Typing in "
	}
	return doing + where
}

// beside draws who types in the property of a path, and whose text differs.
func (c *crowd) beside(path schema.Path) (out []app.UI) {
	key := ""
	for _, q := range c.List() {
		if q.Field == "" && len(q.Forks) == 0 {
			continue
		}
		if key == "" {
			key = together.FieldKey(c.Editor.State().Form, path)
		}
		if q.Field == key {
			out = append(out, kit.Tree("p.person-note "+places+" role=note { % }", []string{strconv.Itoa(q.Hue), c.typing(q)}))
		}
		for _, f := range q.Forks {
			if f.Field != key {
				continue
			}
			who := c.nameOf(q) + " has"
			if q.Sub == c.User.Sub {
				who = "Your other window has"
			}
			text := who + " another value here, and has not decided yet."
			if f.Text != "" {
				text = who + " another text here, and has not decided yet: " + kit.Quote(f.Text)
			}
			out = append(out, kit.Tree("p.note-text role=note { @warn span { % } }", []string{text}))
		}
	}
	return out
}

func (c *crowd) typing(q together.Person) string {
	if name := c.nameOf(q); name != "You" {
		return name + " is typing here"
	}
	return "You are typing here in another window"
}

// tellOfAsking tells people who may edit that somebody who may not asks for it.
func (c *crowd) tellOfAsking(ctx app.Context, before []together.Person) {
	if c.ReadOnly() {
		return
	}
	for _, q := range c.Asking(before, time.Now()) {
		c.Say(ctx, c.nameOf(q)+" would like to edit this form. An administrator can give the permission update:forms.")
	}
}

// mark shows on the canvas who is where.
func (c *crowd) mark() {
	people := map[string]canvas.Visitors{}
	for _, q := range c.List() {
		if q.Node != "" {
			v := people[q.Node]
			v.Names, v.Hue, v.Part = join(v.Names, c.nameOf(q)), q.Hue, q.Component
			people[q.Node] = v
		}
	}
	if len(people) == 0 {
		people = nil
	}
	c.Mark(func(m *canvas.Marks) { m.People = people })
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + ", " + b
}

// Go selects what a person has selected, by the name of their page, and shows it. Somebody with nothing selected looks at the form.
func (c *crowd) Go(page string) {
	for _, q := range c.List() {
		switch {
		case q.Page != page:
		case q.Node == "":
			c.Editor.Select(editor.Selection{})
		default:
			c.Editor.Select(editor.SelectNodes(q.Node))
			c.Show(q.Node)
		}
	}
}

// showMice shows where the mice of the other people are.
func (c *crowd) showMice() {
	if c.Canvas == nil {
		return
	}
	var list []canvas.Pointer
	for _, q := range c.List() {
		if q.At != nil && q.Sub != c.User.Sub {
			list = append(list, canvas.Pointer{Visitors: canvas.Visitors{Names: c.nameOf(q), Hue: q.Hue}, At: *q.At, Node: q.Node})
		}
	}
	if len(list) > 0 || c.mice {
		c.mice = len(list) > 0
		c.Canvas.ShowPointers(list)
	}
}
