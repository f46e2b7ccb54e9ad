package forms

import (
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// Render draws the page.
func (p *Page) Render() app.UI {
	return kit.El("div.page").OnClick(p.onClick).OnInput(p.onInput).OnChange(p.onChange).On("keydown", p.onKey).Body(
		p.header.Draw(p.user),
		kit.El("main.list").Body(kit.El("h1.unseen hidden=%", kit.Yes(!p.signedOut && p.err == nil && !p.reading())).Text("Forms"),
			p.drawing.body()),
		p.question(),
		kit.El("input id=import-file type=file accept=.json,application/json hidden=true aria-label=%", "Import"),
		p.toast.Box(),
		p.header.Below(),
	)
}

// question draws the open dialog.
func (p *Page) question() app.UI {
	if ui := p.search.Draw(); ui != nil {
		return ui
	}
	return p.drawing.question()
}

// drawing draws the page.
type drawing struct {
	*desk
	told [len(columns)]bool // which columns are shown, while the list is drawn
}

// reading reports whether the list is read for the first time.
func (d *desk) reading() bool { return d.loading && d.forms == nil }

func (p drawing) body() app.UI {
	switch {
	case p.signedOut:
		return kit.Notice("user", "Sign in to Formgraph", "Draw forms as graphs of steps and rules, try them out and translate them.",
			kit.TextButton("sign-in", "Sign in", "primary"))
	case kit.Forbidden(p.err):
		return kit.NotAllowedPage(p.err, p.user)
	case client.CodeOf(p.err) == "scope" && p.remote:
		return kit.Notice("lock", "You may not see the forms", kit.Sentence(p.err)+" "+kit.AskOperator+".", nil)
	case p.err != nil:
		return kit.Notice("warn", "This could not be loaded", kit.Sentence(p.err), kit.TextButton("retry", "Try again", "primary"))
	case p.reading() && p.wait.Waiting():
		return p.wait.Page("loading")
	case p.reading():
		return kit.El("div.notice role=status").Body(kit.El("span.busy"), kit.El("p").Text("Loading the forms…"))
	}
	shown := listed(p.forms, p.query, p.order)
	parts := []app.UI{p.head(len(shown))}
	if p.failed != "" && p.dialog == "" {
		parts = append(parts, kit.El("p.failed role=alert").Body(kit.Icon("warn"), kit.El("span").Text(p.failed)))
	}
	if p.wait.Waiting() {
		parts = append(parts, kit.El("p.quiet-text").Body(p.wait.Spoken("loading")...))
	}
	if p.dialog == "" {
		parts = append(parts, p.action.Pause())
	}
	switch {
	case len(p.forms) == 0 && !p.user.Can("create:forms"):
		parts = append(parts, kit.Notice("form", "There are no forms yet", "", nil))
	case len(p.forms) == 0:
		parts = append(parts, kit.Notice("form", "Create your first form",
			"A form is a graph of steps, routers and flows that people walk through. Start with an empty form, a template or a file.",
			kit.El("div.buttons").Body(p.makers()...)), p.first())
	case len(shown) == 0:
		parts = append(parts, kit.Notice("search", "No forms match "+kit.Quote(p.query), "",
			kit.TextButton("clear-search", "Clear the search", "secondary")))
	default:
		var rows []app.UI
		p.told = telling(p.forms, p.inside.known)
		for _, f := range shown {
			rows = append(rows, p.row(f))
		}
		heads := []app.UI{
			kit.El("td.col-pick").Body(p.box(allForms, "Select all", len(p.picked()) == len(shown))), p.sortHead(byName, "Name"),
			kit.El("th.col-extra scope=col").Text("Problems"),
		}
		for i := range columns {
			heads = append(heads, kit.El("th.col-extra scope=col hidden=%", kit.Yes(!p.told[i])).Text(columns[i].name))
		}
		parts = append(parts, kit.El("table.forms").Body(
			kit.El("thead").Body(kit.El("tr").Body(append(heads, p.sortHead(byUpdated, "Updated"), kit.El("td.end"))...)),
			kit.El("tbody").Body(rows...),
		))
	}
	parts = append(parts, p.selection())
	parts = append(parts, p.lostForms()...)
	return kit.El("section").Body(parts...)
}

// head draws the title, the search, and the buttons that create a form. If there
// are no forms, the buttons are in the middle of the page, and there is no
// search.
func (p drawing) head(shown int) app.UI {
	if len(p.forms) == 0 {
		return kit.El("div.list-head").Body(kit.El("h1").Text("Forms"))
	}
	return kit.El("div.list-head").Body(append([]app.UI{
		kit.El("h1").Text("Forms"), kit.El("span.count role=status").Text(countListed(shown, len(p.forms))), kit.El("span.push"),
		kit.El("label.field-search").Body(kit.Icon("search"),
			kit.El("input id=search type=search placeholder=% aria-label=%", "Search forms", "Search forms")),
	}, p.makers()...)...)
}

// makers draws the two buttons that create a form, if the person may.
func (p drawing) makers() []app.UI {
	if !p.user.Can("create:forms") {
		return nil
	}
	return []app.UI{kit.TextButton("import", "Import", "secondary"), kit.TextButton("new", "New form", "primary")}
}

// sortHead draws the header of a sortable column.
func (p drawing) sortHead(column, name string) app.UI {
	sort := p.order.aria(column)
	symbol := "down"
	if sort == "ascending" {
		symbol = "up"
	}
	return kit.El("th scope=col class=% aria-sort=%", "col-"+column, sort).Body(
		kit.El("button.sort type=button data-act=sort data-arg=% title=%", column,
			fmt.Sprintf("Sort by %s", name)).Body(kit.El("span").Text(name), kit.Icon(symbol)))
}

func (p drawing) row(f *formapi.Summary) app.UI {
	thumb, extra := p.about(f.ID)
	cells := []app.UI{
		kit.El("td.col-pick").Body(p.box(f.ID, "Select "+f.Name, p.chosen[f.ID])),
		kit.El("td").Body(kit.El("div.form-cell").Body(
			kit.El("a.form-link href=% title=%", kit.FormAddress(f.ID), f.Name).Body(thumb, kit.El("span").Text(f.Name)),
			p.draftMark(f.ID), p.talkMark(f.ID))),
	}
	cells = append(cells, extra...)
	row := kit.El("tr data-menu=form data-of=% data-form=% aria-label=% aria-selected=%", f.ID, f.ID, f.Name, kit.Yes(p.chosen[f.ID]))
	return row.Body(append(cells,
		p.updated(f, time.Now()),
		kit.El("td.end").Body(p.rowMenu(f)),
	)...)
}

// rowMenu draws the button of the menu with the actions on a form.
func (p drawing) rowMenu(f *formapi.Summary) app.UI {
	return kit.MenuButton("icon", f.ID, "More for "+f.Name, p.header.Menu.Of() == f.ID, kit.Icon("more"))
}

// question draws the open dialog.
func (p drawing) question() app.UI {
	named := func(title, label, value, button string) app.UI {
		return p.asks(title, "primary", button,
			kit.El("label.stack for=form-name").Body(kit.El("span").Text(label),
				kit.El("input id=form-name type=text maxlength=150 autocomplete=off value=%", value)))
	}
	switch p.dialog {
	case "new":
		return p.asks("New form", "primary", "Create", kit.El("div").Body(
			kit.El("label.stack for=form-name").Body(kit.El("span").Text("Name of the form"),
				kit.El("input id=form-name type=text maxlength=150 autocomplete=off placeholder=%", p.begin.name())),
			p.templates()))
	case "delete-chosen":
		return p.asks("Delete forms", "danger", "Delete",
			kit.El("div").Body(
				kit.El("p").Text(kit.Several(len(p.picked()), "1 form will be deleted for everyone.", "%d forms will be deleted for everyone.")),
				p.listPicked()))
	case "rename":
		return named("Rename form", "Name of the form", p.target.Name, "Rename")
	case "import":
		return p.asks(p.incoming.Title(), "primary", "Create form", p.incoming.Look())
	case "bad-file":
		return kit.Tree("dialog aria-labelledby=dialog-title { h2 id=dialog-title { % } * div.buttons { * } }",
			[]string{p.bad.Title()}, kit.El("div role=alert").Body(p.bad.Body()...), kit.TextButton("cancel", "Close", "primary"))
	case "delete":
		return p.asks("Delete form", "danger", "Delete",
			kit.El("p").Text(fmt.Sprintf("%s will be deleted for everyone.", kit.Quote(p.target.Name))))
	}
	return kit.El("div hidden=true")
}

// listPicked names the chosen forms, unless they are very many.
func (p drawing) listPicked() app.UI {
	const most = 8
	list := p.picked()
	var names []app.UI
	for _, f := range list[:min(most, len(list))] {
		names = append(names, kit.El("li").Text(f.Name))
	}
	if n := len(list) - most; n > 0 {
		names = append(names, kit.El("li.dim").Text(fmt.Sprintf("and %d more", n)))
	}
	return kit.El("ul.picked").Body(names...)
}

// asks draws a dialog with a single content element and a confirming button.
func (p drawing) asks(title, class, button string, body app.UI) app.UI {
	return kit.El("dialog aria-labelledby=dialog-title class=%", "list-"+p.dialog).Body(
		kit.El("h2 id=dialog-title").Text(title),
		body,
		kit.El("p.failed role=alert hidden=%", kit.Yes(p.failed == "")).Body(kit.Icon("warn"), kit.El("span").Text(p.failed)),
		p.action.Pause(),
		kit.El("div.buttons").Body(kit.TextButton("cancel", "Cancel", "secondary"),
			kit.TextButton("confirm", button, class).Attr("disabled", p.action.Running())),
	)
}
