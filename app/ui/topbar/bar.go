// Package topbar is the bar above the editor.
package topbar

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/drafts"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/problems"
	"github.com/formgraph/formgraph/app/ui/saver"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Bar is the top bar.
type Bar struct {
	*workspace.Workspace
	Saver    *saver.Saver // nil until the form is loaded
	Draft    *drafts.Keeping
	Problems *problems.Panel
	// BeforePreview is called when somebody is about to open the preview.
	BeforePreview func(app.Context)
	// Tests says what the tests of the form found, "" for nothing, and whether it is bad.
	Tests func() (text string, bad bool)
	// People draws who else has the form open, and PeopleItems returns the name and the lines of one of their menus, nil for another menu.
	People      func(open string) app.UI
	PeopleItems func(of string) (title string, items []kit.Item)
	// Hue returns the color of the person among those who are here.
	Hue func() int
	// Beside reports whether the panels have room beside the canvas. They have none while the preview or a page of the desk takes their place.
	Beside func() bool
	// Page reports whether a page of the desk is beside the canvas.
	Page func() bool
	// Unread returns how many comments are for the person, and Unsent how many the person has written and not sent.
	Unread, Unsent func() int
	// Pages returns the lines of a menu in which people choose the graph or a page of the desk.
	Pages func() []kit.Item
}

// Draw draws the bar: the location on the left, the actions on the right. open says which of its menus is open. In a narrow window the left
// side shrinks, and what has no room on the right is in the menu More.
func (p *Bar) Draw(open string) app.UI {
	left := []app.UI{kit.El("h1.unseen").Text(p.Heading()), Button(p.Workspace, command.AllForms)}
	if p.Editor == nil {
		return kit.El("header.bar").Body(append(left, kit.El("span.brand").Text("Formgraph"))...)
	}
	name := p.Editor.State().Form.Name
	find := command.Of(command.Commands)
	left = append(
		left,
		p.toggle("left", "Components and outline", p.Panels.Left),
		kit.Tree("span.crumb { a.crumb-up href=/forms { % } span.crumb-slash aria-hidden=true { % } "+
			"input.form-name type=text aria-label=% data-held=% data-path=name size=% readonly=% }", []string{
			"Forms", "/", "Form name", kit.Held(name), strconv.Itoa(max(8, min(40, len([]rune(name))))), kit.Yes(p.Editor.ReadOnly()),
		}),
		p.Saver.DrawState(p.Draft),
		kit.El("span.group").Body(
			p.button(command.Undo, hint(command.Undo, p.Editor.UndoLabel())), p.button(command.Redo, hint(command.Redo, p.Editor.RedoLabel())),
		),
	)
	return kit.El("header.bar").Body(
		kit.El("div.bar-left").Body(left...),
		kit.Tree("button.find type=button data-act=% aria-label=% title=% { @search span { % } span.key aria-hidden=true data-key=% }",
			[]string{string(find.ID), find.Title, hint(find.ID, ""), find.Title, find.Shortcut()}),
		kit.El("div.bar-right").Body(
			p.People(open), // what comes and goes is first, so that the others keep their places
			p.Problems.Count(),
			p.preview(),
			p.test(),
			p.comments(),
			p.share(),
			p.toggle("right", "Inspector", p.Panels.Right),
			kit.MenuButton("icon", More, "More", open == More, kit.Icon("more")),
			kit.AccountButton(p.User, p.Hue(), open == Account),
			app.If(p.offers(command.Save), func() app.UI {
				look := "secondary" // it can always be pressed: what is typed just now may not be in the form yet
				if p.Editor.Unsaved() {
					look = "primary"
				}
				return kit.El("button.save-now type=button class=% data-act=save title=Ctrl+S", look).Text("Save")
			}),
		),
	)
}

// Skip draws the button that the Tab key reaches first. It is visible only while it has the focus.
func Skip() app.UI { return kit.TextButton(SkipAct, "Skip to the graph", "skip primary") }

// SkipAct is the act that moves the focus past the bars and panels to the graph.
const SkipAct = "skip"

// toggle draws the button that shows or hides a panel.
func (p *Bar) toggle(side, name string, open bool) app.UI {
	beside := p.Beside()
	return kit.IconButton(side, name, "panel-"+side, beside).Aria("pressed", kit.Yes(open && beside))
}

// Foot draws the actions that are always in sight below the left panel.
func (p *Bar) Foot() app.UI {
	return kit.Tree("footer.left-foot { * * span.push button.quiet type=button data-act=sign-out { % } }", []string{"Sign out"},
		p.word(command.Import), p.word(command.Export))
}

// word draws the button of a command that is offered with its title.
func (p *Bar) word(id command.ID) app.UI {
	return app.If(p.offers(id), func() app.UI {
		return kit.TextButton(string(id), command.Of(id).Title, "quiet").Attr("disabled", !p.Applies(id))
	})
}

// bottom is the bar below the canvas of a very narrow window: the acts and their arguments, names and icons.
var bottom = [...][4]string{
	{"view", workspace.Graph, "Graph", "home"},
	{"tab", workspace.Components, "Components", "plus"},
	{"tab", workspace.Outline, "Outline", "list"},
	{"tab", workspace.Problems, "Problems", "warn"},
	{string(command.Commands), "", "Find", "search"},
}

// Bottom draws the bar below the canvas of a very narrow window: what the panels show, and the search.
func (p *Bar) Bottom() app.UI {
	var items []app.UI
	for i := range bottom {
		b := &bottom[i]
		on, count, class := p.Panels.Left && p.Panels.Tab == b[1], "", ""
		switch {
		case i == 0:
			on = p.Beside() && !p.Panels.Left && !p.Page() // the inspector shows what is selected in the graph
		case b[1] == workspace.Problems && p.Editor != nil:
			if n, _ := p.Problems.Counted(); n > 0 {
				count = strconv.Itoa(n)
			}
			if !p.Problems.Blocking() {
				class = "note"
			}
		}
		items = append(items, kit.Tree("button type=button class=% data-act=% data-arg=% aria-pressed=% data-count=% { @% span { % } }",
			[]string{class, b[0], b[1], kit.Yes(on), count, b[3], b[2]}))
	}
	return kit.El("nav.bottom aria-label=% hidden=%", "Panels", kit.Yes(p.Editor == nil)).Body(items...)
}

// offers reports whether the person may run a command at all.
func (p *Bar) offers(id command.ID) bool { return command.Of(id).Needs.Offered(p.Situation()) }

// button draws the button of a command that is offered; title is its tooltip, "" for the command's title.
func (p *Bar) button(id command.ID, title string) app.UI {
	return app.If(p.offers(id), func() app.UI {
		b := Button(p.Workspace, id)
		if title != "" {
			return b.Title(title)
		}
		return b
	})
}

// preview is the button that opens and closes the preview.
func (p *Bar) preview() app.UI {
	c := command.Of(command.Preview)
	b := kit.El("button.quiet.try type=button data-act=preview title=% disabled=%", hint(command.Preview, ""), kit.Yes(!p.Applies(command.Preview)))
	return b.On("pointerenter", p.beforePreview).On("focus", p.beforePreview).Body(kit.Icon(c.Icon), kit.El("span").Text(c.Title))
}

// test is the button that opens and closes the panel of the tests, with what they found.
func (p *Bar) test() app.UI {
	text, bad := p.Tests()
	class := "good"
	if bad {
		class = "bad"
	}
	return kit.El("button.quiet.try.test type=button data-act=% title=% aria-pressed=%", string(command.ShowScenarios), hint(command.ShowScenarios, text), kit.Yes(p.Panels.Dock == workspace.Test)).
		Body(kit.Icon(command.Of(command.ShowScenarios).Icon), kit.El("span").Text("Test"), kit.El("small class=% data-says=% hidden=%", class, text, kit.Yes(text == ""))) // the style sheet draws it, so that the button keeps its name
}

func (p *Bar) beforePreview(ctx app.Context, _ app.Event) { p.BeforePreview(ctx) }

// comments is the button of the comments, which counts those that are for the person, and marks those that are not sent.
func (p *Bar) comments() app.UI {
	b := Button(p.Workspace, command.ShowComments)
	if n := p.Unsent(); n > 0 {
		b.DataSet("unsent", strconv.Itoa(n)).Title(kit.Several(n, "1 unsent comment", "%d unsent comments"))
	}
	if n := p.Unread(); n > 0 {
		b.Class("counted").DataSet("count", strconv.Itoa(n)).Title(kit.Several(n, "1 comment for you", "%d comments for you"))
	}
	return b
}

// share is the button of the links to the form. In a narrower window the menu More has it.
func (p *Bar) share() app.UI {
	return kit.El("button.quiet.share type=button data-act=% title=% disabled=%", string(command.Share), hint(command.Share, ""),
		kit.Yes(!p.Applies(command.Share))).Text("Share")
}

// Button draws the button of a command with only its icon.
func Button(w *workspace.Workspace, id command.ID) app.HTMLElem {
	c := command.Of(id)
	return kit.IconButton(string(id), c.Title, c.Icon, w.Applies(id))
}

// hint returns the tooltip of a command's button; label names its effect.
func hint(id command.ID, label string) string {
	c := command.Of(id)
	name := c.Title
	if label != "" {
		name = fmt.Sprintf("%s: %s", name, label)
	}
	return name + " (" + c.Shortcut() + ")"
}

// Heading is the heading of the page for people who cannot see it.
func (p *Bar) Heading() string {
	if p.Editor == nil {
		return "Formgraph"
	}
	return p.Editor.State().Form.Name
}
