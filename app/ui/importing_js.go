//go:build js

package ui

import (
	"context"
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/words"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/schema"
)

// importInput is the file chooser of a page.
const importInput = "#import-file"

// badFile is a file that was refused, and why.
type badFile struct {
	name     string
	problems schema.Problems
}

// importFile reads the file that was chosen and puts its form in the place of
// this one. A file that is no valid form changes nothing.
func (p *editorPage) importFile(ctx app.Context) {
	id := p.id
	ctx.Async(func() {
		name, text, err := kit.ChosenFile(importInput)
		if err == nil && text == "" {
			return
		}
		var d envelope.Document
		var problems schema.Problems
		var f *model.Form
		var missing []envelope.Missing
		if err == nil {
			d, problems, _ = envelope.Read([]byte(text))
		}
		if err == nil && len(problems) == 0 {
			f, missing = withFlows(p.client, d)
		}
		ctx.Dispatch(func(ctx app.Context) {
			defer p.rescue(ctx)
			switch {
			case p.id != id || p.ed == nil:
			case err != nil:
				p.say(ctx, kit.Sentence(err))
			case len(problems) > 0:
				p.refused = badFile{name, problems}
				p.openDialog(ctx, "bad-file")
			default:
				p.replace(ctx, replaceForm{f, name}, missing)
			}
		})
	})
}

// replace runs an import and shows what is there now.
func (p *editorPage) replace(ctx app.Context, c replaceForm, missing []envelope.Missing) {
	p.typing = ""
	before := p.ed.State().Form
	if !p.run(ctx, c) {
		return
	}
	if p.ed.State().Form == before {
		p.say(ctx, t.NothingNew)
		return
	}
	p.ed.Seal()
	text := fmt.Sprintf(t.Imported, c.file)
	if len(missing) > 0 {
		text += fmt.Sprintf(t.FlowsUnmatched, words.Several(len(missing), t.Flows))
	}
	p.say(ctx, text)
	if p.island != nil {
		p.island.FitReadable()
	}
}

// withFlows returns the form of a file with the flows of this tenant in it: an
// export has placeholders for those of the tenant that it comes from, and names
// them. What is not found by its name stays as it is, and is returned.
func withFlows(c *client.Client, d envelope.Document) (*model.Form, []envelope.Missing) {
	if d.Shape != envelope.Export {
		return d.Form, nil
	}
	flows, err := c.Flows(context.Background())
	if err != nil {
		return envelope.ImportForm(d, nil)
	}
	targets := make([]envelope.Target, len(flows))
	for i, f := range flows {
		targets[i] = envelope.Target{ID: f.ID, Name: f.Name}
	}
	mapping, _ := envelope.MatchFlows(d, targets)
	return envelope.ImportForm(d, mapping)
}

// badFileDialog tells what is wrong with a file.
func (p *editorPage) badFileDialog() []app.UI {
	var items []app.UI
	for i, pr := range p.refused.problems {
		if i == remarkLimit {
			items = append(items, kit.El("li.quiet-text").Text(fmt.Sprintf(t.AndMoreRows, len(p.refused.problems)-i)))
			break
		}
		items = append(items, kit.El("li.conflict").Body(kit.Icon("warn"), kit.El("span.grow").Body(kit.El("code").Text(pr.Path.String()), kit.El("span").Text(" "+kit.Sentence(remark(pr.Detail))))))
	}
	return []app.UI{
		kit.El("p").Text(words.Several(len(items), t.FileProblems)),
		kit.El("ul.targets.bad-file").Body(items...),
		kit.El("div.buttons").Body(kit.TextButton("cancel", t.Close, "primary")),
	}
}
