package ui

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// bar draws the top bar: where one is on the left, what can be done on the right.
// The left gives way when the window is narrow; what the right has no room for is
// in the menu behind "More".
func (p *editorPage) bar() app.UI {
	left := []app.UI{kit.El("h1.unseen").Text(p.heading()), p.button(command.AllForms)}
	if p.ed == nil {
		return kit.El("header.bar").Body(append(left, kit.El("span.brand").Text("Formgraph"))...)
	}
	name := p.ed.State().Form.Name
	left = append(
		left,
		kit.IconButton("left", "Components and outline", "panel-left", true).Aria("pressed", kit.Yes(p.left)),
		kit.El("span.crumb").Body(
			kit.El("span.crumb-up").Text("Forms"), kit.El("span.crumb-slash aria-hidden=true").Text("/"),
			kit.El("input.form-name type=text aria-label=% data-held=% data-path=name size=% readonly=%", "Form name", kit.Held(name), strconv.Itoa(max(8, min(40, len([]rune(name))))), kit.Yes(p.ed.ReadOnly())),
		),
		p.saveState(),
		kit.El("span.group").Body(
			p.button(command.Undo).Title(hint(command.Undo, p.ed.UndoLabel())),
			p.button(command.Redo).Title(hint(command.Redo, p.ed.RedoLabel())),
		),
		p.remarkCount(),
	)
	return kit.El("header.bar").Body(
		kit.El("div.bar-left").Body(left...),
		p.button(command.TidyUp),
		p.button(command.Help),
		p.button(command.Theme),
		kit.IconButton("right", "Inspector", "panel-right", true).Aria("pressed", kit.Yes(p.right)),
		kit.Account(p.user),
		p.textButton(command.Import),
		p.textButton(command.Export),
		p.button(command.ExportFlows),
		p.more(),
		kit.El("button.primary type=button data-act=save title=Ctrl+S disabled=%", kit.Yes(!p.ed.Unsaved() || p.ed.ReadOnly() || p.saver.state == stateSaving)).Text("Save"),
	)
}

// remarkCount says how many problems the form has, else how many warnings.
func (p *editorPage) remarkCount() app.UI {
	count := func(class, text string) app.UI {
		return kit.El("button.quiet type=button class=% data-act=tab data-arg=problems", class).Body(kit.Icon("warn"), kit.El("span").Text(text))
	}
	if n := len(p.ed.Problems()); n > 0 {
		return count("bad", kit.Several(n, "1 problem", "%d problems"))
	}
	if n := len(p.ed.Warnings()); n > 0 {
		return count("note", kit.Several(n, "1 warning", "%d warnings"))
	}
	return kit.El("span hidden=true")
}

// more is the menu of what a narrow bar has no room for. The browser opens and
// closes it.
func (p *editorPage) more() app.UI {
	item := func(act, name, symbol string, enabled bool) app.UI {
		return kit.El("button.menu-item type=button popovertarget=more popovertargetaction=hide data-act=% disabled=%", act, kit.Yes(!enabled)).
			Body(kit.Icon(symbol), kit.El("span").Text(name))
	}
	does := func(id command.ID) app.UI {
		c := command.Of(id)
		return item(string(id), c.Title, c.Icon, p.applies(id))
	}
	link := func(address, name, symbol string) app.UI {
		return kit.El("a.menu-item href=%", address).Body(kit.Icon(symbol), kit.El("span").Text(name))
	}
	return kit.El("span.more").Body(
		kit.El("button.icon type=button popovertarget=more aria-label=% title=%", "More", "More").Body(kit.Icon("more")),
		kit.El("div.menu.more-menu id=more popover=auto aria-label=%", "More").Body(
			does(command.Import), does(command.Export), does(command.ExportFlows), does(command.TidyUp), does(command.Help), does(command.Theme),
			link("/account", "Your account", "user"),
			app.If(p.user.Can("read:clients"), func() app.UI { return link("/admin", "Administration", "settings") }),
			item("sign-out", "Sign out", "leave", true),
		),
	)
}

// button is the button of a command that shows its icon only.
func (p *editorPage) button(id command.ID) app.HTMLElem {
	c := command.Of(id)
	return kit.IconButton(string(id), c.Title, c.Icon, p.applies(id))
}

// textButton is the button of a command that shows its title.
func (p *editorPage) textButton(id command.ID) app.UI {
	return kit.TextButton(string(id), command.Of(id).Title, "secondary").Attr("disabled", !p.applies(id))
}

// hint is the tooltip of a command's button; label is what it would do.
func hint(id command.ID, label string) string {
	c := command.Of(id)
	name := c.Title
	if label != "" {
		name = fmt.Sprintf("%s: %s", name, label)
	}
	return name + " (" + c.Shortcut() + ")"
}

// saveState says in words how the form stands.
func (p *editorPage) saveState() app.UI {
	state, text, title := p.saver.State(), "", p.saver.message
	switch state {
	case stateSaved:
		text = "Saved"
		if !p.saver.savedAt.IsZero() {
			text += " " + p.saver.savedAt.Local().Format("15:04")
			title = p.saver.savedAt.Local().Format("2 January 2006, 15:04:05")
		}
	case stateDirty:
		text = kit.Several(p.ed.ChangeCount(), "1 change", "%d changes")
		if p.draft.status() != draft.Failed && !p.draft.keeper.KeptAt().IsZero() {
			title = fmt.Sprintf("Kept in this browser, %s", p.draft.keeper.KeptAt().Local().Format("2 January 2006, 15:04:05"))
		}
	case stateSaving:
		text = "Saving…"
	case stateConflict:
		text = "Changed elsewhere"
	case stateOffline:
		text = "Not saved"
	case stateError:
		text = "Not saved"
	}
	if p.ed.ReadOnly() {
		text = "Read-only: your account may not change forms"
	}
	return kit.El("span.save role=status data-save-state=% data-draft=% title=%", state, string(p.draft.status()), title).Body(kit.El("span.dot"), kit.El("span").Text(text))
}

// banners say what stands in the way of saving, and the ways on.
func (p *editorPage) banners() app.UI {
	if p.saver == nil {
		return kit.El("div.banners")
	}
	switch {
	case p.saver.signedOut:
		return kit.El("div.banners").Body(banner("user", "Your session has ended. Sign in again to save; your work stays here.", kit.TextButton("sign-in", "Sign in again", "primary")))
	case p.saver.State() == stateConflict:
		return kit.El("div.banners").Body(banner("warn", "This form was saved elsewhere after you opened it.", kit.TextButton("theirs", "Load the saved version", "secondary"), kit.TextButton("mine", "Save mine over it", "danger"), kit.TextButton("merge", "Merge", "primary")))
	case p.saver.State() == stateSaving && p.saver.slow:
		return kit.El("div.banners").Body(banner("warn", "The server is slow to answer. Your work stays here.", kit.TextButton("cancel-save", "Cancel", "secondary")))
	case p.saver.State() == stateOffline:
		return kit.El("div.banners").Body(banner("warn", fmt.Sprintf("%s Your work stays here.", p.saver.message)+" "+"Formgraph will try again automatically.", kit.TextButton("save", "Try again", "secondary")))
	case p.saver.State() == stateError && p.saver.gone:
		return kit.El("div.banners").Body(banner("warn", p.saver.message, kit.TextButton("save-as-new", "Save as a new form", "primary").Attr("disabled", !p.user.Can("create:forms"))))
	case p.saver.State() == stateError && p.saver.message != "":
		return kit.El("div.banners").Body(banner("warn", p.saver.message, append(p.refusedButtons(), kit.TextButton("save", "Try again", "secondary"))...))
	}
	for _, b := range []app.UI{p.draftBanner(), p.flowBanner()} {
		if b != nil {
			return kit.El("div.banners").Body(b)
		}
	}
	return kit.El("div.banners")
}

// banner says one thing, with the ways on.
func banner(symbol, text string, buttons ...app.UI) app.UI {
	body := append([]app.UI{kit.Icon(symbol), kit.El("span").Text(text), kit.El("span.push")}, buttons...)
	return kit.El("div.banner role=alert").Body(body...)
}

// nameOf returns the command that edits the form's name.
func nameOf(text string) editor.Command {
	return editor.Set{Path: schema.Path{schema.Key("name")}, Value: schema.WellFormed(text)}
}
