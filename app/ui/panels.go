package ui

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// leftPanel holds the palette, the outline and the problems as tabs.
func (p *editorPage) leftPanel() app.UI {
	// The palette needs no form, and is drawn while the server is asked for one.
	problems, warnings := 0, 0
	if p.ed != nil {
		problems, warnings = len(p.ed.Problems()), len(p.ed.Warnings())
	}
	tab := func(key, name string, count int, class string) app.UI {
		b := kit.El("button type=button role=tab id=% aria-selected=% data-act=tab data-arg=% disabled=%", "tab-"+key, kit.Yes(p.tab == key), key, kit.Yes(p.ed == nil))
		if count == 0 {
			return b.Text(name)
		}
		// The count is drawn by the style sheet: the tab's name stays its name.
		return b.Text(name).Class(strings.TrimSpace("counted "+class)).DataSet("count", count).Aria("label", name)
	}
	var body app.UI
	switch p.tab {
	case "outline":
		body = p.outline()
	case "problems":
		body = p.problemList()
	case "history":
		body = p.historyList()
	default:
		body = p.palette()
	}
	marked := tab("problems", "Problems", problems, "")
	if problems == 0 {
		marked = tab("problems", "Problems", warnings, "note")
	}
	return kit.El("aside.left aria-label=%", "Components and outline").Body(
		kit.El("div.tabs role=tablist").Body(tab("components", "Components", 0, ""), tab("outline", "Outline", 0, ""), marked, tab("history", "History", 0, ""), panelClose("left")),
		kit.El("div.tab-panel role=tabpanel aria-labelledby=%", "tab-"+p.tab).Body(body),
	)
}

// panelClose closes a panel that covers the canvas, in a narrow window.
func panelClose(act string) app.UI {
	return kit.El("button.icon.panel-close type=button aria-label=% title=% data-act=%", "Close the panel", "Close the panel", act).Body(kit.Icon("close"))
}

// palette lists the component kinds; a press adds one to the selected step.
func (p *editorPage) palette() app.UI {
	body := []app.UI{
		kit.El("label.field-search").Body(kit.Icon("search"), kit.El("input id=palette-filter type=search placeholder=% aria-label=% data-held=%", fmt.Sprintf("Search %d components", len(model.Kinds)), fmt.Sprintf("Search %d components", len(model.Kinds)), kit.Held(p.filter))),
	}
	if strings.TrimSpace(p.filter) != "" {
		return kit.El("div data-testid=palette").Body(append(body, p.foundKinds()...)...)
	}
	for _, group := range []struct {
		title    string
		category model.Category
	}{{"Fields", model.Field}, {"Blocks", model.Block}, {"Widgets", model.Widget}} {
		var items []app.UI
		for i := range model.Kinds {
			if k := &model.Kinds[i]; k.Category == group.category {
				items = append(items, p.paletteItem(k))
			}
		}
		list := "ul.pal"
		if group.category == model.Widget {
			list = "ul.pal.wide" // their names are long
		}
		body = append(body, kit.El("h2.sub").Text(group.title), kit.El(list).Body(items...))
	}
	return kit.El("div data-testid=palette").Body(body...)
}

// foundKinds lists the component kinds that the palette's search finds, the best first.
func (p *editorPage) foundKinds() []app.UI {
	var items []app.UI
	for _, k := range find.Kinds(p.filter) {
		items = append(items, p.paletteItem(k))
	}
	if len(items) == 0 {
		return []app.UI{kit.El("p.quiet-text role=status").Text(fmt.Sprintf("No component matches “%s”.", strings.TrimSpace(p.filter))), kit.TextButton("clear-filter", "Clear the search", "link")}
	}
	return []app.UI{kit.El("ul.pal.wide").Body(items...)}
}

func (p *editorPage) paletteItem(k *model.Kind) app.UI {
	return kit.El("li").Body(kit.El("button.pal-item type=button data-act=add-component data-arg=% title=% disabled=%", k.Type, k.Doc, kit.Yes(p.ed == nil || p.ed.ReadOnly())).Body(kit.Icon(k.Icon), kit.El("span").Text(k.Label)))
}

// outline is where the tree of the form is drawn; see outlineTree. No other part
// of the panel has its tag: go-app would take the element over, with what is in
// it.
func (p *editorPage) outline() app.UI {
	return kit.El("ol.outline data-testid=outline role=tree aria-multiselectable=true aria-label=%", "Outline")
}

// remark is a text that sentence makes one to read.
type remark string

func (s remark) Error() string { return string(s) }

func badge(problems int) app.UI {
	if problems == 0 {
		return kit.El("span hidden=true")
	}
	return kit.El("span.badge title=%", kit.Several(problems, "1 problem", "%d problems")).Body(kit.Icon("warn"), kit.El("span").Text(problems))
}
