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
func (fd *findings) Follow(ctx app.Context) {
	if fd.Editor == nil || fd.check.due || !fd.checks() || fd.check.form == fd.Editor.State().Form {
		return
	}
	fd.check.due = true
	ctx.After(rest, func(ctx app.Context) {
		defer fd.Rescue(ctx)
		fd.check.due = false
		if fd.Editor == nil || !fd.checks() {
			return
		}
		f := fd.Editor.State().Form
		fd.check.form = f
		fd.check.job.Run(ctx, fd.Workspace, message.Job{Do: message.Rules, Form: f.Tree()}, func(_ app.Context, r message.Report) {
			fd.check.flaws = r.Flaws
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
func (fd *findings) checks() bool {
	return fd.onRouter() || fd.Panels.Left && fd.Panels.Tab == workspace.Problems && slices.ContainsFunc(fd.Editor.State().Form.Nodes, func(n *model.Node) bool {
		return n.Type == model.RouterNode
	})
}

// Flaws returns what is wrong with the rules of the form, as far as it was checked as it is.
func (fd *findings) Flaws() []message.Flaw {
	if fd.check.form != fd.Editor.State().Form {
		return nil
	}
	return fd.check.flaws
}

func (fd *findings) onRouter() bool {
	n, _ := fd.Editor.State().Form.Node(fd.Editor.State().Selection.Only())
	return n != nil && n.Type == model.RouterNode
}

// flawsOf returns what is wrong with the rule at an index of the selected router, as far as the form was checked as it is.
func (fd *findings) flawsOf(part inspector.Part) []message.Flaw {
	var list []message.Flaw
	path := part.Path.String()
	for _, f := range fd.Flaws() {
		if f.Path == path || strings.HasPrefix(f.Path, path+".") {
			list = append(list, f)
		}
	}
	return list
}

// drawFlaws draws what is wrong with a rule, with the changes that help.
func (fd *findings) drawFlaws(i int, part inspector.Part) []app.UI {
	var out []app.UI
	for _, f := range fd.flawsOf(part) {
		body := []app.UI{kit.Icon("warn"), kit.El("span.grow").Text(f.Text)}
		if f.Example != "" {
			body = append(body, kit.El("small").Text(f.Example))
		}
		if f.Moves && !fd.Editor.ReadOnly() {
			body = append(body, kit.Tree("button.link type=button data-act=rule-move data-arg=% { % }",
				[]string{strconv.Itoa(i) + " " + strconv.Itoa(f.Before), "Move above rule " + strconv.Itoa(f.Before+1)}))
		}
		if f.Removes && !fd.Editor.ReadOnly() {
			body = append(body, kit.Tree("button.link type=button data-act=part-delete data-arg=% { % }", []string{strconv.Itoa(i), "Delete the rule"}))
		}
		out = append(out, kit.El("div.flaw role=note").Body(body...))
	}
	return out
}

// moveRule moves a rule of the selected router; arg is its index and the new one.
func (fd *findings) moveRule(ctx app.Context, arg string) {
	from, to, _ := strings.Cut(arg, " ")
	i, err := strconv.Atoi(from)
	j, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil {
		return
	}
	fd.MovePart(ctx, i, j)
	fd.Editor.Select(editor.SelectNodes(fd.Editor.State().Selection.Only()))
}
