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
}

// Draw draws the bar: the location on the left, the actions on the right. In a
// narrow window the left side shrinks, and actions that do not fit on the right
// are in the menu "More".
func (p *Bar) Draw() app.UI {
	left := []app.UI{kit.El("h1.unseen").Text(p.Heading()), Button(p.Workspace, command.AllForms)}
	if p.Editor == nil {
		return kit.El("header.bar").Body(append(left, kit.El("span.brand").Text("Formgraph"))...)
	}
	name := p.Editor.State().Form.Name
	left = append(
		left,
		kit.IconButton("left", "Components and outline", "panel-left", true).Aria("pressed", kit.Yes(p.Panels.Left)),
		kit.El("span.crumb").Body(
			kit.El("span.crumb-up").Text("Forms"), kit.El("span.crumb-slash aria-hidden=true").Text("/"),
			kit.El("input.form-name type=text aria-label=% data-held=% data-path=name size=% readonly=%", "Form name", kit.Held(name),
				strconv.Itoa(max(8, min(40, len([]rune(name))))), kit.Yes(p.Editor.ReadOnly())),
		),
		p.Saver.DrawState(p.Draft),
		kit.El("span.group").Body(
			p.button(command.Undo, hint(command.Undo, p.Editor.UndoLabel())), p.button(command.Redo, hint(command.Redo, p.Editor.RedoLabel())),
		),
		p.Problems.Count(),
	)
	return kit.El("header.bar").Body(
		kit.El("div.bar-left").Body(left...),
		p.button(command.TidyUp, ""),
		Button(p.Workspace, command.Help),
		Button(p.Workspace, command.Theme),
		kit.IconButton("right", "Inspector", "panel-right", true).Aria("pressed", kit.Yes(p.Panels.Right)),
		kit.Account(p.User),
		p.preview(),
		p.textButton(command.Import),
		p.textButton(command.Export),
		p.button(command.ExportFlows, ""),
		p.more(),
		app.If(p.offers(command.Save), func() app.UI {
			return kit.El("button.primary type=button data-act=save title=Ctrl+S disabled=%",
				kit.Yes(!p.Editor.Unsaved() || p.Saver.State() == saver.Saving)).Text("Save")
		}),
	)
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

func (p *Bar) beforePreview(ctx app.Context, _ app.Event) { p.BeforePreview(ctx) }

// more is the menu of actions that do not fit in a narrow bar. The browser
// opens and closes it.
func (p *Bar) more() app.UI {
	item := func(act, name, symbol string, enabled bool) app.UI {
		return kit.El("button.menu-item type=button popovertarget=more popovertargetaction=hide data-act=% disabled=%", act, kit.Yes(!enabled)).
			Body(kit.Icon(symbol), kit.El("span").Text(name))
	}
	does := func(id command.ID) app.UI {
		c := command.Of(id)
		return app.If(p.offers(id), func() app.UI { return item(string(id), c.Title, c.Icon, p.Applies(id)) })
	}
	link := func(address, name, symbol string) app.UI {
		return kit.El("a.menu-item href=%", address).Body(kit.Icon(symbol), kit.El("span").Text(name))
	}
	return kit.El("span.more").Body(
		kit.El("button.icon type=button popovertarget=more aria-label=% title=%", "More", "More").Body(kit.Icon("more")),
		kit.El("div.menu.more-menu id=more popover=auto aria-label=%", "More").Body(
			does(command.Import), does(command.Export), does(command.ExportFlows), does(command.Atlas), does(command.TidyUp), does(command.Help), does(command.Theme),
			app.If(kit.HasAccount(), func() app.UI { return link("/account", "Your account", "user") }),
			app.If(p.User.Can("read:clients") && !p.Remote, func() app.UI { return link("/admin", "Administration", "settings") }),
			item("sign-out", "Sign out", "leave", true),
		),
	)
}

// Button draws the button of a command with only its icon.
func Button(w *workspace.Workspace, id command.ID) app.HTMLElem {
	c := command.Of(id)
	return kit.IconButton(string(id), c.Title, c.Icon, w.Applies(id))
}

// textButton draws the button of a command with its title.
func (p *Bar) textButton(id command.ID) app.UI {
	return app.If(p.offers(id), func() app.UI {
		return kit.TextButton(string(id), command.Of(id).Title, "secondary").Attr("disabled", !p.Applies(id))
	})
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
