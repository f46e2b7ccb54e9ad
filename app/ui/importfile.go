package ui

import (
	"context"
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
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

// readFile reads the file that was chosen. It returns nil, and no problem, when
// none was; err says in words what keeps it from being read.
func readFile(c *client.Client) (in *incoming, bad badFile, err error) {
	name, text, err := kit.ChosenFile(importInput)
	switch {
	case err != nil || name == "":
		return nil, bad, err
	case strings.TrimSpace(text) == "":
		return nil, bad, fmt.Errorf("the file %s is empty: there is no form in it", name)
	}
	d, problems, _ := envelope.Read([]byte(text))
	if len(problems) > 0 {
		return nil, badFile{name, problems}, nil
	}
	var flows []client.Flow
	if _, all := envelope.ImportForm(d, nil); len(all) > 0 {
		// Without the tenant's flows the placeholders stay, and are told of.
		flows, _ = c.Flows(context.Background())
	}
	return newIncoming(name, d, flows), bad, nil
}

// importFile reads the file that was chosen and puts its form in the place of
// this one. A file that is not a valid form changes nothing.
func (p *editorPage) importFile(ctx app.Context) {
	id := p.id
	ctx.Async(func() {
		in, bad, err := readFile(p.client)
		ctx.Dispatch(func(ctx app.Context) {
			defer p.rescue(ctx)
			switch {
			case p.id != id || p.ed == nil:
			case err != nil:
				p.say(ctx, kit.Sentence(err))
			case len(bad.problems) > 0:
				p.refused = bad
				p.openDialog(ctx, "bad-file")
			case in != nil:
				p.replace(ctx, in)
			}
		})
	})
}

// replace runs an import and shows what is there now.
func (p *editorPage) replace(ctx app.Context, in *incoming) {
	p.typing, p.incoming, p.flowsLater = "", in, false
	before := p.ed.State().Form
	if !p.run(ctx, replaceForm{in.form(), in.file}) {
		return
	}
	if p.ed.State().Form == before {
		p.say(ctx, "The file has the same form.")
		return
	}
	p.ed.Seal()
	text := fmt.Sprintf("Imported %s. Check it, then save.", in.file)
	if missing := in.missing(); missing > 0 {
		text += fmt.Sprintf(" %s not found in this tenant: see Problems.", kit.Several(missing, "1 flow was", "%d flows were"))
	}
	p.say(ctx, text)
	if p.island != nil {
		p.island.FitReadable()
	}
}

// flowBanner offers to choose the flows that a form from elsewhere lacks here.
func (p *editorPage) flowBanner() app.UI {
	if p.flowsLater || p.ed.ReadOnly() || len(p.flows) == 0 {
		return nil
	}
	n := placeholders(p.ed.State().Form, p.ed.Warnings())
	if n == 0 {
		return nil
	}
	return banner("flow", kit.Several(n, "This form names a flow that this tenant does not have.", "This form names %d flows that this tenant does not have."), kit.TextButton("flows-later", "Not now", "secondary"), kit.TextButton("choose-flows", "Choose flows", "primary"))
}

// chooseFlows opens the dialog in which flows take the places of placeholders.
func (p *editorPage) chooseFlows(ctx app.Context) {
	if p.incoming == nil || p.incoming.missing() == 0 {
		p.incoming = newIncoming(p.ed.State().Form.Name, envelope.Document{Form: p.ed.State().Form}, p.flows)
	}
	p.openDialog(ctx, "import-flows")
}

// body is the dialog in which the flows of a file are chosen.
func (in *incoming) body() []app.UI {
	rows := make([]app.UI, len(in.choices))
	for i, c := range in.choices {
		options := []app.UI{kit.El("option value=keep selected=%", kit.Yes(c.id == "")).Text(fmt.Sprintf("Keep %s", c.placeholder))}
		for _, f := range in.flows {
			options = append(options, kit.El("option value=% selected=%", f.ID, kit.Yes(c.id == f.ID)).Text(f.Name))
		}
		name := c.name
		if name == "" {
			name = c.placeholder
		}
		rows[i] = kit.El("label.stack").Body(kit.El("span").Text(name), kit.El("select data-flow=%", c.placeholder).Body(options...))
	}
	return append(append(
		[]app.UI{kit.El("p").Text(fmt.Sprintf("This tenant does not have every flow of %s. A placeholder that you keep shows as a warning.", in.file))}, rows...),
		kit.El("div.buttons").Body(kit.TextButton("cancel", "Cancel", "secondary"), kit.TextButton("import-flows", "Use these flows", "primary")))
}

// chosen takes over what a control of the dialog chose.
func (in *incoming) chosen(el app.Value) {
	placeholder := el.Get("dataset").Get("flow")
	if in == nil || placeholder.Type() != app.TypeString {
		return
	}
	id := el.Get("value").String()
	if id == "keep" {
		id = ""
	}
	in.choose(placeholder.String(), id)
}

// exportFlows downloads the form with its flows.
func (p *editorPage) exportFlows(ctx app.Context) {
	f := p.ed.State().Form
	ctx.Async(func() {
		flows, err := p.client.Objects(context.Background(), "/bff/api/flows")
		text, incomplete := exportWithFlows(f, flows)
		ctx.Dispatch(func(ctx app.Context) {
			kit.Download(strings.Replace(fileName(f.Name), ".form.", ".export.", 1), text)
			switch {
			case err != nil:
				p.say(ctx, kit.Sentence(err))
			case incomplete > 0:
				p.say(ctx, fmt.Sprintf("Exported. The tenant does not list the actions of %s; the file has only their names or ids.", kit.Several(incomplete, "1 flow", "%d flows")))
			}
		})
	})
}

// badFileDialog tells what is wrong with a file.
func (p *editorPage) badFileDialog() []app.UI {
	var items []app.UI
	for i, pr := range p.refused.problems {
		if i == remarkLimit {
			items = append(items, kit.El("li.quiet-text").Text(fmt.Sprintf("and %d more", len(p.refused.problems)-i)))
			break
		}
		items = append(items, kit.El("li.conflict").Body(kit.Icon("warn"), kit.El("span.grow").Body(kit.El("code").Text(pr.Path.String()), kit.El("span").Text(" "+kit.Sentence(remark(pr.Detail))))))
	}
	return []app.UI{
		kit.El("p").Text(kit.Several(len(items), "Nothing was changed. Fix this in the file first:", "Nothing was changed. Fix these %d in the file first:")),
		kit.El("ul.targets.bad-file").Body(items...),
		kit.El("div.buttons").Body(kit.TextButton("cancel", "Close", "primary")),
	}
}
