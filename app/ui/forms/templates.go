package forms

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// beginnings are the forms to begin with, and the chosen one.
type beginnings struct {
	list   []formapi.Template
	chosen string // the id, "" for an empty form
}

// readTemplates reads the templates when somebody is about to need them.
func (p *desk) readTemplates(ctx app.Context) {
	p.begin.chosen = ""
	if p.begin.list != nil {
		return
	}
	p.life.Async(ctx, func(c context.Context) func(app.Context) {
		list, err := formapi.Templates(c, p.client)
		return func(app.Context) {
			if err == nil {
				p.begin.list = list
			}
		}
	})
}

// templates draws the choice of what a new form begins with.
func (p drawing) templates() app.UI {
	items := []app.UI{p.template(formapi.Template{Name: "Empty form", About: "One step with a button.", Picture: emptyPicture()})}
	for i := range p.begin.list {
		items = append(items, p.template(p.begin.list[i]))
	}
	return kit.El("div.templates role=radiogroup aria-label=%", "Begin with").Body(items...)
}

// emptyPicture draws an empty form as the server draws the templates.
func emptyPicture() formapi.Picture {
	drawn := graph.New(firstForm("")).Thumbnail(thumbWidth, thumbHeight)
	return formapi.Picture{Edges: drawn.Edges, Nodes: kit.ByKind(drawn.Nodes)}
}

// The size of thumbnails, in pixels, as the server draws them.
const (
	thumbWidth  = 88
	thumbHeight = 48
)

func (p drawing) template(t formapi.Template) app.UI {
	return kit.El("label.template").Body(
		kit.El("input type=radio name=template data-template=% checked=%", t.ID, kit.Yes(p.begin.chosen == t.ID)),
		kit.Thumbnail(t.Edges, t.Nodes), kit.El("span").Body(kit.El("b").Text(t.Name), kit.El("small").Text(t.About)))
}

// name returns the name of a new form whose author has not named it.
func (b *beginnings) name() string {
	for i := range b.list {
		if b.list[i].ID == b.chosen {
			return b.list[i].Name
		}
	}
	return "Untitled form"
}

// firstTemplates is the number of templates that a list without forms offers.
const firstTemplates = 3

// first draws the first templates, which a list without forms offers.
func (p drawing) first() app.UI {
	var items []app.UI
	for i := range p.begin.list[:min(firstTemplates, len(p.begin.list))] {
		t := &p.begin.list[i]
		items = append(items, kit.Tree("button.template type=button data-act=begin data-arg=% { * span { b { % } small { % } } }", []string{t.ID, t.Name, t.About}, kit.Thumbnail(t.Edges, t.Nodes)))
	}
	return kit.El("div.templates.first role=group aria-label=% hidden=%", "Templates", kit.Yes(items == nil)).Body(items...)
}

// createFrom creates a form from the chosen template, with its scenarios, and opens it.
func (p *desk) createFrom(ctx app.Context, name string) {
	tenant := transfer.Tenant{Client: p.client, Remote: p.remote, Flows: p.user.Can(workspace.ReadFlows)}
	id := p.begin.chosen
	p.make(ctx, func(c context.Context) (*model.Form, *schema.Object, error) {
		text, scenarios, err := formapi.ReadTemplate(c, p.client, id)
		if err != nil {
			return nil, nil, err
		}
		f, err := tenant.Form(c, id, text)
		if err != nil {
			return nil, nil, err
		}
		f, err = transfer.Content(f).Set(schema.Path{schema.Key("name")}, name)
		return f, scenarios, err
	})
}
