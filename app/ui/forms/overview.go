package forms

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// contents is what is in the forms of the list. Each is asked for once it is in the list, a few at a time, since the tenant is asked for the
// whole form.
type contents struct {
	known  map[string]formapi.Overview
	asked  map[string]bool // as of their last change
	failed map[string]bool
	busy   int
	flows  map[string]bool // of the tenant, by id; nil until they are asked for, and empty until they are known
}

// maxAsked is how many forms are asked for at once.
const maxAsked = 2

// ask asks for what is in the forms that are listed and not known yet. A failure leaves the row without it.
func (p *desk) ask(ctx app.Context) {
	if p.inside.asked == nil {
		p.inside = contents{known: map[string]formapi.Overview{}, asked: map[string]bool{}, failed: map[string]bool{}}
	}
	for _, f := range listed(p.forms, p.query, p.order) {
		version := f.ID + " " + f.UpdatedAt.String()
		if p.inside.busy >= maxAsked {
			return
		}
		if p.inside.asked[version] {
			continue
		}
		p.inside.asked[version] = true
		p.inside.busy++
		id := f.ID
		p.life.Async(ctx, func(c context.Context) func(app.Context) {
			o, err := formapi.ReadOverview(c, p.client, id)
			return func(ctx app.Context) {
				p.inside.busy--
				p.inside.failed[id] = err != nil
				if err == nil {
					p.inside.known[id] = o
					p.askForFlows(ctx, o)
				}
				if client.CodeOf(err) != client.CodeRateLimited && kit.StatusOf(err) != 401 {
					p.ask(ctx)
				}
			}
		})
	}
}

// askForFlows asks for the flows of the tenant once, if a form refers to any. A person who may not read them learns of none that is missing.
func (p *desk) askForFlows(ctx app.Context, o formapi.Overview) {
	if p.inside.flows != nil || len(o.Flows) == 0 {
		return
	}
	p.inside.flows = map[string]bool{}
	p.life.Async(ctx, func(c context.Context) func(app.Context) {
		flows, err := formapi.Flows(c, p.client)
		return func(app.Context) {
			if err != nil {
				return
			}
			for _, f := range flows {
				p.inside.flows[f.ID] = true
			}
		}
	})
}

// lacking returns how many places of a form name a flow that the tenant is known to lack.
func (c *contents) lacking(o formapi.Overview) (n int) {
	for _, id := range o.Flows {
		if len(c.flows) > 0 && !c.flows[id] {
			n++
		}
	}
	return n
}

// talkMark draws how many comments on a form are for the person, who has not read them.
func (p drawing) talkMark(id string) app.UI {
	n := p.inside.known[id].Mentions
	return app.If(n > 0, func() app.UI {
		return kit.El("span.for-you").Body(kit.Icon("comment"), app.Text(kit.Several(n, "1 comment for you", "%d comments for you")))
	})
}

// reading reports whether what is in a form is being read, or will be.
func (c *contents) reading(id string) bool { return c.busy > 0 && !c.failed[id] }

// about draws the cells with what is in a form, which are empty if it could not be read.
func (p drawing) about(id string) (thumb app.UI, cells []app.UI) {
	o, ok := p.inside.known[id]
	if !ok {
		words := ""
		if p.inside.reading(id) {
			words = "Reading…"
		}
		cells = []app.UI{kit.El("td.col-extra").Body(kit.El("span.dim").Text(words))}
		for i := range columns {
			cells = append(cells, kit.El("td.col-extra hidden=%", kit.Yes(!p.told[i])))
		}
		return kit.El("span.thumb"), cells
	}
	problems := kit.El("span.good").Body(kit.Icon("tick"), app.Text("None"))
	warnings := o.Warnings + p.inside.lacking(o)
	switch {
	case o.Problems > 0:
		problems = kit.El("span.bad").Body(kit.Icon("warn"), app.Text(kit.Several(o.Problems, "1 problem", "%d problems")))
	case o.Unchecked:
		text := "Not all checked"
		if warnings > 0 {
			text = kit.Several(warnings, "At least 1 warning", "At least %d warnings")
		}
		problems = kit.El("span.note title=%", "The form has too many rules or references to check them all.").Body(kit.Icon("warn"), app.Text(text))
	case warnings > 0:
		problems = kit.El("span.note").Body(kit.Icon("warn"), app.Text(kit.Several(warnings, "1 warning", "%d warnings")))
	}
	cells = []app.UI{kit.El("td.col-extra").Body(problems)}
	for i := range columns {
		cells = append(cells, columns[i].draw(o).Attr("hidden", kit.Yes(!p.told[i])))
	}
	return kit.Thumbnail(o.Edges, o.Nodes), cells
}

// column is a column that is shown only in the lists that need it.
type column struct {
	name string
	says func(formapi.Overview) bool // whether it has something to say about a form
	draw func(formapi.Overview) app.HTMLElem
}

var columns = [...]column{
	{"Coverage", func(o formapi.Overview) bool { return o.Coverage >= 0 }, drawCoverage},
	{"Languages", func(o formapi.Overview) bool { return len(o.Languages) > 1 }, drawLanguages},
}

// telling reports which columns have something to say about a form that is listed. The cells of the others are hidden, not left out, so that the
// cells beside them stay the same elements.
func telling(forms []formapi.Summary, known map[string]formapi.Overview) (told [len(columns)]bool) {
	for i := range columns {
		told[i] = slices.ContainsFunc(forms, func(f formapi.Summary) bool { o, ok := known[f.ID]; return ok && columns[i].says(o) })
	}
	return told
}

func drawCoverage(o formapi.Overview) app.HTMLElem {
	if o.Coverage < 0 {
		return kit.El("td.col-extra").Body(kit.El("span.dim").Text("No scenarios"))
	}
	percent := strconv.Itoa(o.Coverage) + " %"
	class := ""
	if o.Coverage == 100 {
		class = "full"
	}
	return kit.El("td.col-extra").Body(
		kit.El("span.cover").Body(kit.El("i").Body(kit.El("b class=% style=%", class, "width:"+strconv.Itoa(o.Coverage)+"%")), app.Text(percent)))
}

func drawLanguages(o formapi.Overview) app.HTMLElem {
	languages, more := o.Languages, ""
	if len(languages) > 4 {
		more = " +" + strconv.Itoa(len(languages)-4)
		languages = languages[:4]
	}
	return kit.El("td.col-extra title=%", strings.Join(o.Languages, ", ")).Text(strings.Join(languages, ", ") + more)
}
