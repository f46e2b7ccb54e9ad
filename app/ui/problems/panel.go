// Package problems is the tab of the left panel that lists the problems and warnings of the form and
// selects their places.
package problems

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/schema"
)

// shownLimit is the maximum number of problems, and of warnings, that are drawn.
const shownLimit = 300

// Panel lists the problems and warnings of the form.
type Panel struct {
	*workspace.Workspace
	// Refused returns the problems that the server found in the last save.
	Refused func() schema.Problems

	at int // index of the problem to which Step moved
}

// New returns the panel of a workspace.
func New(w *workspace.Workspace, refused func() schema.Problems) *Panel {
	return &Panel{Workspace: w, Refused: refused, at: -1}
}

// Draw lists the person's problems, those that the saved form has already, those that the server found in the last save, and the warnings; a
// press selects the place.
func (p *Panel) Draw() app.UI {
	own, inherited, warnings, refused := p.Editor.Own(), p.Editor.Inherited(), p.Editor.Warnings(), p.Refused()
	if len(p.all()) == 0 {
		return kit.El("div data-testid=problems").Body(kit.Notice("check", "No problems", "This form has no problems and no warnings.", nil))
	}
	first := 0
	var parts []app.UI
	list := func(title, class string, problems schema.Problems, note string) {
		if len(problems) > 0 && note != "" {
			parts = append(parts, kit.El("h2.sub").Text(title), kit.El("p.quiet-text").Text(note))
		}
		if len(problems) > 0 || first == 0 && len(parts) == 0 {
			parts = append(parts, p.remarks(title, problems, first, class))
		}
		first += len(problems)
	}
	list("Problems", "", own, "")
	list("Already in the saved form", "note", inherited,
		"These problems were there when the form was opened or last saved. You can save the form despite them.")
	list("Warnings", "note", warnings, "You can save the form despite these.")
	list("Refused by the tenant", "", refused, "The tenant found these problems in the last save.")
	return kit.El("div data-testid=problems").Body(parts...)
}

// remarks lists problems or warnings; first is the index of the first one among all.
func (p *Panel) remarks(title string, list schema.Problems, first int, class string) app.UI {
	var items []app.UI
	for i, pr := range list {
		if i == shownLimit {
			items = append(items, kit.El("li.quiet-text").Text(fmt.Sprintf("and %d more", len(list)-i)))
			break
		}
		who, text := describe.Problem(p.Editor.State().Form, pr)
		path := pr.Path.String()
		items = append(items,
			kit.El("li").Body(kit.El("button.problem type=button class=% data-act=problem data-arg=% data-problem-path=% title=%", class,
				strconv.Itoa(first+i), path, path).Body(
				kit.Icon("warn"), kit.El("span.grow").Body(kit.El("span").Body(kit.El("b").Text(who), app.Text(text)),
					kit.El("code hidden=true").Text(path)),
			)))
	}
	return kit.El("ul.problems aria-label=% hidden=%", title, kit.Yes(len(items) == 0)).Body(items...)
}

// all returns everything that Draw lists, in its order. Saver.Banner relies on the problems that the server found being last.
func (p *Panel) all() schema.Problems {
	return slices.Concat(p.Editor.Own(), p.Editor.Inherited(), p.Editor.Warnings(), p.Refused())
}

// GoTo selects the place of a problem or a warning and moves the focus to its row.
func (p *Panel) GoTo(ctx app.Context, i int) {
	problems := p.all()
	if i >= len(problems) {
		return
	}
	p.ShowPlace(ctx, problems[i].Path)
}

// Step moves to the next or previous problem, wrapping around.
func (p *Panel) Step(ctx app.Context, by int) {
	n := len(p.all())
	if n == 0 {
		p.Say(ctx, "No problems"+".")
		return
	}
	p.at = ((p.at+by)%n + n) % n
	p.GoTo(ctx, p.at)
}

// Count is the button with the number of the person's problems, or else of those that the form had already, or else of warnings.
func (p *Panel) Count() app.UI {
	count := func(class, text string) app.UI {
		return kit.El("button.quiet type=button class=% data-act=tab data-arg=problems", class).Body(kit.Icon("warn"), kit.El("span").Text(text))
	}
	if n := len(p.Editor.Own()); n > 0 {
		return count("bad", kit.Several(n, "1 problem", "%d problems"))
	}
	if n := len(p.Editor.Inherited()); n > 0 {
		return count("note", kit.Several(n, "1 earlier problem", "%d earlier problems"))
	}
	if n := len(p.Editor.Warnings()); n > 0 {
		return count("note", kit.Several(n, "1 warning", "%d warnings"))
	}
	return kit.El("span hidden=true")
}
