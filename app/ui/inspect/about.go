package inspect

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// Facts is what the page knows about a form that is not in the form.
type Facts = inspector.Facts

// leads are the commands that show more about each fact.
var leads = map[string]command.ID{
	inspector.Nodes: command.ShowOutline, inspector.Tests: command.ShowScenarios, inspector.Problems: command.ShowProblems,
	inspector.Comments: command.ShowComments, inspector.LastSaved: command.ShowHistory,
}

// about draws the summary of the form, and in a new one what to do first.
func (p *Panel) about(panel inspector.Panel) app.UI {
	if !panel.Whole || p.Facts == nil {
		return kit.El("div hidden=true")
	}
	known, f := p.Facts(), p.Editor.State().Form
	p.tried = p.tried || known.Tried
	known.Tried = p.tried
	body := []app.UI{}
	if hints := inspector.FirstHints(f, known); len(hints) > 0 && !p.Editor.ReadOnly() {
		var items []app.UI
		for _, h := range hints {
			items = append(items, kit.El("li").Text(h))
		}
		body = append(body, kit.El("ul.first-hints aria-label=%", "First steps").Body(items...))
	}
	for _, fact := range inspector.Summary(f, known) {
		class := ""
		if fact.Wrong {
			class = "note"
		}
		body = append(body, kit.Tree("button.page-link type=button data-act=% { span.grow { % } small class=% { % } @down }",
			[]string{string(leads[fact.About]), fact.About, class, fact.Note}))
	}
	return kit.El("nav.pages aria-label=%", "Summary of the form").Body(body...)
}
