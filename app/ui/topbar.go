//go:build js

package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model/schema"
)

// bar draws the top bar.
func (p *editorPage) bar() app.UI {
	left := []app.UI{el("h1.unseen").Text(p.heading()), iconButton("home", t.AllForms, "home", true)}
	if p.ed == nil {
		return el("header.bar").Body(append(left, el("span.brand").Text(t.Product))...)
	}
	name := p.ed.State().Form.Name
	problems := len(p.ed.Problems())
	changed := !p.ed.Changes().Empty()
	left = append(
		left,
		iconButton("left", t.LeftPanel, "panel-left", true).Aria("pressed", yes(p.left)),
		el("span.crumb").Body(
			el("span.crumb-up").Text(t.Forms), el("span.crumb-slash aria-hidden=true").Text("/"),
			el("input.form-name type=text aria-label=% data-held=% data-path=name size=% readonly=%", t.FormName, held(name), strconv.Itoa(max(8, min(40, len([]rune(name))))), yes(p.ed.ReadOnly())),
		),
		p.saveState(),
		el("span.group").Body(
			iconButton("undo", t.Undo, "undo", p.ed.UndoLabel() != "").Title(hint(t.Undo, p.ed.UndoLabel(), "Ctrl+Z")),
			iconButton("redo", t.Redo, "redo", p.ed.RedoLabel() != "").Title(hint(t.Redo, p.ed.RedoLabel(), "Ctrl+Shift+Z")),
		),
	)
	if problems > 0 {
		left = append(left, el("button.quiet.bad type=button data-act=tab data-arg=problems").
			Body(icon("warn"), el("span").Text(several(problems, t.ProblemCount))))
	}
	if warnings := len(p.ed.Warnings()); problems == 0 && warnings > 0 {
		left = append(left, el("button.quiet.note type=button data-act=tab data-arg=problems").
			Body(icon("warn"), el("span").Text(several(warnings, t.WarningCount))))
	}
	return el("header.bar").Body(append(
		left,
		el("span.push"),
		iconButton("tidy", t.TidyUp, "tidy", !p.ed.ReadOnly() && len(p.ed.State().Form.Nodes) > 0),
		iconButton("help", t.Help, "help", true),
		iconButton("theme", t.Theme, "theme", true),
		iconButton("right", t.Inspector, "panel-right", true).Aria("pressed", yes(p.right)),
		account(p.user),
		textButton("import", t.Import, "secondary").Attr("disabled", p.ed.ReadOnly()),
		textButton("export", t.Export, "secondary"),
		el("button.primary type=button data-act=save title=Ctrl+S disabled=%", yes(!changed || p.ed.ReadOnly() || p.saver.state == stateSaving)).Text(t.Save),
	)...)
}

func hint(name, label, keys string) string {
	if label == "" {
		return name + " (" + keys + ")"
	}
	return fmt.Sprintf(t.Did, name, label) + " (" + keys + ")"
}

// saveState says in words how the form stands.
func (p *editorPage) saveState() app.UI {
	state, text, title := p.saver.State(), "", p.saver.message
	switch state {
	case stateSaved:
		text = t.Saved
		if !p.saver.savedAt.IsZero() {
			text += " " + p.saver.savedAt.Local().Format(t.TimeOfDay)
			title = p.saver.savedAt.Local().Format(t.DateTime)
		}
	case stateDirty:
		text = several(p.ed.ChangeCount(), t.ChangeCount)
	case stateSaving:
		text = t.Saving
	case stateConflict:
		text = t.Conflict
	case stateOffline:
		text = t.Offline
	case stateError:
		text = t.SaveFailed
	}
	if p.ed.ReadOnly() {
		text = t.ReadOnly
	}
	return el("span.save role=status data-save-state=% title=%", state, title).Body(el("span.dot"), el("span").Text(text))
}

// banners say what stands in the way of saving, and the ways on.
func (p *editorPage) banners() app.UI {
	if p.saver == nil {
		return el("div.banners")
	}
	banner := func(symbol, text string, buttons ...app.UI) app.UI {
		body := append([]app.UI{icon(symbol), el("span").Text(text), el("span.push")}, buttons...)
		return el("div.banner role=alert").Body(body...)
	}
	switch {
	case p.saver.signedOut:
		return el("div.banners").Body(banner("user", t.SessionEnded, textButton("sign-in", t.SignInAgain, "primary")))
	case p.saver.State() == stateConflict:
		return el("div.banners").Body(banner("warn", t.ConflictText, textButton("theirs", t.TakeTheirs, "secondary"), textButton("mine", t.SaveMine, "danger"), textButton("merge", t.Merge, "primary")))
	case p.saver.State() == stateOffline:
		return el("div.banners").Body(banner("warn", fmt.Sprintf(t.WorkStays, p.saver.message), textButton("save", t.Retry, "secondary")))
	case p.saver.State() == stateError && p.saver.message != "":
		texts := []string{p.saver.message}
		for _, pr := range p.saver.problems {
			texts = append(texts, pr.Path+": "+pr.Detail+".")
		}
		return el("div.banners").Body(banner("warn", strings.Join(texts, " "), textButton("save", t.Retry, "secondary")))
	}
	return el("div.banners")
}

// nameOf returns the command that edits the form's name.
func nameOf(text string) editor.Command {
	return editor.Set{Path: schema.Path{schema.Key("name")}, Value: schema.WellFormed(text)}
}
