package inspect

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// check finds rules that never decide, in a worker, while a router is selected or the problems are shown.
type check struct {
	job   worker.Job
	form  *model.Form // that was checked last or is being checked
	due   bool        // a check waits for further edits
	flaws []message.Flaw
}

// rest is how long a check waits for further edits.
const rest = time.Second

// Follow checks the rules again if somebody looks at them and the form has changed.
func (p *Panel) Follow(ctx app.Context) {
	if p.Editor == nil || p.check.due || !p.checks() || p.check.form == p.Editor.State().Form {
		return
	}
	p.check.due = true
	ctx.After(rest, func(ctx app.Context) {
		defer p.Rescue(ctx)
		p.check.due = false
		if p.Editor == nil || !p.checks() {
			return
		}
		f := p.Editor.State().Form
		p.check.form = f
		p.check.job.Run(ctx, p.Workspace, message.Job{Do: message.Rules, Form: f.Tree()}, func(_ app.Context, r message.Report) {
			p.check.flaws = r.Flaws
		})
	})
}

// Close ends the check under way.
func (p *Panel) Close() {
	if p != nil {
		p.check.job.Cancel()
	}
}

// checks reports whether somebody looks at what is wrong with rules.
func (p *Panel) checks() bool {
	return p.onRouter() || p.Panels.Left && p.Panels.Tab == workspace.Problems && slices.ContainsFunc(p.Editor.State().Form.Nodes, func(n *model.Node) bool {
		return n.Type == model.RouterNode
	})
}

// Flaws returns what is wrong with the rules of the form, as far as it was checked as it is.
func (p *Panel) Flaws() []message.Flaw {
	if p.check.form != p.Editor.State().Form {
		return nil
	}
	return p.check.flaws
}

// Hints returns what is probably wrong with references to fields, by the path of the text.
func (p *Panel) Hints() map[string][]inspector.Hint {
	p.analysis()
	return p.hints
}

func (p *Panel) onRouter() bool {
	n, _ := p.Editor.State().Form.Node(p.Editor.State().Selection.Only())
	return n != nil && n.Type == model.RouterNode
}

// flawsOf returns what is wrong with the rule at an index of the selected router, as far as the form was checked as it is.
func (p *Panel) flawsOf(part inspector.Part) []message.Flaw {
	var list []message.Flaw
	path := part.Path.String()
	for _, f := range p.Flaws() {
		if f.Path == path || strings.HasPrefix(f.Path, path+".") {
			list = append(list, f)
		}
	}
	return list
}

// drawFlaws draws what is wrong with a rule, with the changes that help.
func (p *Panel) drawFlaws(i int, part inspector.Part) []app.UI {
	var out []app.UI
	for _, f := range p.flawsOf(part) {
		body := []app.UI{kit.Icon("warn"), kit.El("span.grow").Text(f.Text)}
		if f.Example != "" {
			body = append(body, kit.El("small").Text(f.Example))
		}
		if f.Moves && !p.Editor.ReadOnly() {
			body = append(body, kit.El("button.link type=button data-act=rule-move data-arg=%", strconv.Itoa(i)+" "+strconv.Itoa(f.Before)).
				Text("Move above rule "+strconv.Itoa(f.Before+1)))
		}
		if f.Removes && !p.Editor.ReadOnly() {
			body = append(body, kit.El("button.link type=button data-act=part-delete data-arg=%", strconv.Itoa(i)).Text("Delete the rule"))
		}
		out = append(out, kit.El("div.flaw role=note").Body(body...))
	}
	return out
}

// moveRule moves a rule of the selected router; arg is its index and the new one.
func (p *Panel) moveRule(ctx app.Context, arg string) {
	from, to, _ := strings.Cut(arg, " ")
	i, err := strconv.Atoi(from)
	j, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil {
		return
	}
	p.MovePart(ctx, i, j)
	p.Editor.Select(editor.SelectNodes(p.Editor.State().Selection.Only()))
}
