//go:build js

package ui

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// remarkLimit bounds how many problems, and how many warnings, are drawn at once.
const remarkLimit = 300

// problemList lists every problem, then every warning; a press goes to where it
// is.
func (p *editorPage) problemList() app.UI {
	problems, warnings := p.ed.Problems(), p.ed.Warnings()
	if len(problems)+len(warnings) == 0 {
		return kit.El("div data-testid=problems").Body(kit.Notice("check", t.NoProblems, t.NoProblemsText, nil))
	}
	parts := []app.UI{p.remarks(t.Problems, problems, 0, "")}
	if len(warnings) > 0 {
		parts = append(parts, kit.El("h2.sub").Text(t.Warnings), kit.El("p.quiet-text").Text(t.WarningsText), p.remarks(t.Warnings, warnings, len(problems), "note"))
	}
	return kit.El("div data-testid=problems").Body(parts...)
}

// remarks lists problems or warnings; first is the number of the first one among
// all of them.
func (p *editorPage) remarks(title string, list schema.Problems, first int, class string) app.UI {
	var items []app.UI
	for i, pr := range list {
		if i == remarkLimit {
			items = append(items, kit.El("li.quiet-text").Text(fmt.Sprintf(t.AndMoreRows, len(list)-i)))
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

// goToProblem selects what a problem or a warning is about and moves the focus to its row.
func (p *editorPage) goToProblem(ctx app.Context, i int) {
	problems := slices.Concat(p.ed.Problems(), p.ed.Warnings())
	if i >= len(problems) {
		return
	}
	path := problems[i].Path
	f := p.ed.State().Form
	sel := editor.Selection{}
	switch {
	case len(path) > 0 && path[0].Key == "start":
		sel = editor.SelectNodes(model.StartID)
	case len(path) > 0 && path[0].Key == "ending":
		sel = editor.SelectNodes(model.EndingID)
	case len(path) > 1 && path[0].Key == "nodes" && path[1].Index < len(f.Nodes):
		n := f.Nodes[path[1].Index]
		sel = editor.SelectNodes(f.Keys()[path[1].Index])
		if len(path) > 4 {
			switch c := n.Config.(type) {
			case *model.Step:
				if path[3].Key == "components" && path[4].Index < len(c.Components) {
					sel.Component = c.Components[path[4].Index].ID
				}
			case *model.Router:
				if path[3].Key == "rules" && path[4].Index < len(c.Rules) {
					sel.Rule = c.Rules[path[4].Index].ID
				}
			case *model.Flow, nil:
			}
		}
	}
	p.right = true
	p.ed.Select(sel)
	if id := sel.Only(); id != "" {
		p.show(id)
	}
	kit.FocusSoon(ctx, "[data-path="+strconv.Quote(path.String())+"]", 0)
}

// stepProblem goes to the next problem, or the one before, round and round.
func (p *editorPage) stepProblem(ctx app.Context, by int) {
	n := len(p.ed.Problems()) + len(p.ed.Warnings())
	if n == 0 {
		p.say(ctx, t.NoProblems+".")
		return
	}
	p.problem = ((p.problem+by)%n + n) % n
	p.goToProblem(ctx, p.problem)
}
