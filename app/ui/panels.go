//go:build js

package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// leftPanel holds the palette, the outline and the problems as tabs.
func (p *editorPage) leftPanel() app.UI {
	if p.ed == nil {
		return el("aside.left aria-hidden=true")
	}
	problems, warnings := len(p.ed.Problems()), len(p.ed.Warnings())
	tab := func(name string, count int, class string) app.UI {
		b := el("button type=button role=tab id=% aria-selected=% data-act=tab data-arg=%", "tab-"+name, yes(p.tab == name), name)
		if count == 0 {
			return b.Text(name)
		}
		// The count is drawn by the style sheet: the tab's name stays its name.
		return b.Text(name).Class(strings.TrimSpace("counted "+class)).DataSet("count", count).Aria("label", name)
	}
	var body app.UI
	switch p.tab {
	case t.Outline:
		body = p.outline()
	case t.Problems:
		body = p.problemList()
	case t.History:
		body = p.historyList()
	default:
		body = p.palette()
	}
	marked := tab(t.Problems, problems, "")
	if problems == 0 {
		marked = tab(t.Problems, warnings, "note")
	}
	return el("aside.left aria-label=%", t.LeftPanel).Body(
		el("div.tabs role=tablist").Body(tab(t.Components, 0, ""), tab(t.Outline, 0, ""), marked, tab(t.History, 0, "")),
		el("div.tab-panel role=tabpanel aria-labelledby=%", "tab-"+p.tab).Body(body),
	)
}

// palette lists the component kinds; a press adds one to the selected step.
func (p *editorPage) palette() app.UI {
	body := []app.UI{
		el("label.field-search").Body(icon("search"), el("input id=palette-filter type=search placeholder=% aria-label=% data-held=%", fmt.Sprintf(t.SearchComponents, len(model.Kinds)), fmt.Sprintf(t.SearchComponents, len(model.Kinds)), held(p.filter))),
	}
	for _, group := range []struct {
		title    string
		category model.Category
	}{{t.Fields, model.Field}, {t.Blocks, model.Block}, {t.Widgets, model.Widget}} {
		var items []app.UI
		for _, k := range model.Kinds {
			if k.Category != group.category || !strings.Contains(strings.ToLower(k.Label+" "+k.Type), strings.ToLower(p.filter)) {
				continue
			}
			items = append(items, el("li").Body(el("button.pal-item type=button data-act=add-component data-arg=% title=% disabled=%", k.Type, k.Doc, yes(p.ed.ReadOnly())).Body(icon(k.Icon), el("span").Text(k.Label))))
		}
		if len(items) > 0 {
			list := "ul.pal"
			if group.category == model.Widget {
				list = "ul.pal.wide" // their names are long
			}
			body = append(body, el("h2.sub").Text(group.title), el(list).Body(items...))
		}
	}
	return el("div data-testid=palette").Body(body...)
}

// outlineLimit bounds how many nodes the outline draws at once.
const outlineLimit = 300

// outline lists the nodes and their components as text: the same form for those
// who do not see the canvas.
func (p *editorPage) outline() app.UI {
	f := p.ed.State().Form
	sel := p.ed.State().Selection
	item := func(id, name, symbol string, problems int, parts []app.UI) app.UI {
		body := []app.UI{el("button.out-item type=button data-act=go data-arg=% aria-pressed=%", id, yes(sel.Has(id))).
			Body(el("span.k class=%", symbol).Body(icon(symbol)), el("span.grow").Text(name), badge(problems))}
		if len(parts) > 0 {
			body = append(body, el("ul.out-parts").Body(parts...))
		}
		return el("li").Body(body...)
	}
	items := []app.UI{item(model.StartID, t.Start, "start", p.ed.ProblemsOf(model.StartID), nil)}
	for i, n := range f.Nodes {
		if i == outlineLimit {
			items = append(items, el("li.quiet-text").Text(fmt.Sprintf("and %d more nodes", len(f.Nodes)-i)))
			break
		}
		var parts []app.UI
		if s, ok := n.Config.(*model.Step); ok {
			for _, c := range s.Components {
				parts = append(parts, p.outlinePart(n.ID, c, sel.Component == c.ID && sel.Has(n.ID)))
			}
		}
		items = append(items, item(n.ID, inspector.NodeName(n), strings.ToLower(string(n.Type)), p.ed.ProblemsOf(n.ID), parts))
	}
	items = append(items, item(model.EndingID, t.Ending, "ending", p.ed.ProblemsOf(model.EndingID), nil))
	return el("ul.outline data-testid=outline aria-label=%", t.Outline).Body(items...)
}

func (p *editorPage) outlinePart(node string, c *model.Component, selected bool) app.UI {
	symbol := "unknown"
	if c.Kind != nil {
		symbol = c.Kind.Icon
	}
	return el("li").Body(el("button.out-item.part type=button data-act=part data-arg=% aria-pressed=%", node+" "+c.ID, yes(selected)).Body(icon(symbol), el("span.grow").Text(graph.ComponentName(c))))
}

// problemList lists every problem, then every warning; a press goes to where it
// is.
func (p *editorPage) problemList() app.UI {
	problems, warnings := p.ed.Problems(), p.ed.Warnings()
	if len(problems)+len(warnings) == 0 {
		return el("div data-testid=problems").Body(notice("check", t.NoProblems, t.NoProblemsText, nil))
	}
	parts := []app.UI{p.remarks(t.Problems, problems, 0, "")}
	if len(warnings) > 0 {
		parts = append(parts, el("h2.sub").Text(t.Warnings), el("p.quiet-text").Text(t.WarningsText), p.remarks(t.Warnings, warnings, len(problems), "note"))
	}
	return el("div data-testid=problems").Body(parts...)
}

// remarks lists problems or warnings; first is the number of the first one among
// all of them.
func (p *editorPage) remarks(title string, list schema.Problems, first int, class string) app.UI {
	var items []app.UI
	for i, pr := range list {
		if i == outlineLimit {
			items = append(items, el("li.quiet-text").Text(fmt.Sprintf("and %d more", len(list)-i)))
			break
		}
		items = append(items, el("li").Body(el("button.problem type=button class=% data-act=problem data-arg=% title=%", class, fmt.Sprint(first+i), pr.Path.String()).Body(
			icon("warn"), el("span.grow").Body(el("span").Body(el("b").Text(placeName(pr.Path)), app.Text(" "+pr.Detail+".")), el("small").Text(p.whereIs(pr.Path)), el("code").Text(pr.Path.String())),
		)))
	}
	return el("ul.problems aria-label=% hidden=%", title, yes(len(items) == 0)).Body(items...)
}

// whereIs names the part of the form that a path leads into, as its author
// knows it: "Details › Work e-mail".
func (p *editorPage) whereIs(path schema.Path) string {
	if len(path) < 2 || path[0].Key != "nodes" || path[1].Index >= len(p.ed.State().Form.Nodes) {
		if len(path) > 1 {
			return schema.Row{Name: path[0].Key}.Title()
		}
		return "Form"
	}
	n := p.ed.State().Form.Nodes[path[1].Index]
	name := inspector.NodeName(n)
	if len(path) < 5 {
		return name
	}
	switch c := n.Config.(type) {
	case *model.Step:
		if i := path[4].Index; path[3].Key == "components" && i < len(c.Components) {
			name += " › " + graph.ComponentName(c.Components[i])
		}
	case *model.Router:
		if i := path[4].Index; path[3].Key == "rules" && i >= 0 {
			name += " › Rule " + strconv.Itoa(i+1)
		}
	case *model.Flow, nil:
	}
	return name
}

// placeName names the property that a problem is about.
func placeName(p schema.Path) string {
	for _, e := range slices.Backward(p) {
		if e.Index < 0 {
			return schema.Row{Name: e.Key}.Title()
		}
	}
	return "The form"
}

// remark is a text that sentence makes one to read.
type remark string

func (s remark) Error() string { return string(s) }

func badge(problems int) app.UI {
	if problems == 0 {
		return el("span hidden=true")
	}
	return el("span.badge title=%", several(problems, "problem")).Body(icon("warn"), el("span").Text(problems))
}
