package ui

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// remarkLimit bounds how many problems, and how many warnings, are drawn at once.
const remarkLimit = 300

// problemList lists every problem, then every warning; a press goes to where it
// is.
func (p *editorPage) problemList() app.UI {
	problems, warnings := p.ed.Problems(), p.ed.Warnings()
	if len(problems)+len(warnings) == 0 {
		return kit.El("div data-testid=problems").Body(kit.Notice("check", "No problems", "This form has no problems and no warnings.", nil))
	}
	parts := []app.UI{p.remarks("Problems", problems, 0, "")}
	if len(warnings) > 0 {
		parts = append(parts, kit.El("h2.sub").Text("Warnings"), kit.El("p.quiet-text").Text("These do not keep the form from being saved."), p.remarks("Warnings", warnings, len(problems), "note"))
	}
	return kit.El("div data-testid=problems").Body(parts...)
}

// remarks lists problems or warnings; first is the number of the first one among
// all of them.
func (p *editorPage) remarks(title string, list schema.Problems, first int, class string) app.UI {
	var items []app.UI
	for i, pr := range list {
		if i == remarkLimit {
			items = append(items, kit.El("li.quiet-text").Text(fmt.Sprintf("and %d more", len(list)-i)))
			break
		}
		who, text := inWords(p.ed.State().Form, pr)
		path := pr.Path.String()
		items = append(items, kit.El("li").Body(kit.El("button.problem type=button class=% data-act=problem data-arg=% data-problem-path=% title=%", class, strconv.Itoa(first+i), path, path).Body(
			kit.Icon("warn"), kit.El("span.grow").Body(kit.El("span").Body(kit.El("b").Text(who), app.Text(text)), kit.El("code hidden=true").Text(path)),
		)))
	}
	return kit.El("ul.problems aria-label=% hidden=%", title, kit.Yes(len(items) == 0)).Body(items...)
}

// refusedLimit bounds how many problems of the server a banner lists.
const refusedLimit = 5

// refusedButtons lists what the server found in what was saved; a press goes to where it is.
func (p *editorPage) refusedButtons() []app.UI {
	var items []app.UI
	first := len(p.ed.Problems()) + len(p.ed.Warnings())
	for i, pr := range p.saver.problems {
		if i == refusedLimit {
			items = append(items, kit.El("span.quiet-text").Text(fmt.Sprintf("and %d more", len(p.saver.problems)-i)))
			break
		}
		who, text := inWords(p.ed.State().Form, pr)
		path := pr.Path.String()
		items = append(items, kit.El("button.link type=button data-act=problem data-arg=% data-problem-path=% title=%", strconv.Itoa(first+i), path, path).Text(who+text))
	}
	return items
}

// allProblems lists the form's problems, its warnings and what the server found, in this order.
func (p *editorPage) allProblems() schema.Problems {
	return slices.Concat(p.ed.Problems(), p.ed.Warnings(), p.saver.problems)
}

// goToProblem selects what a problem or a warning is about and moves the focus to its row.
func (p *editorPage) goToProblem(ctx app.Context, i int) {
	problems := p.allProblems()
	if i >= len(problems) {
		return
	}
	path := problems[i].Path
	f := p.ed.State().Form
	at, _ := f.At(path)
	sel := editor.SelectPlace(f, at)
	p.right = true
	p.ed.Select(sel)
	if id := sel.Only(); id != "" {
		p.show(id)
	}
	kit.FocusSoon(ctx, "[data-path="+strconv.Quote(path.String())+"]", 0)
}

// stepProblem goes to the next problem, or the one before, round and round.
func (p *editorPage) stepProblem(ctx app.Context, by int) {
	n := len(p.allProblems())
	if n == 0 {
		p.say(ctx, "No problems"+".")
		return
	}
	p.problem = ((p.problem+by)%n + n) % n
	p.goToProblem(ctx, p.problem)
}
